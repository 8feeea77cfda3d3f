/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_QMP_H
#define LAB_QMP_H
/*
 * What QEMU tells of a guest over its machine protocol: one JSON object a line, both ways. Only what a watcher
 * wants to know is asked for and understood; everything else is skipped.
 */
#include "base/strbuf.h"

enum qmp_kind {
	QMP_NOTHING,
	QMP_STOPPED, /* the guest does not run, and nobody will make it run; status says why */
	QMP_PANICKED, /* the guest's kernel said so */
	QMP_POWERED_OFF, /* by the guest */
	QMP_RESET, /* by the guest; QEMU ends instead */
};

struct qmp_news {
	enum qmp_kind kind;
	char status[64]; /* QEMU's word: "internal-error", "paused" */
};

struct qmp {
	int fd; /* the caller's, non-blocking; -1: at its end */
	struct strbuf in; /* a line, or a part of one */
};

/* Asks whether the guest runs, which also makes QEMU tell of what happens later. */
void qmp_begin(struct qmp *qmp, int fd);
void qmp_release(struct qmp *qmp); /* qmp may be zeroed */

/* Reads what is there; false: nothing that a watcher would want to know. To be called until it is false. */
bool qmp_next(struct qmp *qmp, struct qmp_news *news);

/* What one line means. *ask: it wants QEMU to be asked how the guest is. */
void qmp_understand(const char *line, size_t len, struct qmp_news *news, bool *ask);

#endif
