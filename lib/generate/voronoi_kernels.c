/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The nearest sites of each cell, exactly, with few distances computed.
 *
 * Let a cell lie in lattice cell (0, 0), of side 1, u <= 1/2 from its nearer column of lattice
 * cells and v <= 1/2 from its nearer row. Three sites are never far: its own, at most 1 away on
 * both axes; that of the nearer column, at most 1 + u and 1 - v; that of the nearer row, at most 1
 * - u and 1 + v. So the three nearest are within
 *
 *   Euclidean   sqrt(1.5^2 + 1^2) < 2        Chebyshev   1.5
 *   Manhattan   2 (one), 2 (two: the smaller of 2 + u - v and 2 - u + v), 2.5 (three)
 *
 * and lattice cells that are 3 or more columns or rows away are more than 2 away: 2 on each side
 * are enough, 3 for three sites by Manhattan's metric.
 *
 * A patch keeps the sites in that window of lattice cells that may count in it, a group those of
 * its patch that may count in it (see voronoi_cull); all cells of a group go through the same few
 * sites, a vector of cells at a time. */

#include "generate/voronoi_kernels.h"

#include "base/math.h"
#include "terrain/generate.h"
#include "vector/random.h"
#include "vector/random_vec.h"
#include "vector/vec.h"

/* Cells of a patch: its middle and half its extent, in units. */
struct voronoi_area {
    float x, y, half_width, half_height;
};

/* ---- Sites ----------------------------------------------------------------------------------- */

static int64_t voronoi_wrap(int64_t node, uint32_t repeat)
{
    return repeat != 0 ? terrain__floor_mod(node, repeat) : node;
}

/* Where the window of lattice cells begins: the patch's first one less the reach. */
struct voronoi_corner {
    int64_t column, row;
};

static struct voronoi_corner voronoi_corner_of(const struct voronoi_plan *plan,
                                               const struct voronoi_patch *patch)
{
    struct voronoi_corner corner;
    corner.column = terrain__floor_div(patch->x, plan->spacing) - plan->reach;
    corner.row = terrain__floor_div(patch->y, plan->spacing) - plan->reach;
    return corner;
}

/* Lattice cells that `cells` cells from `first` on meet, and `reach` more on both sides. */
static uint32_t voronoi_span(const struct voronoi_plan *plan, int64_t first, uint32_t cells)
{
    uint32_t begin = (uint32_t)terrain__floor_mod(first, plan->spacing);
    return (begin + cells - 1) / plan->spacing + 1 + 2 * plan->reach;
}

/* A row of sites from one lattice cell on, without wrapping around: as many as there are to the end
 * of the row, or to the next high word of the column. Where a site is in its lattice cell, in
 * units: (side - play) / 2 + play * bits / 2^16, rounded down, of 16 bits each way. */
static void voronoi_gather_row(struct voronoi_sites *sites, const struct voronoi_plan *plan,
                               uint64_t row, int64_t node, int32_t x, int32_t y, uint32_t count)
{
    const vuint play = vu_set(plan->play), middle = vu_set((plan->side - plan->play) * 32768);
    const uint64_t column = terrain__random_column(row, node);
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vuint lane = vu_lane() + vu_set(i);
        vuint bits = vu_random_bits(column, vu_set((uint32_t)node) + lane);
        vuint right = (middle + (bits >> 16) * play) >> 16;
        vuint down = (middle + (bits & vu_set(0xFFFF)) * play) >> 16;
        vint left = vi_set(x) + vi_from_bits(lane * vu_set(plan->side));
        vf_store(sites->x + sites->count + i, vf_from_int(left + vi_from_bits(right)));
        vf_store(sites->y + sites->count + i, vf_from_int(vi_set(y) + vi_from_bits(down)));
    }
}

static void voronoi_gather(struct voronoi_sites *sites, const struct voronoi_plan *plan,
                           const struct voronoi_patch *patch, struct voronoi_corner corner)
{
    uint32_t columns = voronoi_span(plan, patch->x, patch->width);
    uint32_t rows = voronoi_span(plan, patch->y, patch->height);
    int32_t reach = (int32_t)plan->reach;
    sites->count = 0;
    for (uint32_t j = 0; j < rows; j++) {
        int32_t y = ((int32_t)j - reach) * (int32_t)plan->side;
        uint64_t row =
            terrain__random_row(plan->places, voronoi_wrap(corner.row + j, plan->repeat_y));
        for (uint32_t i = 0, count; i < columns; i += count) {
            int64_t node = voronoi_wrap(corner.column + i, plan->repeat_x);
            count = terrain__random_run(node, columns - i);
            if (plan->repeat_x != 0) {
                count = terrain__lesser(count, plan->repeat_x - (uint32_t)node);
            }
            voronoi_gather_row(sites, plan, row, node, ((int32_t)i - reach) * (int32_t)plan->side,
                               y, count);
            for (uint32_t k = 0; k < count; k++) {
                sites->id[sites->count + k] = (float)(i + k + j * VORONOI_WINDOW);
            }
            sites->count += count;
        }
    }
}

static void voronoi_name(struct voronoi_sites *sites, const struct voronoi_plan *plan,
                         struct voronoi_corner corner)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        uint32_t place = (uint32_t)sites->id[i];
        int64_t column = corner.column + place % VORONOI_WINDOW;
        int64_t row = corner.row + place / VORONOI_WINDOW;
        uint32_t bits = terrain__random_cell(plan->names, voronoi_wrap(column, plan->repeat_x),
                                             voronoi_wrap(row, plan->repeat_y));
        sites->id[i] = terrain__unit_float(bits);
    }
}

/* ---- Choosing among sites -------------------------------------------------------------------- */

/* The distance; Euclid's squared. */
static inline vfloat voronoi_distance(vfloat dx, vfloat dy, uint32_t metric)
{
    switch (metric) {
    case TERRAIN_METRIC_MANHATTAN:
        return vf_abs(dx) + vf_abs(dy);
    case TERRAIN_METRIC_CHEBYSHEV:
        return vf_max(vf_abs(dx), vf_abs(dy));
    default:
        return dx * dx + dy * dy;
    }
}

static void voronoi_measure(float *distances, const struct voronoi_sites *sites,
                            const struct voronoi_area *area, uint32_t metric)
{
    vfloat x = vf_set(area->x), y = vf_set(area->y);
    for (uint32_t i = 0; i < sites->count; i += VEC_LANES) {
        vfloat dx = vf_load(sites->x + i) - x, dy = vf_load(sites->y + i) - y;
        vf_store(distances + i, voronoi_distance(dx, dy, metric));
    }
}

/* Some of the sites that are nearest to an area's middle. */
struct voronoi_nearest {
    uint32_t site[3];
    float distance[3];
    float farthest; /* of them */
};

/* Distances are compared to 15 bits, and their lowest bits replaced by the site's number: whatever
 * sites are found, the choice by them is right, and near ones leave few. */
static void voronoi_find_nearest(struct voronoi_nearest *nearest, const float *distances,
                                 uint32_t count, uint32_t order)
{
    const vint none = vi_set(INT32_MAX);
    vint best[3] = {none, none, none};
    _Static_assert(VORONOI_ROOM <= 256, "sites are numbered by 8 bits");
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vuint site = vu_set(i) + vu_lane();
        const vuint bits = vf_bits(vf_load(distances + i)) & vu_set(~UINT32_C(255));
        const vmask inside = vi_less(vi_from_bits(site), vi_set((int32_t)count));
        vint key = vi_select(inside, vi_from_bits(bits | site), none);
        for (uint32_t k = 0; k < order; k++) {
            const vint lesser = vi_min(best[k], key);
            key = vi_max(best[k], key);
            best[k] = lesser;
        }
    }
    nearest->farthest = 0;
    for (uint32_t k = 0; k < order; k++) {
        const int32_t least = vi_least(best[0]);
        const vmask found = vi_equal(best[0], vi_set(least));
        best[0] = vi_select(found, best[1], best[0]);
        best[1] = vi_select(found, best[2], best[1]);
        nearest->site[k] = (uint32_t)least & 255;
        nearest->distance[k] = distances[nearest->site[k]];
        if (nearest->distance[k] > nearest->farthest) {
            nearest->farthest = nearest->distance[k];
        }
    }
}

/* By the triangle inequality a site is farther from every cell of the area than another one if it
 * is so from the middle by more than the area's diameter. These distances are exact. */
static void voronoi_exceed_radius(float *excess, const float *distances, uint32_t count,
                                  const struct voronoi_area *area, uint32_t metric, float nearest)
{
    float sum = area->half_width + area->half_height;
    float greater = area->half_width > area->half_height ? area->half_width : area->half_height;
    vfloat limit = vf_set(nearest + 2 * (metric == TERRAIN_METRIC_MANHATTAN ? sum : greater));
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vf_store(excess + i, vf_load(distances + i) - limit);
    }
}

/* A site s is farther from every cell of the area than t is, if it is so at the corner that is
 * farthest across the line of points between them:
 *
 *   |s|^2 - |t|^2 > 2 (half_width |s.x - t.x| + half_height |s.y - t.y|),
 *
 * measured from the middle. It never counts if that holds for `order` other sites; only the nearest
 * ones are tried. All squares here and in the cells have relative errors below 2^-22; together they
 * are less than the slack. */
static void voronoi_exceed_lines(float *excess, const float *distances,
                                 const struct voronoi_sites *sites, const struct voronoi_area *area,
                                 const struct voronoi_nearest *nearest, uint32_t order)
{
    const float slack = 0x1p-18f;
    float width = 2 * area->half_width, height = 2 * area->half_height;
    float least = slack * (width * width + height * height);
    for (uint32_t i = 0; i < sites->count; i += VEC_LANES) {
        vfloat x = vf_load(sites->x + i), y = vf_load(sites->y + i);
        vfloat own = vf_load(distances + i) * vf_set(1 - slack) - vf_set(least);
        vfloat smallest = own;
        for (uint32_t k = 0; k < order; k++) {
            vfloat dx = vf_abs(x - vf_set(sites->x[nearest->site[k]]));
            vfloat dy = vf_abs(y - vf_set(sites->y[nearest->site[k]]));
            vfloat reach = vf_set(width) * dx + vf_set(height) * dy;
            smallest = vf_min(smallest, (own - vf_set(nearest->distance[k])) - reach);
        }
        vf_store(excess + i, smallest);
    }
}

/* Keeps the sites that may be among the nearest of a cell in the area, and maybe others. */
static void voronoi_cull(struct voronoi_sites *to, const struct voronoi_sites *from,
                         const struct voronoi_plan *plan, const struct voronoi_area *area,
                         struct voronoi_workspace *work)
{
    struct voronoi_nearest nearest;
    uint32_t count = 0;
    voronoi_measure(work->distances, from, area, plan->metric);
    voronoi_find_nearest(&nearest, work->distances, from->count, plan->order);
    if (plan->metric == TERRAIN_METRIC_EUCLIDEAN || plan->metric == TERRAIN_METRIC_SQUARED) {
        voronoi_exceed_lines(work->excess, work->distances, from, area, &nearest, plan->order);
    } else {
        voronoi_exceed_radius(work->excess, work->distances, from->count, area, plan->metric,
                              nearest.farthest);
    }
    for (uint32_t i = 0; i < from->count; i += VEC_LANES) {
        const vint site = vi_set((int32_t)i) + vi_from_bits(vu_lane());
        const vmask inside = vi_less(site, vi_set((int32_t)from->count));
        const vmask near = vf_less_equal(vf_load(work->excess + i), vf_set(0));
        const vmask kept = vm_and(inside, near);
        vf_store_where(to->x + count, vf_load(from->x + i), kept);
        const uint32_t more = vf_store_where(to->y + count, vf_load(from->y + i), kept);
        if (plan->named) {
            vf_store_where(to->id + count, vf_load(from->id + i), kept);
        }
        count += more;
    }
    to->count = count;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* At most VORONOI_GROUP cells wide. */
struct voronoi_group {
    const struct voronoi_plan *plan;
    const struct voronoi_workspace *work;
    const struct voronoi_sites *sites; /* that may count in it */
    float *cells;
    size_t stride;
    float *ids;
    size_t id_stride;
    uint32_t width, height;
};

/* One axis of all distances: |d| or d^2, of VORONOI_GROUP places from `first` on. */
static void voronoi_axis(float *to, const float *sites, uint32_t count, float first, float step,
                         bool squared)
{
    float places[VORONOI_GROUP];
    for (uint32_t k = 0; k < VORONOI_GROUP; k++) {
        places[k] = first + (float)(int32_t)k * step;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < VORONOI_GROUP; k += VEC_LANES) {
            vfloat d = vf_load(places + k) - vf_set(sites[i]);
            vf_store(to + i * VORONOI_GROUP + k, squared ? d * d : vf_abs(d));
        }
    }
}

struct voronoi_found {
    vfloat distance[3];
    vfloat id;
};

/* The distances of one vector of cells. */
TERRAIN__INLINE struct voronoi_found voronoi_search(const struct voronoi_group *group,
                                                    uint32_t column, uint32_t row, uint32_t order,
                                                    bool greater, bool named)
{
    const float *along = group->work->along + column, *across = group->work->across + row;
    const struct voronoi_sites *sites = group->sites;
    struct voronoi_found found;
    vfloat far = vf_set(1e30f);
    vfloat first = far, second = far, third = far, id = vf_set(0);
    for (uint32_t i = 0; i < sites->count; i++) {
        vfloat a = vf_load(along + i * VORONOI_GROUP), b = vf_set(across[i * VORONOI_GROUP]);
        vfloat d = greater ? vf_max(a, b) : a + b;
        if (order >= 3) {
            third = vf_min(third, vf_max(second, d));
        }
        if (order >= 2) {
            second = vf_min(second, vf_max(first, d));
        }
        if (named) {
            id = vf_select(vf_less(d, first), vf_set(sites->id[i]), id);
        }
        first = vf_min(first, d);
    }
    found.distance[0] = first;
    found.distance[1] = second;
    found.distance[2] = third;
    found.id = id;
    return found;
}

TERRAIN__INLINE vfloat voronoi_height(const struct voronoi_plan *plan,
                                      const struct voronoi_found *found, uint32_t order, bool named)
{
    bool root = plan->metric == TERRAIN_METRIC_EUCLIDEAN;
    vfloat sum, height;
    vfloat first = root ? vf_sqrt(found->distance[0]) : found->distance[0];
    sum = vf_set(plan->weights[0]) * first;
    if (order >= 2) {
        vfloat second = root ? vf_sqrt(found->distance[1]) : found->distance[1];
        sum += vf_set(plan->weights[1]) * second;
    }
    if (order >= 3) {
        vfloat third = root ? vf_sqrt(found->distance[2]) : found->distance[2];
        sum += vf_set(plan->weights[2]) * third;
    }
    height = sum * (vf_set(plan->linear) + vf_set(plan->quadratic) * sum);
    if (named) {
        height *= vf_set(1) - vf_set(plan->variation) * found->id;
    }
    return vf_set(plan->offset) + height;
}

TERRAIN__INLINE void voronoi_fill(const struct voronoi_group *group, uint32_t order, bool greater,
                                  bool named)
{
    const struct voronoi_plan plan = *group->plan;
    for (uint32_t x = 0; x < group->width; x += VEC_LANES) {
        float *to = group->cells + x;
        for (uint32_t y = 0; y < group->height; y++) {
            struct voronoi_found found = voronoi_search(group, x, y, order, greater, named);
            vf_store_up_to(to, voronoi_height(&plan, &found, order, named), group->width - x);
            if (named && group->ids != NULL) {
                vf_store_up_to(group->ids + y * group->id_stride + x, found.id, group->width - x);
            }
            to += group->stride;
        }
    }
}

#define VORONOI_FILL(name, order, greater, named)                                                  \
    static void name(const struct voronoi_group *group)                                            \
    {                                                                                              \
        voronoi_fill(group, order, greater, named);                                                \
    }

VORONOI_FILL(voronoi_sum_1, 1, false, false)
VORONOI_FILL(voronoi_sum_2, 2, false, false)
VORONOI_FILL(voronoi_sum_3, 3, false, false)
VORONOI_FILL(voronoi_sum_1_named, 1, false, true)
VORONOI_FILL(voronoi_sum_2_named, 2, false, true)
VORONOI_FILL(voronoi_sum_3_named, 3, false, true)
VORONOI_FILL(voronoi_greater_1, 1, true, false)
VORONOI_FILL(voronoi_greater_2, 2, true, false)
VORONOI_FILL(voronoi_greater_3, 3, true, false)
VORONOI_FILL(voronoi_greater_1_named, 1, true, true)
VORONOI_FILL(voronoi_greater_2_named, 2, true, true)
VORONOI_FILL(voronoi_greater_3_named, 3, true, true)

/* By whether the greater axis counts alone, the order, and whether ids count. */
static void (*const voronoi_fills[2][3][2])(const struct voronoi_group *group) = {
    {{voronoi_sum_1, voronoi_sum_1_named},
     {voronoi_sum_2, voronoi_sum_2_named},
     {voronoi_sum_3, voronoi_sum_3_named}},
    {{voronoi_greater_1, voronoi_greater_1_named},
     {voronoi_greater_2, voronoi_greater_2_named},
     {voronoi_greater_3, voronoi_greater_3_named}},
};

/* ---- Patches --------------------------------------------------------------------------------- */

/* So many sites of a patch go through all of its groups: choosing among them takes longer. */
enum { VORONOI_FEW = 6 };

/* Where the patch's first cell lies, in units from its first lattice cell on. */
struct voronoi_origin {
    uint32_t x, y;
};

static struct voronoi_area voronoi_area_of(const struct voronoi_plan *plan,
                                           struct voronoi_origin origin, uint32_t x, uint32_t y,
                                           uint32_t width, uint32_t height)
{
    float unit = (float)(UINT32_C(1) << plan->shift);
    struct voronoi_area area;
    area.half_width = (float)(width - 1) * unit * 0.5f;
    area.half_height = (float)(height - 1) * unit * 0.5f;
    area.x = (float)(origin.x + (x << plan->shift)) + area.half_width;
    area.y = (float)(origin.y + (y << plan->shift)) + area.half_height;
    return area;
}

static void voronoi_do_group(const struct voronoi_plan *plan, const struct voronoi_patch *patch,
                             struct voronoi_origin origin, uint32_t x, uint32_t y)
{
    struct voronoi_workspace *work = patch->work;
    struct voronoi_group group = {.plan = plan, .work = work, .stride = patch->stride};
    bool greater = plan->metric == TERRAIN_METRIC_CHEBYSHEV;
    bool squared =
        plan->metric == TERRAIN_METRIC_EUCLIDEAN || plan->metric == TERRAIN_METRIC_SQUARED;
    float step = (float)(UINT32_C(1) << plan->shift);
    group.width = patch->width - x < VORONOI_GROUP ? patch->width - x : VORONOI_GROUP;
    group.height = patch->height - y < plan->group_rows ? patch->height - y : plan->group_rows;
    group.cells = patch->cells + y * patch->stride + x;
    group.ids = patch->ids == NULL ? NULL : patch->ids + y * patch->id_stride + x;
    group.id_stride = patch->id_stride;
    struct voronoi_area area = voronoi_area_of(plan, origin, x, y, group.width, group.height);
    group.sites = &work->patch;
    if (work->patch.count > VORONOI_FEW) {
        voronoi_cull(&work->group, &work->patch, plan, &area, work);
        group.sites = &work->group;
    }
    voronoi_axis(work->along, group.sites->x, group.sites->count,
                 (float)(origin.x + (x << plan->shift)), step, squared);
    voronoi_axis(work->across, group.sites->y, group.sites->count,
                 (float)(origin.y + (y << plan->shift)), step, squared);
    voronoi_fills[greater][plan->order - 1][plan->named](&group);
}

static void voronoi_patch(const struct voronoi_plan *plan, const struct voronoi_patch *patch)
{
    struct voronoi_corner corner = voronoi_corner_of(plan, patch);
    struct voronoi_origin origin;
    origin.x = (uint32_t)terrain__floor_mod(patch->x, plan->spacing) << plan->shift;
    origin.y = (uint32_t)terrain__floor_mod(patch->y, plan->spacing) << plan->shift;
    struct voronoi_area area = voronoi_area_of(plan, origin, 0, 0, patch->width, patch->height);
    voronoi_gather(&patch->work->window, plan, patch, corner);
    voronoi_cull(&patch->work->patch, &patch->work->window, plan, &area, patch->work);
    if (plan->named) {
        voronoi_name(&patch->work->patch, plan, corner);
    }
    for (uint32_t y = 0; y < patch->height; y += plan->group_rows) {
        for (uint32_t x = 0; x < patch->width; x += VORONOI_GROUP) {
            voronoi_do_group(plan, patch, origin, x, y);
        }
    }
}

const struct voronoi_kernels TERRAIN__KERNELS(voronoi) = {voronoi_patch};
