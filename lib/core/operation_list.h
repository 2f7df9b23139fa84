/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every operation, one line each, in the order of terrain_operation_at. Append within a verb. */

OPERATION(combine_blend)
OPERATION(erode_fir)
OPERATION(erode_shear)
OPERATION(erode_shear_regions)
OPERATION(erode_thermal)
OPERATION(erode_flatten)
OPERATION(erode_hydraulic)
OPERATION(generate_diamond_square)
OPERATION(generate_fault_lines)
OPERATION(generate_noise)
OPERATION(generate_radial)
OPERATION(generate_voronoi)
OPERATION(blur_box)
OPERATION(blur_gaussian)
OPERATION(blur_variable)
OPERATION(shape_clamp)
OPERATION(shape_remap)
OPERATION(shape_resample)
OPERATION(shape_strata)
OPERATION(shape_terrace)
OPERATION(analyze_band)
OPERATION(analyze_hillshade)
OPERATION(analyze_normals)
OPERATION(analyze_slope)
