/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Image files from a fuzzer's bytes. */

#ifndef TEST_FUZZ_IMAGES_H
#define TEST_FUZZ_IMAGES_H

#include <stddef.h>
#include <stdint.h>

/* Reads the bytes as a file of a type: 0 PNG, 1 TIFF, 2 16-bit raw, 3 32-bit raw, 4 PFM. */
void fuzz_image(uint32_t type, const uint8_t *data, size_t size);

#endif
