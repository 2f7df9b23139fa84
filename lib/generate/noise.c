/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_noise: octaves of gradient noise.
 *
 * Perlin's noise ("Improving noise", SIGGRAPH 2002) with its quintic fade, and with gradients of all
 * directions. It is 0 at every lattice point, so that its contours, and the creases of ridged and billow
 * sums, follow the lattice. A third of value noise (Peachey's value gradient noise), and a random shift
 * of each lattice row, which is this library's own, hide the lattice, and cost next to nothing where
 * lattice rows are computed whole. Value gradient noise, the sums, and Musgrave's feedback of ridges are
 * described in Ebert, Musgrave, Peachey, Perlin and Worley, "Texturing and Modeling: A Procedural
 * Approach", third edition, 2002.
 *
 * Positions on the lattice are 128-bit integers, in units of 2^-64 of a lattice cell: every cell of the
 * world is as good as any other. */

#include "core/math.h"
#include "core/operation.h"
#include "generate/noise_kernels.h"
#include "terrain/generate.h"

typedef terrain_generate_noise_params noise_params;

/* From 16 MiB on the map is written past the caches: three times faster at one octave, while a map that
 * stays in them is faster to read afterwards. */
#define NOISE_STREAM_CELLS (UINT64_C(1) << 22)

static const char *const noise_basis_names[] = {"gradient", "perlin"};
static const char *const noise_fractal_names[] = {"fbm", "ridged", "billow"};

static const terrain_parameter noise_parameters[] = {
    TERRAIN__SEED(noise_params),
    TERRAIN__ENUM(noise_params, basis, TERRAIN_NOISE_GRADIENT, noise_basis_names,
                  "What lattice the octaves are made on."),
    TERRAIN__ENUM(noise_params, fractal, TERRAIN_NOISE_FBM, noise_fractal_names,
                  "How octaves are summed."),
    TERRAIN__FLOAT(noise_params, period, "cells", 100, 2, 16777216,
                   "Wavelength of the first octave: the size of its lattice cells."),
    TERRAIN__UINT32(noise_params, octaves, "", 8, 1, NOISE_OCTAVES,
                    "Octaves; those with a wavelength below 2 cells are left out."),
    TERRAIN__FLOAT(noise_params, lacunarity, "", 2, 1, 16,
                   "By how much each octave is finer than the one before."),
    TERRAIN__FLOAT(noise_params, gain, "", 0.5, 0, 2,
                   "By how much each octave is higher than the one before."),
    TERRAIN__FLOAT(noise_params, amplitude, "height", 44, -1e9, 1e9, "Height of the first octave."),
    TERRAIN__FLOAT(noise_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
    TERRAIN__FLOAT(noise_params, feedback, "", 2, 0, 100,
                   "Ridged: how far detail reaches down from the crests."),
    TERRAIN__UINT32(noise_params, repeat_width, "cells", 0, 0, UINT32_MAX,
                    "The world repeats after so many cells in x; 0: never."),
    TERRAIN__UINT32(noise_params, repeat_height, "cells", 0, 0, UINT32_MAX,
                    "The world repeats after so many cells in y; 0: never."),
};

struct noise_job {
    struct noise_plan plan;
    struct noise_workspace *work; /* one for each task */
};

static const char *noise_check(const void *params)
{
    const noise_params *p = params;
    if (p->repeat_width == 1) {
        return "repeat_width must be 0 or at least 2";
    }
    return p->repeat_height == 1 ? "repeat_height must be 0 or at least 2" : NULL;
}

/* floor(count * 2^64 / repeat), for count <= repeat / 2: long division in base 2^32. */
static uint64_t noise_torus_step(uint32_t count, uint32_t repeat)
{
    uint64_t high = ((uint64_t)count << 32) / repeat;
    uint64_t rest = ((uint64_t)count << 32) % repeat;
    return high << 32 | (rest << 32) / repeat;
}

static void noise_set_step(struct noise_axis *axis, uint64_t step)
{
    uint64_t fraction = 0;
    uint32_t whole = 0;
    axis->step = step;
    for (uint32_t i = 0; i <= NOISE_LANES; i++) {
        axis->low[i] = (uint32_t)fraction;
        axis->high[i] = (uint32_t)(fraction >> 32);
        axis->whole[i] = whole;
        fraction += step;
        whole += fraction < step;
    }
}

/* `frequency` is at most 1/2; it is in lattice cells per cell. */
static struct noise_axis noise_axis_of(double frequency, uint32_t repeat, uint64_t origin)
{
    struct noise_axis axis = {.origin = origin, .repeat = repeat};
    if (repeat == 0) {
        noise_set_step(&axis, (uint64_t)(frequency * 0x1p64));
        return axis;
    }
    axis.count = (uint32_t)(frequency * repeat + 0.5);
    axis.count = axis.count < 1 ? 1 : axis.count > repeat / 2 ? repeat / 2 : axis.count;
    noise_set_step(&axis, noise_torus_step(axis.count, repeat));
    return axis;
}

static uint64_t noise_stream(const noise_params *p, uint32_t draw)
{
    return terrain__random_stream(p->seed, TERRAIN__KEY_GENERATE_NOISE, draw);
}

static struct noise_octave noise_octave_of(const noise_params *p, uint32_t index, double frequency,
                                           double weight)
{
    uint64_t origins = noise_stream(p, TERRAIN__DRAW_NOISE_ORIGIN + index);
    /* Gradients of length 1 would bound their noise by sqrt(1/2), at the middle of a lattice cell. */
    double share = p->basis == TERRAIN_NOISE_PERLIN ? 1 : 2.0 / 3;
    double scale = p->fractal == TERRAIN_NOISE_FBM ? weight : 1;
    struct noise_octave octave;
    octave.x = noise_axis_of(frequency, p->repeat_width, terrain__mix(origins, 0));
    octave.y = noise_axis_of(frequency, p->repeat_height, terrain__mix(origins, 1));
    octave.stream = noise_stream(p, TERRAIN__DRAW_NOISE_NODE + index);
    octave.shifts = noise_stream(p, TERRAIN__DRAW_NOISE_SHIFT + index);
    octave.length = (float)(terrain__sqrt(2) * share * scale);
    octave.level = (float)((1 - share) * scale);
    octave.weight = (float)weight;
    return octave;
}

static void noise_make_plan(struct noise_plan *plan, const noise_params *p)
{
    double frequency = 1 / (double)p->period;
    double weight = (double)p->amplitude;
    plan->fractal = p->fractal;
    plan->staggered = p->basis != TERRAIN_NOISE_PERLIN;
    plan->offset = p->offset;
    plan->feedback = p->feedback;
    while (plan->octave_count < p->octaves && frequency <= 0.5) {
        plan->octaves[plan->octave_count] =
            noise_octave_of(p, plan->octave_count, frequency, weight);
        plan->octave_count++;
        frequency *= (double)p->lacunarity;
        weight *= (double)p->gain;
    }
}

static terrain_status noise_prepare(terrain__call *call)
{
    struct noise_job *job = call->job;
    uint32_t tasks = terrain__bands_of(call->target.height, NOISE_TILE_HEIGHT).count;
    noise_make_plan(&job->plan, call->params);
    job->work = terrain__scratch(call, tasks, sizeof *job->work);
    terrain__commit_cost(call, 0.3 * job->plan.octave_count);
    return TERRAIN_SUCCESS;
}

static void noise_row_of_tiles(const terrain__call *call, struct noise_tile *tile, uint32_t y)
{
    const struct noise_job *job = call->job;
    const struct noise_kernels *kernels = terrain__noise_kernels(call->isa);
    for (uint32_t x = 0; x < call->target.width; x += tile->width) {
        uint32_t left = call->target.width - x;
        tile->width = left < NOISE_TILE_WIDTH ? left : NOISE_TILE_WIDTH;
        tile->cells = call->target.cells + y * call->target.stride + x;
        tile->x = call->x + x;
        tile->y = call->y + y;
        kernels->tile(&job->plan, tile);
    }
}

static void noise_band(terrain__call *call, uint32_t index)
{
    const struct noise_job *job = call->job;
    terrain__bands bands = terrain__bands_of(call->target.height, NOISE_TILE_HEIGHT);
    uint32_t begin = terrain__band_begin(&bands, index);
    uint32_t end = terrain__band_end(&bands, index);
    uint32_t tiles = (end - begin + NOISE_TILE_HEIGHT - 1) / NOISE_TILE_HEIGHT;
    uint32_t even = (end - begin + tiles - 1) / tiles;
    uint64_t cells = (uint64_t)call->target.width * call->target.height;
    struct noise_tile tile = {.stride = call->target.stride, .work = job->work + index};
    tile.stream = cells >= NOISE_STREAM_CELLS;
    for (uint32_t y = begin; y < end; y += tile.height) {
        tile.height = end - y < even ? end - y : even;
        noise_row_of_tiles(call, &tile, y);
    }
}

static terrain_status noise_run(terrain__call *call)
{
    return terrain__commit(call, terrain__bands_of(call->target.height, NOISE_TILE_HEIGHT).count,
                           noise_band);
}

const terrain_operation terrain__generate_noise = {
    .key = TERRAIN__KEY_GENERATE_NOISE,
    .result_version = 1,
    .name = "generate_noise",
    .verb = "generate",
    .summary = "Octaves of gradient noise: fBm, ridged, billow.",
    .reference =
        "Perlin, Improving Noise, SIGGRAPH 2002; Ebert et al., Texturing and Modeling, 2002",
    .signature = TERRAIN_SIGNATURE_GENERATE,
    .params_size = sizeof(noise_params),
    TERRAIN__PARAMETERS(noise_parameters),
    .job_size = sizeof(struct noise_job),
    .check = noise_check,
    .prepare = noise_prepare,
    .run = noise_run,
};

terrain_status terrain_generate_noise_params_init(terrain_generate_noise_params *params,
                                                  size_t size)
{
    return terrain_operation_params_init(&terrain__generate_noise, params, size);
}

terrain_status terrain_generate_noise(terrain_context *context, terrain_heightmap *map,
                                      const terrain_generate_noise_params *params)
{
    return terrain__apply(context, &terrain__generate_noise, map, NULL, 0, params);
}
