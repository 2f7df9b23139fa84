/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Compilers' extensions to C11, under one name each. */

#ifndef TERRAIN_BASE_COMPILER_H
#define TERRAIN_BASE_COMPILER_H

/* Stands behind a declaration: the parameter of number `text` is C11's format of what follows
 * from number `first` on. On Windows "printf" would mean the format of Microsoft's old library,
 * which has no %z. */
#if defined(__MINGW32__) && !defined(__clang__)
#define TERRAIN__PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define TERRAIN__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TERRAIN__PRINTF(text, first)
#endif

#endif
