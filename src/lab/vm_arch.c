// SPDX-License-Identifier: GPL-2.0-only
#include "lab/vm_arch.h"

#include <elf.h>

static const char *const x86_serial[] = {"8250", NULL};
static const char *const x86_virtio[] = {"virtio_pci", "virtio_console", NULL};

/*
 * Measured under emulation: q35 and pc boot equally fast, max and qemu64 as well; max has what today's
 * distributions are compiled for. cryptomgr.notests saves the self-tests of algorithms nobody here uses.
 */
const struct vm_arch vm_x86_64 = {
	.name = "x86-64",
	.qemu = "qemu-system-x86_64",
	.package = "qemu-system-x86",
	.machine = "q35",
	.cpu_kvm = "host,migratable=off",
	.cpu_tcg = "max",
	.cpu_exact = "max,-rdrand,-rdseed",
	.virtio = "virtio-serial-pci,max_ports=2", /* the first is kept for a console */
	.append = "console=ttyS0 loglevel=5 panic=-1 cryptomgr.notests",
	.append_tcg = "no_timer_check",
	.append_early = "earlyprintk=ttyS0",
	.append_early_only = "earlyprintk=ttyS0,keep",
	.data_tty = "/dev/ttyS1",
	.elf_machine = EM_X86_64,
	.serial_modules = x86_serial,
	.virtio_modules = x86_virtio,
};
