/*
 * Control groups as cgroups(7), proc_pid_cgroup(5), proc_pid_mountinfo(5) and the kernel's
 * Documentation/admin-guide/cgroup-v2.rst describe them.
 */
#include "control_group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const NAMES[CONTROLLERS] = {[CONTROLLER_MEMORY] = "memory", [CONTROLLER_CPU] = "cpu"};

/* Whether a word is among those of a list that commas separate. */
static bool is_listed(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at != NULL; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0' || at[length] == '\n')) {
            return true;
        }
    }
    return false;
}

/* The path of this process in a hierarchy: the line "ID:controllers:path" of a controller, or
   "0::path" of version 2. */
static bool path_in_hierarchy(const char *root, const char *controller, char path[PATH_MAX]) {
    char file_name[PATH_MAX], line[PATH_MAX + 256];
    bool found = false;
    snprintf(file_name, sizeof file_name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(file_name, "re");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        char *controllers = strchr(line, ':');
        char *at = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (at == NULL) {
            continue;
        }
        *at++ = '\0';
        controllers++;
        at[strcspn(at, "\n")] = '\0';
        if (controller == NULL ? strncmp(line, "0:", 2) == 0 && *controllers == '\0' : is_listed(controllers, controller)) {
            found = snprintf(path, PATH_MAX, "%s", at) < PATH_MAX;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

/* mountinfo writes space, tab, newline and backslash as \ooo. */
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] != '\0' && from[3] != '\0') {
            *to++ = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
            from += 3;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

/*
 * Where a hierarchy is mounted, and which of its folders is seen there: fields 4 and 5 of the line
 * whose type is cgroup2, or cgroup with the controller among the superblock's options.
 */
static bool find_mount(const char *root, const char *controller, char mount_root[PATH_MAX], char mount_point[PATH_MAX]) {
    char file_name[PATH_MAX], line[3 * PATH_MAX], type[64], options[1024];
    bool found = false;
    snprintf(file_name, sizeof file_name, "%s/proc/self/mountinfo", root);
    FILE *file = fopen(file_name, "re");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        const char *tail = strstr(line, " - ");
        if (tail == NULL || sscanf(tail, " - %63s %*s %1023s", type, options) != 2 ||
            sscanf(line, "%*d %*d %*s %4095s %4095s", mount_root, mount_point) != 2) {
            continue;
        }
        found = controller == NULL ? strcmp(type, "cgroup2") == 0 : strcmp(type, "cgroup") == 0 && is_listed(options, controller);
    }
    if (file != NULL) {
        fclose(file);
    }
    unescape(mount_root);
    unescape(mount_point);
    return found;
}

/*
 * The part of a process's path that is below the folder which is mounted. In a container the path
 * may not be below it (another namespace's view, or "/../.."): then the mount point is the
 * process's own group.
 */
static const char *below_mount(const char *mount_root, const char *path) {
    size_t length = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
    bool is_below = strncmp(path, mount_root, length) == 0 && (path[length] == '/' || path[length] == '\0');
    if (!is_below || strstr(path, "/..") != NULL || strcmp(path + length, "/") == 0) {
        return "";
    }
    return path + length;
}

static struct control_group find_group(const char *root, const char *controller, int version) {
    struct control_group group = {0};
    char path[PATH_MAX], mount_root[PATH_MAX] = "", mount_point[PATH_MAX] = "";
    const char *wanted = version == 2 ? NULL : controller;
    if (path_in_hierarchy(root, wanted, path) && find_mount(root, wanted, mount_root, mount_point)) {
        const char *below = below_mount(mount_root, path);
        if (snprintf(group.mount_point, PATH_MAX, "%s%s", root, mount_point) < PATH_MAX &&
            snprintf(group.folder, PATH_MAX, "%s%s%s", root, mount_point, below) < PATH_MAX) {
            group.version = version;
        }
    }
    return group;
}

void control_groups_of_this_process(const char *root, struct control_group groups[CONTROLLERS]) {
    for (int i = 0; i < CONTROLLERS; i++) {
        groups[i] = find_group(root, NAMES[i], 1); /* in a hybrid set-up a controller is in one version only, and then it is version 1 */
        if (groups[i].version == 0) {
            groups[i] = find_group(root, NAMES[i], 2);
        }
    }
}

static FILE *open_in(const char *folder, const char *name) {
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "re");
}

static int64_t number_in(const char *folder, const char *name) {
    char text[64];
    int64_t number = UNKNOWN;
    FILE *file = open_in(folder, name);
    if (file != NULL) {
        if (fscanf(file, "%63s", text) == 1) {
            number = strcmp(text, "max") == 0 ? UNLIMITED : strtoll(text, NULL, 10);
        }
        fclose(file);
    }
    return number;
}

int64_t control_group_number(const struct control_group *group, const char *file) {
    return group->version == 0 ? UNKNOWN : number_in(group->folder, file);
}

/* Cuts the last name off a path; false when it is the mount point already. */
static bool go_up(const struct control_group *group, char folder[PATH_MAX]) {
    if (strlen(folder) <= strlen(group->mount_point)) {
        return false;
    }
    *strrchr(folder, '/') = '\0';
    return true;
}

int64_t control_group_least(const struct control_group *group, const char *file) {
    char folder[PATH_MAX];
    int64_t least = UNLIMITED;
    if (group->version == 0) {
        return least;
    }
    strcpy(folder, group->folder);
    do {
        int64_t number = number_in(folder, file);
        if (number >= 0 && number < least) {
            least = number;
        }
    } while (go_up(group, folder));
    return least;
}

int64_t control_group_entry(const struct control_group *group, const char *file, const char *word) {
    char name[128];
    long long number;
    int64_t result = UNKNOWN;
    FILE *open = group->version == 0 ? NULL : open_in(group->folder, file);
    while (open != NULL && fscanf(open, "%127s %lld", name, &number) == 2) {
        if (strcmp(name, word) == 0) {
            result = number;
            break;
        }
    }
    if (open != NULL) {
        fclose(open);
    }
    return result;
}

/* quota / period of one folder: version 2 has both in cpu.max, where the quota may be "max";
   version 1 has -1 for none. */
static double processors_in(const struct control_group *group, const char *folder) {
    long long quota = -1, period = 0;
    if (group->version == 1) {
        quota = number_in(folder, "cpu.cfs_quota_us");
        period = number_in(folder, "cpu.cfs_period_us");
    } else {
        FILE *file = open_in(folder, "cpu.max");
        if (file != NULL) {
            if (fscanf(file, "%lld %lld", &quota, &period) != 2) {
                quota = -1;
            }
            fclose(file);
        }
    }
    return quota > 0 && period > 0 ? (double)quota / (double)period : 0;
}

double control_group_processors(const struct control_group *group) {
    char folder[PATH_MAX];
    double least = 0;
    if (group->version == 0) {
        return least;
    }
    strcpy(folder, group->folder);
    do {
        double processors = processors_in(group, folder);
        if (processors > 0 && (least == 0 || processors < least)) {
            least = processors;
        }
    } while (go_up(group, folder));
    return least;
}
