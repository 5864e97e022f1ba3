/*
 * What the JDK's libraries could call of a virtual machine and an image does not have. The
 * installer lists the names, from the libraries' own symbol tables, in absent_functions.inc.
 */
#include <stdio.h>
#include <stdlib.h>

#include "libjvm.h"

void jvm_function_is_absent(const char *name) {
    fprintf(stderr, "A library of the JDK called %s, which a native image made with Tacho's native kit does not have.\n", name);
    abort();
}

#define ABSENT(name)                    \
    void name(void) {                   \
        jvm_function_is_absent(#name);  \
    }
#include "absent_functions.inc"
