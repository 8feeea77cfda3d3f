// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations of some tests of will-it-scale as the plainest loop there can be: no driver, no tasks, no shared
 * count, the clock looked at once a thousand times. For will-it-scale-rates.sh:
 *	plain_loops TEST SECONDS CPU		prints operations per second
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAPPED ((size_t)128 << 20)

static int ends[2], fd;
static char *memory;
static size_t at;

static void do_getppid(void)
{
	getppid();
}

static void do_sched_yield(void)
{
	sched_yield();
}

static void do_futex(void)
{
	unsigned word = 0;

	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void do_pipe(void)
{
	char byte = 0;

	if (write(ends[1], &byte, 1) != 1 || read(ends[0], &byte, 1) != 1)
		abort();
}

static void do_eventfd(void)
{
	unsigned long long value = 1;

	if (write(fd, &value, 8) != 8 || read(fd, &value, 8) != 8)
		abort();
}

static void do_mmap(void)
{
	void *p = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		abort();
	munmap(p, MAPPED);
}

static void do_fault(void)
{
	if (at == MAPPED) {
		munmap(memory, MAPPED);
		memory = NULL;
	}
	if (!memory) {
		memory = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
		at = 0;
	}
	*(volatile char *)(memory + at) = 0;
	at += 4096;
}

static void do_lseek(void)
{
	lseek(fd, 0, SEEK_SET);
}

static void do_open(void)
{
	int f = open("/dev/null", O_RDWR);

	if (f < 0)
		abort();
	close(f);
}

static void do_dup(void)
{
	close(dup(fd));
}

static const struct {
	const char *test;
	void (*operation)(void);
} loops[] = {
	{"getppid1", do_getppid},  {"sched_yield", do_sched_yield},
	{"futex1", do_futex},	   {"pipe1", do_pipe},
	{"eventfd1", do_eventfd},  {"mmap1", do_mmap},
	{"page_fault1", do_fault}, {"lseek1", do_lseek},
	{"open1", do_open},	   {"dup1", do_dup},
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double rate(void (*operation)(void), double seconds)
{
	double start = now(), end;
	unsigned long nr = 0;

	do {
		for (int i = 0; i < 1000; i++)
			operation();
		nr += 1000;
		end = now();
	} while (end - start < seconds);
	return (double)nr / (end - start);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	pin((int)strtol(argv[3], NULL, 10));
	if (pipe(ends))
		return 1;
	fd = strcmp(argv[1], "eventfd1") == 0 ? eventfd(0, 0) : memfd_create("plain", 0);
	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		if (strcmp(loops[i].test, argv[1]) != 0)
			continue;
		rate(loops[i].operation, 0.2);
		printf("%.0f\n", rate(loops[i].operation, strtod(argv[2], NULL)));
		return 0;
	}
	return 2;
}
