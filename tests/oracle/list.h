/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* One line an oracle. */

ORACLE(analyze_band)
ORACLE(analyze_hillshade)
ORACLE(analyze_normals)
ORACLE(analyze_slope)
ORACLE(blur_box)
ORACLE(blur_gaussian)
ORACLE(blur_variable)
ORACLE(combine_blend)
ORACLE(erode_fir)
ORACLE(erode_flatten)
ORACLE(erode_hydraulic)
ORACLE(erode_shear)
ORACLE(erode_shear_regions)
ORACLE(erode_thermal)
ORACLE(generate_diamond_square)
ORACLE(generate_fault_lines)
ORACLE(generate_noise)
ORACLE(generate_radial)
ORACLE(generate_voronoi)
ORACLE(shape_clamp)
ORACLE(shape_remap)
ORACLE(shape_resample)
ORACLE(shape_strata)
ORACLE(shape_terrace)
