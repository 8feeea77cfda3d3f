// SPDX-License-Identifier: GPL-2.0-only
#include "measure/leftovers.h"

#include "base/util.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int64_t patience_ns = 2000000000;

struct pids {
	pid_t *v;
	int nr, alloc;
};

static void pids_add(struct pids *pids, pid_t pid)
{
	GROW(pids->v, pids->nr, pids->alloc);
	pids->v[pids->nr++] = pid;
}

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

/* Calls visit for each entry of the folder whose name is a number. False if there is no such folder. */
static bool for_each_number(const char *folder, void (*visit)(struct pids *, const char *),
			    struct pids *pids)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	if (!dir)
		return false;
	while ((entry = readdir(dir)))
		if (is_number(entry->d_name))
			visit(pids, entry->d_name);
	closedir(dir);
	return true;
}

static void add_children_of_thread(struct pids *pids, const char *tid)
{
	char path[64];
	FILE *file;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%s/children", tid);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fscanf(file, "%d", &pid) == 1) // NOLINT(cert-err34-c): the kernel's own numbers
		pids_add(pids, pid);
	fclose(file);
}

/* For kernels without CONFIG_PROC_CHILDREN. Field 4 of stat is the parent, after a name that may hold anything. */
static void add_if_child(struct pids *pids, const char *pid)
{
	char path[64], line[512];
	const char *after;
	int parent = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	after = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	if (after && sscanf(after, ") %*c %d", &parent) == 1 && // NOLINT(cert-err34-c): as above
	    parent == getpid())
		pids_add(pids, (pid_t)strtol(pid, NULL, 10));
	fclose(file);
}

static void list_children(struct pids *pids)
{
	pids->nr = 0;
	if (access("/proc/thread-self/children", R_OK) == 0)
		for_each_number("/proc/self/task", add_children_of_thread, pids);
	else
		for_each_number("/proc", add_if_child, pids);
}

static bool had_before(const struct leftovers *leftovers, pid_t pid)
{
	for (int i = 0; i < leftovers->before_nr; i++)
		if (leftovers->before[i] == pid)
			return true;
	return false;
}

void leftovers_begin(struct leftovers *leftovers)
{
	struct pids pids = {0};
	int was = 0;

	list_children(&pids);
	prctl(PR_GET_CHILD_SUBREAPER, &was);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	*leftovers = (struct leftovers){
		.was_subreaper = was != 0,
		.before = pids.v,
		.before_nr = pids.nr,
		.before_alloc = pids.alloc,
	};
}

void leftovers_release(struct leftovers *leftovers)
{
	prctl(PR_SET_CHILD_SUBREAPER, leftovers->was_subreaper);
	free(leftovers->before);
	*leftovers = (struct leftovers){0};
}

void leftovers_reap(pid_t group)
{
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_PGID, (id_t)group, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid == 0 || info.si_pid == group)
			return;
		waitpid(info.si_pid, NULL, WNOHANG);
	}
}

static bool is_running(pid_t pid)
{
	siginfo_t info = {.si_pid = 0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && !info.si_pid;
}

/* Our children that are new, except the child itself. */
static void list_new(const struct leftovers *leftovers, pid_t child, struct pids *pids)
{
	int kept = 0;

	list_children(pids);
	for (int i = 0; i < pids->nr; i++)
		if (pids->v[i] != child && !had_before(leftovers, pids->v[i]))
			pids->v[kept++] = pids->v[i];
	pids->nr = kept;
}

static void kill_and_reap(const struct pids *pids)
{
	for (int i = 0; i < pids->nr; i++) {
		kill(pids->v[i], SIGKILL);
		waitpid(pids->v[i], NULL, WNOHANG);
	}
}

int leftovers_kill(const struct leftovers *leftovers, pid_t child)
{
	static const struct timespec moment = {.tv_nsec = 1000000};
	int64_t give_up = clock_ns() + patience_ns;
	struct pids pids = {0};
	int running = 0, empty = 0;

	list_new(leftovers, child, &pids);
	for (int i = 0; i < pids.nr; i++)
		running += is_running(pids.v[i]);
	kill(-child, SIGKILL);
	/* Two empty lists in a row: the kernel's may miss one while others exit. */
	while (empty < 2 && clock_ns() < give_up) {
		kill_and_reap(&pids);
		list_new(leftovers, child, &pids);
		if (pids.nr)
			nanosleep(&moment, NULL);
		empty = pids.nr ? 0 : empty + 1;
	}
	free(pids.v);
	return running;
}
