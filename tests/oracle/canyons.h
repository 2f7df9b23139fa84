/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a piece of a canyon does to cells, for the oracles of both kinds. */

#ifndef ORACLE_CANYONS_H
#define ORACLE_CANYONS_H

#include <math.h>

#include "oracle/oracle.h"

typedef struct canyon_piece {
    double x[2], y[2], floor[2]; /* both ends */
    double half;
    double mark;
} canyon_piece;

typedef struct canyon_walls {
    double bank; /* by cell */
    double reach;
} canyon_walls;

static inline double canyon_distance(const canyon_piece *piece, double t, double x, double y)
{
    double dx = piece->x[0] + t * (piece->x[1] - piece->x[0]) - x;
    double dy = piece->y[0] + t * (piece->y[1] - piece->y[0]) - y;
    return sqrt(dx * dx + dy * dy);
}

static inline double canyon_cone(const canyon_piece *piece, const canyon_walls *walls, double t,
                                 double x, double y)
{
    double away = canyon_distance(piece, t, x, y) - piece->half;
    return piece->floor[0] + t * (piece->floor[1] - piece->floor[0]) +
           walls->bank * (away > 0 ? away : 0);
}

/* From (x, y) to the nearest place of the piece. */
static inline double canyon_away(const canyon_piece *piece, double x, double y)
{
    double dx = piece->x[1] - piece->x[0], dy = piece->y[1] - piece->y[0];
    double square = dx * dx + dy * dy;
    double t = square > 0 ? ((x - piece->x[0]) * dx + (y - piece->y[0]) * dy) / square : 0;
    return canyon_distance(piece, t < 0 ? 0 : t > 1 ? 1 : t, x, y);
}

/* The least cone, which is a convex function of the parameter from 0 to 1, by search. */
static inline double canyon_wall(const canyon_piece *piece, const canyon_walls *walls, double x,
                                 double y)
{
    double low = 0, high = 1;
    for (int k = 0; k < 50; k++) { /* (2 / 3)^50 is below 2^-29 */
        double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (canyon_cone(piece, walls, a, x, y) <= canyon_cone(piece, walls, b, x, y)) {
            high = b;
        } else {
            low = a;
        }
    }
    return canyon_cone(piece, walls, 0.5 * (low + high), x, y);
}

/* A piece that falls nearly as steeply as walls rise is its lower end. */
static inline void canyon_settle(canyon_piece *piece, const canyon_walls *walls)
{
    double length = hypot(piece->x[1] - piece->x[0], piece->y[1] - piece->y[0]);
    int low = piece->floor[1] < piece->floor[0];
    if (!(fabs(piece->floor[1] - piece->floor[0]) < 0.999 * walls->bank * length)) {
        piece->x[1 - low] = piece->x[low];
        piece->y[1 - low] = piece->y[low];
        piece->floor[1 - low] = piece->floor[low];
    }
}

static inline void canyon_carve(oracle_call *call, oracle_map *floors, canyon_piece piece,
                                const canyon_walls *walls)
{
    const double reach = walls->reach;
    double most = hypot(piece.x[1] - piece.x[0], piece.y[1] - piece.y[0]);
    canyon_settle(&piece, walls);
    piece.half = piece.half < reach ? piece.half : reach;
    most += reach;
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double x = (double)(i % call->map.width), y = (double)(i / call->map.width);
        double h = call->map.cells[i], wall, least, t;
        if (fabs(x - piece.x[0]) > most || fabs(y - piece.y[0]) > most) {
            continue;
        }
        t = canyon_away(&piece, x, y);
        if (floors->cells != NULL && t <= piece.half && piece.mark > floors->cells[i]) {
            floors->cells[i] = piece.mark;
        }
        if (t < reach) {
            wall = canyon_wall(&piece, walls, x, y);
            least = h - walls->bank * (reach * reach - t * t) / (2 * reach);
            wall = wall > least ? wall : least;
            call->result.cells[i] = wall < call->result.cells[i] ? wall : call->result.cells[i];
        }
    }
}

/* Before the first piece: the heights as they are, and no floors. */
static inline void canyon_begin(oracle_call *call, oracle_map *floors)
{
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        call->result.cells[i] = call->map.cells[i];
        if (floors->cells != NULL) {
            floors->cells[i] = 0;
        }
    }
}

#endif
