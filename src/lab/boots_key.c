// SPDX-License-Identifier: GPL-2.0-only
#include "lab/boots_key.h"

#include "base/strbuf.h"
#include "lab/boots.h"

#include <sys/stat.h>
#include <unistd.h>

static void add_list(struct strbuf *key, const char *name, const struct strlist *list)
{
	for (int i = 0; list && i < list->nr; i++)
		strbuf_addf(key, "%s %s\n", name, list->v[i]);
}

static void add_stamp(struct strbuf *key, const char *what, const char *file)
{
	char *path = realpath(file, NULL);
	struct stat st = {0};

	if (path && stat(path, &st))
		st = (struct stat){0};
	strbuf_addf(key, "%s %s %lld %lld.%09ld\n", what, path ? path : file, (long long)st.st_size,
		    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	free(path);
}

static void add_kernel(struct strbuf *key, const struct boots_kernel *kernel)
{
	add_stamp(key, "kernel", kernel->image);
	strbuf_addf(key, "commit %s\n", kernel->commit.name);
	if (kernel->modules)
		strbuf_addf(key, "modules %s\n", kernel->modules);
}

/* "HOST" or "HOST:GUEST" */
static void add_files(struct strbuf *key, const struct strlist *files)
{
	add_list(key, "file", files);
	for (int i = 0; files && i < files->nr; i++) {
		const char *colon = strrchr(files->v[i], ':');
		char *host = colon ? xstrndup(files->v[i], (size_t)(colon - files->v[i])) : NULL;

		add_stamp(key, "host", host && access(files->v[i], F_OK) ? host : files->v[i]);
		free(host);
	}
}

static void add_jobs(struct strbuf *key, const struct plan *plan)
{
	for (int i = 0; i < plan->jobs_nr; i++) {
		const struct job *job = &plan->jobs[i];

		strbuf_addf(key, "job %s/%s", job->testcase, job->test);
		for (int k = 0; k < job->params.nr; k++)
			strbuf_addf(key, " %s=%s", job->params.v[k].key, job->params.v[k].value);
		strbuf_addch(key, '\n');
		for (char *const *word = job->argv; word && *word; word++)
			strbuf_addf(key, "word %s\n", *word);
		if (job->argv && job->argv[0] && strchr(job->argv[0], '/'))
			add_stamp(key, "program", job->argv[0]);
	}
}

static void add_run_options(struct strbuf *key, const struct campaign_config *campaign)
{
	const struct one_run_config *run = &campaign->run;

	strbuf_addf(key, "counters %d timeout %g fake %d order %d seed %llu\n", (int)run->counters,
		    run->timeout_s, run->fake_workload, (int)campaign->order,
		    (unsigned long long)campaign->seed);
	add_list(key, "event", run->events);
}

static void add_machine(struct strbuf *key, const struct boots_config *config)
{
	const struct vm_config *vm = &config->vm;

	strbuf_addf(key,
		    "machine %d cpus %d nodes %lld bytes accel %d deterministic %d append %s\n",
		    vm->cpus, vm->nodes, (long long)vm->memory_bytes, (int)vm->accel,
		    vm->deterministic, vm->append ? vm->append : "");
	if (config->campaign->machine)
		strbuf_addf(key, "called %s\n", config->campaign->machine);
}

char *boots_key(const struct boots *boots)
{
	const struct boots_config *config = boots->config;
	struct strbuf key = STRBUF_INIT;

	for (int i = 0; i < config->kernels_nr; i++)
		add_kernel(&key, &config->kernels[i]);
	add_jobs(&key, boots->plan);
	strbuf_addf(&key, "boots %d iterations %d\n", config->boots, config->campaign->iterations);
	add_machine(&key, config);
	add_run_options(&key, config->campaign);
	add_list(&key, "pick", config->picks);
	add_files(&key, config->files);
	add_list(&key, "module", config->modules);
	return strbuf_detach(&key);
}
