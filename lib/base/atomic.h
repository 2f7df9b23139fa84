/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* <stdatomic.h>, and for tcc, which has none before 0.9.28, what the library uses of it: on x86
 * each locked instruction orders all memory, and plain loads and stores are ordered enough. */

#ifndef TERRAIN_BASE_ATOMIC_H
#define TERRAIN_BASE_ATOMIC_H

#if !defined(__TINYC__) || __TINYC__ >= 928

#include <stdatomic.h>

#elif defined(__x86_64__)

#include <stdint.h>

typedef volatile uint64_t atomic_uint_least64_t;
typedef volatile uint64_t atomic_uint;
typedef volatile uint64_t atomic_bool;

static inline uint64_t atomic__exchange(volatile uint64_t *word, uint64_t value)
{
    __asm__ volatile("xchgq %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}

static inline uint64_t atomic__add(volatile uint64_t *word, uint64_t value)
{
    __asm__ volatile("lock; xaddq %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}

static inline uint64_t atomic__or(volatile uint64_t *word, uint64_t bits)
{
    uint64_t old = *word;
    uint64_t found;
    for (;;) {
        found = old;
        __asm__ volatile("lock; cmpxchgq %2, %1"
                         : "+a"(found), "+m"(*word)
                         : "r"(old | bits)
                         : "memory");
        if (found == old) {
            return old;
        }
        old = found;
    }
}

#define atomic_init(word, value) ((void)(*(word) = (value)))
#define atomic_load_explicit(word, order) (*(word))
#define atomic_store_explicit(word, value, order) ((void)(*(word) = (value)))
#define atomic_exchange_explicit(word, value, order) atomic__exchange(word, value)
#define atomic_fetch_add_explicit(word, value, order) atomic__add(word, value)
#define atomic_fetch_or_explicit(word, value, order) atomic__or(word, value)

#else
#error "libterrain needs <stdatomic.h>"
#endif

#endif
