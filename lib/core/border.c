/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/border.h"

const char *const terrain__border_names[4] = {"clamp", "mirror", "wrap", "open"};
