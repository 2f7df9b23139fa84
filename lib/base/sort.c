/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* J. W. J. Williams, Algorithm 232: Heapsort, Communications of the ACM 7, 1964. */

#include "base/sort.h"

/* Lets the item at `place` of a heap sink to where those below it come before it. */
static void sort_sink(const void **heap, size_t place, size_t count,
                      terrain__comes_before *comes_before)
{
    const void *item = heap[place];
    for (size_t child = 2 * place + 1; child < count; child = 2 * place + 1) {
        child += child + 1 < count && comes_before(heap[child], heap[child + 1]);
        if (!comes_before(item, heap[child])) {
            break;
        }
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = item;
}

void terrain__sort(const void **items, size_t count, terrain__comes_before *comes_before)
{
    for (size_t place = count / 2; place-- > 0;) {
        sort_sink(items, place, count, comes_before);
    }
    for (size_t end = count; end-- > 1;) {
        const void *last = items[0]; /* of those that are left */
        items[0] = items[end];
        items[end] = last;
        sort_sink(items, 0, end, comes_before);
    }
}
