/*
 * The table of functions that the JDK's management libraries fetch when they are loaded. An image
 * answers the questions about itself in Java, so that only the version is ever asked; a call of any
 * other function ends the program and says so.
 */
#include <jni.h>

#include "libjvm.h"

enum { RESERVED = 2, FUNCTIONS = 64 };

static jint version_asked;

static jint version(JNIEnv *env) {
    (void)env;
    return version_asked;
}

static void absent_function(void) {
    jvm_function_is_absent("a function of JVM_GetManagement's table");
}

static void *table[RESERVED + FUNCTIONS];

void *JVM_GetManagement(jint version_wanted) {
    version_asked = version_wanted;
    for (int i = RESERVED; i < RESERVED + FUNCTIONS; i++) {
        table[i] = (void *)absent_function;
    }
    table[RESERVED] = (void *)version;
    return table;
}
