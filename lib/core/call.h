/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the parts of a call share: call.c, its life; call_maps.c, its maps; pass.c, its passes,
 * which readers have, too. Operations see operation.h alone. */

#ifndef TERRAIN_CORE_CALL_H
#define TERRAIN_CORE_CALL_H

#include "core/operation.h"

/* Finds, checks and sets the maps of a call. */
terrain_status terrain__call_take_maps(terrain__call *call, const terrain__maps *maps);
/* That without the checks, for maps of which there is only a size and a place. */
void terrain__call_see_maps(terrain__call *call, const terrain__maps *maps);

/* What may end a pass before all of its tasks have run. */
enum terrain__pass_kind {
    TERRAIN__PASS_STOPS, /* a cancel, or a runner that fails */
    /* A cancel alone: its tasks write into the host's maps, which the host allows to be half
     * written when it cancels. */
    TERRAIN__PASS_STOPS_IF_CANCELLED,
    TERRAIN__PASS_NEVER_STOPS
};

/* Hands the tasks to the host's runner, with the host's own float environment. If the runner's
 * failure must not end the pass, does the tasks that it left undone itself. */
terrain_status terrain__pass_run(terrain__call *call, uint32_t count, terrain__task *task,
                                 enum terrain__pass_kind kind);

#endif
