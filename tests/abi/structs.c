/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against public structs and constants that change under programs that were compiled with
 * them. Compiled only; the params structs have their own list in layout.txt. */

#include <terrain/terrain.h>

#define SAME(expression, value) _Static_assert((expression) == (value), #expression)

SAME(sizeof(terrain_window), 24);
SAME(offsetof(terrain_window, x), 0);
SAME(offsetof(terrain_window, y), 8);
SAME(offsetof(terrain_window, width), 16);
SAME(offsetof(terrain_window, height), 20);

SAME(sizeof(terrain_status), 4);
SAME(sizeof(terrain_signature), 4);
SAME(sizeof(terrain_tiling), 4);
SAME(sizeof(terrain_type), 4);
SAME(sizeof(terrain_value), 8);

SAME(offsetof(terrain_context_desc, struct_size), 0);
SAME(offsetof(terrain_context_desc, flags), 4);
SAME(offsetof(terrain_context_desc, max_isa), 8);
SAME(offsetof(terrain_context_desc, reserved), 12);
SAME(offsetof(terrain_context_desc, allocator), 16);
SAME(offsetof(terrain_context_desc, runner), 16 + 3 * sizeof(void *));
SAME(offsetof(terrain_context_desc, progress), 16 + 5 * sizeof(void *));
SAME(sizeof(terrain_context_desc), sizeof(void *) == 8 ? 72 : 44);

SAME(offsetof(terrain_world_desc, struct_size), 0);
SAME(offsetof(terrain_world_desc, flags), 4);
SAME(offsetof(terrain_world_desc, seed), 8);
SAME(offsetof(terrain_world_desc, cache_bytes), 16);
SAME(offsetof(terrain_world_desc, memory_limit), 24);
SAME(offsetof(terrain_world_desc, recipe), 32);
SAME(offsetof(terrain_world_desc, name), 32 + sizeof(void *));
SAME(offsetof(terrain_world_desc, allocator), 32 + 2 * sizeof(void *));
SAME(offsetof(terrain_world_desc, observer), 32 + 5 * sizeof(void *));
SAME(offsetof(terrain_world_desc, cell_size), 32 + 7 * sizeof(void *));
SAME(offsetof(terrain_world_desc, input_count), 36 + 7 * sizeof(void *));

SAME(sizeof(terrain_mesh_desc), 48);
SAME(offsetof(terrain_mesh_desc, struct_size), 0);
SAME(offsetof(terrain_mesh_desc, flags), 4);
SAME(offsetof(terrain_mesh_desc, window), 8);
SAME(offsetof(terrain_mesh_desc, axes), 32);
SAME(offsetof(terrain_mesh_desc, winding), 36);
SAME(offsetof(terrain_mesh_desc, diagonal), 40);
SAME(offsetof(terrain_mesh_desc, reserved), 44);

SAME(sizeof(terrain_score_desc), 24);
SAME(offsetof(terrain_score_desc, struct_size), 0);
SAME(offsetof(terrain_score_desc, flags), 4);
SAME(offsetof(terrain_score_desc, unit_slope), 8);
SAME(offsetof(terrain_score_desc, building_slope), 12);
SAME(offsetof(terrain_score_desc, unit_size), 16);
SAME(offsetof(terrain_score_desc, building_size), 20);
SAME(offsetof(terrain_seams, struct_size), 0);
SAME(offsetof(terrain_seams, flags), 4);
SAME(offsetof(terrain_seams, cells), 8);
SAME(offsetof(terrain_seams, worst_step), 16);
SAME(offsetof(terrain_seams, worst_kink), 24);
SAME(offsetof(terrain_seams, seam_curvature), 32);
SAME(offsetof(terrain_seams, inside_curvature), 40);
SAME(offsetof(terrain_seams, ratio), 48);
SAME(sizeof(terrain_seams), 56);
SAME(offsetof(terrain_landform, struct_size), 0);
SAME(offsetof(terrain_landform, flags), 4);
SAME(offsetof(terrain_landform, undrained), 8);
SAME(offsetof(terrain_landform, trunk), 16);
SAME(offsetof(terrain_landform, concavity), 24);
SAME(offsetof(terrain_landform, hack), 32);
SAME(offsetof(terrain_landform, skewness), 40);
SAME(offsetof(terrain_landform, axis), 48);
SAME(offsetof(terrain_landform, forms), 56);
SAME(offsetof(terrain_landform, forms_distance), 136);
SAME(sizeof(terrain_landform), 144);
SAME(TERRAIN_LANDFORM_COUNT, 10);
SAME(TERRAIN_LANDFORM_VALLEY, 8);

SAME(offsetof(terrain_parameter, name), 0);
SAME(offsetof(terrain_parameter, unit), sizeof(void *));
SAME(offsetof(terrain_parameter, doc), 2 * sizeof(void *));
SAME(offsetof(terrain_parameter, type), 3 * sizeof(void *));
SAME(offsetof(terrain_parameter, offset), 3 * sizeof(void *) + 4);
SAME(offsetof(terrain_parameter, count_offset), 3 * sizeof(void *) + 8);
SAME(offsetof(terrain_parameter, count_maximum), 3 * sizeof(void *) + 12);
#if UINTPTR_MAX > 0xFFFFFFFFu
SAME(offsetof(terrain_parameter, minimum), 40);
SAME(offsetof(terrain_parameter, maximum), 48);
SAME(offsetof(terrain_parameter, default_value), 56);
SAME(offsetof(terrain_parameter, value_names), 64);
SAME(offsetof(terrain_parameter, value_docs), 72);
SAME(offsetof(terrain_parameter, port), 80);
SAME(offsetof(terrain_parameter, role), 88);
SAME(offsetof(terrain_parameter, when), 96);
SAME(offsetof(terrain_parameter, when_values), 104);
SAME(offsetof(terrain_parameter, power_of_two), 112);
#endif

SAME(offsetof(terrain_port, name), 0);
SAME(offsetof(terrain_port, spacing), sizeof(void *));
SAME(offsetof(terrain_port, role), 2 * sizeof(void *));
SAME(offsetof(terrain_port, lattice), 2 * sizeof(void *) + 4);
SAME(offsetof(terrain_port, offset), 2 * sizeof(void *) + 8);
SAME(offsetof(terrain_port, spacing_offset), 2 * sizeof(void *) + 12);
SAME(offsetof(terrain_port, optional), 2 * sizeof(void *) + 16);
SAME(offsetof(terrain_port, mask), 2 * sizeof(void *) + 20);
SAME(offsetof(terrain_port, grid), 2 * sizeof(void *) + 24);
SAME(sizeof(terrain_port), 2 * sizeof(void *) + 32);
SAME(TERRAIN_PORT_ROLE_READ, 0);
SAME(TERRAIN_PORT_ROLE_WRITE, 1);
SAME(TERRAIN_PORT_ROLE_CHANGE, 2);
SAME(TERRAIN_PORT_LATTICE_CALL, 0);
SAME(TERRAIN_PORT_LATTICE_OWN, 1);
SAME(TERRAIN_PORT_LATTICE_COARSE, 2);

SAME(TERRAIN_ISA_BASELINE, 0);
SAME(TERRAIN_ISA_AVX2, 1);
SAME(TERRAIN_ISA_AVX512, 2);
SAME(TERRAIN_ISA_BEST, 0x7FFFFFFF);
SAME(TERRAIN_CONTEXT_PARTIAL_RESULTS, 1);

SAME(TERRAIN_MESH_AXES_Y_UP, 0);
SAME(TERRAIN_MESH_AXES_Z_UP, 1);
SAME(TERRAIN_MESH_AXES_Y_UP_LEFT, 2);
SAME(TERRAIN_MESH_AXES_Z_UP_LEFT, 3);
SAME(TERRAIN_MESH_WINDING_ANTICLOCKWISE, 0);
SAME(TERRAIN_MESH_WINDING_CLOCKWISE, 1);
SAME(TERRAIN_MESH_DIAGONAL_FIXED, 0);
SAME(TERRAIN_MESH_DIAGONAL_FLATTER, 1);
SAME(TERRAIN_SIGNATURE_GENERATE, 0);
SAME(TERRAIN_SIGNATURE_IN_PLACE, 1);
SAME(TERRAIN_SIGNATURE_COMBINE, 2);
SAME(TERRAIN_SIGNATURE_RESULT, 3);
SAME(TERRAIN_SIGNATURE_GRID, 4);
SAME(TERRAIN_STITCH_CURVE_SMOOTHER, 0);
SAME(TERRAIN_STITCH_CURVE_SMOOTH, 1);
SAME(TERRAIN_STITCH_CURVE_LINEAR, 2);
SAME(TERRAIN_TYPE_FLOAT, 0);
SAME(TERRAIN_TYPE_INT32, 1);
SAME(TERRAIN_TYPE_UINT32, 2);
SAME(TERRAIN_TYPE_INT64, 3);
SAME(TERRAIN_TYPE_UINT64, 4);
SAME(TERRAIN_TYPE_BOOL, 5);
SAME(TERRAIN_TYPE_ENUM, 6);
SAME(TERRAIN_TYPE_MAP_IN, 7);
SAME(TERRAIN_TYPE_MAP_OUT, 8);
SAME(TERRAIN_TYPE_FLOAT_ARRAY, 9);
SAME(TERRAIN_PARAMETER_TEXT_SIZE, 64);
