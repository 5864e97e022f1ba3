/* Opens the shared library in $1 with RTLD_LOCAL, as plug-ins are opened, so that nothing of it
   is visible to libraries that it opens itself. */
#include <dlfcn.h>
#include <stdio.h>

typedef void isolate_thread;

static void *library;

static void *function(const char *name) {
    void *address = dlsym(library, name);
    if (address == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    }
    return address;
}

int main(int count, char **words) {
    void *isolate;
    isolate_thread *thread;
    library = count == 2 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (library == NULL) {
        fprintf(stderr, "%s\n", count == 2 ? dlerror() : "usage: caller LIBRARY");
        return 2;
    }
    int (*create)(void *, void **, isolate_thread **) = function("graal_create_isolate");
    int (*size)(isolate_thread *) = function("library_size_of_this_process_command");
    int (*loopback)(isolate_thread *) = function("library_first_byte_of_loopback");
    long (*checksum)(isolate_thread *, int) = function("library_checksum");
    int (*tear_down)(isolate_thread *) = function("graal_tear_down_isolate");
    if (create == NULL || size == NULL || loopback == NULL || checksum == NULL || tear_down == NULL || create(NULL, &isolate, &thread) != 0) {
        return 1;
    }
    printf("%d %d %lx\n", size(thread), loopback(thread), checksum(thread, 'a'));
    return tear_down(thread);
}
