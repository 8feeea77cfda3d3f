// SPDX-License-Identifier: GPL-2.0-only
#include "workload/will_it_scale/driver.h"

#include "workload/will_it_scale/drive.h"
#include "workload/will_it_scale/idle.h"
#include "workload/will_it_scale/scratch.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Tasks hold files open: as many as the machine lets us. */
static void allow_many_files(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static struct laps *make_laps(const struct drive *drive, struct laps *laps)
{
	*laps = drive->laps;
	laps->board = drive->crew.board;
	return laps->nr ? laps : NULL;
}

static void fill_tasks(struct drive *drive)
{
	const struct wis_config *config = drive->config;

	for (int i = 0; i < config->nr_task; i++)
		drive->tasks[i] = (struct task){
			.test = config->test,
			.ops = {.count = &drive->counts[i].ops,
				.limit = drive->limit,
				.laps = make_laps(drive, &drive->counts[i].laps)},
			.nr = i,
			.nr_tasks = config->nr_task,
			.thread = config->thread,
			.folder = drive->scratch.folder,
			.board = drive->crew.board,
		};
}

static int make_room(struct drive *drive, struct err *err)
{
	const struct wis_config *config = drive->config;
	size_t nr = (size_t)config->nr_task;

	allow_many_files();
	if (crew_init(&drive->crew, err)) /* first: from here on SIGTERM leaves nothing behind */
		return -1;
	if (scratch_create(&drive->scratch, err))
		return -1;
	if (config->test->prepare &&
	    config->test->prepare(drive->scratch.folder, config->nr_task, err))
		return -1;
	if (placement_init(&drive->placement, config->affinity, err))
		return -1;
	drive->counts = mmap(NULL, nr * sizeof(*drive->counts), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (drive->counts == MAP_FAILED) {
		drive->counts = NULL;
		return err_set_errno(err, errno, "shared memory");
	}
	drive->tasks = xcalloc(nr, sizeof(*drive->tasks));
	fill_tasks(drive);
	return 0;
}

void drive_tear_down(struct drive *drive)
{
	crew_kill(&drive->crew);
	scratch_remove(&drive->scratch);
	placement_release(&drive->placement);
	if (drive->counts)
		munmap(drive->counts, (size_t)drive->config->nr_task * sizeof(*drive->counts));
	free(drive->tasks);
	crew_release(&drive->crew);
}

static int run_process(struct crew_board *board, void *arg)
{
	const struct task *task = arg;

	(void)board;
	return task->test->run(task) ? 1 : 0;
}

static void *run_thread(void *arg)
{
	const struct task *task = arg;

	if (task->test->run(task))
		_exit(1); /* of all threads */
	return NULL;
}

static int start_processes(struct drive *drive, struct err *err)
{
	int status = 0;

	for (int i = 0; status == 0 && i < drive->config->nr_task; i++) {
		status = placement_move_to(&drive->placement, i, err);
		if (status == 0)
			status = crew_add(&drive->crew, run_process, &drive->tasks[i], err);
	}
	placement_move_back(&drive->placement);
	return status;
}

/* The process whose threads the tasks are; the driver itself stays out of their address space. */
static int run_threads(struct crew_board *board, void *arg)
{
	struct drive *drive = arg;
	int nr = drive->config->nr_task;
	pthread_t *threads = xcalloc((size_t)nr, sizeof(*threads));
	struct err err;

	for (int i = 0; i < nr; i++) {
		if (placement_move_to(&drive->placement, i, &err))
			return crew_fail(board, "%s", err.msg) ? 1 : 0;
		errno = pthread_create(&threads[i], NULL, run_thread, &drive->tasks[i]);
		if (errno) {
			err_set_errno(&err, errno,
				      "cannot start thread %d: lower nr_task or raise `ulimit -u`",
				      i + 1);
			return crew_fail(board, "%s", err.msg) ? 1 : 0;
		}
	}
	placement_move_back(&drive->placement);
	for (int i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}

static int start_tasks(struct drive *drive, struct err *err)
{
	int status;

	if (drive->config->thread)
		status = crew_add(&drive->crew, run_threads, drive, err);
	else
		status = start_processes(drive, err);
	if (status || crew_wait_ready(&drive->crew, drive->config->nr_task, err))
		return -1;
	return 0;
}

int drive_set_up(struct drive *drive, struct err *err)
{
	return make_room(drive, err) || start_tasks(drive, err) ? -1 : 0;
}

static void read_counts(const struct drive *drive, uint64_t *ops)
{
	for (int i = 0; i < drive->config->nr_task; i++)
		ops[i] = __atomic_load_n(&drive->counts[i].ops, __ATOMIC_RELAXED);
}

static double sum_since(const uint64_t *now, const uint64_t *before, int nr)
{
	double sum = 0;

	for (int i = 0; i < nr; i++)
		sum += (double)(now[i] - before[i]);
	return sum;
}

/* The counts at three times: the first sample, the last but one, the last. */
struct samples {
	uint64_t *first, *before, *now;
	int64_t first_ns, before_ns, now_ns;
};

static void sample(struct drive *drive, struct samples *samples)
{
	uint64_t *swap = samples->before;

	samples->before = samples->now;
	samples->before_ns = samples->now_ns;
	samples->now = swap;
	samples->now_ns = clock_ns();
	read_counts(drive, samples->now);
}

static void send_sample(const struct drive *drive, const struct samples *samples,
			struct child_io *io)
{
	double elapsed_s = (double)(samples->now_ns - samples->before_ns) / NS_PER_S;
	double ops = sum_since(samples->now, samples->before, drive->config->nr_task);
	char metric[64];

	wis_total_metric(drive->config, metric, sizeof(metric));
	child_sample(io, metric, (double)(samples->now_ns - samples->first_ns) / NS_PER_S,
		     ops / elapsed_s);
}

/* One sample a second, at times that do not drift, and one at the end. */
static int sample_all(struct drive *drive, struct samples *samples, struct child_io *io,
		      struct err *err)
{
	int64_t end, next;

	sample(drive, samples);
	memcpy(samples->first, samples->now,
	       (size_t)drive->config->nr_task * sizeof(*samples->now));
	samples->first_ns = next = samples->now_ns;
	end = samples->first_ns + (int64_t)(drive->config->runtime_s * NS_PER_S);
	while (next < end) {
		next = next + NS_PER_S < end ? next + NS_PER_S : end;
		if (crew_sleep_until(&drive->crew, next, err))
			return -1;
		sample(drive, samples);
		send_sample(drive, samples, io);
	}
	return 0;
}

static int measure(struct drive *drive, struct child_io *io, struct err *err)
{
	size_t nr = (size_t)drive->config->nr_task;
	uint64_t *memory = xcalloc(3 * nr, sizeof(*memory));
	struct samples samples = {memory, memory + nr, memory + 2 * nr, 0, 0, 0};
	struct wis_result result;
	struct cpu_times times;
	int status;

	child_begin(io);
	times = cpu_times_read();
	status = sample_all(drive, &samples, io, err);
	result.idle_percent = idle_percent(times, cpu_times_read());
	child_end(io);
	if (status == 0) {
		result.ops = samples.now;
		result.elapsed_s = (double)(samples.now_ns - samples.first_ns) / NS_PER_S;
		for (size_t i = 0; i < nr; i++)
			samples.now[i] -= samples.first[i];
		wis_report(drive->config, &result, io);
	}
	free(memory);
	return status;
}

static int warm_up(struct drive *drive, struct err *err)
{
	int64_t begin_ns;

	crew_start(&drive->crew);
	begin_ns = clock_ns();
	return crew_sleep_until(&drive->crew,
				begin_ns + (int64_t)(drive->config->warmup_s * NS_PER_S), err);
}

static int drive_timed(const struct wis_config *config, struct child_io *io, struct err *err)
{
	struct drive drive = {.config = config, .limit = UINT64_MAX};
	int status = drive_set_up(&drive, err);

	if (status == 0)
		status = warm_up(&drive, err);
	if (status == 0)
		status = measure(&drive, io, err);
	drive_tear_down(&drive);
	return status;
}

int wis_drive(const struct wis_config *config, struct child_io *io)
{
	struct err err;
	int status =
		config->ops ? wis_drive_counted(config, io, &err) : drive_timed(config, io, &err);

	if (status)
		child_fail(io, "%s", err.msg);
	return status ? 1 : 0;
}

int wis_drive_ops(const struct wis_config *config, uint64_t ops, uint64_t *counts, struct err *err)
{
	struct drive drive = {.config = config, .limit = ops};
	int status = drive_set_up(&drive, err);

	if (status == 0) {
		crew_start(&drive.crew);
		status = crew_wait_end(&drive.crew, err);
	}
	if (status == 0)
		read_counts(&drive, counts);
	drive_tear_down(&drive);
	return status;
}
