// SPDX-License-Identifier: GPL-2.0-only
#include "lab/wire.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>

void wire_put_hello(struct strbuf *out, const char *release)
{
	strbuf_addf(out, "%d %s", WIRE_VERSION, release);
}

int wire_get_hello(const void *data, size_t length, struct strbuf *release, struct err *err)
{
	char *text = xstrndup(data, length);
	char *blank = strchr(text, ' ');
	int64_t version;
	int status = 0;

	if (blank)
		*blank = '\0';
	if (!blank || !parse_i64(text, &version))
		status = err_set(err, "what the guest said first is no greeting");
	else if (version != WIRE_VERSION)
		status =
			err_set(err, "the guest speaks version %" PRId64 " of the protocol, not %d",
				version, WIRE_VERSION);
	else
		strbuf_addstr(release, blank + 1);
	free(text);
	return status;
}

void wire_put_place(struct strbuf *out, int place)
{
	strbuf_addf(out, "%d", place);
}

int wire_get_place(const void *data, size_t length, int *place, struct err *err)
{
	char *text = xstrndup(data, length);
	int64_t number = -1;
	bool good = parse_i64(text, &number) && number >= 0 && number <= INT_MAX;

	free(text);
	if (!good)
		return err_set(err, "the guest's place in the plan is damaged");
	*place = (int)number;
	return 0;
}

void wire_put_seconds(struct strbuf *out, double seconds)
{
	strbuf_addf(out, "%.3f", seconds);
}

int wire_get_seconds(const void *data, size_t length, double *seconds, struct err *err)
{
	char *text = xstrndup(data, length);
	double number = NAN;
	bool good = parse_double(text, &number) && number >= 0;

	free(text);
	if (!good)
		return err_set(err, "the guest's time is damaged");
	*seconds = number;
	return 0;
}
