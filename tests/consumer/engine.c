/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A part of an engine, of which CMake makes a library that is called terrain, too. */

int engine_terrain(void);

int engine_terrain(void)
{
    return 1;
}
