/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/choices.h"

const char *const terrain__border_names[4] = {"clamp", "mirror", "wrap", "open"};
const char *const terrain__border_docs[4] = {
    "the nearest cell of the map",
    "the map reflected in its edge: cell -1 is cell 0, cell -2 cell 1",
    "the map repeated: cell -1 is the last one",
    "no cells: means are of the map's own, shape_perturb reads 0",
};

const char *const terrain__metric_names[4] = {"euclidean", "chebyshev", "manhattan", "squared"};
const char *const terrain__metric_docs[4] = {
    "sqrt(dx^2 + dy^2): a circle around a place",
    "the greater of |dx| and |dy|: a square",
    "|dx| + |dy|: a square that stands on its corner",
    "dx^2 + dy^2: faster than euclidean",
};

const char *const terrain__rim_names[2] = {"open", "closed"};
const char *const terrain__rim_docs[2] = {
    "over the edge of the map, at each of its cells",
    "only at NaN; on a map without NaN, at the lowest cell",
};

const char *const terrain__routing_names[3] = {"fill", "carve", "none"};
const char *const terrain__routing_docs[3] = {
    "as if depressions were filled: straight across their lakes",
    "along the beds of depressions and over their lowest pass",
    "water stays in depressions",
};

const char *const terrain__stitch_curve_names[3] = {"smoother", "smooth", "linear"};
const char *const terrain__stitch_curve_docs[3] = {
    "1 - t^3 (t (6 t - 15) + 10): neither end has a kink nor curvature",
    "1 - t^2 (3 - 2 t): no kinks",
    "1 - t",
};

const char *terrain__rim_endless(uint32_t rim)
{
    return rim == TERRAIN_RIM_OPEN ? NULL : "rim must be open";
}
