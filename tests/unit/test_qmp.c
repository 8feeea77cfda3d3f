// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/qmp.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

/* Lines as QEMU 7.2 writes them, and as a broken one might. */
static void a_line_means_what_qemu_says_it_does(void **state)
{
	static const struct {
		const char *line;
		const char *status;
		enum qmp_kind kind;
		bool ask;
	} lines[] = {
		{"{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 22, \"minor\": 2, \"major\": 7}, "
		 "\"package\": \"\"}, \"capabilities\": [\"oob\"]}}\r",
		 "", QMP_NOTHING, false},
		{"{\"return\": {}}\r", "", QMP_NOTHING, false},
		{"{\"return\": {\"status\": \"running\", \"singlestep\": false, \"running\": true}}",
		 "", QMP_NOTHING, false},
		{"{\"return\": {\"status\": \"internal-error\", \"running\": false}}",
		 "internal-error", QMP_STOPPED, false},
		{"{\"return\": {\"status\": \"paused\", \"running\": false}}", "paused",
		 QMP_STOPPED, false},
		{"{\"return\": {\"status\": \"guest-panicked\", \"running\": false}}",
		 "guest-panicked", QMP_PANICKED, false},
		{"{\"return\": {\"status\": \"shutdown\", \"running\": false}}", "", QMP_NOTHING,
		 false},
		{"{\"return\": {\"status\": \"prelaunch\", \"running\": false}}", "", QMP_NOTHING,
		 false},
		{"{\"timestamp\": {\"seconds\": 1, \"microseconds\": 2}, \"event\": \"STOP\"}", "",
		 QMP_NOTHING, true},
		{"{\"event\": \"GUEST_PANICKED\", \"data\": {\"action\": \"pause\"}}", "",
		 QMP_PANICKED, false},
		{"{\"event\": \"SHUTDOWN\", \"data\": {\"guest\": true, \"reason\": "
		 "\"guest-shutdown\"}}",
		 "", QMP_POWERED_OFF, false},
		{"{\"event\": \"SHUTDOWN\", \"data\": {\"guest\": true, \"reason\": "
		 "\"guest-reset\"}}",
		 "", QMP_RESET, false},
		{"{\"event\": \"SHUTDOWN\", \"data\": {\"guest\": false, \"reason\": "
		 "\"host-signal\"}}",
		 "", QMP_NOTHING, false},
		{"{\"event\": \"SHUTDOWN\"}", "", QMP_NOTHING, false},
		{"{\"event\": \"RESUME\"}", "", QMP_NOTHING, false},
		{"{\"event\": 7}", "", QMP_NOTHING, false},
		{"{\"return\": {\"status\": 7, \"running\": false}}", "", QMP_NOTHING, false},
		{"{\"return\": {\"status\": \"paused\"}}", "", QMP_NOTHING, false},
		{"{\"error\": {\"class\": \"CommandNotFound\", \"desc\": \"no\"}}", "", QMP_NOTHING,
		 false},
		{"[1, 2]", "", QMP_NOTHING, false},
		{"{\"event\": \"STOP\"", "", QMP_NOTHING, false},
		{"", "", QMP_NOTHING, false},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct qmp_news news = {.kind = QMP_STOPPED};
		bool ask = true;

		qmp_understand(lines[i].line, strlen(lines[i].line), &news, &ask);
		assert_int_equal(news.kind, lines[i].kind);
		assert_string_equal(news.status, lines[i].status);
		assert_int_equal(ask, lines[i].ask);
	}
}

struct talk {
	struct qmp qmp;
	int qemu; /* its end */
	int ours;
};

static void begin(struct talk *talk)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(fcntl(pair[0], F_SETFL, O_NONBLOCK), 0);
	talk->qemu = pair[1];
	talk->ours = pair[0];
	qmp_begin(&talk->qmp, pair[0]);
}

static void end(struct talk *talk)
{
	qmp_release(&talk->qmp);
	close(talk->ours);
	if (talk->qemu >= 0)
		close(talk->qemu);
}

static void says(const struct talk *talk, const char *text)
{
	assert_int_equal(send(talk->qemu, text, strlen(text), 0), strlen(text));
}

static void hears(const struct talk *talk, const char *text)
{
	char buf[512];
	ssize_t got = recv(talk->qemu, buf, sizeof(buf) - 1, MSG_DONTWAIT);

	buf[got > 0 ? got : 0] = '\0';
	assert_string_equal(buf, text);
}

static void it_asks_at_the_beginning_and_after_each_stop(void **state)
{
	struct qmp_news news;
	struct talk talk;

	(void)state;
	begin(&talk);
	hears(&talk, "{\"execute\":\"qmp_capabilities\"}\n{\"execute\":\"query-status\"}\n");
	says(&talk, "{\"QMP\": {}}\r\n{\"return\": {}}\r\n");
	assert_false(qmp_next(&talk.qmp, &news));
	hears(&talk, "");
	says(&talk, "{\"event\": \"STOP\"}\r\n");
	assert_false(qmp_next(&talk.qmp, &news));
	hears(&talk, "{\"execute\":\"query-status\"}\n");
	end(&talk);
}

static void lines_come_in_any_pieces(void **state)
{
	const char *text = "{\"return\": {}}\r\n"
			   "{\"return\": {\"status\": \"internal-error\", \"running\": false}}\r\n"
			   "{\"event\": \"SHUTDOWN\", \"data\": {\"reason\": \"guest-reset\"}}\r\n";
	struct qmp_news news;
	struct talk talk;
	int kinds = 0;

	(void)state;
	begin(&talk);
	for (const char *s = text; *s; s++) {
		says(&talk, (char[]){*s, '\0'});
		while (qmp_next(&talk.qmp, &news))
			kinds = kinds * 10 + (int)news.kind;
	}
	assert_int_equal(kinds, QMP_STOPPED * 10 + QMP_RESET);
	says(&talk, text); /* and all at once */
	assert_true(qmp_next(&talk.qmp, &news));
	assert_int_equal(news.kind, QMP_STOPPED);
	assert_true(qmp_next(&talk.qmp, &news));
	assert_int_equal(news.kind, QMP_RESET);
	assert_false(qmp_next(&talk.qmp, &news));
	end(&talk);
}

static void an_end_is_an_end(void **state)
{
	struct qmp_news news;
	struct talk talk;

	(void)state;
	begin(&talk);
	says(&talk, "{\"event\": \"STOP\"}\r\n{\"event\": \"GUEST_PANICKED\"}\r\n{\"ev");
	close(talk.qemu);
	talk.qemu = -1;
	assert_true(qmp_next(&talk.qmp, &news)); /* asking nobody does no harm */
	assert_int_equal(news.kind, QMP_PANICKED);
	assert_false(qmp_next(&talk.qmp, &news));
	assert_int_equal(talk.qmp.fd, -1);
	assert_false(qmp_next(&talk.qmp, &news));
	end(&talk);
}

static void a_line_without_end_is_not_read_for_ever(void **state)
{
	static char part[4096];
	struct qmp_news news;
	struct talk talk;

	(void)state;
	begin(&talk);
	memset(part, ' ', sizeof(part));
	for (int i = 0; i < 1024 && talk.qmp.fd >= 0; i++) {
		send(talk.qemu, part, sizeof(part), MSG_DONTWAIT | MSG_NOSIGNAL);
		assert_false(qmp_next(&talk.qmp, &news));
	}
	assert_int_equal(talk.qmp.fd, -1);
	end(&talk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_means_what_qemu_says_it_does),
		cmocka_unit_test(it_asks_at_the_beginning_and_after_each_stop),
		cmocka_unit_test(lines_come_in_any_pieces),
		cmocka_unit_test(an_end_is_an_end),
		cmocka_unit_test(a_line_without_end_is_not_read_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
