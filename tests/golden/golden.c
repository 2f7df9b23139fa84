/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against results that change: with a commit, a compiler, an instruction set, a byte order,
 * or the number of threads.
 *
 *     golden hashes.txt            compares
 *     golden --update hashes.txt   rewrites the file's hashes
 *
 * A line of the file is a call in a recipe's words, a size, and the hash of what the call writes:
 *
 *     shape_clamp low=0 high=10 @origin=-7,9 65x43 0123456789abcdef
 *
 * Words with @ are about the map: @origin=X,Y, @cell_size=S, and @special, which strews NaN,
 * infinity and huge numbers over it. A map parameter gets its map by name=yes. A new line may end
 * in a - where the hash goes, until --update. Every parameter of every operation must be set in
 * some line, and each name of an enum. Two variables of the environment save time:
 * TEST_OPERATIONS=NAME,... compares only the lines of these, and TEST_HOSTS=KIND,... runs them only
 * on some of the hosts that each instruction set has: serial, reverse, shuffle, pool.
 *
 * Plain C on purpose: it runs wherever the library does. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/calls.h"
#include "support/hosts.h"

enum { LINE_SIZE = 1000, MOST_WORDS = 64, MOST_HOSTS = 3 * 5 };

/* ---- Hosts --------------------------------------------------------------------------------- */

struct host {
    char name[40];
    terrain_context *context;
    test_runner runner;
    terrain_pool *pool;
};

static struct host hosts[MOST_HOSTS];
static uint32_t host_count;

static void add_host(uint32_t isa, int kind, uint32_t threads)
{
    struct host *host = &hosts[host_count++];
    if (threads == 0) {
        host->runner.kind = kind;
        snprintf(host->name, sizeof host->name, "%s, %s", test_isa_name(isa),
                 test_runner_name(kind));
        host->context = test_context(isa, &host->runner, NULL, NULL);
        return;
    }
    snprintf(host->name, sizeof host->name, "%s, pool of %u", test_isa_name(isa),
             (unsigned)threads);
    if (terrain_pool_create(threads, &host->pool) != TERRAIN_SUCCESS) {
        fprintf(stderr, "can't start a pool\n");
        exit(1);
    }
    host->context = test_context_on_pool(isa, host->pool);
}

/* Whether TEST_HOSTS has the word, or isn't set. */
static bool host_is_wanted(const char *kind)
{
    const char *wanted = getenv("TEST_HOSTS");
    return wanted == NULL || strstr(wanted, kind) != NULL;
}

static void create_hosts(void)
{
    static const int kinds[] = {TEST_RUN_SERIAL, TEST_RUN_REVERSE, TEST_RUN_SHUFFLE};
    for (uint32_t i = 0; i < test_isa_count(); i++) {
        uint32_t isa = test_isa_at(i);
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            if (host_is_wanted(test_runner_name(kinds[k]))) {
                add_host(isa, kinds[k], 0);
            }
        }
        for (uint32_t threads = 2; threads <= 3 && host_is_wanted("pool"); threads++) {
            add_host(isa, 0, threads);
        }
    }
    if (host_count == 0) {
        fprintf(stderr, "TEST_HOSTS names no host\n");
        exit(1);
    }
}

static void destroy_hosts(void)
{
    for (uint32_t i = 0; i < host_count; i++) {
        terrain_context_destroy(hosts[i].context);
        terrain_pool_destroy(hosts[i].pool);
    }
}

/* ---- Lines --------------------------------------------------------------------------------- */

struct line {
    char text[LINE_SIZE]; /* the words point in here */
    char *words[MOST_WORDS];
    uint32_t count;
};

/* Cuts a line into words. False for a comment or an empty line. */
static bool split(struct line *line, const char *text)
{
    snprintf(line->text, sizeof line->text, "%s", text);
    line->count = 0;
    char *word = strtok(line->text, " \t\r\n");
    while (word != NULL && line->count < MOST_WORDS) {
        line->words[line->count++] = word;
        word = strtok(NULL, " \t\r\n");
    }
    return line->count != 0 && line->words[0][0] != '#';
}

struct details {
    terrain_window window;
    float cell_size;
    bool special;
};

/* A word about the map. */
static bool read_detail(struct details *details, const char *word)
{
    double cell_size;
    if (strcmp(word, "@special") == 0) {
        details->special = true;
        return true;
    }
    if (sscanf(word, "@cell_size=%lf", &cell_size) == 1) {
        details->cell_size = (float)cell_size;
        return true;
    }
    return sscanf(word, "@origin=%" SCNd64 ",%" SCNd64, &details->window.x, &details->window.y) ==
           2;
}

static bool read_parameter(test_call *call, char *word)
{
    char *equals = strchr(word, '=');
    if (equals == NULL) {
        return false;
    }
    *equals = '\0';
    bool read = test_call_set_text(call, word, equals + 1);
    *equals = '=';
    return read;
}

/* Maps can be attached only once all numbers are known: they may decide the result's size. */
static bool is_map(const test_call *call, const char *word)
{
    char name[100];
    if (sscanf(word, "%99[^=]=", name) != 1) {
        return false;
    }
    const terrain_parameter *p = terrain_operation_parameter_find(call->operation, name);
    return p != NULL && (p->type == TERRAIN_TYPE_MAP_IN || p->type == TERRAIN_TYPE_MAP_OUT);
}

/* Makes the call that a line describes. Returns the word it can't read, or NULL. */
static const char *read_call(const struct line *line, test_call *call, struct details *details)
{
    const terrain_operation *operation = terrain_operation_find(line->words[0]);
    if (operation == NULL || line->count < 3) {
        return line->words[0];
    }
    *call = test_call_of(operation);
    char *size = line->words[line->count - 2];
    if (sscanf(size, "%" SCNu32 "x%" SCNu32, &details->window.width, &details->window.height) !=
        2) {
        return size;
    }
    for (uint32_t i = 1; i + 2 < line->count; i++) {
        char *word = line->words[i];
        bool read = word[0] == '@'       ? read_detail(details, word)
                    : is_map(call, word) ? true
                                         : read_parameter(call, word);
        if (!read) {
            return word;
        }
    }
    test_call_create_maps(call, &details->window);
    terrain_heightmap_set_cell_size(call->map, details->cell_size);
    for (uint32_t i = 1; i + 2 < line->count; i++) {
        if (line->words[i][0] != '@' && is_map(call, line->words[i])) {
            read_parameter(call, line->words[i]);
        }
    }
    return NULL;
}

static bool run_on(struct host *host, test_call *call, const struct details *details,
                   uint64_t *hash)
{
    test_call_fill(call);
    if (details->special) {
        test_sprinkle(call->map, 1, 40);
    }
    terrain_status status = test_call_apply(call, host->context);
    if (status != TERRAIN_SUCCESS) {
        printf("FAILED %s: %s: %s\n", host->name, terrain_status_name(status),
               terrain_context_message(host->context));
        return false;
    }
    *hash = test_call_hash(call);
    return true;
}

/* Runs a line on every host. Returns whether all agree with `expected`, or, without one, with the
 * first host; *hash is the first host's. */
static bool run_everywhere(test_call *call, const struct details *details, const uint64_t *expected,
                           uint64_t *hash)
{
    bool right = true;
    for (uint32_t i = 0; i < host_count; i++) {
        uint64_t found = 0;
        if (!run_on(&hosts[i], call, details, &found)) {
            right = false;
            continue;
        }
        if (i == 0) {
            *hash = found;
        }
        uint64_t wanted = expected != NULL ? *expected : *hash;
        if (found != wanted) {
            printf("DIFFERS %s: %016" PRIx64 ", expected %016" PRIx64 "\n", hosts[i].name, found,
                   wanted);
            right = false;
        }
    }
    return right;
}

static bool check_line(const char *text, struct line *line, bool update, uint64_t *hash)
{
    test_call call = {0};
    struct details details = {.cell_size = 1.0f};
    const char *wrong = read_call(line, &call, &details);
    if (wrong != NULL) {
        printf("can't read \"%s\" in: %s", wrong, text);
        test_call_destroy(&call);
        return false;
    }
    uint64_t expected = 0;
    const char *last = line->words[line->count - 1];
    bool given = sscanf(last, "%" SCNx64, &expected) == 1;
    bool right = run_everywhere(&call, &details, update ? NULL : &expected, hash);
    if (!given && !update) {
        right = false;
    }
    if (!right) {
        printf("   in: %s", text);
    } else if (update && (!given || expected != *hash)) {
        printf("new %016" PRIx64 " in: %s", *hash, text);
    }
    test_call_destroy(&call);
    return right;
}

/* ---- The file ------------------------------------------------------------------------------ */

static void write_line(FILE *out, const struct line *line, uint64_t hash)
{
    for (uint32_t i = 0; i + 1 < line->count; i++) {
        fprintf(out, "%s ", line->words[i]);
    }
    fprintf(out, "%016" PRIx64 "\n", hash);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t capacity = 1 << 20;
    char *text = calloc(1, capacity);
    if (text != NULL && fread(text, 1, capacity - 1, file) == capacity - 1) {
        free(text); /* a golden file of a megabyte is a mistake */
        text = NULL;
    }
    fclose(file);
    return text;
}

/* Runs all lines, and writes them to `out` with new hashes unless it is NULL. */
static uint32_t run_lines(const char *text, FILE *out, uint32_t *passed)
{
    static struct line line;
    static char copy[LINE_SIZE];
    uint32_t failed = 0;
    for (const char *next = text; *next != '\0';) {
        size_t length = strcspn(next, "\n") + 1;
        snprintf(copy, sizeof copy, "%.*s\n", (int)(length - 1), next);
        next += next[length - 1] == '\n' ? length : length - 1;
        if (!split(&line, copy)) {
            if (out != NULL) {
                fputs(copy, out);
            }
            continue;
        }
        uint64_t hash = 0;
        if (out == NULL && !test_operation_wanted(line.words[0])) {
            continue;
        }
        bool right = check_line(copy, &line, out != NULL, &hash);
        *passed += right;
        failed += !right;
        if (out != NULL) {
            right ? write_line(out, &line, hash) : (void)fputs(copy, out);
        }
    }
    return failed;
}

/* Whether some line of the operation has the word: to its end, or "name=" with any value. */
static bool has_word(const char *text, const char *operation, const char *word)
{
    static struct line line;
    static char copy[LINE_SIZE];
    bool any_value = word[strlen(word) - 1] == '=';
    for (const char *next = text; *next != '\0'; next += strcspn(next, "\n") + 1) {
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(next, "\n"), next);
        bool mine = split(&line, copy) && strcmp(line.words[0], operation) == 0;
        for (uint32_t i = 1; mine && i < line.count; i++) {
            if (any_value ? strncmp(line.words[i], word, strlen(word)) == 0
                          : strcmp(line.words[i], word) == 0) {
                return true;
            }
        }
        if (next[strcspn(next, "\n")] == '\0') {
            break;
        }
    }
    return false;
}

static uint32_t miss(const char *operation, const char *word)
{
    printf("no line for %s with %s\n", operation, word);
    return 1;
}

/* Parameters that no line sets, and names of enums that no line says but are not the default. */
static uint32_t count_unused_parameters(const char *text, const terrain_operation *operation)
{
    const char *name = terrain_operation_name(operation);
    uint32_t missing = 0;
    for_each_parameter(operation, p) {
        char word[200];
        for (uint64_t k = 0; p->type == TERRAIN_TYPE_ENUM && k <= p->maximum.u; k++) {
            snprintf(word, sizeof word, "%s=%s", p->name, p->value_names[k]);
            if (k != p->default_value.u && !has_word(text, name, word)) {
                missing += miss(name, word);
            }
        }
        snprintf(word, sizeof word, "%s=", p->name);
        if (!has_word(text, name, word)) {
            missing += miss(name, word);
        }
    }
    return missing;
}

static uint32_t count_uncovered(const char *text)
{
    uint32_t missing = 0;
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        missing += count_unused_parameters(text, terrain_operation_at(i));
    }
    return missing;
}

int main(int argc, char **argv)
{
    bool update = argc == 3 && strcmp(argv[1], "--update") == 0;
    if (argc != 2 + update) {
        fprintf(stderr, "usage: golden [--update] hashes.txt\n");
        return 2;
    }
    const char *path = argv[argc - 1];
    char beside[4096]; /* takes the old file's place when it is whole */
    snprintf(beside, sizeof beside, "%s.new", path);
    create_hosts();
    char *text = read_file(path);
    FILE *out = update && text != NULL ? fopen(beside, "wb") : NULL;
    if (text == NULL || (update && out == NULL)) {
        fprintf(stderr, "golden: can't open %s\n", text == NULL ? path : beside);
        return 1;
    }
    uint32_t passed = 0;
    uint32_t failed = run_lines(text, out, &passed);
    failed += count_uncovered(text);
    destroy_hosts();
    if (out != NULL && (fclose(out) != 0 || rename(beside, path) != 0)) {
        fprintf(stderr, "golden: can't write %s\n", path);
        failed++;
    }
    free(text);
    printf("golden: %u hosts, %u passed, %u failed\n", (unsigned)host_count, (unsigned)passed,
           (unsigned)failed);
    return failed != 0;
}
