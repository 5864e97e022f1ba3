/* Small trees of files in a temporary folder. */
#pragma once

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char tree[PATH_MAX];

static inline void make_tree(void) {
    snprintf(tree, sizeof tree, "%s/native-kit-test-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    if (mkdtemp(tree) == NULL) {
        perror(tree);
        exit(2);
    }
}

static inline int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static inline void remove_tree(void) {
    nftw(tree, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Writes a file below the tree, with its folders. */
static inline void write_file(const char *name, const char *content) {
    char path[PATH_MAX + 256];
    snprintf(path, sizeof path, "%s%s", tree, name);
    for (char *slash = strchr(path + strlen(tree) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(content, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}
