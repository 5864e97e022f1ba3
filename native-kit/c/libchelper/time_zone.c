/*
 * The name of the system's time zone, as java.util.TimeZone wants it: from TZ, else from what
 * /etc/localtime is a link to or a copy of (localtime(5)). The caller frees it; NULL when nothing
 * is known.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "time_zone.h"

/* The part of a path below a folder named zoneinfo, or NULL. */
static const char *below_zoneinfo(const char *path) {
    const char *found = strstr(path, "/zoneinfo/");
    if (found == NULL) {
        return NULL;
    }
    found += strlen("/zoneinfo/");
    if (strncmp(found, "posix/", 6) == 0) {
        found += 6;
    }
    return found;
}

static bool same_content(const char *path, off_t size, const char *content) {
    char buffer[4096];
    off_t compared = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    size_t length;
    while ((length = fread(buffer, 1, sizeof buffer, file)) > 0 && compared + (off_t)length <= size &&
           memcmp(buffer, content + compared, length) == 0) {
        compared += (off_t)length;
    }
    fclose(file);
    return compared == size;
}

/* The first file below a folder, by name, with the given content. Written to found; true when
   there is one. */
static bool find_copy(const char *folder, off_t size, const char *content, char found[PATH_MAX]) {
    struct dirent **entries;
    bool is_found = false;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char path[PATH_MAX];
        struct stat status;
        bool passed = name[0] == '.' || strcmp(name, "localtime") == 0 || strcmp(name, "posixrules") == 0 || strcmp(name, "right") == 0;
        if (!is_found && !passed && snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && stat(path, &status) == 0) {
            if (S_ISDIR(status.st_mode)) {
                is_found = find_copy(path, size, content, found);
            } else if (S_ISREG(status.st_mode) && status.st_size == size && same_content(path, size, content)) {
                strcpy(found, path);
                is_found = true;
            }
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return is_found;
}

static char *read_whole(const char *path, off_t size) {
    char *content = malloc((size_t)size + 1);
    FILE *file = fopen(path, "r");
    size_t length = content != NULL && file != NULL ? fread(content, 1, (size_t)size, file) : 0;
    if (file != NULL) {
        fclose(file);
    }
    if ((off_t)length != size) {
        free(content);
        return NULL;
    }
    return content;
}

char *time_zone_of_system(const char *localtime, const char *zoneinfo) {
    char path[PATH_MAX];
    struct stat status;
    if (lstat(localtime, &status) != 0) {
        return NULL;
    }
    if (S_ISLNK(status.st_mode)) {
        ssize_t length = readlink(localtime, path, sizeof path - 1);
        if (length > 0) {
            path[length] = '\0';
            const char *name = below_zoneinfo(path);
            if (name != NULL) {
                return strdup(name);
            }
        }
        if (stat(localtime, &status) != 0) {
            return NULL;
        }
    }
    char *content = read_whole(localtime, status.st_size);
    bool found = content != NULL && find_copy(zoneinfo, status.st_size, content, path);
    free(content);
    return found ? strdup(path + strlen(zoneinfo) + 1) : NULL;
}

char *time_zone_of_variable(const char *tz) {
    if (*tz == ':') {
        tz++;
    }
    const char *below = *tz == '/' ? below_zoneinfo(tz) : NULL;
    if (below != NULL) {
        return strdup(below);
    }
    return strdup(strncmp(tz, "posix/", 6) == 0 ? tz + 6 : tz);
}

/* The arguments are a table for Windows and its length. */
char *SVM_FindJavaTZmd(const char *unused_mappings, int unused_length) {
    (void)unused_mappings;
    (void)unused_length;
    const char *tz = getenv("TZ");
    if (tz == NULL || *tz == '\0' || strcmp(tz, ":") == 0 || strcmp(tz, "localtime") == 0) {
        return time_zone_of_system("/etc/localtime", "/usr/share/zoneinfo");
    }
    return time_zone_of_variable(tz);
}
