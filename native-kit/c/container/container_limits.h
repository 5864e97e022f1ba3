/* What the control group leaves this process: memory and processors. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "control_group.h"

struct container {
    struct control_group groups[CONTROLLERS];
    int64_t host_memory;
    int host_processors; /* those that sched_setaffinity and cpusets leave */
};

/* root is "" but in tests. */
struct container container_of_this_process(const char *root, int64_t host_memory, int host_processors);

bool container_has_limits(const struct container *container);

/* In bytes; UNLIMITED when there is no limit below what the machine has. */
int64_t container_memory_limit(const struct container *container);
int64_t container_memory_and_swap_limit(const struct container *container);
int64_t container_memory_soft_limit(const struct container *container);

/* In bytes; UNKNOWN when the kernel does not say. */
int64_t container_memory_usage(const struct container *container);
int64_t container_memory_peak(const struct container *container);
int64_t container_rss(const struct container *container);
int64_t container_cache(const struct container *container);

/* At least 1: the quota, rounded up, but not more than the processors that may be used. */
int container_processors(const struct container *container);
