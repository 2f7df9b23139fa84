/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against input that nobody thought of. Bytes become a call of any operation, with params
 * from the table, the text of a recipe, a world, or an image file. Whatever they say: no undefined
 * behaviour, no hang, no leak; a call that fails says why and leaves its maps alone; one that
 * succeeds gives the same bits at the best instruction set and at the baseline, and with any
 * runner.
 *
 *     fuzz FILE...             replays inputs
 *     fuzz --seconds N FILE... replays them, then makes new ones out of them for N seconds
 *
 * With -DTEST_LIBFUZZER and clang's -fsanitize=fuzzer it is libFuzzer's target instead. An input
 * that begins with 'R' is a recipe, one with 'W' a world; one that begins with 'I' and a byte for
 * the type is an image file, if the program is built with -DTEST_FUZZ_IMAGES. */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/worlds.h"
#include "support/hosts.h"
#include "terrain/recipe.h"

#ifdef TEST_FUZZ_IMAGES
#include "fuzz/images.h"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- A host with little patience and memory ------------------------------------------------- */

struct patience {
    clock_t until;
    uint64_t ends; /* reports of 1 */
};

static int32_t report(void *user, double fraction)
{
    struct patience *patience = user;
    patience->ends += fraction == 1;
    return clock() > patience->until;
}

static terrain_context *impatient_context(uint32_t isa, test_runner *runner,
                                          struct patience *patience, test_allocator *allocator)
{
    terrain_context_desc desc;
    terrain_context *context = NULL;
    terrain_context_desc_init(&desc, sizeof desc);
    allocator->room = (uint64_t)1 << 28;
    desc.max_isa = isa;
    if (runner != NULL) {
        desc.runner = test_runner_of(runner);
    }
    desc.allocator = test_allocator_of(allocator);
    desc.progress.user = patience;
    desc.progress.report = report;
    *patience = (struct patience){.until = clock() + CLOCKS_PER_SEC / 10};
    require(terrain_context_create(&desc, &context) == TERRAIN_SUCCESS, "context", "");
    return context;
}

static void finish(terrain_context *context, const test_allocator *allocator)
{
    terrain_context_destroy(context);
    require(allocator->live == 0, "leak", "");
    require(allocator->faults == 0, "free with a wrong size", "");
}

/* ---- Operations ----------------------------------------------------------------------------- */

static terrain_window any_window(struct bytes *bytes)
{
    static const int64_t places[] = {
        0, -1, INT64_C(1) << 31, INT64_C(1) << 40, TERRAIN_WORLD_LIMIT - 100, -TERRAIN_WORLD_LIMIT};
    terrain_window window;
    window.x = places[take(bytes, 1) % 6] + (int64_t)take(bytes, 1) % 40;
    window.y = places[take(bytes, 1) % 6] + (int64_t)take(bytes, 1) % 40;
    window.width = 1 + (uint32_t)take(bytes, 1) % 40;
    window.height = 1 + (uint32_t)take(bytes, 1) % 40;
    return window;
}

/* Now and then larger than bands, strips and blocks are, or longer than 64 tasks of whole ones, and
 * often by a cell or two. */
static uint32_t any_larger(struct bytes *bytes, uint32_t size)
{
    switch (take(bytes, 1) % 8) {
    case 4:
        return size * 3;
    case 5:
        return size * 25;
    case 6:
        return 64 * (1 + size % 4) - 2 + (uint32_t)take(bytes, 1) % 5;
    case 7:
        return 64 * (1 + size * 4) - 2 + (uint32_t)take(bytes, 1) % 5;
    default:
        return size;
    }
}

/* The same place with other sides, and now and then where blocks of the world begin. */
static void enlarge(struct bytes *bytes, terrain_window *window)
{
    window->width = any_larger(bytes, window->width);
    window->height = any_larger(bytes, window->height);
    while ((uint64_t)window->width * window->height > 60000) {
        uint32_t *less = take(bytes, 1) % 2 == 0 ? &window->width : &window->height;
        *less = *less / 3 + 1;
    }
    const int64_t blocks = take(bytes, 1) % 2 == 0 ? 1 : 64;
    const int64_t most_x = TERRAIN_WORLD_LIMIT - (int64_t)window->width;
    const int64_t most_y = TERRAIN_WORLD_LIMIT - (int64_t)window->height;
    window->x = (window->x < most_x ? window->x : most_x) / blocks * blocks;
    window->y = (window->y < most_y ? window->y : most_y) / blocks * blocks;
}

/* Answers about windows must hold together for any window at all. */
static void ask_for_windows(struct bytes *bytes, const test_call *call)
{
    terrain_window out = {(int64_t)take(bytes, 8), (int64_t)take(bytes, 8),
                          (uint32_t)take(bytes, 4), (uint32_t)take(bytes, 4)};
    terrain_window in;
    uint32_t halo;
    terrain_operation_halo(call->operation, call->params, &halo);
    terrain_operation_result_window(call->operation, call->params, &out, &in);
    for (uint32_t i = 0; i <= terrain_operation_port_count(call->operation); i++) {
        if (terrain_operation_window(call->operation, call->params, i, &out, &in) ==
            TERRAIN_SUCCESS) {
            require(in.width > 0 && in.height > 0 && in.x >= -TERRAIN_WORLD_LIMIT &&
                        in.x <= TERRAIN_WORLD_LIMIT - (int64_t)in.width &&
                        in.y >= -TERRAIN_WORLD_LIMIT &&
                        in.y <= TERRAIN_WORLD_LIMIT - (int64_t)in.height,
                    test_call_text(call), "a window outside the world");
        }
    }
}

static void fill(test_call *call, uint32_t rarity)
{
    test_call_fill(call);
    if (rarity > 0) {
        test_call_sprinkle(call, rarity);
    }
}

static terrain_status apply(test_call *call, uint32_t isa, test_runner *runner, uint64_t before,
                            uint64_t *hash)
{
    struct patience patience;
    test_allocator allocator = {0};
    terrain_context *context = impatient_context(isa, runner, &patience, &allocator);
    terrain_status status = test_call_apply(call, context);
    const char *name = terrain_operation_name(call->operation);
    const char *message = terrain_context_message(context);
    if (status == TERRAIN_SUCCESS) {
        require(message[0] == '\0', test_call_text(call), message);
        require(patience.ends == 1, test_call_text(call), "progress that does not end once");
    } else {
        require(status < 0 && status >= TERRAIN_ERROR_SYSTEM, test_call_text(call), "status");
        require(strncmp(message, name, strlen(name)) == 0, test_call_text(call), message);
        require(test_call_fingerprint(call) == before, test_call_text(call), "torn maps");
    }
    *hash = test_call_hash(call);
    finish(context, &allocator);
    return status;
}

/* A window that is worth the time. */
static bool is_small(const terrain_window *window)
{
    return (uint64_t)window->width * window->height <= 200000;
}

/* shape_resample multiplies sizes, and what a coarse map must cover grows with the halo. */
static bool affordable(const test_call *call, const terrain_window *out)
{
    const terrain_port *port;
    terrain_window window;
    if (terrain_operation_result_window(call->operation, call->params, out, &window) ==
            TERRAIN_SUCCESS &&
        !is_small(&window)) {
        return false;
    }
    for (uint32_t i = 0; (port = terrain_operation_port_at(call->operation, i)) != NULL; i++) {
        if (port->lattice == TERRAIN_PORT_LATTICE_COARSE &&
            terrain_operation_window(call->operation, call->params, i, out, &window) ==
                TERRAIN_SUCCESS &&
            !is_small(&window)) {
            return false;
        }
    }
    return true;
}

static void fuzz_operation(struct bytes *bytes)
{
    const terrain_operation *operation =
        test_operation_at((uint32_t)take(bytes, 1) % test_operation_count());
    terrain_window window = any_window(bytes);
    test_call call = test_call_of(operation);
    uint64_t attach = take(bytes, 1);
    uint32_t rarity = (uint32_t)take(bytes, 1) % 30;
    call.seed = take(bytes, 1);
    take_params(bytes, &call);
    ask_for_windows(bytes, &call);
    enlarge(bytes, &window);
    const uint64_t kind = take(bytes, 1) % (TEST_RUN_KINDS + 1);
    test_runner runner = {.kind = (int)kind - 1, .seed = call.seed};
    if (test_operation_wanted(terrain_operation_name(operation)) && affordable(&call, &window)) {
        test_call_create_maps(&call, &window);
        if (attach % 4 == 0) {
            test_call_attach_all(&call);
        }
        uint64_t hashes[2];
        fill(&call, rarity);
        uint64_t before = test_call_fingerprint(&call);
        terrain_status status =
            apply(&call, TERRAIN_ISA_BEST, kind > 0 ? &runner : NULL, before, &hashes[0]);
        fill(&call, rarity);
        terrain_status again = apply(&call, TERRAIN_ISA_BASELINE, NULL, before, &hashes[1]);
        if (status == TERRAIN_SUCCESS && again == TERRAIN_SUCCESS) {
            require(hashes[0] == hashes[1], test_call_text(&call),
                    "other bits at the baseline without a runner");
        }
    }
    test_call_destroy(&call);
}

/* ---- Recipes -------------------------------------------------------------------------------- */

/* Gives every declared input a map. */
static void run_recipe(terrain_context *context, const terrain_recipe *recipe, bool world)
{
    enum { MOST_INPUTS = 8 };
    terrain_recipe_run_desc desc;
    const char *names[MOST_INPUTS];
    const terrain_heightmap *inputs[MOST_INPUTS];
    terrain_heightmap *maps[MOST_INPUTS];
    uint32_t count = terrain_recipe_input_count(recipe);
    terrain_window out;
    if (count > MOST_INPUTS || terrain_recipe_statement_count(recipe) > 40) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        terrain_window window = {0, 0, 24, 16};
        maps[i] = test_map(&window);
        test_fill_heights(maps[i], i);
        inputs[i] = maps[i];
        names[i] = terrain_recipe_input_at(recipe, i);
    }
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.flags |= world ? TERRAIN_RECIPE_WORLD : 0;
    desc.width = 24;
    desc.height = 16;
    desc.input_names = names;
    desc.inputs = inputs;
    desc.input_count = count;
    if (terrain_recipe_output_window(context, recipe, &desc, NULL, &out) == TERRAIN_SUCCESS &&
        (uint64_t)out.width * out.height <= 100000) {
        const char *result = NULL;
        terrain_heightmap *map = test_map(&out);
        desc.output_names = &result;
        desc.outputs = &map;
        desc.output_count = 1;
        terrain_status status = terrain_recipe_run(context, recipe, &desc);
        require((status == TERRAIN_SUCCESS) == (terrain_context_message(context)[0] == '\0'),
                "recipe", "success with a message, or failure without");
        terrain_heightmap_destroy(map);
    }
    for (uint32_t i = 0; i < count; i++) {
        terrain_heightmap_destroy(maps[i]);
    }
}

/* Params that ask for more memory or time than a fuzzer has are none of its business. */
static bool recipe_is_affordable(const terrain_recipe *recipe)
{
    const terrain_window small = {0, 0, 64, 64};
    uint64_t growth = 1; /* of the width, if all resampling were in one row */
    for (uint32_t i = 0; i < terrain_recipe_statement_count(recipe); i++) {
        const terrain_recipe_statement *statement = terrain_recipe_statement_at(recipe, i);
        uint32_t halo = 0;
        if (terrain_operation_halo(statement->operation, statement->params, &halo) !=
                TERRAIN_SUCCESS ||
            (halo > 300 && halo != UINT32_MAX)) {
            return false;
        }
        terrain_window result = small;
        terrain_operation_result_window(statement->operation, statement->params, &small, &result);
        growth *= result.width > small.width ? result.width / small.width + 1 : 1;
        if (growth > 40) {
            return false;
        }
    }
    return true;
}

/* What was read can be written, and then says the same. */
static void rewrite_recipe(terrain_context *context, const terrain_recipe *recipe)
{
    size_t needed = 0, again = 0;
    terrain_recipe *copy = NULL;
    const terrain_status status = terrain_recipe_format(context, recipe, NULL, 0, &needed);
    if (status == TERRAIN_ERROR_UNSUPPORTED || status == TERRAIN_ERROR_MEMORY) {
        return;
    }
    require(status == TERRAIN_SUCCESS, "recipe", "has no text");
    char *texts = malloc(2 * needed);
    require(texts != NULL, "memory", "");
    require(terrain_recipe_format(context, recipe, texts, needed, &again) == TERRAIN_SUCCESS &&
                again == needed,
            "recipe", "has another text");
    if (terrain_recipe_parse(NULL, texts, needed - 1, &copy) != TERRAIN_SUCCESS) {
        require(false, "recipe", "can't be read again");
    }
    require(terrain_recipe_format(NULL, copy, texts + needed, needed, &again) == TERRAIN_SUCCESS &&
                again == needed && memcmp(texts, texts + needed, needed) == 0,
            "recipe", "was read as another");
    terrain_recipe_destroy(copy);
    free(texts);
}

static void fuzz_recipe(const char *text, size_t size)
{
    struct patience patience;
    test_allocator allocator = {0};
    terrain_recipe *recipe = NULL;
    terrain_context *context = impatient_context(TERRAIN_ISA_BEST, NULL, &patience, &allocator);
    /* A copy of the exact size, so that reading beyond it is noticed. */
    char *copy = malloc(size > 0 ? size : 1);
    require(copy != NULL, "memory", "");
    memcpy(copy, text, size);
    terrain_status status = terrain_recipe_parse(context, copy, size, &recipe);
    free(copy);
    if (status == TERRAIN_SUCCESS) {
        require(recipe != NULL, "recipe", "none, but success");
        rewrite_recipe(context, recipe);
        bool world = terrain_recipe_check_world(context, recipe, NULL) == TERRAIN_SUCCESS;
        if (recipe_is_affordable(recipe)) {
            run_recipe(context, recipe, false);
            if (world) {
                run_recipe(context, recipe, true);
            }
        }
    } else {
        require(recipe == NULL, "recipe", "one, but no success");
        require(terrain_context_message(context)[0] != '\0', "recipe", "no message");
    }
    terrain_recipe_destroy(recipe);
    finish(context, &allocator);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && data[0] == 'R') {
        fuzz_recipe((const char *)data + 1, size - 1);
        return 0;
    }
#ifdef TEST_FUZZ_IMAGES
    if (size > 1 && data[0] == 'I') {
        fuzz_image(data[1], data + 2, size - 2);
        return 0;
    }
#endif
    struct bytes bytes = {data, size};
    if (take(&bytes, 1) == 'W') {
        fuzz_world(&bytes);
    } else {
        fuzz_operation(&bytes);
    }
    return 0;
}

#ifndef TEST_LIBFUZZER

/* ---- Without libFuzzer ----------------------------------------------------------------------- */

enum { INPUT_SIZE = 2048, MOST_FILES = 200 };

struct input {
    uint8_t data[INPUT_SIZE];
    size_t size;
};

static struct input corpus[MOST_FILES];
static uint32_t corpus_count;
static struct input current;

/* Sanitizers end in abort, so that the input can be kept. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "abort_on_error=1:allocator_may_return_null=1:log_path=stdout";
}

const char *__ubsan_default_options(void)
{
    return "abort_on_error=1:halt_on_error=1:print_stacktrace=1:log_path=stdout";
}

static void keep_input(int number)
{
    FILE *file = fopen("fuzz-failure.bin", "wb");
    if (file != NULL) {
        fwrite(current.data, 1, current.size, file);
        fclose(file);
        printf("the input is in fuzz-failure.bin:");
        for (size_t i = 0; i < current.size && i < 400; i++) {
            printf(" %02x", current.data[i]);
        }
        printf("\n");
        fflush(stdout);
    }
    signal(number, SIG_DFL);
    raise(number);
}

static void run_current(void)
{
    /* A copy of the exact size, so that reading beyond it is noticed. */
    uint8_t *copy = malloc(current.size > 0 ? current.size : 1);
    require(copy != NULL, "memory", "");
    memcpy(copy, current.data, current.size);
    LLVMFuzzerTestOneInput(copy, current.size);
    free(copy);
}

/* The bytes that tell what kind of input follows, by the file's name. */
static size_t prefix_of(const char *path, uint8_t prefix[2])
{
    static const char *const images[] = {".png", ".tif", ".r16", ".r32", ".pfm", ".r8"};
    const char *dot = strrchr(path, '.');
    if (dot != NULL && strcmp(dot, ".recipe") == 0) {
        prefix[0] = 'R';
        return 1;
    }
    for (uint8_t i = 0; dot != NULL && i < 6; i++) {
        if (strcmp(dot, images[i]) == 0) {
            prefix[0] = 'I';
            prefix[1] = i;
            return 2;
        }
    }
    return 0;
}

static bool load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || corpus_count == MOST_FILES) {
        printf("fuzz: can't read %s\n", path);
        return false;
    }
    struct input *input = &corpus[corpus_count++];
    input->size = prefix_of(path, input->data);
    input->size += fread(input->data + input->size, 1, INPUT_SIZE - input->size, file);
    fclose(file);
    return true;
}

static void random_bytes(test_random *random)
{
    const bool world = test_below(random, 4) == 0;
    current.size = 8 + (size_t)test_below(random, world ? 1000 : 200);
    for (size_t i = 0; i < current.size; i++) {
        current.data[i] = (uint8_t)test_bits(random);
    }
    current.data[0] = world ? 'W' : 'O';
}

/* A word that means something to a recipe. */
static const char *random_word(test_random *random)
{
    static const char *const words[] = {
        " ",   "=",   "\n",   "#",          "input ", "results ", "-1",    "nan", "1e9",
        ",",   "0.5", "99",   "4294967296", "seed=",  "mask=",    "a",     "b",   "yes",
        "inf", "\t",  "\r\n", "a=b",        "\xFF",   "\xC3\xA9", "1e-30",
    };
    const terrain_operation *operation =
        terrain_operation_at((uint32_t)test_below(random, terrain_operation_count()));
    const terrain_parameter *p = terrain_operation_parameter(
        operation, (uint32_t)test_below(random, terrain_operation_parameter_count(operation) + 1));
    switch (test_below(random, 4)) {
    case 0:
        return terrain_operation_name(operation);
    case 1:
        return p != NULL ? p->name : "?";
    default:
        return words[test_below(random, sizeof words / sizeof words[0])];
    }
}

static void replace(size_t at, size_t removed, const void *data, size_t size)
{
    if (removed > current.size - at) {
        removed = current.size - at;
    }
    if (current.size - removed + size > INPUT_SIZE) {
        return;
    }
    memmove(current.data + at + size, current.data + at + removed, current.size - at - removed);
    memcpy(current.data + at, data, size);
    current.size = current.size - removed + size;
}

static void mutate(test_random *random)
{
    for (uint64_t i = test_below(random, 4) + 1; i > 0; i--) {
        size_t at = 1 + (size_t)test_below(random, current.size);
        at = at < current.size ? at : current.size;
        size_t some = (size_t)test_below(random, 12);
        uint8_t byte = (uint8_t)test_bits(random);
        const struct input *other = &corpus[test_below(random, corpus_count)];
        const char *word = random_word(random);
        size_t from = other->size > 1 ? 1 + (size_t)test_below(random, other->size - 1) : 0;
        size_t length = (size_t)test_below(random, other->size - from + 1);
        switch (test_below(random, 4)) {
        case 0:
            replace(at, 1, &byte, 1);
            break;
        case 1:
            replace(at, some, "", 0);
            break;
        case 2:
            replace(at, some, word, strlen(word));
            break;
        default:
            replace(at, some, other->data + from, length);
            break;
        }
    }
}

#if defined(_WIN32)
#define NOTHING "NUL"
#else
#define NOTHING "/dev/null"
#endif

static uint64_t make_new_inputs(double seconds)
{
    const time_t start = time(NULL);
    uint64_t count = 0;
    test_random random = {(uint64_t)start};
    do {
        if (corpus_count == 0 || test_below(&random, 3) == 0) {
            random_bytes(&random);
        } else {
            current = corpus[test_below(&random, corpus_count)];
            if (current.size == 0) {
                continue;
            }
            mutate(&random);
        }
        run_current();
        count++;
    } while (difftime(time(NULL), start) < seconds);
    return count;
}

int main(int argc, char **argv)
{
    double seconds = 0;
    int first = 1;
    if (argc >= 3 && strcmp(argv[1], "--seconds") == 0) {
        seconds = atof(argv[2]);
        first = 3;
    }
    for (int i = first; i < argc; i++) {
        if (!load(argv[i])) {
            return 1;
        }
    }
    /* Readers of images complain on stderr; what matters here goes to stdout. */
    if (freopen(NOTHING, "w", stderr) == NULL) {
        return 1;
    }
    signal(SIGABRT, keep_input);
    signal(SIGSEGV, keep_input);
    for (uint32_t i = 0; i < corpus_count; i++) {
        current = corpus[i];
        run_current();
    }
    uint64_t made = seconds > 0 ? make_new_inputs(seconds) : 0;
    printf("fuzz: %u inputs replayed, %lu made\n", (unsigned)corpus_count, (unsigned long)made);
    return 0;
}

#endif
