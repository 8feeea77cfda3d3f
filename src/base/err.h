/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef BASE_ERR_H
#define BASE_ERR_H
/*
 * Errors are text for a person: whole, lower-case, naming the thing and what to do, no newline.
 * A function that can fail takes a struct err * last and returns 0 or -1 (a pointer or NULL).
 */
#include "base/util.h"

struct err {
	char msg[2048];
};

/*
 * Both return -1, so that `return err_set(err, ...)` reads well. A longer text is cut; the second appends
 * ": " and what errnum means, which is never cut. The arguments may point into err->msg.
 */
int err_set(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
int err_set_errno(struct err *err, int errnum, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* What an errno means; "unknown error" for a number that is none. */
const char *err_reason(int errnum);

/* Puts text in front of the message that is there: "text: message". Returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
