// SPDX-License-Identifier: GPL-2.0-only
/* Lists of events: splitting, modifiers, and the whole way to a perf_event_attr. */
#include "measure/counters.h"
#include "measure/event.h"
#include "measure/event_names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
	if (!condition)
		abort();
}

/* What was split splits no further: it is one event, or the slashes in it are odd in number. */
static void check_event(const char *event)
{
	int slashes = 0;

	require(event[0] && event_name_base(event) <= strlen(event));
	for (const char *s = event; *s; s++) {
		slashes += *s == '/';
		require(*s != ' ');
		require(slashes % 2 || !strchr(",{}", *s));
	}
}

static void resolve(const struct pmu_list *pmus, const char *name)
{
	struct event_list list = {0};
	struct err err = {""};
	enum event_found found = event_resolve(pmus, name, &list, &err);

	require((found == EVENT_FOUND) == (list.nr > 0));
	require(found == EVENT_FOUND || err.msg[0]);
	for (int i = 0; i < list.nr; i++) {
		require(list.v[i].name[0] && list.v[i].attr.sample_period == 0);
		event_restrict_to_user(&list.v[i], &list.pool);
	}
	event_list_release(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pmu_list pmus;
	struct strlist events = {0};
	char *text = xmalloc(size + 1);

	if (!pmus.root)
		pmu_list_load(&pmus, "");
	memcpy(text, data, size);
	text[size] = '\0';
	counters_split_events(text, &events);
	for (int i = 0; i < events.nr; i++) {
		check_event(events.v[i]);
		if (i < 2) /* the search for what is near takes its time */
			resolve(&pmus, events.v[i]);
	}
	strlist_release(&events);
	free(text);
	return 0;
}
