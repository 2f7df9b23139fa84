/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Files: whole ones or none. */

#ifndef TERRAIN_TOOL_FILE_H
#define TERRAIN_TOOL_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Opens a regular file for reading, and tells its size. Complains and returns NULL for anything
 * else: opening a pipe would wait for a writer. */
FILE *file_open(const char *path, uint64_t *size);

/* Reads at most `most` bytes into memory that the caller frees, with room for one more: a file, or
 * what comes through a pipe, or by standard input where path is "-". Returns a TOOL_… code. */
int file_read_all(const char *path, uint64_t most, char **data, size_t *size);
/* Without a word if there is no such file: *data is NULL then. */
int file_read_if_there(const char *path, uint64_t most, char **data, size_t *size);

/* Whether a file of this name can be written, as far as its folder and what is there now tell:
 * asked before the work that the file is for. Returns a TOOL_… code, and complains. */
int file_check_output(const char *path);

/* Whether both names name the same file, whether it exists yet or not. */
bool file_is_same(const char *a, const char *b);

/* A file being written: beside its final place until it is complete. A symbolic link is followed:
 * the file that it names is replaced, not the link. */
typedef struct output_file {
    const char *path;
    char *place;     /* where the path leads */
    char *temporary; /* NULL: nothing there */
    FILE *file;      /* NULL: closed */
} output_file;

/* Each returns a TOOL_… code, and complains. */
int output_begin(output_file *output, const char *path);
/* Everything is written: closes the file, which still lies beside its place. */
int output_close(output_file *output);
/* Puts it in its place, over whatever was there. */
int output_rename(output_file *output);
/* Removes what is not in its place; frees. Fine after any of the others. */
void output_discard(output_file *output);
/* Removes all files that are not in their places, from a signal's handler, before the program
 * ends. */
void output_remove_all(void);

#endif
