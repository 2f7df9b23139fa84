/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Version, export marks and status codes. Every other header includes this one. */

#ifndef TERRAIN_BASE_H
#define TERRAIN_BASE_H

#include <stddef.h>
#include <stdint.h>

#define TERRAIN_VERSION_MAJOR 0
#define TERRAIN_VERSION_MINOR 1
#define TERRAIN_VERSION_PATCH 0

/** One number for comparisons: major * 1000000 + minor * 1000 + patch. */
#define TERRAIN_VERSION                                                                            \
    (TERRAIN_VERSION_MAJOR * 1000000 + TERRAIN_VERSION_MINOR * 1000 + TERRAIN_VERSION_PATCH)

/** To use the library you need not define anything, however you link it. On Windows a program that
 * defines TERRAIN_SHARED saves a jump in each call of the DLL. The build defines TERRAIN_BUILDING
 * for the library's own files, and TERRAIN_SHARED too when it builds a DLL. */
#if defined(_WIN32) && defined(TERRAIN_SHARED)
#ifdef TERRAIN_BUILDING
#define TERRAIN_API __declspec(dllexport)
#else
#define TERRAIN_API __declspec(dllimport)
#endif
#elif defined(_WIN32)
#define TERRAIN_API
#elif defined(__GNUC__) && defined(TERRAIN_BUILDING)
#define TERRAIN_API __attribute__((visibility("default")))
#else
#define TERRAIN_API
#endif

/** Follows each pointer in a params struct, so that fields have the same offsets on 32-bit and
 * 64-bit machines. */
#if UINTPTR_MAX == 0xFFFFFFFFu
#define TERRAIN_POINTER_PAD(name) uint32_t name;
#else
#define TERRAIN_POINTER_PAD(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a call returns: 0 for success, or one of the negative codes below. The numbers never change
 * their meaning and are never reused. On any error all maps are bit for bit what they were before
 * the call (but see TERRAIN_CONTEXT_PARTIAL_RESULTS). */
typedef int32_t terrain_status;

enum {
    TERRAIN_SUCCESS = 0,
    /** A NULL pointer, a struct that was not initialised or has a wrong size, maps of unequal
     * size. */
    TERRAIN_ERROR_ARGUMENT = -1,
    /** A value outside its documented range, or NaN. */
    TERRAIN_ERROR_RANGE = -2,
    /** An output overlaps another map of the same call. */
    TERRAIN_ERROR_ALIAS = -3,
    /** The allocator returned NULL, a size overflows, or a call would need more than the
     * memory_limit (or cache_bytes) that the host has set. */
    TERRAIN_ERROR_MEMORY = -4,
    /** The context is in use by another thread, or by a call further up this thread's stack. */
    TERRAIN_ERROR_BUSY = -5,
    /** Cancelled by terrain_context_cancel or by the progress callback. */
    TERRAIN_ERROR_CANCELLED = -6,
    /** The host's runner returned an error, or returned without having run every task. */
    TERRAIN_ERROR_RUNNER = -7,
    /** The operation can't do this: a global operation in an endless world, for example. */
    TERRAIN_ERROR_UNSUPPORTED = -8,
    /** The library was built in a way that breaks its results (fast-math, contraction). */
    TERRAIN_ERROR_BUILD = -9,
    /** A recipe's text is wrong; the message gives line, column and what was expected. */
    TERRAIN_ERROR_SYNTAX = -10,
    /** The operating system refused something: a thread, for example. */
    TERRAIN_ERROR_SYSTEM = -11
};

/** The name of a status, "TERRAIN_ERROR_RANGE" for example; "unknown status" for any other number.
 * The text is static. Never NULL. Thread-safe. */
TERRAIN_API const char *terrain_status_name(terrain_status status);

/** TERRAIN_VERSION of the library that is running, which may be newer than the header. */
TERRAIN_API uint32_t terrain_version(void);

/** The version of the results. Two libraries with the same number give the same bits for the same
 * calls. Before version 1.0 of the library it grows with each release that has entries under
 * "Changed output" in the changelog. */
TERRAIN_API uint32_t terrain_results_version(void);

#ifdef __cplusplus
}
#endif

#endif
