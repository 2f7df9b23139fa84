/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Sizes and offsets of the structs that src/lib.rs declares, as the C compiler knows them; compared
 * by its test. */

#include <stddef.h>

#include "terrain.h"

const size_t terrain_sys_layout[] = {
    sizeof(terrain_window),
    offsetof(terrain_window, width),
    sizeof(terrain_allocator),
    offsetof(terrain_allocator, free),
    sizeof(terrain_runner),
    offsetof(terrain_runner, run),
    sizeof(terrain_progress),
    offsetof(terrain_progress, report),
    sizeof(terrain_context_desc),
    offsetof(terrain_context_desc, max_isa),
    offsetof(terrain_context_desc, runner),
    offsetof(terrain_context_desc, progress),
    sizeof(terrain_recipe_observer),
    offsetof(terrain_recipe_observer, computed),
    sizeof(terrain_recipe_run_desc),
    offsetof(terrain_recipe_run_desc, seed),
    offsetof(terrain_recipe_run_desc, memory_limit),
    offsetof(terrain_recipe_run_desc, inputs),
    offsetof(terrain_recipe_run_desc, outputs),
    offsetof(terrain_recipe_run_desc, observer),
    offsetof(terrain_recipe_run_desc, width),
    offsetof(terrain_recipe_run_desc, cell_size),
    sizeof(terrain_world_desc),
    offsetof(terrain_world_desc, cache_bytes),
    offsetof(terrain_world_desc, recipe),
    offsetof(terrain_world_desc, name),
    offsetof(terrain_world_desc, observer),
    offsetof(terrain_world_desc, cell_size),
    offsetof(terrain_world_desc, input_count),
    offsetof(terrain_world_desc, inputs),
    offsetof(terrain_world_desc, output_names),
    offsetof(terrain_world_desc, output_count),
    sizeof(terrain_mesh_desc),
    offsetof(terrain_mesh_desc, window),
    offsetof(terrain_mesh_desc, diagonal),
    sizeof(terrain_parameter),
    offsetof(terrain_parameter, count_offset),
    offsetof(terrain_parameter, minimum),
    sizeof(terrain_score_desc),
    offsetof(terrain_score_desc, building_size),
    sizeof(terrain_landform),
    offsetof(terrain_landform, forms_distance),
    sizeof(terrain_port),
    offsetof(terrain_port, grid),
    sizeof(terrain_seams),
    offsetof(terrain_seams, ratio),
    sizeof(terrain_recipe_statement),
    offsetof(terrain_recipe_statement, columns),
};
