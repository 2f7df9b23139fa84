/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How a terrain drains. The map is filled from its rim inwards, always from the lowest cell that is
 * reached (R. Barnes, C. Lehman, D. Mulla: Priority-flood, Computers & Geosciences 62, 2014), each
 * cell a little above the one it is reached from, so that water runs off everywhere:
 *
 *     filled = max(height, a little above the lowest neighbour's filled)
 *
 * Most cells need no order: whatever is high enough above any cell that is filled keeps its height
 * (G. Zhou, Z. Sun, S. Fu: An efficient variant of the Priority-Flood algorithm, Computers &
 * Geosciences 90, 2016). So from each cell that is filled the water climbs at once as far as it
 * can; only cells that it leaves with a neighbour further down wait for their turn in a heap. What
 * is raised follows in the order in which it is raised: a queue is in order by itself. */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "measure/landform_drainage_kernels.h"
#include "measure/landform_parts.h"

/* Marks of a cell. Above them stands how many of its donors have not arrived, or ARRIVED. */
enum {
    DRAINING_WAITS = 1, /* for water; later those that are wet, to be found in a bowl */
    DRAINING_EDGE = 2,  /* the first or last cell of a row or column */
    DRAINING_RAISED = 4,
    DRAINING_BOWL = 8,
    DRAINING_DONOR = 16,
    DRAINING_ARRIVED = 0xF0 /* the cell has given to its receiver */
};

/* Cells between two polls of work that goes from cell to cell. */
enum { DRAINING_POLL = 1 << 16 };

/* Cells of a bucket, in a cache line. */
enum { DRAINING_CHUNK = 15, DRAINING_MOST_BUCKETS = 1 << 16 };

struct draining_chunk {
    uint32_t cells[DRAINING_CHUNK];
    uint32_t next;
};

/* The last chunk, which is full if the count is a multiple of DRAINING_CHUNK. */
struct draining_bucket {
    uint32_t count, last;
};

struct draining {
    terrain__draining map;
    const struct landform_drainage_kernels *kernels;
    uint8_t *marks;
    double relief;
    /* The flood, in the memory of map.drained. Each cell is in one place at most at any time, so
     * two of these can share an array, one from its end. */
    double *heap_levels; /* the lowest on top */
    uint32_t *heap_cells;
    size_t heap_count;
    uint32_t *queue_first, *queue_end; /* downwards: from queue_first[-1] to *queue_end */
    /* What would come into the heap later: buckets of levels, equally wide. The heap has those
     * that are not above `bucket`. */
    struct draining_bucket *buckets;
    struct draining_chunk *chunks;
    uint32_t bucket_count, bucket;
    uint32_t chunk_count;   /* in use: a cell is held in one at most once */
    double lowest, highest; /* of all heights */
    uint32_t *stack;
    size_t stacked;
    uint32_t *left, *left_end; /* downwards, from left[-1] to *left_end: what the climb left */
    size_t reached, steps;     /* cells that have been reached, and visits of cells */
};

const double terrain__draining_lengths[8] = {1.4142135623730951, 1, 1.4142135623730951, 1, 1,
                                             1.4142135623730951, 1, 1.4142135623730951};

static bool draining_has_height(double height)
{
    return height < (double)INFINITY; /* where there is none it is that, or still NaN */
}

/* ---- Neighbours ------------------------------------------------------------------------------ */

/* Bits of the ways that lead to cells of the map. */
static uint32_t draining_inside(const terrain__ground *ground, uint32_t cell)
{
    const uint32_t x = cell % ground->width, y = cell / ground->width;
    return 0xFFu & ~(x == 0 ? 0x29u : 0) & ~(x + 1 == ground->width ? 0x94u : 0) &
           ~(y == 0 ? 0x07u : 0) & ~(y + 1 == ground->height ? 0xE0u : 0);
}

/* Bits of the ways that lead to cells that wait. */
static inline uint32_t draining_waiting(const struct draining *d, uint32_t cell)
{
    const uint8_t *here = d->marks + cell;
    uint32_t waiting = 0;
    if ((*here & DRAINING_EDGE) != 0) {
        for (uint32_t bits = draining_inside(d->map.ground, cell); bits != 0; bits &= bits - 1) {
            const uint32_t way = terrain__lowest_bit(bits);
            waiting |= (here[d->map.steps[way]] & UINT32_C(1)) << way;
        }
        return waiting;
    }
    const uint8_t *north = here - d->map.ground->width, *south = here + d->map.ground->width;
    waiting = (north[-1] & 1u) | (north[0] & 1u) << 1 | (north[1] & 1u) << 2 | (here[-1] & 1u) << 3;
    return waiting | (here[1] & 1u) << 4 | (south[-1] & 1u) << 5 | (south[0] & 1u) << 6 |
           (south[1] & 1u) << 7;
}

/* ---- Filling --------------------------------------------------------------------------------- */

/* What a cell's neighbours are raised to. It grows with the level, but just below 0, down to
 * -0.00002, it may fall by some 1e-21 from one level to the next one: its last sum is rounded to
 * that. */
static double draining_least(double level)
{
    const double size = level < 0 ? -level : level;
    return level + 1e-5 * (1 + size * 1e-3);
}

/* Heights that are above the least by as much are so from any level further down, too. */
#define DRAINING_CERTAIN 1e-19

static void draining_push_heap(struct draining *d, uint32_t cell, double level)
{
    size_t at = d->heap_count++;
    while (at > 0 && level < d->heap_levels[(at - 1) / 2]) {
        d->heap_levels[at] = d->heap_levels[(at - 1) / 2];
        d->heap_cells[at] = d->heap_cells[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    d->heap_levels[at] = level;
    d->heap_cells[at] = cell;
}

static void draining_push(struct draining *d, uint32_t cell, double level)
{
    const double most = d->bucket_count - 1;
    const double place = (level - d->lowest) / (d->highest - d->lowest) * most;
    const uint32_t number = (uint32_t)(place < most ? place : most); /* NaN: the last */
    struct draining_bucket *bucket = &d->buckets[number];
    if (number <= d->bucket) {
        draining_push_heap(d, cell, level);
        return;
    }
    if (bucket->count % DRAINING_CHUNK == 0) {
        d->chunks[d->chunk_count].next = bucket->last;
        bucket->last = d->chunk_count++;
    }
    d->chunks[bucket->last].cells[bucket->count++ % DRAINING_CHUNK] = cell;
}

/* Makes sure that the heap has the lowest cell, if there is one. */
static void draining_fill_heap(struct draining *d)
{
    while (d->heap_count == 0 && d->bucket + 1 < d->bucket_count) {
        const struct draining_bucket *bucket = &d->buckets[++d->bucket];
        const struct draining_chunk *chunk = &d->chunks[bucket->last];
        for (uint32_t i = bucket->count; i-- > 0;) {
            const uint32_t cell = chunk->cells[i % DRAINING_CHUNK];
            draining_push_heap(d, cell, d->map.filled[cell]);
            chunk = i % DRAINING_CHUNK == 0 ? &d->chunks[chunk->next] : chunk;
        }
    }
}

static uint32_t draining_pop_heap(struct draining *d)
{
    const uint32_t first = d->heap_cells[0];
    const double last = d->heap_levels[--d->heap_count];
    size_t at = 0;
    for (size_t next = 1; next < d->heap_count; next = 2 * at + 1) {
        next += next + 1 < d->heap_count && d->heap_levels[next + 1] < d->heap_levels[next];
        if (!(d->heap_levels[next] < last)) {
            break;
        }
        d->heap_levels[at] = d->heap_levels[next];
        d->heap_cells[at] = d->heap_cells[next];
        at = next;
    }
    d->heap_levels[at] = last;
    d->heap_cells[at] = d->heap_cells[d->heap_count];
    return first;
}

/* The lowest cell of the queue and the heap, one of which has any. */
static uint32_t draining_take_lowest(struct draining *d)
{
    if (d->queue_first != d->queue_end &&
        (d->heap_count == 0 || d->map.filled[d->queue_first[-1]] <= d->heap_levels[0])) {
        d->reached++;
        return *--d->queue_first;
    }
    return draining_pop_heap(d);
}

/* Polls now and then. */
static terrain_status draining_count_step(struct draining *d)
{
    return ++d->steps % DRAINING_POLL != 0
               ? TERRAIN_SUCCESS
               : terrain__ground_poll(d->map.ground,
                                      0.6 * (double)d->reached / (double)d->map.count);
}

/* From all cells of the stack as far up as water gets without an order. */
static terrain_status draining_climb(struct draining *d)
{
    double *filled = d->map.filled;
    while (d->stacked > 0) {
        const uint32_t cell = d->stack[--d->stacked];
        const double high = draining_least(filled[cell]) + DRAINING_CERTAIN;
        bool leaves = false;
        for (uint32_t bits = draining_waiting(d, cell); bits != 0; bits &= bits - 1) {
            const size_t other = cell + (size_t)d->map.steps[terrain__lowest_bit(bits)];
            if (filled[other] >= high) {
                d->marks[other] &= (uint8_t)~DRAINING_WAITS;
                d->stack[d->stacked++] = (uint32_t)other;
            } else {
                leaves = true;
            }
        }
        if (leaves) {
            *--d->left_end = cell;
        }
        d->reached++;
        terrain_status status = draining_count_step(d);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    while (d->left_end != d->left) {
        const uint32_t cell = *d->left_end++;
        if (draining_waiting(d, cell) != 0) { /* which nobody else has reached meanwhile */
            draining_push(d, cell, filled[cell]);
        }
    }
    return TERRAIN_SUCCESS;
}

/* From the lowest cell that is reached to all neighbours that wait. */
static void draining_spread(struct draining *d, uint32_t cell)
{
    double *filled = d->map.filled;
    const double least = draining_least(filled[cell]);
    for (uint32_t bits = draining_waiting(d, cell); bits != 0; bits &= bits - 1) {
        const size_t other = cell + (size_t)d->map.steps[terrain__lowest_bit(bits)];
        d->marks[other] &= (uint8_t)~DRAINING_WAITS;
        if (filled[other] >= least + DRAINING_CERTAIN) {
            d->stack[d->stacked++] = (uint32_t)other;
            continue;
        }
        if (!(filled[other] > least)) {
            filled[other] = least;
            d->marks[other] |= DRAINING_RAISED;
        }
        if (d->queue_first == d->queue_end || filled[other] >= filled[*d->queue_end]) {
            *--d->queue_end = (uint32_t)other;
        } else {
            draining_push(d, (uint32_t)other, filled[other]);
        }
    }
}

/* Lets water leave the map at the cell, which keeps its height, if it has any. */
static void draining_leave(struct draining *d, size_t cell)
{
    if ((d->marks[cell] & DRAINING_WAITS) != 0 && draining_has_height(d->map.filled[cell])) {
        d->marks[cell] &= (uint8_t)~DRAINING_WAITS;
        d->stack[d->stacked++] = (uint32_t)cell;
    }
}

/* Water leaves the map at its edges, and beside cells without a height. All other cells wait. */
static terrain_status draining_begin(struct draining *d)
{
    const uint32_t width = d->map.ground->width, height = d->map.ground->height;
    memset(d->marks, DRAINING_WAITS, d->map.cells);
    for (uint32_t y = 0; y < height; y++) {
        terrain_status status = terrain__ground_poll_row(d->map.ground, y, height, 0, 0);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t x = 0; x < width; x++) {
            const size_t cell = (size_t)y * width + x;
            double *here = &d->map.filled[cell];
            if (x == 0 || y == 0 || x + 1 == width || y + 1 == height) {
                d->marks[cell] |= DRAINING_EDGE;
                draining_leave(d, cell);
            }
            if (draining_has_height(*here)) {
                d->map.count++;
                d->lowest = *here < d->lowest ? *here : d->lowest;
                d->highest = *here > d->highest ? *here : d->highest;
                continue;
            }
            for (uint32_t bits = draining_inside(d->map.ground, (uint32_t)cell); bits != 0;
                 bits &= bits - 1) {
                draining_leave(d, cell + (size_t)d->map.steps[terrain__lowest_bit(bits)]);
            }
            d->marks[cell] &= (uint8_t)~DRAINING_WAITS;
            *here = (double)INFINITY; /* nothing flows there */
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain_status draining_fill(struct draining *d)
{
    terrain_status status = draining_begin(d);
    memset(d->buckets, 0, d->bucket_count * sizeof *d->buckets);
    while (status == TERRAIN_SUCCESS) {
        status = draining_climb(d);
        draining_fill_heap(d);
        if (status != TERRAIN_SUCCESS || (d->queue_first == d->queue_end && d->heap_count == 0)) {
            break;
        }
        draining_spread(d, draining_take_lowest(d));
        status = draining_count_step(d);
    }
    return status;
}

/* ---- Bowls ----------------------------------------------------------------------------------- */

/* Heights in their order, by the bits of finite floats. */
static uint32_t draining_key(float height)
{
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    return (bits & UINT32_C(0x80000000)) != 0 ? ~bits : bits | UINT32_C(0x80000000);
}

static double draining_height(const struct draining *d, uint32_t key)
{
    const uint32_t bits = (key & UINT32_C(0x80000000)) != 0 ? key & UINT32_C(0x7FFFFFFF) : ~key;
    float height;
    memcpy(&height, &bits, sizeof height);
    return (double)height / (double)d->map.ground->reader->map->cell_size;
}

enum { RANKS = 4, RANK_DIGIT = 11 };

/* Keys by their ranks among all: the upper digits first, by how many cells have each. */
struct draining_ranks {
    size_t ranks[RANKS]; /* among the keys with the digits that are known */
    uint32_t keys[RANKS];
    uint32_t (*counts)[1 << RANK_DIGIT];
};

/* At first nothing is known, and all four count the same. */
static void draining_count_first_digits(const terrain_heightmap *map, uint32_t y, uint32_t shift,
                                        uint32_t *counts)
{
    const float *row = map->data + y * map->stride;
    for (uint32_t x = 0; x < map->width; x++) {
        if (row[x] - row[x] == 0) {
            counts[draining_key(row[x]) >> shift]++;
        }
    }
}

static void draining_count_digits(const terrain_heightmap *map, uint32_t y, uint32_t known,
                                  uint32_t shift, const struct draining_ranks *ranks)
{
    const float *row = map->data + y * map->stride;
    const uint32_t *keys = ranks->keys, mask = (1u << RANK_DIGIT) - 1, rest = 32 - known;
    for (uint32_t x = 0; x < map->width; x++) {
        const uint32_t key = draining_key(row[x]);
        const bool found[RANKS] = {(key ^ keys[0]) >> rest == 0, (key ^ keys[1]) >> rest == 0,
                                   (key ^ keys[2]) >> rest == 0, (key ^ keys[3]) >> rest == 0};
        if (found[0] | found[1] | found[2] | found[3]) {
            for (int i = 0; i < RANKS && row[x] - row[x] == 0; i++) {
                ranks->counts[i][key >> shift & mask] += found[i];
            }
        }
    }
}

static terrain_status draining_find_ranks(const struct draining *d, struct draining_ranks *ranks)
{
    static const uint32_t shifts[] = {21, 10, 0};
    const terrain_heightmap *map = d->map.ground->reader->map;
    const uint32_t height = d->map.ground->height;
    for (uint32_t round = 0, known = 0; round < 3; known = 32 - shifts[round++]) {
        memset(ranks->counts, 0, RANKS * sizeof *ranks->counts);
        for (uint32_t y = 0; y < height; y++) {
            terrain_status status =
                terrain__ground_poll_row(d->map.ground, y, height, 0.6 + 0.02 * round, 0.02);
            if (status != TERRAIN_SUCCESS) {
                return status;
            }
            if (round == 0) {
                draining_count_first_digits(map, y, shifts[round], ranks->counts[0]);
            } else {
                draining_count_digits(map, y, known, shifts[round], ranks);
            }
        }
        for (int i = 1; i < RANKS && round == 0; i++) {
            memcpy(ranks->counts[i], ranks->counts[0], sizeof *ranks->counts);
        }
        for (int i = 0; i < RANKS; i++) {
            uint32_t digit = 0;
            while (ranks->ranks[i] >= ranks->counts[i][digit]) {
                ranks->ranks[i] -= ranks->counts[i][digit++];
            }
            ranks->keys[i] |= digit << shifts[round];
        }
    }
    return TERRAIN_SUCCESS;
}

/* The difference of the heights below which these shares of the cells lie; each between two cells
 * by proportion. */
static terrain_status draining_find_relief(struct draining *d)
{
    static const double shares[] = {0.995, 0.005};
    struct draining_ranks ranks = {{0}, {0}, NULL};
    double found[2];
    ranks.counts = terrain__arena_take(d->map.ground->arena, RANKS * sizeof *ranks.counts);
    if (ranks.counts == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    for (int i = 0; i < 2; i++) {
        ranks.ranks[2 * i] = (size_t)(shares[i] * (double)(d->map.count - 1));
        ranks.ranks[2 * i + 1] = ranks.ranks[2 * i] + (ranks.ranks[2 * i] + 1 < d->map.count);
    }
    terrain_status status = draining_find_ranks(d, &ranks);
    for (int i = 0; i < 2; i++) {
        const double at = shares[i] * (double)(d->map.count - 1);
        const double below = draining_height(d, ranks.keys[2 * i]);
        const double above = draining_height(d, ranks.keys[2 * i + 1]);
        found[i] = below + (above - below) * (at - (double)(size_t)at);
    }
    d->relief = found[0] - found[1];
    return status;
}

/* Marks the wet cells. Returns how many are deep, and lists these. */
static size_t draining_find_wet(struct draining *d, uint32_t y, uint32_t *deep)
{
    const terrain_heightmap *map = d->map.ground->reader->map;
    const float *heights = map->data + y * map->stride;
    const double cell_size = (double)map->cell_size;
    const double wet = 1e-3 * d->relief, most = 0.05 * d->relief;
    const size_t first = (size_t)y * map->width;
    size_t count = 0;
    for (uint32_t x = 0; x < map->width; x++) {
        if ((d->marks[first + x] & DRAINING_RAISED) != 0) {
            const double depth = d->map.filled[first + x] - (double)heights[x] / cell_size;
            d->marks[first + x] |= depth > wet ? DRAINING_WAITS : 0;
            deep[count] = (uint32_t)(first + x);
            count += depth > most;
        }
    }
    return count;
}

/* Marks the wet cells that are connected with a deep cell; each deep cell starts a walk. */
static terrain_status draining_mark_bowls(struct draining *d)
{
    const uint32_t height = d->map.ground->height;
    uint32_t *deep = d->heap_cells;
    size_t count = 0, walked = 0;
    for (uint32_t y = 0; y < height; y++) {
        terrain_status status = terrain__ground_poll_row(d->map.ground, y, height, 0.66, 0.02);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        count += draining_find_wet(d, y, deep + count);
    }
    for (size_t i = 0; i < count; i++) {
        if ((d->marks[deep[i]] & DRAINING_BOWL) != 0) {
            continue;
        }
        d->marks[deep[i]] ^= DRAINING_WAITS | DRAINING_BOWL;
        for (d->stack[d->stacked++] = deep[i]; d->stacked > 0;) {
            const uint32_t cell = d->stack[--d->stacked];
            for (uint32_t bits = draining_waiting(d, cell); bits != 0; bits &= bits - 1) {
                const size_t other = cell + (size_t)d->map.steps[terrain__lowest_bit(bits)];
                d->marks[other] ^= DRAINING_WAITS | DRAINING_BOWL;
                d->stack[d->stacked++] = (uint32_t)other;
            }
            if (++walked % DRAINING_POLL == 0) {
                terrain_status status = terrain__ground_poll(
                    d->map.ground, 0.68 + 0.04 * (double)walked / (double)d->map.count);
                if (status != TERRAIN_SUCCESS) {
                    return status;
                }
            }
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Flow ------------------------------------------------------------------------------------ */

/* The way from a cell at the map's edge. */
static uint32_t draining_find_way(const struct draining *d, uint32_t cell)
{
    const double *here = d->map.filled + cell;
    uint32_t found = TERRAIN__DRAINED_OUT;
    double best = 0;
    if (!draining_has_height(*here)) {
        return found;
    }
    for (uint32_t bits = draining_inside(d->map.ground, cell); bits != 0; bits &= bits - 1) {
        const uint32_t way = terrain__lowest_bit(bits);
        const double slope = (*here - here[d->map.steps[way]]) / terrain__draining_lengths[way];
        if (slope > best) {
            best = slope;
            found = way;
        }
    }
    return found;
}

static uint32_t draining_count_donors(const struct draining *d, uint32_t cell)
{
    uint32_t count = 0;
    for (uint32_t bits = draining_inside(d->map.ground, cell); bits != 0; bits &= bits - 1) {
        const uint32_t way = terrain__lowest_bit(bits);
        count += d->map.ways[(ptrdiff_t)cell + d->map.steps[way]] == 7 - way;
    }
    return count;
}

static void draining_ways_task(terrain__call *call, uint32_t index)
{
    const terrain__ground_rows *rows = call->job;
    const struct draining *d = rows->part;
    const uint32_t width = rows->ground->width, height = rows->ground->height;
    for (uint32_t row = terrain__band_begin(&rows->bands, index);
         row < terrain__band_end(&rows->bands, index); row++) {
        const uint32_t y = rows->first + row;
        const size_t first = (size_t)y * width;
        const bool inside = y > 0 && y + 1 < height && width > 2;
        if (inside) {
            d->kernels->ways(d->map.ways + first + 1, d->map.filled + first + 1, width, width - 2);
        }
        for (uint32_t x = 0; x < width; x += inside ? width - 1 : 1) {
            d->map.ways[first + x] = (uint8_t)draining_find_way(d, (uint32_t)first + x);
        }
    }
}

/* Counts the donors, and begins with what each cell gives by itself. */
static void draining_donors_task(terrain__call *call, uint32_t index)
{
    const terrain__ground_rows *rows = call->job;
    const struct draining *d = rows->part;
    const uint32_t width = rows->ground->width, height = rows->ground->height;
    const terrain__drained alone = {.flow = {0, 1, 1}};
    for (uint32_t row = terrain__band_begin(&rows->bands, index);
         row < terrain__band_end(&rows->bands, index); row++) {
        const uint32_t y = rows->first + row;
        const size_t first = (size_t)y * width;
        const bool inside = y > 0 && y + 1 < height && width > 2;
        if (inside) {
            d->kernels->donors(d->marks + first + 1, d->map.ways + first + 1, width, width - 2);
        }
        for (uint32_t x = 0; x < width; x += inside ? width - 1 : 1) {
            d->marks[first + x] |=
                (uint8_t)(draining_count_donors(d, (uint32_t)first + x) * DRAINING_DONOR);
        }
        for (uint32_t x = 0; x < width; x++) {
            d->map.drained[first + x] = alone;
        }
    }
}

/* What comes out of the map's rivers. */
struct draining_sums {
    uint32_t most;  /* the largest area without what flows through bowls */
    size_t drained; /* cells whose water comes to the rim by no bowl */
};

/* Down from a cell whose donors have all arrived, as long as it is the last one to arrive. */
static void draining_walk(struct draining *d, uint32_t cell, struct draining_sums *sums)
{
    for (;;) {
        const terrain__drained *here = &d->map.drained[cell];
        const uint32_t way = d->map.ways[cell];
        const uint32_t free = (d->marks[cell] & DRAINING_BOWL) != 0 ? 0 : here->flow.free;
        d->marks[cell] |= DRAINING_ARRIVED;
        sums->most = here->flow.free > sums->most ? here->flow.free : sums->most;
        d->map.large += here->flow.area > TERRAIN__DRAINED_LEAST;
        if (way == TERRAIN__DRAINED_OUT) {
            sums->drained += free;
            return;
        }
        cell = (uint32_t)((ptrdiff_t)cell + d->map.steps[way]);
        terrain__drained *next = &d->map.drained[cell];
        const double length = here->flow.length + terrain__draining_lengths[way];
        next->flow.length = length > next->flow.length ? length : next->flow.length;
        next->flow.area += here->flow.area;
        next->flow.free += free;
        d->marks[cell] = (uint8_t)(d->marks[cell] - DRAINING_DONOR);
        if (d->marks[cell] >= DRAINING_DONOR) {
            return;
        }
    }
}

static terrain_status draining_flow(struct draining *d, terrain_landform *land)
{
    const terrain__ground *ground = d->map.ground;
    const uint32_t width = ground->width, height = ground->height;
    struct draining_sums sums = {0, 0};
    terrain_status status =
        terrain__ground_run_rows(ground, d, 0, height, 0.72, 0.02, draining_ways_task);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__ground_run_rows(ground, d, 0, height, 0.74, 0.04, draining_donors_task);
    }
    for (uint32_t y = 0; y < height && status == TERRAIN_SUCCESS; y++) {
        const size_t first = (size_t)y * width;
        for (uint32_t x = 0; x < width; x++) {
            if (d->marks[first + x] < DRAINING_DONOR &&
                draining_has_height(d->map.filled[first + x])) {
                draining_walk(d, (uint32_t)first + x, &sums);
            }
        }
        status = terrain__ground_poll_row(ground, y, height, 0.78, 0.12);
    }
    land->undrained = (double)(d->map.count - sums.drained) / (double)d->map.count;
    land->trunk = (double)sums.most / (double)d->map.count;
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* One block for all: the flood's arrays are as large as what is drained needs later. */
static bool draining_take(struct draining *d)
{
    terrain__scratchpad *pad = d->map.ground->pad;
    const size_t n = d->map.cells;
    size_t bytes;
    _Static_assert(sizeof(terrain__drained) == sizeof(double) + 2 * sizeof(uint32_t), "the flood");
    if (!terrain__multiply_size(n, sizeof *d->map.drained, &bytes)) {
        return false;
    }
    d->map.drained = terrain__scratchpad_take(pad, bytes);
    d->map.ways = terrain__scratchpad_take(pad, n);
    d->marks = terrain__scratchpad_take(pad, n);
    d->bucket_count =
        (uint32_t)(n / 64 < DRAINING_MOST_BUCKETS ? n / 64 + 1 : DRAINING_MOST_BUCKETS);
    d->buckets = terrain__scratchpad_take(pad, d->bucket_count * sizeof *d->buckets);
    d->chunks =
        terrain__scratchpad_take(pad, (n / DRAINING_CHUNK + d->bucket_count) * sizeof *d->chunks);
    if (!terrain__scratchpad_fits(pad)) {
        return false;
    }
    d->heap_levels = (double *)(void *)d->map.drained;
    d->heap_cells = (uint32_t *)(void *)(d->heap_levels + n);
    d->queue_first = d->queue_end = d->heap_cells + n;
    d->stack = d->heap_cells + n;
    d->left = d->left_end = d->stack + n;
    return true;
}

size_t terrain__landform_drainage_bytes(uint32_t width, uint32_t height)
{
    terrain__scratchpad pad = {.size = 0};
    struct draining d = {.map = {.cells = (size_t)width * height}};
    terrain__ground ground = {.pad = &pad};
    d.map.ground = &ground;
    (void)draining_take(&d);
    return terrain__scratchpad_block(&pad);
}

terrain_status terrain__landform_drainage(const terrain__ground *ground, terrain_landform *land)
{
    const ptrdiff_t width = ground->width;
    struct draining d = {
        .map = {.ground = ground,
                .cells = (size_t)ground->width * ground->height,
                .filled = ground->heights,
                .steps = {-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1}},
        .kernels = terrain__landform_drainage_kernels(terrain_context_isa(ground->reader->context)),
        .lowest = (double)INFINITY,
        .highest = -(double)INFINITY};
    land->undrained = land->trunk = land->hack = land->concavity = (double)NAN;
    if (!draining_take(&d)) {
        return TERRAIN_ERROR_MEMORY;
    }
    terrain_status status = draining_fill(&d);
    if (status == TERRAIN_SUCCESS && d.map.count > 0) {
        status = draining_find_relief(&d);
        status = status == TERRAIN_SUCCESS ? draining_mark_bowls(&d) : status;
        status = status == TERRAIN_SUCCESS ? draining_flow(&d, land) : status;
        status = status == TERRAIN_SUCCESS ? terrain__landform_laws(&d.map, land) : status;
    }
    return status;
}
