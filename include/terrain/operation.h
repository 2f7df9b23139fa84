/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The operation table: it describes every operation as data, and every operation can be called
 * through it. Tools, bindings and editors need nothing else.
 *
 * Everything that these functions return belongs to the library, stays valid as long as the library
 * is loaded, and never changes. Any number of threads may call them at the same time, those that
 * take a context each with its own. */

#ifndef TERRAIN_OPERATION_H
#define TERRAIN_OPERATION_H

#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_operation terrain_operation;

/** How an operation's own function is called. It follows from the operation's ports. */
typedef uint32_t terrain_signature;
enum {
    /** (context, map, params): every cell overwritten, none read */
    TERRAIN_SIGNATURE_GENERATE = 0,
    /** (context, map, params) */
    TERRAIN_SIGNATURE_IN_PLACE = 1,
    /** (context, map, other, params): other is read, map is read and written */
    TERRAIN_SIGNATURE_COMBINE = 2,
    /** (context, map, result, params): map is read, result written */
    TERRAIN_SIGNATURE_RESULT = 3,
    /** (context, maps, columns, rows, params): all read and written */
    TERRAIN_SIGNATURE_GRID = 4,
    /** other ports; the prototype is in the header */
    TERRAIN_SIGNATURE_OTHER = 5
};

/** What an operation does with the map at a port. */
typedef uint32_t terrain_port_role;
enum {
    TERRAIN_PORT_ROLE_READ = 0,
    /** writes every cell, reads none */
    TERRAIN_PORT_ROLE_WRITE = 1,
    /** reads the map and writes it in place */
    TERRAIN_PORT_ROLE_CHANGE = 2
};

/** Which cells the map at a port has. */
typedef uint32_t terrain_port_lattice;
enum {
    /** the same size and origin as the call's first map, whose cell size counts: that of a further
     * map that is read plays no part, and is not compared */
    TERRAIN_PORT_LATTICE_CALL = 0,
    /** a size of its own: see terrain_operation_result_window */
    TERRAIN_PORT_LATTICE_OWN = 1,
    /** cell (i, j) is the world point (i, j) * spacing, so that a small map serves a large world;
     * its origin is in its own cells */
    TERRAIN_PORT_LATTICE_COARSE = 2
};

/** A port: a map that an operation reads or writes. Later versions may append fields: use pointers
 * to the struct, never copies. */
typedef struct terrain_port {
    /** The name of the argument or of the parameter. */
    const char *name;
    /** For COARSE, the name of the uint32 parameter that holds the spacing, a power of two;
     * otherwise "". */
    const char *spacing;
    terrain_port_role role;
    terrain_port_lattice lattice;
    /** The offset of the map's pointer in the params struct, in bytes; 0 for an argument. */
    uint32_t offset;
    /** For COARSE, the offset of the spacing parameter's field. */
    uint32_t spacing_offset;
    uint32_t optional; /**< 1: NULL is allowed */
    /** 1: the map is a mask, which says where the operation applies. At 0 a cell keeps its old
     * height and at 1 it takes the new one, both to the last bit; between, it gets old + mask *
     * (new - old). Less than 0 and NaN count as 0, more than 1 as 1. An infinite height that the
     * operation leaves stays. The mask must have the map's size and origin, or the call returns
     * ARGUMENT; its cell size plays no part. What the operation computes, and what it writes into
     * other maps, does not depend on the mask: it saves no time. Memory: 4 bytes a cell more than
     * without one, and 4 for each other map that is written. */
    uint32_t mask;
    uint32_t grid; /**< 1: the port stands for every map of a grid */
    uint32_t reserved;
} terrain_port;

/** What an operation assumes beyond the edge of a bounded map. An endless world has no edge. */
typedef uint32_t terrain_border;
enum {
    /** the nearest cell of the map */
    TERRAIN_BORDER_CLAMP = 0,
    /** the map reflected in its edge: cell -1 is cell 0, cell -2 cell 1 */
    TERRAIN_BORDER_MIRROR = 1,
    /** the map repeated: cell -1 is the last one */
    TERRAIN_BORDER_WRAP = 2,
    /** no cells: means are of the map's own, shape_perturb reads 0 */
    TERRAIN_BORDER_OPEN = 3
};

/** The distance between two positions that differ by dx and dy. An operation may accept only the
 * first few of these; its table says so. */
typedef uint32_t terrain_metric;
enum {
    /** sqrt(dx^2 + dy^2): a circle around a place */
    TERRAIN_METRIC_EUCLIDEAN = 0,
    /** the greater of |dx| and |dy|: a square */
    TERRAIN_METRIC_CHEBYSHEV = 1,
    /** |dx| + |dy|: a square that stands on its corner */
    TERRAIN_METRIC_MANHATTAN = 2,
    /** dx^2 + dy^2: faster than euclidean */
    TERRAIN_METRIC_SQUARED = 3
};

/** Where water leaves a bounded map. Cells that are NaN (no data, or sea) are always outlets. */
typedef uint32_t terrain_rim;
enum {
    /** over the edge of the map, at each of its cells */
    TERRAIN_RIM_OPEN = 0,
    /** only at NaN; on a map without NaN, at the lowest cell */
    TERRAIN_RIM_CLOSED = 1
};

/** The C type of a parameter's field. */
typedef uint32_t terrain_type;
enum {
    TERRAIN_TYPE_FLOAT = 0,
    TERRAIN_TYPE_INT32 = 1,
    TERRAIN_TYPE_UINT32 = 2,
    TERRAIN_TYPE_INT64 = 3,
    TERRAIN_TYPE_UINT64 = 4,
    /** uint32_t, 0 or 1 */
    TERRAIN_TYPE_BOOL = 5,
    /** uint32_t, an index into the names */
    TERRAIN_TYPE_ENUM = 6,
    /** const terrain_heightmap *, NULL for none */
    TERRAIN_TYPE_MAP_IN = 7,
    /** terrain_heightmap *, NULL for none */
    TERRAIN_TYPE_MAP_OUT = 8,
    /** const float *, with its uint32_t count at count_offset */
    TERRAIN_TYPE_FLOAT_ARRAY = 9
};

/** A bound, a default or a value: f for FLOAT and FLOAT_ARRAY, i for INT32 and INT64, u for the
 * other types. */
typedef union terrain_value {
    double f;
    int64_t i;
    uint64_t u;
} terrain_value;

/** Marks parameters that callers treat alike in all operations. */
typedef uint32_t terrain_parameter_role;
enum {
    TERRAIN_PARAMETER_ROLE_NONE = 0,
    /** the seed, a uint64: another seed gives another terrain; a recipe's run mixes its own seed
     * into it */
    TERRAIN_PARAMETER_ROLE_SEED = 1
};

/** How a parameter changes when a recipe is run at a scale s (see terrain_recipe_run_desc), where a
 * cell stands for 1/s cells of the recipe. Integers are rounded to the nearest; values are clamped
 * to the parameter's range. */
typedef uint32_t terrain_scaling;
enum {
    /** unknown: no parameter has it */
    TERRAIN_SCALING_NONE = 0,
    /** does not change: heights, slopes, shares, choices, maps */
    TERRAIN_SCALING_FIXED = 1,
    /** times s: lengths in cells */
    TERRAIN_SCALING_LENGTH = 2,
    /** times s, but at least 1; 0 stays 0, since it means something else */
    TERRAIN_SCALING_EXTENT = 3,
    /** times s, which must give an integer within the range: features lie at its multiples, so
     * rounding would move them */
    TERRAIN_SCALING_LATTICE = 4,
    /** the spacing of a coarse port: the largest power of two that is at most s times the spacing,
     * at least 2; the port's map is scaled by the remaining factor */
    TERRAIN_SCALING_SPACING = 5,
    /** times s^2: areas in cells */
    TERRAIN_SCALING_AREA = 6,
    /** times s, at least 1: iterations, in each of which something moves by one cell */
    TERRAIN_SCALING_STEPS = 7,
    /** divided by s: amounts for each such iteration, or for each cell */
    TERRAIN_SCALING_RATE = 8,
    /** by a rule of the operation: see docs/scale.md */
    TERRAIN_SCALING_OWN = 9
};

/** One parameter. Later versions may append fields: use pointers to it, never copies. */
typedef struct terrain_parameter {
    const char *name;
    /** "cells"; "height"; "slope", rise over run; "degrees"; "cell sizes", which are heights as
     * multiples of the cell size; "spacings" and "drops per cell"; "" if it has none. */
    const char *unit;
    const char *doc; /**< what the parameter means, in one line */
    terrain_type type;
    uint32_t offset; /**< of the field in the params struct, in bytes */
    /** For FLOAT_ARRAY, the offset of the uint32_t count, and the largest count. */
    uint32_t count_offset;
    uint32_t count_maximum;
    /** The range, including both bounds; for an array, the range of each element. */
    terrain_value minimum;
    terrain_value maximum;
    terrain_value default_value; /**< not for maps and arrays, whose default is NULL */
    /** For ENUM, the names of the maximum.u + 1 values, and what each value does. */
    const char *const *value_names;
    const char *const *value_docs;
    const terrain_port *port; /**< for MAP_IN and MAP_OUT, the map's port; otherwise NULL */
    terrain_parameter_role role;
    terrain_scaling scaling; /**< NONE: the unit decides; ask terrain_parameter_scaling */
    /** The name of another parameter that decides whether this one has an effect; NULL if it always
     * has. It has an effect if the other parameter's value is k and bit k of when_values is set. A
     * map or an array counts as 1 if it is given, 0 if it is not. */
    const char *when;
    uint64_t when_values;
    uint32_t power_of_two; /**< 1: a uint32, of which only powers of two are allowed. Since 0.2. */
    uint32_t reserved;
} terrain_parameter;

/** The size of a buffer that holds the text of any value of a parameter, including the 0 at its
 * end. */
#define TERRAIN_PARAMETER_TEXT_SIZE 64

/** Writes a value as recipes do, "0.6", "true" or "moore" for example: the shortest text that is
 * read back as the same value, if its size is 0 or from 1e-13 to 1e37. For an array, value is one
 * element. `size` is the size of `text`. Errors: ARGUMENT for NULL, a map parameter, an enum value
 * without a name, a size that is too small. Since 0.2. */
TERRAIN_API terrain_status terrain_parameter_format(const terrain_parameter *parameter,
                                                    const terrain_value *value, char *text,
                                                    size_t size);
/** Reads a value as recipes do. Errors: ARGUMENT for NULL, a map parameter, text that is not a
 * value of the type; RANGE for a value outside the parameter's range. On error *value is what it
 * was. Since 0.2. */
TERRAIN_API terrain_status terrain_parameter_parse(const terrain_parameter *parameter,
                                                   const char *text, terrain_value *value);

/** Gets or sets a parameter of any type in a params struct that an init function has initialised.
 * Of a parameter that an older, shorter struct lacks, get gives the default; it can't be set. The
 * value is not checked against its range. Errors: ARGUMENT for NULL, maps and arrays, a struct that
 * was not initialised, and to set what the struct lacks; RANGE where a whole number has more bits
 * than the field. Since 0.2. */
TERRAIN_API terrain_status terrain_parameter_get(const terrain_parameter *parameter,
                                                 const void *params, terrain_value *value);
TERRAIN_API terrain_status terrain_parameter_set(const terrain_parameter *parameter, void *params,
                                                 const terrain_value *value);

/** Suggests where a user interface's slider for a number may begin and end: a part of the range
 * around the default, or the whole range if it is small; of a power of two, both are powers of two.
 * Errors: ARGUMENT for NULL, and for parameters that are not numbers. Since 0.2. */
TERRAIN_API terrain_status terrain_parameter_slider(const terrain_parameter *parameter, double *low,
                                                    double *high);

/** Whether a parameter has an effect, given the other parameters in a params struct: 1 or 0; 0 for
 * NULL and for another operation's parameter. The library ignores a parameter without effect in
 * params; a recipe that sets it is refused. Since 0.2. */
TERRAIN_API uint32_t terrain_operation_parameter_counts(const terrain_operation *operation,
                                                        const terrain_parameter *parameter,
                                                        const void *params);

/** The number of operations. Another release may have others between them: keep names, not indexes.
 */
TERRAIN_API uint32_t terrain_operation_count(void);
/** NULL if index is not below the count. */
TERRAIN_API const terrain_operation *terrain_operation_at(uint32_t index);
/** Finds an operation by its name, "erode_thermal" for example. NULL if there is none. */
TERRAIN_API const terrain_operation *terrain_operation_find(const char *name);

/** Each of these returns "" or 0 for NULL. */
TERRAIN_API const char *terrain_operation_name(const terrain_operation *operation);
TERRAIN_API const char *terrain_operation_verb(const terrain_operation *operation);
TERRAIN_API const char *terrain_operation_summary(const terrain_operation *operation);
TERRAIN_API const char *terrain_operation_reference(const terrain_operation *operation);
TERRAIN_API terrain_signature terrain_operation_signature(const terrain_operation *operation);
/** Grows by one with each release that changes the results of the operation. */
TERRAIN_API uint32_t terrain_operation_result_version(const terrain_operation *operation);
/** The size of the operation's params struct. */
TERRAIN_API size_t terrain_operation_params_size(const terrain_operation *operation);
TERRAIN_API uint32_t terrain_operation_parameter_count(const terrain_operation *operation);
/** NULL if index is not below the count. */
TERRAIN_API const terrain_parameter *terrain_operation_parameter(const terrain_operation *operation,
                                                                 uint32_t index);
/** Finds a parameter by its name. NULL if there is none. */
TERRAIN_API const terrain_parameter *
terrain_operation_parameter_find(const terrain_operation *operation, const char *name);

/** How the parameter changes with scale. NONE for NULL. Since 0.2. */
TERRAIN_API terrain_scaling terrain_parameter_scaling(const terrain_parameter *parameter);

/** Writes the table's defaults into the first `size` bytes of a params struct, with the tag that
 * marks it as initialised. `size` is the size of the struct in the caller's header, which may be
 * older or newer than the library: a multiple of 8 from 8 to 65536. Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_operation_params_init(const terrain_operation *operation,
                                                         void *params, size_t size);

/** The ports of an operation: first the map arguments of its function, in their order, then its map
 * parameters, in the order of the table. port_at returns NULL if index is not below the count.
 * Since 0.2. */
TERRAIN_API uint32_t terrain_operation_port_count(const terrain_operation *operation);
TERRAIN_API const terrain_port *terrain_operation_port_at(const terrain_operation *operation,
                                                          uint32_t index);

/** Calls the operation. `ports` holds one map for each port that is an argument (offset 0), in
 * their order; maps that are parameters are in params. params may be NULL for the defaults. For an
 * operation on a grid, `ports` holds the maps of a single row.
 *
 * Errors, of this and of every operation's own function: ARGUMENT for NULL, wrong counts, params
 * that were not initialised, unequal sizes, a const map as target; RANGE for a parameter outside
 * its range, or a coarse map that does not cover the window that is needed; ALIAS where an output
 * overlaps another map; MEMORY; UNSUPPORTED for a map of more than 2^31 columns or rows, or of more
 * cells than the operation can count; BUSY; CANCELLED; RUNNER. The message names operation,
 * parameter, value and range. On error all maps are bit for bit what they were (but see
 * TERRAIN_CONTEXT_PARTIAL_RESULTS). */
TERRAIN_API terrain_status terrain_operation_apply(terrain_context *context,
                                                   const terrain_operation *operation,
                                                   terrain_heightmap *const *ports,
                                                   uint32_t port_count, const void *params);

/** The largest number of maps in a grid. */
#define TERRAIN_GRID_MAXIMUM 4096

/** Calls an operation whose signature is GRID on columns * rows neighbouring maps of equal size:
 * maps[row * columns + column], rows from north to south, columns from west to east. The maps'
 * origins don't matter.
 *
 * Errors: those of terrain_operation_apply, and ARGUMENT for an operation with another signature,
 * if maps or one of the maps is NULL, or if columns or rows is 0; RANGE for more maps than
 * TERRAIN_GRID_MAXIMUM; ALIAS if two of the maps share memory. Since 0.1. */
TERRAIN_API terrain_status terrain_operation_apply_grid(terrain_context *context,
                                                        const terrain_operation *operation,
                                                        terrain_heightmap *const *maps,
                                                        uint32_t columns, uint32_t rows,
                                                        const void *params);

/** Computes which window of the map at `port` the operation needs to compute the window `out` of
 * its output as it is in an endless world, to the last bit. On maps that cover exactly these
 * windows the operation gives the same cells within `out` as on any larger maps. For a coarse port
 * the window is in the port's own cells.
 * Errors: ARGUMENT, also for a port that is only written; RANGE (params; `out` is empty; one of the
 * two windows leaves the world, or has 2^32 columns or rows); UNSUPPORTED if the operation is
 * global. */
TERRAIN_API terrain_status terrain_operation_window(const terrain_operation *operation,
                                                    const void *params, uint32_t port,
                                                    const terrain_window *out, terrain_window *in);

/** Computes the halo: how many cells beyond its output window an operation needs at most, over all
 * windows, sides, and ports except coarse ones, in cells of the input. 0 for pointwise operations;
 * UINT32_MAX for global operations, in which every cell may depend on every other. Errors:
 * ARGUMENT; RANGE. */
TERRAIN_API terrain_status terrain_operation_halo(const terrain_operation *operation,
                                                  const void *params, uint32_t *cells);

/** How an endless world computes an operation, tile by tile. */
typedef uint32_t terrain_tiling;
enum {
    /** not at all: every cell may depend on every other, or it works on a grid of maps */
    TERRAIN_TILING_NONE = 0,
    /** on the windows that terrain_operation_window tells */
    TERRAIN_TILING_WINDOWS = 1,
    /** on overlapping regions, each of which is solved whole: terrain_operation_halo tells
     * UINT32_MAX, as it does for NONE */
    TERRAIN_TILING_REGIONS = 2
};

/** How worlds compute the operation; NONE for NULL. Some need params other than the defaults, a
 * frame or `rim` OPEN for example: terrain_recipe_check_world tells what a statement lacks. Since
 * 0.2. */
TERRAIN_API terrain_tiling terrain_operation_tiling(const terrain_operation *operation);

/** Computes the window of the output that a bounded input with the window `in` gives. It is `in`
 * itself except for operations that change the size, such as shape_resample.
 * Errors: ARGUMENT; RANGE. */
TERRAIN_API terrain_status terrain_operation_result_window(const terrain_operation *operation,
                                                           const void *params,
                                                           const terrain_window *in,
                                                           terrain_window *out);

#ifdef __cplusplus
}
#endif

#endif
