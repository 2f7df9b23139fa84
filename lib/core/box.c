/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/box.h"

#include "base/math.h"

void terrain__box_unite(terrain__box *box, const terrain__box *other)
{
    if (terrain__box_is_empty(other)) {
        return;
    }
    if (terrain__box_is_empty(box)) {
        *box = *other;
        return;
    }
    box->x0 = box->x0 < other->x0 ? box->x0 : other->x0;
    box->y0 = box->y0 < other->y0 ? box->y0 : other->y0;
    box->x1 = box->x1 > other->x1 ? box->x1 : other->x1;
    box->y1 = box->y1 > other->y1 ? box->y1 : other->y1;
}

void terrain__box_coarsen(terrain__box *box, int64_t spacing)
{
    box->x0 = terrain__floor_div(box->x0, spacing);
    box->y0 = terrain__floor_div(box->y0, spacing);
    box->x1 = terrain__floor_div(box->x1 - 1, spacing) + 2;
    box->y1 = terrain__floor_div(box->y1 - 1, spacing) + 2;
}

bool terrain__window_box(const terrain_window *window, terrain__box *box)
{
    if (window->width == 0 || window->height == 0 ||
        !terrain__window_in_world(window->x, window->y, window->width, window->height)) {
        return false;
    }
    *box = terrain__box_at(window->x, window->y, window->width, window->height);
    return true;
}

bool terrain__box_window(const terrain__box *box, terrain_window *window)
{
    if (terrain__box_is_empty(box) || box->x1 - box->x0 > UINT32_MAX ||
        box->y1 - box->y0 > UINT32_MAX) {
        return false;
    }
    window->x = box->x0;
    window->y = box->y0;
    window->width = (uint32_t)(box->x1 - box->x0);
    window->height = (uint32_t)(box->y1 - box->y0);
    return terrain__window_in_world(window->x, window->y, window->width, window->height);
}
