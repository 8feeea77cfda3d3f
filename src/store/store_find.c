// SPDX-License-Identifier: GPL-2.0-only
#include "base/near.h"
#include "store/store_impl.h"

enum {
	ABBREVIATION_MIN = 4, /* digits a user must give */
	KNOWN_MIN = 7, /* digits that must be known of a hash for a longer one to mean it */
	HASH_MAX = 64, /* SHA-256 */
	NAMES_SHOWN = 5,
};

/* Commits that a name could mean. */
struct found {
	struct pool *pool;
	struct commit first;
	struct strbuf names; /* of all, for the message */
	int nr;
};

static void found_add(struct found *found, struct stmt *row)
{
	if (++found->nr == 1)
		found->first = (struct commit){
			.name = pool_strdup(found->pool, row_name(row, 1)),
			.hash = pool_strdup(found->pool, row_text(row, 2)),
			.subject = pool_strdup(found->pool, row_text(row, 3)),
		};
	if (found->nr <= NAMES_SHOWN)
		strbuf_additem(&found->names, ", ", "'%s'", row_name(row, 1));
	else if (found->nr == NAMES_SHOWN + 1)
		strbuf_addstr(&found->names, ", ...");
}

/* Number of commits found, or -1. */
static int search(struct store *store, enum stmt_id id, const char *name, struct found *found,
		  struct err *err)
{
	struct stmt *stmt = db_use(store->db, id);
	int status;

	stmt_text(stmt, name);
	while ((status = stmt_step(stmt, err)) > 0)
		found_add(found, stmt);
	return status < 0 ? -1 : found->nr;
}

/* The name is a longer hash than what is known of the commit. */
static int search_shorter(struct store *store, const char *name, struct found *found,
			  struct err *err)
{
	char known[HASH_MAX + 1];
	int nr = 0;

	snprintf(known, sizeof(known), "%s", name);
	for (size_t len = strlen(name) - 1; nr == 0 && len >= KNOWN_MIN; len--) {
		known[len] = '\0';
		nr = search(store, STMT_COMMITS_BY_HASH, known, found, err);
	}
	return nr;
}

static int search_all(struct store *store, const char *name, struct found *found, struct err *err)
{
	size_t len = strlen(name);
	int nr = search(store, STMT_COMMIT_BY_NAME, name, found, err);

	if (nr == 0)
		nr = search(store, STMT_COMMITS_BY_HASH, name, found, err);
	if (nr == 0)
		nr = search(store, STMT_COMMITS_BY_RELEASE, name, found, err);
	if (name[strspn(name, "0123456789abcdef")] || len < ABBREVIATION_MIN || len > HASH_MAX)
		return nr;
	if (nr == 0)
		nr = search(store, STMT_COMMITS_BY_PREFIX, name, found, err);
	return nr ? nr : search_shorter(store, name, found, err);
}

/* all: whatever is there, newest first, if nothing is near */
static int collect_near(struct store *store, const char *wanted, bool all, struct near *near,
			struct err *err)
{
	struct stmt *stmt = db_use(store->db, STMT_NAMES);
	int status;

	while ((status = stmt_step(stmt, err)) > 0) {
		const char *name = row_name(stmt, 0);

		near_add(near, name, all ? 0 : near_distance(wanted, name));
	}
	return status;
}

static int unknown(struct store *store, const char *name, struct err *err)
{
	struct strbuf names = STRBUF_INIT;
	struct near near = {0};
	const char *what = "near are";
	int status = collect_near(store, name, false, &near, err);

	if (status == 0 && near.nr == 0) {
		what = "there are";
		status = collect_near(store, name, true, &near, err);
	}
	near_join(&near, NAMES_SHOWN, "'", &names);
	if (status == 0 && near.nr == 0)
		err_set(err, "unknown commit '%s': %s holds no runs", name, db_path(store->db));
	else if (status == 0)
		err_set(err, "unknown commit '%s': %s %s (see perfcmp list commits)", name, what,
			names.buf);
	strbuf_release(&names);
	near_release(&near);
	return status < 0 ? -1 : 1;
}

static int find_commit(struct store *store, const char *name, struct found *found, struct err *err)
{
	int nr = search_all(store, name, found, err);

	if (nr <= 0)
		return nr ? -1 : unknown(store, name, err);
	if (nr == 1)
		return 0;
	err_set(err, "commit '%s' is ambiguous: it could be %s", name, found->names.buf);
	return 1;
}

int store_find_commit(struct store *store, const char *name, struct pool *pool, struct commit *out,
		      struct err *err)
{
	struct found found = {.pool = pool, .names = STRBUF_INIT};
	int status;

	if (db_begin_read(store->db, err))
		return -1;
	status = find_commit(store, name, &found, err);
	strbuf_release(&found.names);
	if (status) {
		db_end_read(store->db, NULL);
		return status;
	}
	*out = found.first;
	return db_end_read(store->db, err);
}
