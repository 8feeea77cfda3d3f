// SPDX-License-Identifier: GPL-2.0-only
#include "base/err.h"

/* All three format into a text of their own first: the arguments may point into err->msg. */

int err_set(struct err *err, const char *fmt, ...)
{
	struct err text;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text.msg, sizeof(text.msg), fmt, ap);
	va_end(ap);
	*err = text;
	return -1;
}

const char *err_reason(int errnum)
{
	const char *reason = strerrordesc_np(errnum);

	return reason ? reason : "unknown error";
}

int err_set_errno(struct err *err, int errnum, const char *fmt, ...)
{
	const char *reason = err_reason(errnum);
	struct err text;
	va_list ap;
	size_t room;

	va_start(ap, fmt);
	vsnprintf(text.msg, sizeof(text.msg), fmt, ap);
	va_end(ap);
	room = sizeof(err->msg) - sizeof(": ") - strlen(reason);
	return err_set(err, "%.*s: %s", (int)room, text.msg, reason);
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	struct err text;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text.msg, sizeof(text.msg), fmt, ap);
	va_end(ap);
	return err_set(err, "%s: %s", text.msg, err->msg);
}
