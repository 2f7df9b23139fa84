/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tool.h"

FILE *file_open(const char *path, uint64_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fstat(fileno(file), &status) != 0) {
        tool_fail(TOOL_BAD_INPUT, "%s: can't be read: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        tool_fail(TOOL_BAD_INPUT, "%s: is not a file", path);
    } else {
        *size = (uint64_t)status.st_size;
        return file;
    }
    if (file != NULL) {
        fclose(file);
    }
    return NULL;
}

int file_read_all(const char *path, uint64_t most, char **data, size_t *size)
{
    uint64_t bytes;
    FILE *file = file_open(path, &bytes);
    int code = TOOL_SUCCESS;
    *data = NULL;
    if (file == NULL) {
        return TOOL_BAD_INPUT;
    }
    if (bytes > most) {
        code = tool_fail(TOOL_BAD_INPUT, "%s: has %llu bytes, more than %llu", path,
                         (unsigned long long)bytes, (unsigned long long)most);
    } else {
        *data = malloc((size_t)bytes + 1);
        if (*data == NULL) {
            code = tool_fail(TOOL_TROUBLE, "%s: no memory", path);
        } else {
            *size = fread(*data, 1, (size_t)bytes, file);
            if (ferror(file)) {
                code = tool_fail(TOOL_TROUBLE, "%s: can't be read: %s", path, strerror(errno));
            }
        }
    }
    fclose(file);
    return code;
}

/* ---- Output ----------------------------------------------------------------------------------- */

static int output_fail(const output_file *output)
{
    return tool_fail(TOOL_TROUBLE, "%s: can't be written: %s", output->path, strerror(errno));
}

int output_begin(output_file *output, const char *path)
{
    static const char suffix[] = ".XXXXXX";
    size_t size = strlen(path) + sizeof suffix;
    struct stat status;
    mode_t mask;
    int descriptor;
    output->path = path;
    output->file = NULL;
    output->temporary = NULL;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return tool_fail(TOOL_TROUBLE, "%s: can't be written: it is not a file", path);
    }
    output->temporary = malloc(size);
    if (output->temporary == NULL) {
        return tool_fail(TOOL_TROUBLE, "%s: no memory", path);
    }
    snprintf(output->temporary, size, "%s%s", path, suffix);
    descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        int code = output_fail(output);
        free(output->temporary);
        output->temporary = NULL;
        return code;
    }
    /* mkstemp leaves it to its owner alone; a new file's rights are the user's choice. */
    mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    output->file = fdopen(descriptor, "w+b");
    if (output->file == NULL) {
        close(descriptor);
        return output_fail(output);
    }
    return TOOL_SUCCESS;
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
    if (rename(output->temporary, output->path) != 0) {
        return output_fail(output);
    }
    free(output->temporary);
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
        free(output->temporary);
        output->temporary = NULL;
    }
}
