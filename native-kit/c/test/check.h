/* The least that a test program needs: what does not hold is printed with its place, and the
   program fails. */
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, failures;

#define CHECK_TRUE(condition)                                                      \
    do {                                                                           \
        checks++;                                                                  \
        if (!(condition)) {                                                        \
            failures++;                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);        \
        }                                                                          \
    } while (0)

#define CHECK_NUMBER(actual, expected)                                             \
    do {                                                                           \
        int64_t is = (int64_t)(actual), wanted = (int64_t)(expected);              \
        checks++;                                                                  \
        if (is != wanted) {                                                        \
            failures++;                                                            \
            fprintf(stderr, "%s:%d: %s is %" PRId64 ", not %" PRId64 "\n", __FILE__, __LINE__, #actual, is, wanted); \
        }                                                                          \
    } while (0)

#define CHECK_TEXT(actual, expected)                                               \
    do {                                                                           \
        const char *is = (actual), *wanted = (expected);                           \
        checks++;                                                                  \
        if (is == NULL || wanted == NULL ? is != wanted : strcmp(is, wanted) != 0) { \
            failures++;                                                            \
            fprintf(stderr, "%s:%d: %s is %s, not %s\n", __FILE__, __LINE__, #actual, is ? is : "NULL", wanted ? wanted : "NULL"); \
        }                                                                          \
    } while (0)

static inline int end_of_checks(const char *program) {
    printf("%s: %d checks, %d failed\n", program, checks, failures);
    return failures > 0;
}
