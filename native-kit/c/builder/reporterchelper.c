/* Two things that the builder prints while it builds. */
#include <jni.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Bytes; -1 when the kernel does not say. */
JNIEXPORT jlong JNICALL Java_com_oracle_svm_hosted_ProgressReporterCHelper_getPeakRSS0(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (jlong)usage.ru_maxrss * 1024 : -1;
}

/* -1 when standard output is no terminal. */
JNIEXPORT jint JNICALL Java_com_oracle_svm_hosted_ProgressReporterCHelper_getTerminalWindowColumns0(JNIEnv *env, jclass type) {
    (void)env;
    (void)type;
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : -1;
}
