// SPDX-License-Identifier: GPL-2.0-only
#include "workload/autonuma.h"

#include "measure/machine.h"
#include "workload/autonuma_nodes.h"
#include "workload/memory.h"
#include "workload/param.h"

enum {
	MEM_MIN = 1 << 20,
	LOOPS_MAX = 1000 * 1000 * 1000,
};

#define NUMA01 .two_processes = true, .mem = "3G", .loops = "50"
#define NUMA01_THREAD_ALLOC .two_processes = true, .own_part = true, .mem = "3G", .loops = "1000"
#define NUMA02 .own_part = true, .mem = "1G", .loops = "800"
#define NUMA02_SMT NUMA02, .half = true

#define NUMA_TEST(name, help, ...) &((const struct numa_test){{name, help}, __VA_ARGS__}).base
#define NUMA_TESTS(name, help, shape)                                                              \
	NUMA_TEST(name, help, shape),                                                              \
		NUMA_TEST(name "_HARD_BIND", help "; threads and memory bound together", shape,    \
			  .bind = NUMA_HARD),                                                      \
		NUMA_TEST(name "_INVERSE_BIND", help "; threads and memory bound apart", shape,    \
			  .bind = NUMA_INVERSE)

static const struct workload_test *const tests[] = {
	NUMA_TESTS("numa01", "two processes, every thread zeroing all memory of its process",
		   NUMA01),
	NUMA_TESTS("numa01_THREAD_ALLOC", "two processes, every thread zeroing its own part",
		   NUMA01_THREAD_ALLOC),
	NUMA_TESTS("numa02", "one process, a thread a CPU, each zeroing its own part", NUMA02),
	NUMA_TESTS("numa02_SMT", "one process, a thread for two CPUs, each zeroing its own part",
		   NUMA02_SMT),
};

static const char *const params[] = {"mem", "loops", "one_node", NULL};
static const char *const metrics[] = {"%s.seconds", NULL};
static const char *const one_node_choices[] = {"refuse", "allow", NULL};

int numa_processes(const struct numa_test *test)
{
	return test->two_processes ? 2 : 1;
}

int numa_threads(const struct numa_test *test, int cpus)
{
	int threads = test->two_processes || test->half ? cpus / 2 : cpus;

	return threads ? threads : 1;
}

int numa_config_parse(struct numa_config *config, const struct job *job, struct err *err)
{
	const struct workload_test *test = workload_find_test(&autonuma_workload, job->test);
	int one_node = 0;

	*config = (struct numa_config){.test = (const struct numa_test *)test};
	if (!test) {
		err_set(err, "no such test");
		return -1;
	}
	if (param_bytes(job, "mem", MEM_MIN, &config->mem, err) ||
	    param_whole(job, "loops", (struct param_range){1, LOOPS_MAX}, &config->loops, err))
		return -1;
	if (params_get(&job->params, "one_node") &&
	    param_choice(job, "one_node", one_node_choices, &one_node, err))
		return -1;
	config->one_node = one_node == 1;
	return 0;
}

static bool needs_nodes(const struct job *job)
{
	struct numa_config config;
	struct err ignored;

	return numa_config_parse(&config, job, &ignored) == 0 && !config.one_node;
}

static int complete(struct job *job, struct pool *pool, int cpus, struct err *err)
{
	const struct workload_test *test = workload_find_test(&autonuma_workload, job->test);
	struct numa_config config;

	(void)cpus;
	if (!test)
		return err_set(err, "no such test");
	if (param_check_names(job, params, err))
		return -1;
	param_default(job, pool, "mem", ((const struct numa_test *)test)->mem);
	param_default(job, pool, "loops", ((const struct numa_test *)test)->loops);
	return numa_config_parse(&config, job, err);
}

static int check(const struct job *job, struct err *err)
{
	struct numa_config config;
	struct numa_nodes nodes;
	int status;

	if (numa_config_parse(&config, job, err))
		return -1;
	status = numa_nodes_read(&nodes, err);
	if (status == 0)
		status = numa_check(&config, &nodes, memory_available(), err);
	numa_nodes_release(&nodes);
	return status;
}

static int run(const struct job *job, struct child_io *io)
{
	struct numa_config config;
	struct err err;

	if (numa_config_parse(&config, job, &err) == 0)
		return numa_run(&config, io);
	child_fail(io, "%s", err.msg);
	return 1;
}

/* A core zeroes some GB a second, a machine some tens: good enough for a time limit and a progress line. */
static double expected_s(const struct job *job)
{
	int cpus = machine_online_cpus();
	struct numa_config config;
	double bytes, rate = (cpus < 20 ? cpus : 20) * 4e9;
	struct err err;

	if (numa_config_parse(&config, job, &err))
		return 0;
	bytes = (double)config.mem * (double)config.loops * numa_processes(config.test);
	if (!config.test->own_part)
		bytes *= numa_threads(config.test, cpus);
	return bytes / rate;
}

static void report_fake(const struct job *job, double value, struct child_io *io)
{
	char metric[128];

	snprintf(metric, sizeof(metric), "autonuma-benchmark.%s.seconds", job->test);
	child_value(io, metric, number_float(value));
}

const struct workload autonuma_workload = {
	.testcase = "autonuma-benchmark",
	.help = "threads zeroing memory on several NUMA nodes; seconds until it is done",
	.tests = tests,
	.tests_nr = (int)ARRAY_SIZE(tests),
	.params = params,
	.metrics = metrics,
	.complete = complete,
	.check = check,
	.needs_nodes = needs_nodes,
	.run = run,
	.expected_s = expected_s,
	.report_fake = report_fake,
};
