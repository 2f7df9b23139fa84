/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The operation table: every operation described as data, and callable through it. Tools, bindings
 * and editors need nothing else.
 *
 * Everything returned here belongs to the library, lives as long as it, and never changes. */

#ifndef TERRAIN_OPERATION_H
#define TERRAIN_OPERATION_H

#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_operation terrain_operation;

/** How an operation's own function is called: what its ports come to. */
typedef uint32_t terrain_signature;
enum {
    /** (context, map, params): every cell overwritten, none read */
    TERRAIN_SIGNATURE_GENERATE = 0,
    /** (context, map, params) */
    TERRAIN_SIGNATURE_IN_PLACE = 1,
    /** (context, map, other, params): other is read, into map */
    TERRAIN_SIGNATURE_COMBINE = 2,
    /** (context, map, result, params): map is read, result written */
    TERRAIN_SIGNATURE_RESULT = 3,
    /** (context, maps, columns, rows, params): all read and written */
    TERRAIN_SIGNATURE_GRID = 4,
    /** other ports; the prototype is in the header */
    TERRAIN_SIGNATURE_OTHER = 5
};

/** What an operation does with a map. */
typedef uint32_t terrain_port_role;
enum {
    TERRAIN_PORT_ROLE_READ = 0,
    /** writes every cell, reads none */
    TERRAIN_PORT_ROLE_WRITE = 1,
    /** reads the map and writes it in place */
    TERRAIN_PORT_ROLE_CHANGE = 2
};

/** Which cells a map has. */
typedef uint32_t terrain_port_lattice;
enum {
    /** those of the call's first map: its size, and its place */
    TERRAIN_PORT_LATTICE_CALL = 0,
    /** a result of another size: terrain_operation_result_window */
    TERRAIN_PORT_LATTICE_OWN = 1,
    /** cell (i, j) is the world point (i, j) * spacing, so that a small map serves a large world;
     * its origin is in its own cells */
    TERRAIN_PORT_LATTICE_COARSE = 2
};

/** A map that an operation takes or gives. Later versions may append fields: use pointers to it,
 * never copies. */
typedef struct terrain_port {
    const char *name;    /**< an argument's, or the parameter's */
    const char *spacing; /**< COARSE: the name of the uint32 parameter that says it, a power of two;
                            otherwise "" */
    terrain_port_role role;
    terrain_port_lattice lattice;
    uint32_t offset;         /**< of the pointer in the params struct; 0: an argument */
    uint32_t spacing_offset; /**< COARSE: of that parameter's field */
    uint32_t optional;       /**< 1: NULL is allowed */
    uint32_t mask;           /**< 1: says where the operation applies */
    uint32_t grid;           /**< 1: stands for every map of a grid */
    uint32_t reserved;
} terrain_port;

/** What an operation takes for the cells outside a bounded map. In an endless world nothing lies
 * outside. */
typedef uint32_t terrain_border;
enum {
    /** the nearest cell of the map */
    TERRAIN_BORDER_CLAMP = 0,
    /** the map reflected in its edge: cell -1 is cell 0, cell -2 cell 1 */
    TERRAIN_BORDER_MIRROR = 1,
    /** the map repeated: cell -1 is the last one */
    TERRAIN_BORDER_WRAP = 2,
    /** nothing: see each operation */
    TERRAIN_BORDER_OPEN = 3
};

/** How far apart two places are that differ by dx and dy. Each operation says which of these it
 * takes: the first few. */
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

/** Where water leaves a bounded map. Cells that are NaN are outlets in any case: no data, or
 * sea. */
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

/** A bound or a default: f for FLOAT and FLOAT_ARRAY, i for INT32 and INT64, u for the rest. */
typedef union terrain_value {
    double f;
    int64_t i;
    uint64_t u;
} terrain_value;

/** Parameters that mean something to whoever calls any operation. */
typedef uint32_t terrain_parameter_role;
enum {
    TERRAIN_PARAMETER_ROLE_NONE = 0,
    /** uint64: another seed gives another terrain; a recipe's run mixes its own into it */
    TERRAIN_PARAMETER_ROLE_SEED = 1
};

/** What becomes of a parameter where a recipe is run at a scale s (terrain_recipe_run_desc), at
 * which a cell stands for 1/s cells. Whole numbers are rounded to the nearest; what leaves the
 * parameter's range is cut to it. */
typedef uint32_t terrain_scaling;
enum {
    /** unknown: no parameter has it */
    TERRAIN_SCALING_NONE = 0,
    /** as it is: heights, slopes, shares, choices, maps */
    TERRAIN_SCALING_FIXED = 1,
    /** * s: lengths in cells */
    TERRAIN_SCALING_LENGTH = 2,
    /** * s, but what is not 0 stays at least 1: 0 means something else */
    TERRAIN_SCALING_EXTENT = 3,
    /** * s, which must be a whole number within the range: the land's places hang on it, and a
     * rounded one would move them */
    TERRAIN_SCALING_LATTICE = 4,
    /** the largest power of two that is at most s times as much, at least 2: of a coarse port,
     * whose map is then scaled by what is left */
    TERRAIN_SCALING_SPACING = 5,
    /** * s^2: areas in cells */
    TERRAIN_SCALING_AREA = 6,
    /** * s: iterations in which something goes a cell far; at least 1 */
    TERRAIN_SCALING_STEPS = 7,
    /** / s: what happens in such an iteration, or in a cell */
    TERRAIN_SCALING_RATE = 8,
    /** by a rule of the operation: docs/scale.md */
    TERRAIN_SCALING_OWN = 9
};

/** One parameter. Later versions may append fields: use pointers to it, never copies. */
typedef struct terrain_parameter {
    const char *name;
    const char *unit; /**< "cells", "height", "slope", …; "" if it has none */
    const char *doc;  /**< one line */
    terrain_type type;
    uint32_t offset;        /**< of the field in the params struct, in bytes */
    uint32_t count_offset;  /**< FLOAT_ARRAY: of the uint32_t count */
    uint32_t count_maximum; /**< FLOAT_ARRAY: the most elements */
    terrain_value minimum;  /**< both bounds belong to the range; of each element of an array */
    terrain_value maximum;
    terrain_value default_value;    /**< maps and arrays: unused, their default is none */
    const char *const *value_names; /**< ENUM: maximum.u + 1 names */
    const char *const *value_docs;  /**< and what each value does, in a few words */
    const terrain_port *port;       /**< MAP_IN and MAP_OUT: what the map is for; otherwise NULL */
    terrain_parameter_role role;
    terrain_scaling scaling; /**< NONE: told by the unit; ask terrain_parameter_scaling */
    /** The name of another parameter on which it depends whether this one counts; NULL if it always
     * does. It counts where that one has value k and bit k of when_values is set. A map or an array
     * has the value 1 where it is given, 0 where it is not. */
    const char *when;
    uint64_t when_values;
} terrain_parameter;

/** The size of text that holds any value of a parameter, with its 0 at the end. */
#define TERRAIN_PARAMETER_TEXT_SIZE 64

/** A value as recipes write it, "0.6", "true" or "moore" for example: the shortest text that is
 * read as the same value; of an array, an element's. `size` is that of `text`.
 * Errors: ARGUMENT for NULL, a map parameter, an enum's value without a name, a size too small. */
TERRAIN_API terrain_status terrain_parameter_format(const terrain_parameter *parameter,
                                                    const terrain_value *value, char *text,
                                                    size_t size);
/** The other way round. Errors: ARGUMENT for NULL, a map parameter, text that is no value of this
 * type; RANGE. The value is then as it was. */
TERRAIN_API terrain_status terrain_parameter_parse(const terrain_parameter *parameter,
                                                   const char *text, terrain_value *value);

/** A value in a params struct that an init function made, whatever its type; it is not checked
 * against its range. Errors: ARGUMENT for NULL, maps and arrays. */
TERRAIN_API terrain_status terrain_parameter_get(const terrain_parameter *parameter,
                                                 const void *params, terrain_value *value);
TERRAIN_API terrain_status terrain_parameter_set(const terrain_parameter *parameter, void *params,
                                                 const terrain_value *value);

/** Where a slider for a number may begin and end: a part of its range that holds the default, or
 * all of it if it is small. Errors: ARGUMENT for NULL, and for what is no number. */
TERRAIN_API terrain_status terrain_parameter_slider(const terrain_parameter *parameter, double *low,
                                                    double *high);

/** Whether a parameter counts, given the others in a params struct: 1 or 0; 0 for NULL. The library
 * ignores the value of one that does not; recipes that write it are refused. */
TERRAIN_API uint32_t terrain_operation_parameter_counts(const terrain_operation *operation,
                                                        const terrain_parameter *parameter,
                                                        const void *params);

/** The number of operations; the order is that of the list, and stays. */
TERRAIN_API uint32_t terrain_operation_count(void);
/** NULL if index is not below the count. */
TERRAIN_API const terrain_operation *terrain_operation_at(uint32_t index);
/** By name, "erode_thermal" for example. NULL if there is none. */
TERRAIN_API const terrain_operation *terrain_operation_find(const char *name);

/** For each of these a NULL operation gives "" or 0. */
TERRAIN_API const char *terrain_operation_name(const terrain_operation *operation);
TERRAIN_API const char *terrain_operation_verb(const terrain_operation *operation);
TERRAIN_API const char *terrain_operation_summary(const terrain_operation *operation);
TERRAIN_API const char *terrain_operation_reference(const terrain_operation *operation);
TERRAIN_API terrain_signature terrain_operation_signature(const terrain_operation *operation);
/** Grows by one each time the operation's results change. */
TERRAIN_API uint32_t terrain_operation_result_version(const terrain_operation *operation);
/** sizeof of its params struct. */
TERRAIN_API size_t terrain_operation_params_size(const terrain_operation *operation);
TERRAIN_API uint32_t terrain_operation_parameter_count(const terrain_operation *operation);
/** NULL if index is not below the count. */
TERRAIN_API const terrain_parameter *terrain_operation_parameter(const terrain_operation *operation,
                                                                 uint32_t index);
/** NULL if there is none of that name. */
TERRAIN_API const terrain_parameter *
terrain_operation_parameter_find(const terrain_operation *operation, const char *name);

/** NONE for NULL. Since 0.2. */
TERRAIN_API terrain_scaling terrain_parameter_scaling(const terrain_parameter *parameter);

/** Writes the table's defaults into the first `size` bytes of a params struct, with the tag that
 * marks it as initialised. `size` is at least 8 and a multiple of 8; a size other than the
 * library's own is that of an older or newer header. Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_operation_params_init(const terrain_operation *operation,
                                                         void *params, size_t size);

/** The maps of an operation: first the arguments of its function, in their order, then its map
 * parameters, in the table's. port_at: NULL if index is not below the count. */
TERRAIN_API uint32_t terrain_operation_port_count(const terrain_operation *operation);
TERRAIN_API const terrain_port *terrain_operation_port_at(const terrain_operation *operation,
                                                          uint32_t index);

/** Calls the operation. ports holds a map for each port that is an argument (offset 0), in their
 * order; maps that are parameters are in params. params may be NULL for the defaults. For an
 * operation on a grid, ports are the maps of its only row.
 *
 * Errors, of this and of every operation's own function: ARGUMENT for NULL, wrong counts, untagged
 * params, unequal sizes, a const map as target; RANGE for a parameter outside its range, or a
 * coarse map that does not cover what is needed of it; ALIAS where an output overlaps another map;
 * MEMORY; BUSY; CANCELLED; RUNNER. The message names operation, parameter, value and range. The
 * maps are then bit for bit what they were. */
TERRAIN_API terrain_status terrain_operation_apply(terrain_context *context,
                                                   const terrain_operation *operation,
                                                   terrain_heightmap *const *ports,
                                                   uint32_t port_count, const void *params);

/** The most maps of a grid. */
#define TERRAIN_GRID_MAXIMUM 4096

/** Calls an operation whose signature is GRID on columns * rows maps of equal size, which are
 * neighbours: maps[row * columns + column], rows from north to south, columns from west to east.
 * Where they say that they lie (their origins) does not matter.
 *
 * Errors: those above, and ARGUMENT for an operation of another signature, if maps or one of them
 * is NULL, or columns or rows is 0; RANGE for more maps than TERRAIN_GRID_MAXIMUM; ALIAS if two of
 * the maps have a cell of memory in common. Since 0.1. */
TERRAIN_API terrain_status terrain_operation_apply_grid(terrain_context *context,
                                                        const terrain_operation *operation,
                                                        terrain_heightmap *const *maps,
                                                        uint32_t columns, uint32_t rows,
                                                        const void *params);

/** Which window of the map at `port` is needed to get the window `out` of the output right, to the
 * last bit, as it is in an endless world. Applied to maps that cover just these windows, the
 * operation gives within `out` what it gives on any larger map. Of a coarse port the window is in
 * its own cells.
 * Errors: ARGUMENT, also for a port that is only written; RANGE (params, or a window that would
 * leave the world or be wider than 2^32 cells); UNSUPPORTED where the operation is global. */
TERRAIN_API terrain_status terrain_operation_window(const terrain_operation *operation,
                                                    const void *params, uint32_t port,
                                                    const terrain_window *out, terrain_window *in);

/** The worst case of that over windows, sides, and all ports but coarse ones, in cells of the
 * input: 0 for pointwise operations; UINT32_MAX for global ones, whose every cell may depend on
 * every other. */
TERRAIN_API terrain_status terrain_operation_halo(const terrain_operation *operation,
                                                  const void *params, uint32_t *cells);

/** The other way round: the window of the output that a bounded input of window `in` gives. It is
 * `in` itself but for operations that change the size, as shape_resample does.
 * Errors: ARGUMENT; RANGE. */
TERRAIN_API terrain_status terrain_operation_result_window(const terrain_operation *operation,
                                                           const void *params,
                                                           const terrain_window *in,
                                                           terrain_window *out);

#ifdef __cplusplus
}
#endif

#endif
