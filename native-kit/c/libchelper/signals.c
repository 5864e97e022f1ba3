/*
 * Signals on their way to Java handlers. The handler may only count and post, as signal-safety(7)
 * demands; a Java thread waits on the semaphore and asks which signal it was. There is one set a
 * process: the first isolate has it.
 */
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int pending[_NSIG];
static sem_t arrived;
static atomic_bool opened;

static void count_and_post(int signal) {
    int saved = errno;
    atomic_fetch_add(&pending[signal], 1);
    sem_post(&arrived);
    errno = saved;
}

int cSunMiscSignal_open(void) {
    if (atomic_exchange(&opened, true)) {
        errno = EBUSY;
        return -1;
    }
    return sem_init(&arrived, 0, 0);
}

int cSunMiscSignal_close(void) {
    if (!atomic_exchange(&opened, false)) {
        errno = EBADF;
        return -1;
    }
    return sem_destroy(&arrived);
}

int cSunMiscSignal_awaitSemaphore(void) {
    int result;
    do {
        result = sem_wait(&arrived);
    } while (result != 0 && errno == EINTR);
    return result;
}

int cSunMiscSignal_signalSemaphore(void) {
    return sem_post(&arrived);
}

bool cSunMiscSignal_signalRangeCheck(int signal) {
    return signal > 0 && signal < _NSIG;
}

/* The number of a signal that arrived and has not been asked for, or -1. */
int cSunMiscSignal_checkPendingSignal(void) {
    for (int signal = 1; signal < _NSIG; signal++) {
        int count = atomic_load(&pending[signal]);
        while (count > 0) {
            if (atomic_compare_exchange_weak(&pending[signal], &count, count - 1)) {
                return signal;
            }
        }
    }
    return -1;
}

void (*cSunMiscSignal_signalHandlerFunctionPointer(void))(int) {
    return count_and_post;
}
