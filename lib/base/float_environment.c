/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "base/float_environment.h"

#if defined(__GNUC__)
/* Not inlined even by link-time optimisation, and a barrier for memory where they are. */
#if defined(__clang__)
#define OPAQUE __attribute__((noinline, optnone))
#else
#define OPAQUE __attribute__((noinline, noipa))
#endif
#else
#define OPAQUE
#endif

#if defined(__GNUC__) && defined(TERRAIN__FLOAT_X86)

static uint64_t read_control(void)
{
    uint32_t mxcsr;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr) : : "memory");
    return mxcsr;
}

static void write_control(uint64_t value)
{
    uint32_t mxcsr = (uint32_t)value;
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
}

/* Every trap masked, to nearest, neither FTZ nor DAZ, no flags. */
#define DEFAULT_CONTROL 0x1F80

#elif defined(__GNUC__) && defined(__aarch64__)

static uint64_t read_control(void)
{
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr) : : "memory");
    return fpcr;
}

static void write_control(uint64_t value)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(value) : "memory");
}

#define DEFAULT_CONTROL 0

#elif defined(__GNUC__) && defined(__arm__) && defined(__VFP_FP__)

static uint64_t read_control(void)
{
    uint32_t fpscr;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(fpscr) : : "memory");
    return fpscr;
}

static void write_control(uint64_t value)
{
    __asm__ volatile("vmsr fpscr, %0" : : "r"((uint32_t)value) : "memory");
}

#define DEFAULT_CONTROL 0

#elif defined(__GNUC__) && defined(__s390x__)

static uint64_t read_control(void)
{
    uint32_t fpc;
    __asm__ volatile("efpc %0" : "=d"(fpc) : : "memory");
    return fpc;
}

static void write_control(uint64_t value)
{
    __asm__ volatile("sfpc %0" : : "d"((uint32_t)value) : "memory");
}

#define DEFAULT_CONTROL 0

#endif

#ifdef DEFAULT_CONTROL

OPAQUE void terrain__float_enter(terrain__float_environment *saved)
{
    *saved = read_control();
    write_control(DEFAULT_CONTROL);
}

OPAQUE void terrain__float_leave(const terrain__float_environment *saved)
{
    write_control(*saved);
}

#else

OPAQUE void terrain__float_enter(terrain__float_environment *saved)
{
    fegetenv(saved);
    fesetenv(FE_DFL_ENV);
}

OPAQUE void terrain__float_leave(const terrain__float_environment *saved)
{
    fesetenv(saved);
}

#endif
