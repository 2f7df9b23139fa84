/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Connected sets of cells: union-find (Galler and Fischer, 1964) over the rows of each tile, then
 * over the rims of neighbouring tiles. */

#include "measure/score_sets.h"

#include <string.h>

#include "base/memory.h"

/* ---- Lists of sets --------------------------------------------------------------------------- */

static void score_sets_free_list(const terrain_allocator *allocator,
                                 struct terrain__score_set_list *list)
{
    if (list->items != NULL) {
        terrain__free(allocator, list->items, list->capacity * sizeof *list->items);
    }
    memset(list, 0, sizeof *list);
}

/* Room for `more` sets behind those that there are. */
static bool score_sets_reserve(const terrain_allocator *allocator,
                               struct terrain__score_set_list *list, uint32_t more)
{
    struct terrain__score_set_list grown = {NULL, list->count, 0};
    uint64_t wanted = (uint64_t)list->count + more, capacity = 2 * (uint64_t)list->capacity;
    size_t size;
    if (wanted <= list->capacity) {
        return true;
    }
    capacity = capacity > wanted ? capacity : wanted;
    capacity = capacity > 64 ? capacity : 64;
    if (capacity > UINT32_MAX / 2 ||
        !terrain__multiply_size((size_t)capacity, sizeof *grown.items, &size)) {
        return false;
    }
    grown.capacity = (uint32_t)capacity;
    grown.items = terrain__allocate(allocator, size, sizeof(uint64_t));
    if (grown.items == NULL) {
        return false;
    }
    if (list->count > 0) {
        memcpy(grown.items, list->items, list->count * sizeof *list->items);
    }
    score_sets_free_list(allocator, list);
    *list = grown;
    return true;
}

/* Finds the root, and halves the way to it for the next time. */
static uint32_t score_sets_find(struct terrain__score_set *items, uint32_t index)
{
    while (items[index].parent != index) {
        items[index].parent = items[items[index].parent].parent;
        index = items[index].parent;
    }
    return index;
}

static void score_sets_join(struct terrain__score_set *items, uint32_t a, uint32_t b)
{
    a = score_sets_find(items, a);
    b = score_sets_find(items, b);
    if (a == b) {
        return;
    }
    uint32_t root = a < b ? a : b, other = a < b ? b : a;
    items[other].parent = root;
    items[root].cells += items[other].cells;
    items[root].buildings += items[other].buildings;
}

static void score_sets_keep_larger(uint64_t *cells, uint64_t *buildings,
                                   const struct terrain__score_set *set)
{
    if (set->cells > *cells || (set->cells == *cells && set->buildings > *buildings)) {
        *cells = set->cells;
        *buildings = set->buildings;
    }
}

/* ---- Sets within a tile ---------------------------------------------------------------------- */

/* Where the four rims of a tile begin, and where the last one ends. */
struct score_rims {
    size_t north, south, west, east, end;
};

static struct score_rims score_sets_rims(const terrain_window *window)
{
    struct score_rims rims = {0, window->width, 2 * (size_t)window->width, 0, 0};
    rims.east = rims.west + window->height;
    rims.end = rims.east + window->height;
    return rims;
}

static struct terrain__score_set_tile *score_sets_new_tile(const terrain_allocator *allocator,
                                                           const terrain_window *window)
{
    size_t cells = score_sets_rims(window).end, size;
    struct terrain__score_set_tile *tile = NULL;
    if (terrain__multiply_size(cells, sizeof *tile->rim, &size)) {
        tile = terrain__allocate(allocator, sizeof *tile + size, sizeof(uint64_t));
    }
    if (tile != NULL) {
        tile->next = NULL;
        tile->window = *window;
        memset(tile->rim, 0, size);
    }
    return tile;
}

static void score_sets_free_tile(const terrain_allocator *allocator,
                                 struct terrain__score_set_tile *tile)
{
    terrain__free(allocator, tile,
                  sizeof *tile + score_sets_rims(&tile->window).end * sizeof *tile->rim);
}

/* Gives each member of a row its set: the set of the cell before or above it, which are joined if
 * they differ, else a new one. `row` holds the row above, then this one. */
static void score_sets_label_row(struct terrain__score_set_list *list, uint32_t *row,
                                 const uint8_t *marks, uint32_t width)
{
    uint32_t west = 0;
    for (uint32_t x = 0; x < width; x++) {
        uint32_t north = row[x], label = west != 0 ? west : north;
        if ((marks[x] & TERRAIN__SCORE_MEMBER) == 0) {
            row[x] = west = 0;
            continue;
        }
        if (label == 0) {
            struct terrain__score_set fresh = {list->count, 0, 0};
            list->items[list->count++] = fresh;
            label = list->count;
        } else if (west != 0 && north != 0 && west != north) {
            score_sets_join(list->items, west - 1, north - 1);
        }
        uint32_t root = score_sets_find(list->items, label - 1);
        list->items[root].cells++;
        list->items[root].buildings += (marks[x] & TERRAIN__SCORE_BUILDING) != 0;
        row[x] = west = root + 1;
    }
}

/* Labels a tile's cells; keeps the labels of the rim. row has room for the tile's width. */
static terrain_status score_sets_label(const terrain__reader *reader, double done,
                                       const terrain_allocator *allocator,
                                       struct terrain__score_set_list *list,
                                       struct terrain__score_set_tile *tile, uint32_t *row,
                                       const uint8_t *marks, size_t stride)
{
    const uint32_t width = tile->window.width, height = tile->window.height;
    const struct score_rims rims = score_sets_rims(&tile->window);
    memset(row, 0, width * sizeof *row);
    for (uint32_t y = 0; y < height; y++) {
        terrain_status status = terrain__reader_poll_row(reader, width, y, height, done, 1);
        if (status == TERRAIN_SUCCESS && !score_sets_reserve(allocator, list, width / 2 + 1)) {
            status = TERRAIN_ERROR_MEMORY;
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        score_sets_label_row(list, row, marks + y * stride, width);
        if (y == 0) {
            memcpy(tile->rim + rims.north, row, width * sizeof *row);
        }
        tile->rim[rims.west + y] = row[0];
        tile->rim[rims.east + y] = row[width - 1];
    }
    memcpy(tile->rim + rims.south, row, width * sizeof *row);
    return TERRAIN_SUCCESS;
}

/* Numbers the sets that touch the rim, from `first` on in their order along it, and puts these
 * numbers into the rim. Returns how many there are; of these sets alone the parent is UINT32_MAX -
 * (number - first). */
static uint32_t score_sets_renumber(struct terrain__score_set_list *list,
                                    struct terrain__score_set_tile *tile, uint32_t first)
{
    const size_t end = score_sets_rims(&tile->window).end;
    uint32_t count = 0;
    for (size_t i = 0; i < end; i++) {
        if (tile->rim[i] != 0) {
            tile->rim[i] = score_sets_find(list->items, tile->rim[i] - 1) + 1;
        }
    }
    for (size_t i = 0; i < end; i++) {
        struct terrain__score_set *set = tile->rim[i] != 0 ? &list->items[tile->rim[i] - 1] : NULL;
        if (set != NULL && set->parent == tile->rim[i] - 1) {
            set->parent = UINT32_MAX - count++;
        }
    }
    for (size_t i = 0; i < end; i++) {
        if (tile->rim[i] != 0) {
            tile->rim[i] = first + (UINT32_MAX - list->items[tile->rim[i] - 1].parent) + 1;
        }
    }
    return count;
}

/* The rim's sets go to the list of all, the others are complete. `count` fit. */
static void score_sets_take(terrain__score_sets *sets, const struct terrain__score_set_list *list,
                            uint32_t count)
{
    struct terrain__score_set_list *kept = &sets->list;
    const uint32_t first = kept->count;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct terrain__score_set *set = &list->items[i];
        if (UINT32_MAX - set->parent < count) {
            uint32_t index = first + (UINT32_MAX - set->parent);
            kept->items[index] = *set;
            kept->items[index].parent = index;
        } else if (set->parent == i) {
            score_sets_keep_larger(&sets->cells, &sets->buildings, set);
        }
    }
    kept->count += count;
}

/* ---- Tiles side by side ---------------------------------------------------------------------- */

/* Joins along a common edge: a's rim, whose first cell is at `a_from` along the edge, and b's. */
static void score_sets_join_rims(terrain__score_sets *sets, const uint32_t *a, int64_t a_from,
                                 uint32_t a_count, const uint32_t *b, int64_t b_from,
                                 uint32_t b_count)
{
    int64_t from = a_from > b_from ? a_from : b_from;
    int64_t a_end = a_from + a_count, b_end = b_from + b_count;
    int64_t end = a_end < b_end ? a_end : b_end;
    for (int64_t i = from; i < end; i++) {
        uint32_t left = a[i - a_from], right = b[i - b_from];
        if (left != 0 && right != 0) {
            score_sets_join(sets->list.items, left - 1, right - 1);
        }
    }
}

/* a to the west, or to the north, of b. */
static void score_sets_join_in_order(terrain__score_sets *sets,
                                     const struct terrain__score_set_tile *a,
                                     const struct terrain__score_set_tile *b)
{
    const terrain_window *p = &a->window, *q = &b->window;
    const struct score_rims of_a = score_sets_rims(p), of_b = score_sets_rims(q);
    if (p->x + p->width == q->x) {
        score_sets_join_rims(sets, a->rim + of_a.east, p->y, p->height, b->rim + of_b.west, q->y,
                             q->height);
    }
    if (p->y + p->height == q->y) {
        score_sets_join_rims(sets, a->rim + of_a.south, p->x, p->width, b->rim + of_b.north, q->x,
                             q->width);
    }
}

static void score_sets_link(terrain__score_sets *sets, struct terrain__score_set_tile *tile)
{
    for (struct terrain__score_set_tile *other = sets->tiles; other != NULL; other = other->next) {
        score_sets_join_in_order(sets, tile, other);
        score_sets_join_in_order(sets, other, tile);
    }
    tile->next = sets->tiles;
    sets->tiles = tile;
}

/* ---- The whole ------------------------------------------------------------------------------- */

terrain_status terrain__score_sets_add(terrain__score_sets *sets, const terrain__reader *reader,
                                       double done, const terrain_window *window,
                                       const uint8_t *marks, size_t stride)
{
    const terrain_allocator *allocator = &sets->allocator;
    const size_t row_size = window->width * sizeof(uint32_t);
    struct terrain__score_set_list list = {NULL, 0, 0};
    struct terrain__score_set_tile *tile = score_sets_new_tile(allocator, window);
    uint32_t *row = terrain__allocate(allocator, row_size, sizeof(uint64_t));
    terrain_status status = TERRAIN_ERROR_MEMORY;
    if (tile != NULL && row != NULL) {
        status = score_sets_label(reader, done, allocator, &list, tile, row, marks, stride);
    }
    if (status == TERRAIN_SUCCESS) {
        uint32_t count = score_sets_renumber(&list, tile, sets->list.count);
        if (score_sets_reserve(allocator, &sets->list, count)) {
            score_sets_take(sets, &list, count);
            score_sets_link(sets, tile);
        } else {
            status = TERRAIN_ERROR_MEMORY;
        }
    }
    if (status != TERRAIN_SUCCESS && tile != NULL) {
        score_sets_free_tile(allocator, tile);
    }
    if (row != NULL) {
        terrain__free(allocator, row, row_size);
    }
    score_sets_free_list(allocator, &list);
    return status;
}

static void score_sets_free_tiles(const terrain_allocator *allocator,
                                  struct terrain__score_set_tile *tiles)
{
    while (tiles != NULL) {
        struct terrain__score_set_tile *next = tiles->next;
        score_sets_free_tile(allocator, tiles);
        tiles = next;
    }
}

/* Copies of tiles, whose sets are `shift` later; false if there is no memory. */
static bool score_sets_copy_tiles(const terrain_allocator *allocator,
                                  const struct terrain__score_set_tile *tiles, uint32_t shift,
                                  struct terrain__score_set_tile **copies)
{
    for (*copies = NULL; tiles != NULL; tiles = tiles->next) {
        struct terrain__score_set_tile *copy = score_sets_new_tile(allocator, &tiles->window);
        if (copy == NULL) {
            return false;
        }
        for (size_t i = 0; i < score_sets_rims(&tiles->window).end; i++) {
            copy->rim[i] = tiles->rim[i] != 0 ? tiles->rim[i] + shift : 0;
        }
        copy->next = *copies;
        *copies = copy;
    }
    return true;
}

terrain_status terrain__score_sets_merge(terrain__score_sets *into, const terrain__score_sets *from)
{
    const uint32_t first = into->list.count;
    const struct terrain__score_set closed = {0, from->cells, from->buildings};
    struct terrain__score_set_tile *copies;
    if (!score_sets_copy_tiles(&into->allocator, from->tiles, first, &copies) ||
        !score_sets_reserve(&into->allocator, &into->list, from->list.count)) {
        score_sets_free_tiles(&into->allocator, copies);
        return TERRAIN_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < from->list.count; i++) {
        into->list.items[first + i] = from->list.items[i];
        into->list.items[first + i].parent += first;
    }
    into->list.count += from->list.count;
    score_sets_keep_larger(&into->cells, &into->buildings, &closed);
    while (copies != NULL) {
        struct terrain__score_set_tile *tile = copies;
        copies = tile->next;
        score_sets_link(into, tile);
    }
    return TERRAIN_SUCCESS;
}

bool terrain__score_sets_overlap(const terrain__score_sets *sets, const terrain_window *window)
{
    for (const struct terrain__score_set_tile *tile = sets->tiles; tile != NULL;
         tile = tile->next) {
        const terrain_window *other = &tile->window;
        if (window->x < other->x + other->width && other->x < window->x + window->width &&
            window->y < other->y + other->height && other->y < window->y + window->height) {
            return true;
        }
    }
    return false;
}

void terrain__score_sets_largest(const terrain__score_sets *sets, uint64_t *cells,
                                 uint64_t *buildings)
{
    *cells = sets->cells;
    *buildings = sets->buildings;
    for (uint32_t i = 0; i < sets->list.count; i++) {
        const struct terrain__score_set *set = &sets->list.items[i];
        if (set->parent == i) {
            score_sets_keep_larger(cells, buildings, set);
        }
    }
}

void terrain__score_sets_free(terrain__score_sets *sets)
{
    score_sets_free_list(&sets->allocator, &sets->list);
    score_sets_free_tiles(&sets->allocator, sets->tiles);
    sets->tiles = NULL;
}
