// SPDX-License-Identifier: GPL-2.0-only
#include "measure/pmu.h"

#include "base/strbuf.h"
#include "base/strlist.h"
#include "measure/sysfile.h"

#include <errno.h>
#include <linux/perf_event.h>

static const char devices[] = "/sys/bus/event_source/devices";

static void load_one(void *data, const char *name)
{
	struct pmu_list *list = data;
	struct pmu pmu = {.root = list->root};
	const char *type = sysfile_read(&list->pool, list->root, "%s/%s/type", devices, name);
	int64_t number;

	if (!type || !parse_i64(type, &number) || number < 0 || number > UINT32_MAX)
		return;
	pmu.name = pool_strdup(&list->pool, name);
	pmu.type = (uint32_t)number;
	pmu.core_cpus = sysfile_read(&list->pool, list->root, "%s/%s/cpus", devices, name);
	pmu.mask_cpus = sysfile_read(&list->pool, list->root, "%s/%s/cpumask", devices, name);
	GROW(list->v, list->nr, list->alloc);
	list->v[list->nr++] = pmu;
	list->cores += pmu.core_cpus != NULL;
}

void pmu_list_load(struct pmu_list *list, const char *root)
{
	list->root = pool_strdup(&list->pool, root);
	sysfile_list(root, devices, load_one, list);
}

void pmu_list_release(struct pmu_list *list)
{
	free(list->v);
	pool_release(&list->pool);
	*list = (struct pmu_list){0};
}

const struct pmu *pmu_find(const struct pmu_list *list, const char *name)
{
	for (int i = 0; i < list->nr; i++)
		if (streq(list->v[i].name, name))
			return &list->v[i];
	return NULL;
}

const struct pmu *pmu_find_type(const struct pmu_list *list, uint32_t type)
{
	for (int i = 0; i < list->nr; i++)
		if (list->v[i].type == type)
			return &list->v[i];
	return NULL;
}

bool pmu_is_core(const struct pmu *pmu)
{
	return pmu->core_cpus || streq(pmu->name, "cpu");
}

const char *pmu_named_event(const struct pmu *pmu, struct pool *pool, const char *name)
{
	if (strchr(name, '/') || name[0] == '.')
		return NULL;
	return sysfile_read(pool, pmu->root, "%s/%s/events/%s", devices, pmu->name, name);
}

/*
 * Spreads the value over the bits "0-7,32-35" of a config word, the lowest bits first. Returns what is left of
 * the value: 0 if it fitted; *ok is false if the list of bits is none.
 */
static uint64_t spread(const char *bits, uint64_t value, __u64 *config, bool *ok)
{
	struct strlist ranges = {0};

	strlist_split(&ranges, bits, ',');
	*ok = ranges.nr > 0;
	for (int i = 0; i < ranges.nr && *ok; i++) {
		int64_t first = 0, last;
		uint64_t mask;

		*ok = sysfile_range(ranges.v[i], &first, &last) && last < 64;
		if (!*ok)
			break;
		mask = last - first == 63 ? UINT64_MAX : ((uint64_t)1 << (last - first + 1)) - 1;
		*config = (*config & ~(mask << first)) | ((value & mask) << first);
		value = last - first == 63 ? 0 : value >> (last - first + 1);
	}
	strlist_release(&ranges);
	return value;
}

static __u64 *config_word(struct perf_event_attr *attr, const char *name, size_t len)
{
	if (len == strlen("config") && starts_with(name, "config"))
		return &attr->config;
	if (len == strlen("config1") && starts_with(name, "config1"))
		return &attr->config1;
	if (len == strlen("config2") && starts_with(name, "config2"))
		return &attr->config2;
	return NULL;
}

static bool parse_value(const char *text, uint64_t *out)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*out = strtoull(text, &end, 0);
	return !errno && !*end;
}

static void collect_name(void *data, const char *name)
{
	strbuf_additem(data, ", ", "%s", name);
}

static int no_field(const struct pmu *pmu, const char *key, struct err *err)
{
	char *folder = xasprintf("%s/%s/format", devices, pmu->name);
	struct strbuf fields = STRBUF_INIT;

	sysfile_list(pmu->root, folder, collect_name, &fields);
	err_set(err, "PMU %s has no event and no field '%s'; its fields are %s", pmu->name, key,
		fields.buf);
	strbuf_release(&fields);
	free(folder);
	return -1;
}

/*
 * Where the field is: its config word, and its bits in there. config, config1 and config2 themselves are fields
 * that every PMU has.
 */
static __u64 *find_field(const struct pmu *pmu, struct pool *pool, struct perf_event_attr *attr,
			 const char *key, const char **bits)
{
	__u64 *config = config_word(attr, key, strlen(key));
	const char *format, *colon;

	*bits = "0-63";
	if (config || strchr(key, '/') || key[0] == '.' || !key[0])
		return config;
	format = sysfile_read(pool, pmu->root, "%s/%s/format/%s", devices, pmu->name, key);
	colon = format ? strchr(format, ':') : NULL;
	if (!colon)
		return NULL;
	*bits = colon + 1;
	return config_word(attr, format, (size_t)(colon - format));
}

int pmu_set_field(const struct pmu *pmu, struct perf_event_attr *attr, const struct param *term,
		  struct err *err)
{
	struct pool pool = {0};
	const char *bits;
	__u64 *config = find_field(pmu, &pool, attr, term->key, &bits);
	uint64_t value;
	bool ok = true;
	int status = 0;

	if (!config)
		status = no_field(pmu, term->key, err);
	else if (!parse_value(term->value, &value))
		status = err_set(err, "PMU %s: '%s' is no number for %s", pmu->name, term->value,
				 term->key);
	else if (spread(bits, value, config, &ok) || !ok)
		status = err_set(err, "PMU %s: %s is too large for %s (bits %s)", pmu->name,
				 term->value, term->key, bits);
	pool_release(&pool);
	return status;
}
