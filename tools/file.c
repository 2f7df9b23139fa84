/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "file.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system.h"
#include "tool.h"

FILE *file_open(const char *path, uint64_t *size)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        tool_fail(TOOL_BAD_INPUT, "%s: is %s, expected a file", path,
                  S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        tool_fail(TOOL_BAD_INPUT, "%s: can't be read: %s", path, strerror(errno));
        if (file != NULL) {
            fclose(file);
        }
        return NULL;
    }
    *size = (uint64_t)status.st_size;
    return file;
}

/* Reads up to the end, wherever that is. */
static int file_read(FILE *file, const char *name, uint64_t most, char **data, size_t *size)
{
    size_t room = 4096;
    *size = 0;
    do {
        char *grown = realloc(*data, room *= 2);
        if (grown == NULL) {
            return tool_fail(TOOL_TROUBLE, "%s: no memory for %llu bytes", name,
                             (unsigned long long)room);
        }
        *data = grown;
        *size += fread(*data + *size, 1, room - *size, file);
    } while (*size == room && room <= most);
    if (ferror(file)) {
        return tool_fail(TOOL_BAD_INPUT, "%s: can't be read: %s", name, strerror(errno));
    }
    if (*size > most) {
        return tool_fail(TOOL_BAD_INPUT, "%s: has more than %llu bytes", name,
                         (unsigned long long)most);
    }
    return TOOL_SUCCESS;
}

/* Where missing files are no failure, *data stays NULL. */
static int file_read_named(const char *path, bool missing, uint64_t most, char **data, size_t *size)
{
    FILE *file = fopen(path, "rb");
    *data = NULL;
    if (file == NULL) {
        return missing && errno == ENOENT
                   ? TOOL_SUCCESS
                   : tool_fail(TOOL_BAD_INPUT, "%s: can't be read: %s", path, strerror(errno));
    }
    const int code = file_read(file, path, most, data, size);
    fclose(file);
    return code;
}

int file_read_all(const char *path, uint64_t most, char **data, size_t *size)
{
    *data = NULL;
    return strcmp(path, "-") == 0 ? file_read(stdin, "standard input", most, data, size)
                                  : file_read_named(path, false, most, data, size);
}

int file_read_if_there(const char *path, uint64_t most, char **data, size_t *size)
{
    return file_read_named(path, true, most, data, size);
}

/* ---- Where a path leads ---------------------------------------------------------------------- */

/* Behind the last separator. */
static const char *file_name(const char *path)
{
    const char *name = path;
    for (; *path != '\0'; path++) {
        name = system_is_separator(*path) ? path + 1 : name;
    }
    return name;
}

/* `name` in the folder of `path`, or `name` itself if it is absolute. NULL: no memory. */
static char *file_beside(const char *path, const char *name)
{
    const size_t folder = system_is_separator(name[0]) ? 0 : (size_t)(file_name(path) - path);
    char *joined = malloc(folder + strlen(name) + 1);
    if (joined != NULL) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, name, strlen(name) + 1);
    }
    return joined;
}

/* Follows symbolic links, to files that need not exist. NULL: no memory, or links in a circle. */
static char *file_resolve(const char *path)
{
    char *place = strdup(path);
    for (int links = 0; place != NULL; links++) {
        char *name = system_link(place);
        if (name == NULL && errno == 0) {
            return place;
        }
        char *next = name != NULL ? file_beside(place, name) : NULL;
        free(name);
        free(place);
        place = next;
        if (links == 40) {
            free(place);
            errno = ELOOP;
            return NULL;
        }
    }
    return NULL;
}

static bool file_is_same_place(const char *a, const char *b)
{
    uint64_t one[2], other[2];
    const bool exists_a = system_identity(a, one), exists_b = system_identity(b, other);
    if (exists_a || exists_b) {
        return exists_a && exists_b && memcmp(one, other, sizeof one) == 0;
    }
    char *folder_a = file_beside(a, "."), *folder_b = file_beside(b, ".");
    const bool same = strcmp(file_name(a), file_name(b)) == 0;
    const bool beside = folder_a != NULL && folder_b != NULL && system_identity(folder_a, one) &&
                        system_identity(folder_b, other) && memcmp(one, other, sizeof one) == 0;
    free(folder_a);
    free(folder_b);
    return same && beside;
}

/* Only a file is replaced, and a name must not be too long. */
static int file_check_replaced(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return errno == ENAMETOOLONG
                   ? tool_fail(TOOL_TROUBLE, "%s: can't be written: %s", path, strerror(errno))
                   : TOOL_SUCCESS;
    }
    return S_ISREG(status.st_mode)
               ? TOOL_SUCCESS
               : tool_fail(TOOL_TROUBLE, "%s: can't be written: it is %s", path,
                           S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
}

int file_check_output(const char *path)
{
    char *place = file_resolve(path);
    char *folder = place != NULL ? file_beside(place, ".") : NULL;
    const bool writable = folder != NULL && access(folder, W_OK) == 0;
    const int error = errno;
    free(folder);
    free(place);
    return writable ? file_check_replaced(path)
                    : tool_fail(TOOL_TROUBLE, "%s: can't be written: %s", path, strerror(error));
}

bool file_is_same(const char *a, const char *b)
{
    char *place_a = file_resolve(a), *place_b = file_resolve(b);
    const bool same = place_a != NULL && place_b != NULL && file_is_same_place(place_a, place_b);
    free(place_a);
    free(place_b);
    return same;
}

/* ---- Files that are not in their places ------------------------------------------------------ */

/* The files that a signal's handler removes: all tiles of a grid, or all outputs of a run. */
static _Atomic(char *) output_temporaries[TERRAIN_GRID_MAXIMUM + 256];

enum { OUTPUT_SLOTS = sizeof output_temporaries / sizeof output_temporaries[0] };

/* Names that a handler may still be looking at: once the program is interrupted they stay in
 * memory. */
static _Atomic(char *) output_retired[OUTPUT_SLOTS];

static void output_keep(_Atomic(char *) *slots, char *temporary)
{
    for (int i = 0; i < OUTPUT_SLOTS; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&slots[i], &none, temporary)) {
            return;
        }
    }
}

/* Frees the name, too. */
static void output_forget(char *temporary)
{
    for (int i = 0; i < OUTPUT_SLOTS; i++) {
        char *found = temporary;
        if (atomic_compare_exchange_strong(&output_temporaries[i], &found, NULL)) {
            break;
        }
    }
    if (tool_is_interrupted()) {
        output_keep(output_retired, temporary);
    } else {
        free(temporary);
    }
}

void output_remove_all(void)
{
    for (int i = 0; i < OUTPUT_SLOTS; i++) {
        const char *temporary = atomic_load(&output_temporaries[i]);
        if (temporary != NULL) {
            remove(temporary);
        }
    }
}

/* ---- Output ---------------------------------------------------------------------------------- */

static int output_fail(const output_file *output)
{
    return tool_fail(TOOL_TROUBLE, "%s: can't be written: %s", output->path, strerror(errno));
}

/* Opens the file beside its place, whose name is known. */
static int output_open(output_file *output)
{
    output->file = system_create(output->temporary, output->place);
    if (output->file == NULL) {
        const int code = output_fail(output);
        free(output->temporary);
        output->temporary = NULL;
        return code;
    }
    output_keep(output_temporaries, output->temporary);
    return TOOL_SUCCESS;
}

/* `place` with a suffix that makes it unique. NULL: no memory. A name may have 255 bytes, and loses
 * whole characters of UTF-8 if the suffix makes it longer. */
static char *output_name_beside(const char *place)
{
    static const char suffix[] = ".XXXXXX";
    const size_t folder = (size_t)(file_name(place) - place);
    size_t name = strlen(place + folder);
    if (name + sizeof suffix > 256) {
        name = 256 - sizeof suffix;
        while (name > 0 && (place[folder + name] & 0xC0) == 0x80) {
            name--;
        }
    }
    char *beside = malloc(folder + name + sizeof suffix);
    if (beside != NULL) {
        memcpy(beside, place, folder + name);
        memcpy(beside + folder + name, suffix, sizeof suffix);
    }
    return beside;
}

int output_begin(output_file *output, const char *path)
{
    *output = (output_file){.path = path};
    const int code = file_check_replaced(path);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    output->place = file_resolve(path);
    if (output->place == NULL) {
        return output_fail(output);
    }
    output->temporary = output_name_beside(output->place);
    return output->temporary != NULL ? output_open(output) : output_fail(output);
}

int output_close(output_file *output)
{
    bool good = fflush(output->file) == 0 && !ferror(output->file);
    good = fclose(output->file) == 0 && good;
    output->file = NULL;
    return good ? TOOL_SUCCESS : output_fail(output);
}

int output_rename(output_file *output)
{
    if (!system_rename(output->temporary, output->place)) {
        return output_fail(output);
    }
    output_forget(output->temporary);
    output->temporary = NULL;
    return TOOL_SUCCESS;
}

void output_discard(output_file *output)
{
    if (output->file != NULL) {
        fclose(output->file);
        output->file = NULL;
    }
    if (output->temporary != NULL) {
        remove(output->temporary);
        output_forget(output->temporary);
        output->temporary = NULL;
    }
    free(output->place);
    output->place = NULL;
}
