/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef UNIT_OUT_OF_MEMORY_H
#define UNIT_OUT_OF_MEMORY_H
/* True if f() ends a process of its own the way out_of_memory() does: the message, exit status 1. */
#include "base/util.h"

#include <sys/wait.h>
#include <unistd.h>

static bool runs_out_of_memory(void (*f)(void))
{
	char text[64] = "";
	size_t len = 0;
	ssize_t got;
	int fd[2], status = 0;
	pid_t pid;

	if (pipe(fd) < 0)
		return false;
	pid = fork();
	if (pid == 0) {
		dup2(fd[1], STDERR_FILENO);
		f();
		_exit(0);
	}
	close(fd[1]);
	while ((got = read(fd[0], text + len, sizeof(text) - 1 - len)) > 0)
		len += (size_t)got;
	close(fd[0]);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 1 &&
	       streq(text, "perfcmp: out of memory\n");
}

#endif
