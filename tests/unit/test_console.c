// SPDX-License-Identifier: GPL-2.0-only
/*
 * What kernels print when they are in trouble, and how the kernel test robot calls it: the names are those of its
 * mails to the kernel's lists, the lines those of kernels 5.x to 6.x.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/console.h"

#include "model/run.h"

static void scan_text(struct console_scan *scan, const char *text)
{
	console_feed(scan, text, strlen(text));
	console_end(scan);
}

/* name NULL: no trouble */
static void check_line(const char *line, const char *name)
{
	struct console_scan scan = {0};

	scan_text(&scan, line);
	if (scan.metrics.nr != (name ? 1 : 0))
		fail_msg("%s: %d names", line, scan.metrics.nr);
	if (name && !streq(scan.metrics.v[0] + strlen("dmesg."), name))
		fail_msg("%s: %s, not %s", line, scan.metrics.v[0], name);
	console_release(&scan);
}

static const struct {
	const char *line, *name;
} robot[] = {
	/* panics */
	{"Kernel panic - not syncing: Fatal exception", "Kernel_panic-not_syncing:Fatal_exception"},
	{"Kernel panic - not syncing: Fatal exception in interrupt",
	 "Kernel_panic-not_syncing:Fatal_exception_in_interrupt"},
	{"Kernel panic - not syncing: softlockup: hung tasks",
	 "Kernel_panic-not_syncing:softlockup:hung_tasks"},
	{"Kernel panic - not syncing: hung_task: blocked tasks",
	 "Kernel_panic-not_syncing:hung_task:blocked_tasks"},
	{"Kernel panic - not syncing: System is deadlocked on memory",
	 "Kernel_panic-not_syncing:System_is_deadlocked_on_memory"},
	{"Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b",
	 "Kernel_panic-not_syncing:Attempted_to_kill_init!exitcode="},
	{"Kernel panic - not syncing: VFS: Unable to mount root fs on "
	 "unknown-block(0,0)",
	 "Kernel_panic-not_syncing:VFS:Unable_to_mount_root_fs_on_unknown-block(#,#)"},
	{"Kernel panic - not syncing: sysrq triggered crash",
	 "Kernel_panic-not_syncing:sysrq_triggered_crash"},
	{"Kernel panic - not syncing: No working init found.  Try passing init= option "
	 "to kernel. See Linux Documentation/admin-guide/init.rst for guidance.",
	 "Kernel_panic-not_syncing:No_working_init_found"},
	/* oopses */
	{"BUG: kernel NULL pointer dereference, address: 0000000000000008",
	 "BUG:kernel_NULL_pointer_dereference,address"},
	{"BUG: unable to handle page fault for address: ffffc90000a5bfb8",
	 "BUG:unable_to_handle_page_fault_for_address"},
	{"BUG: unable to handle page fault for address: 00000ffe",
	 "BUG:unable_to_handle_page_fault_for_address"},
	{"Oops: 0002 [#1] PREEMPT SMP NOPTI", "Oops:#[##]"},
	{"Oops: Oops: 0000 [#1] PREEMPT SMP NOPTI", "Oops:Oops:#[##]"},
	{"Oops: general protection fault, probably for non-canonical address "
	 "0xdffffc0000000000: 0000 [#1] SMP KASAN",
	 "Oops:general_protection_fault,probably_for_non-canonical_address#:#[##]SMP_"
	 "KASAN"},
	{"Oops: invalid opcode: 0000 [#1] PREEMPT KASAN", "Oops:invalid_opcode:#[##]PREEMPT_KASAN"},
	{"general protection fault: 0000 [#1] SMP PTI", "general_protection_fault:#[##]"},
	{"invalid opcode: 0000 [#1] SMP", "invalid_opcode:#[##]"},
	{"divide error: 0000 [#1] SMP PTI", "divide_error:#[##]"},
	{"stack guard page: 0000 [#1] PREEMPT SMP", "stack_guard_page:#[##]"},
	{"kernel BUG at mm/slub.c:3720!", "kernel_BUG_at_mm/slub.c"},
	{"kernel BUG at include/linux/page-flags.h:317!",
	 "kernel_BUG_at_include/linux/page-flags.h"},
	{"BUG: KASAN: slab-use-after-free in _raw_spin_lock_irq+0x73/0xe0",
	 "BUG:KASAN:slab-use-after-free_in_raw_spin_lock_irq"},
	{"BUG: KCSAN: data-race in folio_add_file_rmap_ptes / print_report",
	 "BUG:KCSAN:data-race_in_folio_add_file_rmap_ptes/print_report"},
	{"BUG: sleeping function called from invalid context at kernel/nsproxy.c:233",
	 "BUG:sleeping_function_called_from_invalid_context_at_kernel/nsproxy.c"},
	{"BUG: spinlock bad magic on CPU#0, swapper/0", "BUG:spinlock_bad_magic_on_CPU"},
	{"BUG: Bad page state in process modprobe  pfn:10a5c", "BUG:Bad_page_state_in_process"},
	{"BUG: non-zero pgtables_bytes on freeing mm: 4096",
	 "BUG:non-zero_pgtables_bytes_on_freeing_mm"},
	{"BUG: workqueue leaked lock or atomic: kworker/0:1/0x00000000/10",
	 "BUG:workqueue_leaked_lock_or_atomic"},
	{"KASAN: null-ptr-deref in range [0x0000000000000008-0x000000000000000f]",
	 "KASAN:null-ptr-deref_in_range[#-#]"},
	{"UBSAN: negation-overflow in lib/sort.c:203:36", "UBSAN:negation-overflow_in_lib/sort.c"},
	{"UBSAN: shift-out-of-bounds in arch/x86/kernel/cpu/intel.c:963:21",
	 "UBSAN:shift-out-of-bounds_in_arch/x86/kernel/cpu/intel.c"},
	{"RIP: 0010:do_swap_page+0x1f7/0x1130", "RIP:do_swap_page"},
	{"RIP: 0010:btrfs_release_global_block_rsv+0xb2/0x140 [btrfs]",
	 "RIP:btrfs_release_global_block_rsv[btrfs]"},
	{"EIP: free_pcppages_bulk+0x7d/0x200", "EIP:free_pcppages_bulk"},
	/* warnings */
	{"WARNING: CPU: 0 PID: 1 at lib/iov_iter.c:1081 sanity+0x20a/0x2c0",
	 "WARNING:at_lib/iov_iter.c:#sanity"},
	{"WARNING: CPU: 3 PID: 812 at fs/btrfs/block-rsv.c:452 "
	 "btrfs_release_global_block_rsv+0xb2/0x140 [btrfs]",
	 "WARNING:at_fs/btrfs/block-rsv.c:#btrfs_release_global_block_rsv[btrfs]"},
	{"WARNING: kernel/sched/sched.h:1234 at update_load_avg+0x33/0x70, CPU#1: "
	 "stress-ng/456",
	 "WARNING:at_kernel/sched/sched.h:#update_load_avg"},
	{"WARNING: possible recursive locking detected",
	 "WARNING:possible_recursive_locking_detected"},
	{"WARNING: suspicious RCU usage", "WARNING:suspicious_RCU_usage"},
	{"WARNING: stack recursion on stack type 4", "WARNING:stack_recursion"},
	/* what hangs */
	{"watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [usemem:1837]",
	 "BUG:soft_lockup-CPU##stuck_for#s![usemem:#]"},
	{"watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [swapper/0:1]",
	 "BUG:soft_lockup-CPU##stuck_for#s![swapper:#]"},
	{"watchdog: BUG: soft lockup - CPU#7 stuck for 48s! [kworker/u16:3:94]",
	 "BUG:soft_lockup-CPU##stuck_for#s![kworker:#:#]"},
	{"BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 33s!",
	 "BUG:workqueue_lockup-pool"},
	{"rcu: INFO: rcu_preempt self-detected stall on CPU",
	 "INFO:rcu_preempt_self-detected_stall_on_CPU"},
	{"INFO: rcu_sched self-detected stall on CPU", "INFO:rcu_sched_self-detected_stall_on_CPU"},
	{"rcu: INFO: rcu_sched detected stalls on CPUs/tasks:",
	 "INFO:rcu_sched_detected_stalls_on_CPUs/tasks"},
	{"INFO: rcu_tasks detected stalls on tasks:", "INFO:rcu_tasks_detected_stalls_on_tasks"},
	{"INFO: task kworker/0:1:12 blocked for more than 120 seconds.",
	 "INFO:task_blocked_for_more_than#seconds"},
	/* memory */
	{"fio invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), "
	 "order=0, oom_score_adj=0",
	 "invoked_oom-killer:gfp_mask=0x"},
	{"Mem-Info:", "Mem-Info"},
	{"Out of memory: Killed process 135 (fio) total-vm:443028kB, anon-rss:441344kB",
	 "Out_of_memory:Killed_process"},
	{"Out of memory and no killable processes...", "Out_of_memory_and_no_killable_processes"},
	{"fio: page allocation failure: order:0, mode:0x40800(GFP_NOWAIT|__GFP_COMP), "
	 "nodemask=(null),cpuset=/,mems_allowed=0",
	 "page_allocation_failure:order:#,mode:#(GFP_NOWAIT|__GFP_COMP),nodemask=(null)"},
	{"Initramfs unpacking failed: write error", "Initramfs_unpacking_failed"},
};

static void trouble_is_named_as_the_robot_does(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(robot); i++)
		check_line(robot[i].line, robot[i].name);
}

static void what_is_no_trouble_is_left_out(void **state)
{
	static const char *const lines[] = {
		"",
		" ",
		"Linux version 6.12.0 (x@y) #1 SMP PREEMPT_DYNAMIC",
		"Command line: console=ttyS0 quiet panic=-1",
		"RIP: 0033:0x430ce0",
		"RIP: 0010:0x0",
		"RIP: 0010:",
		"EIP: 0x8048000",
		"Call Trace:",
		" panic+0x344/0x3a0",
		"---[ end Kernel panic - not syncing: Fatal exception ]---",
		"sysrq: Trigger a crash",
		"Spectre V2 : WARNING: Unprivileged eBPF is enabled with eIBRS on",
		"INFO: task",
		"INFO: task x is fine",
		"INFO: lockdep is turned off.",
		"BUG: ",
		"Oops: ",
		"WARNING: CPU: ",
		"Kernel panic - not syncing: ",
		"traps: fio general protection fault ip:401000 sp:7ffe error:0 in fio[401000]",
		"rcu: ",
		"reboot: Power down",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		check_line(lines[i], NULL);
}

static void time_stamps_and_line_ends_do_not_matter(void **state)
{
	static const char *const lines[] = {
		"kernel BUG at mm/slub.c:1!",
		"[    6.556105] kernel BUG at mm/slub.c:12!\n",
		"[123456.556105] kernel BUG at mm/slub.c:123!\r\n",
		"[    6.556105][    T1] kernel BUG at mm/slub.c:1234!\r\n",
		"[    6.556105] [   C0] kernel BUG at mm/slub.c:12345!\r\r\n\n",
		"\n\nkernel BUG at mm/slub.c:1!",
		"\033[?7l[    6.556105] x\n[    6.556105] kernel BUG at mm/slub.c:1!",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		check_line(lines[i], "kernel_BUG_at_mm/slub.c");
	check_line("[    6.556105] [fio] kernel BUG at mm/slub.c:1!", NULL);
	check_line("[6.5 kernel BUG at mm/slub.c:1!", NULL);
}

/* Of a guest in which a test wrote to a NULL pointer of the kernel's. */
static const char oops[] =
	"[    5.100000] BUG: kernel NULL pointer dereference, address: 0000000000000010\r\n"
	"[    5.100100] #PF: supervisor read access in kernel mode\r\n"
	"[    5.100200] #PF: error_code(0x0000) - not-present page\r\n"
	"[    5.100300] PGD 0 P4D 0 \r\n"
	"[    5.100400] Oops: Oops: 0000 [#1] PREEMPT SMP NOPTI\r\n"
	"[    5.100500] CPU: 0 UID: 0 PID: 138 Comm: fio Not tainted 6.12.0 #1\r\n"
	"[    5.100600] RIP: 0010:pick_next_task_fair+0x12/0x340\r\n"
	"[    5.100700] RSP: 0018:ffffb5a0c00bfd68 EFLAGS: 00010246\r\n"
	"[    5.100800] Call Trace:\r\n"
	"[    5.100900] RIP: 0033:0x430ce0\r\n"
	"[    5.101000] ---[ end trace 0000000000000000 ]---\r\n"
	"[    5.101100] RIP: 0010:pick_next_task_fair+0x12/0x340\r\n"
	"[    5.101200] Kernel panic - not syncing: Fatal exception\r\n"
	"[    5.101300] Kernel Offset: 0x1c00000 from 0xffffffff81000000";

static const char *const oops_names[] = {
	"dmesg.BUG:kernel_NULL_pointer_dereference,address",
	"dmesg.Oops:Oops:#[##]",
	"dmesg.RIP:pick_next_task_fair",
	"dmesg.Kernel_panic-not_syncing:Fatal_exception",
};

static void pieces_of_any_size_say_the_same(void **state)
{
	(void)state;
	for (size_t piece = 1; piece < sizeof(oops); piece++) {
		struct console_scan scan = {0};

		for (size_t at = 0; at < strlen(oops); at += piece)
			console_feed(&scan, oops + at,
				     strlen(oops) - at < piece ? strlen(oops) - at : piece);
		console_end(&scan);
		assert_int_equal(scan.metrics.nr, ARRAY_SIZE(oops_names));
		for (size_t i = 0; i < ARRAY_SIZE(oops_names); i++)
			assert_string_equal(scan.metrics.v[i], oops_names[i]);
		console_release(&scan);
	}
}

static void each_metric_of_the_run_is_one(void **state)
{
	struct console_scan scan = {0};
	struct run run = {0};

	(void)state;
	scan_text(&scan, oops);
	console_put(&scan, &run);
	console_put(&scan, &run);
	assert_int_equal(run.values_nr, ARRAY_SIZE(oops_names));
	for (size_t i = 0; i < ARRAY_SIZE(oops_names); i++) {
		struct number value = run_get(&run, oops_names[i]);

		assert_int_equal(value.kind, NUMBER_INT);
		assert_true(value.i == 1);
	}
	console_release(&scan);
	assert_int_equal(scan.metrics.nr, 0);
	run_release(&run);
}

static void the_gravest_is_the_reason(void **state)
{
	static const struct {
		const char *text, *reason; /* NULL: none */
	} table[] = {
		{"", NULL},
		{"[ 1.0] WARNING: suspicious RCU usage\n[ 1.1] RIP: 0010:f+0x1/0x2\n", NULL},
		{oops, "Kernel panic - not syncing: Fatal exception (BUG: kernel NULL pointer "
		       "dereference, address: 0000000000000010)"},
		{"[ 1.0] Kernel panic - not syncing: sysrq triggered crash\n",
		 "Kernel panic - not syncing: sysrq triggered crash"},
		{"[ 1.0] Initramfs unpacking failed: write error\n"
		 "[ 2.0] Kernel panic - not syncing: VFS: Unable to mount root fs on "
		 "unknown-block(0,0)\n",
		 "Kernel panic - not syncing: VFS: Unable to mount root fs on "
		 "unknown-block(0,0) (Initramfs unpacking failed: write error)"},
		{"[ 1.0] INFO: task a:1 blocked for more than 120 seconds.\n"
		 "[ 1.1] kernel BUG at mm/slub.c:1!\n[ 1.2] kernel BUG at mm/x.c:1!\n",
		 "kernel BUG at mm/slub.c:1!"},
		{"[ 1.0] WARNING: suspicious RCU usage\n"
		 "[ 1.0] INFO: task a:1 blocked for more than 120 seconds.\n",
		 "INFO: task a:1 blocked for more than 120 seconds."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct strbuf reason = STRBUF_INIT;
		struct console_scan scan = {0};

		scan_text(&scan, table[i].text);
		assert_int_equal(console_reason(&scan, &reason), table[i].reason != NULL);
		assert_string_equal(reason.buf, table[i].reason ? table[i].reason : "");
		strbuf_release(&reason);
		console_release(&scan);
	}
}

/* Bounded, and names are printable words whatever the line has in it. */
static void odd_lines_are_survived(void **state)
{
	static const char bytes[] = "\nBUG: caf\xc3\xa9\x80\xff \x01x\n\0\0\nBUG: ok\n";
	struct strbuf text = STRBUF_INIT;
	struct console_scan scan = {0};

	(void)state;
	strbuf_addstr(&text, "Kernel panic - not syncing: ");
	for (int i = 0; i < 3000; i++)
		strbuf_addstr(&text, "word ");
	strbuf_add(&text, bytes, sizeof(bytes) - 1);
	console_feed(&scan, text.buf, text.len);
	console_end(&scan);
	assert_int_equal(scan.metrics.nr, 3);
	for (int i = 0; i < scan.metrics.nr; i++) {
		assert_true(strlen(scan.metrics.v[i]) < 300);
		for (const char *s = scan.metrics.v[i]; *s; s++)
			assert_in_range(*s, '!', '~');
	}
	assert_string_equal(scan.metrics.v[1], "dmesg.BUG:caf");
	assert_string_equal(scan.metrics.v[2], "dmesg.BUG:ok");
	assert_true(strlen(scan.first[CONSOLE_PANIC]) <= 1000);
	console_release(&scan);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trouble_is_named_as_the_robot_does),
		cmocka_unit_test(what_is_no_trouble_is_left_out),
		cmocka_unit_test(time_stamps_and_line_ends_do_not_matter),
		cmocka_unit_test(pieces_of_any_size_say_the_same),
		cmocka_unit_test(each_metric_of_the_run_is_one),
		cmocka_unit_test(the_gravest_is_the_reason),
		cmocka_unit_test(odd_lines_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
