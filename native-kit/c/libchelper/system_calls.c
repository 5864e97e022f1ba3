/* Functions of libc with variable arguments or macros, under fixed signatures: the letters say
   which. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int openSII(const char *path, int flags, int mode) {
    return open(path, flags, mode);
}

int openatISII(int directory, const char *path, int flags, int mode) {
    return openat(directory, path, flags, mode);
}

int fcntlII(int descriptor, int command) {
    return fcntl(descriptor, command);
}

int fprintfSD(FILE *file, const char *format, const char *text, int number) {
    return fprintf(file, format, text, number);
}

void *mremapP(void *address, size_t old_size, size_t new_size, int flags, void *new_address) {
    return mremap(address, old_size, new_size, flags, new_address);
}

int getThreadId(void) {
    return (int)syscall(SYS_gettid);
}

char **getEnviron(void) {
    return environ;
}
