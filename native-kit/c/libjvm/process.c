/* The process, its clock and its processors. */
#define _GNU_SOURCE
#include <jni.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libjvm.h"

/* The image calls it before it uses anything else here. */
void initialize(void) {}

jint JVM_ActiveProcessorCount(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (jint)sysconf(_SC_NPROCESSORS_ONLN);
}

static struct timespec now(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now;
}

jlong JVM_CurrentTimeMillis(JNIEnv *env, jclass ignored) {
    (void)env;
    (void)ignored;
    struct timespec time = now(CLOCK_REALTIME);
    return (jlong)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

jlong JVM_NanoTime(JNIEnv *env, jclass ignored) {
    (void)env;
    (void)ignored;
    struct timespec time = now(CLOCK_MONOTONIC);
    return (jlong)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Nanoseconds from a second given by the caller to now, -1 when they are more than 2^32 seconds apart (java.time.Clock). */
jlong JVM_GetNanoTimeAdjustment(JNIEnv *env, jclass ignored, jlong second) {
    (void)env;
    (void)ignored;
    struct timespec time = now(CLOCK_REALTIME);
    jlong difference = (jlong)time.tv_sec - second;
    return difference > -(1LL << 32) && difference < 1LL << 32 ? difference * 1000000000 + time.tv_nsec : -1;
}

void JVM_Yield(JNIEnv *env, jclass ignored) {
    (void)env;
    (void)ignored;
    sched_yield();
}

void JVM_BeforeHalt(void) {}

void JVM_Halt(jint code) {
    exit(code);
}

/* A signal's number by its name without SIG, -1 when there is none. */
jint JVM_FindSignal(const char *name) {
    for (int signal = 1; signal < NSIG; signal++) {
        const char *abbreviation = sigabbrev_np(signal);
        if (abbreviation != NULL && strcmp(abbreviation, name) == 0) {
            return signal;
        }
    }
    return -1;
}

jboolean JVM_RaiseSignal(jint signal) {
    return raise(signal) == 0;
}
