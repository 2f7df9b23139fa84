/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Maps between pages that trap: by mmap, or on Windows by VirtualAlloc. */

#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>

#include "support/maps.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

static size_t guard_page_size(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

static void *guard_reserve(size_t size)
{
    return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
}

static bool guard_open(void *pages, size_t size)
{
    return VirtualAlloc(pages, size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

static void guard_release(void *pages, size_t size)
{
    (void)size;
    VirtualFree(pages, 0, MEM_RELEASE);
}

#else

#include <sys/mman.h>
#include <unistd.h>

static size_t guard_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

#if !defined(MAP_NORESERVE) /* FreeBSD takes memory when it is touched */
#define MAP_NORESERVE 0
#endif

static void *guard_reserve(size_t size)
{
    void *pages = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

static bool guard_open(void *pages, size_t size)
{
    return mprotect(pages, size, PROT_READ | PROT_WRITE) == 0;
}

static void guard_release(void *pages, size_t size)
{
    munmap(pages, size);
}

#endif

static void die(const char *what)
{
    fprintf(stderr, "test support: %s\n", what);
    abort();
}

test_guarded_map test_guard(uint32_t width, uint32_t height, int side)
{
    test_guarded_map guarded = {0};
    size_t page = guard_page_size();
    size_t row = width * sizeof(float);
    size_t used = (row + page - 1) / page * page;
    size_t pitch = used + page; /* the row's pages, then one that traps */

    guarded.size = page + pitch * height;
    guarded.pages = guard_reserve(guarded.size);
    if (guarded.pages == NULL) {
        die("no pages");
    }
    char *first = (char *)guarded.pages + page;
    for (uint32_t y = 0; y < height; y++) {
        if (!guard_open(first + y * pitch, used)) {
            die("no memory for guarded rows");
        }
    }
    if (side == TEST_GUARD_AFTER) {
        first += used - row;
    }
    if (terrain_heightmap_wrap(NULL, (float *)(void *)first, width, height, pitch / sizeof(float),
                               &guarded.map) != TERRAIN_SUCCESS) {
        die("can't wrap guarded rows");
    }
    return guarded;
}

void test_unguard(test_guarded_map *guarded)
{
    terrain_heightmap_destroy(guarded->map);
    guard_release(guarded->pages, guarded->size);
    guarded->map = NULL;
}
