/*
 * Whether this processor has what an image was built for. The image keeps a mask with a byte for
 * each byte of struct CPUFeatures: 0xfe where it needs the feature, 0xff where it does not, so that
 * mask | features is 0xff everywhere on a processor that will do.
 */
#include "cpu_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
#define NAME(name) #name,
    CPU_FEATURES(NAME)
};

int cpu_features_missing(const char *mask, const CPUFeatures *features, char *names, size_t size) {
    int missing = 0;
    size_t length = 0;
    for (size_t i = 0; i < sizeof *features; i++) {
        if ((unsigned char)(mask[i] | ((const char *)features)[i]) != 0xff) {
            int written = snprintf(names + length, size - length, "%s%s", missing > 0 ? ", " : "", NAMES[i]);
            length = written > 0 && length + (size_t)written < size ? length + (size_t)written : size - 1;
            missing++;
        }
    }
    return missing;
}

/* 0 when the processor will do. */
int checkCPUFeatures(const char *mask) {
    CPUFeatures features;
    char names[1024] = "";
    determineCPUFeatures(&features);
    return cpu_features_missing(mask, &features, names, sizeof names) > 0;
}

int checkCPUFeaturesOrExit(const char *mask, const char *message) {
    CPUFeatures features;
    char names[1024] = "";
    determineCPUFeatures(&features);
    if (cpu_features_missing(mask, &features, names, sizeof names) > 0) {
        fprintf(stderr, "%s%s", message, strchr(message, '\n') == NULL ? "\n" : "");
        fprintf(stderr, "This processor lacks %s.\n", names);
        exit(1);
    }
    return 0;
}
