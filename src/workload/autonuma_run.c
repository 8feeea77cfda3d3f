// SPDX-License-Identifier: GPL-2.0-only
#include "workload/autonuma_nodes.h"

#include "workload/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the processes of a run share, or inherit. */
struct numa_work {
	const struct numa_config *config;
	struct numa_nodes nodes;
	int processes, threads; /* threads of one process */
	int64_t *thread_ns; /* shared memory: how long each thread took, process after process */
};

struct numa_process {
	const struct numa_work *work;
	int nr;
	char *memory;
};

struct numa_thread {
	const struct numa_process *process;
	int nr;
};

/* The compiler must not see that nobody reads what was zeroed. */
static void zero(char *memory, size_t bytes)
{
	memset(memory, 0, bytes);
	__asm__ volatile("" : : "r"(memory) : "memory");
}

static void *run_thread(void *arg)
{
	const struct numa_thread *thread = arg;
	const struct numa_process *process = thread->process;
	const struct numa_work *work = process->work;
	const struct numa_config *config = work->config;
	size_t bytes = (size_t)config->mem;
	char *memory = process->memory;
	int64_t start = clock_ns();

	if (config->test->two_processes)
		zero(process->memory, bytes);
	if (config->test->own_part) {
		bytes /= (size_t)work->threads;
		memory += bytes * (size_t)thread->nr;
	}
	for (int64_t i = 0; i < config->loops; i++)
		zero(memory, bytes);
	work->thread_ns[process->nr * work->threads + thread->nr] = clock_ns() - start;
	return NULL;
}

/* Binds to where part `part` of `parts` belongs, if the test binds at all. */
static int bind_to(const struct numa_work *work, int part, int parts, struct err *err)
{
	enum numa_bind bind = work->config->test->bind;
	int nodes = work->nodes.nr;
	struct numa_span cpus = numa_span_of(part, parts, nodes);
	struct numa_span memory = numa_span_of(numa_memory_part(bind, part, parts), parts, nodes);

	if (bind == NUMA_FREE)
		return 0;
	return numa_bind_thread(&work->nodes, cpus, memory, err);
}

/*
 * numa02: the first thread zeroes all memory, a share a node. Unless it is bound, the kernel finds all of it
 * where that thread ran, and has to spread it.
 */
static int spread_memory(const struct numa_process *process, struct err *err)
{
	const struct numa_work *work = process->work;
	int shares = work->nodes.nr;
	size_t bytes = (size_t)work->config->mem / (size_t)shares;

	for (int i = 0; i < shares; i++) {
		if (bind_to(work, i, shares, err))
			return -1;
		zero(process->memory + bytes * (size_t)i, bytes);
	}
	return 0;
}

static int run_threads(const struct numa_process *process, struct err *err)
{
	const struct numa_work *work = process->work;
	bool bind_each = !work->config->test->two_processes;
	struct numa_thread *args = xcalloc((size_t)work->threads, sizeof(*args));
	pthread_t *threads = xcalloc((size_t)work->threads, sizeof(*threads));
	int started = 0, status = 0;

	while (status == 0 && started < work->threads) {
		if (bind_each)
			status = bind_to(work, started, work->threads, err);
		if (status)
			break;
		args[started] = (struct numa_thread){process, started};
		errno = pthread_create(&threads[started], NULL, run_thread, &args[started]);
		if (errno)
			status = err_set_errno(err, errno, "cannot start thread %d", started + 1);
		else
			started++;
	}
	for (int i = 0; status == 0 && i < started; i++)
		pthread_join(threads[i], NULL);
	if (status == 0) { /* else threads still use them */
		free(args);
		free(threads);
	}
	return status;
}

static int run_process(struct crew_board *board, void *arg)
{
	struct numa_process *process = arg;
	const struct numa_work *work = process->work;
	struct err err;
	int status = 0;

	process->memory = mmap(NULL, (size_t)work->config->mem, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (process->memory == MAP_FAILED)
		status = err_set_errno(&err, errno, "cannot map %lld MiB",
				       (long long)(work->config->mem >> 20));
	else if (work->config->test->two_processes)
		status = bind_to(work, process->nr, work->processes, &err);
	else
		status = spread_memory(process, &err);
	if (status == 0)
		status = run_threads(process, &err);
	if (status)
		crew_fail(board, "%s", err.msg);
	return status ? 1 : 0;
}

static void report_time(const struct numa_work *work, const char *what, int64_t ns,
			struct child_io *io)
{
	char metric[128];

	snprintf(metric, sizeof(metric), "autonuma-benchmark.%s.%s", work->config->test->base.name,
		 what);
	child_value(io, metric, number_float((double)ns / NS_PER_S));
}

static void report(const struct numa_work *work, int64_t ns, struct child_io *io)
{
	int64_t min = INT64_MAX, max = 0;

	for (int i = 0; i < work->processes * work->threads; i++) {
		if (work->thread_ns[i] < min)
			min = work->thread_ns[i];
		if (work->thread_ns[i] > max)
			max = work->thread_ns[i];
	}
	report_time(work, "seconds", ns, io);
	report_time(work, "thread_min_seconds", min, io);
	report_time(work, "thread_max_seconds", max, io);
	if (work->nodes.left_out)
		child_warn(io, "%d NUMA node(s) without CPUs or memory were left out",
			   work->nodes.left_out);
	if (work->nodes.nr < 2)
		child_warn(io, "only one NUMA node: the time says nothing about balancing");
}

static int run_processes(struct numa_work *work, struct child_io *io, struct err *err)
{
	struct numa_process processes[2] = {{work, 0, NULL}, {work, 1, NULL}};
	struct crew crew;
	int64_t start, end;
	int status = crew_init(&crew, err);

	if (status)
		return status;
	child_begin(io);
	start = clock_ns();
	for (int i = 0; status == 0 && i < work->processes; i++)
		status = crew_add(&crew, run_process, &processes[i], err);
	if (status == 0)
		status = crew_wait_end(&crew, err);
	end = clock_ns();
	child_end(io);
	if (status == 0)
		report(work, end - start, io);
	crew_release(&crew);
	return status;
}

int numa_run(const struct numa_config *config, struct child_io *io)
{
	struct numa_work work = {.config = config, .processes = numa_processes(config->test)};
	struct err err;
	size_t bytes = 0;
	int status = numa_nodes_read(&work.nodes, &err);

	if (status == 0) {
		work.threads = numa_threads(config->test, work.nodes.cpus);
		bytes = (size_t)(work.processes * work.threads) * sizeof(*work.thread_ns);
		work.thread_ns = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (work.thread_ns == MAP_FAILED)
			status = err_set_errno(&err, errno, "shared memory");
		else
			status = run_processes(&work, io, &err);
	}
	if (status)
		child_fail(io, "%s", err.msg);
	if (bytes && work.thread_ns != MAP_FAILED)
		munmap(work.thread_ns, bytes);
	numa_nodes_release(&work.nodes);
	return status ? 1 : 0;
}
