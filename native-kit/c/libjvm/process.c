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

/* signal(7) */
#define SIGNAL(name) {#name, SIG##name}
static const struct {
    const char *name;
    int number;
} SIGNALS[] = {
    SIGNAL(ABRT), SIGNAL(ALRM), SIGNAL(BUS), SIGNAL(CHLD), SIGNAL(CONT), SIGNAL(FPE), SIGNAL(HUP), SIGNAL(ILL),
    SIGNAL(INT), SIGNAL(IO), SIGNAL(KILL), SIGNAL(PIPE), SIGNAL(POLL), SIGNAL(PROF), SIGNAL(PWR), SIGNAL(QUIT),
    SIGNAL(SEGV), SIGNAL(STKFLT), SIGNAL(STOP), SIGNAL(SYS), SIGNAL(TERM), SIGNAL(TRAP), SIGNAL(TSTP), SIGNAL(TTIN),
    SIGNAL(TTOU), SIGNAL(URG), SIGNAL(USR1), SIGNAL(USR2), SIGNAL(VTALRM), SIGNAL(WINCH), SIGNAL(XCPU), SIGNAL(XFSZ),
};

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

/* Nanoseconds from a second given by the caller to now, -1 when they are more than 2^32 seconds
   apart (java.time.Clock). */
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
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) {
        if (strcmp(SIGNALS[i].name, name) == 0) {
            return SIGNALS[i].number;
        }
    }
    return -1;
}

jboolean JVM_RaiseSignal(jint signal) {
    return raise(signal) == 0;
}
