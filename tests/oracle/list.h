/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* One line an oracle. */

ORACLE(shape_clamp)
