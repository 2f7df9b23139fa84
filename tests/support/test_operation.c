/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "support/test_operation.h"

#include "core/operation.h"

typedef test_every_type_params every_params;

static const char *const every_form_names[] = {"direct", "out_of_place", "long"};
static const char *const every_form_docs[] = {"in place", "into another map", "staged"};

static const terrain_parameter every_parameters[] = {
    TERRAIN__INT64(every_params, place, "cells", 0, -(INT64_C(1) << 40), INT64_C(1) << 40,
                   "World column."),
    TERRAIN__SEED(every_params),
    TERRAIN__MASK(every_params),
    TERRAIN__MAP_IN(every_params, addend, "Added at the end."),
    TERRAIN__MAP_OUT(every_params, before, "Gets the heights from before the call."),
    TERRAIN__FLOAT_ARRAY(every_params, weights, "height", 16, -8, 8, "Their sum is added."),
    TERRAIN__FLOAT(every_params, scale, "", 1.1, 0.3, 4, "Of the sum."),
    TERRAIN__INT32(every_params, shift, "height", -1, -10, 10, "Added."),
    TERRAIN__UINT32(every_params, rounds, "", 2, 0, 40, "Rounds of smoothing.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__BOOL(every_params, negate, 0, "Upside down."),
    TERRAIN__ENUM(every_params, form, TEST_FORM_DIRECT, every_form, "How the map is written."),
};

typedef struct every_job {
    terrain__plane planes[2];
    terrain__view from;
    terrain__plane to;
    double sum; /* of the weights: exact for a few small ones, and ordered anyway */
} every_job;

static const char *every_check(const void *params)
{
    const every_params *p = params;
    return p->shift == 7 && p->negate != 0 ? "shift must not be 7 upside down" : NULL;
}

static uint32_t every_halo(const void *params)
{
    const every_params *p = params;
    return p->rounds == 0 && p->form == TEST_FORM_OUT_OF_PLACE ? 1 : p->rounds;
}

static terrain_status every_prepare(terrain__call *call)
{
    const every_params *p = call->params;
    every_job *job = call->job;
    for (uint32_t i = 0; i < 2 && i < p->rounds; i++) {
        job->planes[i] = terrain__scratch_plane(call, call->map.width, call->map.height);
    }
    for (uint32_t i = 0; i < p->weights_count; i++) {
        job->sum += (double)p->weights[i];
    }
    if (p->form == TEST_FORM_OUT_OF_PLACE) {
        terrain__stage(call, TERRAIN__STAGE_OUT_OF_PLACE);
    } else if (p->form == TEST_FORM_LONG) {
        terrain__stage(call, TERRAIN__STAGE_LONG);
    }
    terrain__expect_passes(call, p->rounds + 1);
    return TERRAIN_SUCCESS;
}

/* The mean of the four neighbours, edges repeated. */
static float every_mean(const terrain__view *view, uint32_t x, uint32_t y)
{
    uint32_t left = x > 0 ? x - 1 : x;
    uint32_t right = x + 1 < view->width ? x + 1 : x;
    uint32_t up = y > 0 ? y - 1 : y;
    uint32_t down = y + 1 < view->height ? y + 1 : y;
    float vertical = view->cells[up * view->stride + x] + view->cells[down * view->stride + x];
    float horizontal = view->cells[y * view->stride + right] + view->cells[y * view->stride + left];
    return 0.25f * (vertical + horizontal);
}

static void every_smooth(terrain__call *call, uint32_t index)
{
    every_job *job = call->job;
    terrain__bands bands = terrain__bands_of(job->to.height, 2);
    for (uint32_t y = terrain__band_begin(&bands, index); y < terrain__band_end(&bands, index);
         y++) {
        for (uint32_t x = 0; x < job->to.width; x++) {
            job->to.cells[y * job->to.stride + x] = every_mean(&job->from, x, y);
        }
    }
}

static void every_last_row(terrain__call *call, uint32_t y)
{
    const every_params *p = call->params;
    const every_job *job = call->job;
    terrain__view addend = terrain__view_of(p->addend);
    terrain__plane before = terrain__output(call, offsetof(every_params, before));
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_test, 0);
    for (uint32_t x = 0; x < call->target.width; x++) {
        float old = call->map.cells[y * call->map.stride + x];
        float h = job->from.cells[y * job->from.stride + x];
        if (p->form == TEST_FORM_OUT_OF_PLACE) {
            h += every_mean(&call->map, x, y);
        }
        h += terrain__signed_float(terrain__random_cell(stream, call->x + x, call->y + y));
        h += (float)job->sum + (float)(call->x + x < p->place ? -p->shift : p->shift);
        if (addend.cells != NULL) {
            h += addend.cells[y * addend.stride + x];
        }
        h *= p->negate != 0 ? -p->scale : p->scale;
        if (before.cells != NULL) {
            before.cells[y * before.stride + x] = old;
        }
        call->target.cells[y * call->target.stride + x] = h;
    }
}

static void every_last(terrain__call *call, uint32_t index)
{
    terrain__bands bands = terrain__bands_of(call->target.height, 2);
    for (uint32_t y = terrain__band_begin(&bands, index); y < terrain__band_end(&bands, index);
         y++) {
        every_last_row(call, y);
    }
}

static terrain_status every_run(terrain__call *call)
{
    const every_params *p = call->params;
    every_job *job = call->job;
    uint32_t tasks = terrain__bands_of(call->map.height, 2).count;
    job->from = call->map;
    for (uint32_t i = 0; i < p->rounds; i++) {
        job->to = job->planes[i % 2];
        terrain_status status = terrain__run(call, tasks, every_smooth);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        job->from = terrain__as_view(job->to);
    }
    return terrain__commit(call, tasks, every_last);
}

const terrain_operation test_every_type = {
    .key = TERRAIN__KEY_test,
    .result_version = 1,
    .name = "test_every_type",
    .verb = "test",
    .summary = "Has one parameter of every type.",
    .reference = "",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(every_params),
    TERRAIN__PARAMETERS(every_parameters),
    .job_size = sizeof(every_job),
    .check = every_check,
    .halo = every_halo,
    .prepare = every_prepare,
    .run = every_run,
};

/* ---- A coarse map --------------------------------------------------------------------------- */

static const terrain_parameter coarse_parameters[] = {
    TERRAIN__COARSE_MAP_IN(test_coarse_params, control, control_spacing, "Heights of the points."),
    TERRAIN__UINT32(test_coarse_params, control_spacing, "cells", 16, 1, 1024,
                    "World cells from one point to the next; a power of two.",
                    .scaling = TERRAIN_SCALING_SPACING, TERRAIN__POWER_OF_TWO),
};

static float coarse_height(const terrain__coarse *control, int64_t x, int64_t y)
{
    const int64_t spacing = control->spacing;
    const int64_t i = x >= 0 ? x / spacing : -1 - (-1 - x) / spacing;
    const int64_t j = y >= 0 ? y / spacing : -1 - (-1 - y) / spacing;
    const float across = (float)(x - i * spacing) / (float)spacing;
    const float down = (float)(y - j * spacing) / (float)spacing;
    const float *row =
        control->view.cells + (j - control->y) * (int64_t)control->view.stride + (i - control->x);
    const float *next = row + control->view.stride;
    const float upper = row[0] + across * (row[1] - row[0]);
    const float lower = next[0] + across * (next[1] - next[0]);
    return upper + down * (lower - upper);
}

static void coarse_band(terrain__call *call, uint32_t index)
{
    const terrain__coarse control =
        terrain__coarse_input(call, offsetof(test_coarse_params, control));
    terrain__bands bands = terrain__bands_of(call->target.height, 8);
    for (uint32_t y = terrain__band_begin(&bands, index); y < terrain__band_end(&bands, index);
         y++) {
        for (uint32_t x = 0; x < call->target.width; x++) {
            call->target.cells[y * call->target.stride + x] =
                control.view.cells != NULL ? coarse_height(&control, call->x + x, call->y + y) : 0;
        }
    }
}

static terrain_status coarse_run(terrain__call *call)
{
    return terrain__commit(call, terrain__bands_of(call->target.height, 8).count, coarse_band);
}

const terrain_operation test_coarse = {
    .key = TERRAIN__KEY_test_coarse,
    .result_version = 1,
    .name = "test_coarse",
    .verb = "test",
    .summary = "Has a map on a coarse lattice.",
    .reference = "",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(test_coarse_params),
    TERRAIN__PARAMETERS(coarse_parameters),
    .run = coarse_run,
};
