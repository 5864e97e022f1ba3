/* The limits of control groups, from trees of files as the kernel lays them out. */
#include "container_limits.h"

#include "check.h"
#include "files.h"

enum { HOST_PROCESSORS = 8 };
static const int64_t HOST_MEMORY = 16LL << 30;
static const int64_t MEGABYTE = 1 << 20;

static struct container container(void) {
    return container_of_this_process(tree, HOST_MEMORY, HOST_PROCESSORS);
}

static void version2(const char *cgroup, const char *mount_root) {
    char mountinfo[512];
    write_file("/proc/self/cgroup", cgroup);
    snprintf(mountinfo, sizeof mountinfo,
             "21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n"
             "30 23 0:26 %s /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
             mount_root);
    write_file("/proc/self/mountinfo", mountinfo);
}

static void no_control_groups(void) {
    make_tree();
    struct container c = container();
    CHECK_TRUE(!container_has_limits(&c));
    CHECK_NUMBER(container_memory_limit(&c), UNLIMITED);
    CHECK_NUMBER(container_memory_usage(&c), UNKNOWN);
    CHECK_NUMBER(container_processors(&c), HOST_PROCESSORS);
    remove_tree();
}

static void version2_in_a_container(void) {
    make_tree();
    version2("0::/\n", "/");
    write_file("/sys/fs/cgroup/memory.max", "268435456\n");
    write_file("/sys/fs/cgroup/memory.swap.max", "0\n");
    write_file("/sys/fs/cgroup/memory.low", "134217728\n");
    write_file("/sys/fs/cgroup/memory.current", "1048576\n");
    write_file("/sys/fs/cgroup/memory.peak", "2097152\n");
    write_file("/sys/fs/cgroup/memory.stat", "anon 4096\nfile 8192\nkernel 1\n");
    write_file("/sys/fs/cgroup/cpu.max", "25000 100000\n");
    struct container c = container();
    CHECK_TRUE(container_has_limits(&c));
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    CHECK_NUMBER(container_memory_and_swap_limit(&c), 256 * MEGABYTE);
    CHECK_NUMBER(container_memory_soft_limit(&c), 128 * MEGABYTE);
    CHECK_NUMBER(container_memory_usage(&c), MEGABYTE);
    CHECK_NUMBER(container_memory_peak(&c), 2 * MEGABYTE);
    CHECK_NUMBER(container_rss(&c), 4096);
    CHECK_NUMBER(container_cache(&c), 8192);
    CHECK_NUMBER(container_processors(&c), 1);
    remove_tree();
}

static void version2_without_limits(void) {
    make_tree();
    version2("0::/\n", "/");
    write_file("/sys/fs/cgroup/memory.max", "max\n");
    write_file("/sys/fs/cgroup/memory.swap.max", "max\n");
    write_file("/sys/fs/cgroup/memory.low", "0\n");
    write_file("/sys/fs/cgroup/cpu.max", "max 100000\n");
    struct container c = container();
    CHECK_TRUE(!container_has_limits(&c));
    CHECK_NUMBER(container_memory_limit(&c), UNLIMITED);
    CHECK_NUMBER(container_memory_and_swap_limit(&c), UNLIMITED);
    CHECK_NUMBER(container_memory_soft_limit(&c), UNLIMITED);
    CHECK_NUMBER(container_processors(&c), HOST_PROCESSORS);
    remove_tree();
}

static void the_tightest_limit_of_all_folders_above_counts(void) {
    make_tree();
    version2("0::/tacho/run/launch\n", "/");
    write_file("/sys/fs/cgroup/tacho/memory.max", "536870912\n");
    write_file("/sys/fs/cgroup/tacho/cpu.max", "150000 100000\n");
    write_file("/sys/fs/cgroup/tacho/run/memory.max", "268435456\n");
    write_file("/sys/fs/cgroup/tacho/run/cpu.max", "max 100000\n");
    write_file("/sys/fs/cgroup/tacho/run/launch/memory.max", "max\n");
    write_file("/sys/fs/cgroup/tacho/run/launch/cpu.max", "400000 100000\n");
    struct container c = container();
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    CHECK_NUMBER(container_processors(&c), 2);
    remove_tree();
}

static void the_mounted_folder_is_the_root_that_is_seen(void) {
    make_tree();
    version2("0::/docker/4711/inner\n", "/docker/4711");
    write_file("/sys/fs/cgroup/inner/memory.max", "268435456\n");
    struct container c = container();
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    remove_tree();
}

static void a_path_of_another_namespace_means_the_mount_point(void) {
    make_tree();
    version2("0::/../../somewhere\n", "/");
    write_file("/sys/fs/cgroup/memory.max", "268435456\n");
    struct container c = container();
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    version2("0::/elsewhere\n", "/docker/4711");
    c = container();
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    remove_tree();
}

static void version1(void) {
    make_tree();
    write_file("/proc/self/cgroup", "9:memory:/docker/4711\n5:cpu,cpuacct:/docker/4711\n4:cpuset:/docker/4711\n0::/\n");
    write_file("/proc/self/mountinfo",
               "33 25 0:28 /docker/4711 /sys/fs/cgroup/memory ro,nosuid master:15 - cgroup cgroup rw,memory\n"
               "34 25 0:29 /docker/4711 /sys/fs/cgroup/cpu,cpuacct ro,nosuid - cgroup cgroup rw,cpu,cpuacct\n");
    write_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n");
    write_file("/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", "536870912\n");
    write_file("/sys/fs/cgroup/memory/memory.soft_limit_in_bytes", "9223372036854771712\n");
    write_file("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1048576\n");
    write_file("/sys/fs/cgroup/memory/memory.max_usage_in_bytes", "2097152\n");
    write_file("/sys/fs/cgroup/memory/memory.stat", "cache 8192\nrss 4096\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
    write_file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    struct container c = container();
    CHECK_TRUE(container_has_limits(&c));
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    CHECK_NUMBER(container_memory_and_swap_limit(&c), 512 * MEGABYTE);
    CHECK_NUMBER(container_memory_soft_limit(&c), UNLIMITED);
    CHECK_NUMBER(container_memory_usage(&c), MEGABYTE);
    CHECK_NUMBER(container_memory_peak(&c), 2 * MEGABYTE);
    CHECK_NUMBER(container_rss(&c), 4096);
    CHECK_NUMBER(container_cache(&c), 8192);
    CHECK_NUMBER(container_processors(&c), 2);
    remove_tree();
}

static void version1_without_limits(void) {
    make_tree();
    write_file("/proc/self/cgroup", "9:memory:/\n5:cpu:/\n");
    write_file("/proc/self/mountinfo",
               "33 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
               "34 25 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
    write_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
    write_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    struct container c = container();
    CHECK_TRUE(!container_has_limits(&c));
    CHECK_NUMBER(container_processors(&c), HOST_PROCESSORS);
    remove_tree();
}

static void hybrid_set_ups_have_each_controller_once(void) {
    make_tree();
    write_file("/proc/self/cgroup", "9:memory:/service\n0::/service\n");
    write_file("/proc/self/mountinfo",
               "33 25 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
               "35 25 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    write_file("/sys/fs/cgroup/memory/service/memory.limit_in_bytes", "268435456\n");
    write_file("/sys/fs/cgroup/unified/service/cpu.max", "200000 100000\n");
    struct container c = container();
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    CHECK_NUMBER(container_processors(&c), 2);
    remove_tree();
}

static void folders_with_spaces(void) {
    make_tree();
    write_file("/proc/self/cgroup", "0::/a b\n");
    write_file("/proc/self/mountinfo", "30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n");
    write_file("/my groups/a b/memory.max", "268435456\n");
    struct container c = container();
    CHECK_NUMBER(container_memory_limit(&c), 256 * MEGABYTE);
    remove_tree();
}

static void nonsense_is_no_limit(void) {
    make_tree();
    version2("nonsense\n\n0:\n", "/");
    write_file("/sys/fs/cgroup/memory.max", "268435456\n");
    struct container c = container();
    CHECK_NUMBER(container_memory_limit(&c), UNLIMITED);
    version2("0::/\n", "/");
    write_file("/sys/fs/cgroup/memory.max", "");
    write_file("/sys/fs/cgroup/cpu.max", "0 0\n");
    c = container();
    CHECK_NUMBER(container_memory_limit(&c), UNLIMITED);
    CHECK_NUMBER(container_processors(&c), HOST_PROCESSORS);
    remove_tree();
}

int main(void) {
    no_control_groups();
    version2_in_a_container();
    version2_without_limits();
    the_tightest_limit_of_all_folders_above_counts();
    the_mounted_folder_is_the_root_that_is_seen();
    a_path_of_another_namespace_means_the_mount_point();
    version1();
    version1_without_limits();
    hybrid_set_ups_have_each_controller_once();
    folders_with_spaces();
    nonsense_is_no_limit();
    return end_of_checks("container");
}
