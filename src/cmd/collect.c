// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/collect.h"

#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"
#include "lab/campaign.h"
#include "measure/machine.h"
#include "model/plan.h"
#include "store/store.h"
#include "workload/command.h"
#include "workload/workload.h"

#include <signal.h>
#include <sys/personality.h>
#include <sys/utsname.h>
#include <unistd.h>

static const char *const orders[] = {"interleave", "sequential", "random", NULL};
static const char *const scopes[] = {"auto", "system", "task", "fake", "off", NULL};
static const char *const accels[] = {"auto", "kvm", "tcg", NULL};
static const char *const workloads[] = {"real", "fake", NULL};

/* command.NAME must not be a metric that is there anyway, nor another pick. */
static int check_pick_name(const struct collect_args *args, struct err *err)
{
	const char *name = args->picks[args->picks_nr - 1].name;

	if (streq(name, "seconds") || starts_with(name, "time."))
		return err_set(err,
			       "--pick %s=: command.%s is measured anyway: choose another name",
			       name, name);
	for (int i = 0; i < args->picks_nr - 1; i++)
		if (streq(name, args->picks[i].name))
			return err_set(err, "--pick %s=: there are two of that name", name);
	return 0;
}

static int add_pick(void *data, const char *text, struct err *err)
{
	struct collect_args *args = data;

	if (args->picks_nr == PICKS_MAX)
		return err_set(err, "--pick %s: more than %d picks", text, PICKS_MAX);
	if (pick_parse(&args->picks[args->picks_nr], text, err))
		return -1;
	args->pick_texts[args->picks_nr++] = text;
	return check_pick_name(args, err);
}

static int set_unit(void *data, const char *text, struct err *err)
{
	struct collect_args *args = data;

	if (!args->picks_nr)
		return err_set(err, "--unit %s: give it after the --pick it belongs to", text);
	pick_set_unit(&args->picks[args->picks_nr - 1], text);
	return 0;
}

static int set_better(void *data, const char *text, struct err *err)
{
	struct collect_args *args = data;

	if (!args->picks_nr)
		return err_set(err, "--better %s: give it after the --pick it belongs to", text);
	return pick_set_better(&args->picks[args->picks_nr - 1], text, err);
}

#define ARG(member) offsetof(struct collect_args, member)
static const struct opt opts[] = {
	OPT_ROW_TEXT("commit", commit, "LABEL",
		     "what is measured: a git hash, tag or any label\n"
		     "(default: the running kernel's release)"),
	OPT_ROW_TEXT("subject", subject, "TEXT", "first line of the commit's message"),
	OPT_ROW_WHOLE("iterations", iterations, "N", 1, 100000, "runs of each test (default: 5)"),
	OPT_ROW_TEXT("runtime", runtime, "SECONDS", "measured part of a run (default: 10)"),
	OPT_ROW_TEXT("warmup", warmup, "SECONDS", "before the measured part (default: 5)"),
	OPT_ROW_LIST("nr-task", nr_task, "N|N%",
		     "tasks, or per cent of the online CPUs (repeatable;\ndefault: 100%)"),
	OPT_ROW_LIST("mode", mode, "process|thread",
		     "what the tasks are (repeatable; default: process)"),
	OPT_ROW_TEXT("affinity", affinity, "core|pu|none",
		     "pin tasks to cores, to hardware threads, or not\n(default: core)"),
	OPT_ROW_LIST("param", param, "K=V", "a parameter of the tests: mem=256M (repeatable)"),
	OPT_ROW_TEXT("events", events, "LIST",
		     "counters, as perf's -e (default: the robot's list)"),
	OPT_ROW_CHOICE("counters", counters, scopes,
		       "count system wide, the test alone, what is permitted\n"
		       "(auto, the default), invented numbers, or nothing"),
	OPT_ROW_TEXT("machine", machine, "NAME", "name of this machine (default: its host name)"),
	OPT_ROW_CHOICE("order", order, orders, "of runs: A B A B (default), A A B B, or shuffled"),
	OPT_ROW_WHOLE("seed", seed, "N", 1, 1000000000, "of --order random (default: 1)"),
	OPT_ROW_NUMBER("run-timeout", run_timeout, "SECONDS", 0.1, 1e7,
		       "end a run after that time (default: ten times what a\n"
		       "built-in test should take and a minute; commands: none)"),
	OPT_ROW_TEXT("name", name, "NAME", "of a command as a test (default: made from it)"),
	OPT_ROW_CALL("pick", add_pick, "NAME=REGEX",
		     "a number in a command's output: the first group of\n"
		     "the last match becomes command.NAME (repeatable)"),
	OPT_ROW_CALL("unit", set_unit, "UNIT", "of the --pick before it"),
	OPT_ROW_CALL("better", set_better, "higher|lower",
		     "good direction of the --pick before it"),
	OPT_ROW_CHOICE("workload", workload, workloads,
		       "fake: invented results in no time, to try things out"),
	OPT_ROW_LIST("kernel", kernels, "IMAGE[,commit=LABEL][,modules=DIR]",
		     "boot this kernel (bzImage) in a virtual machine and test\n"
		     "there; repeatable, the first is the baseline. DIR has its\n"
		     "modules, as lib/modules or modules_install leave them"),
	OPT_ROW_WHOLE("boots", boots, "N", 1, 1000, "of each kernel; they alternate (default: 1)"),
	OPT_ROW_CHOICE("accel", accel, accels,
		       "of the machine: KVM where it works (auto), or emulation"),
	OPT_ROW_WHOLE("vm-cpus", cpus, "N", 1, 256, "its CPUs (default: 2, deterministic: 1)"),
	OPT_ROW_TEXT("vm-mem", memory, "SIZE", "its memory: 2G (default: 1G)"),
	OPT_ROW_WHOLE("vm-nodes", nodes, "N", 1, 64, "its NUMA nodes (default: 1)"),
	OPT_ROW_TEXT("append", append, "WORDS", "more words for the kernel's command line"),
	OPT_ROW_TEXT("qemu", qemu, "PATH", "QEMU (default: qemu-system-x86_64)"),
	OPT_ROW_LIST("vm-file", files, "HOST[:GUEST]",
		     "a file the guest shall have; a program brings its\nlibraries (repeatable)"),
	OPT_ROW_FLAG("deterministic", deterministic,
		     "a machine without noise: emulated, one CPU, its time is\n"
		     "instructions; counts operations (--param ops=N), not\n"
		     "seconds; one run of a kernel is enough (the default then)"),
	OPT_ROW_LIST("vm-module", modules, "NAME",
		     "a module to load, from modules=DIR of each kernel that\n"
		     "does not have it built in (repeatable)"),
	OPT_ROW_FLAG(
		"resume", resume,
		"go on with an interrupted campaign of the same command\nline: only the runs that are missing"),
	OPT_ROW_FLAG("list-tests", list_tests, "print the built-in tests, each with what it does"),
	OPT_ROW_FLAG("dry-run", dry_run, "print the plan and the time it will take"),
	OPT_ROW_DB(db),
};

static int run(char **argv);
const struct command cmd_collect = {
	.name = "collect",
	.synopsis = "collect [options] TEST...\n"
		    "perfcmp collect [options] -- COMMAND ARG...",
	.summary = "Runs tests, or any command, on kernels that it boots, or on the running one.",
	.help = "TEST is a test (will-it-scale/getppid1), a pattern ('will-it-scale/page_fault*') or a\n"
		"suite (will-it-scale, autonuma-benchmark); --list-tests names them all. Each run is\n"
		"stored the moment it ends. Ctrl-C ends the run under way and keeps the finished ones;\n"
		"with --kernel, --resume goes on from there. Without --kernel the running kernel is tested.\n"
		"Exit status: 0, 1 if a run failed (it is stored, with the reason, and left out of\n"
		"averages), 2 usage, 130 interrupted.",
	.example =
		"perfcmp collect --kernel base/bzImage,commit=base --kernel new/bzImage,commit=new --boots 3 will-it-scale/getppid1\n"
		"perfcmp collect --commit v6.12 --nr-task 1 --nr-task 100% will-it-scale/getppid1\n"
		"perfcmp collect --commit v6.12 autonuma-benchmark/numa01\n"
		"perfcmp collect --commit v6.12 --pick 'told=([0-9.]+) s,' --unit s --better lower -- dd if=/dev/zero of=/dev/null bs=1M count=10000",
	.opts = opts,
	.opts_nr = ARRAY_SIZE(opts),
	.takes_command = true,
	.run = run,
};

/*
 * 1: asked to stop; 2: asked again, the run is killed without asking. Two signals within half a second are one
 * request: timeout(1) sends one to us and one to our group, a terminal may too.
 */
static volatile sig_atomic_t stop;
static int64_t stop_ns; /* of the first request; written by the handler alone */

static void on_signal(int signal)
{
	int64_t now = clock_ns();

	(void)signal;
	if (!stop) {
		stop_ns = now;
		stop = 1;
	} else if (now - stop_ns > NS_PER_S / 2) {
		stop = 2;
	}
}

void collect_catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal};

	signal(SIGPIPE, SIG_IGN); /* progress that nobody reads is no reason to end a campaign */

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		struct sigaction before;

		/* nohup(1): what was ignored when we were started stays so. */
		if (signals[i] == SIGHUP && sigaction(SIGHUP, NULL, &before) == 0 &&
		    before.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &action, NULL);
	}
}

static int print_tests(void)
{
	int nr;
	const struct workload *const *all = workload_all(&nr);

	for (int i = 0; i < nr; i++) {
		if (!all[i]->tests_nr)
			continue;
		printf("%s: %s\n", all[i]->testcase, all[i]->help);
		for (int k = 0; k < all[i]->tests_nr; k++)
			printf("  %s/%-24s %s\n", all[i]->testcase, all[i]->tests[k]->name,
			       all[i]->tests[k]->help);
	}
	return EXIT_DONE;
}

int collect_summary(const struct campaign_result *result, const char *what)
{
	cmd_note("%d run%s of %s stored, %d failed%s", result->stored,
		 result->stored == 1 ? "" : "s", what, result->failed,
		 result->stopped ? "; interrupted: the run under way was not stored" : "");
	if (result->stopped)
		return EXIT_INTERRUPTED;
	return result->failed ? EXIT_FAILED : EXIT_DONE;
}

static int run_campaign(const struct campaign_config *config, const struct plan *plan,
			const char *db)
{
	struct progress progress;
	struct campaign_observer observer = progress_observer(&progress, plan, NULL);
	struct campaign campaign = {config, &observer, cmd_open_store(db, true)};
	struct campaign_result result;
	struct err err;
	int status = EXIT_FAILED;

	if (!campaign.store)
		return EXIT_FAILED;
	collect_catch_signals();
	collect_note_order(config);
	if (campaign_run(&campaign, plan, &result, &err)) {
		progress_release(&progress);
		cmd_failed(&err);
		collect_summary(&result, config->commit.name);
	} else {
		progress_release(&progress);
		status = collect_summary(&result, config->commit.name);
	}
	store_close(campaign.store);
	return status;
}

static int plan_and_run(const struct campaign_config *config, const struct collect_args *args)
{
	struct plan plan = {0};
	struct err err;
	int status;

	if (campaign_plan(config, &plan, &err))
		status = cmd_usage(&err);
	else if (args->dry_run)
		status = collect_print_plan(&plan, config, NULL);
	else
		status = run_campaign(config, &plan, args->db);
	plan_release(&plan);
	return status;
}

static struct campaign_config make_config(const struct collect_args *args,
					  const struct opts_rest *rest)
{
	return (struct campaign_config){
		.argv = rest->command,
		.command_name = args->name,
		.nr_task = &args->nr_task,
		.modes = &args->mode,
		.params = &args->param,
		.runtime = args->runtime,
		.warmup = args->warmup,
		.affinity = args->affinity,
		.cpus = args->kernels.nr ? args->cpus : machine_online_cpus(),
		.deterministic = args->deterministic,
		.iterations = args->iterations,
		.order = (enum plan_order)args->order,
		.seed = (uint64_t)args->seed,
		.commit = {.name = args->commit, .subject = args->subject},
		.machine = args->machine,
		.run =
			{
				.counters = (enum counters_scope)args->counters,
				.timeout_s = args->run_timeout,
				.fake_workload = args->workload == 1,
				.picks = args->picks,
				.picks_nr = args->picks_nr,
				.stop = &stop,
			},
	};
}

/*
 * Tests that depend on where memory is mapped vary with ASLR: like the public suite's runner, start again
 * without it. Where that is forbidden the tests run with it, and the run's facts say so. A command of the
 * user's is left as it is. whole_argv is the command line as it came, the program first.
 */
static void drop_aslr(char **whole_argv)
{
	int persona = personality(0xffffffff);

	if (persona == -1 || persona & ADDR_NO_RANDOMIZE)
		return;
	if (personality((unsigned long)persona | ADDR_NO_RANDOMIZE) == -1)
		return;
	execv("/proc/self/exe", whole_argv);
	personality((unsigned long)persona);
}

static int run_collect(const struct collect_args *args, const struct opts_rest *rest)
{
	struct campaign_config config = make_config(args, rest);
	struct strlist tests = {0}, events = {0};
	struct utsname uts;
	struct err err;
	int status;

	if (args->list_tests)
		return print_tests();
	if (collect_check(args, rest, &err))
		return cmd_usage(&err);
	if (!config.commit.name && uname(&uts) == 0)
		config.commit.name = uts.release;
	for (int i = 0; i < rest->args_nr; i++)
		strlist_add(&tests, rest->args[i]);
	config.tests = &tests;
	if (args->events) {
		counters_split_events(args->events, &events);
		config.run.events = &events;
	}
	if (args->events && !events.nr)
		err_set(&err, "--events %s: there is no event in it", args->events);
	if (args->events && (!events.nr || counters_check_events(&events, &err)))
		status = cmd_usage(&err);
	else if (args->kernels.nr)
		status = collect_boots(&config, args);
	else
		status = plan_and_run(&config, args);
	strlist_release(&events);
	strlist_release(&tests);
	return status;
}

/* What is 0 or NULL was not given. */
static void set_defaults(struct collect_args *args)
{
	if (!args->iterations)
		args->iterations = args->deterministic ? 1 : 5;
	if (!args->kernels.nr) /* there is no machine, and what is said of one is refused */
		return;
	if (!args->boots)
		args->boots = 1;
	if (!args->cpus)
		args->cpus = args->deterministic ? 1 : 2;
	if (!args->nodes)
		args->nodes = 1;
	if (!args->memory)
		args->memory = "1G";
}

static int run(char **argv)
{
	struct collect_args args = {.seed = 1};
	char **whole_argv;
	struct opts_rest rest;
	int argc = 0, status;

	while (argv[argc])
		argc++;
	whole_argv = xcalloc((size_t)argc + 2, sizeof(*whole_argv));
	memcpy(whole_argv, argv - 1, ((size_t)argc + 1) * sizeof(*argv)); /* parsing reorders */
	if (cmd_parse(&cmd_collect, argv, &args, &rest, &status)) {
		set_defaults(&args);
		if (!rest.command && !args.dry_run && !args.list_tests && !args.kernels.nr)
			drop_aslr(whole_argv);
		status = cmd_finish(run_collect(&args, &rest));
	}
	free(whole_argv);
	for (int i = 0; i < args.picks_nr; i++)
		pick_release(&args.picks[i]);
	opts_release(&cmd_collect, &args);
	return status;
}
