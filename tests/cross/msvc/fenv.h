/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#pragma once

typedef struct {
    unsigned long control, status;
} fenv_t;
extern const fenv_t *const msvc_default_environment;
#define FE_DFL_ENV msvc_default_environment

int feholdexcept(fenv_t *);
int fegetenv(fenv_t *);
int fesetenv(const fenv_t *);
