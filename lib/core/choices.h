/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The values of the enums that several operations share, for TERRAIN__ENUM. */

#ifndef TERRAIN_CORE_CHOICES_H
#define TERRAIN_CORE_CHOICES_H

#include "terrain/operation.h"

extern const char *const terrain__border_names[4], *const terrain__border_docs[4];
extern const char *const terrain__metric_names[4], *const terrain__metric_docs[4];
extern const char *const terrain__rim_names[2], *const terrain__rim_docs[2];
extern const char *const terrain__routing_names[3], *const terrain__routing_docs[3];
extern const char *const terrain__stitch_curve_names[3], *const terrain__stitch_curve_docs[3];

/* Why a rim can't be had in a world, or NULL if it can. */
const char *terrain__rim_endless(uint32_t rim);

#endif
