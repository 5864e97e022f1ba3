/*
 * How jcmd and its like reach a running image: they make a file .attach_pidN, send SIGQUIT, and
 * expect a Unix socket .java_pidN. The paths come from the image. Only the process's own user, or
 * root, is served.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* A socket that an earlier process of this number left. */
void svm_attach_startup(const char *socket_path) {
    struct stat status;
    if (lstat(socket_path, &status) == 0 && S_ISSOCK(status.st_mode)) {
        unlink(socket_path);
    }
}

void svm_attach_listener_cleanup(int listener, const char *socket_path) {
    if (listener >= 0) {
        shutdown(listener, SHUT_RDWR);
        close(listener);
    }
    if (socket_path != NULL) {
        unlink(socket_path);
    }
}

/* Whether the socket is still there: clean-ups of /tmp remove it. */
bool svm_attach_check_socket_file(const char *socket_path) {
    struct stat status;
    return stat(socket_path, &status) == 0;
}

/* Whether a tool of this user asks for the socket. */
bool svm_attach_is_init_trigger(const char *trigger_path) {
    struct stat status;
    return stat(trigger_path, &status) == 0 && (status.st_uid == geteuid() || status.st_uid == 0);
}

static bool bind_and_listen(int listener, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        return false;
    }
    strcpy(address.sun_path, path);
    unlink(path);
    return bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && chmod(path, S_IRUSR | S_IWUSR) == 0 &&
           chown(path, geteuid(), getegid()) == 0 && listen(listener, 5) == 0;
}

/* The descriptor of a listening socket of that name, or -1. It gets its name when it is ready,
   for tools wait for the file. */
int svm_attach_create_listener(const char *socket_path) {
    char early_path[PATH_MAX];
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) {
        return -1;
    }
    snprintf(early_path, sizeof early_path, "%s.tmp", socket_path);
    if (!bind_and_listen(listener, early_path) || rename(early_path, socket_path) != 0) {
        unlink(early_path);
        close(listener);
        return -1;
    }
    return listener;
}

static bool is_of_same_user(int connection) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && (peer.uid == geteuid() || peer.uid == 0);
}

/* The descriptor of the next connection, or -1 when the listener was shut down. */
int svm_attach_wait_for_request(int listener) {
    for (;;) {
        int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection >= 0 && is_of_same_user(connection)) {
            return connection;
        }
        if (connection >= 0) {
            close(connection);
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return -1;
        }
    }
}

void svm_attach_shutdown_socket(int connection) {
    shutdown(connection, SHUT_RDWR);
}
