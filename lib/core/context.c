/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cpu.h"
#include "base/float_environment.h"
#include "core/given.h"

static const terrain_allocator context_default_allocator;

static const terrain_context_desc context_defaults = {.max_isa = TERRAIN_ISA_BEST};

static const terrain__given context_given = {
    .subject = "desc is",
    .name = "context_desc",
    .suffix = "",
    .tag = TERRAIN__TAG_CONTEXT,
    .flags = TERRAIN_CONTEXT_PARTIAL_RESULTS,
    .size = sizeof(terrain_context_desc),
    .reserved = offsetof(terrain_context_desc, reserved),
    .defaults = &context_defaults,
};

terrain_status terrain_context_desc_init(terrain_context_desc *desc, size_t size)
{
    return terrain__given_init(&context_given, desc, size);
}

static terrain_status context_check_desc(const terrain_context_desc *desc)
{
    if ((desc->allocator.allocate == NULL) != (desc->allocator.free == NULL)) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    if (desc->max_isa > TERRAIN_ISA_AVX512 && desc->max_isa != TERRAIN_ISA_BEST) {
        return TERRAIN_ERROR_RANGE;
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain_context_create(const terrain_context_desc *given, terrain_context **out)
{
    char fault[TERRAIN__FAULT_SIZE]; /* there is no context yet to tell it */
    terrain_context_desc full;
    const terrain_context_desc *desc = &full;
    terrain_context *context;
    uint32_t best = terrain__best_isa();
    if (out == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    *out = NULL;
    terrain_status status = terrain__given_take(&context_given, given, &full, fault);
    if (status == TERRAIN_SUCCESS) {
        status = context_check_desc(desc);
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (!terrain__build_is_sound()) {
        return TERRAIN_ERROR_BUILD;
    }
    context = terrain__allocate(&desc->allocator, sizeof *context, TERRAIN__ALIGNMENT);
    if (context == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memset(context, 0, sizeof *context);
    atomic_init(&context->busy, false);
    atomic_init(&context->cancelled, false);
    context->allocator = desc->allocator;
    context->pad.allocator = desc->allocator;
    context->room.allocator = desc->allocator;
    context->shelf.allocator = desc->allocator;
    context->runner = desc->runner;
    context->progress = desc->progress;
    context->flags = desc->flags;
    context->isa = desc->max_isa < best ? desc->max_isa : best;
    context->progress_to = 1;
    *out = context;
    return TERRAIN_SUCCESS;
}

/* Frees the memory that is kept from call to call. */
static void context_free_kept(terrain_context *context)
{
    terrain__scratchpad_free(&context->pad);
    terrain__room_free(&context->room);
    terrain__shelf_free(&context->shelf);
}

void terrain_context_destroy(terrain_context *context)
{
    terrain_allocator allocator;
    if (context == NULL) {
        return;
    }
    allocator = context->allocator;
    context_free_kept(context);
    terrain__free(&allocator, context, sizeof *context);
}

terrain_status terrain__context_enter(terrain_context *context)
{
    if (context == NULL) {
        return terrain__build_is_sound() ? TERRAIN_SUCCESS : TERRAIN_ERROR_BUILD;
    }
    if (atomic_exchange_explicit(&context->busy, true, memory_order_acquire)) {
        return TERRAIN_ERROR_BUSY;
    }
    context->message[0] = '\0';
    return TERRAIN_SUCCESS;
}

/* `out` points at a pointer of any type. */
terrain_status terrain__context_enter_making(terrain_context *context, const char *function,
                                             void *out)
{
    const void *const nothing = NULL;
    if (out != NULL) {
        memcpy(out, &nothing, sizeof nothing);
    }
    terrain_status status = terrain__context_enter(context);
    if (status == TERRAIN_SUCCESS && out == NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "%s: out is NULL", function);
        terrain__context_leave(context);
    }
    return status;
}

void terrain__context_leave(terrain_context *context)
{
    if (context != NULL) {
        atomic_store_explicit(&context->busy, false, memory_order_release);
    }
}

void terrain_context_trim(terrain_context *context)
{
    if (context != NULL && !atomic_exchange_explicit(&context->busy, true, memory_order_acquire)) {
        context_free_kept(context);
        terrain__context_leave(context);
    }
}

void terrain_context_cancel(terrain_context *context)
{
    if (context != NULL) {
        atomic_store_explicit(&context->cancelled, true, memory_order_relaxed);
    }
}

const char *terrain_context_message(const terrain_context *context)
{
    return context != NULL ? context->message : "";
}

uint32_t terrain_context_isa(const terrain_context *context)
{
    return context != NULL ? context->isa : terrain__best_isa();
}

const terrain_allocator *terrain__context_allocator(const terrain_context *context)
{
    return context != NULL ? &context->allocator : &context_default_allocator;
}

terrain__shelf *terrain__context_shelf(terrain_context *context)
{
    return context != NULL ? &context->shelf : NULL;
}

terrain__room *terrain__context_room(terrain_context *context)
{
    return context != NULL ? &context->room : NULL;
}

bool terrain__context_reserve(terrain_context *context, size_t scratch, size_t room)
{
    return context == NULL ||
           ((scratch == 0 || terrain__scratchpad_reserve(&context->pad, scratch)) &&
            terrain__room_reserve(&context->room, room));
}

void terrain__context_make_room(terrain_context *context, uint64_t bytes, uint64_t limit)
{
    if (context != NULL && limit > 0) {
        const uint64_t kept =
            context->pad.size + context->room.size + terrain__shelf_size(&context->shelf);
        if (bytes > limit || kept > limit - bytes) {
            context_free_kept(context);
        }
    }
}

terrain_status terrain__context_fail(terrain_context *context, terrain_status status,
                                     const char *format, ...)
{
    if (context != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(context->message, sizeof context->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

bool terrain__context_take_cancel(terrain_context *context)
{
    return context != NULL && atomic_load_explicit(&context->cancelled, memory_order_relaxed) &&
           atomic_exchange_explicit(&context->cancelled, false, memory_order_relaxed);
}

bool terrain__context_report(terrain_context *context, double fraction)
{
    terrain__float_environment host;
    double share;
    if (context == NULL || context->progress.report == NULL) {
        return true;
    }
    terrain__float_enter(&host);
    share = context->progress_from +
            (context->progress_to - context->progress_from) * (fraction < 1 ? fraction : 1);
    if (share > context->progress_to) { /* rounded up; the next share may be just progress_to */
        share = context->progress_to;
    }
    terrain__float_settle(&share);
    terrain__float_leave(&host);
    return context->progress.report(context->progress.user, share) == 0;
}

terrain_status terrain__context_end(terrain_context *context, terrain_status status)
{
    if (status == TERRAIN_SUCCESS) {
        (void)terrain__context_report(context, 1);
    }
    return status;
}
