/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A patch's ways as a tree, breadth first like tree.c's, but from wherever water leaves the patch:
 * see patch.h. Growing it has no branch to mispredict, as walking has, and all that it touches
 * stays in the first-level cache, however large the map is. */

#include "flow/patch.h"

#include <string.h>

void terrain__flow_patch_lay_fans(struct flow_patch_fans *fans)
{
    memset(fans->steps[0], 0, sizeof fans->steps[0]);
    fans->counts[0] = 0;
    for (int k = 0; k < 8; k++) {
        const int step = terrain__flow_y[k + 1] * FLOW_PATCH + terrain__flow_x[k + 1];
        for (int set = 1 << k; set < 2 << k; set++) {
            const int before = set - (1 << k);
            const uint8_t count = fans->counts[before];
            memcpy(fans->steps[set], fans->steps[before], sizeof fans->steps[set]);
            fans->steps[set][count] = (uint16_t)step;
            fans->counts[set] = (uint8_t)(count + 1);
        }
    }
}

void terrain__flow_patch_look(const struct flow *flow, struct flow_patch *patch, uint32_t x0,
                              uint32_t y0)
{
    const uint32_t right = flow->width - x0, below = flow->height - y0;
    patch->x0 = x0;
    patch->y0 = y0;
    patch->width = right < FLOW_PATCH ? right : FLOW_PATCH;
    patch->height = below < FLOW_PATCH ? below : FLOW_PATCH;
}

/* A cell at the patch's rim whose receiver lies outside is a root. */
static void patch_end_at(struct flow_patch *patch, uint32_t x, uint32_t y)
{
    uint8_t *code = patch->rows + (y + 1) * FLOW_PATCH_PITCH + 8 + x;
    if (x + (uint32_t)terrain__flow_x[*code] >= patch->width ||
        y + (uint32_t)terrain__flow_y[*code] >= patch->height) {
        *code = TERRAIN__FLOW_PIT;
    }
}

/* Directions, with roots as pits and around them nothing that flows in. */
static void patch_load(const struct flow *flow, struct flow_patch *patch)
{
    memset(patch->rows, 0, (patch->height + 2) * (size_t)FLOW_PATCH_PITCH);
    for (uint32_t y = 0; y < patch->height; y++) {
        memcpy(patch->rows + (y + 1) * FLOW_PATCH_PITCH + 8,
               flow->directions + (size_t)(patch->y0 + y) * flow->width + patch->x0, patch->width);
        patch_end_at(patch, 0, y);
        patch_end_at(patch, patch->width - 1, y);
    }
    for (uint32_t x = 0; x < patch->width; x++) {
        patch_end_at(patch, x, 0);
        patch_end_at(patch, x, patch->height - 1);
    }
}

static void patch_find_roots(struct flow_patch *patch)
{
    patch->roots = 0;
    for (uint32_t y = 0; y < patch->height; y++) {
        const uint8_t *codes = patch->rows + (y + 1) * FLOW_PATCH_PITCH + 8;
        for (uint32_t from = 0; from < patch->width; from += 8) {
            if (terrain__flow_all_flow(codes + from)) {
                continue;
            }
            for (uint32_t x = from; x < from + 8 && x < patch->width; x++) {
                patch->cells[patch->roots] = (uint16_t)(y * FLOW_PATCH + x);
                patch->roots += codes[x] % TERRAIN__FLOW_OUTLET == TERRAIN__FLOW_PIT;
            }
        }
    }
}

void terrain__flow_patch_grow(const struct flow *flow, struct flow_patch *patch)
{
    const struct flow_patch_fans *fans = flow->patch_fans;
    uint16_t *cells = patch->cells, *receivers = patch->receivers;
    patch_load(flow, patch);
    for (uint32_t y = 0; y < patch->height; y++) {
        const uint8_t *above = patch->rows + y * FLOW_PATCH_PITCH + 8;
        flow->kernels->donors(patch->donors + y * FLOW_PATCH, above, above + FLOW_PATCH_PITCH,
                              above + 2 * FLOW_PATCH_PITCH, patch->width);
    }
    patch_find_roots(patch);
    uint32_t count = patch->roots;
    /* All eight are written, and the next cell's donors over those that are none. */
    for (uint32_t place = 0; place < count; place++) {
        const uint16_t cell = cells[place];
        const uint8_t set = patch->donors[cell];
        uint16_t fan[8], receiver[8];
        memcpy(fan, fans->steps[set], sizeof fan);
        for (int k = 0; k < 8; k++) {
            fan[k] = (uint16_t)(fan[k] + cell);
            receiver[k] = cell;
        }
        memcpy(cells + count, fan, sizeof fan);
        memcpy(receivers + count, receiver, sizeof receiver);
        count += fans->counts[set];
    }
    patch->count = count;
}

void terrain__flow_patch_end(struct flow_patch *patch)
{
    for (uint32_t place = 0; place < patch->roots; place++) {
        patch->last[patch->cells[place]] = patch->cells[place];
    }
    for (uint32_t place = patch->roots; place < patch->count; place++) {
        patch->last[patch->cells[place]] = patch->last[patch->receivers[place]];
    }
}
