/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every operation, one line each: OPERATION(key, verb, algorithm), in the order of
 * terrain_operation_at. The build finds lib/<verb>/<algorithm>.c, its kernels, its tests and its
 * oracle from this line. The key is part of every random number of the operation: it never changes
 * and is never used again. A new operation takes the first key that is free; tests/abi/keys.txt
 * keeps those that are taken. */

OPERATION(3, generate, diamond_square)
OPERATION(30, generate, drainage)
OPERATION(2, generate, fault_lines)
OPERATION(47, generate, midpoint)
OPERATION(4, generate, noise)
OPERATION(28, generate, radial)
OPERATION(17, generate, spectral)
OPERATION(16, generate, voronoi)
OPERATION(5, erode, fir)
OPERATION(19, erode, flatten)
OPERATION(46, erode, gullies)
OPERATION(20, erode, hydraulic)
OPERATION(29, erode, rain)
OPERATION(44, erode, rivers)
OPERATION(21, erode, shear)
OPERATION(22, erode, shear_regions)
OPERATION(45, erode, stream_power)
OPERATION(6, erode, thermal)
OPERATION(8, blur, box)
OPERATION(7, blur, gaussian)
OPERATION(23, blur, variable)
OPERATION(42, shape, breach)
OPERATION(10, shape, clamp)
OPERATION(40, shape, fill)
OPERATION(18, shape, perturb)
OPERATION(9, shape, remap)
OPERATION(11, shape, resample)
OPERATION(24, shape, strata)
OPERATION(25, shape, terrace)
OPERATION(12, combine, blend)
OPERATION(26, analyze, band)
OPERATION(43, analyze, basins)
OPERATION(27, analyze, distance)
OPERATION(41, analyze, flow)
OPERATION(15, analyze, hillshade)
OPERATION(14, analyze, normals)
OPERATION(13, analyze, slope)
OPERATION(60, stitch, blend)
OPERATION(61, stitch, edges)
OPERATION(62, stitch, match)
