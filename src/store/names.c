// SPDX-License-Identifier: GPL-2.0-only
#include "store/names.h"

/* An id beyond is looked up each time: a damaged database must not make a huge array. */
static const int64_t remembered_max = 1 << 20;

void names_forget(struct names *names)
{
	strmap_release(&names->id_of);
	free(names->name_of);
	pool_release(&names->pool);
	names->name_of = NULL;
	names->name_of_nr = 0;
}

static int look_up(struct names *names, const char *name, int64_t *id, struct err *err)
{
	struct stmt *stmt = db_use(names->db, names->find);
	int status;

	stmt_text(stmt, name);
	status = stmt_step(stmt, err);
	if (status > 0) {
		if (row_id(stmt, 0, id, err))
			status = -1;
		stmt_done(stmt);
	}
	return status;
}

static int add_name(struct names *names, const char *name, int64_t *id, struct err *err)
{
	struct stmt *stmt = db_use(names->db, names->add);

	stmt_text(stmt, name);
	if (stmt_run(stmt, err))
		return -1;
	*id = db_last_id(names->db);
	return 1;
}

int names_id(struct names *names, const char *name, bool add, int64_t *id, struct err *err)
{
	int known = strmap_get(&names->id_of, name, -1);
	int status;

	if (known >= 0) {
		*id = known;
		return 1;
	}
	status = look_up(names, name, id, err);
	if (status == 0 && add)
		status = add_name(names, name, id, err);
	if (status > 0 && *id > NAME_ID_MAX)
		status = db_damaged(names->db, err, "%lld as the id of a name", (long long)*id);
	if (status > 0 && *id <= remembered_max)
		strmap_put(&names->id_of, pool_strdup(&names->pool, name), (int)*id);
	return status;
}

static void remember(struct names *names, int64_t id, const char *name)
{
	if (id >= names->name_of_nr) {
		int64_t nr = id + id / 2 + 64;

		names->name_of = xrealloc(names->name_of, (size_t)nr, sizeof(*names->name_of));
		for (int64_t i = names->name_of_nr; i < nr; i++)
			names->name_of[i] = NULL;
		names->name_of_nr = nr;
	}
	names->name_of[id] = name;
}

const char *names_name(struct names *names, int64_t id, struct err *err)
{
	const char *name = NULL;
	struct stmt *stmt;
	int status;

	if (id < 1 || id > NAME_ID_MAX) {
		db_damaged(names->db, err, "%lld as the id of a name", (long long)id);
		return NULL;
	}
	if (id < names->name_of_nr)
		name = names->name_of[id];
	if (name)
		return name;
	stmt = db_use(names->db, names->name);
	stmt_int(stmt, id);
	status = stmt_step(stmt, err);
	if (status > 0) {
		name = pool_strdup(&names->pool, row_text(stmt, 0));
		stmt_done(stmt);
	}
	if (name && id <= remembered_max)
		remember(names, id, name);
	else if (!name && status >= 0)
		db_damaged(names->db, err, "name %lld is not there", (long long)id);
	return name;
}
