/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* libterrain from C++11: handles that free themselves, structs that begin with their defaults, and
 * errors as exceptions for those who want them. All else is the C interface, which this header
 * includes and neither hides nor repeats:
 *
 *     terrain::heightmap map;
 *     terrain::check(terrain_heightmap_create(nullptr, 512, 512, terrain::out(map)));
 *     auto faults = terrain::defaults(terrain_generate_fault_lines_params_init);
 *     faults.seed = 7;
 *     terrain::check(terrain_generate_fault_lines(nullptr, map.get(), &faults));
 *
 * Only headers; works with and without exceptions and run-time type information. */

#ifndef TERRAIN_TERRAIN_HPP
#define TERRAIN_TERRAIN_HPP

#include <terrain/terrain.h>

#include <cstddef>
#include <memory>

#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define TERRAIN_CPP_EXCEPTIONS 1
#include <exception>
#include <functional>
#include <stdexcept>
#include <utility>
#endif

namespace terrain
{

/* ---- Handles -------------------------------------------------------------------------------- */

struct deleter {
    void operator()(terrain_context *context) const noexcept
    {
        terrain_context_destroy(context);
    }
    void operator()(terrain_heightmap *map) const noexcept
    {
        terrain_heightmap_destroy(map);
    }
    void operator()(terrain_pool *pool) const noexcept
    {
        terrain_pool_destroy(pool);
    }
    void operator()(terrain_recipe *recipe) const noexcept
    {
        terrain_recipe_destroy(recipe);
    }
    void operator()(terrain_recipe_plan *plan) const noexcept
    {
        terrain_recipe_plan_destroy(plan);
    }
    void operator()(terrain_score *score) const noexcept
    {
        terrain_score_destroy(score);
    }
    void operator()(terrain_statistics *statistics) const noexcept
    {
        terrain_statistics_destroy(statistics);
    }
    void operator()(terrain_world *world) const noexcept
    {
        terrain_world_destroy(world);
    }
};

/* Each owns one object, or none; get() gives it to the C functions. A heightmap that wraps or views
 * the host's cells frees the handle, never the cells. */
using context = std::unique_ptr<terrain_context, deleter>;
using heightmap = std::unique_ptr<terrain_heightmap, deleter>;
using pool = std::unique_ptr<terrain_pool, deleter>;
using recipe = std::unique_ptr<terrain_recipe, deleter>;
using recipe_plan = std::unique_ptr<terrain_recipe_plan, deleter>;
using score = std::unique_ptr<terrain_score, deleter>;
using statistics = std::unique_ptr<terrain_statistics, deleter>;
using world = std::unique_ptr<terrain_world, deleter>;

/* What out() returns. */
template <typename Object> class out_pointer
{
  public:
    out_pointer(std::unique_ptr<Object, deleter> &handle) noexcept
        : handle_(handle), object_(nullptr)
    {
    }
    out_pointer(const out_pointer &) = delete;
    out_pointer &operator=(const out_pointer &) = delete;
    ~out_pointer()
    {
        handle_.reset(object_);
    }
    operator Object **() noexcept
    {
        return &object_;
    }

  private:
    std::unique_ptr<Object, deleter> &handle_;
    Object *object_;
};

/* The last argument of a C function that creates something, which the handle owns from the end of
 * the whole expression on, not yet in the rest of it. What it owned before is freed then. If the
 * call fails, the handle is empty. */
template <typename Object>
out_pointer<Object> out(std::unique_ptr<Object, deleter> &handle) noexcept
{
    return {handle};
}

/* ---- Structs -------------------------------------------------------------------------------- */

/* A struct as its init function leaves it: the documented defaults. If the library that is running
 * knows no struct of that size, its functions refuse the result with ARGUMENT. */
template <typename Struct> Struct defaults(terrain_status (*init)(Struct *, std::size_t)) noexcept
{
    Struct result = Struct();
    (void)init(&result, sizeof result);
    return result;
}

/* ---- Errors --------------------------------------------------------------------------------- */

#ifdef TERRAIN_CPP_EXCEPTIONS

/* what() is the context's sentence about the call, or the status' name if there is none. */
class error : public std::runtime_error
{
  public:
    error(terrain_status status, const char *text) : std::runtime_error(text), status_(status)
    {
    }
    terrain_status status() const noexcept
    {
        return status_;
    }

  private:
    terrain_status status_;
};

/* Throws an error if a call failed. `used` is the context that the call was given. */
inline void check(terrain_status status, const terrain_context *used = nullptr)
{
    if (status != TERRAIN_SUCCESS) {
        const char *message = terrain_context_message(used);
        throw error(status, message[0] != '\0' ? message : terrain_status_name(status));
    }
}

inline void check(terrain_status status, const context &used)
{
    check(status, used.get());
}

/* ---- Callbacks ------------------------------------------------------------------------------ */

/* An exception must not leave a callback: the library is C, and would never come back to free its
 * memory and release the context, which would be busy for ever. A guard is a callback that may
 * throw. It keeps the exception, ends the call as the callback's return value would, and throws it
 * again from check():
 *
 *     terrain::progress_guard progress([&](double fraction) { return window.draw(fraction); });
 *     auto desc = terrain::defaults(terrain_context_desc_init);
 *     desc.progress = progress.get();
 *     ...
 *     terrain::check(terrain_erode_thermal(context.get(), map.get(), nullptr), context, progress);
 *
 * A guard lies at one place, and outlives the context that has it. Allocators are not to throw: they
 * return nullptr. */
class guard
{
  public:
    guard(const guard &) = delete;
    guard &operator=(const guard &) = delete;

    /* Throws what the callback has thrown since the last time, if it has. */
    void rethrow()
    {
        std::exception_ptr thrown;
        std::swap(thrown, thrown_);
        if (thrown) {
            std::rethrow_exception(thrown);
        }
    }

  protected:
    guard() = default;
    ~guard() = default;

    /* Nonzero, for the library: the callback wants to end the call, or has thrown. */
    template <typename Callback> int32_t call(const Callback &callback) noexcept
    {
        try {
            return callback() ? 0 : 1;
        } catch (...) {
            if (!thrown_) {
                thrown_ = std::current_exception();
            }
            return 1;
        }
    }

  private:
    std::exception_ptr thrown_;
};

/* The function gets the share that is done. False, or an exception, cancels the call. */
class progress_guard : public guard
{
  public:
    explicit progress_guard(std::function<bool(double)> function) : function_(std::move(function))
    {
    }
    terrain_progress get() noexcept
    {
        terrain_progress progress = {};
        progress.user = this;
        progress.report = report;
        return progress;
    }

  private:
    static int32_t report(void *user, double fraction) noexcept
    {
        progress_guard *self = static_cast<progress_guard *>(user);
        return self->call([=] { return self->function_(fraction); });
    }
    std::function<bool(double)> function_;
};

/* The function calls the task, which never throws, for each index below count, and returns when all
 * are done. An exception of its own ends the call with TERRAIN_ERROR_RUNNER; no task may still run
 * then. */
class runner_guard : public guard
{
  public:
    using task = std::function<void(uint32_t index)>;
    explicit runner_guard(std::function<void(uint32_t count, const task &)> function)
        : function_(std::move(function))
    {
    }
    terrain_runner get() noexcept
    {
        terrain_runner runner = {};
        runner.user = this;
        runner.run = run;
        return runner;
    }

  private:
    static int32_t run(void *user, uint32_t count, void (*work)(void *job, uint32_t index),
                       void *job) noexcept
    {
        runner_guard *self = static_cast<runner_guard *>(user);
        return self->call([=] {
            self->function_(count, [=](uint32_t index) { work(job, index); });
            return true;
        });
    }
    std::function<void(uint32_t, const task &)> function_;
};

/* Throws what the guard's callback has thrown; otherwise as the other check. */
inline void check(terrain_status status, const context &used, guard &callback)
{
    callback.rethrow();
    check(status, used.get());
}

#endif

} // namespace terrain

#endif
