/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The fuzz driver's worlds: a recipe of random statements, a window of its endless terrain at the
 * baseline without a runner, and tiles of it by every kind of host, which must be the same. */

#include "fuzz/worlds.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/compiler.h"
#include "support/hosts.h"
#include "terrain/world.h"

/* ---- A recipe ------------------------------------------------------------------------------- */

enum { MOST_TEXT = 12000, MOST_NAMES = 120, MOST_STATEMENTS = 16 };

struct land {
    char text[MOST_TEXT];
    size_t used;
    char names[MOST_NAMES][16]; /* of maps */
    uint32_t name_count;        /* of those that a statement may read */
    uint32_t made_count;        /* with what it makes itself */
};

static void write_text(struct land *land, const char *format, ...) TERRAIN__PRINTF(2, 3);

static void write_text(struct land *land, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(land->text + land->used, MOST_TEXT - land->used, format, arguments);
    va_end(arguments);
    land->used += (size_t)size;
    require(land->used < MOST_TEXT, "land", "no room for its text");
}

static void add_name(struct land *land, const char *name)
{
    require(land->made_count < MOST_NAMES, "land", "no room for its names");
    snprintf(land->names[land->made_count++], sizeof land->names[0], "%s", name);
}

/* Often the latest, so that chains become long. */
static const char *any_name(struct bytes *bytes, const struct land *land)
{
    const uint32_t back = (uint32_t)take(bytes, 1) % (2 * land->name_count);
    return land->names[land->name_count - 1 - (back < land->name_count ? back : 0)];
}

/* The maps of some map parameters. In the params any map stands for each, so that what counts is
 * known. A coarse map is on a lattice of its own, which no other statement may read. */
static void write_maps(struct bytes *bytes, struct land *land, test_call *call, char letter,
                       char arguments[400])
{
    static const char something;
    const void *map = &something;
    const terrain_port *port;
    size_t used = 0;
    arguments[0] = '\0';
    for (uint32_t i = 0; (port = terrain_operation_port_at(call->operation, i)) != NULL; i++) {
        char made[16];
        if (port->offset == 0 || take(bytes, 1) % 3 > 0) {
            continue;
        }
        snprintf(made, sizeof made, "%c%u", letter, (unsigned)i);
        const bool coarse = port->lattice == TERRAIN_PORT_LATTICE_COARSE;
        const char *given =
            coarse || port->role == TERRAIN_PORT_ROLE_WRITE ? made : any_name(bytes, land);
        if (coarse) {
            write_text(land, "%s = generate_noise seed=%u period=%u amplitude=%u\n", made,
                       (unsigned)take(bytes, 1), 1 + (unsigned)take(bytes, 1) % 40,
                       (unsigned)take(bytes, 1));
        } else if (given == made) {
            add_name(land, made);
        }
        used += (size_t)snprintf(arguments + used, 400 - used, " %s=%s", port->name, given);
        memcpy((char *)call->params + port->offset, &map, sizeof map);
    }
}

/* False if the value is out of range. */
static bool format(const terrain_parameter *p, terrain_value value,
                   char text[TERRAIN_PARAMETER_TEXT_SIZE])
{
    return terrain_parameter_format(p, &value, text, TERRAIN_PARAMETER_TEXT_SIZE) ==
               TERRAIN_SUCCESS &&
           terrain_parameter_parse(p, text, &value) == TERRAIN_SUCCESS;
}

static void write_number(struct land *land, const test_call *call, const terrain_parameter *p)
{
    enum { MOST_ITERATIONS = 80 }; /* what reaches far takes long */
    char text[TERRAIN_PARAMETER_TEXT_SIZE];
    terrain_value value = test_get(call->params, p);
    if (strcmp(p->name, "iterations") == 0 && value.u > MOST_ITERATIONS) {
        value.u = 1 + value.u % MOST_ITERATIONS;
    }
    if (!test_values_equal(p, value, p->default_value) && format(p, value, text)) {
        write_text(land, " %s=%s", p->name, text);
    }
}

static void write_array(struct land *land, const test_call *call, const terrain_parameter *p)
{
    const float *values;
    uint32_t count;
    char text[TERRAIN_PARAMETER_TEXT_SIZE];
    memcpy(&values, (const char *)call->params + p->offset, sizeof values);
    memcpy(&count, (const char *)call->params + p->count_offset, sizeof count);
    for (uint32_t i = 0, written = 0; i < count; i++) {
        if (format(p, (terrain_value){.f = (double)values[i]}, text)) {
            if (written++ == 0) {
                write_text(land, " %s=%s", p->name, text);
            } else {
                write_text(land, ",%s", text);
            }
        }
    }
}

static void write_statement(struct bytes *bytes, struct land *land)
{
    const terrain_operation *operation =
        terrain_operation_at((uint32_t)take(bytes, 1) % terrain_operation_count());
    test_call call = test_call_of(operation);
    const terrain_port *port;
    const char letter = (char)('a' + (int)(land->name_count % 26));
    char name[16] = {letter}, maps[400];
    take_params(bytes, &call);
    write_maps(bytes, land, &call, letter, maps);
    if (take(bytes, 1) % 4 == 0) { /* takes the place of an earlier map */
        snprintf(name, sizeof name, "%s", any_name(bytes, land));
    }
    write_text(land, "%s = %s", name, terrain_operation_name(operation));
    for (uint32_t i = 0; (port = terrain_operation_port_at(operation, i)) != NULL; i++) {
        if (port->offset == 0 && port->role != TERRAIN_PORT_ROLE_WRITE) {
            write_text(land, " %s", any_name(bytes, land));
        }
    }
    write_text(land, "%s", maps);
    for_each_parameter(operation, p) {
        if (!terrain_operation_parameter_counts(operation, p, call.params)) {
            continue;
        }
        if (test_is_number(p)) {
            write_number(land, &call, p);
        } else if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            write_array(land, &call, p);
        }
    }
    write_text(land, "\n");
    add_name(land, name);
    land->name_count = land->made_count;
    test_call_destroy(&call);
}

/* ---- A trial -------------------------------------------------------------------------------- */

struct trial {
    struct land land;
    terrain_recipe *recipe;
    terrain_recipe_run_desc run; /* of the whole window, by the recipe alone */
    terrain_world_desc desc;
    terrain_window whole;
    terrain_heightmap *wanted; /* its cells; NULL: refused */
    test_allocator allocator;  /* the world's */
    terrain_world *world;
};

static void check(bool condition, const struct trial *trial, const terrain_window *window,
                  const char *message)
{
    if (!condition) {
        printf("%s# map %s, world seed %" PRIu64 ", scale %.17g, cell size %.9g, cache_bytes "
               "%" PRIu64 ", memory_limit %" PRIu64 "\n# window %ux%u at (%" PRId64 ", %" PRId64
               "), within %ux%u at (%" PRId64 ", %" PRId64 ")\n",
               trial->land.text, trial->desc.name != NULL ? trial->desc.name : "of the result",
               trial->desc.seed, trial->desc.scale, (double)trial->desc.cell_size,
               trial->desc.cache_bytes, trial->desc.memory_limit, (unsigned)window->width,
               (unsigned)window->height, window->x, window->y, (unsigned)trial->whole.width,
               (unsigned)trial->whole.height, trial->whole.x, trial->whole.y);
        require(false, "world", message);
    }
}

/* What a call that is too long for a fuzzer is cancelled by. */
static int32_t be_impatient(void *user, double fraction)
{
    (void)fraction;
    return clock() > *(const clock_t *)user;
}

/* The window by the recipe alone, without a runner. The map is to be destroyed. */
static terrain_status run_window(const struct trial *trial, const terrain_window *window,
                                 terrain_heightmap **map)
{
    clock_t until = clock() + CLOCKS_PER_SEC / 4;
    terrain_recipe_run_desc run = trial->run;
    terrain_context_desc desc;
    terrain_context *context = NULL;
    *map = test_map(&(terrain_window){0, 0, window->width, window->height});
    uint32_t *before = test_snapshot(*map);
    terrain_context_desc_init(&desc, sizeof desc);
    desc.max_isa = TERRAIN_ISA_BASELINE;
    desc.progress = (terrain_progress){&until, be_impatient};
    require(terrain_context_create(&desc, &context) == TERRAIN_SUCCESS, "context", "");
    test_run_window(&run, window);
    run.outputs = map;
    run.output_names = &trial->desc.name;
    run.output_count = 1;
    terrain_status status = terrain_recipe_run(context, trial->recipe, &run);
    check((status == TERRAIN_SUCCESS) == (terrain_context_message(context)[0] == '\0'), trial,
          window, "success with a message, or failure without");
    check(status == TERRAIN_SUCCESS || test_unchanged(*map, before), trial, window, "a torn map");
    if (status == TERRAIN_SUCCESS) {
        free(before);
    }
    terrain_context_destroy(context);
    return status;
}

/* ---- Hosts ---------------------------------------------------------------------------------- */

struct host {
    terrain_context *context;
    test_allocator allocator;
    test_progress progress;
    test_runner runner;
    terrain_pool *pool;
};

/* Kinds of hosts beside those of test_runner. */
enum { HOST_ALONE = -1, HOST_POOL = -2 };

static int any_kind(struct bytes *bytes)
{
    return (int)(take(bytes, 1) % (TEST_RUN_KINDS + 2)) + HOST_POOL;
}

static void host_begin(struct host *host, int kind, uint64_t seed)
{
    terrain_context_desc desc;
    *host = (struct host){.runner = {.kind = kind, .seed = seed}};
    terrain_context_desc_init(&desc, sizeof desc);
    desc.max_isa = seed % 2 == 0 ? TERRAIN_ISA_BEST : test_isa_at((uint32_t)seed / 2 % 3);
    desc.allocator = test_allocator_of(&host->allocator);
    desc.progress = test_progress_of(&host->progress);
    if (kind == HOST_POOL) {
        require(terrain_pool_create(2, &host->pool) == TERRAIN_SUCCESS, "pool", "");
        terrain_pool_runner(host->pool, &desc.runner);
    } else if (kind != HOST_ALONE) {
        desc.runner = test_runner_of(&host->runner);
    }
    require(terrain_context_create(&desc, &host->context) == TERRAIN_SUCCESS, "context", "");
    host->runner.context = host->context;
}

static void host_end(struct host *host)
{
    terrain_context_destroy(host->context);
    terrain_pool_destroy(host->pool);
    require(host->allocator.live == 0, "world", "a leak of the context's");
    require(host->allocator.faults == 0, "world", "a free with a wrong size");
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Asks for a tile. If it is refused, the map is what it was, and there is a message. */
static terrain_status ask(const struct trial *trial, struct host *host,
                          const terrain_window *window, terrain_heightmap **tile)
{
    *tile = test_map(&(terrain_window){0, 0, window->width, window->height});
    test_fill_poison(*tile);
    uint32_t *before = test_snapshot(*tile);
    const uint64_t cancel_at = host->progress.cancel_at;
    host->progress = (test_progress){.cancel_at = cancel_at};
    terrain_status status =
        terrain_world_tile(host->context, trial->world, window->x, window->y, *tile);
    const char *message = terrain_context_message(host->context);
    check((status == TERRAIN_SUCCESS) == (message[0] == '\0'), trial, window, message);
    check(host->progress.faults == 0, trial, window, "progress that falls");
    if (status == TERRAIN_SUCCESS) {
        const terrain_window made = test_window_of(*tile);
        check(made.x == window->x && made.y == window->y, trial, window, "a wrong origin");
        check(host->progress.ends == 1, trial, window, "progress that does not end once");
        free(before);
    } else {
        check(test_unchanged(*tile, before), trial, window, "a torn tile");
        const terrain_window kept = test_window_of(*tile);
        check(kept.x == 0 && kept.y == 0, trial, window, "a refused tile with an origin");
    }
    return status;
}

/* Whether a tile, or the blocks around it, may end beyond the world, whose coarse levels end
 * earlier. */
static bool is_far(const terrain_window *window)
{
    const int64_t far = INT64_C(1) << 48;
    return window->x > far || window->x < -far || window->y > far || window->y < -far;
}

/* A tile that must be right; far away it may be refused. */
static void check_tile(const struct trial *trial, struct host *host, const terrain_window *window)
{
    terrain_heightmap *tile;
    const terrain_status status = ask(trial, host, window, &tile);
    if (status == TERRAIN_SUCCESS) {
        check(test_windows_equal(trial->wanted, tile, window), trial, window, "other bits");
        check(terrain_heightmap_cell_size(tile) == terrain_heightmap_cell_size(trial->wanted),
              trial, window, "another cell size");
    } else {
        check(status == TERRAIN_ERROR_RANGE && is_far(window), trial, window,
              terrain_context_message(host->context));
    }
    terrain_heightmap_destroy(tile);
}

/* A tile by a host that may fail. */
static void check_failure(const struct trial *trial, struct host *host,
                          const terrain_window *window)
{
    terrain_heightmap *tile;
    const terrain_status status = ask(trial, host, window, &tile);
    check(status != TERRAIN_SUCCESS || test_windows_equal(trial->wanted, tile, window), trial,
          window, "other bits by a host that fails");
    check(status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_MEMORY ||
              status == TERRAIN_ERROR_CANCELLED || status == TERRAIN_ERROR_RUNNER ||
              (status == TERRAIN_ERROR_RANGE && is_far(window)),
          trial, window, terrain_context_message(host->context));
    terrain_heightmap_destroy(tile);
}

static terrain_window any_inside(struct bytes *bytes, const terrain_window *whole)
{
    if (take(bytes, 1) % 8 == 0) {
        return *whole;
    }
    const uint32_t x = (uint32_t)take(bytes, 1) % whole->width;
    const uint32_t y = (uint32_t)take(bytes, 1) % whole->height;
    return (terrain_window){whole->x + x, whole->y + y,
                            1 + (uint32_t)take(bytes, 1) % (whole->width - x),
                            1 + (uint32_t)take(bytes, 1) % (whole->height - y)};
}

static void make_world(struct trial *trial)
{
    terrain_context *context = test_plain_context();
    trial->allocator = (test_allocator){.any_thread = true};
    trial->desc.allocator = test_allocator_of(&trial->allocator);
    trial->desc.recipe = trial->recipe;
    terrain_status status = terrain_world_create(context, &trial->desc, &trial->world);
    check(status == TERRAIN_SUCCESS, trial, &trial->whole, terrain_context_message(context));
    terrain_context_destroy(context);
}

static void end_world(struct trial *trial)
{
    check(terrain_world_cache_size(trial->world) <= trial->desc.cache_bytes, trial, &trial->whole,
          "more in the cache than it may hold");
    terrain_world_destroy(trial->world);
    check(trial->allocator.live == 0, trial, &trial->whole, "a leak of the world's");
    check(trial->allocator.faults == 0, trial, &trial->whole, "a free with a wrong size");
}

/* Fills the cache, or is refused. */
static void prepare(struct bytes *bytes, const struct trial *trial, struct host *host)
{
    terrain_window window = any_inside(bytes, &trial->whole);
    window.width = take(bytes, 1) % 16 == 0 ? 0 : window.width;
    host->progress = (test_progress){0};
    terrain_status status = terrain_world_prepare(host->context, trial->world, &window);
    check(status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_MEMORY ||
              (status == TERRAIN_ERROR_RANGE && (is_far(&window) || window.width == 0)),
          trial, &window, terrain_context_message(host->context));
    check(host->progress.ends == (status == TERRAIN_SUCCESS), trial, &window,
          "preparing does not end once");
}

/* One tile after another, by one host that is kept and others that are not. */
static void fly_alone(struct bytes *bytes, struct trial *trial, uint32_t tiles)
{
    struct host kept, fresh;
    host_begin(&kept, any_kind(bytes), take(bytes, 1));
    for (uint32_t i = 0; i < tiles; i++) {
        const terrain_window window = any_inside(bytes, &trial->whole);
        switch (take(bytes, 1) % 8) {
        case 0:
            host_begin(&fresh, any_kind(bytes), take(bytes, 1));
            check_tile(trial, &fresh, &window);
            host_end(&fresh);
            break;
        case 1: /* memory that ends */
            host_begin(&fresh, any_kind(bytes), take(bytes, 1));
            fresh.allocator.fail_at = fresh.allocator.calls + 1 + take(bytes, 1) % 64;
            check_failure(trial, &fresh, &window);
            host_end(&fresh);
            break;
        case 2: /* the same of the world */
            trial->allocator.fail_at = trial->allocator.calls + 1 + take(bytes, 1) % 64;
            check_failure(trial, &kept, &window);
            trial->allocator.fail_at = 0;
            break;
        case 3: /* a runner that fails, drops a task or cancels, or a report that cancels */
            host_begin(&fresh, TEST_RUN_FAIL + (int)(take(bytes, 1) % 3), 0);
            fresh.runner.limit = 1 + take(bytes, 1);
            fresh.progress.cancel_at = take(bytes, 1) % 32;
            check_failure(trial, &fresh, &window);
            host_end(&fresh);
            break;
        case 4:
            prepare(bytes, trial, &kept);
            check_tile(trial, &kept, &window);
            break;
        case 5:
            terrain_world_trim(trial->world);
            check_tile(trial, &kept, &window);
            break;
        default:
            check_tile(trial, &kept, &window);
            break;
        }
    }
    host_end(&kept);
}

enum { TILES = 8 };

struct flight {
    const struct trial *trial;
    terrain_window tiles[TILES];
    atomic_uint next;
};

static void *fly(void *user)
{
    struct flight *flight = user;
    struct host host;
    host_begin(&host, HOST_ALONE, 0);
    for (unsigned i; (i = atomic_fetch_add(&flight->next, 1)) < TILES;) {
        check_tile(flight->trial, &host, &flight->tiles[i]);
    }
    host_end(&host);
    return NULL;
}

static void fly_together(struct bytes *bytes, const struct trial *trial)
{
    struct flight flight = {.trial = trial};
    for (int i = 0; i < TILES; i++) {
        flight.tiles[i] = any_inside(bytes, &trial->whole);
    }
    atomic_init(&flight.next, 0);
    test_on_threads(2 + (uint32_t)take(bytes, 1) % 2, fly, &flight);
}

/* A refusal tells a limit that does, for the same host, and what is taken stays within it. */
static void check_limit(struct bytes *bytes, struct trial *trial)
{
    const terrain_window window = any_inside(bytes, &trial->whole);
    const int kind = any_kind(bytes);
    const uint64_t seed = take(bytes, 1);
    terrain_status status = TERRAIN_ERROR_MEMORY;
    trial->desc.memory_limit = 1 + take(bytes, 3);
    for (int i = 0; i < 2 && status == TERRAIN_ERROR_MEMORY; i++) {
        struct host host;
        terrain_heightmap *tile;
        make_world(trial);
        host_begin(&host, kind, seed);
        const uint64_t before = trial->allocator.live_bytes;
        status = ask(trial, &host, &window, &tile);
        const char *message = terrain_context_message(host.context);
        const char *text = strstr(message, " bytes would");
        if (status == TERRAIN_SUCCESS) {
            check(test_windows_equal(trial->wanted, tile, &window), trial, &window,
                  "other bits within a limit");
            check(trial->allocator.most_bytes - before + host.allocator.most_bytes <=
                      trial->desc.memory_limit,
                  trial, &window, "more than the limit");
        } else if (status == TERRAIN_ERROR_MEMORY) {
            check(text != NULL && i == 0, trial, &window, message);
            while (text > message && text[-1] >= '0' && text[-1] <= '9') {
                text--;
            }
        } else {
            check(status == TERRAIN_ERROR_RANGE && is_far(&window), trial, &window, message);
        }
        end_world(trial);
        if (status == TERRAIN_ERROR_MEMORY) {
            trial->desc.memory_limit = strtoull(text, NULL, 10);
        }
        terrain_heightmap_destroy(tile);
        host_end(&host);
    }
    trial->desc.memory_limit = 0;
}

/* A tile anywhere, even outside the world: what the recipe alone makes of it, or a refusal. */
static void check_anywhere(struct bytes *bytes, struct trial *trial)
{
    const terrain_window window = {(int64_t)take(bytes, 8), (int64_t)take(bytes, 8),
                                   1 + (uint32_t)take(bytes, 1) % 16,
                                   1 + (uint32_t)take(bytes, 1) % 16};
    struct host host;
    terrain_heightmap *tile, *wanted;
    host_begin(&host, HOST_ALONE, 0);
    const terrain_status alone = run_window(trial, &window, &wanted);
    if (alone == TERRAIN_SUCCESS || alone == TERRAIN_ERROR_RANGE) {
        const terrain_status status = ask(trial, &host, &window, &tile);
        check(status == alone || status == TERRAIN_ERROR_RANGE, trial, &window,
              terrain_context_message(host.context));
        check(status != TERRAIN_SUCCESS || test_windows_equal(wanted, tile, &window), trial,
              &window, "other bits anywhere");
        terrain_heightmap_destroy(tile);
    }
    terrain_heightmap_destroy(wanted);
    host_end(&host);
}

/* ---- All of it ------------------------------------------------------------------------------ */

/* Near where bands, blocks, regions, signs, words and the world end. */
static int64_t any_place(struct bytes *bytes)
{
    const int64_t one = 1;
    const int64_t places[] = {
        0,
        0,
        -32,
        512,
        -1024,
        one << 31,
        -(one << 32),
        one << 40,
        -(one << 53),
        one << 58,
        TERRAIN_WORLD_LIMIT - 700,
        -TERRAIN_WORLD_LIMIT + 300,
    };
    const int64_t place = places[take(bytes, 1) % (sizeof places / sizeof places[0])];
    return place + (int64_t)take(bytes, 1) - 128;
}

static void choose(struct bytes *bytes, struct trial *trial)
{
    static const double scales[] = {1, 1, 1, 1, 0.5, 2, 0.25, 1.0 / 3, 3, 0.01};
    static const float cell_sizes[] = {1, 1, 1.5F, 0.1F, 30};
    static const uint64_t caches[] = {0, 20000, 300000, 4 << 20, 64 << 20};
    terrain_world_desc *desc = &trial->desc;
    trial->whole =
        (terrain_window){any_place(bytes), any_place(bytes), 1 + (uint32_t)take(bytes, 1) % 120,
                         1 + (uint32_t)take(bytes, 1) % 120};
    terrain_world_desc_init(desc, sizeof *desc);
    desc->seed = take(bytes, 1);
    desc->scale = scales[take(bytes, 1) % (sizeof scales / sizeof scales[0])];
    desc->cell_size = cell_sizes[take(bytes, 1) % (sizeof cell_sizes / sizeof cell_sizes[0])];
    desc->cache_bytes = caches[take(bytes, 1) % (sizeof caches / sizeof caches[0])];
    terrain_recipe_run_desc_init(&trial->run, sizeof trial->run);
    trial->run.flags |= TERRAIN_RECIPE_WORLD;
    trial->run.seed = desc->seed;
    trial->run.scale = desc->scale;
    trial->run.cell_size = desc->cell_size;
}

/* The recipe of the land's text; NULL if a world can't have it, or its window takes more cells. */
static terrain_recipe *recipe_of(const struct trial *trial, const struct land *land,
                                 uint64_t most_cells)
{
    terrain_context *context = test_plain_context();
    terrain_recipe_run_desc run = trial->run;
    terrain_recipe *recipe = NULL;
    terrain_recipe_plan *plan = NULL;
    test_run_window(&run, &trial->whole);
    bool fine = terrain_recipe_parse(context, land->text, land->used, &recipe) == TERRAIN_SUCCESS &&
                terrain_recipe_check_world(context, recipe, NULL) == TERRAIN_SUCCESS &&
                terrain_recipe_plan_create(context, recipe, &run, &plan) == TERRAIN_SUCCESS &&
                terrain_recipe_plan_cells(plan, UINT32_MAX) <= most_cells;
    terrain_recipe_plan_destroy(plan);
    terrain_context_destroy(context);
    if (!fine) {
        terrain_recipe_destroy(recipe);
        recipe = NULL;
    }
    return recipe;
}

/* As many statements as a world can have. */
static void grow(struct bytes *bytes, struct trial *trial, uint64_t most_cells)
{
    write_text(&trial->land, "a = generate_noise period=40\n"
                             "b = generate_noise seed=1 period=25 amplitude=1 offset=0.5\n");
    add_name(&trial->land, "a");
    add_name(&trial->land, "b");
    trial->land.name_count = trial->land.made_count;
    trial->recipe = recipe_of(trial, &trial->land, most_cells);
    for (uint64_t i = take(bytes, 1) % MOST_STATEMENTS; i > 0 && trial->recipe != NULL; i--) {
        struct land longer = trial->land;
        write_statement(bytes, &longer);
        terrain_recipe *recipe = recipe_of(trial, &longer, most_cells);
        if (recipe != NULL) {
            terrain_recipe_destroy(trial->recipe);
            trial->recipe = recipe;
            trial->land = longer;
        }
    }
}

void fuzz_world(struct bytes *bytes)
{
    struct trial trial = {0};
    choose(bytes, &trial);
    const bool regions = take(bytes, 1) % 16 == 0; /* which take long */
    grow(bytes, &trial, regions ? 12000000 : 400000);
    if (trial.recipe == NULL) {
        return; /* the window leaves the world */
    }
    if (take(bytes, 1) % 4 == 0) {
        const uint32_t count = terrain_recipe_map_count(trial.recipe);
        trial.desc.name = terrain_recipe_map_at(trial.recipe, (uint32_t)take(bytes, 1) % count);
    }
    if (run_window(&trial, &trial.whole, &trial.wanted) == TERRAIN_SUCCESS) {
        const terrain_window window = any_inside(bytes, &trial.whole);
        terrain_heightmap *part;
        if (run_window(&trial, &window, &part) == TERRAIN_SUCCESS) {
            check(test_windows_equal(trial.wanted, part, &window), &trial, &window,
                  "other bits alone");
        }
        terrain_heightmap_destroy(part);
        make_world(&trial);
        if (take(bytes, 1) % 4 == 0) {
            fly_together(bytes, &trial);
        }
        fly_alone(bytes, &trial, regions ? 2 : 6);
        check_anywhere(bytes, &trial);
        end_world(&trial);
        check_limit(bytes, &trial);
    }
    terrain_heightmap_destroy(trial.wanted);
    terrain_recipe_destroy(trial.recipe);
}
