/* The functions that an image asks for its limits. Unlimited is -1, unknown is -2. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "container_limits.h"

enum { INTERFACE = 240100 };
enum { NOT_CONTAINERIZED = 0, CONTAINERIZED = 1, LIBRARY_TOO_OLD = 2, LIBRARY_TOO_NEW = 3 };

/* The group and its folder are looked up once; the limits are read anew, for they can be changed
   while we run. */
static struct container container;

static int processors_allowed(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
    return (int)sysconf(_SC_NPROCESSORS_ONLN); /* more processors than the set has room for */
}

static int64_t memory_of_machine(void) {
    return (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

int svm_container_initialize(int interface) {
    if (interface != INTERFACE) {
        return interface > INTERFACE ? LIBRARY_TOO_OLD : LIBRARY_TOO_NEW;
    }
    container = container_of_this_process("", memory_of_machine(), processors_allowed());
    return container_has_limits(&container) ? CONTAINERIZED : NOT_CONTAINERIZED;
}

static int64_t limit(int64_t value) {
    return value == UNLIMITED ? -1 : value;
}

static int64_t usage(int64_t value) {
    return value == UNKNOWN ? -2 : value;
}

size_t svm_container_physical_memory(void) {
    int64_t limit = container_memory_limit(&container);
    return (size_t)(limit == UNLIMITED ? memory_of_machine() : limit);
}

int64_t svm_container_memory_limit_in_bytes(void) {
    return limit(container_memory_limit(&container));
}

int64_t svm_container_memory_and_swap_limit_in_bytes(void) {
    return limit(container_memory_and_swap_limit(&container));
}

int64_t svm_container_memory_soft_limit_in_bytes(void) {
    return limit(container_memory_soft_limit(&container));
}

int64_t svm_container_memory_usage_in_bytes(void) {
    return usage(container_memory_usage(&container));
}

int64_t svm_container_memory_max_usage_in_bytes(void) {
    return usage(container_memory_peak(&container));
}

int64_t svm_container_rss_usage_in_bytes(void) {
    return usage(container_rss(&container));
}

int64_t svm_container_cache_usage_in_bytes(void) {
    return usage(container_cache(&container));
}

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Read at most each 20 ms: programs ask often, and each reading opens files. */
int svm_container_active_processor_count(void) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t read_at;
    static int processors;
    pthread_mutex_lock(&lock);
    if (processors == 0 || milliseconds() - read_at >= 20) {
        container.host_processors = processors_allowed();
        processors = container_processors(&container);
        read_at = milliseconds();
    }
    int result = processors;
    pthread_mutex_unlock(&lock);
    return result;
}
