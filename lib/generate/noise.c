/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_noise: octaves of lattice noise, at the cells or at places that more noise displaces.
 *
 * Perlin's noise ("Improving noise", SIGGRAPH 2002) with its quintic fade, and with gradients in
 * all directions. It is 0 at every lattice point, so its contours, and the creases of ridged and
 * billow sums, follow the lattice. One third of value noise (Peachey's value gradient noise) and a
 * random shift of each lattice row, which is this library's own, hide the lattice. They cost next
 * to nothing, as lattice rows are computed whole. Value gradient noise, the sums, and Musgrave's
 * feedback of ridges are described in Ebert, Musgrave, Peachey, Perlin and Worley, "Texturing and
 * Modeling: A Procedural Approach", third edition, 2002.
 *
 * Simplex noise (Perlin, "Noise hardware", 2001; explained in Gustavson, "Simplex noise
 * demystified", 2005) adds round shares of the points of a lattice of triangles. Here sides of
 * triangles follow the rows of cells, and a share reaches as far as the next lattice row. So no
 * triangle needs to be found: only two lattice rows count at a cell, and two points in each, and
 * cells between the same lattice rows share what is computed of these. The lattice does not show
 * for all that, as each share is round.
 *
 * Positions on the lattice are 128-bit integers, in units of 2^-64 of a lattice cell, so that they
 * are equally precise everywhere in the world. noise_kernels.c has the formulas. */

#include "base/math.h"
#include "core/operation.h"
#include "generate/noise_warp_kernels.h"
#include "terrain/generate.h"
#include "vector/stream_kernels.h"

typedef terrain_generate_noise_params noise_params;

static const char *const noise_basis_names[] = {"gradient", "perlin", "simplex", "value"};
static const char *const noise_basis_docs[] = {
    "gradient noise with one third of value noise, on shifted rows",
    "gradient noise on squares, as published: the lattice shows",
    "gradient noise on triangles: no direction is preferred",
    "value noise on shifted rows: blunt, blocky, and fast",
};
static const char *const noise_fractal_names[] = {"fbm", "ridged", "billow"};
static const char *const noise_fractal_docs[] = {
    "fractional Brownian motion: rolling hills, valleys like hills",
    "sharp crests that carry the detail, smooth hollows",
    "round hills, sharp valleys",
};

static const terrain_parameter noise_parameters[] = {
    TERRAIN__SEED(noise_params),
    TERRAIN__ENUM(noise_params, basis, TERRAIN_GENERATE_NOISE_BASIS_GRADIENT, noise_basis,
                  "The kind of noise in each octave, and its lattice."),
    TERRAIN__ENUM(noise_params, fractal, TERRAIN_GENERATE_NOISE_FRACTAL_FBM, noise_fractal,
                  "How octaves are summed."),
    TERRAIN__FLOAT(noise_params, period, "cells", 100, 1.0 / 1024, 16777216,
                   "Wavelength of the first octave: the size of its lattice cells."),
    TERRAIN__UINT32(noise_params, octaves, "", 8, 1, NOISE_OCTAVES,
                    "How many octaves; those with a wavelength below 2 cells are left out.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(noise_params, lacunarity, "", 2, 1, 16,
                   "Factor of the frequency from octave to octave."),
    TERRAIN__FLOAT(noise_params, gain, "", 0.5, 0, 2,
                   "Factor of the amplitude from octave to octave."),
    TERRAIN__FLOAT(noise_params, amplitude, "height", 44, -1e9, 1e9, "Height of the first octave."),
    TERRAIN__FLOAT(noise_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
    TERRAIN__FLOAT(noise_params, feedback, "", 2, 0, 100,
                   "How far down from the crests RIDGED has detail.",
                   TERRAIN__WHEN(fractal, 1u << TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED)),
    TERRAIN__FLOAT(noise_params, warp_amplitude, "cells", 0, 0, 65536,
                   "Domain warp: how far its first octave moves a position; 0: no warp."),
    TERRAIN__FLOAT(noise_params, warp_period, "cells", 200, 1.0 / 1024, 16777216,
                   "Domain warp: wavelength of its first octave."),
    TERRAIN__UINT32(
        noise_params, warp_octaves, "", 2, 1, NOISE_OCTAVES,
        "Domain warp: how many octaves, each with half the wavelength and half the amplitude.",
        .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__UINT32(noise_params, repeat_width, "cells", 0, 0, UINT32_MAX,
                    "The world repeats after so many cells in x; 0: never.",
                    .scaling = TERRAIN_SCALING_LATTICE),
    TERRAIN__UINT32(noise_params, repeat_height, "cells", 0, 0, UINT32_MAX,
                    "The world repeats after so many cells in y; 0: never.",
                    .scaling = TERRAIN_SCALING_LATTICE),
};

struct noise_job {
    struct noise_plan plan;
    struct noise_plan warp[2];              /* the noise that displaces places, in x and in y */
    struct noise_workspace *work;           /* one for each task */
    struct noise_warp_workspace *warp_work; /* one for each task; NULL without warp */
};

static const char *noise_check(const void *params)
{
    const noise_params *p = params;
    if (p->repeat_width == 1) {
        return "repeat_width must be 0 or at least 2";
    }
    if (p->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX && p->repeat_height != 0 &&
        p->repeat_height < 4) {
        return "repeat_height must be 0 or at least 4 with basis simplex";
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

void terrain__noise_set_step(struct noise_axis *axis, uint64_t step)
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

/* `frequency` is in lattice cells per cell, at most 1/2. A torus has a multiple of `unit` lattice
 * cells. */
static struct noise_axis noise_axis_of(double frequency, uint32_t repeat, uint32_t unit,
                                       uint64_t origin)
{
    struct noise_axis axis = {.origin = origin, .repeat = repeat};
    uint32_t units, most;
    if (repeat == 0) {
        terrain__noise_set_step(&axis, (uint64_t)(frequency * 0x1p64));
        return axis;
    }
    most = repeat / 2 / unit;
    units = (uint32_t)(frequency / unit * repeat + 0.5);
    axis.count = unit * (units < 1 ? 1 : units > most ? most : units);
    terrain__noise_set_step(&axis, noise_torus_step(axis.count, repeat));
    return axis;
}

/* The weights of a lattice point's gradient and value. */
struct noise_share {
    double length, level;
};

/* On squares, gradients of length 1 would bound their noise by sqrt(1/2), at the middle of a
 * lattice cell; on triangles by 32 / 81 sqrt(1/3), at the middle of an edge. */
static struct noise_share noise_share_of(uint32_t basis)
{
    struct noise_share share = {terrain__sqrt(2) * (2.0 / 3), 1 - 2.0 / 3};
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_PERLIN) {
        share = (struct noise_share){terrain__sqrt(2), 0};
    } else if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        share = (struct noise_share){terrain__sqrt(3) * (81.0 / 32), 0};
    } else if (basis == TERRAIN_GENERATE_NOISE_BASIS_VALUE) {
        share = (struct noise_share){0, 1};
    }
    return share;
}

static uint64_t noise_stream(const noise_params *p, uint32_t draw)
{
    return terrain__random_stream(p->seed, TERRAIN__KEY_generate_noise, draw);
}

/* `draw` is added to the numbers of the noise's draws. */
static struct noise_octave noise_octave_of(const noise_params *p, uint32_t draw, uint32_t index,
                                           double frequency, double weight)
{
    uint64_t origins = noise_stream(p, draw + TERRAIN__DRAW_NOISE_ORIGIN + index);
    struct noise_share share = noise_share_of(p->basis);
    double scale = p->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_FBM ? weight : 1;
    bool triangles = p->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX;
    double along = triangles ? frequency * (terrain__sqrt(3) / 2) : frequency;
    struct noise_octave octave;
    octave.x = noise_axis_of(along, p->repeat_width, 1, terrain__mix(origins, 0));
    octave.y =
        noise_axis_of(frequency, p->repeat_height, triangles ? 2 : 1, terrain__mix(origins, 1));
    octave.stream = noise_stream(p, draw + TERRAIN__DRAW_NOISE_NODE + index);
    octave.shifts = noise_stream(p, draw + TERRAIN__DRAW_NOISE_SHIFT + index);
    octave.sloped = share.length != 0;
    octave.length = (float)(share.length * scale);
    octave.level = (float)(share.level * scale);
    octave.weight = (float)weight;
    return octave;
}

static void noise_make_plan(struct noise_plan *plan, const noise_params *p, uint32_t draw)
{
    double frequency = 1 / (double)p->period;
    double weight = (double)p->amplitude;
    plan->basis = p->basis;
    plan->fractal = p->fractal;
    plan->staggered = p->basis == TERRAIN_GENERATE_NOISE_BASIS_GRADIENT ||
                      p->basis == TERRAIN_GENERATE_NOISE_BASIS_VALUE;
    plan->offset = p->offset;
    plan->feedback = p->feedback;
    while (plan->octave_count < p->octaves && frequency <= 0.5) {
        plan->octaves[plan->octave_count] =
            noise_octave_of(p, draw, plan->octave_count, frequency, weight);
        plan->octave_count++;
        frequency *= (double)p->lacunarity;
        weight *= (double)p->gain;
    }
}

/* The noise that displaces places along an axis. */
static noise_params noise_warp_params(const noise_params *p)
{
    noise_params warp = {.seed = p->seed};
    warp.period = p->warp_period;
    warp.octaves = p->warp_octaves;
    warp.lacunarity = 2;
    warp.gain = 0.5f;
    warp.amplitude = p->warp_amplitude;
    warp.repeat_width = p->repeat_width;
    warp.repeat_height = p->repeat_height;
    return warp;
}

static terrain_status noise_prepare(terrain__call *call)
{
    struct noise_job *job = call->job;
    const noise_params *p = call->params;
    uint32_t tasks = terrain__bands_of(call->target.height, NOISE_PATCH_HEIGHT).count;
    noise_make_plan(&job->plan, p, 0);
    job->work = terrain__scratch(call, tasks, sizeof *job->work);
    if (p->warp_amplitude != 0) {
        noise_params warp = noise_warp_params(p);
        noise_make_plan(&job->warp[0], &warp, TERRAIN__DRAW_NOISE_WARP_X);
        noise_make_plan(&job->warp[1], &warp, TERRAIN__DRAW_NOISE_WARP_Y);
        job->warp_work = terrain__scratch(call, tasks, sizeof *job->warp_work);
    }
    terrain__commit_cost(call, (p->warp_amplitude != 0 ? 1.3 : 0.3) * job->plan.octave_count);
    return TERRAIN_SUCCESS;
}

static void noise_do_patch(const terrain__call *call, const struct noise_patch *patch,
                           uint32_t index)
{
    const struct noise_job *job = call->job;
    const struct noise_kernels *kernels = terrain__noise_kernels(call->isa);
    const struct noise_warp_kernels *warp_kernels = terrain__noise_warp_kernels(call->isa);
    if (job->warp_work == NULL) {
        kernels->patch(&job->plan, patch);
    } else {
        struct noise_warp_workspace *work = job->warp_work + index;
        struct noise_patch displacements = *patch;
        displacements.cells = NULL;
        displacements.stream = false;
        for (uint32_t axis = 0; axis < 2; axis++) {
            kernels->patch(&job->warp[axis], &displacements);
            warp_kernels->displace(work, axis, &displacements);
        }
        warp_kernels->patch(&job->plan, patch, work);
    }
}

static void noise_row_of_patches(const terrain__call *call, struct noise_patch *patch, uint32_t y,
                                 uint32_t index)
{
    const struct noise_job *job = call->job;
    uint32_t most = job->warp_work != NULL ? NOISE_WARP_WIDTH : NOISE_PATCH_WIDTH;
    for (uint32_t x = 0; x < call->target.width; x += patch->width) {
        uint32_t left = call->target.width - x;
        patch->width = left < most ? left : most;
        patch->cells = call->target.cells + y * call->target.stride + x;
        patch->x = call->x + x;
        patch->y = call->y + y;
        noise_do_patch(call, patch, index);
    }
}

static void noise_band(terrain__call *call, uint32_t index)
{
    const struct noise_job *job = call->job;
    terrain__bands bands = terrain__bands_of(call->target.height, NOISE_PATCH_HEIGHT);
    uint32_t begin = terrain__band_begin(&bands, index);
    uint32_t end = terrain__band_end(&bands, index);
    uint32_t patches = terrain__divide_up(end - begin, NOISE_PATCH_HEIGHT);
    uint32_t even = terrain__divide_up(end - begin, patches);
    struct noise_patch patch = {.stride = call->target.stride, .work = job->work + index};
    patch.stream = terrain__should_stream(call->target.width, call->target.height);
    for (uint32_t y = begin; y < end; y += patch.height) {
        patch.height = end - y < even ? end - y : even;
        noise_row_of_patches(call, &patch, y, index);
    }
}

static terrain_status noise_run(terrain__call *call)
{
    return terrain__commit(call, terrain__bands_of(call->target.height, NOISE_PATCH_HEIGHT).count,
                           noise_band);
}

const terrain_operation terrain__generate_noise = {
    TERRAIN__IDENTITY(generate, noise),
    .result_version = 1,
    .summary = "Octaves of gradient, simplex or value noise: fBm, ridged, billow; warped.",
    .reference =
        "Perlin, Improving Noise, SIGGRAPH 2002; Ebert et al., Texturing and Modeling, 2002",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(noise_params),
    TERRAIN__PARAMETERS(noise_parameters),
    .job_size = sizeof(struct noise_job),
    .check = noise_check,
    .prepare = noise_prepare,
    .run = noise_run,
};

TERRAIN__PUBLIC_CHANGE(generate_noise)
