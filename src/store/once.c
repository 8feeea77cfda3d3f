// SPDX-License-Identifier: GPL-2.0-only
#include "store/once.h"

/* Binds the parameters of a FIND or an ADD. */
typedef void (*bind_fn)(struct stmt *stmt, const void *row);

struct once {
	enum stmt_id find, add;
	bind_fn bind_find, bind_add;
};

static void bind_commit_name(struct stmt *stmt, const void *row)
{
	const struct commit *commit = row;

	stmt_text(stmt, commit->name);
}

static void bind_commit(struct stmt *stmt, const void *row)
{
	const struct commit *commit = row;

	stmt_text(stmt, commit->name);
	stmt_text(stmt, commit->hash);
	stmt_text(stmt, commit->subject);
}

static void bind_kernel(struct stmt *stmt, const void *row)
{
	const struct kernel *kernel = row;

	stmt_text(stmt, kernel->release);
	stmt_text(stmt, kernel->version);
	stmt_text(stmt, kernel->cmdline);
	stmt_text(stmt, kernel->hash);
}

static void bind_machine(struct stmt *stmt, const void *row)
{
	const struct machine *machine = row;

	stmt_text(stmt, machine->name);
	stmt_text(stmt, machine->kind);
	stmt_text(stmt, machine->cpu_model);
	stmt_int(stmt, machine->cpus);
	stmt_int(stmt, machine->nodes);
	stmt_int(stmt, machine->memory_bytes);
}

struct boot_row {
	int64_t machine, kernel;
	const char *boot_id;
};

static void bind_boot(struct stmt *stmt, const void *row)
{
	const struct boot_row *boot = row;

	stmt_int(stmt, boot->machine);
	stmt_int(stmt, boot->kernel);
	stmt_text(stmt, boot->boot_id);
}

struct test_row {
	const char *testcase, *test;
	struct strbuf params;
};

static void bind_test(struct stmt *stmt, const void *row)
{
	const struct test_row *test = row;

	stmt_text(stmt, test->testcase);
	stmt_text(stmt, test->test);
	stmt_text(stmt, test->params.buf);
}

static const struct once commits = {STMT_FIND_COMMIT, STMT_ADD_COMMIT, bind_commit_name,
				    bind_commit};
static const struct once kernels = {STMT_FIND_KERNEL, STMT_ADD_KERNEL, bind_kernel, bind_kernel};
static const struct once machines = {STMT_FIND_MACHINE, STMT_ADD_MACHINE, bind_machine,
				     bind_machine};
static const struct once boots = {STMT_FIND_BOOT, STMT_ADD_BOOT, bind_boot, bind_boot};
static const struct once tests = {STMT_FIND_TEST, STMT_ADD_TEST, bind_test, bind_test};

static int find(struct store *store, const struct once *once, const void *row, int64_t *id,
		struct err *err)
{
	struct stmt *stmt = db_use(store->db, once->find);
	int status;

	once->bind_find(stmt, row);
	status = stmt_step(stmt, err);
	if (status > 0) {
		if (row_id(stmt, 0, id, err))
			status = -1;
		stmt_done(stmt);
	}
	return status;
}

/* 1 or -1 */
static int find_or_add(struct store *store, const struct once *once, const void *row, int64_t *id,
		       struct err *err)
{
	int status = find(store, once, row, id, err);
	struct stmt *stmt;

	if (status)
		return status;
	stmt = db_use(store->db, once->add);
	once->bind_add(stmt, row);
	if (stmt_run(stmt, err))
		return -1;
	*id = db_last_id(store->db);
	return 1;
}

int once_commit(struct store *store, const struct commit *commit, bool add, int64_t *id,
		struct err *err)
{
	struct stmt *stmt;

	if (!add)
		return find(store, &commits, commit, id, err);
	if (find_or_add(store, &commits, commit, id, err) < 0)
		return -1;
	stmt = db_use(store->db, STMT_COMPLETE_COMMIT);
	stmt_text(stmt, commit->hash);
	stmt_text(stmt, commit->subject);
	stmt_int(stmt, *id);
	return stmt_run(stmt, err) ? -1 : 1;
}

int once_boot(struct store *store, const struct run *run, bool add, int64_t *id, struct err *err)
{
	int (*get)(struct store *, const struct once *, const void *, int64_t *, struct err *) =
		add ? find_or_add : find;
	struct boot_row boot = {.boot_id = run->boot_id};
	int status = get(store, &machines, &run->machine, &boot.machine, err);

	if (status > 0)
		status = get(store, &kernels, &run->kernel, &boot.kernel, err);
	return status > 0 ? get(store, &boots, &boot, id, err) : status;
}

int once_test(struct store *store, const struct run *run, bool add, int64_t *id, struct err *err)
{
	struct test_row test = {run->testcase, run->test, STRBUF_INIT};
	int status;

	params_to_text(&test.params, &run->params);
	status = (add ? find_or_add : find)(store, &tests, &test, id, err);
	strbuf_release(&test.params);
	return status;
}
