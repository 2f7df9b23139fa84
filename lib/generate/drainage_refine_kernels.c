/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* From a level of generate_drainage to the next finer one: each cell becomes a block of 2 by 2
 * children, and each step of a river from block I to block J becomes a path of at most three.
 *
 *        I          J
 *     +--+--+    +--+--+      node C of I -> exit E of I -> entry N of J -> node of J
 *     |C | .|    |N | .|
 *     +--+--+    +--+--+      E is the child of I on J's side, N the child of J on I's;
 *     | .|E-|--->|. |C'|      the way between may also be a corner
 *     +--+--+    +--+--+
 *
 * Lengths: 2 for a side, 3 for a corner, 0 where two of them are one child. The path falls evenly,
 * and at least `least` at each step. The other children, `.`, lie a slope above the node or the
 * exit. Whatever enters a block flows on from its entry to its node, so area is conserved: what
 * leaves a block at its exit is what left it before.
 *
 * A river falls 2 least at least to the next block. Where it falls less than 3.25 least, the node
 * is put at the exit: two steps suffice, each with its share of the fall. */

#include "generate/drainage_kernels.h"

#include "generate/drainage_vec.h"

/* Like drainage_towards, for the numbers of children. */
static inline int32_t drainage_child_towards(int32_t r, int32_t e, int32_t se, int32_t s,
                                             int32_t sw, int32_t w, int32_t nw, int32_t n,
                                             int32_t ne)
{
    int32_t east = (r & 1) != 0 ? se : e;
    int32_t south = (r & 1) != 0 ? sw : s;
    int32_t west = (r & 1) != 0 ? nw : w;
    int32_t north = (r & 1) != 0 ? ne : n;
    east = (r & 2) != 0 ? south : east;
    west = (r & 2) != 0 ? north : west;
    return (r & 4) != 0 ? west : east;
}

static inline int32_t drainage_step_x(int32_t r)
{
    int32_t east = (r == 0) | (r == 1) | (r == 7);
    int32_t west = (r == 3) | (r == 4) | (r == 5);
    return east - west;
}

static inline int32_t drainage_step_y(int32_t r)
{
    int32_t south = (r == 1) | (r == 2) | (r == 3);
    int32_t north = (r == 5) | (r == 6) | (r == 7);
    return south - north;
}

static inline int32_t drainage_direction(int32_t dx, int32_t dy)
{
    int32_t level = dx > 0 ? 0 : 4;
    return dy > 0 ? 2 - dx : dy < 0 ? 6 + dx : level;
}

/* Between two children of a block. */
static inline int32_t drainage_length(int32_t a, int32_t b)
{
    return a == b ? 0 : (a ^ b) == 3 ? 3 : 2;
}

static inline int32_t drainage_direction_within(int32_t from, int32_t to)
{
    return drainage_direction((to & 1) - (from & 1), (to >> 1) - (from >> 1));
}

/* The coordinate of the child on the side that step leaves by; `free` if it leaves by neither. */
static inline int32_t drainage_side(int32_t step, int32_t free)
{
    int32_t side = step > 0 ? 1 : 0;
    return step == 0 ? free : side;
}

static void drainage_nodes(const struct drainage_blocks *blocks, const uint32_t *bits,
                           uint32_t width)
{
    const float *restrict north = blocks->height[0], *restrict z = blocks->height[1];
    const float *restrict south = blocks->height[2];
    const uint8_t *restrict receiver = blocks->receiver[1];
    uint8_t *restrict node = blocks->node[1];
    uint8_t *restrict leave = blocks->exit[1];
    const float flat = 3.25F * blocks->least;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        int32_t r = receiver[i];
        int32_t random = (int32_t)bits[i];
        int32_t dx = drainage_step_x(r), dy = drainage_step_y(r);
        int32_t c = random & 3;
        float next = drainage_towards(r, DRAINAGE_AROUND(north, z, south, i));
        int32_t x = drainage_side(dx, c & 1), y = drainage_side(dy, c >> 1);
        int32_t e = x + 2 * y;
        int32_t side = random >> 9 & 1;
        int32_t moved = drainage_side(dx, side) + 2 * drainage_side(dy, side);
        int32_t is_flat = z[i] - next < flat;
        int32_t chosen = ((e != c) & (random >> 8)) != 0 ? moved : e;
        node[i] = (uint8_t)(is_flat != 0 ? e : c);
        leave[i] = (uint8_t)(is_flat != 0 ? e : chosen);
    }
}

static void drainage_entries(const struct drainage_blocks *blocks, uint32_t width)
{
    const float *restrict z = blocks->height[1];
    const uint8_t *restrict receiver = blocks->receiver[1];
    const uint8_t *restrict node_n = blocks->node[0], *restrict node = blocks->node[1];
    const uint8_t *restrict node_s = blocks->node[2];
    const uint8_t *restrict exit_n = blocks->exit[0], *restrict leave = blocks->exit[1];
    const uint8_t *restrict exit_s = blocks->exit[2];
    const float *restrict base_n = blocks->base[0], *restrict base_here = blocks->base[1];
    const float *restrict base_s = blocks->base[2];
    uint8_t *restrict code = blocks->code[1];
    float *restrict leave_height = blocks->leave[1];
    float *restrict enter_height = blocks->enter[1];
    const float least = blocks->least;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        int32_t r = receiver[i], closed = code[i];
        int32_t dx = drainage_step_x(r), dy = drainage_step_y(r);
        int32_t c = node[i], e = leave[i];
        int32_t c2 = drainage_child_towards(r, DRAINAGE_AROUND(node_n, node, node_s, i));
        int32_t e2 = drainage_child_towards(r, DRAINAGE_AROUND(exit_n, leave, exit_s, i));
        float base = drainage_towards(r, DRAINAGE_AROUND(base_n, base_here, base_s, i));
        /* The next block's node, moved to the near side; if that is another child, its exit, if
         * that lies there; else straight on. */
        int32_t x = drainage_side(-dx, c2 & 1), y = drainage_side(-dy, c2 >> 1);
        int32_t by_x = (((e2 >> 1) == y) & (e2 != c2)) ? e2 : e;
        int32_t by_y = (((e2 & 1) == x) & (e2 != c2)) ? e2 : e;
        int32_t via_x = dx == 0 ? by_x & 1 : x;
        int32_t via_y = dy == 0 ? by_y >> 1 : y;
        int32_t n = (x + 2 * y) != c2 ? via_x + 2 * via_y : c2;
        int32_t cross_x = 2 * dx + (n & 1) - (e & 1);
        int32_t cross_y = 2 * dy + (n >> 1) - (e >> 1);
        float first = (float)drainage_length(c, e);
        float last = (float)drainage_length(n, c2);
        float whole = first + last + ((cross_x & cross_y) != 0 ? 3.0F : 2.0F);
        float top = z[i], fall = top - base;
        float enter = base + fall * (last / whole);
        float ceiling = c == e ? top - 1.06F * least : top - 2.12F * least;
        enter = drainage_min(enter, ceiling);
        enter = n == c2 ? base : drainage_max(enter, base + least);
        float down = top - fall * (first / whole);
        down = drainage_min(down, top - 1.06F * least);
        down = drainage_max(down, enter + least);
        leave_height[i] = c == e ? top : down;
        enter_height[i] = enter;
        int32_t out = (r == DRAINAGE_OUTLET) | (closed == 255);
        code[i] = (uint8_t)(out != 0 ? 255 : 4 * r + n);
    }
}

/* What one block around sends to child k: water, from a height. */
static inline void drainage_arrive(int32_t code, int32_t wanted, float discharge, float enter,
                                   float *area, float *height)
{
    *area += code == wanted ? discharge : 0;
    *height = drainage_min(*height, code == wanted ? enter : 1e30F);
}

/* Sums over the eight blocks around, for one child of each block of a row. */
static void drainage_arrivals(const struct drainage_blocks *blocks, int32_t k, float *area,
                              float *height, uint32_t width)
{
    const uint8_t *restrict cn = blocks->code[0], *restrict c = blocks->code[1];
    const uint8_t *restrict cs = blocks->code[2];
    const float *restrict qn = blocks->discharge[0], *restrict q = blocks->discharge[1];
    const float *restrict qs = blocks->discharge[2];
    const float *restrict zn = blocks->enter[0], *restrict z = blocks->enter[1];
    const float *restrict zs = blocks->enter[2];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        float sum = 0, low = 1e30F;
        drainage_arrive(c[i - 1], k, q[i - 1], z[i - 1], &sum, &low);
        drainage_arrive(cn[i - 1], 4 + k, qn[i - 1], zn[i - 1], &sum, &low);
        drainage_arrive(cn[i], 8 + k, qn[i], zn[i], &sum, &low);
        drainage_arrive(cn[i + 1], 12 + k, qn[i + 1], zn[i + 1], &sum, &low);
        drainage_arrive(c[i + 1], 16 + k, q[i + 1], z[i + 1], &sum, &low);
        drainage_arrive(cs[i + 1], 20 + k, qs[i + 1], zs[i + 1], &sum, &low);
        drainage_arrive(cs[i], 24 + k, qs[i], zs[i], &sum, &low);
        drainage_arrive(cs[i - 1], 28 + k, qs[i - 1], zs[i - 1], &sum, &low);
        area[i] = sum;
        height[i] = low;
    }
}

/* Child k of each block of a row. `gathered` sums what flows to the node within the block. */
static void drainage_child(const struct drainage_blocks *blocks,
                           const struct drainage_children *children, int32_t k, uint32_t width)
{
    const float *restrict z = blocks->height[1], *restrict leave_height = blocks->leave[1];
    const float *restrict discharge = blocks->discharge[1];
    const uint8_t *restrict receiver = blocks->receiver[1], *restrict node = blocks->node[1];
    const uint8_t *restrict leave = blocks->exit[1], *restrict code = blocks->code[1];
    const uint8_t *restrict open = children->open;
    const float *restrict cost = children->cost[k >> 1] + (k & 1);
    const float *restrict area = children->area, *restrict low = children->low;
    float *restrict gathered = children->gathered;
    float *restrict height_to = children->heights[k];
    float *restrict area_to = children->areas[k];
    uint8_t *restrict receiver_to = children->receivers[k];
    const float own = children->own;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        int32_t r = receiver[i], c = node[i], e = leave[i], n = code[i] & 3;
        int32_t is_open = open[i] != 0;
        int32_t is_node = k == c, is_exit = (k == e) & (is_open ^ 1);
        int32_t across = drainage_direction(2 * drainage_step_x(r) + (n & 1) - (e & 1),
                                            2 * drainage_step_y(r) + (n >> 1) - (e >> 1));
        float here = z[i], down = leave_height[i], enters = area[i];
        /* An open block ends at its node, whose height is 0 or a closed lake's. */
        float top = (is_open & (r != DRAINAGE_OUTLET)) != 0 ? 0.0F : here;
        float fall = cost[2 * i];
        float above_node = top + fall * ((k ^ c) == 3 ? 1.41421356F : 1.0F);
        float above_exit = down + fall * ((k ^ e) == 3 ? 1.41421356F : 1.0F);
        int32_t to_exit =
            (above_exit < above_node) & (e != c) & (enters == 0) & (is_open ^ 1) & (is_node ^ 1);
        float leaf = drainage_min(low[i], to_exit != 0 ? above_exit : above_node);
        float height = is_node != 0 ? top : leaf;
        float q = enters + own;
        float share = is_node != 0 ? enters : q;
        int32_t goal = (to_exit | is_node) != 0 ? e : c;
        int32_t inward = drainage_direction_within(k, goal);
        inward = (is_node & is_open) != 0 ? DRAINAGE_OUTLET : inward;
        gathered[i] += (is_exit | to_exit) != 0 ? 0.0F : share;
        height_to[i] = is_exit != 0 ? down : height;
        area_to[i] = is_exit != 0 ? discharge[i] : q;
        receiver_to[i] = (uint8_t)(is_exit != 0 ? across : inward);
    }
}

/* Two rows of children from four of each child. What the leaves gave leaves by the node. */
static void drainage_weave(const struct drainage_blocks *blocks,
                           const struct drainage_children *children, uint32_t k, uint32_t width)
{
    const uint8_t *restrict node = blocks->node[1], *restrict leave = blocks->exit[1];
    const uint8_t *restrict open = children->open;
    const float *restrict gathered = children->gathered;
    const float *restrict even_z = children->heights[k], *restrict odd_z = children->heights[k + 1];
    const float *restrict even_q = children->areas[k], *restrict odd_q = children->areas[k + 1];
    const uint8_t *restrict even_r = children->receivers[k];
    const uint8_t *restrict odd_r = children->receivers[k + 1];
    float *restrict z = children->height[k >> 1], *restrict q = children->discharge[k >> 1];
    uint8_t *restrict r = children->receiver[k >> 1];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        z[2 * i] = even_z[i];
        z[2 * i + 1] = odd_z[i];
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        int32_t c = node[i];
        int32_t gathers = (leave[i] != c) | (open[i] != 0);
        float even = even_q[i], odd = odd_q[i], sum = gathered[i];
        q[2 * i] = (gathers & (c == (int32_t)k)) != 0 ? sum : even;
        q[2 * i + 1] = (gathers & (c == (int32_t)k + 1)) != 0 ? sum : odd;
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        r[2 * i] = even_r[i];
        r[2 * i + 1] = odd_r[i];
    }
}

static void drainage_children(const struct drainage_blocks *blocks,
                              const struct drainage_children *children, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        children->gathered[i] = children->own;
    }
    for (int32_t k = 0; k < 4; k++) {
        drainage_arrivals(blocks, k, children->area, children->low, width);
        drainage_child(blocks, children, k, width);
    }
    drainage_weave(blocks, children, 0, width);
    drainage_weave(blocks, children, 2, width);
}

const struct drainage_refine_kernels TERRAIN__KERNELS(drainage_refine) = {
    drainage_nodes, drainage_entries, drainage_children};
