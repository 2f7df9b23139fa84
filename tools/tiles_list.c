/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What has been asked for and what has been done, as text:
 *
 *     terrain tiles 1
 *     recipe 60e1e0d0b3a2c5f1 results 1 seed 0 cell_size 1
 *     box 0 0 1024 1024 tile 512 512 overlap 0 y_up 0 flip 0
 *     range -10.5 93.25
 *     done 0 0
 *
 * A job is the same if its first three lines are, and the range, if it was given. A line that was
 * not written to its end does not count. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "pattern.h"
#include "tiles.h"
#include "tool.h"

enum { LIST_MOST_BYTES = 64 << 20 };

/* FNV-1a: tells recipes apart, no more. */
static uint64_t list_hash(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

/* The first three lines. */
static void list_head(const tiles_job *job, const char *text, size_t size, char head[512])
{
    snprintf(head, 512,
             "terrain tiles 1\n"
             "recipe %016" PRIx64 " results %" PRIu32 " seed %" PRIu64 " cell_size %.9g\n"
             "box %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " tile %" PRIu32 " %" PRIu32
             " overlap %" PRIu32 " y_up %d flip %d\n",
             list_hash(text, size), terrain_results_version(), job->seed, (double)job->cell_size,
             job->box[0], job->box[1], job->box[2], job->box[3], job->width, job->height,
             job->overlap, job->y_up, job->flip);
}

/* The rest of the lines. False if the range is another one. */
static bool list_take(tiles_list *list, const tiles_job *job, const char *line)
{
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        uint32_t x, y;
        float low, high;
        if (sscanf(line, "range %f %f", &low, &high) == 2) {
            list->has_range = true;
            list->range = (image_range){low, high};
            if (job->has_range && (low != job->range.low || high != job->range.high)) {
                return false;
            }
        } else if (sscanf(line, "done %" SCNu32 " %" SCNu32, &x, &y) == 2 && x < job->columns &&
                   y < job->rows) {
            list->done[(size_t)y * job->columns + x] = true;
        }
    }
    return true;
}

/* What is listed but no longer there must be made again. */
static int list_look_for_files(tiles_list *list, const tiles_job *job)
{
    for (uint32_t i = 0; i < job->columns * job->rows; i++) {
        if (list->done[i]) {
            char *name = pattern_name(job->pattern, i % job->columns, i / job->columns);
            if (name == NULL) {
                return tool_fail(TOOL_TROUBLE, "no memory");
            }
            list->done[i] = access(name, F_OK) == 0;
            list->done_count += list->done[i];
            free(name);
        }
    }
    return TOOL_SUCCESS;
}

int tiles_list_read(tiles_list *list, const tiles_job *job, const char *text, size_t size)
{
    char head[512];
    char *data = NULL;
    size_t bytes = 0;
    int code = TOOL_SUCCESS;
    list->path = pattern_name_of_all(job->pattern, ".tiles");
    list->done = calloc((size_t)job->columns * job->rows, sizeof *list->done);
    if (list->path == NULL || list->done == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    if (access(list->path, F_OK) != 0) {
        return TOOL_SUCCESS;
    }
    code = file_read_all(list->path, LIST_MOST_BYTES, &data, &bytes);
    if (code == TOOL_SUCCESS) {
        list_head(job, text, size, head);
        data[bytes] = '\0';
        if (strncmp(data, head, strlen(head)) == 0 && list_take(list, job, data + strlen(head))) {
            code = list_look_for_files(list, job);
        } else {
            memset(list->done, 0, (size_t)job->columns * job->rows * sizeof *list->done);
            list->has_range = false;
        }
    }
    free(data);
    return code;
}

int tiles_list_begin(tiles_list *list, const tiles_job *job, const char *text, size_t size)
{
    output_file output = {0};
    char head[512];
    int code = output_begin(&output, list->path);
    if (code == TOOL_SUCCESS) {
        list_head(job, text, size, head);
        fputs(head, output.file);
        if (job->has_range) {
            fprintf(output.file, "range %.9g %.9g\n", (double)job->range.low,
                    (double)job->range.high);
        }
        for (uint32_t i = 0; i < job->columns * job->rows; i++) {
            if (list->done[i]) {
                fprintf(output.file, "done %" PRIu32 " %" PRIu32 "\n", i % job->columns,
                        i / job->columns);
            }
        }
        code = output_close(&output);
    }
    if (code == TOOL_SUCCESS) {
        code = output_rename(&output);
    }
    output_discard(&output);
    return code;
}

int tiles_list_add(tiles_list *list, const tiles_job *job, uint32_t index)
{
    FILE *file = fopen(list->path, "ab");
    bool good = file != NULL && fprintf(file, "done %" PRIu32 " %" PRIu32 "\n",
                                        index % job->columns, index / job->columns) > 0;
    if (file != NULL && fclose(file) != 0) {
        good = false;
    }
    list->done[index] = true;
    list->done_count++;
    return good ? TOOL_SUCCESS
                : tool_fail(TOOL_TROUBLE, "%s: can't be written: %s", list->path, strerror(errno));
}

void tiles_list_free(tiles_list *list)
{
    free(list->path);
    free(list->done);
}
