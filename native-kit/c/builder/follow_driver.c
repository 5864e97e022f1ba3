/*
 * Ends the builder when its driver ends, however that came: a driver that is killed cannot tell it,
 * and a builder that nobody waits for would go on for minutes with gigabytes. An agent of its JVM,
 * so that it is there from the start: -agentpath:FILE=PID_OF_THE_DRIVER. The signal comes when the
 * driver's thread ends that started the builder (prctl(2), PR_SET_PDEATHSIG), which is its main
 * thread.
 */
#include <jni.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *driver, void *reserved) {
    (void)vm;
    (void)reserved;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (driver != NULL && getppid() != atoi(driver)) { /* it ended before the line above */
        raise(SIGKILL);
    }
    return JNI_OK;
}
