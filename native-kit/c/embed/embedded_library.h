/* A shared library that travels inside the executable. */
#pragma once

#include <stddef.h>

struct embedded_library {
    const char *name;
    const unsigned char *start, *end;
    struct embedded_library *const *needs; /* those that it is linked with, NULL at the end */
    void *handle;                          /* of dlopen, NULL until it is loaded */
};

/* A function of such a library, found when it is first called. */
struct embedded_function {
    struct embedded_library *library;
    const char *name;
    void **slot; /* where the trampoline jumps to */
};

/* Loads the library unless it is; ends the program, saying why, when that fails. */
void embedded_library_load(struct embedded_library *library);

/* A symbol of the library itself, not of those that it needs; NULL when it has none of that
   name. */
void *embedded_library_own_symbol(const struct embedded_library *library, const char *name);
