/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef LAB_GUEST_RUNS_H
#define LAB_GUEST_RUNS_H
/* What a guest is there for: the runs of its plan, each sent to the host as it ends. */
#include "base/err.h"

struct guest_link;
struct guest_plan;

/*
 * HELLO, then BEGIN, TICK (once a second) and RUN for each run. A deterministic guest does not tick, and waits
 * for answers only after its last run. A run that cannot even be started is a failed run. After one that left a
 * process which does not die no other is done: it would have to share the machine. -1: the host does not answer,
 * or the plan makes no sense.
 */
int guest_do_runs(const struct guest_plan *plan, struct guest_link *link, struct err *err);

#endif
