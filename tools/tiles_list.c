/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What has been asked for and what has been done, as text:
 *
 *     terrain tiles 2
 *     recipe 60e1e0d0b3a2c5f1 results 2 seed 0 cell_size 1 scale 1
 *     box 0 0 1024 1024 tile 512 512 overlap 0 y_up 0 flip 0
 *     range -10.5 93.25 found
 *     done 0 0 size 524331 hash 9a17b4f3c2d05e68
 *
 * A job is the same if its first three lines are, and the range: the same one is given, or none,
 * where the list's was `found` and not `given`. A line that was not written to its end does not
 * count; nor does one whose file has another size or hash by now: it was cut, or changed by
 * somebody. */

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "pattern.h"
#include "tiles.h"
#include "tool.h"

enum { LIST_MOST_BYTES = 64 << 20 };

/* FNV-1a: tells jobs apart, no more. */
uint64_t tiles_hash(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001B3);
    }
    return hash;
}

/* The first three lines. */
static void list_head(const tiles_job *job, char head[512])
{
    snprintf(head, 512,
             "terrain tiles 2\n"
             "recipe %016" PRIx64 " results %" PRIu32 " seed %" PRIu64
             " cell_size %.9g scale %.17g\n"
             "box %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " tile %" PRIu32 " %" PRIu32
             " overlap %" PRIu32 " y_up %d flip %d\n",
             job->source, terrain_results_version(), job->seed, (double)job->cell_size, job->scale,
             job->box[0], job->box[1], job->box[2], job->box[3], job->width, job->height,
             job->overlap, job->y_up, job->flip);
}

/* A hash of all bytes from where the file is, eight at a time: one that differs always shows. */
static uint64_t list_hash_file(FILE *file)
{
    unsigned char bytes[4096];
    uint64_t hash = 0;
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, file)) > 0;) {
        memset(bytes + size, 0, sizeof bytes - size);
        for (size_t i = 0; i < size; i += 8) {
            uint64_t word = 0;
            for (int k = 0; k < 8; k++) {
                word |= (uint64_t)bytes[i + (size_t)k] << 8 * k;
            }
            hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
            hash ^= hash >> 32;
        }
    }
    return hash;
}

/* A file that was cut, or changed, has another mark. False if there is none. */
static bool list_look_at(const char *path, tiles_mark *mark)
{
    FILE *file = fopen(path, "rb");
    bool good = file != NULL && fseeko(file, 0, SEEK_END) == 0;
    const off_t size = good ? ftello(file) : 0;
    good = good && size >= 0 && fseeko(file, 0, SEEK_SET) == 0;
    if (good) {
        mark->size = (uint64_t)size;
        mark->hash = list_hash_file(file);
        good = !ferror(file);
    }
    if (file != NULL) {
        fclose(file);
    }
    return good;
}

int tiles_mark_file(const char *path, tiles_mark *mark)
{
    return list_look_at(path, mark)
               ? TOOL_SUCCESS
               : tool_fail(TOOL_TROUBLE, "%s: can't be read: %s", path, strerror(errno));
}

/* A line of a tile that was done. */
static void list_take_tile(tiles_list *list, const tiles_job *job, const char *line)
{
    uint32_t x, y;
    tiles_mark mark;
    if (sscanf(line, "done %" SCNu32 " %" SCNu32 " size %" SCNu64 " hash %" SCNx64, &x, &y,
               &mark.size, &mark.hash) == 4 &&
        x < job->columns && y < job->rows) {
        list->done[(size_t)y * job->columns + x] = true;
        list->marks[(size_t)y * job->columns + x] = mark;
    }
}

/* The rest of the lines. */
static void list_take(tiles_list *list, const tiles_job *job, const char *line)
{
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        image_range range;
        char origin[6] = "";
        if (sscanf(line, "range %f %f %5s", &range.low, &range.high, origin) == 3) {
            list->has_range = true;
            list->range = range;
            list->range_is_given = strcmp(origin, "given") == 0;
        } else {
            list_take_tile(list, job, line);
        }
    }
}

/* Whether the job's tiles have the list's scale. */
static bool list_has_range(const tiles_list *list, const tiles_job *job)
{
    const image_range *known = &list->range, *wanted = &job->range;
    return !job->type->has_range ||
           (list->has_range &&
            (job->has_range ? known->low == wanted->low && known->high == wanted->high
                            : !list->range_is_given));
}

/* Whether there is a file of this name, and is `listed`: the tile that the list names. */
static bool list_find_file(const tiles_list *list, uint32_t index, const char *name, bool *listed)
{
    const tiles_mark *known = &list->marks[index];
    tiles_mark mark;
    const bool there = list_look_at(name, &mark);
    *listed = there && list->done[index] && mark.size == known->size && mark.hash == known->hash;
    return there;
}

/* A tile that is listed but missing or changed must be made again. */
static int list_look_for_files(tiles_list *list, const tiles_job *job)
{
    for (uint32_t i = job->first; i < job->first + job->count; i++) {
        if (list->done[i]) {
            char *name = pattern_name(job->pattern, i % job->columns, i / job->columns);
            if (name == NULL) {
                return tool_fail(TOOL_TROUBLE, "no memory");
            }
            list_find_file(list, i, name, &list->done[i]);
            list->done_count += list->done[i];
            free(name);
        }
    }
    return TOOL_SUCCESS;
}

/* False if the file can't be written. */
static bool list_put_tile(FILE *file, const tiles_list *list, const tiles_job *job, uint32_t index)
{
    const tiles_mark *mark = &list->marks[index];
    return fprintf(file, "done %" PRIu32 " %" PRIu32 " size %" PRIu64 " hash %016" PRIx64 "\n",
                   index % job->columns, index / job->columns, mark->size, mark->hash) > 0;
}

/* The name of a part's list; of 1 of 1 parts, of the list of all. */
static char *list_path(const tiles_job *job, uint32_t part, uint32_t parts)
{
    char ending[64] = ".tiles";
    if (parts > 1) {
        snprintf(ending, sizeof ending, ".tiles.%" PRIu32 "-of-%" PRIu32, part, parts);
    }
    return pattern_name_of_all(job->pattern, ending);
}

/* Adds what a file says, if it is there and of the same job. Another part, which ends at the same
 * time, may remove it. */
static int list_read_file(tiles_list *list, const tiles_job *job, const char *path,
                          const char *head)
{
    char *data = NULL;
    size_t bytes = 0;
    int code = file_read_if_there(path, LIST_MOST_BYTES, &data, &bytes);
    if (data != NULL && code == TOOL_SUCCESS) {
        data[bytes] = '\0';
        const bool is_same = strncmp(data, head, strlen(head)) == 0;
        if (is_same) {
            list_take(list, job, data + strlen(head));
        }
        if (!is_same || !list_has_range(list, job)) {
            memset(list->done, 0, (size_t)job->columns * job->rows * sizeof *list->done);
            list->has_range = false;
        }
    }
    free(data);
    return code;
}

static bool list_create(tiles_list *list, const tiles_job *job)
{
    list->path = list_path(job, job->part, job->parts);
    list->done = calloc((size_t)job->columns * job->rows, sizeof *list->done);
    list->marks = calloc((size_t)job->columns * job->rows, sizeof *list->marks);
    return list->path != NULL && list->done != NULL && list->marks != NULL;
}

int tiles_list_read(tiles_list *list, const tiles_job *job)
{
    char head[512];
    char *whole = list_path(job, 1, 1);
    int code = list_create(list, job) && whole != NULL ? TOOL_SUCCESS
                                                       : tool_fail(TOOL_TROUBLE, "no memory");
    if (code == TOOL_SUCCESS) {
        list_head(job, head);
        code = list_read_file(list, job, whole, head);
    }
    if (code == TOOL_SUCCESS && job->parts > 1) {
        code = list_read_file(list, job, list->path, head);
    }
    if (code == TOOL_SUCCESS) {
        code = list_look_for_files(list, job);
    }
    free(whole);
    return code;
}

int tiles_list_join(const tiles_job *job)
{
    const uint32_t count = job->columns * job->rows;
    tiles_job whole = *job;
    tiles_list all = {0};
    char head[512];
    uint32_t done = 0;
    int code = TOOL_SUCCESS;
    if (job->parts == 1) {
        return TOOL_SUCCESS;
    }
    whole.part = whole.parts = 1;
    if (!list_create(&all, &whole)) {
        code = tool_fail(TOOL_TROUBLE, "no memory");
    }
    list_head(job, head);
    for (uint32_t part = 1; part <= job->parts && code == TOOL_SUCCESS; part++) {
        char *path = list_path(job, part, job->parts);
        code = path != NULL ? list_read_file(&all, job, path, head)
                            : tool_fail(TOOL_TROUBLE, "no memory");
        free(path);
    }
    for (uint32_t i = 0; i < count && code == TOOL_SUCCESS; i++) {
        done += all.done[i];
    }
    if (code == TOOL_SUCCESS && done == count) {
        code = tiles_list_begin(&all, &whole);
        for (uint32_t part = 1; part <= job->parts && code == TOOL_SUCCESS; part++) {
            char *path = list_path(job, part, job->parts);
            if (path != NULL) {
                remove(path); /* another part, which ends at the same time, may have done it */
            }
            free(path);
        }
    }
    tiles_list_free(&all);
    return code;
}

int tiles_list_begin(tiles_list *list, const tiles_job *job)
{
    output_file output = {0};
    char head[512];
    int code = output_begin(&output, list->path);
    if (code == TOOL_SUCCESS) {
        list_head(job, head);
        fputs(head, output.file);
        if (job->has_range) {
            fprintf(output.file, "range %.9g %.9g %s\n", (double)job->range.low,
                    (double)job->range.high, job->range_is_found ? "found" : "given");
        }
        for (uint32_t i = 0; i < job->columns * job->rows; i++) {
            if (list->done[i]) {
                list_put_tile(output.file, list, job, i);
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

int tiles_list_add(tiles_list *list, const tiles_job *job, uint32_t index, const tiles_mark *mark)
{
    list->marks[index] = *mark;
    FILE *file = fopen(list->path, "ab");
    bool good = file != NULL && list_put_tile(file, list, job, index);
    if (file != NULL && fclose(file) != 0) {
        good = false;
    }
    list->done[index] = true;
    list->done_count++;
    return good ? TOOL_SUCCESS
                : tool_fail(TOOL_TROUBLE, "%s: can't be written: %s", list->path, strerror(errno));
}

uint64_t tiles_along(int64_t from, int64_t to, uint32_t tile, uint32_t overlap)
{
    const uint64_t cells = (uint64_t)to - (uint64_t)from, step = tile - overlap;
    return cells <= tile ? 1 : 1 + (cells - tile + step - 1) / step;
}

static uint32_t list_tiles_along(int64_t from, int64_t to, uint32_t tile, uint32_t overlap)
{
    const uint64_t count = tiles_along(from, to, tile, overlap);
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Takes the layout from a list's text. False if it does not tell it. */
static bool list_take_layout(const char *text, tiles_layout *layout)
{
    int64_t box[4];
    int y_up, flip;
    double cell_size, scale;
    const char *line = strncmp(text, "terrain tiles 2\n", 16) == 0 ? strstr(text, "\nbox ") : NULL;
    if (line == NULL ||
        sscanf(line,
               " box %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " tile %" SCNu32 " %" SCNu32
               " overlap %" SCNu32 " y_up %d flip %d",
               &box[0], &box[1], &box[2], &box[3], &layout->width, &layout->height,
               &layout->overlap, &y_up, &flip) != 9 ||
        sscanf(text, "%*[^\n] recipe %*s results %*s seed %*s cell_size %lf scale %lf", &cell_size,
               &scale) != 2 ||
        layout->overlap >= layout->width || layout->overlap >= layout->height || box[0] >= box[2] ||
        box[1] >= box[3]) {
        return false;
    }
    layout->x = box[0];
    layout->y = box[1];
    layout->cell_size = (float)(cell_size / scale);
    layout->columns = list_tiles_along(box[0], box[2], layout->width, layout->overlap);
    layout->rows = list_tiles_along(box[1], box[3], layout->height, layout->overlap);
    layout->y_up = y_up != 0;
    layout->flip = flip != 0;
    return true;
}

/* A tile that is there must be the one that the list names: others are of another run, which was
 * interrupted, or whose parts are not complete. */
static int list_check_tile(const tiles_list *list, const tiles_job *job, uint32_t index)
{
    char *name = pattern_name(job->pattern, index % job->columns, index / job->columns);
    bool listed;
    int code = name != NULL ? TOOL_SUCCESS : tool_fail(TOOL_TROUBLE, "no memory");
    if (name != NULL && list_find_file(list, index, name, &listed) && !listed) {
        code = tool_fail(TOOL_BAD_INPUT,
                         "%s: %s, the list beside the tiles, %s; with --overlap it is not read",
                         name, list->path,
                         list->done[index] ? "names a file with other bytes"
                                           : "does not name this one, which may be of another run");
    }
    free(name);
    return code;
}

static int list_check_tiles(const char *pattern, const tiles_layout *layout, const char *lines)
{
    const tiles_job job = {.pattern = pattern,
                           .columns = layout->columns,
                           .rows = layout->rows,
                           .part = 1,
                           .parts = 1};
    const uint64_t count = (uint64_t)job.columns * job.rows;
    tiles_list list = {0};
    if (count > TERRAIN_GRID_MAXIMUM) {
        return TOOL_SUCCESS; /* too many to be read, which is told where they are */
    }
    int code = list_create(&list, &job) ? TOOL_SUCCESS : tool_fail(TOOL_TROUBLE, "no memory");
    if (code == TOOL_SUCCESS) {
        list_take(&list, &job, lines);
    }
    for (uint32_t i = 0; i < count && code == TOOL_SUCCESS; i++) {
        code = list_check_tile(&list, &job, i);
    }
    tiles_list_free(&list);
    return code;
}

int tiles_list_read_layout(const char *pattern, tiles_layout *layout)
{
    char *path = pattern_name_of_all(pattern, ".tiles");
    char *data = NULL;
    size_t bytes = 0;
    int code = path != NULL ? file_read_if_there(path, LIST_MOST_BYTES, &data, &bytes)
                            : tool_fail(TOOL_TROUBLE, "no memory");
    *layout = (tiles_layout){0};
    if (data != NULL && code == TOOL_SUCCESS) {
        data[bytes] = '\0';
        layout->is_known = list_take_layout(data, layout);
        code = layout->is_known ? list_check_tiles(pattern, layout, data) : TOOL_SUCCESS;
    }
    free(data);
    free(path);
    return code;
}

void tiles_list_drop_empty(const tiles_list *list)
{
    if (list->done_count == 0 && !list->has_range) {
        remove(list->path);
    }
}

void tiles_list_free(tiles_list *list)
{
    free(list->path);
    free(list->done);
    free(list->marks);
}
