/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef MEASURE_LEFTOVERS_H
#define MEASURE_LEFTOVERS_H
/*
 * Descendants of a child that outlive it. While we are a subreaper (PR_SET_CHILD_SUBREAPER) they become our
 * children when their parent ends, wherever they moved (setsid, double fork), and can be found, killed and
 * reaped; the children that were there before are not touched.
 */
#include <stdbool.h>
#include <sys/types.h>

struct leftovers {
	bool was_subreaper;
	pid_t *before; /* our children before */
	int before_nr, before_alloc;
};

/* Before the fork: remembers our children and makes us a subreaper. */
void leftovers_begin(struct leftovers *leftovers);

/*
 * Reaps the orphans of this process group that have ended by themselves, so that a test which makes many does
 * not run out of process ids. The child itself, the group's leader, stays.
 */
void leftovers_reap(pid_t group);

/*
 * After the child's end: kills the group and every child of ours that was not there before, and those that
 * become ours by that, and reaps them all but the child itself. Gives up on what does not die in two seconds.
 * Returns how many were still running.
 */
int leftovers_kill(const struct leftovers *leftovers, pid_t child);

/* What leftovers_begin() changed is as before. */
void leftovers_release(struct leftovers *leftovers);

#endif
