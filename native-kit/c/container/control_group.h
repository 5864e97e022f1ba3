/* The control group of this process: where its files are, and what they say. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define UNLIMITED INT64_MAX
#define UNKNOWN (-1)

enum controller { CONTROLLER_MEMORY, CONTROLLER_CPU, CONTROLLERS };

/* A controller's folder for this process. Limits of the folders above it, up to the mount point,
   count as well. */
struct control_group {
    int version; /* 2, 1, or 0: there is none */
    char mount_point[PATH_MAX];
    char folder[PATH_MAX];
};

/* Reads root/proc/self/cgroup and root/proc/self/mountinfo; root is "" but in tests. */
void control_groups_of_this_process(const char *root, struct control_group groups[CONTROLLERS]);

/* A number in a file of the group's own folder: UNLIMITED for "max", UNKNOWN when there is no
   such file. */
int64_t control_group_number(const struct control_group *group, const char *file);

/* The least of the numbers in that file from the group's folder up to the mount point; UNLIMITED
   when none is set. */
int64_t control_group_least(const struct control_group *group, const char *file);

/* The number after a word at the beginning of a line, as in memory.stat; UNKNOWN when there is
   none. */
int64_t control_group_entry(const struct control_group *group, const char *file, const char *word);

/* The least of quota / period from the group's folder up to the mount point, in processors; 0
   when none is set. */
double control_group_processors(const struct control_group *group);
