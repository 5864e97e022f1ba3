/*
 * JNI_OnLoad_NAME of a library that counts as built into the executable. It must report JNI 1.8 or
 * later (JNI specification, "Library and Version Management"); the JDK's own libraries, made to be
 * loaded as files, report less, and some have no JNI_OnLoad.
 */
#include <jni.h>

#include "embedded_library.h"

#define JOIN(left, right) left##right
#define EMBEDDED(name) JOIN(embedded_, name)
#define ON_LOAD(name) JOIN(JNI_OnLoad_, name)

extern struct embedded_library EMBEDDED(LIBRARY) __attribute__((visibility("hidden")));

JNIEXPORT jint JNICALL ON_LOAD(LIBRARY)(JavaVM *vm, void *reserved) {
    embedded_library_load(&EMBEDDED(LIBRARY));
    jint (*on_load)(JavaVM *, void *) = (jint(*)(JavaVM *, void *))embedded_library_own_symbol(&EMBEDDED(LIBRARY), "JNI_OnLoad");
    jint version = on_load != NULL ? on_load(vm, reserved) : JNI_VERSION_1_8;
    return version == JNI_ERR || version > JNI_VERSION_1_8 ? version : JNI_VERSION_1_8;
}
