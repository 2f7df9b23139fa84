# SPDX-FileCopyrightText: The libterrain authors
# SPDX-License-Identifier: MIT
"""Writes the C of the extension module libterrain._native, by cffi in API mode: the C compiler compares what is
declared here with the library's headers.

usage: build_native.py binding.h OUTPUT.c"""

import pathlib
import sys

import cffi

# Structs end in "...": the compiler fills in what they have beside these fields.
DECLARATIONS = """
typedef int32_t terrain_status;
typedef struct terrain_context terrain_context;
typedef struct terrain_pool terrain_pool;
typedef struct terrain_heightmap terrain_heightmap;
typedef struct terrain_operation terrain_operation;
typedef struct terrain_recipe terrain_recipe;
typedef struct terrain_recipe_plan terrain_recipe_plan;
typedef struct terrain_world terrain_world;
typedef struct terrain_statistics terrain_statistics;
typedef struct terrain_score terrain_score;

typedef struct { int64_t x, y; uint32_t width, height; } terrain_window;

const char *terrain_status_name(terrain_status);
uint32_t terrain_version(void);
uint32_t terrain_results_version(void);

terrain_status terrain_heightmap_wrap(terrain_context *, float *, uint32_t, uint32_t, size_t, terrain_heightmap **);
terrain_status terrain_heightmap_wrap_const(terrain_context *, const float *, uint32_t, uint32_t, size_t,
                                            terrain_heightmap **);
void terrain_heightmap_destroy(terrain_heightmap *);
terrain_status terrain_heightmap_set_cell_size(terrain_heightmap *, float);
terrain_status terrain_heightmap_set_origin(terrain_heightmap *, int64_t, int64_t);
float terrain_heightmap_cell_size(const terrain_heightmap *);
uint64_t terrain_heightmap_hash(const terrain_heightmap *);

const char *terrain_context_message(const terrain_context *);
void terrain_context_trim(terrain_context *);
uint32_t terrain_context_isa(const terrain_context *);
terrain_status terrain_pool_create(uint32_t, terrain_pool **);
void terrain_pool_destroy(terrain_pool *);

typedef union { double f; int64_t i; uint64_t u; } terrain_value;
typedef struct {
    const char *name, *spacing;
    uint32_t role, lattice, offset, spacing_offset, optional, mask, grid;
    ...;
} terrain_port;
typedef struct {
    const char *name, *unit, *doc;
    uint32_t type, offset, count_offset, count_maximum;
    terrain_value minimum, maximum, default_value;
    const char *const *value_names;
    const char *const *value_docs;
    const terrain_port *port;
    uint32_t role;
    const char *when;
    uint64_t when_values;
    uint32_t power_of_two;
    ...;
} terrain_parameter;
terrain_status terrain_parameter_slider(const terrain_parameter *, double *, double *);
uint32_t terrain_operation_count(void);
const terrain_operation *terrain_operation_at(uint32_t);
const char *terrain_operation_name(const terrain_operation *);
const char *terrain_operation_verb(const terrain_operation *);
const char *terrain_operation_summary(const terrain_operation *);
const char *terrain_operation_reference(const terrain_operation *);
uint32_t terrain_operation_signature(const terrain_operation *);
uint32_t terrain_operation_result_version(const terrain_operation *);
size_t terrain_operation_params_size(const terrain_operation *);
uint32_t terrain_operation_parameter_count(const terrain_operation *);
const terrain_parameter *terrain_operation_parameter(const terrain_operation *, uint32_t);
terrain_status terrain_operation_params_init(const terrain_operation *, void *, size_t);
uint32_t terrain_operation_port_count(const terrain_operation *);
const terrain_port *terrain_operation_port_at(const terrain_operation *, uint32_t);
terrain_status terrain_operation_window(const terrain_operation *, const void *, uint32_t, const terrain_window *,
                                        terrain_window *);
uint32_t terrain_operation_tiling(const terrain_operation *);
terrain_status terrain_operation_halo(const terrain_operation *, const void *, uint32_t *);
terrain_status terrain_operation_result_window(const terrain_operation *, const void *, const terrain_window *,
                                               terrain_window *);

typedef struct { const terrain_operation *operation; const char *name; const void *params; ...; } terrain_recipe_statement;
terrain_status terrain_recipe_create(terrain_context *, terrain_recipe **);
terrain_status terrain_recipe_statement_init(terrain_recipe_statement *, size_t);
terrain_status terrain_recipe_add(terrain_context *, terrain_recipe *, const terrain_recipe_statement *);
typedef struct {
    uint32_t struct_size, flags;
    uint64_t seed;
    int64_t x, y;
    uint64_t memory_limit;
    const char *const *input_names;
    const terrain_heightmap *const *inputs;
    const char *const *output_names;
    terrain_heightmap *const *outputs;
    uint32_t width, height, input_count, output_count;
    float cell_size;
    double scale;
    ...;
} terrain_recipe_run_desc;
terrain_status terrain_recipe_parse(terrain_context *, const char *, size_t, terrain_recipe **);
void terrain_recipe_destroy(terrain_recipe *);
uint32_t terrain_recipe_statement_count(const terrain_recipe *);
uint32_t terrain_recipe_input_count(const terrain_recipe *);
const char *terrain_recipe_input_at(const terrain_recipe *, uint32_t);
uint32_t terrain_recipe_map_count(const terrain_recipe *);
const char *terrain_recipe_map_at(const terrain_recipe *, uint32_t);
const char *terrain_recipe_result(const terrain_recipe *);
terrain_status terrain_recipe_check_world(terrain_context *, const terrain_recipe *, const char *);
terrain_status terrain_recipe_map_scale(terrain_context *, const terrain_recipe *, const char *, double, double *);
terrain_status terrain_recipe_run_desc_init(terrain_recipe_run_desc *, size_t);
terrain_status terrain_recipe_plan_create(terrain_context *, const terrain_recipe *, const terrain_recipe_run_desc *,
                                          terrain_recipe_plan **);
void terrain_recipe_plan_destroy(terrain_recipe_plan *);
terrain_status terrain_recipe_plan_window(const terrain_recipe_plan *, const char *, terrain_window *);
uint64_t terrain_recipe_plan_cells(const terrain_recipe_plan *, uint32_t);
uint64_t terrain_recipe_plan_bytes(const terrain_recipe_plan *);
terrain_status terrain_recipe_plan_run(terrain_context *, const terrain_recipe_plan *,
                                       const terrain_heightmap *const *, terrain_heightmap *const *);

typedef struct {
    uint32_t struct_size, flags;
    uint64_t seed, cache_bytes, memory_limit;
    const terrain_recipe *recipe;
    const char *name;
    float cell_size;
    uint32_t input_count;
    double scale;
    const char *const *input_names;
    const terrain_heightmap *const *inputs;
    const char *const *output_names;
    uint32_t output_count;
    ...;
} terrain_world_desc;
terrain_status terrain_world_desc_init(terrain_world_desc *, size_t);
terrain_status terrain_world_create(terrain_context *, const terrain_world_desc *, terrain_world **);
void terrain_world_destroy(terrain_world *);
terrain_status terrain_world_tile_maps(terrain_context *, terrain_world *, int64_t, int64_t,
                                       terrain_heightmap *const *, uint32_t);
terrain_status terrain_world_prepare(terrain_context *, terrain_world *, const terrain_window *);
terrain_status terrain_world_tile_bytes(terrain_context *, terrain_world *, const terrain_window *, uint64_t *,
                                        uint64_t *);
void terrain_world_trim(terrain_world *);
uint64_t terrain_world_cache_size(terrain_world *);

terrain_status terrain_statistics_create(terrain_context *, terrain_statistics **);
void terrain_statistics_destroy(terrain_statistics *);
terrain_status terrain_statistics_set_histogram(terrain_statistics *, float, float, uint64_t *, uint32_t);
void terrain_statistics_reset(terrain_statistics *);
terrain_status terrain_statistics_add(terrain_context *, terrain_statistics *, const terrain_heightmap *);
terrain_status terrain_statistics_merge(terrain_statistics *, const terrain_statistics *);
uint64_t terrain_statistics_count(const terrain_statistics *);
uint64_t terrain_statistics_nan_count(const terrain_statistics *);
uint64_t terrain_statistics_infinite_count(const terrain_statistics *);
float terrain_statistics_minimum(const terrain_statistics *);
float terrain_statistics_maximum(const terrain_statistics *);
double terrain_statistics_sum(const terrain_statistics *);
double terrain_statistics_mean(const terrain_statistics *);
double terrain_statistics_variance(const terrain_statistics *);
double terrain_statistics_standard_deviation(const terrain_statistics *);

typedef struct { float unit_slope, building_slope; uint32_t unit_size, building_size; ...; } terrain_score_desc;
terrain_status terrain_score_desc_init(terrain_score_desc *, size_t);
terrain_status terrain_score_create(terrain_context *, const terrain_score_desc *, terrain_score **);
void terrain_score_destroy(terrain_score *);
terrain_status terrain_score_add(terrain_context *, terrain_score *, const terrain_heightmap *,
                                 const terrain_window *);
terrain_status terrain_score_merge(terrain_score *, const terrain_score *);
uint64_t terrain_score_count(const terrain_score *);
uint64_t terrain_score_accessible(const terrain_score *);
uint64_t terrain_score_flat(const terrain_score *);
uint64_t terrain_score_reachable(const terrain_score *);
uint64_t terrain_score_buildable(const terrain_score *);
double terrain_score_erosion(const terrain_score *);
double terrain_score_mean_slope(const terrain_score *);
double terrain_score_playability(const terrain_score *);

typedef struct {
    double undrained, trunk, concavity, hack, skewness, axis, forms[...], forms_distance;
    ...;
} terrain_landform;
terrain_status terrain_landform_init(terrain_landform *, size_t);
terrain_status terrain_landform_measure(terrain_context *, const terrain_heightmap *, terrain_landform *);

typedef struct {
    uint64_t cells;
    double worst_step, worst_kink, seam_curvature, inside_curvature, ratio;
    ...;
} terrain_seams;
terrain_status terrain_seams_init(terrain_seams *, size_t);
terrain_status terrain_seams_measure(terrain_context *, const terrain_heightmap *const *, uint32_t, uint32_t, uint32_t,
                                     terrain_seams *);

typedef struct { terrain_window window; uint32_t axes, winding, diagonal; ...; } terrain_mesh_desc;
terrain_status terrain_mesh_desc_init(terrain_mesh_desc *, size_t);
terrain_status terrain_mesh_size(terrain_context *, const terrain_heightmap *, const terrain_mesh_desc *, uint32_t *,
                                 uint32_t *);
terrain_status terrain_mesh_positions(terrain_context *, const terrain_heightmap *, const terrain_mesh_desc *,
                                      float *, size_t);
terrain_status terrain_mesh_normals(terrain_context *, const terrain_heightmap *, const terrain_mesh_desc *, float *,
                                    size_t);
terrain_status terrain_mesh_indices(terrain_context *, const terrain_heightmap *, const terrain_mesh_desc *,
                                    uint32_t *);
"""


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    binding = "\n".join(line for line in lines if not line.startswith("#"))
    callback = next(line for line in lines if "binding_report(" in line)
    builder = cffi.FFI()
    builder.cdef(DECLARATIONS)
    builder.cdef(binding.replace(callback, f'extern "Python+C" {callback}'))
    # call.c makes the module out of cffi's.
    builder.set_source("libterrain._native", '#include "binding.h"\n#define PyInit__native binding_cffi_module\n')
    builder.emit_c_code(sys.argv[2])


main()
