// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/boots_key.h"

#include "lab/boots.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/perfcmp-test-XXXXXX";
static const char *const names[] = {"image", "file", "a:b", "program"};

static void touch(const char *name, time_t when)
{
	const struct timespec times[] = {{.tv_sec = when}, {.tv_sec = when}};
	int fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
}

static int set_up_files(void **state)
{
	(void)state;
	if (!mkdtemp(folder) || chdir(folder))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		touch(names[i], 1000);
	return 0;
}

static int tear_down_files(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(names[i]);
	return chdir("/") || rmdir(folder) ? -1 : 0;
}

/* A campaign of one command, with files for the guest. */
struct fixture {
	struct campaign_config campaign;
	struct boots_kernel kernel;
	struct strlist files;
	struct boots_config config;
	struct plan plan;
	char program[16], *argv[2];
};

static void setup(struct fixture *f)
{
	const struct plan_test test = {.testcase = "command", .test = "x"};
	struct err err;

	*f = (struct fixture){.kernel = {.image = "image", .commit = {.name = "v1"}},
			      .program = "./program"};
	f->argv[0] = f->program;
	f->campaign.iterations = 2;
	strlist_add(&f->files, "file:/etc/file");
	strlist_add(&f->files, "a:b");
	f->config = (struct boots_config){.campaign = &f->campaign,
					  .kernels = &f->kernel,
					  .kernels_nr = 1,
					  .boots = 1,
					  .files = &f->files};
	assert_int_equal(plan_add_jobs(&f->plan, &test, &err), 0);
	f->plan.jobs[0].argv = f->argv;
}

static char *key_of(struct fixture *f)
{
	const struct boots boots = {.config = &f->config, .plan = &f->plan};

	return boots_key(&boots);
}

static void release(struct fixture *f)
{
	plan_release(&f->plan);
	strlist_release(&f->files);
}

static void a_file_that_changed_makes_another_campaign(void **state)
{
	struct fixture f;
	char *key;

	(void)state;
	setup(&f);
	key = key_of(&f);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *same, *other;

		touch(names[i], 1000);
		same = key_of(&f);
		assert_string_equal(same, key);
		touch(names[i], 2000);
		other = key_of(&f);
		assert_string_not_equal(other, key);
		touch(names[i], 1000);
		free(same);
		free(other);
	}
	free(key);
	release(&f);
}

static void an_option_that_changed_makes_another_campaign(void **state)
{
	struct fixture f;
	char *keys[7];

	(void)state;
	setup(&f);
	keys[0] = key_of(&f);
	f.config.boots = 2;
	keys[1] = key_of(&f);
	f.config.vm.deterministic = true;
	keys[2] = key_of(&f);
	f.campaign.machine = "box";
	keys[3] = key_of(&f);
	f.kernel.commit.name = "v2";
	keys[4] = key_of(&f);
	f.campaign.run.timeout_s = 5;
	keys[5] = key_of(&f);
	f.config.vm.append = "quiet";
	keys[6] = key_of(&f);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(keys[i], keys[k]);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		free(keys[i]);
	release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_changed_makes_another_campaign),
		cmocka_unit_test(an_option_that_changed_makes_another_campaign),
	};

	return cmocka_run_group_tests(tests, set_up_files, tear_down_files);
}
