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
#include <stdexcept>
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

#endif

} // namespace terrain

#endif
