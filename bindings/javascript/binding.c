/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What JavaScript calls beside the library: structs by their fields, and the way back to a progress
 * function. */

#include <stddef.h>
#include <string.h>

#include "terrain.h"

/* JavaScript's own: nonzero to cancel. */
__attribute__((import_module("binding"), import_name("report"))) int32_t
binding_report(double fraction);

static int32_t binding_listen(void *user, double fraction)
{
    (void)user;
    return binding_report(fraction);
}

terrain_context *binding_context(void)
{
    terrain_context_desc desc;
    terrain_context *context = NULL;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.progress.report = binding_listen;
    terrain_context_create(&desc, &context);
    return context;
}

/* ---- The engine's stack ---------------------------------------------------------------------- */

typedef uint32_t vector __attribute__((vector_size(16)));

/* Goes `levels` deep on the stack that the engine has for WebAssembly and JavaScript, and comes back; the engine
 * throws where it has no room. Engines make a function's frame as large as all of its values need that outlive a
 * call: 4 KB here, though `never` is NULL. A few large frames take 0.1 us where JavaScript, with small ones, took 9
 * for as many bytes: processors foretell some 30 returns. */
__attribute__((disable_tail_calls)) uint32_t binding_room(uint32_t levels, volatile vector *never)
{
    if (never != NULL) {
        vector kept[256];
#pragma clang loop unroll(full)
        for (int i = 0; i < 256; i++) {
            kept[i] = never[i];
        }
        binding_report(0);
#pragma clang loop unroll(full)
        for (int i = 0; i < 256; i++) {
            never[i] = kept[i];
        }
    }
    return levels == 0 ? 0 : 1 + binding_room(levels - 1, never);
}

/* ---- The operation table --------------------------------------------------------------------- */

/* Offsets of what src/table.js reads, in its order. */
const uint32_t *binding_parameter_layout(void)
{
    static const uint32_t layout[] = {
        offsetof(terrain_parameter, name),          offsetof(terrain_parameter, unit),
        offsetof(terrain_parameter, doc),           offsetof(terrain_parameter, type),
        offsetof(terrain_parameter, offset),        offsetof(terrain_parameter, count_offset),
        offsetof(terrain_parameter, count_maximum), offsetof(terrain_parameter, minimum),
        offsetof(terrain_parameter, maximum),       offsetof(terrain_parameter, default_value),
        offsetof(terrain_parameter, value_names),   offsetof(terrain_parameter, value_docs),
        offsetof(terrain_parameter, port),          offsetof(terrain_parameter, role),
        offsetof(terrain_parameter, when),          offsetof(terrain_parameter, when_values),
        offsetof(terrain_parameter, power_of_two),
    };
    return layout;
}

const uint32_t *binding_port_layout(void)
{
    static const uint32_t layout[] = {
        offsetof(terrain_port, name),   offsetof(terrain_port, spacing),
        offsetof(terrain_port, role),   offsetof(terrain_port, lattice),
        offsetof(terrain_port, offset), offsetof(terrain_port, optional),
        offsetof(terrain_port, mask),   offsetof(terrain_port, grid),
    };
    return layout;
}

/* ---- Recipes, worlds, meshes, figures -------------------------------------------------------- */

terrain_status binding_plan_create(terrain_context *context, const terrain_recipe *recipe,
                                   uint32_t width, uint32_t height, int64_t x, int64_t y,
                                   uint64_t seed, uint64_t memory_limit, double cell_size,
                                   double scale, uint32_t flags, const char *const *input_names,
                                   const terrain_heightmap *const *inputs, uint32_t input_count,
                                   const char *const *output_names, uint32_t output_count,
                                   terrain_recipe_plan **out)
{
    terrain_recipe_run_desc desc;
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.width = width;
    desc.height = height;
    desc.x = x;
    desc.y = y;
    desc.seed = seed;
    desc.memory_limit = memory_limit;
    desc.cell_size = (float)cell_size;
    desc.scale = scale;
    desc.flags |= flags;
    desc.input_names = input_names;
    desc.inputs = inputs;
    desc.input_count = input_count;
    desc.output_names = output_names;
    desc.output_count = output_count;
    return terrain_recipe_plan_create(context, recipe, &desc, out);
}

terrain_status binding_world_create(terrain_context *context, const terrain_recipe *recipe,
                                    const char *name, uint64_t seed, uint64_t cache_bytes,
                                    uint64_t memory_limit, double cell_size, double scale,
                                    const char *const *input_names,
                                    const terrain_heightmap *const *inputs, uint32_t input_count,
                                    const char *const *output_names, uint32_t output_count,
                                    terrain_world **out)
{
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.name = name;
    desc.seed = seed;
    desc.cache_bytes = cache_bytes;
    desc.memory_limit = memory_limit;
    desc.cell_size = (float)cell_size;
    desc.scale = scale;
    desc.input_names = input_names;
    desc.inputs = inputs;
    desc.input_count = input_count;
    desc.output_names = output_names;
    desc.output_count = output_count;
    return terrain_world_create(context, &desc, out);
}

terrain_status binding_world_prepare(terrain_context *context, terrain_world *world, int64_t x,
                                     int64_t y, uint32_t width, uint32_t height)
{
    const terrain_window window = {x, y, width, height};
    return terrain_world_prepare(context, world, &window);
}

/* bytes: kept, needed. */
terrain_status binding_world_tile_bytes(terrain_context *context, terrain_world *world, int64_t x,
                                        int64_t y, uint32_t width, uint32_t height,
                                        uint64_t bytes[2])
{
    const terrain_window window = {x, y, width, height};
    return terrain_world_tile_bytes(context, world, &window, &bytes[0], &bytes[1]);
}

terrain_status binding_mesh(terrain_context *context, const terrain_heightmap *map, int64_t x,
                            int64_t y, uint32_t width, uint32_t height, uint32_t axes,
                            uint32_t winding, uint32_t diagonal, float *positions, float *normals,
                            uint32_t *indices)
{
    terrain_mesh_desc desc;
    terrain_status status;
    terrain_mesh_desc_init(&desc, sizeof desc);
    desc.window = (terrain_window){x, y, width, height};
    desc.axes = axes;
    desc.winding = winding;
    desc.diagonal = diagonal;
    status = terrain_mesh_positions(context, map, &desc, positions, 3);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_mesh_normals(context, map, &desc, normals, 3);
    }
    if (status == TERRAIN_SUCCESS && width > 1 && height > 1) {
        status = terrain_mesh_indices(context, map, &desc, indices);
    }
    return status;
}

terrain_status binding_score_create(terrain_context *context, double unit_slope,
                                    double building_slope, uint32_t unit_size,
                                    uint32_t building_size, terrain_score **out)
{
    terrain_score_desc desc;
    terrain_score_desc_init(&desc, sizeof desc);
    desc.unit_slope = (float)unit_slope;
    desc.building_slope = (float)building_slope;
    desc.unit_size = unit_size;
    desc.building_size = building_size;
    return terrain_score_create(context, &desc, out);
}

terrain_status binding_score_add(terrain_context *context, terrain_score *score,
                                 const terrain_heightmap *map, int64_t x, int64_t y, uint32_t width,
                                 uint32_t height)
{
    const terrain_window window = {x, y, width, height};
    return terrain_score_add(context, score, map, &window);
}

/* Writes the figures in the order of the struct. */
terrain_status binding_seams(terrain_context *context, const terrain_heightmap *const *maps,
                             uint32_t columns, uint32_t rows, uint32_t overlap, double figures[6])
{
    terrain_seams seams;
    terrain_seams_init(&seams, sizeof seams);
    const terrain_status status =
        terrain_seams_measure(context, maps, columns, rows, overlap, &seams);
    if (status == TERRAIN_SUCCESS) {
        const double all[] = {(double)seams.cells,  seams.worst_step,       seams.worst_kink,
                              seams.seam_curvature, seams.inside_curvature, seams.ratio};
        memcpy(figures, all, sizeof all);
    }
    return status;
}

/* Writes six figures and the distance, in the order of the struct, then the shares of the forms. */
terrain_status binding_landform(terrain_context *context, const terrain_heightmap *map,
                                double figures[7 + TERRAIN_LANDFORM_COUNT])
{
    terrain_landform land;
    terrain_landform_init(&land, sizeof land);
    const terrain_status status = terrain_landform_measure(context, map, &land);
    if (status == TERRAIN_SUCCESS) {
        const double scalars[] = {land.undrained, land.trunk, land.concavity,     land.hack,
                                  land.skewness,  land.axis,  land.forms_distance};
        memcpy(figures, scalars, sizeof scalars);
        memcpy(figures + 7, land.forms, sizeof land.forms);
    }
    return status;
}
