/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The recipe: a graph of operations over named maps, as text or built through calls. It is
 * evaluated backwards: each statement is asked which window of its inputs it needs, and computes no
 * more.
 *
 * The text has one statement a line; '#' begins a comment; blanks separate words.
 *
 *     results 1                              the version of the results that it was made for;
 *                                            optional, and before everything else
 *     input land                             a map from outside
 *     ridge = generate_noise seed=3          a generator names no map
 *     hills = erode_thermal land talus=0.6   others name the map that they start from
 *     hills = combine_blend hills ridge      and then their further input; a name may be replaced
 *     soft  = blur_gaussian hills mask=ridge a map_in parameter takes a name
 *     east  = analyze_normals soft normal_y=south  a map_out parameter makes a name
 *     a b c d = stitch_edges a b / c d       an operation on a grid changes several maps: as many
 *                                            names as maps, in the same order; '/' ends a row
 *
 * The last statement's name is the result; of several names, the first. A name is a letter or '_'
 * and then letters, digits and '_', at most 63; only names made above may be used. Each parameter
 * may be given once, as PARAM=VALUE: numbers in decimal (at most 15 significant digits and an
 * exponent of at most 22 either way, which are read exactly; inf and -inf where the range has
 * them), true or false (or 1 or 0), an enum by the name of its value, arrays as 3,1,5. Whole
 * numbers are decimal digits, with a sign where the type has one.
 *
 * Coarse maps. Where a parameter takes a coarse map (terrain_port: its cell (i, j) is the world
 * point (i, j) * spacing), what it names is computed on that lattice, and so is all that it is made
 * from: windows and lengths are then in coarse cells, and the cell size is spacing times the run's.
 * A map can't be read on two lattices.
 *
 * Scale. A run may be told that a cell stands for 1/s cells of the recipe (`scale` of its desc):
 * then lengths are s times as many cells, and so on, by the law of each parameter
 * (terrain_scaling), and the run shows the land of scale 1 in fewer cells, or more. A coarse map
 * keeps its lattice where its spacing can become s times as much, a power of two; else it is scaled
 * by what is left.
 *
 * A recipe never changes once it is made, but by terrain_recipe_add and terrain_recipe_add_input:
 * any number of threads may run it at the same time, each with its own context. */

#ifndef TERRAIN_RECIPE_H
#define TERRAIN_RECIPE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_recipe terrain_recipe;

/** Bounds that keep any text harmless. */
enum {
    /** bytes of text */
    TERRAIN_RECIPE_TEXT_MAXIMUM = 1048576,
    /** statements, and inputs */
    TERRAIN_RECIPE_STATEMENT_MAXIMUM = 4096,
    /** bytes of a name */
    TERRAIN_RECIPE_NAME_MAXIMUM = 63
};

/* ---- Making one ---------------------------------------------------------------------------- */

/** Reads a recipe. text need not end with 0, and is not kept.
 * Errors: SYNTAX, with a message that gives line, column (bytes from 1) and what was expected:
 * "line 3, column 12: expected a map made above, found 'hils' (did you mean 'hills'?)"; ARGUMENT
 * for NULL; MEMORY; BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_recipe_parse(terrain_context *context, const char *text,
                                                size_t size, terrain_recipe **out);

/** Makes an empty recipe, to add to. Memory comes from the context's allocator, which the recipe
 * copies, so that it may outlive the context. Errors: ARGUMENT, MEMORY, BUSY. */
TERRAIN_API terrain_status terrain_recipe_create(terrain_context *context, terrain_recipe **out);

/** Frees it. NULL is fine. */
TERRAIN_API void terrain_recipe_destroy(terrain_recipe *recipe);

/** One statement, for adding and for asking. */
typedef struct terrain_recipe_statement {
    uint32_t struct_size;
    uint32_t flags; /**< the tag of terrain_recipe_statement_init */
    /** The map that it makes or replaces. For a grid see `names`. */
    const char *name;
    const terrain_operation *operation;
    /** The maps of the arguments that are read or changed: none for a generator; the map, and the
     * other map of a combine; all maps of a grid, row by row. */
    const char *const *inputs;
    /** The map_in and map_out parameters that are used, and the map that each reads or makes. */
    const char *const *map_parameters;
    const char *const *maps;
    const void *params; /**< NULL: the defaults. All its map fields are NULL. */
    /** A grid: the maps that it makes or replaces, one for each input; NULL: the inputs themselves.
     * Otherwise NULL. */
    const char *const *names;
    uint32_t input_count;
    uint32_t map_count; /**< of map_parameters, and of maps */
    uint32_t line;      /**< told only: its line in the text, from 1; 0 if it was added by a call */
    uint32_t columns;   /**< a grid: maps in a row; 0: all of them */
} terrain_recipe_statement;

/** Writes an empty statement; size is sizeof *statement. Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_recipe_statement_init(terrain_recipe_statement *statement,
                                                         size_t size);

/** Declares a map from outside. Errors: ARGUMENT (no name, one that breaks the rules above, or one
 * that exists); RANGE (too many); MEMORY; BUSY. The recipe is then as it was. */
TERRAIN_API terrain_status terrain_recipe_add_input(terrain_context *context,
                                                    terrain_recipe *recipe, const char *name);

/** Appends a statement; everything in it is copied. Errors: ARGUMENT (an untagged struct or params,
 * names that break the rules or don't exist, a wrong number of inputs, a map field that is not
 * NULL); RANGE (a parameter's value, too many statements); MEMORY; BUSY. The recipe is then as it
 * was. */
TERRAIN_API terrain_status terrain_recipe_add(terrain_context *context, terrain_recipe *recipe,
                                              const terrain_recipe_statement *statement);

/* ---- Asking it ----------------------------------------------------------------------------- */

/* What these return belongs to the recipe. For NULL, and for an index that is not below the count,
 * they return 0 or NULL. */

TERRAIN_API uint32_t terrain_recipe_statement_count(const terrain_recipe *recipe);
/** Its params are complete: every field has its value. */
TERRAIN_API const terrain_recipe_statement *
terrain_recipe_statement_at(const terrain_recipe *recipe, uint32_t index);
TERRAIN_API uint32_t terrain_recipe_input_count(const terrain_recipe *recipe);
TERRAIN_API const char *terrain_recipe_input_at(const terrain_recipe *recipe, uint32_t index);
/** The names that exist at the end of the recipe, inputs among them, each once. */
TERRAIN_API uint32_t terrain_recipe_map_count(const terrain_recipe *recipe);
TERRAIN_API const char *terrain_recipe_map_at(const terrain_recipe *recipe, uint32_t index);
/** The name of the result: that of the last statement. NULL if there is none. */
TERRAIN_API const char *terrain_recipe_result(const terrain_recipe *recipe);
/** The N of `results N`; 0 if the text has none. */
TERRAIN_API uint32_t terrain_recipe_results_version(const terrain_recipe *recipe);

/** Whether the map `name` (NULL: the result), as it is at the end of the recipe, can be had for any
 * window of an endless world. UNSUPPORTED if not: the message names the statement and what is
 * missing. Other errors: ARGUMENT (no such map), BUSY. */
TERRAIN_API terrain_status terrain_recipe_check_world(terrain_context *context,
                                                      const terrain_recipe *recipe,
                                                      const char *name);

/* ---- Running it ---------------------------------------------------------------------------- */

enum {
    /** Compute a window of the endless world, which has no edge, and not a bounded map. */
    TERRAIN_RECIPE_WORLD = 1
};

/** Called on the calling thread after each statement that was computed, with its index and the
 * window that it was computed for. For showing times and progress; it must not use the context. */
typedef struct terrain_recipe_observer {
    void *user;
    void (*computed)(void *user, uint32_t statement, const terrain_window *window);
} terrain_recipe_observer;

typedef struct terrain_recipe_run_desc {
    uint32_t struct_size;
    uint32_t flags; /**< TERRAIN_RECIPE_WORLD, beside the tag of terrain_recipe_run_desc_init */
    uint64_t
        seed;  /**< the world's: every `seed` becomes mix(this, seed); 0 leaves them as they are */
    int64_t x; /**< world coordinates of the first cell */
    int64_t y;
    /** Bytes that the run may take beside the maps that it is given: it is refused before anything
     * is computed if it would need more. 0, the default: no limit. */
    uint64_t memory_limit;
    const char *const *input_names; /**< input_count names… */
    const terrain_heightmap *const
        *inputs;                       /**< …and the map for each. Names that the recipe doesn't
                                               declare are refused. */
    const char *const *output_names;   /**< output_count names, NULL for the result… */
    terrain_heightmap *const *outputs; /**< …and the map that receives each */
    terrain_recipe_observer observer;
    uint32_t width;  /**< of the window; default 512 */
    uint32_t height; /**< default 512 */
    uint32_t input_count;
    uint32_t output_count;
    float cell_size; /**< of generated maps, in units of height; default 1; from 1e-6 to 1e9 */
    uint32_t reserved;
    /** A cell of the run stands for 1/scale cells of the recipe: 0.25 gives a preview of a
     * sixteenth of the cells, on which cell (x, y) is the recipe's place (4 x, 4 y). Every
     * parameter becomes what its terrain_scaling says, and the cell size cell_size / scale. Window,
     * inputs and outputs are in cells of the run. Default 1, which changes nothing; from 2^-16 to
     * 2^16. Since 0.2. */
    double scale;
} terrain_recipe_run_desc;

/** Writes the defaults: the result at (0, 0), 512 x 512 cells, bounded, no maps. size is sizeof
 * *desc.
 * Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_recipe_run_desc_init(terrain_recipe_run_desc *desc, size_t size);

/** The window that the map `name` (NULL: the result) has in such a run: the size that an output
 * must have. In a world it is the desc's own. In a bounded run it follows from where the map comes
 * from: generators make the desc's window, inputs have their own, and operations that change the
 * size tell theirs (terrain_operation_result_window). The desc's outputs and observer are not
 * looked at.
 * Errors: as terrain_recipe_run. */
TERRAIN_API terrain_status terrain_recipe_output_window(terrain_context *context,
                                                        const terrain_recipe *recipe,
                                                        const terrain_recipe_run_desc *desc,
                                                        const char *name, terrain_window *out);

/** Computes the outputs, and of the recipe only what they need.
 *
 * Bounded: every map has its full size, and the operations' border rules apply at its edge.
 * In a world: each output is the desc's window of an endless map. Every operation works on maps
 * that cover exactly what terrain_operation_window asks for (of several askers, the bounding box),
 * so that any two windows agree where they overlap, bit for bit. An input must cover what is needed
 * of it, by its own origin.
 *
 * Reads the inputs; writes cells, cell size and origin of the outputs, all at the end: on any
 * error, and on cancel, they are what they were. Keeps a map in memory from the statement that
 * makes it to the last that reads it. Progress runs once from 0 to 1, by the cells of the
 * statements.
 * Errors: ARGUMENT (NULL; an untagged desc; a name that doesn't exist; an input missing or given
 * twice; an output that is const or has the wrong size; maps of unequal size in one statement);
 * RANGE (cell_size; scale, also if a parameter has no value at it, which the message names; a
 * window of size 0, or one that leaves the world; an input that is too small); ALIAS (an output
 * overlaps another output or an input); UNSUPPORTED (see terrain_recipe_check_world); MEMORY (also
 * above memory_limit); those of the operations, with the statement's line and name before the
 * message. */
TERRAIN_API terrain_status terrain_recipe_run(terrain_context *context,
                                              const terrain_recipe *recipe,
                                              const terrain_recipe_run_desc *desc);

/* ---- Plans --------------------------------------------------------------------------------- */

/** A run that was checked and planned, to be asked what it will take and then run, once or often.
 * It keeps the recipe, which must outlive it and stay as it is, and the observer. It never changes:
 * any number of threads may ask and run it at the same time, each with its own context. */
typedef struct terrain_recipe_plan terrain_recipe_plan;

/** Plans a run. Of the desc's maps, size and place of the inputs are looked at, not cells; in a
 * world `inputs`, or a map in it, may be NULL, to be asked for its window; outputs are not looked
 * at. output_count 0: the result alone.
 * Errors: those of terrain_recipe_run that can be told before it runs; MEMORY above memory_limit:
 * the message names the statement at which the run would take most, its window and the bytes. On
 * error *out is NULL. Since 0.2. */
TERRAIN_API terrain_status terrain_recipe_plan_create(terrain_context *context,
                                                      const terrain_recipe *recipe,
                                                      const terrain_recipe_run_desc *desc,
                                                      terrain_recipe_plan **out);

/** Frees it. NULL is fine. No call may be using it. */
TERRAIN_API void terrain_recipe_plan_destroy(terrain_recipe_plan *plan);

/** The window of an output, as terrain_recipe_output_window tells it, or, in a world, the window
 * that an input must cover, empty if it is not needed. name NULL: the first output.
 * Errors: ARGUMENT (NULL, a map that is neither output nor input of the plan). */
TERRAIN_API terrain_status terrain_recipe_plan_window(const terrain_recipe_plan *plan,
                                                      const char *name, terrain_window *out);

/** The cells that a statement will compute, 0 if the outputs don't need it: what progress goes by.
 * UINT32_MAX: those of all statements. 0 for NULL. */
TERRAIN_API uint64_t terrain_recipe_plan_cells(const terrain_recipe_plan *plan, uint32_t statement);

/** The most bytes that a run will hold at a time, beside the maps that it is given: intermediate
 * maps, from the statement that makes them to the last that reads them, and the operations' scratch
 * memory. A context that is used again keeps up to as many. 0 for NULL. */
TERRAIN_API uint64_t terrain_recipe_plan_bytes(const terrain_recipe_plan *plan);

/** Runs it: inputs and outputs are in the order of the desc's names; inputs may be NULL if there
 * are none. Errors: as terrain_recipe_run; inputs must have the size and place that they were
 * planned with, in a world cover their windows. */
TERRAIN_API terrain_status terrain_recipe_plan_run(terrain_context *context,
                                                   const terrain_recipe_plan *plan,
                                                   const terrain_heightmap *const *inputs,
                                                   terrain_heightmap *const *outputs);

#ifdef __cplusplus
}
#endif

#endif
