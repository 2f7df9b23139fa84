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

/* How far direction r goes along an axis; 0 of an outlet. `turned` is r, turned so that modulo 8
 * 0 to 2 go forward, 4 to 6 back, and 3 and 7 neither way. */
static inline vint drainage_step_along(vint r, vint turned)
{
    const vint way = vi_set(1) - ((turned >> 1) & vi_set(2));
    const vmask neither = vi_equal(turned & vi_set(3), vi_set(3));
    return vi_select(vm_or(neither, vi_equal(r, vi_set(DRAINAGE_OUTLET))), vi_set(0), way);
}

static inline vint drainage_step_x(vint r)
{
    return drainage_step_along(r, r + vi_set(1));
}

static inline vint drainage_step_y(vint r)
{
    return drainage_step_along(r, r - vi_set(1));
}

static inline vint drainage_direction(vint dx, vint dy)
{
    const vint level = vi_select(vi_less(vi_set(0), dx), vi_set(0), vi_set(4));
    const vint up = vi_select(vi_less(dy, vi_set(0)), vi_set(6) + dx, level);
    return vi_select(vi_less(vi_set(0), dy), vi_set(2) - dx, up);
}

/* Between two children of a block. */
static inline vfloat drainage_length(vint a, vint b)
{
    const vfloat apart = vf_select(vi_equal(a ^ b, vi_set(3)), vf_set(3), vf_set(2));
    return vf_where_not(vi_equal(a, b), apart);
}

static inline vint drainage_direction_within(vint from, vint to)
{
    return drainage_direction((to & vi_set(1)) - (from & vi_set(1)), (to >> 1) - (from >> 1));
}

/* The coordinate of the child on the side that step leaves by; `free` if it leaves by neither. */
static inline vint drainage_side(vint step, vint free)
{
    return vi_select(vi_equal(step, vi_set(0)), free, (step + vi_set(1)) >> 1);
}

/* How far it is along one axis from the exit to the entry, in children; step: to the next block. */
static inline vint drainage_crossing(vint step, vint exit, vint entry)
{
    return step + step + entry - exit;
}

static void drainage_random(uint32_t *bits, uint64_t row, int64_t x, uint32_t count)
{
    drainage_hash_row(bits, row, x, count, false);
}

static void drainage_nodes(const struct drainage_blocks *blocks, const uint32_t *bits,
                           uint32_t width)
{
    const vfloat flat = vf_set(3.25F * blocks->least);
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *north = blocks->height[0] + i, *z = blocks->height[1] + i;
        const float *south = blocks->height[2] + i;
        const vint r = vi_load_bytes(blocks->receiver[1] + i);
        const vint random = vi_from_bits(vu_load(bits + i));
        const vint dx = drainage_step_x(r), dy = drainage_step_y(r);
        const vint c = random & vi_set(3), side = (random >> 9) & vi_set(1);
        const vfloat next = drainage_towards(r, DRAINAGE_AROUND(vf_load, north, z, south, 0));
        const vint x = drainage_side(dx, c & vi_set(1)), y = drainage_side(dy, c >> 1);
        const vint e = x + y + y;
        const vint side_y = drainage_side(dy, side);
        const vint moved = drainage_side(dx, side) + side_y + side_y;
        const vmask is_flat = vf_less(vf_load(z) - next, flat);
        const vmask stays =
            vm_or(is_flat, vm_or(vi_equal(e, c), vi_equal(random & vi_set(256), vi_set(0))));
        vi_store_bytes_up_to(blocks->node[1] + i, vi_select(is_flat, e, c), width - 1 - i);
        vi_store_bytes_up_to(blocks->exit[1] + i, vi_select(stays, e, moved), width - 1 - i);
    }
}

/* Where rivers from blocks with exit e enter the next ones, whose node is c2 and whose exit e2: at
 * the node, moved to the near side; if that is another child, at the exit, if that lies there; else
 * straight on. */
static inline vint drainage_entry(vint dx, vint dy, vint e, vint c2, vint e2)
{
    const vint zero = vi_set(0), one = vi_set(1);
    const vint x = drainage_side(-dx, c2 & one), y = drainage_side(-dy, c2 >> 1);
    const vmask parts = vm_not(vi_equal(e2, c2));
    const vint by_x = vi_select(vm_and(vi_equal(e2 >> 1, y), parts), e2, e);
    const vint by_y = vi_select(vm_and(vi_equal(e2 & one, x), parts), e2, e);
    const vint via_x = vi_select(vi_equal(dx, zero), by_x & one, x);
    const vint via_y = vi_select(vi_equal(dy, zero), by_y >> 1, y);
    return vi_select(vi_equal(x + y + y, c2), c2, via_x + via_y + via_y);
}

static void drainage_entries(const struct drainage_blocks *given, uint32_t width)
{
    const struct drainage_blocks blocks = *given;
    const vint one = vi_set(1);
    const vfloat least = vf_set(blocks.least);
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const uint32_t left = width - 1 - i;
        const vint r = vi_load_bytes(blocks.receiver[1] + i);
        const vint before = vi_load_bytes(blocks.code[1] + i);
        const vint dx = drainage_step_x(r), dy = drainage_step_y(r);
        const vint c = vi_load_bytes(blocks.node[1] + i), e = vi_load_bytes(blocks.exit[1] + i);
        const vfloat next_node =
            drainage_towards(r, DRAINAGE_AROUND(drainage_load_bits, blocks.node[0], blocks.node[1],
                                                blocks.node[2], i));
        const vfloat next_exit =
            drainage_towards(r, DRAINAGE_AROUND(drainage_load_bits, blocks.exit[0], blocks.exit[1],
                                                blocks.exit[2], i));
        const vint c2 = vi_from_bits(vf_bits(next_node)), e2 = vi_from_bits(vf_bits(next_exit));
        const vfloat base = drainage_towards(
            r, DRAINAGE_AROUND(vf_load, blocks.base[0], blocks.base[1], blocks.base[2], i));
        const vint n = drainage_entry(dx, dy, e, c2, e2);
        const vint cross_x = drainage_crossing(dx, e & one, n & one);
        const vint cross_y = drainage_crossing(dy, e >> 1, n >> 1);
        const vmask straight = vi_equal(cross_x & cross_y, vi_set(0));
        const vfloat first = drainage_length(c, e), last = drainage_length(n, c2);
        const vfloat whole = first + last + vf_select(straight, vf_set(2), vf_set(3));
        const vfloat top = vf_load(blocks.height[1] + i), fall = top - base;
        const vmask at_exit = vi_equal(c, e);
        const vfloat margin = vf_set(1.06F) * least;
        const vfloat ceiling = vf_select(at_exit, top - margin, top - vf_set(2.12F) * least);
        vfloat enter = vf_min(base + fall * (last / whole), ceiling);
        enter = vf_select(vi_equal(n, c2), base, vf_max(enter, base + least));
        vfloat leave = vf_min(top - fall * (first / whole), top - margin);
        leave = vf_max(leave, enter + least);
        vf_store_up_to(blocks.leave[1] + i, vf_select(at_exit, top, leave), left);
        vf_store_up_to(blocks.enter[1] + i, enter, left);
        const vmask out =
            vm_or(vi_equal(r, vi_set(DRAINAGE_OUTLET)), vi_equal(before, vi_set(255)));
        vi_store_bytes_up_to(blocks.code[1] + i, vi_select(out, vi_set(255), (r << 2) + n), left);
    }
}

/* ---- Children -------------------------------------------------------------------------------- */

/* A vector of blocks, and what becomes of their children. */
struct drainage_lanes {
    vint node, exit;
    vint across;       /* where the exit flows */
    vmask river;       /* leaves: the block is not open */
    vfloat top, leave; /* heights of the node and of the exit */
    vfloat gathered;   /* what flows to the node within the block */
    vfloat height[4], discharge[4];
    vint receivers[4];
};

static inline void drainage_load_blocks(struct drainage_lanes *to,
                                        const struct drainage_blocks *blocks,
                                        const struct drainage_children *children, uint32_t i)
{
    const vint r = vi_load_bytes(blocks->receiver[1] + i), one = vi_set(1);
    const vint e = vi_load_bytes(blocks->exit[1] + i);
    const vint n = vi_load_bytes(blocks->code[1] + i) & vi_set(3);
    const vint dx = drainage_step_x(r), dy = drainage_step_y(r);
    const vint cross_x = drainage_crossing(dx, e & one, n & one);
    const vint cross_y = drainage_crossing(dy, e >> 1, n >> 1);
    to->node = vi_load_bytes(blocks->node[1] + i);
    to->exit = e;
    to->across = drainage_direction(cross_x, cross_y);
    to->river = vi_equal(vi_load_bytes(children->open + i), vi_set(0));
    to->leave = vf_load(blocks->leave[1] + i);
    /* An open block ends at its node, whose height is 0 or a closed lake's. */
    to->top = vf_where(vm_or(to->river, vi_equal(r, vi_set(DRAINAGE_OUTLET))),
                       vf_load(blocks->height[1] + i));
    to->gathered = vf_set(children->own);
}

/* What one block around sends to child k: water, from a height. */
static inline void drainage_arrive(const struct drainage_blocks *blocks, int row, uint32_t at,
                                   int32_t wanted, vfloat *area, vfloat *height)
{
    const vmask enters = vi_equal(vi_load_bytes(blocks->code[row] + at), vi_set(wanted));
    const vfloat from = vf_select(enters, vf_load(blocks->enter[row] + at), vf_set(1e30F));
    *area += vf_where(enters, vf_load(blocks->discharge[row] + at));
    *height = vf_min(*height, from);
}

/* Child k of the blocks from column i on. */
static inline void drainage_child(struct drainage_lanes *lanes,
                                  const struct drainage_blocks *around,
                                  const struct drainage_children *children, uint32_t i, int32_t k)
{
    const vint child = vi_set(k), c = lanes->node, e = lanes->exit;
    vfloat enters = vf_set(0), low = vf_set(1e30F);
    drainage_arrive(around, 1, i - 1, k, &enters, &low);
    drainage_arrive(around, 0, i - 1, 4 + k, &enters, &low);
    drainage_arrive(around, 0, i, 8 + k, &enters, &low);
    drainage_arrive(around, 0, i + 1, 12 + k, &enters, &low);
    drainage_arrive(around, 1, i + 1, 16 + k, &enters, &low);
    drainage_arrive(around, 2, i + 1, 20 + k, &enters, &low);
    drainage_arrive(around, 2, i, 24 + k, &enters, &low);
    drainage_arrive(around, 2, i - 1, 28 + k, &enters, &low);
    const vmask is_node = vi_equal(child, c);
    const vmask is_exit = vm_and(vi_equal(child, e), lanes->river);
    vfloat costs[2];
    vf_part(vf_load(children->cost[k >> 1] + 2 * i),
            vf_load(children->cost[k >> 1] + 2 * i + VEC_LANES), &costs[0], &costs[1]);
    const vfloat fall = costs[k & 1], corner = fall * vf_set(1.41421356F);
    const vfloat above_node = lanes->top + vf_select(vi_equal(child ^ c, vi_set(3)), corner, fall);
    const vfloat above_exit =
        lanes->leave + vf_select(vi_equal(child ^ e, vi_set(3)), corner, fall);
    const vmask parts = vm_and(lanes->river, vm_not(vm_or(vi_equal(e, c), is_node)));
    const vmask dry = vf_less_equal(enters, vf_set(0));
    const vmask to_exit = vm_and(vm_and(parts, dry), vf_less(above_exit, above_node));
    const vfloat leaf = vf_min(low, vf_select(to_exit, above_exit, above_node));
    const vfloat height = vf_select(is_node, lanes->top, leaf);
    const vfloat q = enters + vf_set(children->own), share = vf_select(is_node, enters, q);
    const vint goal = vi_select(vm_or(to_exit, is_node), e, c);
    const vmask ends = vm_and(is_node, vm_not(lanes->river));
    const vint inward =
        vi_select(ends, vi_set(DRAINAGE_OUTLET), drainage_direction_within(child, goal));
    lanes->gathered += vf_where_not(vm_or(is_exit, to_exit), share);
    lanes->height[k] = vf_select(is_exit, lanes->leave, height);
    lanes->discharge[k] = vf_select(is_exit, vf_load(around->discharge[1] + i), q);
    lanes->receivers[k] = vi_select(is_exit, lanes->across, inward);
}

/* A row of cells: two children of each block. What the others gave flows on from the node. */
static inline void drainage_store_row(float *height, float *discharge, uint8_t *receiver,
                                      const struct drainage_lanes *lanes, int32_t row)
{
    const vmask gathers = vm_not(vm_and(vi_equal(lanes->exit, lanes->node), lanes->river));
    vfloat q[2], r[2];
    float receivers[2 * VEC_LANES];
    for (int32_t j = 0; j < 2; j++) {
        const int32_t k = 2 * row + j;
        const vmask node = vm_and(gathers, vi_equal(lanes->node, vi_set(k)));
        q[j] = vf_select(node, lanes->gathered, lanes->discharge[k]);
        r[j] = vf_from_bits(vu_from_bits(lanes->receivers[k]));
    }
    vf_store_pairs(height, lanes->height[2 * row], lanes->height[2 * row + 1]);
    vf_store_pairs(discharge, q[0], q[1]);
    vf_store_pairs(receivers, r[0], r[1]);
    vi_store_bytes(receiver, vi_from_bits(vu_load(receivers)));
    vi_store_bytes(receiver + VEC_LANES, vi_from_bits(vu_load(receivers + VEC_LANES)));
}

/* Both rows, of the blocks from column i on: of a vector of them, or of the first `left`. */
static inline void drainage_store_children(const struct drainage_children *to,
                                           const struct drainage_lanes *lanes, uint32_t i,
                                           uint32_t left)
{
    for (int32_t row = 0; row < 2; row++) {
        float *z = to->height[row] + 2 * i, *q = to->discharge[row] + 2 * i;
        uint8_t *r = to->receiver[row] + 2 * i;
        if (left < VEC_LANES) {
            float height[2 * VEC_LANES], discharge[2 * VEC_LANES];
            uint8_t receiver[2 * VEC_LANES];
            drainage_store_row(height, discharge, receiver, lanes, row);
            memcpy(z, height, 2 * left * sizeof *z);
            memcpy(q, discharge, 2 * left * sizeof *q);
            memcpy(r, receiver, 2 * left);
        } else {
            drainage_store_row(z, q, r, lanes, row);
        }
    }
}

static void drainage_children(const struct drainage_blocks *given_blocks,
                              const struct drainage_children *given_children, uint32_t width)
{
    const struct drainage_blocks blocks = *given_blocks;
    const struct drainage_children children = *given_children;
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        struct drainage_lanes lanes;
        drainage_load_blocks(&lanes, &blocks, &children, i);
        for (int32_t k = 0; k < 4; k++) {
            drainage_child(&lanes, &blocks, &children, i, k);
        }
        drainage_store_children(&children, &lanes, i, width - 1 - i);
    }
}

static uint32_t drainage_corners(float *columns, const struct drainage_corner_row *given,
                                 uint32_t first, uint32_t end)
{
    const struct drainage_corner_row row = *given;
    const vfloat large = vf_set(row.large);
    const vint zero = vi_set(0), share = vi_set(row.share), seldom = vi_set(row.seldom);
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i += VEC_LANES) {
        const vint column = vi_from_bits(vu_set(i) + vu_lane());
        const vuint bits = vu_load(row.bits + i);
        const vmask is_large = vf_less(large, vf_load(row.discharge + i));
        const vint odd = vi_load_bytes(row.receiver + i) & vi_set(1);
        const vmask goes = vi_less(vi_from_bits(bits >> 8), vi_select(is_large, seldom, share));
        const vmask closed = vi_equal(vi_load_bytes(row.open + i), zero);
        const vmask corner =
            vm_and(vi_equal(odd, vi_set(1)), vi_less(column, vi_set((int32_t)end)));
        count += vf_store_where(columns + count, vf_flip_sign(vf_from_int(column), bits << 31),
                                vm_and(vm_and(corner, closed), goes));
    }
    return count;
}

const struct drainage_refine_kernels TERRAIN__KERNELS(drainage_refine) = {
    drainage_random, drainage_nodes, drainage_entries, drainage_children, drainage_corners};
