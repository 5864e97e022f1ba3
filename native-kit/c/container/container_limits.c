#include "container_limits.h"

#include <math.h>

struct container container_of_this_process(const char *root, int64_t host_memory, int host_processors) {
    struct container container = {.host_memory = host_memory, .host_processors = host_processors};
    control_groups_of_this_process(root, container.groups);
    return container;
}

static const struct control_group *memory_group(const struct container *container) {
    return &container->groups[CONTROLLER_MEMORY];
}

static const char *name_by_version(const struct control_group *group, const char *version1, const char *version2) {
    return group->version == 1 ? version1 : version2;
}

/* Version 1 writes "no limit" as a number of bytes that no machine has. */
static int64_t limit_below(int64_t limit, int64_t host) {
    return limit < host ? limit : UNLIMITED;
}

int64_t container_memory_limit(const struct container *container) {
    const struct control_group *group = memory_group(container);
    int64_t limit = control_group_least(group, name_by_version(group, "memory.limit_in_bytes", "memory.max"));
    return limit_below(limit, container->host_memory);
}

int64_t container_memory_and_swap_limit(const struct container *container) {
    const struct control_group *group = memory_group(container);
    if (group->version == 1) {
        return limit_below(control_group_least(group, "memory.memsw.limit_in_bytes"), container->host_memory);
    }
    int64_t memory = container_memory_limit(container), swap = control_group_least(group, "memory.swap.max");
    return memory == UNLIMITED || swap == UNLIMITED ? UNLIMITED : memory + swap;
}

int64_t container_memory_soft_limit(const struct container *container) {
    const struct control_group *group = memory_group(container);
    if (group->version == 1) {
        return limit_below(control_group_least(group, "memory.soft_limit_in_bytes"), container->host_memory);
    }
    int64_t low = control_group_number(group, "memory.low");
    return low > 0 ? limit_below(low, container->host_memory) : UNLIMITED;
}

int64_t container_memory_usage(const struct container *container) {
    const struct control_group *group = memory_group(container);
    return control_group_number(group, name_by_version(group, "memory.usage_in_bytes", "memory.current"));
}

int64_t container_memory_peak(const struct container *container) {
    const struct control_group *group = memory_group(container);
    return control_group_number(group, name_by_version(group, "memory.max_usage_in_bytes", "memory.peak"));
}

int64_t container_rss(const struct container *container) {
    const struct control_group *group = memory_group(container);
    return control_group_entry(group, "memory.stat", name_by_version(group, "rss", "anon"));
}

int64_t container_cache(const struct container *container) {
    const struct control_group *group = memory_group(container);
    return control_group_entry(group, "memory.stat", name_by_version(group, "cache", "file"));
}

int container_processors(const struct container *container) {
    double quota = control_group_processors(&container->groups[CONTROLLER_CPU]);
    int processors = quota > 0 && ceil(quota) < container->host_processors ? (int)ceil(quota) : container->host_processors;
    return processors > 0 ? processors : 1;
}

bool container_has_limits(const struct container *container) {
    return container_memory_limit(container) != UNLIMITED || control_group_processors(&container->groups[CONTROLLER_CPU]) > 0;
}
