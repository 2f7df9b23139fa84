/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* system.h for POSIX. */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "system.h"

double system_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint32_t system_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (uint32_t)count;
}

uint64_t system_memory(void)
{
#if defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
#else
    return 0;
#endif
}

bool system_has_terminal(void)
{
    return isatty(STDERR_FILENO) != 0;
}

static mode_t output_mask; /* of the process: it can't be asked for without being set */

void system_prepare_output(void)
{
    output_mask = umask(0);
    umask(output_mask);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    /* A file that is opened takes the lowest number that is free. Reading from and writing to these
     * fails, as if nothing were there. */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) == -1 &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) {
            _exit(EXIT_FAILURE);
        }
    }
}

bool system_is_unread(int error)
{
    return error == EPIPE;
}

/* ---- Interrupts ------------------------------------------------------------------------------ */

static bool (*interrupt_ask)(void);

static void system_on_signal(int number)
{
    const int kept = errno;
    if (!interrupt_ask()) {
        signal(number, SIG_DFL);
        raise(number); /* once this handler returns */
    }
    errno = kept;
}

void system_catch_interrupts(bool (*ask)(void))
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = system_on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    interrupt_ask = ask;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        /* nohup wants that we don't hear of hanging up. */
        if (numbers[i] != SIGHUP ||
            (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

/* ---- Files ----------------------------------------------------------------------------------- */

bool system_is_separator(char letter)
{
    return letter == '/';
}

char *system_link(const char *path)
{
    char name[4096];
    const ssize_t size = readlink(path, name, sizeof name - 1);
    errno = 0;
    if (size < 0) {
        return NULL; /* no link, or nothing there */
    }
    name[size] = '\0';
    return strdup(name);
}

bool system_identity(const char *path, uint64_t identity[2])
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return false;
    }
    identity[0] = (uint64_t)status.st_dev;
    identity[1] = (uint64_t)status.st_ino;
    return true;
}

/* mkstemp leaves a file to its owner alone; a new file's rights are the user's choice, and a file
 * that replaces another one has that one's. Its group's are no other group's. */
static void system_set_rights(int descriptor, const char *replaced)
{
    struct stat own, other;
    mode_t rights = 0666 & ~output_mask;
    if (fstat(descriptor, &own) == 0 && stat(replaced, &other) == 0) {
        const bool is_mine = own.st_uid == other.st_uid && own.st_gid == other.st_gid;
        rights = other.st_mode & 0777;
        if (!is_mine && fchown(descriptor, other.st_uid, other.st_gid) != 0 &&
            fchown(descriptor, own.st_uid, other.st_gid) != 0) {
            rights = (rights & 0707) | (rights & 0007) << 3;
        }
    }
    fchmod(descriptor, rights);
}

FILE *system_create(char *name, const char *replaced)
{
    const int descriptor = mkstemp(name);
    if (descriptor < 0) {
        return NULL;
    }
    system_set_rights(descriptor, replaced);
    FILE *file = fdopen(descriptor, "w+b");
    if (file == NULL) {
        const int kept = errno;
        close(descriptor);
        unlink(name);
        errno = kept;
    }
    return file;
}

bool system_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}
