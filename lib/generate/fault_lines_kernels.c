/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/fault_lines_kernels.h"

#include <stdbool.h>

#include "base/math.h"
#include "base/sine.h"
#include "vector/random.h"
#include "vector/vec.h"

/* ---- Lines ----------------------------------------------------------------------------------- */

/* As terrain__sin and terrain__cos, of angles from 0 to 2 pi. */
static void fault_lines_draw(const struct fault_lines_drawing *drawing, const uint64_t *index,
                             uint32_t count, double *normal_x, double *normal_y, double *offset)
{
    const struct fault_lines_drawing d = *drawing;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        const double angle = 2 * TERRAIN__PI * terrain__unit_double(d.first, index[i]);
        const int32_t quarters = (int32_t)(angle * (2.0 / TERRAIN__PI) + 0.5);
        const double rest = terrain__less_quarters(angle, (double)quarters);
        const double s = terrain__sine_series(rest), c = terrain__cosine_series(rest);
        const double x = (quarters & 1) != 0 ? s : c, y = (quarters & 1) != 0 ? c : s;
        normal_x[i] = ((quarters + 1) & 2) != 0 ? -x : x;
        normal_y[i] = (quarters & 2) != 0 ? -y : y;
        offset[i] = d.radius * (2 * terrain__unit_double(d.second, index[i]) - 1);
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* The first column beyond the line. Adding and subtracting 1.5 * 2^52 rounds to an integer; it must
 * happen before the strip's place comes in, so that every strip sees the same crossing. */
static inline int32_t fault_lines_column(const struct fault_lines_crossing *line, double y,
                                         const struct fault_lines_columns *columns)
{
    const double rounding = 0x1.8p52;
    double x = line->start + line->slope * y;
    x = x < columns->low ? columns->low : x;
    x = x > columns->high ? columns->high : x;
    return (int32_t)((x + rounding) - (rounding + columns->first));
}

static uint32_t fault_lines_find(uint32_t *active, const struct fault_lines_crossing *lines,
                                 uint32_t count, double y0, double y1,
                                 const struct fault_lines_columns *columns, int32_t *start)
{
    int32_t last = (int32_t)columns->width;
    uint32_t found = 0;
    int32_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t a = fault_lines_column(&lines[i], y0, columns);
        int32_t b = fault_lines_column(&lines[i], y1, columns);
        bool passes_left = a <= 0 && b <= 0;
        bool passes_right = a >= last && b >= last;
        sum += passes_left ? lines[i].jump : 0;
        active[found] = i;
        found += !passes_left && !passes_right;
    }
    *start += sum;
    return found;
}

static void fault_lines_cross(int32_t *differences, size_t stride,
                              const struct fault_lines_crossing *lines, const uint32_t *active,
                              uint32_t count, const double y[FAULT_LINES_PATCH],
                              const struct fault_lines_columns *columns)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct fault_lines_crossing *line = &lines[active[i]];
        int32_t jump = line->jump;
        int32_t column[FAULT_LINES_PATCH];
        TERRAIN__ROLLED
        for (uint32_t k = 0; k < FAULT_LINES_PATCH; k++) {
            column[k] = fault_lines_column(line, y[k], columns);
        }
        for (uint32_t k = 0; k < FAULT_LINES_PATCH; k++) {
            differences[k * stride + (uint32_t)column[k]] += jump;
        }
    }
}

static void fault_lines_integrate(float *out, int32_t *differences, const int32_t *heights,
                                  uint32_t width, int32_t start, float unit)
{
    vint sum = vi_set(start);
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        vint change = vi_scan(vi_load(differences + i));
        vint height = sum + change;
        sum += vi_last(change);
        vi_store(differences + i, vi_set(0));
        if (heights != NULL) {
            height += vi_load(heights + i);
        }
        vf_store_up_to(out + i, vf_from_int(height) * vf_set(unit), width - i);
    }
    differences[width] = 0;
}

/* ---- Profiles -------------------------------------------------------------------------------- */

/* sin(pi/2 s) for |s| <= 1; error below 2e-7, and exactly 1 at 1. */
static inline vfloat fault_lines_sine_of(vfloat s)
{
    vfloat q = s * s;
    vfloat r = vf_set(0.00015167512f);
    r = r * q + vf_set(-0.0046741506f);
    r = r * q + vf_set(0.07968992f);
    r = r * q + vf_set(-0.6459638f);
    r = r * q + vf_set(1.5707964f);
    return r * s;
}

/* 2^z for -30 < z <= 0; error below 2e-7. */
static inline vfloat fault_lines_exp2(vfloat z)
{
    vfloat whole = vf_floor(z);
    vfloat f = z - whole;
    vfloat r = vf_set(0.0018951073f);
    r = r * f + vf_set(0.008946215f);
    r = r * f + vf_set(0.055863284f);
    r = r * f + vf_set(0.24014077f);
    r = r * f + vf_set(0.69315463f);
    r = r * f + vf_set(0.9999999f);
    return vf_from_bits(vf_bits(r) + (vu_from_bits(vi_from_float(whole)) << 23));
}

/* sin(pi/2 s), and the sign of s from |s| = 1 on. */
static inline vfloat fault_lines_sine_profile(vfloat s)
{
    vfloat far = vf_flip_sign(vf_set(1), vf_bits(s));
    return vf_select(vf_less(vf_abs(s), vf_set(1)), fault_lines_sine_of(s), far);
}

/* (1 + cos(pi s)) / 2 = sin^2(pi/2 (1 - |s|)), and 0 from |s| = 1 on. */
static inline vfloat fault_lines_cosine_profile(vfloat s)
{
    vfloat inward = vf_set(1) - vf_abs(s);
    vfloat root = fault_lines_sine_of(vf_max(inward, vf_set(0)));
    return root * root;
}

/* exp(-(6 s)^2 / 2), and 0 from |s| = 1 on. */
static inline vfloat fault_lines_bell_profile(vfloat s)
{
    vmask near = vf_less(vf_abs(s), vf_set(1));
    vfloat z = vf_select(near, s * s, vf_set(0)) * vf_set(-25.968511f); /* -18 / ln 2 */
    return vf_select(near, fault_lines_exp2(z), vf_set(0));
}

#define FAULT_LINES_PROFILE(name)                                                                  \
    static void fault_lines_##name(int32_t *heights, const struct fault_lines_span *span)          \
    {                                                                                              \
        vuint column = vu_set(span->first) + vu_lane();                                            \
        for (uint32_t i = 0; i < span->count; i += VEC_LANES) {                                    \
            vfloat at = vf_from_int(vi_from_bits(column));                                         \
            vfloat s = vf_set(span->distance) + vf_set(span->step) * at;                           \
            vfloat height = vf_set(span->displacement) * fault_lines_##name##_profile(s);          \
            vi_store(heights + i, vi_load(heights + i) + vi_from_float(height));                   \
            column += vu_set(VEC_LANES);                                                           \
        }                                                                                          \
    }

FAULT_LINES_PROFILE(sine)
FAULT_LINES_PROFILE(cosine)
FAULT_LINES_PROFILE(bell)

const struct fault_lines_kernels TERRAIN__KERNELS(fault_lines) = {
    fault_lines_draw,   fault_lines_find, fault_lines_cross,     fault_lines_sine,
    fault_lines_cosine, fault_lines_bell, fault_lines_integrate,
};
