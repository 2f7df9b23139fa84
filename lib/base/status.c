/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Names of status codes, and the versions of library and results. */

#include "terrain/base.h"

const char *terrain_status_name(terrain_status status)
{
    switch (status) {
    case TERRAIN_SUCCESS:
        return "TERRAIN_SUCCESS";
    case TERRAIN_ERROR_ARGUMENT:
        return "TERRAIN_ERROR_ARGUMENT";
    case TERRAIN_ERROR_RANGE:
        return "TERRAIN_ERROR_RANGE";
    case TERRAIN_ERROR_ALIAS:
        return "TERRAIN_ERROR_ALIAS";
    case TERRAIN_ERROR_MEMORY:
        return "TERRAIN_ERROR_MEMORY";
    case TERRAIN_ERROR_BUSY:
        return "TERRAIN_ERROR_BUSY";
    case TERRAIN_ERROR_CANCELLED:
        return "TERRAIN_ERROR_CANCELLED";
    case TERRAIN_ERROR_RUNNER:
        return "TERRAIN_ERROR_RUNNER";
    case TERRAIN_ERROR_UNSUPPORTED:
        return "TERRAIN_ERROR_UNSUPPORTED";
    case TERRAIN_ERROR_BUILD:
        return "TERRAIN_ERROR_BUILD";
    case TERRAIN_ERROR_SYNTAX:
        return "TERRAIN_ERROR_SYNTAX";
    case TERRAIN_ERROR_SYSTEM:
        return "TERRAIN_ERROR_SYSTEM";
    default:
        return "unknown status";
    }
}

uint32_t terrain_version(void)
{
    return TERRAIN_VERSION;
}

/* One more than the last release's, if the changelog has entries under "Changed output" since. */
#define RESULTS_VERSION 2

uint32_t terrain_results_version(void)
{
    return RESULTS_VERSION;
}
