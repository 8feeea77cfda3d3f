/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_WIRE_H
#define LAB_WIRE_H
/*
 * struct run and what a guest is to do, as bytes: fields of tag, length, content; nested where a struct is
 * (lab/wire_field.h). Both ends are the same program, so an unknown tag or a short field is damage, not a
 * newer version.
 */
#include "base/err.h"
#include "base/strbuf.h"
#include "measure/counters.h"
#include "model/plan.h"
#include "model/run.h"

/* Everything in the run, its id too. */
void wire_put_run(struct strbuf *out, const struct run *run);
/*
 * run must be zeroed; -1 (damaged) leaves it to be released. A run without an id, a commit's name, a testcase
 * or a test is damaged: it could not be stored.
 */
int wire_get_run(const void *data, size_t length, struct run *run, struct err *err);

/* What one boot of a guest does, in order. Owns its strings (pool); zeroed: empty. */
struct guest_run {
	struct job job;
	int place; /* in the campaign's plan */
	int iteration;
	double timeout_s;
	char id[33]; /* the run's for this conversation: the guest does not know its real one; or "" */
};
struct guest_plan {
	struct pool pool;
	struct commit commit;
	const char *machine; /* its name and */
	const char *kind; /* kind: "kvm", "emulated", MACHINE_DETERMINISTIC */
	const char *boot_id;
	enum counters_scope counters;
	struct strlist events; /* empty: the default list */
	bool deterministic, fake_workload;
	struct strlist
		picks; /* "NAME=REGEX", each followed by its unit and its direction ("" none) */
	struct guest_run *runs;
	int runs_nr, runs_alloc;
};
void guest_plan_release(struct guest_plan *plan);
void wire_put_plan(struct strbuf *out, const struct guest_plan *plan);
int wire_get_plan(const void *data, size_t length, struct guest_plan *plan, struct err *err);

/* Payloads of the small frames. */
enum {
	WIRE_VERSION = 1
};
void wire_put_hello(struct strbuf *out, const char *release);
int wire_get_hello(const void *data, size_t length, struct strbuf *release, struct err *err);
void wire_put_place(struct strbuf *out, int place); /* FRAME_BEGIN */
int wire_get_place(const void *data, size_t length, int *place, struct err *err);
void wire_put_seconds(struct strbuf *out, double seconds); /* FRAME_TICK */
int wire_get_seconds(const void *data, size_t length, double *seconds, struct err *err);

#endif
