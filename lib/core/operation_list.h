/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every operation, one line each, in the order of terrain_operation_at. Append within a verb. */

OPERATION(shape_clamp)
