// SPDX-License-Identifier: GPL-2.0-only
#include "lab/guest_modules.h"

#include "base/strbuf.h"
#include "lab/guest_system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Its errno, 0 if it is loaded now. */
static int load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int status = fd < 0 ? -1 : (int)syscall(SYS_finit_module, fd, "", 0);
	int why = status < 0 ? errno : 0;

	if (fd >= 0)
		close(fd);
	unlink(path);
	return why == EEXIST ? 0 : why;
}

static int load_one(const char *name, struct err *err)
{
	char *path = xasprintf(GUEST_MODULES "/%s.ko", name);
	int why = load(path);

	free(path);
	if (!why)
		return 0;
	return err_set_errno(err, why, "the module %s does not load", name);
}

int guest_modules_load(struct err *err)
{
	struct strbuf text = STRBUF_INIT;
	struct strlist lines = {0};
	struct err why;
	int status = 0;

	if (access(GUEST_MODULES_LIST, F_OK) == 0)
		status = guest_system_read(GUEST_MODULES_LIST, &text, err);
	strlist_split(&lines, text.buf, '\n');
	for (int i = 0; i < lines.nr; i++) {
		bool asked = starts_with(lines.v[i], GUEST_MODULES_ASKED);
		const char *name = lines.v[i] + (asked ? strlen(GUEST_MODULES_ASKED) : 0);

		if (load_one(name, &why) == 0)
			continue;
		if (asked && status == 0)
			status = err_set(err, "%s", why.msg);
		else
			guest_system_say(why.msg);
	}
	strlist_release(&lines);
	strbuf_release(&text);
	return status;
}
