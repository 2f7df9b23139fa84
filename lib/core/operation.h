/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What an operation is made of, and what core gives it.
 *
 * An operation file holds a parameter table, one `const terrain_operation`, and the functions named
 * there. terrain__apply does everything that operations have in common: it locks the context,
 * completes and checks the params, checks sizes and overlaps, sets the float environment,
 * allocates, applies the mask, and makes sure that a failed call leaves every map as it was. The
 * life of a call:
 *
 *   check     looks at the params alone; refuses combinations that the table's ranges allow
 *   prepare   gets scratch; nothing is written yet, and nothing allocates after it
 *   run       passes over scratch (terrain__run, each of which may be cancelled), then one last
 *             pass that writes the target (terrain__commit), which completes unless the target is
 *             a copy of the map, or the host takes partial results
 *
 * Names of file-local functions start with the algorithm's name ("thermal_prepare"): they are
 * unique in the library, so that all of it also compiles as one file. */

#ifndef TERRAIN_CORE_OPERATION_H
#define TERRAIN_CORE_OPERATION_H

#include <math.h>
#include <stdbool.h>

#include "base/compiler.h"
#include "base/float_environment.h"
#include "base/math.h"
#include "core/box.h"
#include "core/keys.h"
#include "terrain/operation.h"
#include "vector/random.h"

/* Tasks in one run: a claim is one bit of a 64-bit word. */
#define TERRAIN__MOST_TASKS 64u

/* Columns, and rows, of a map that operations take: they add what lies around it in 32 bits. */
#define TERRAIN__MOST_SIDE (UINT32_C(1) << 31)

/* For the table's bounds, which are double. */
#if defined(__TINYC__) /* which folds -x only of finite x */
#define TERRAIN__INFINITY 1e300 * 1e300
#else
#define TERRAIN__INFINITY ((double)INFINITY)
#endif

/* Halo of an operation whose every cell may depend on every other. */
#define TERRAIN__GLOBAL UINT32_MAX

/* Most maps that are arguments, and most maps of an operation (a grid is one). */
enum { TERRAIN__MOST_ARGUMENTS = 4, TERRAIN__MOST_PORTS = 16 };

/* Cells that may be read: of a map or of scratch. */
typedef struct terrain__view {
    const float *cells;
    size_t stride;
    uint32_t width;
    uint32_t height;
} terrain__view;

/* Cells that may be written. */
typedef struct terrain__plane {
    float *cells;
    size_t stride;
    uint32_t width;
    uint32_t height;
} terrain__plane;

typedef struct terrain__call terrain__call;

/* Params of the library's own size, complete and in range. terrain__params_complete makes them, and
 * nothing that takes them looks again. */
typedef struct terrain__checked terrain__checked;

/* An operation that refines a pyramid level by level, taken apart for worlds, which keep the coarse
 * levels for all tiles. Both operations have no name in the table. Their params begin with the
 * operation's own, their ports with its own ports, in their order; what follows are ports that read
 * the next coarser level, then those that a level makes beside its argument: as many as are read. A
 * level's cells are counted on a lattice of its own, so the ports that read it are COARSE, of no
 * spacing. */
typedef struct terrain__levels {
    uint32_t (*count)(const void *params);        /* of levels above the finest */
    void (*choose)(void *params, uint32_t index); /* sets which: 0 is the coarsest, the count the
                                                     finest */
    const terrain_operation *level;               /* makes a level from the next coarser one */
    const terrain_operation *finest;              /* makes what the operation makes */
} terrain__levels;

/* How the regions of an operation that needs a bounded map become one map: lib/recipe/regions.c. */
typedef enum terrain__combining {
    TERRAIN__COMBINE_CORES,  /* each cell from the region whose core holds it */
    TERRAIN__COMBINE_LEAST,  /* the least, with a ramp that rises towards a region's rim */
    TERRAIN__COMBINE_BASINS, /* the least, with the ramp of the cell where water ends */
} terrain__combining;

/* How such an operation is had in a world. */
typedef struct terrain__world_regions {
    uint32_t core; /* cells; a region has twice as many on each side */
    terrain__combining combining;
    /* BASINS: whether water that comes to a cell ends there, in whichever region, by the cell's
     * height and what the map at `rivers`, an offset in the params, says; 0 where none is given. */
    bool (*ends)(const void *params, float height, float river);
    uint32_t rivers;
} terrain__world_regions;

struct terrain_operation {
    uint32_t key; /* TERRAIN__KEY_…: enters every random number; pinned */
    uint32_t result_version;
    const char *name;
    const char *verb;
    const char *summary;
    const char *reference;
    /* The maps that are arguments, in their order: TERRAIN__READ and its like. The first tells size
     * and place of the call; one is written, or all of a grid. */
    terrain_port arguments[TERRAIN__MOST_ARGUMENTS + 1];
    uint32_t params_size;
    const terrain_parameter *parameters;
    uint32_t parameter_count;
    uint32_t job_size; /* bytes of call->job: what prepare leaves for run and the tasks */

    /* The rule that the params break, as the end of a sentence ("from must be below to"), or NULL.
     * Optional. */
    const char *(*check)(const void *params);
    /* Changes the parameters whose scaling is OWN to their values at a scale; `before` holds all
     * params as they were; the others have been changed. Afterwards values are clamped to their
     * ranges. Returns why there are none, as the end of a sentence, or NULL. NULL: there is no such
     * parameter. */
    const char *(*scale)(void *params, const void *before, double scale);
    /* Cells that an output cell may need on any side: the worst case over phases. NULL: none.
     * terrain__global_halo: every cell may need any other; also for a GRID, which has no
     * windows. */
    uint32_t (*halo)(const void *params);
    /* The box of the map at a port that is needed for a box of the output, in the port's own cells.
     * NULL: the output's box grown by the halo; of a coarse port, the points around that. Map
     * parameters on the call's lattice, of an operation that reads its first argument, cover what
     * that covers: they are not asked. Not called where the halo is TERRAIN__GLOBAL. */
    void (*window)(const void *params, uint32_t port, const terrain__box *out, terrain__box *in);
    /* The box of the output that a bounded input gives. NULL: the same box. Only for an output
     * whose lattice is OWN. */
    void (*result_box)(const void *params, const terrain__box *in, terrain__box *out);
    /* What is missing from the params for use in an endless world ("frame_width must be given"), or
     * NULL; maps that are given are not NULL. Optional. */
    const char *(*endless)(const void *params);
    /* What a world caches of it. Optional. */
    const terrain__levels *levels;
    /* How worlds compute an operation whose halo is TERRAIN__GLOBAL. NULL: not at all. */
    const terrain__world_regions *regions;

    /* Gets scratch. Optional. */
    terrain_status (*prepare)(terrain__call *call);
    terrain_status (*run)(terrain__call *call);
};

/* A port of a call, and its map. */
typedef struct terrain__bound {
    const terrain_port *port;
    const terrain_heightmap *map; /* NULL: none was given */
    terrain_heightmap *written;   /* the same map, if the operation may write it */
    terrain__plane plane;         /* what the operation writes in its place */
} terrain__bound;

/* ---- A call -------------------------------------------------------------------------------- */

struct terrain__call {
    const terrain_operation *operation;
    const void *params; /* complete, checked, of the library's own size */
    void *job;          /* operation->job_size bytes, zeroed */
    uint32_t isa;       /* TERRAIN_ISA_… to choose kernels by */

    terrain__view map;   /* as it was before the call; of a generator only its size is meant */
    terrain__view other; /* the second argument, if it is read */
    /* A grid: maps[row * columns + column]. The last pass writes them in place; `map` and `target`
     * are the first. */
    terrain_heightmap *const *maps;
    uint32_t columns, rows;
    /* What the commit writes. In place and unstaged, its cells are the map's. */
    terrain__plane target;
    /* World coordinates of the target's first cell, and of the map's, which differ only if the
     * operation has a result_box. */
    int64_t x, y, map_x, map_y;
    /* World cells of the target, and of further outputs, that anybody will look at: all, but in a
     * recipe's world, where margins are computed to be thrown away. The rest may become
     * anything. */
    terrain__box wanted;
    float cell_size; /* the map's */
    /* The cell size that the result of an operation gets which reads a map and writes another. It
     * is the map's unless prepare sets it. */
    float result_cell_size;

    const void *pass; /* what a pass of lib/rows works on */

    /* ---- core's own, see call.c ---- */
    terrain_context *context;
    struct terrain__scratchpad *pad;
    terrain__bound ports[TERRAIN__MOST_PORTS];
    uint32_t port_count;
    terrain__bound *main;          /* the port behind target */
    const terrain_heightmap *mask; /* NULL for none */
    uint32_t stage;                /* TERRAIN__STAGE_… */
    uint32_t passes;               /* what terrain__expect_passes announced */
    uint32_t passes_done;
    bool reports; /* a long last pass is running, which reports progress after each task */
    terrain__float_environment host;
};

/* What the target must be. Flags; prepare sets them with terrain__stage. */
enum {
    /* The last pass reads cells of the map that it may have overwritten: give it another target. */
    TERRAIN__STAGE_OUT_OF_PLACE = 1,
    /* The last pass is long: write to a second map and copy, unless nobody could cancel it or
     * partial results are allowed. */
    TERRAIN__STAGE_LONG = 2
};

/* In prepare: how the target is chosen. terrain__commit_cost is TERRAIN__STAGE_LONG by estimate:
 * the time of the last pass, which can't be cancelled, in nanoseconds a cell on one core. */
void terrain__stage(terrain__call *call, uint32_t flags);
void terrain__commit_cost(terrain__call *call, double nanoseconds_per_cell);

/* In prepare: the number of terrain__run and terrain__commit that follow, for progress. A long last
 * pass counts as all that are left, and may be given as several. */
void terrain__expect_passes(terrain__call *call, uint32_t passes);

/* In prepare: scratch memory, 64-byte aligned, not zeroed, which lives until the call ends. NULL if
 * the memory is not there yet: then prepare goes on asking for all that it needs, and is run again
 * with that much, so that only a prepare that writes to the block needs to look. */
void *terrain__scratch(terrain__call *call, size_t count, size_t size);

/* In prepare: a scratch plane whose stride is padded (no power of two, a multiple of 16). */
terrain__plane terrain__scratch_plane(terrain__call *call, uint32_t width, uint32_t height);

/* A map parameter's cells; cells is NULL where the caller gave none. For an output, which its
 * field's offset names, terrain__output is what the operation writes in its place; valid in run. */
terrain__view terrain__view_of(const terrain_heightmap *map);
terrain__plane terrain__output(const terrain__call *call, uint32_t offset);

/* A coarse map parameter: its cell (i, j), counted from (x, y), is the world point
 * (x + i, y + j) * spacing. */
typedef struct terrain__coarse {
    terrain__view view;
    int64_t x, y;
    uint32_t spacing;
} terrain__coarse;

terrain__coarse terrain__coarse_input(const terrain__call *call, uint32_t offset);

static inline terrain__view terrain__as_view(terrain__plane plane)
{
    terrain__view view = {plane.cells, plane.stride, plane.width, plane.height};
    return view;
}

/* A map of a grid. */
terrain__plane terrain__grid_plane(const terrain__call *call, uint32_t column, uint32_t row);

/* A failure with its message: "<operation>: <text>". Returns status. */
terrain_status terrain__fail(terrain__call *call, terrain_status status, const char *format, ...)
    TERRAIN__PRINTF(3, 4);

/* ---- Passes -------------------------------------------------------------------------------- */

/* One piece of a pass. May run on any thread, in any order; sees the call's job. */
typedef void terrain__task(terrain__call *call, uint32_t index);

/* A pass over scratch: task(call, i) for each i below count (at most TERRAIN__MOST_TASKS). Looks
 * for cancellation first, and before each task. Return what it returns, at once, if not success. */
terrain_status terrain__run(terrain__call *call, uint32_t count, terrain__task *task);

/* Whether all tasks run on this thread: work then need not be divided. No result may depend on
 * it. */
bool terrain__is_alone(const terrain__call *call);

/* The last pass, which writes the target and the outputs. Every task is run, whatever happens,
 * unless the target is a copy, or the host takes partial results: return what it returns. */
terrain_status terrain__commit(terrain__call *call, uint32_t count, terrain__task *task);

/* Rows cut into bands, one a task: they depend on the map, and maybe on terrain__is_alone, never on
 * how many threads there are. Bands have at least least_rows rows (what makes overlap between bands
 * cheap), but for the last one. */
typedef struct terrain__bands {
    uint32_t rows;
    uint32_t rows_per_band;
    uint32_t count;
} terrain__bands;

static inline terrain__bands terrain__bands_of(uint32_t rows, uint32_t least_rows)
{
    terrain__bands bands;
    uint32_t even = terrain__divide_up(rows, TERRAIN__MOST_TASKS);
    bands.rows = rows;
    bands.rows_per_band = even > least_rows ? even : least_rows;
    bands.count = terrain__divide_up(rows, bands.rows_per_band);
    return bands;
}

/* First row of band `index`, and the first row after it. */
static inline uint32_t terrain__band_begin(const terrain__bands *bands, uint32_t index)
{
    return index * bands->rows_per_band;
}

static inline uint32_t terrain__band_end(const terrain__bands *bands, uint32_t index)
{
    uint32_t begin = index * bands->rows_per_band;
    uint32_t left = bands->rows - begin;
    return begin + (left < bands->rows_per_band ? left : bands->rows_per_band);
}

/* ---- Calling ------------------------------------------------------------------------------- */

/* A map that a call is given as an argument: `written` if the port is not READ, else `read`. */
typedef struct terrain__argument {
    const terrain_heightmap *read;
    terrain_heightmap *written;
} terrain__argument;

/* The arguments of a call, and their count: TERRAIN__MAPS({.read = map}, {.written = result}). */
#define TERRAIN__MAPS(...)                                                                         \
    (const terrain__argument[]){__VA_ARGS__},                                                      \
        sizeof((const terrain__argument[]){__VA_ARGS__}) / sizeof(terrain__argument)

/* The body of every operation's public function. */
terrain_status terrain__apply(terrain_context *context, const terrain_operation *operation,
                              const terrain__argument *arguments, uint32_t count,
                              const void *params);

terrain_status terrain__apply_grid(terrain_context *context, const terrain_operation *operation,
                                   terrain_heightmap *const *maps, uint32_t columns, uint32_t rows,
                                   const void *params);

/* The maps of a call: arguments, or a grid. */
typedef struct terrain__maps {
    const terrain__argument *arguments;
    uint32_t count;
    terrain_heightmap *const *grid; /* NULL: none */
    uint32_t columns, rows;
    const terrain__box *wanted; /* cells of the output that will be looked at; NULL: all */
} terrain__maps;

/* terrain__apply within a call that holds the context's lock. */
terrain_status terrain__apply_checked(terrain_context *context, const terrain_operation *operation,
                                      const terrain__maps *maps, const terrain__checked *params);

/* The bytes of scratch memory that such a call takes, on a context that has kept nothing. Looks at
 * the size and place of maps, not at their cells. Fails where the call would before it begins. */
terrain_status terrain__count_scratch(terrain_context *context, const terrain_operation *operation,
                                      const terrain__maps *maps, const terrain__checked *params,
                                      size_t *bytes);

/* The halo of operations whose cells may need any other cell: TERRAIN__GLOBAL. */
uint32_t terrain__global_halo(const void *params);

/* The number of arguments, and of arguments that are read, which are the maps that a recipe's
 * statement names. */
uint32_t terrain__argument_count(const terrain_operation *operation);
uint32_t terrain__source_count(const terrain_operation *operation);
/* Whether the maps are a grid, and whether the result has a size of its own. */
bool terrain__is_grid(const terrain_operation *operation);
bool terrain__resizes(const terrain_operation *operation);
/* The port of a map parameter by the parameter's name; NULL if there is none. */
const terrain_port *terrain__port_find(const terrain_operation *operation, const char *name,
                                       uint32_t *index);
/* Cells between two points of a coarse port; 1 of any other. */
uint32_t terrain__port_spacing(const terrain_port *port, const terrain__checked *params);
/* terrain_operation_halo. */
uint32_t terrain__halo(const terrain_operation *operation, const terrain__checked *params);
/* Computes the box of the map at a port that is read for `out`, for terrain_operation_window. A
 * global operation reads what covers the same part of the world. */
void terrain__port_box(const terrain_operation *operation, const terrain__checked *params,
                       uint32_t port, const terrain__box *out, terrain__box *in);
/* terrain_operation_result_window, of boxes. */
void terrain__result_box(const terrain_operation *operation, const terrain__checked *params,
                         const terrain__box *in, terrain__box *out);

/* ---- The parameter table ------------------------------------------------------------------- */

/* Rows of a table. Each names the params struct, the field, its unit, default, range and doc line,
 * and does not compile if the field has another type. An enum's range follows from its names. */
#define TERRAIN__CHECKED_OFFSET(Params, type, field)                                               \
    ((uint32_t)(offsetof(Params, field) +                                                          \
                0 * sizeof(char[_Generic(((Params *)0)->field, type : 1, default                   \
                                         : -1)])))

/* What follows a row's doc line, if anything does: when it counts, and, where the unit does not
 * tell it, `.scaling = …`: a number without a unit is a share if it is a float, and must tell if it
 * is an integer. */
#define TERRAIN__NUMBER(Params, c_type, kind, member, field, unit_text, standard, low, high, ...)  \
    {                                                                                              \
        .name = #field, .unit = (unit_text), .type = (kind),                                       \
        .offset = TERRAIN__CHECKED_OFFSET(Params, c_type, field), .minimum = {.member = (low)},    \
        .maximum = {.member = (high)}, .default_value = {.member = (standard)}, .doc = __VA_ARGS__ \
    }
#define TERRAIN__FLOAT(Params, field, unit, standard, low, high, ...)                              \
    TERRAIN__NUMBER(Params, float, TERRAIN_TYPE_FLOAT, f, field, unit, standard, low, high,        \
                    __VA_ARGS__)
#define TERRAIN__INT32(Params, field, unit, standard, low, high, ...)                              \
    TERRAIN__NUMBER(Params, int32_t, TERRAIN_TYPE_INT32, i, field, unit, standard, low, high,      \
                    __VA_ARGS__)
#define TERRAIN__UINT32(Params, field, unit, standard, low, high, ...)                             \
    TERRAIN__NUMBER(Params, uint32_t, TERRAIN_TYPE_UINT32, u, field, unit, standard, low, high,    \
                    __VA_ARGS__)
#define TERRAIN__INT64(Params, field, unit, standard, low, high, ...)                              \
    TERRAIN__NUMBER(Params, int64_t, TERRAIN_TYPE_INT64, i, field, unit, standard, low, high,      \
                    __VA_ARGS__)
#define TERRAIN__BOOL(Params, field, standard, ...)                                                \
    TERRAIN__NUMBER(Params, uint32_t, TERRAIN_TYPE_BOOL, u, field, "", standard, 0, 1, __VA_ARGS__)
/* The values' names and what they do are the arrays <choices>_names and <choices>_docs. */
#define TERRAIN__ENUM(Params, field, standard, choices, ...)                                       \
    TERRAIN__ENUM_FIRST(                                                                           \
        Params, field, standard,                                                                   \
        sizeof(choices##_names) / sizeof(choices##_names)[0] +                                     \
            0 * sizeof(char[sizeof(choices##_names) == sizeof(choices##_docs) ? 1 : -1]),          \
        choices, __VA_ARGS__)
/* The first `count` of these values. */
#define TERRAIN__ENUM_FIRST(Params, field, standard, count, choices, ...)                          \
    {                                                                                              \
        .name = #field, .unit = "", .type = TERRAIN_TYPE_ENUM,                                     \
        .offset = TERRAIN__CHECKED_OFFSET(Params, uint32_t, field), .maximum = {.u = (count)-1},   \
        .default_value = {.u = (standard)}, .value_names = choices##_names,                        \
        .value_docs = choices##_docs, .doc = __VA_ARGS__                                           \
    }
/* A map parameter has a port of the same name. */
#define TERRAIN__PORT(Params, field, ...)                                                          \
    &(const terrain_port)                                                                          \
    {                                                                                              \
        .name = #field, .offset = offsetof(Params, field), .optional = 1, __VA_ARGS__              \
    }
#define TERRAIN__MAP(Params, c_type, kind, field, port_value, ...)                                 \
    {                                                                                              \
        .name = #field, .unit = "", .type = (kind),                                                \
        .offset = TERRAIN__CHECKED_OFFSET(Params, c_type, field), .port = port_value,              \
        .doc = __VA_ARGS__                                                                         \
    }
#define TERRAIN__MAP_IN(Params, field, ...)                                                        \
    TERRAIN__MAP(Params, const terrain_heightmap *, TERRAIN_TYPE_MAP_IN, field,                    \
                 TERRAIN__PORT(Params, field, .spacing = ""), __VA_ARGS__)
#define TERRAIN__MAP_OUT(Params, field, ...)                                                       \
    TERRAIN__MAP(Params, terrain_heightmap *, TERRAIN_TYPE_MAP_OUT, field,                         \
                 TERRAIN__PORT(Params, field, .role = TERRAIN_PORT_ROLE_WRITE, .spacing = ""),     \
                 __VA_ARGS__)
/* A map_in on a coarse lattice, whose spacing is the uint32 parameter `spacing_field`. */
#define TERRAIN__COARSE_MAP_IN(Params, field, spacing_field, ...)                                  \
    TERRAIN__MAP(                                                                                  \
        Params, const terrain_heightmap *, TERRAIN_TYPE_MAP_IN, field,                             \
        TERRAIN__PORT(Params, field, .lattice = TERRAIN_PORT_LATTICE_COARSE,                       \
                      .spacing = #spacing_field,                                                   \
                      .spacing_offset = TERRAIN__CHECKED_OFFSET(Params, uint32_t, spacing_field)), \
        __VA_ARGS__)
/* The count's field is <field>_count. */
#define TERRAIN__FLOAT_ARRAY(Params, field, unit_text, most, low, high, ...)                       \
    {                                                                                              \
        .name = #field, .unit = (unit_text), .type = TERRAIN_TYPE_FLOAT_ARRAY,                     \
        .offset = TERRAIN__CHECKED_OFFSET(Params, const float *, field),                           \
        .count_offset = TERRAIN__CHECKED_OFFSET(Params, uint32_t, field##_count),                  \
        .count_maximum = (most), .minimum = {.f = (low)}, .maximum = {.f = (high)},                \
        .doc = __VA_ARGS__                                                                         \
    }
/* The rows that several operations share. */
#define TERRAIN__SEED(Params)                                                                      \
    {                                                                                              \
        .name = "seed", .unit = "", .doc = "Another seed gives another terrain of the same kind.", \
        .type = TERRAIN_TYPE_UINT64, .offset = TERRAIN__CHECKED_OFFSET(Params, uint64_t, seed),    \
        .maximum = {.u = UINT64_MAX}, .role = TERRAIN_PARAMETER_ROLE_SEED,                         \
    }
#define TERRAIN__MASK(Params)                                                                      \
    TERRAIN__MAP(Params, const terrain_heightmap *, TERRAIN_TYPE_MAP_IN, mask,                     \
                 TERRAIN__PORT(Params, mask, .spacing = "", .mask = 1),                            \
                 "Where to apply: 0 keeps the old height, 1 takes the new one; without it, "       \
                 "everywhere.")

/* At the end of a row: the parameter counts only where another one, an enum, has one of these
 * values: TERRAIN__WHEN(mode, 1u << TERRAIN_ERODE_THERMAL_MODE_LAYERS). */
#define TERRAIN__WHEN(parameter, values) .when = #parameter, .when_values = (values)
/* Where a map or an array is given, or is not. */
#define TERRAIN__WITH(parameter) TERRAIN__WHEN(parameter, 2)
#define TERRAIN__WITHOUT(parameter) TERRAIN__WHEN(parameter, 1)

/* At the end of a row: only powers of two are allowed, as the spacings of coarse ports are. */
#define TERRAIN__POWER_OF_TWO .power_of_two = 1

/* The arguments of an operation's function, in its table. */
#define TERRAIN__ARGUMENT(map, what, ...)                                                          \
    {                                                                                              \
        .name = #map, .spacing = "", .role = TERRAIN_PORT_ROLE_##what, __VA_ARGS__                 \
    }
#define TERRAIN__READ(map) TERRAIN__ARGUMENT(map, READ, .lattice = TERRAIN_PORT_LATTICE_CALL)
#define TERRAIN__WRITE(map) TERRAIN__ARGUMENT(map, WRITE, .lattice = TERRAIN_PORT_LATTICE_CALL)
#define TERRAIN__CHANGE(map) TERRAIN__ARGUMENT(map, CHANGE, .lattice = TERRAIN_PORT_LATTICE_CALL)
#define TERRAIN__WRITE_RESIZED(map)                                                                \
    TERRAIN__ARGUMENT(map, WRITE, .lattice = TERRAIN_PORT_LATTICE_OWN)
#define TERRAIN__CHANGE_GRID(maps) TERRAIN__ARGUMENT(maps, CHANGE, .grid = 1)

/* An operation's key, name and verb. */
#define TERRAIN__IDENTITY(verb_name, algorithm)                                                    \
    .key = TERRAIN__KEY_##verb_name##_##algorithm, .name = #verb_name "_" #algorithm,              \
    .verb = #verb_name

#define TERRAIN__PARAMETERS(table)                                                                 \
    .parameters = (table), .parameter_count = sizeof(table) / sizeof(table)[0]

/* ---- The public functions ------------------------------------------------------------------- */

/* terrain_<name>_params_init. */
#define TERRAIN__PUBLIC_INIT(name)                                                                 \
    terrain_status terrain_##name##_params_init(terrain_##name##_params *params, size_t size)      \
    {                                                                                              \
        return terrain_operation_params_init(&terrain__##name, params, size);                      \
    }

/* terrain_<name> and terrain_<name>_params_init, as the public header declares them, by what the
 * operation does with its arguments. The last lines of an operation's file. */
#define TERRAIN__PUBLIC_CHANGE(name)                                                               \
    TERRAIN__PUBLIC_INIT(name)                                                                     \
    terrain_status terrain_##name(terrain_context *context, terrain_heightmap *map,                \
                                  const terrain_##name##_params *params)                           \
    {                                                                                              \
        return terrain__apply(context, &terrain__##name, TERRAIN__MAPS({.written = map}), params); \
    }
#define TERRAIN__PUBLIC_COMBINE(name)                                                              \
    TERRAIN__PUBLIC_INIT(name)                                                                     \
    terrain_status terrain_##name(terrain_context *context, terrain_heightmap *map,                \
                                  const terrain_heightmap *other,                                  \
                                  const terrain_##name##_params *params)                           \
    {                                                                                              \
        return terrain__apply(context, &terrain__##name,                                           \
                              TERRAIN__MAPS({.written = map}, {.read = other}), params);           \
    }
#define TERRAIN__PUBLIC_ANALYZE(name)                                                              \
    TERRAIN__PUBLIC_INIT(name)                                                                     \
    terrain_status terrain_##name(terrain_context *context, const terrain_heightmap *map,          \
                                  terrain_heightmap *result,                                       \
                                  const terrain_##name##_params *params)                           \
    {                                                                                              \
        return terrain__apply(context, &terrain__##name,                                           \
                              TERRAIN__MAPS({.read = map}, {.written = result}), params);          \
    }
#define TERRAIN__PUBLIC_STITCH(name)                                                               \
    TERRAIN__PUBLIC_INIT(name)                                                                     \
    terrain_status terrain_##name(terrain_context *context, terrain_heightmap *const *maps,        \
                                  uint32_t columns, uint32_t rows,                                 \
                                  const terrain_##name##_params *params)                           \
    {                                                                                              \
        return terrain__apply_grid(context, &terrain__##name, maps, columns, rows, params);        \
    }

#endif
