/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The recipe: a graph of operations over named maps, as text or built through calls. It is
 * evaluated backwards, from the outputs: each statement reports which window of its inputs it
 * needs, and no more than that is computed.
 *
 * The text has one statement a line; '#' begins a comment; blanks separate words. A line ends with
 * a line feed, a carriage return, or a carriage return and a line feed; the text may begin with the
 * byte order mark of UTF-8.
 *
 *     results 2                              the version of the results that it was made for;
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
 * The result is the map that the last statement names; if it names several, the first. A name is a
 * letter or '_', then letters, digits and '_', at most 63 characters in all. A statement may use
 * only names from lines above it. Each parameter may be given once, as PARAM=VALUE. Numbers are
 * decimal, with at most 15 significant digits, of which the last stands for 1e-22 or more, lie
 * below 1e37, and are read exactly; inf and -inf are allowed where the range includes them.
 * Booleans are true or false (or 1 or 0), enums the name of the value, arrays are written as
 * 3,1,5. Integers are decimal digits, with a sign if the type is signed.
 *
 * Coarse maps. The cell (i, j) of a coarse map is the world point (i, j) * spacing (see
 * terrain_port). A map that is given to a parameter which takes a coarse map is computed on that
 * lattice, and so are all maps that it is made from: their windows and lengths are in coarse cells,
 * and their cell size is spacing times the run's. A map can't be read on two lattices.
 *
 * Scale. With a `scale` of s in the run's desc, a cell of the run stands for 1/s cells of the
 * recipe. Lengths in cells become s times as large, and every other parameter changes by its own
 * rule (terrain_scaling), so the run shows the same land in fewer cells, or in more. A coarse map
 * keeps its lattice if spacing times s is a power of two; otherwise it is scaled by the remaining
 * factor.
 *
 * Thread-safety: only terrain_recipe_add and terrain_recipe_add_input change a recipe. Any number
 * of threads may run it at the same time, each with its own context. */

#ifndef TERRAIN_RECIPE_H
#define TERRAIN_RECIPE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_recipe terrain_recipe;

/** Limits, so that no text can do harm. */
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

/** Makes an empty recipe, to which statements can be added. Memory comes from the context's
 * allocator; the recipe copies the allocator, so it may outlive the context. Errors: ARGUMENT,
 * MEMORY, BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_recipe_create(terrain_context *context, terrain_recipe **out);

/** Frees the recipe. NULL is fine. No call may be using it. */
TERRAIN_API void terrain_recipe_destroy(terrain_recipe *recipe);

/** One statement, as terrain_recipe_add takes it and terrain_recipe_statement_at returns it.
 * Another release may return a longer one: give its pointer to terrain_recipe_add, or copy its
 * fields into one that terrain_recipe_statement_init has initialised, but not the struct. */
typedef struct terrain_recipe_statement {
    uint32_t struct_size;
    uint32_t flags; /**< the tag of terrain_recipe_statement_init */
    /** The map that the statement makes or replaces. For a grid see `names`. */
    const char *name;
    const terrain_operation *operation;
    /** The names of the maps that the operation reads or changes as arguments: none for a
     * generator, two for a combine operation, all maps of a grid, row by row. */
    const char *const *inputs;
    /** The names of the map_in and map_out parameters that are used, and the map that each of them
     * reads or makes. */
    const char *const *map_parameters;
    const char *const *maps;
    const void *params; /**< NULL: the defaults. All its map fields are NULL. */
    /** For a grid: the maps that the statement makes or replaces, one for each input; NULL means
     * that it replaces the inputs themselves. For other operations: NULL. */
    const char *const *names;
    uint32_t input_count;
    uint32_t map_count; /**< of map_parameters, and of maps */
    /** Only returned: the line in the text, from 1; 0 if the statement was added by a call. */
    uint32_t line;
    uint32_t columns; /**< a grid: maps in a row; 0: all of them */
} terrain_recipe_statement;

/** Writes an empty statement; size is sizeof *statement. Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_recipe_statement_init(terrain_recipe_statement *statement,
                                                         size_t size);

/** Declares an input, a map from outside. Errors: ARGUMENT (no name, a name that breaks the rules
 * above, or one that exists already); RANGE (too many); MEMORY; BUSY. On error the recipe is what
 * it was. */
TERRAIN_API terrain_status terrain_recipe_add_input(terrain_context *context,
                                                    terrain_recipe *recipe, const char *name);

/** Appends a statement; everything in it is copied. Errors: ARGUMENT (a statement or params that
 * were not initialised, names that break the rules or don't exist, a wrong number of inputs, a map
 * field that is not NULL); RANGE (a parameter's value, too many statements); MEMORY; BUSY. On error
 * the recipe is what it was. */
TERRAIN_API terrain_status terrain_recipe_add(terrain_context *context, terrain_recipe *recipe,
                                              const terrain_recipe_statement *statement);

/* ---- Asking it ----------------------------------------------------------------------------- */

/* The results of these functions belong to the recipe: use them until something is added to it or
 * it is destroyed. For NULL, and for an index that is not below the count, they return 0 or
 * NULL. */

TERRAIN_API uint32_t terrain_recipe_statement_count(const terrain_recipe *recipe);
/** The params of the returned statement are complete: every field has its value. */
TERRAIN_API const terrain_recipe_statement *
terrain_recipe_statement_at(const terrain_recipe *recipe, uint32_t index);
TERRAIN_API uint32_t terrain_recipe_input_count(const terrain_recipe *recipe);
TERRAIN_API const char *terrain_recipe_input_at(const terrain_recipe *recipe, uint32_t index);
/** The names of all maps that exist at the end of the recipe, including inputs, each once, in the
 * order in which they first appear. */
TERRAIN_API uint32_t terrain_recipe_map_count(const terrain_recipe *recipe);
TERRAIN_API const char *terrain_recipe_map_at(const terrain_recipe *recipe, uint32_t index);
/** The name of the result, from the last statement. NULL if there is none. */
TERRAIN_API const char *terrain_recipe_result(const terrain_recipe *recipe);
/** The N of `results N`; 0 if the text has none. */
TERRAIN_API uint32_t terrain_recipe_results_version(const terrain_recipe *recipe);

/** Writes the recipe as text, from which terrain_recipe_parse makes one of the same inputs, maps
 * and statements, with the same results: what an editor saves. A statement is a line; parameters
 * that have their defaults, or no effect, are left out, and comments are not known. `size` is the
 * size of `text`. *needed gets the size of the whole text, with the 0 at its end, also if `size` is
 * too small. Call it with text NULL first, which writes nothing but *needed, and is no error. On
 * other errors *needed gets 0.
 * Errors: ARGUMENT (recipe or needed is NULL; a size that is too small); UNSUPPORTED: what text
 * can't say, which the message names (no statement at all, a number beyond 1e37 or closer to 0 than
 * 1e-13, a grid whose first map is called input or results, more than TERRAIN_RECIPE_TEXT_MAXIMUM
 * bytes); BUSY. On error `text` is "". Since 0.2. */
TERRAIN_API terrain_status terrain_recipe_format(terrain_context *context,
                                                 const terrain_recipe *recipe, char *text,
                                                 size_t size, size_t *needed);

/** Checks that the map `name` (NULL: the result), as it is at the end of the recipe, can be
 * computed for any window of an endless world. Errors: UNSUPPORTED if it can't; the message names
 * the statement and what is missing; ARGUMENT (no such map); BUSY. */
TERRAIN_API terrain_status terrain_recipe_check_world(terrain_context *context,
                                                      const terrain_recipe *recipe,
                                                      const char *name);

/* ---- Running it ---------------------------------------------------------------------------- */

enum {
    /** Computes a window of the endless world, which has no edge, instead of a bounded map. */
    TERRAIN_RECIPE_WORLD = 1
};

/** Called on the calling thread after each statement has been computed, with the statement's index
 * and window. Use it to show times and progress; it must not use the context. */
typedef struct terrain_recipe_observer {
    void *user;
    void (*computed)(void *user, uint32_t statement, const terrain_window *window);
} terrain_recipe_observer;

typedef struct terrain_recipe_run_desc {
    uint32_t struct_size;
    uint32_t flags; /**< TERRAIN_RECIPE_WORLD, beside the tag of terrain_recipe_run_desc_init */
    /** The world's seed: every `seed` of the recipe becomes mix(this, seed); 0 leaves them as they
     * are. */
    uint64_t seed;
    /** The world coordinates of the window's first cell. Default 0. */
    int64_t x;
    int64_t y;
    /** How many bytes the run may need, besides the maps that it is given. If it would need more,
     * it is refused before anything is computed. 0, the default, means no limit. */
    uint64_t memory_limit;
    /** The names of input_count inputs, all of which the recipe must declare, and the map for
     * each. Inputs are only read. Their cells and origins are those of the run, or of the lattice
     * on which a parameter takes them as coarse maps: see scale, and terrain_recipe_map_scale. An
     * input keeps its own cell size, and maps that start from it have that, too: it is compared
     * neither with `cell_size` nor with that of other inputs. */
    const char *const *input_names;
    const terrain_heightmap *const *inputs;
    /** The names of output_count maps to compute, NULL for the result, and the map that receives
     * each. */
    const char *const *output_names;
    terrain_heightmap *const *outputs;
    terrain_recipe_observer observer;
    /** The size of the window. Default 512. */
    uint32_t width;
    uint32_t height;
    uint32_t input_count;
    uint32_t output_count;
    /** The cell size of generated maps, in units of height. From 1e-6 to 1e9; default 1. */
    float cell_size;
    uint32_t reserved;
    /** A cell of the run stands for 1/scale cells of the recipe: 0.25 gives a preview with a
     * sixteenth of the cells, whose cell (x, y) is the recipe's cell (4 x, 4 y). Every parameter
     * changes as its terrain_scaling says, and the cell size becomes cell_size / scale. Window,
     * inputs and outputs are in cells of the run. Default 1, which changes nothing; from 2^-16 to
     * 2^16. Since 0.2. */
    double scale;
} terrain_recipe_run_desc;

/** Writes the defaults: the result at (0, 0), 512 x 512 cells, bounded, no maps. size is sizeof
 * *desc.
 * Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_recipe_run_desc_init(terrain_recipe_run_desc *desc, size_t size);

/** Computes the window that the map `name` (NULL: the result) has in such a run, which is the size
 * that its output must have. In a world it is the desc's window. In a bounded run it depends on how
 * the map is made: generators fill the desc's window, inputs have their own, and operations may
 * change the size (terrain_operation_result_window). The desc's outputs and observer are not used.
 * Errors: as terrain_recipe_run. */
TERRAIN_API terrain_status terrain_recipe_output_window(terrain_context *context,
                                                        const terrain_recipe *recipe,
                                                        const terrain_recipe_run_desc *desc,
                                                        const char *name, terrain_window *out);

/** The scale that the map `name` (NULL: the result) has in a run of a scale, at which an input must
 * be given: the run's, but for coarse maps, whose spacing takes all that it can. A map of one cell
 * for 2048 of the recipe is one for 512 in a run of scale 0.25, and its own scale stays 1. Errors:
 * ARGUMENT (NULL, no such map); RANGE (scale); MEMORY; BUSY. Since 0.2. */
TERRAIN_API terrain_status terrain_recipe_map_scale(terrain_context *context,
                                                    const terrain_recipe *recipe, const char *name,
                                                    double scale, double *out);

/** Runs the recipe: computes the outputs, and only those parts of the recipe that they need.
 *
 * Bounded: every map has its full size, and the operations' border rules apply at its edge.
 * In a world: each output is the desc's window of an endless map. Every operation works on maps
 * that cover exactly the window that terrain_operation_window reports (the bounding box, if several
 * statements read the map), so any two windows agree where they overlap, bit for bit. An input must
 * cover, by its own origin, the window that is needed of it.
 *
 * Reads the inputs; writes cells, cell size and origin of the outputs, all at the end: on any
 * error, and when cancelled, the outputs are what they were. Keeps a map in memory from the
 * statement that makes it to the last statement that reads it. Progress goes once from 0 to 1, by
 * the number of cells computed.
 * Errors: ARGUMENT (NULL; a desc that was not initialised; a name that doesn't exist; an input
 * missing or given twice; an output that is const or has the wrong size; maps of unequal size in
 * one statement); RANGE (cell_size; scale, also if a parameter has no value at it, which the
 * message names; a window of size 0, or one that leaves the world; an input that is too small);
 * ALIAS (an output overlaps another output or an input); UNSUPPORTED (see
 * terrain_recipe_check_world); MEMORY (also above memory_limit); those of the operations, with the
 * statement's line and name before the message. */
TERRAIN_API terrain_status terrain_recipe_run(terrain_context *context,
                                              const terrain_recipe *recipe,
                                              const terrain_recipe_run_desc *desc);

/* ---- Plans --------------------------------------------------------------------------------- */

/** A plan: a run that has been checked and planned. Ask it what the run will need, then run it,
 * once or often. It refers to the recipe, which must outlive the plan and not change, and to the
 * observer. A plan never changes: any number of threads may use it at the same time, each with its
 * own context. */
typedef struct terrain_recipe_plan terrain_recipe_plan;

/** Plans a run. Only the sizes and origins of the desc's inputs are used, not their cells, and its
 * outputs are not used. In a world `inputs`, or a map in it, may be NULL; ask the plan for the
 * window that the input must cover. output_count 0 plans the result alone.
 * Errors: the errors of terrain_recipe_run that can be found before it runs; MEMORY above
 * memory_limit: the message names the statement at which the run would need most memory, its window
 * and the bytes. On error *out is NULL. Since 0.2. */
TERRAIN_API terrain_status terrain_recipe_plan_create(terrain_context *context,
                                                      const terrain_recipe *recipe,
                                                      const terrain_recipe_run_desc *desc,
                                                      terrain_recipe_plan **out);

/** Frees the plan. NULL is fine. No call may be using it. Since 0.2. */
TERRAIN_API void terrain_recipe_plan_destroy(terrain_recipe_plan *plan);

/** The window of an output, as terrain_recipe_output_window computes it; or, in a world, the window
 * that an input must cover, which is empty if the input is not needed. If name is NULL: the first
 * output.
 * Errors: ARGUMENT (NULL, a map that is neither output nor input of the plan). Since 0.2. */
TERRAIN_API terrain_status terrain_recipe_plan_window(const terrain_recipe_plan *plan,
                                                      const char *name, terrain_window *out);

/** How many cells a statement will compute; 0 if the outputs don't need it. Progress is measured by
 * these numbers. For UINT32_MAX: the sum over all statements. 0 for NULL. Since 0.2. */
TERRAIN_API uint64_t terrain_recipe_plan_cells(const terrain_recipe_plan *plan, uint32_t statement);

/** How many bytes a run will need at most at any time, besides the maps that it is given: for
 * intermediate maps, from the statement that makes them to the last that reads them, and for the
 * operations' scratch memory. It holds for contexts with a runner if the plan was made with one,
 * else for those without: tasks that may run at once take scratch of their own. A context keeps up
 * to as many bytes for later calls. 0 for NULL. Since 0.2. */
TERRAIN_API uint64_t terrain_recipe_plan_bytes(const terrain_recipe_plan *plan);

/** Runs the plan. inputs and outputs are in the order of the desc's names; inputs may be NULL if
 * there are none. Inputs must have the size and origin that they were planned with, or in a world
 * cover their windows; one that is not needed may be NULL. Errors: as terrain_recipe_run; ARGUMENT
 * if the recipe was added to since it was planned; MEMORY above memory_limit also where this
 * context has a runner and the plan's had none. Since 0.2. */
TERRAIN_API terrain_status terrain_recipe_plan_run(terrain_context *context,
                                                   const terrain_recipe_plan *plan,
                                                   const terrain_heightmap *const *inputs,
                                                   terrain_heightmap *const *outputs);

#ifdef __cplusplus
}
#endif

#endif
