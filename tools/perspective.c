/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The land is drawn as triangles, from the farthest to the nearest: what is nearer covers what lies
 * behind it. Lengths are in cells; x goes to the east, y to the north, z up, from the block's
 * middle. */

#include "perspective.h"

#include <math.h>
#include <stdlib.h>

#include "tool.h"

enum {
    PERSPECTIVE_FINE = 3,  /* samples across and down a pixel, of which it is the mean */
    PERSPECTIVE_LOOKS = 64 /* across and down the land, to see how far away to stand */
};

/* Half the width that is seen, at a distance of 1. */
#define PERSPECTIVE_WIDE 0.35
/* How far the block goes on below the lowest land, by its longer side. */
#define PERSPECTIVE_GROUND 0.04
/* How much of the picture the block fills at most. */
#define PERSPECTIVE_FILLED 0.96

#define PERSPECTIVE_RADIANS 0.017453292519943295

static const float perspective_sky[2][3] = {{206, 220, 234}, {246, 248, 250}}; /* above, below */
static const float perspective_earth[3] = {134, 118, 102};
static const float perspective_water[3] = {58, 112, 158};

/* A corner of triangles: its place in the picture, in samples, and its colour. Where its height is
 * not finite, its place is NaN, and its triangles are left out. */
struct corner {
    float x, y;
    float colour[3];
};

/* What is drawn, from where, and into what. */
struct scene {
    const perspective_land *land;
    const float *heights;
    size_t stride;
    uint32_t step;                    /* of cells, only each step-th is a corner */
    uint32_t columns, rows;           /* of corners */
    double east, north;               /* half the block's width and height */
    double middle, rise;              /* z is (height - middle) * rise */
    double bottom;                    /* z of the block's lower side */
    double right[3], up[3], ahead[3]; /* of the viewer */
    double distance;                  /* from the block's middle */
    double x, y;                      /* where the block's middle is, in samples */
    double focus;                     /* samples that a length of 1 takes at a distance of 1 */
    uint32_t width, height;           /* in samples */
    unsigned char *samples;           /* red, green, blue */
    struct corner *row[2];            /* of corners: row j is in [j & 1]… */
    uint32_t row_of[2];               /* …if it is the one there */
};

static double perspective_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static unsigned char perspective_byte(float value)
{
    return (unsigned char)(value + 0.5f);
}

/* ---- The viewer ------------------------------------------------------------------------------ */

/* Turns to the block. */
static void perspective_turn(struct scene *scene, const perspective *view)
{
    const double azimuth = (double)view->azimuth * PERSPECTIVE_RADIANS;
    const double altitude = (double)view->altitude * PERSPECTIVE_RADIANS;
    const double level = cos(altitude);
    scene->ahead[0] = -sin(azimuth) * level;
    scene->ahead[1] = -cos(azimuth) * level;
    scene->ahead[2] = -sin(altitude);
    scene->right[0] = -cos(azimuth);
    scene->right[1] = sin(azimuth);
    scene->right[2] = 0;
    scene->up[0] = scene->right[1] * scene->ahead[2];
    scene->up[1] = -scene->right[0] * scene->ahead[2];
    scene->up[2] = scene->right[0] * scene->ahead[1] - scene->right[1] * scene->ahead[0];
}

static void perspective_project(const struct scene *scene, const double place[3],
                                struct corner *corner)
{
    const double scale = scene->focus / (scene->distance + perspective_dot(place, scene->ahead));
    corner->x = (float)(scene->x + perspective_dot(place, scene->right) * scale);
    corner->y = (float)(scene->y - perspective_dot(place, scene->up) * scale);
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* The samples from `low` to `high` whose middles lie between two places; none if *end <= *begin. */
static void perspective_between(float low, float high, uint32_t count, uint32_t *begin,
                                uint32_t *end)
{
    *begin = low > 0.5f ? low < (float)count ? (uint32_t)ceilf(low - 0.5f) : count : 0;
    *end = high >= 0.5f ? high < (float)count ? (uint32_t)(high + 0.5f) : count : 0;
}

static void perspective_fill(struct scene *scene, const struct corner *a, const struct corner *b,
                             const struct corner *c)
{
    const float area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
    uint32_t x0, x1, y0, y1;
    if (!(fabsf(area) > 0)) {
        return;
    }
    perspective_between(fminf(a->x, fminf(b->x, c->x)), fmaxf(a->x, fmaxf(b->x, c->x)),
                        scene->width, &x0, &x1);
    perspective_between(fminf(a->y, fminf(b->y, c->y)), fmaxf(a->y, fmaxf(b->y, c->y)),
                        scene->height, &y0, &y1);
    for (uint32_t y = y0; y < y1; y++) {
        unsigned char *sample = scene->samples + ((size_t)y * scene->width + x0) * 3;
        const float py = (float)y + 0.5f;
        for (uint32_t x = x0; x < x1; x++, sample += 3) {
            const float px = (float)x + 0.5f;
            const float v = ((c->x - px) * (a->y - py) - (c->y - py) * (a->x - px)) / area;
            const float w = ((a->x - px) * (b->y - py) - (a->y - py) * (b->x - px)) / area;
            const float u = 1 - v - w;
            if (u >= 0 && v >= 0 && w >= 0) {
                for (int k = 0; k < 3; k++) {
                    sample[k] =
                        perspective_byte(u * a->colour[k] + v * b->colour[k] + w * c->colour[k]);
                }
            }
        }
    }
}

/* A piece with four corners, a beside b and c. */
static void perspective_fill_piece(struct scene *scene, const struct corner *a,
                                   const struct corner *b, const struct corner *c,
                                   const struct corner *d)
{
    perspective_fill(scene, a, b, c);
    perspective_fill(scene, b, c, d);
}

/* ---- Places ---------------------------------------------------------------------------------- */

/* The cell that is corner i; the last cell always is one. */
static uint32_t perspective_cell(uint32_t i, uint32_t step, uint32_t cells)
{
    return (uint64_t)i * step < cells ? i * step : cells - 1;
}

/* Where corner (i, j) lies on the ground, and its height. */
static float perspective_ground(const struct scene *scene, uint32_t i, uint32_t j, double place[3])
{
    const uint32_t width = terrain_heightmap_width(scene->land->map);
    const uint32_t height = terrain_heightmap_height(scene->land->map);
    const uint32_t x = perspective_cell(i, scene->step, width);
    const uint32_t y = perspective_cell(j, scene->step, height);
    place[0] = x - scene->east;
    place[1] = scene->north - y;
    return scene->heights[y * scene->stride + x];
}

static double perspective_rise(const struct scene *scene, float height)
{
    return ((double)height - scene->middle) * scene->rise;
}

/* A height on the water, where there is some. */
static float perspective_surface(const struct scene *scene, float height)
{
    return scene->land->has_sea && height < scene->land->sea ? scene->land->sea : height;
}

/* ---- How far away ---------------------------------------------------------------------------- */

/* Puts the block into the middle of the picture; returns what share of that it fills, in the
 * direction where it is more. Looks at some of the corners all over the land, and below them. */
static double perspective_centre(struct scene *scene)
{
    float x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    scene->x = scene->y = 0;
    for (uint32_t k = 0; k < 2 * PERSPECTIVE_LOOKS * PERSPECTIVE_LOOKS; k++) {
        const uint64_t i = k / 2 % PERSPECTIVE_LOOKS, j = k / 2 / PERSPECTIVE_LOOKS;
        struct corner corner;
        double place[3];
        const float height = perspective_ground(
            scene, (uint32_t)(i * (scene->columns - 1) / (PERSPECTIVE_LOOKS - 1)),
            (uint32_t)(j * (scene->rows - 1) / (PERSPECTIVE_LOOKS - 1)), place);
        place[2] = k % 2 == 0 ? scene->bottom
                              : perspective_rise(scene, perspective_surface(scene, height));
        perspective_project(scene, place, &corner);
        x0 = fminf(x0, corner.x); /* passes over NaN */
        x1 = fmaxf(x1, corner.x);
        y0 = fminf(y0, corner.y);
        y1 = fmaxf(y1, corner.y);
    }
    scene->x = (scene->width - (double)x0 - (double)x1) / 2;
    scene->y = (scene->height - (double)y0 - (double)y1) / 2;
    return fmax((double)(x1 - x0) / scene->width, (double)(y1 - y0) / scene->height);
}

/* Goes so far away that the block fills the picture, but no nearer than twice its radius. */
static void perspective_stand(struct scene *scene)
{
    const double radius = sqrt(scene->east * scene->east + scene->north * scene->north +
                               scene->bottom * scene->bottom);
    double near = 2 * radius, far = 1e6 * radius;
    scene->focus = scene->width / (2 * PERSPECTIVE_WIDE);
    for (int i = 0; i < 60; i++) {
        scene->distance = (near + far) / 2;
        if (perspective_centre(scene) > PERSPECTIVE_FILLED) {
            near = scene->distance;
        } else {
            far = scene->distance;
        }
    }
    scene->distance = far;
    perspective_centre(scene);
}

/* ---- The land -------------------------------------------------------------------------------- */

/* The mean of the cells up to the next corners. */
static void perspective_mix(const struct scene *scene, uint32_t i, uint32_t j, float colour[3])
{
    const uint32_t width = terrain_heightmap_width(scene->land->map);
    const uint32_t height = terrain_heightmap_height(scene->land->map);
    const uint32_t x0 = perspective_cell(i, scene->step, width);
    const uint32_t y0 = perspective_cell(j, scene->step, height);
    float sum[3] = {0}, count = 0;
    for (uint32_t y = y0; y < height && y - y0 < scene->step; y++) {
        for (uint32_t x = x0; x < width && x - x0 < scene->step; x++, count++) {
            const unsigned char *cell = scene->land->colours + ((size_t)y * width + x) * 3;
            for (int k = 0; k < 3; k++) {
                sum[k] += cell[k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        colour[k] = sum[k] / count;
    }
}

static const struct corner *perspective_row(struct scene *scene, uint32_t j)
{
    struct corner *row = scene->row[j & 1];
    if (scene->row_of[j & 1] != j) {
        scene->row_of[j & 1] = j;
        for (uint32_t i = 0; i < scene->columns; i++) {
            double place[3];
            const float height = perspective_ground(scene, i, j, place);
            place[2] = perspective_rise(scene, perspective_surface(scene, height));
            perspective_project(scene, place, &row[i]);
            perspective_mix(scene, i, j, row[i].colour);
        }
    }
    return row;
}

/* Of `count` cells in a line, the k-th from the farthest to the nearest, if the viewer stands
 * before cell `at`: first those below it from the first on, then the others from the last on. */
static uint32_t perspective_order(uint32_t k, uint32_t count, uint32_t at)
{
    return k < at ? k : count - 1 - (k - at);
}

/* The cell before which the viewer stands, of those between `corners` corners. */
static uint32_t perspective_before(double place, double half, uint32_t step, uint32_t corners)
{
    const double cell = (place + half) / step;
    return cell > 0 ? cell < corners - 1 ? (uint32_t)cell : corners - 1 : 0;
}

static bool perspective_fill_land(struct scene *scene)
{
    const uint32_t column = perspective_before(-scene->ahead[0] * scene->distance, scene->east,
                                               scene->step, scene->columns);
    const uint32_t row = perspective_before(scene->ahead[1] * scene->distance, scene->north,
                                            scene->step, scene->rows);
    for (uint32_t l = 0; l + 1 < scene->rows; l++) {
        const uint32_t j = perspective_order(l, scene->rows - 1, row);
        const struct corner *upper = perspective_row(scene, j);
        const struct corner *lower = perspective_row(scene, j + 1);
        for (uint32_t k = 0; k + 1 < scene->columns; k++) {
            const uint32_t i = perspective_order(k, scene->columns - 1, column);
            perspective_fill_piece(scene, &upper[i], &upper[i + 1], &lower[i], &lower[i + 1]);
        }
        if (tool_is_interrupted()) {
            return false;
        }
    }
    return true;
}

/* ---- The sides ------------------------------------------------------------------------------- */

/* A wall between two corners of the block's edge: from the heights `upper` down to `lower`. */
static void perspective_fill_wall(struct scene *scene, double places[2][3], const double upper[2],
                                  const double lower[2], const float colour[3], float shade)
{
    struct corner corners[4];
    for (int i = 0; i < 4; i++) {
        places[i & 1][2] = i < 2 ? upper[i & 1] : lower[i & 1];
        perspective_project(scene, places[i & 1], &corners[i]);
        for (int k = 0; k < 3; k++) {
            corners[i].colour[k] = colour[k] * shade;
        }
    }
    perspective_fill_piece(scene, &corners[0], &corners[1], &corners[2], &corners[3]);
}

/* The side whose corners are (i, j) + k (di, dj): earth, and the water over it. */
static void perspective_fill_side(struct scene *scene, uint32_t i, uint32_t j, uint32_t di,
                                  uint32_t dj, float shade)
{
    const uint32_t count = di * scene->columns + dj * scene->rows;
    for (uint32_t k = 0; k + 1 < count; k++) {
        double places[2][3], surface[2], bed[2], bottom[2] = {scene->bottom, scene->bottom};
        for (uint32_t n = 0; n < 2; n++) {
            const float height =
                perspective_ground(scene, i + (k + n) * di, j + (k + n) * dj, places[n]);
            surface[n] = perspective_rise(scene, perspective_surface(scene, height));
            bed[n] = perspective_rise(scene, height);
            bed[n] = bed[n] < scene->bottom ? scene->bottom : bed[n];
        }
        perspective_fill_wall(scene, places, bed, bottom, perspective_earth, shade);
        perspective_fill_wall(scene, places, surface, bed, perspective_water, shade);
    }
}

/* Those that the viewer sees. They cover what is behind them, and not each other. */
static void perspective_fill_sides(struct scene *scene)
{
    const double x = -scene->ahead[0] * scene->distance, y = -scene->ahead[1] * scene->distance;
    if (y > scene->north) {
        perspective_fill_side(scene, 0, 0, 1, 0, 1.0f);
    }
    if (x < -scene->east) {
        perspective_fill_side(scene, 0, 0, 0, 1, 0.95f);
    }
    if (x > scene->east) {
        perspective_fill_side(scene, scene->columns - 1, 0, 0, 1, 0.82f);
    }
    if (y < -scene->north) {
        perspective_fill_side(scene, 0, scene->rows - 1, 1, 0, 0.74f);
    }
}

/* ---- The picture ----------------------------------------------------------------------------- */

static void perspective_fill_sky(struct scene *scene)
{
    unsigned char *sample = scene->samples;
    for (uint32_t y = 0; y < scene->height; y++) {
        const float t = (float)y / (float)scene->height;
        for (uint32_t x = 0; x < scene->width; x++, sample += 3) {
            for (int k = 0; k < 3; k++) {
                sample[k] = perspective_byte(perspective_sky[0][k] +
                                             t * (perspective_sky[1][k] - perspective_sky[0][k]));
            }
        }
    }
}

/* The means of samples. */
static void perspective_put(const struct scene *scene, const perspective *view,
                            unsigned char *picture)
{
    for (uint32_t y = 0; y < view->height; y++) {
        for (uint32_t x = 0; x < view->width; x++) {
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t sum = PERSPECTIVE_FINE * PERSPECTIVE_FINE / 2;
                for (uint32_t n = 0; n < PERSPECTIVE_FINE * PERSPECTIVE_FINE; n++) {
                    const size_t row = (size_t)y * PERSPECTIVE_FINE + n / PERSPECTIVE_FINE;
                    const size_t column = (size_t)x * PERSPECTIVE_FINE + n % PERSPECTIVE_FINE;
                    sum += scene->samples[(row * scene->width + column) * 3 + k];
                }
                *picture++ = (unsigned char)(sum / (PERSPECTIVE_FINE * PERSPECTIVE_FINE));
            }
        }
    }
}

/* How many corners a side of so many cells has. */
static uint32_t perspective_corners(uint32_t cells, uint32_t step)
{
    return (cells - 1) / step + 1 + ((cells - 1) % step != 0);
}

static void perspective_place(struct scene *scene, const perspective *view)
{
    const perspective_land *land = scene->land;
    const uint32_t width = terrain_heightmap_width(land->map);
    const uint32_t height = terrain_heightmap_height(land->map);
    const uint32_t longest = width > height ? width : height;
    const float low = perspective_surface(scene, land->range.low);
    const float high = perspective_surface(scene, land->range.high);
    /* Where cells are finer than samples all around, fewer corners show the same. */
    scene->step = 1 + (longest - 1) / scene->width;
    scene->columns = perspective_corners(width, scene->step);
    scene->rows = perspective_corners(height, scene->step);
    scene->east = (width - 1) * 0.5;
    scene->north = (height - 1) * 0.5;
    scene->middle = ((double)low + (double)high) / 2;
    scene->rise = (double)land->exaggeration / (double)terrain_heightmap_cell_size(land->map);
    scene->bottom = perspective_rise(scene, low) - PERSPECTIVE_GROUND * longest;
    perspective_turn(scene, view);
    perspective_stand(scene);
}

bool perspective_draw(const perspective *view, const perspective_land *land, unsigned char *picture)
{
    struct scene scene = {.land = land,
                          .heights = terrain_heightmap_const_data(land->map),
                          .stride = terrain_heightmap_stride(land->map),
                          .width = view->width * PERSPECTIVE_FINE,
                          .height = view->height * PERSPECTIVE_FINE,
                          .row_of = {UINT32_MAX, UINT32_MAX}};
    perspective_place(&scene, view);
    scene.samples = malloc((size_t)scene.width * scene.height * 3);
    scene.row[0] = malloc(scene.columns * sizeof *scene.row[0]);
    scene.row[1] = malloc(scene.columns * sizeof *scene.row[1]);
    bool done = scene.samples != NULL && scene.row[0] != NULL && scene.row[1] != NULL;
    if (done) {
        perspective_fill_sky(&scene);
        done = perspective_fill_land(&scene);
    }
    if (done) {
        perspective_fill_sides(&scene);
        perspective_put(&scene, view, picture);
    }
    free(scene.row[1]);
    free(scene.row[0]);
    free(scene.samples);
    return done;
}
