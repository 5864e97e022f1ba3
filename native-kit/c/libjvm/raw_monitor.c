/* Locks that native code of the JDK takes: they may be entered again by the thread that holds
   them. */
#define _GNU_SOURCE
#include <jni.h>
#include <pthread.h>
#include <stdlib.h>

#include "libjvm.h"

void *JVM_RawMonitorCreate(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t *monitor = malloc(sizeof *monitor);
    if (monitor != NULL) {
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
        pthread_mutex_init(monitor, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    return monitor;
}

void JVM_RawMonitorDestroy(void *monitor) {
    pthread_mutex_destroy(monitor);
    free(monitor);
}

jint JVM_RawMonitorEnter(void *monitor) {
    return pthread_mutex_lock(monitor);
}

void JVM_RawMonitorExit(void *monitor) {
    pthread_mutex_unlock(monitor);
}
