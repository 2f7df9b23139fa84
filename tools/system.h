/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* System functions that POSIX and Windows name differently: system_posix.c or system_windows.c.
 * Where a function fails it sets errno. */

#ifndef TERRAIN_TOOL_SYSTEM_H
#define TERRAIN_TOOL_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Seconds of a clock that never goes back. */
double system_seconds(void);

uint32_t system_processors(void);

/* Bytes of memory that the machine has; 0 where the system doesn't say. */
uint64_t system_memory(void);

/* Whether standard error is a terminal. */
bool system_has_terminal(void);

/* At the program's start: writing beyond a limit of the file's size, or to who does not read any
 * more, fails as other writing does, and lines end in "\n" everywhere. A standard stream that is
 * closed stays so: no file takes its place. */
void system_prepare_output(void);

/* Whether writing failed with this error since nobody reads any more. */
bool system_is_unread(int error);

/* From now on Ctrl-C and requests to end call `ask`: in a signal's handler, or on a thread of the
 * system's. Where it returns false, the program ends at once. */
void system_catch_interrupts(bool (*ask)(void));

/* Whether a letter stands between the names of a path. */
bool system_is_separator(char letter);

/* Where a symbolic link leads, which the caller frees. NULL with errno 0: it is no link. */
char *system_link(const char *path);

/* Whether there is a file or folder of this name, and numbers that no other one has. */
bool system_identity(const char *path, uint64_t identity[2]);

/* Makes a file for reading and writing whose name ends in other letters than the XXXXXX given, with
 * the rights of the file that it shall replace, or of a new one if there is none. NULL: `name` is
 * of no use. */
FILE *system_create(char *name, const char *replaced);

/* Puts a file in the place of another one, if there is one. */
bool system_rename(const char *from, const char *to);

#endif
