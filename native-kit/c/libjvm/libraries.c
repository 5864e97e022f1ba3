/* Libraries, and questions about how this one was made. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <jni.h>

#include "libjvm.h"

void *JVM_FindLibraryEntry(void *library, const char *name) {
    return dlsym(library, name);
}

void JVM_UnloadLibrary(void *library) {
    dlclose(library);
}

/* Paths are the same here and in Java. */
char *JVM_NativePath(char *path) {
    return path;
}

jboolean JVM_IsSupportedJNIVersion(jint version) {
    return version >= JNI_VERSION_1_1 && version <= JNI_VERSION_24;
}

jboolean JVM_IsStaticallyLinked(void) {
    return JNI_FALSE;
}

jboolean JVM_IsUseContainerSupport(void) {
    return JNI_TRUE;
}

jboolean JVM_IsPreviewEnabled(void) {
    return JNI_FALSE;
}

/* Where monitoring files are: jcmd and jstat look there. */
jstring JVM_GetTemporaryDirectory(JNIEnv *env) {
    return (*env)->NewStringUTF(env, "/tmp");
}
