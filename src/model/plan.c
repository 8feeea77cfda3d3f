// SPDX-License-Identifier: GPL-2.0-only
#include "model/plan.h"

void plan_release(struct plan *plan)
{
	for (int i = 0; i < plan->jobs_nr; i++)
		params_release(&plan->jobs[i].params);
	free(plan->jobs);
	free(plan->runs);
	free(plan->boots);
	pool_release(&plan->pool);
	*plan = (struct plan){0};
}

/* How many, PLAN_RUNS_MAX + 1 if they are more than that. Each factor is an int: nothing overflows. */
static int64_t times(int64_t nr, int factor)
{
	nr *= factor;
	return nr > PLAN_RUNS_MAX ? PLAN_RUNS_MAX + 1 : nr;
}

static int64_t combinations(const struct plan_test *test)
{
	int64_t nr = 1;

	for (int i = 0; i < test->axes_nr; i++)
		if (test->axes[i].values->nr)
			nr = times(nr, test->axes[i].values->nr);
	return nr;
}

/* The number-th of a test's combinations. */
static void add_job(struct plan *plan, const struct plan_test *test, int number)
{
	struct job *job;

	GROW(plan->jobs, plan->jobs_nr, plan->jobs_alloc);
	job = &plan->jobs[plan->jobs_nr++];
	*job = (struct job){.testcase = pool_strdup(&plan->pool, test->testcase),
			    .test = pool_strdup(&plan->pool, test->test)};
	for (int i = test->axes_nr - 1; i >= 0; i--) {
		const struct strlist *values = test->axes[i].values;

		if (!values->nr)
			continue;
		params_set(&job->params, &plan->pool, test->axes[i].key,
			   values->v[number % values->nr]);
		number /= values->nr;
	}
}

int plan_add_jobs(struct plan *plan, const struct plan_test *test, struct err *err)
{
	int64_t nr = combinations(test);

	if (plan->jobs_nr + nr > PLAN_RUNS_MAX)
		return err_set(err,
			       "%s/%s: more than %d combinations of parameters: give fewer values",
			       test->testcase, test->test, PLAN_RUNS_MAX);
	for (int i = 0; i < nr; i++)
		add_job(plan, test, i);
	return 0;
}

/* xorshift64*, Vigna 2016: the order must not depend on the C library. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1d;
}

/* Fisher and Yates */
static void shuffle(struct plan_run *runs, int nr, uint64_t seed)
{
	uint64_t state = seed ? seed : 1;

	for (int i = nr - 1; i > 0; i--) {
		int j = (int)((next_random(&state) >> 11) % (uint64_t)(i + 1));
		struct plan_run swap = runs[i];

		runs[i] = runs[j];
		runs[j] = swap;
	}
}

/* A shuffled job still counts its iterations upwards. */
static void renumber(struct plan *plan)
{
	int *seen = xcalloc((size_t)plan->jobs_nr, sizeof(*seen));

	for (int i = 0; i < plan->runs_nr; i++)
		plan->runs[i].iteration = ++seen[plan->runs[i].job];
	free(seen);
}

static int refuse_runs(struct err *err)
{
	return err_set(err, "more than %d runs: fewer --iterations, --boots, tests or parameters",
		       PLAN_RUNS_MAX);
}

int plan_order_runs(struct plan *plan, int iterations, enum plan_order order, uint64_t seed,
		    struct err *err)
{
	int64_t nr = times(plan->jobs_nr, iterations);

	plan->runs_nr = 0;
	if (nr > PLAN_RUNS_MAX)
		return refuse_runs(err);
	for (int i = 0; i < nr; i++) {
		struct plan_run run = {.job = i % plan->jobs_nr,
				       .iteration = i / plan->jobs_nr + 1};

		if (order == PLAN_SEQUENTIAL)
			run = (struct plan_run){.job = i / iterations,
						.iteration = i % iterations + 1};
		GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
		plan->runs[plan->runs_nr++] = run;
	}
	if (order == PLAN_RANDOM) {
		shuffle(plan->runs, plan->runs_nr, seed);
		renumber(plan);
	}
	return 0;
}

static void shuffle_boots(struct plan *plan, int kernels, uint64_t seed)
{
	int *seen = xcalloc((size_t)kernels, sizeof(*seen));
	uint64_t state = seed ? seed : 1;

	for (int i = plan->boots_nr - 1; i > 0; i--) {
		int j = (int)((next_random(&state) >> 11) % (uint64_t)(i + 1));
		struct plan_boot swap = plan->boots[i];

		plan->boots[i] = plan->boots[j];
		plan->boots[j] = swap;
	}
	for (int i = 0; i < plan->boots_nr; i++)
		plan->boots[i].number = ++seen[plan->boots[i].kernel];
	free(seen);
}

/* The runs of one boot; iterations go on counting from boot to boot of a kernel. */
static void add_boot_runs(struct plan *plan, struct plan_boot *boot, int iterations)
{
	boot->first = plan->runs_nr;
	boot->nr = plan->jobs_nr * iterations;
	for (int i = 0; i < boot->nr; i++) {
		GROW(plan->runs, plan->runs_nr, plan->runs_alloc);
		plan->runs[plan->runs_nr++] = (struct plan_run){
			.job = i % plan->jobs_nr,
			.iteration = (boot->number - 1) * iterations + i / plan->jobs_nr + 1,
		};
	}
}

int plan_order_boots(struct plan *plan, const struct plan_boots *how, struct err *err)
{
	int64_t nr = times(how->kernels, how->boots);

	plan->boots_nr = plan->runs_nr = 0;
	if (nr > PLAN_RUNS_MAX || times(times(nr, how->iterations), plan->jobs_nr) > PLAN_RUNS_MAX)
		return refuse_runs(err);
	for (int i = 0; i < nr; i++) {
		struct plan_boot boot = {.kernel = i % how->kernels,
					 .number = i / how->kernels + 1};

		if (how->order == PLAN_SEQUENTIAL)
			boot = (struct plan_boot){.kernel = i / how->boots,
						  .number = i % how->boots + 1};
		GROW(plan->boots, plan->boots_nr, plan->boots_alloc);
		plan->boots[plan->boots_nr++] = boot;
	}
	if (how->order == PLAN_RANDOM)
		shuffle_boots(plan, how->kernels, how->seed);
	for (int i = 0; i < plan->boots_nr; i++)
		add_boot_runs(plan, &plan->boots[i], how->iterations);
	return 0;
}

const struct plan_boot *plan_boot_of(const struct plan *plan, int place)
{
	for (int i = 0; i < plan->boots_nr; i++)
		if (place >= plan->boots[i].first &&
		    place < plan->boots[i].first + plan->boots[i].nr)
			return &plan->boots[i];
	return NULL;
}

int plan_nr_task(const char *text, int cpus, char out[16], struct err *err)
{
	size_t len = strlen(text);
	bool percent = len && text[len - 1] == '%';
	char number[32];
	double value;

	snprintf(number, sizeof(number), "%.*s", (int)(percent ? len - 1 : len), text);
	if (len >= sizeof(number) || !parse_double(number, &value) || value <= 0)
		return err_set(
			err,
			"nr_task=%s: give a number of tasks (16) or a percentage of the CPUs (50%%)",
			text);
	if (percent) {
		value = value * cpus / 100;
		value = value < 1 ? 1 : value;
	} else if (strspn(number, "0123456789") != strlen(number)) {
		return err_set(err,
			       "nr_task=%s: a number of tasks is whole; a percentage ends in %%",
			       text);
	}
	if (value > PLAN_NR_TASK_MAX)
		return err_set(err, "nr_task=%s: more than %d tasks", text, PLAN_NR_TASK_MAX);
	snprintf(out, 16, "%d", (int)value);
	return 0;
}
