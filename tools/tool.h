/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The parts that the program's commands share: exit codes, error messages, arguments. */

#ifndef TERRAIN_TOOL_H
#define TERRAIN_TOOL_H

#include <stdbool.h>
#include <stdio.h>
#include <terrain/terrain.h>

/* Functions that can fail return one of these. */
enum {
    TOOL_SUCCESS = 0,
    TOOL_TROUBLE = 1,   /* writing, memory, internal */
    TOOL_BAD_INPUT = 2, /* of any kind: arguments, recipes, files that can't be read */
    TOOL_INTERRUPTED = 130
};

/* Compilers that can compare a format with what follows it. */
#if defined(__GNUC__)
#define TOOL_FORMAT(index, first) __attribute__((format(printf, index, first)))
#else
#define TOOL_FORMAT(index, first)
#endif

/* Says "terrain: <text>" on stderr; returns code. */
int tool_fail(int code, const char *format, ...) TOOL_FORMAT(2, 3);

/* Says the same, of what is no failure. */
void tool_note(const char *format, ...) TOOL_FORMAT(1, 2);

/* Like tool_fail, for a call of the library that failed: "terrain: <what>: <the context's
 * message>". what may be "". */
int tool_fail_status(const terrain_context *context, terrain_status status, const char *what);

/* From now on complaints of usage send to this command's help. */
void tool_help_is_of(const char *command);
/* "terrain: <text>", then how to get help. */
int tool_fail_usage(const char *format, ...) TOOL_FORMAT(1, 2);

/* A word that was given, and of the candidates that it is compared with the nearest. */
typedef struct tool_nearest {
    const char *word;
    const char *best; /* NULL at first */
    size_t distance;
} tool_nearest;

/* `spelled` is how the word would be written that stands for the candidate. */
void tool_near(tool_nearest *nearest, const char *candidate, const char *spelled);
enum { TOOL_HINT_SIZE = 96 };
/* " (did you mean '--size'?)", with what comes before the candidate, or "" where nothing is near;
 * returns text. */
const char *tool_near_text(const tool_nearest *nearest, const char *before,
                           char text[TOOL_HINT_SIZE]);

struct option; /* getopt.h's */
/* As getopt_long. -o and -e are known where an option has the value 'o' or 'e'. */
int tool_next_option(int argc, char **argv, const struct option *known, int *index);
/* Complains of the option for which tool_next_option returned '?': it is unknown, or lacks its
 * value. Returns a TOOL_… code. */
int tool_fail_option(char **argv, const struct option *known);

/* Complains that the value of an option, which optarg is, is not what was expected. Returns
 * TOOL_BAD_INPUT. */
int tool_fail_value(const struct option *known, int option, const char *expected);

/* What names of maps and parameters consist of. */
#define TOOL_NAME_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Numbers; the whole text must be one. */
bool tool_parse_float(const char *text, float *value); /* finite */
bool tool_parse_uint64(const char *text, uint64_t *value);

/* Values of options. Each returns NULL if the text is one, and otherwise what is expected. */
const char *tool_take_size(const char *text, uint32_t *width, uint32_t *height); /* 512x256 */
const char *tool_take_pair(const char *text, int64_t *x, int64_t *y);            /* -3,17 */
const char *tool_take_range(const char *text, float *low, float *high); /* 0,1.5; low < high */
const char *tool_take_direction(const char *text, float *azimuth, float *altitude); /* 200,30 */
const char *tool_take_box(const char *text, int64_t box[4]); /* -3,17,61,81 */
const char *tool_take_cells(const char *text, uint32_t *count);
const char *tool_take_seed(const char *text, uint64_t *seed);
const char *tool_take_threads(const char *text, uint32_t *threads); /* 1 to 256 */
const char *tool_take_isa(const char *text, uint32_t *isa);         /* baseline, avx2 or avx512 */
const char *tool_take_scale(const char *text, double *value);       /* 2^-16 to 2^16, also as 1/N */
const char *tool_take_cell_size(const char *text, float *value);    /* 1e-6 to 1e9 */
const char *tool_take_exaggeration(const char *text, float *value); /* above 0, to 1000 */
/* Bytes, maybe with K, M or G for the powers of 1024. */
const char *tool_take_bytes(const char *text, uint64_t *bytes);

/* How many threads the machine runs at once. */
uint32_t tool_processors(void);

/* From now on only the first complaint is said: several threads may have the same one. */
void tool_complain_once(void);

/* Sends what was printed so far. False if it could not be sent, now or before. */
bool tool_send(void);
/* Sends what was printed so far, or complains. Called before files are put into their places, so
 * that none is left where the output can't be written, unless nobody reads it any more. Returns a
 * TOOL_… code. */
int tool_flush(void);

/* From now on Ctrl-C, SIGTERM and SIGHUP are caught; `context`, if not NULL, is cancelled then. The
 * second one ends the program. */
void tool_catch_interrupt(terrain_context *context);
bool tool_is_interrupted(void);
/* TOOL_SUCCESS; or complains, and returns TOOL_INTERRUPTED. */
int tool_check_interrupt(void);

/* What a command does and takes; NULL: what each command does. */
void help_print(FILE *file, const char *command);

/* Each gets its own arguments, its name at argv[0]. */
int command_ops(int argc, char **argv);
int command_run(int argc, char **argv);
int command_hash(int argc, char **argv);
int command_measure(int argc, char **argv);
int command_view(int argc, char **argv);
int command_tiles(int argc, char **argv);
int command_stitch(int argc, char **argv);
int command_join(int argc, char **argv);

#endif
