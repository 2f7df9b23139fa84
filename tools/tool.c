/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "tool.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "system.h"

static atomic_bool complains_once, has_complained;
static const char *help_of; /* the command that is run; NULL: none */

void tool_help_is_of(const char *command)
{
    help_of = command;
}

void tool_complain_once(void)
{
    atomic_store(&complains_once, true);
}

/* At once, so that lines of several threads don't mingle. */
static void tool_print(const char *format, va_list arguments)
{
    char line[8192]; /* two names of files, and a sentence */
    vsnprintf(line, sizeof line, format, arguments);
    fprintf(stderr, "terrain: %s\n", line);
}

static void tool_say(const char *format, va_list arguments)
{
    if (!atomic_exchange(&has_complained, true) || !atomic_load(&complains_once)) {
        tool_print(format, arguments);
    }
}

int tool_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tool_say(format, arguments);
    va_end(arguments);
    return code;
}

void tool_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tool_print(format, arguments);
    va_end(arguments);
}

int tool_fail_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tool_say(format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try 'terrain %s%s--help'.\n", help_of != NULL ? help_of : "",
            help_of != NULL ? " " : "");
    return TOOL_BAD_INPUT;
}

static int tool_code_of(terrain_status status)
{
    switch (status) {
    case TERRAIN_SUCCESS:
        return TOOL_SUCCESS;
    case TERRAIN_ERROR_CANCELLED:
        return TOOL_INTERRUPTED;
    case TERRAIN_ERROR_ARGUMENT:
    case TERRAIN_ERROR_RANGE:
    case TERRAIN_ERROR_ALIAS:
    case TERRAIN_ERROR_UNSUPPORTED:
    case TERRAIN_ERROR_SYNTAX:
        return TOOL_BAD_INPUT;
    default:
        return TOOL_TROUBLE;
    }
}

/* A message less the name of the library's function that it begins with, if that is no operation's:
 * users of the program don't know it. */
static const char *tool_without_function(const char *message)
{
    char name[64];
    const char *end = strstr(message, ": ");
    if (end == NULL || (size_t)(end - message) >= sizeof name) {
        return message;
    }
    memcpy(name, message, (size_t)(end - message));
    name[end - message] = '\0';
    const bool is_word = name[strspn(name, "abcdefghijklmnopqrstuvwxyz_0123456789")] == '\0';
    return is_word && terrain_operation_find(name) == NULL ? end + 2 : message;
}

int tool_fail_status(const terrain_context *context, terrain_status status, const char *what)
{
    const char *message = tool_without_function(terrain_context_message(context));
    const char *text = message[0] != '\0' ? message : terrain_status_name(status);
    if (status == TERRAIN_ERROR_CANCELLED) {
        return tool_fail(TOOL_INTERRUPTED, "interrupted");
    }
    /* The message names the desc's field, which users of the program know as an option. */
    const bool over = status == TERRAIN_ERROR_MEMORY && strstr(text, "memory_limit") != NULL;
    return tool_fail(tool_code_of(status), "%s%s%s%s", what, what[0] != '\0' ? ": " : "", text,
                     over ? " (--memory sets it)" : "");
}

/* ---- Words that are nearly right ------------------------------------------------------------- */

/* Letters to insert, delete or replace to get from one word to the other (Levenshtein). */
static size_t tool_distance(const char *a, const char *b)
{
    size_t row[64];
    const size_t a_size = strlen(a), b_size = strlen(b);
    if (a_size >= 64 || b_size >= 64) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= b_size; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            const size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = replaced <= shorter ? replaced : shorter + 1;
        }
    }
    return row[b_size];
}

void tool_near(tool_nearest *nearest, const char *candidate, const char *spelled)
{
    const size_t distance = tool_distance(nearest->word, spelled);
    if (nearest->best == NULL || distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}

const char *tool_near_text(const tool_nearest *nearest, const char *before,
                           char text[TOOL_HINT_SIZE])
{
    text[0] = '\0';
    const size_t size = strlen(nearest->word);
    const size_t most = size > 3 ? size / 3 + 1 : 1;
    if (nearest->best != NULL && nearest->distance <= most && nearest->distance < size) {
        snprintf(text, TOOL_HINT_SIZE, " (did you mean '%s%s'?)", before, nearest->best);
    }
    return text;
}

static const char *option_word; /* the last one that is none of the arguments */

/* Whether it is "-output", which getopt_long would take for an output named "utput". */
static bool tool_lacks_dash(const char *word, const struct option *known)
{
    const size_t size = strcspn(word, "=");
    bool lacks = false;
    for (size_t i = 0; known[i].name != NULL; i++) {
        lacks = lacks || (word[0] == '-' && size == strlen(known[i].name) + 1 &&
                          strncmp(word + 1, known[i].name, size - 1) == 0);
    }
    return lacks;
}

int tool_next_option(int argc, char **argv, const struct option *known, int *index)
{
    char letters[2 * 2 + 1] = "";
    int at = optind > 0 ? optind : 1;
    while (at < argc && (argv[at][0] != '-' || argv[at][1] == '\0')) {
        at++;
    }
    option_word = at < argc ? argv[at] : "";
    for (size_t i = 0; known[i].name != NULL; i++) {
        if (known[i].val == 'o' || known[i].val == 'e') {
            strcat(letters, known[i].val == 'o' ? "o:" : "e:");
        }
    }
    opterr = 0;
    return tool_lacks_dash(option_word, known) ? '?'
                                               : getopt_long(argc, argv, letters, known, index);
}

int tool_fail_option(char **argv, const struct option *known)
{
    const char *found = option_word;
    const bool is_letter = strcmp(found, "-o") == 0 || strcmp(found, "-e") == 0;
    const bool is_spelled = found[1] == '-' || is_letter;
    const char *name = found + strspn(found, "-");
    char word[64], hint[TOOL_HINT_SIZE];
    tool_nearest nearest = {word, NULL, 0};
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "="), name);
    for (size_t i = 0; known[i].name != NULL; i++) {
        if (is_spelled &&
            (is_letter ? known[i].val == found[1] : strcmp(known[i].name, word) == 0)) {
            return tool_fail_usage("terrain %s: expected %s value for %s", argv[0],
                                   known[i].has_arg != no_argument ? "a" : "no", found);
        }
        tool_near(&nearest, known[i].name, known[i].name);
    }
    return tool_fail_usage("terrain %s: expected an option, found '%s'%s", argv[0], found,
                           tool_near_text(&nearest, "--", hint));
}

int tool_fail_value(const struct option *known, int option, const char *expected)
{
    while (known->val != option) {
        known++;
    }
    return tool_fail_usage("--%s is '%s', expected %s", known->name, optarg, expected);
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* The program never calls setlocale, so that strtod and printf use the point. */
static bool tool_scan_float(const char *text, const char **end, float *value)
{
    char *rest;
    if (*text != '-' && *text != '+' && *text != '.' && (*text < '0' || *text > '9')) {
        return false;
    }
    *value = strtof(text, &rest);
    *end = rest;
    return rest != text && isfinite(*value);
}

bool tool_parse_float(const char *text, float *value)
{
    return tool_scan_float(text, &text, value) && *text == '\0';
}

static bool tool_scan_uint64(const char *text, const char **end, uint64_t *value)
{
    char *rest;
    if (*text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(text, &rest, 10);
    *end = rest;
    return errno == 0;
}

bool tool_parse_uint64(const char *text, uint64_t *value)
{
    return tool_scan_uint64(text, &text, value) && *text == '\0';
}

static bool tool_scan_int64(const char *text, const char **end, int64_t *value)
{
    bool negative = *text == '-';
    uint64_t magnitude;
    if (!tool_scan_uint64(text + (negative || *text == '+'), end, &magnitude) ||
        magnitude > INT64_MAX) {
        return false;
    }
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

const char *tool_take_size(const char *text, uint32_t *width, uint32_t *height)
{
    uint64_t w, h;
    if (!tool_scan_uint64(text, &text, &w) || *text++ != 'x' ||
        !tool_scan_uint64(text, &text, &h) || *text != '\0' || w == 0 || h == 0 || w > UINT32_MAX ||
        h > UINT32_MAX) {
        return "a size as 512x512, each from 1 to 2^32 - 1";
    }
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return NULL;
}

const char *tool_take_pair(const char *text, int64_t *x, int64_t *y)
{
    return tool_scan_int64(text, &text, x) && *text++ == ',' && tool_scan_int64(text, &text, y) &&
                   *text == '\0'
               ? NULL
               : "two whole numbers as -3,17";
}

const char *tool_take_range(const char *text, float *low, float *high)
{
    return tool_scan_float(text, &text, low) && *text++ == ',' &&
                   tool_scan_float(text, &text, high) && *text == '\0' && *low < *high
               ? NULL
               : "two numbers as 0,100, the lower one first";
}

const char *tool_take_direction(const char *text, float *azimuth, float *altitude)
{
    return tool_scan_float(text, &text, azimuth) && *text++ == ',' &&
                   tool_scan_float(text, &text, altitude) && *text == '\0' && *altitude >= 5 &&
                   *altitude <= 90
               ? NULL
               : "two numbers as 200,30: degrees clockwise from the north, and 5 to 90 above the "
                 "horizon";
}

const char *tool_take_box(const char *text, int64_t box[4])
{
    static const char expected[] = "four whole numbers as 0,0,4096,4096";
    for (int i = 0; i < 4; i++) {
        if ((i > 0 && *text++ != ',') || !tool_scan_int64(text, &text, &box[i])) {
            return expected;
        }
    }
    return *text == '\0' ? NULL : expected;
}

const char *tool_take_cells(const char *text, uint32_t *count)
{
    uint64_t value;
    if (!tool_parse_uint64(text, &value) || value > UINT32_MAX) {
        return "a number of cells";
    }
    *count = (uint32_t)value;
    return NULL;
}

const char *tool_take_seed(const char *text, uint64_t *seed)
{
    return tool_parse_uint64(text, seed) ? NULL : "a whole number from 0 to 2^64 - 1";
}

const char *tool_take_threads(const char *text, uint32_t *threads)
{
    uint64_t value;
    if (!tool_parse_uint64(text, &value) || value < 1 || value > 256) {
        return "a whole number from 1 to 256";
    }
    *threads = (uint32_t)value;
    return NULL;
}

const char *tool_take_isa(const char *text, uint32_t *isa)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *isa = i;
            return NULL;
        }
    }
    return "baseline, avx2 or avx512";
}

const char *tool_take_scale(const char *text, double *value)
{
    float number;
    uint64_t parts;
    if (strncmp(text, "1/", 2) == 0) {
        *value = tool_parse_uint64(text + 2, &parts) && parts > 0 ? 1 / (double)parts : 0;
    } else {
        *value = tool_parse_float(text, &number) ? (double)number : 0;
    }
    return *value >= 0x1p-16 && *value <= 0x1p16
               ? NULL
               : "a number from 1/65536 to 65536, as 0.25, 1/4 or 2";
}

const char *tool_take_cell_size(const char *text, float *value)
{
    return tool_parse_float(text, value) && *value >= 1e-6f && *value <= 1e9f
               ? NULL
               : "a number from 1e-6 to 1e9";
}

const char *tool_take_exaggeration(const char *text, float *value)
{
    return tool_parse_float(text, value) && *value > 0 && *value <= 1000
               ? NULL
               : "a number above 0, at most 1000";
}

const char *tool_take_bytes(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMG", expected[] = "bytes as 4000000000, 500M or 4G; 0: no limit";
    if (!tool_scan_uint64(text, &text, bytes)) {
        return expected;
    }
    if (*text == '\0') {
        return NULL;
    }
    const char *unit = strchr(units, *text);
    if (unit == NULL || text[1] != '\0') {
        return expected;
    }
    uint32_t shift = 10 * (uint32_t)(unit - units + 1);
    if (*bytes > UINT64_MAX >> shift) {
        return expected;
    }
    *bytes <<= shift;
    return NULL;
}

uint32_t tool_processors(void)
{
    const uint32_t count = system_processors();
    return count > 256 ? 256 : count;
}

/* ---- Standard output ------------------------------------------------------------------------- */

static int output_error; /* of the first failure */

bool tool_send(void)
{
    if ((fflush(stdout) != 0 || ferror(stdout)) && output_error == 0) {
        output_error = errno != 0 ? errno : EIO;
    }
    return output_error == 0;
}

int tool_flush(void)
{
    /* Who reads us, as `head`, has enough, but may want the files; and wants no complaint. */
    return tool_send() || system_is_unread(output_error)
               ? TOOL_SUCCESS
               : tool_fail(TOOL_TROUBLE, "the output can't be written: %s", strerror(output_error));
}

/* ---- Ctrl-C ---------------------------------------------------------------------------------- */

static terrain_context *volatile interrupt_context;
static atomic_bool interrupted; /* threads look at it */

/* The first time asks the program to end in good order, the second one ends it at once. Neither
 * leaves a file that is not complete. */
static bool tool_on_interrupt(void)
{
    if (atomic_exchange(&interrupted, true)) {
        output_remove_all();
        return false;
    }
    terrain_context_cancel(interrupt_context);
    return true;
}

void tool_catch_interrupt(terrain_context *context)
{
    interrupt_context = context;
    system_catch_interrupts(tool_on_interrupt);
}

bool tool_is_interrupted(void)
{
    return atomic_load(&interrupted);
}

int tool_check_interrupt(void)
{
    return tool_is_interrupted() ? tool_fail(TOOL_INTERRUPTED, "interrupted") : TOOL_SUCCESS;
}
