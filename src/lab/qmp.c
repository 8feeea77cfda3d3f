// SPDX-License-Identifier: GPL-2.0-only
#include "lab/qmp.h"

#include <errno.h>
#include <jansson.h>
#include <sys/socket.h>

enum {
	LINE_MAX_BYTES = 1 << 20
};

/* A few bytes into an empty socket: they go at once, or QEMU is gone and will be found so. */
static void say(const struct qmp *qmp, const char *text)
{
	while (send(qmp->fd, text, strlen(text), MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

void qmp_begin(struct qmp *qmp, int fd)
{
	*qmp = (struct qmp){.fd = fd, .in = STRBUF_INIT};
	say(qmp, "{\"execute\":\"qmp_capabilities\"}\n{\"execute\":\"query-status\"}\n");
}

void qmp_release(struct qmp *qmp)
{
	strbuf_release(&qmp->in);
	qmp->fd = -1;
}

static void understand_event(const char *event, json_t *data, struct qmp_news *news, bool *ask)
{
	const char *reason = json_string_value(json_object_get(data, "reason"));

	if (streq(event, "STOP"))
		*ask = true;
	else if (streq(event, "GUEST_PANICKED"))
		news->kind = QMP_PANICKED;
	else if (streq(event, "SHUTDOWN") && reason && streq(reason, "guest-shutdown"))
		news->kind = QMP_POWERED_OFF;
	else if (streq(event, "SHUTDOWN") && reason && streq(reason, "guest-reset"))
		news->kind = QMP_RESET;
}

/* The answer to query-status; a guest that is ending by itself is not stopped. */
static void understand_status(const char *status, bool running, struct qmp_news *news)
{
	if (running || streq(status, "shutdown") || streq(status, "prelaunch"))
		return;
	news->kind = streq(status, "guest-panicked") ? QMP_PANICKED : QMP_STOPPED;
	snprintf(news->status, sizeof(news->status), "%s", status);
}

void qmp_understand(const char *line, size_t len, struct qmp_news *news, bool *ask)
{
	json_t *message = json_loadb(line, len, 0, NULL);
	const char *event = json_string_value(json_object_get(message, "event"));
	json_t *answer = json_object_get(message, "return");
	const char *status = json_string_value(json_object_get(answer, "status"));
	json_t *running = json_object_get(answer, "running");

	*news = (struct qmp_news){.kind = QMP_NOTHING};
	*ask = false;
	if (event)
		understand_event(event, json_object_get(message, "data"), news, ask);
	else if (status && json_is_boolean(running))
		understand_status(status, json_is_true(running), news);
	json_decref(message);
}

static bool read_more(struct qmp *qmp)
{
	char part[4096];
	ssize_t got;

	if (qmp->fd < 0)
		return false;
	do
		got = recv(qmp->fd, part, sizeof(part), MSG_DONTWAIT);
	while (got < 0 && errno == EINTR);
	if (got > 0)
		strbuf_add(&qmp->in, part, (size_t)got);
	else if (got == 0 || errno != EAGAIN)
		qmp->fd = -1;
	if (qmp->in.len > LINE_MAX_BYTES)
		qmp->fd = -1; /* this is not QEMU */
	return got > 0;
}

static void take_off(struct strbuf *in, size_t len)
{
	memmove(in->buf, in->buf + len, in->len - len + 1);
	in->len -= len;
}

bool qmp_next(struct qmp *qmp, struct qmp_news *news)
{
	do {
		char *end;

		while ((end = memchr(qmp->in.buf, '\n', qmp->in.len)) != NULL) {
			size_t len = (size_t)(end - qmp->in.buf);
			bool ask;

			qmp_understand(qmp->in.buf, len, news, &ask);
			take_off(&qmp->in, len + 1);
			if (ask && qmp->fd >= 0)
				say(qmp, "{\"execute\":\"query-status\"}\n");
			if (news->kind != QMP_NOTHING)
				return true;
		}
	} while (read_more(qmp));
	return false;
}
