/* The time that a thread spent in user mode. The kernel keeps it in clock ticks only: fields 14
   of proc(5), /proc/PID/task/TID/stat. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int64_t getThreadUserTimeSlow(int thread) {
    char path[64], line[1024];
    unsigned long ticks;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return -1;
    }
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    /* The second field is the thread's name in brackets and may hold anything, so count from the
       last bracket. */
    const char *rest = strrchr(line, ')');
    if (rest == NULL || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu", &ticks) != 1) {
        return -1;
    }
    return (int64_t)ticks * (1000000000 / sysconf(_SC_CLK_TCK));
}
