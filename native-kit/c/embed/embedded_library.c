/*
 * Loads a library from the executable's own memory: it is written into a file that only exists in
 * memory (memfd_create(2)), and opened from there. Where such files may not be executed
 * (vm.memfd_noexec, some seccomp profiles) it is written into $TMPDIR and unlinked at once. The
 * loader matches what a library needs with the DT_SONAME of those that are loaded, so those come
 * first.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "embedded_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

static void fail(const char *name, const char *what, const char *why) {
    fprintf(stderr, "This native image cannot %s %s, which it carries: %s\n", what, name, why);
    abort();
}

static bool write_library(int descriptor, const struct embedded_library *library) {
    const unsigned char *at = library->start;
    while (at < library->end) {
        ssize_t written = write(descriptor, at, (size_t)(library->end - at));
        if (written <= 0) {
            return false;
        }
        at += written;
    }
    return true;
}

/*
 * The loader takes a path that it has seen for the same library, and the number of a closed
 * descriptor is soon given anew: so the path has one "./" more each time.
 */
static void *open_from(int descriptor, const struct embedded_library *library) {
    static int opened;
    char path[256], *end = path;
    void *handle = NULL;
    if (descriptor < 0) {
        return NULL;
    }
    end += sprintf(end, "/proc/self/fd/");
    for (int i = 0; i < opened && i < 64; i++) {
        end += sprintf(end, "./");
    }
    sprintf(end, "%d", descriptor);
    opened++;
    if (write_library(descriptor, library)) {
        handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
    close(descriptor);
    return handle;
}

static int unlinked_file(void) {
    char path[4096];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/native-image-XXXXXX", folder != NULL && *folder != '\0' ? folder : "/tmp");
    int descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) {
        unlink(path);
    }
    return descriptor;
}

static void load(struct embedded_library *library) {
    if (library->handle != NULL) {
        return;
    }
    for (struct embedded_library *const *needed = library->needs; *needed != NULL; needed++) {
        load(*needed);
    }
    library->handle = open_from(memfd_create(library->name, MFD_CLOEXEC), library);
    if (library->handle == NULL) {
        library->handle = open_from(unlinked_file(), library);
    }
    if (library->handle == NULL) {
        const char *why = dlerror();
        fail(library->name, "load", why != NULL ? why : "neither memory nor TMPDIR takes it");
    }
}

void embedded_library_load(struct embedded_library *library) {
    pthread_mutex_lock(&loading);
    load(library);
    pthread_mutex_unlock(&loading);
}

void *embedded_library_own_symbol(const struct embedded_library *library, const char *name) {
    struct link_map *map;
    Dl_info info;
    void *address = dlsym(library->handle, name);
    bool is_own = address != NULL && dlinfo(library->handle, RTLD_DI_LINKMAP, &map) == 0 && dladdr(address, &info) != 0 &&
                  (uintptr_t)info.dli_fbase == (uintptr_t)map->l_addr;
    return is_own ? address : NULL;
}

/* Called by the trampolines. */
void *embedded_function_resolve(const struct embedded_function *function) {
    embedded_library_load(function->library);
    void *address = dlsym(function->library->handle, function->name);
    if (address == NULL) {
        fail(function->name, "find", dlerror());
    }
    __atomic_store_n(function->slot, address, __ATOMIC_RELEASE);
    return address;
}
