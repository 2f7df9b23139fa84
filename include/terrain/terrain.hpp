/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* libterrain from C++11: handles that free themselves, structs that begin with their defaults, rows
 * as spans, and errors as exceptions for those who want them. All else is the C interface, which
 * this header includes and neither hides nor repeats:
 *
 *     auto map = terrain::make_heightmap(nullptr, 512, 512);
 *     auto faults = terrain::defaults(terrain_generate_fault_lines_params_init);
 *     faults.seed = 7;
 *     terrain::check(terrain_generate_fault_lines(nullptr, map.get(), &faults));
 *     float height = map(100, 50);
 *
 * Only headers; works with and without exceptions and run-time type information. */

#ifndef TERRAIN_TERRAIN_HPP
#define TERRAIN_TERRAIN_HPP

#include <terrain/terrain.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <utility>

/* Functions that differ by whether there are exceptions lie in an inline namespace for each, so that
 * modules of both kinds can be parts of one program. */
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS) || defined(_CPPUNWIND)
#define TERRAIN_CPP_EXCEPTIONS 1
#define TERRAIN_CPP_KIND with_exceptions
#include <exception>
#include <functional>
#include <stdexcept>
#else
#define TERRAIN_CPP_KIND without_exceptions
#endif

/* MSVC says the standard in its own macro unless it is asked to. */
#if defined(_MSVC_LANG)
#define TERRAIN_CPP_STANDARD _MSVC_LANG
#else
#define TERRAIN_CPP_STANDARD __cplusplus
#endif

#if TERRAIN_CPP_STANDARD >= 201703L
#define TERRAIN_CPP_NODISCARD [[nodiscard]]
#if __has_include(<memory_resource>)
#define TERRAIN_CPP_PMR 1
#include <memory_resource>
#endif
#else
#define TERRAIN_CPP_NODISCARD
#endif

#if TERRAIN_CPP_STANDARD >= 202002L && __has_include(<span>)
#define TERRAIN_CPP_SPAN 1
#include <span>
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

/* Each handle owns one object, or none; get() returns the object for C functions. */
using context = std::unique_ptr<terrain_context, deleter>;
using pool = std::unique_ptr<terrain_pool, deleter>;
using recipe = std::unique_ptr<terrain_recipe, deleter>;
using recipe_plan = std::unique_ptr<terrain_recipe_plan, deleter>;
using score = std::unique_ptr<terrain_score, deleter>;
using statistics = std::unique_ptr<terrain_statistics, deleter>;
using world = std::unique_ptr<terrain_world, deleter>;

/* The cells of a row, of float or const float. Where there is std::span, one can be made of it, and
 * algorithms over ranges take it. */
template <typename Cell> class row_span
{
  public:
    row_span(Cell *data, std::size_t size) noexcept : data_(data), size_(size)
    {
    }
    Cell *data() const noexcept
    {
        return data_;
    }
    std::size_t size() const noexcept
    {
        return size_;
    }
    Cell *begin() const noexcept
    {
        return data_;
    }
    Cell *end() const noexcept
    {
        return data_ + size_;
    }
    Cell &operator[](std::size_t x) const noexcept
    {
        return data_[x];
    }

  private:
    Cell *data_;
    std::size_t size_;
};

/* A handle of a map. The cells of a const heightmap are const. A map that wraps or views the host's
 * cells frees the map, never the cells. If a map wraps const memory, or is empty, use only a const
 * heightmap to read its cells. Rows and columns count from 0. */
class heightmap
{
  public:
    heightmap() noexcept = default;
    heightmap(std::nullptr_t) noexcept
    {
    }
    explicit heightmap(terrain_heightmap *map) noexcept : owned_(map)
    {
    }

    terrain_heightmap *get() noexcept
    {
        return owned_.get();
    }
    const terrain_heightmap *get() const noexcept
    {
        return owned_.get();
    }
    terrain_heightmap *release() noexcept
    {
        return owned_.release();
    }
    void reset(terrain_heightmap *map = nullptr) noexcept
    {
        owned_.reset(map);
    }
    explicit operator bool() const noexcept
    {
        return owned_ != nullptr;
    }

    uint32_t width() const noexcept
    {
        return terrain_heightmap_width(get());
    }
    uint32_t height() const noexcept
    {
        return terrain_heightmap_height(get());
    }
    row_span<float> row(uint32_t y) noexcept
    {
        return {terrain_heightmap_data(get()) + y * terrain_heightmap_stride(get()), width()};
    }
    row_span<const float> row(uint32_t y) const noexcept
    {
        return {terrain_heightmap_const_data(get()) + y * terrain_heightmap_stride(get()), width()};
    }
    float &operator()(uint32_t x, uint32_t y) noexcept
    {
        return row(y)[x];
    }
    const float &operator()(uint32_t x, uint32_t y) const noexcept
    {
        return row(y)[x];
    }

  private:
    std::unique_ptr<terrain_heightmap, deleter> owned_ = nullptr;
};

inline bool operator==(const heightmap &map, std::nullptr_t) noexcept
{
    return !map;
}
inline bool operator!=(const heightmap &map, std::nullptr_t) noexcept
{
    return static_cast<bool>(map);
}

/* What out() returns. */
template <typename Handle, typename Object> class out_pointer
{
  public:
    out_pointer(Handle &handle) noexcept : handle_(handle), object_(nullptr)
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
    Handle &handle_;
    Object *object_;
};

/* Passes a handle as the last argument of a C function that creates an object. At the end of the
 * whole expression, not before, the handle takes the new object and frees its old one. If the call
 * fails, the handle is empty. */
template <typename Object>
out_pointer<std::unique_ptr<Object, deleter>, Object>
out(std::unique_ptr<Object, deleter> &handle) noexcept
{
    return {handle};
}
inline out_pointer<heightmap, terrain_heightmap> out(heightmap &map) noexcept
{
    return {map};
}

/* ---- Structs -------------------------------------------------------------------------------- */

/* Returns a struct with the documented defaults, as its init function writes them. If the library
 * that is running knows no struct of that size, its functions refuse the result with ARGUMENT. */
template <typename Struct>
TERRAIN_CPP_NODISCARD Struct defaults(terrain_status (*init)(Struct *, std::size_t)) noexcept
{
    Struct result = Struct();
    (void)init(&result, sizeof result);
    return result;
}

#ifdef TERRAIN_CPP_PMR
inline namespace TERRAIN_CPP_KIND
{
/* An allocator for a context's desc that takes its memory from a memory resource. The resource must
 * outlive the context and everything that the context makes. */
inline terrain_allocator allocator_of(std::pmr::memory_resource &resource) noexcept
{
    constexpr std::size_t alignment = 64; /* the library never asks for more */
    terrain_allocator allocator = {};
    allocator.user = &resource;
    allocator.allocate = [](void *user, std::size_t size, std::size_t) noexcept -> void * {
#ifdef TERRAIN_CPP_EXCEPTIONS
        try {
            return static_cast<std::pmr::memory_resource *>(user)->allocate(size, alignment);
        } catch (...) {
            return nullptr;
        }
#else
        return static_cast<std::pmr::memory_resource *>(user)->allocate(size, alignment);
#endif
    };
    allocator.free = [](void *user, void *pointer, std::size_t size) noexcept {
        static_cast<std::pmr::memory_resource *>(user)->deallocate(pointer, size, alignment);
    };
    return allocator;
}
} // namespace TERRAIN_CPP_KIND
#endif

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

/* Throws an error if a call failed. `used` is the context that the call was given; the message of
 * one that is busy may be another thread's, and is not read. (Engines have macros of this name: in
 * parentheses, as in (terrain::check)(status), it is none that takes arguments.) */
inline void(check)(terrain_status status, const terrain_context *used = nullptr)
{
    if (status != TERRAIN_SUCCESS) {
        const char *message = status == TERRAIN_ERROR_BUSY
                                  ? "the context or the world is in use, by another thread or "
                                    "further up the stack"
                                  : terrain_context_message(used);
        throw error(status, message[0] != '\0' ? message : terrain_status_name(status));
    }
}

inline void(check)(terrain_status status, const context &used)
{
    (check)(status, used.get());
}

#endif

/* ---- Factories ------------------------------------------------------------------------------ */

/* A context, or nullptr for none, as the factories take it. */
class context_pointer
{
  public:
    context_pointer(std::nullptr_t) noexcept : context_(nullptr)
    {
    }
    context_pointer(terrain_context *used) noexcept : context_(used)
    {
    }
    context_pointer(const context &used) noexcept : context_(used.get())
    {
    }
    operator terrain_context *() const noexcept
    {
        return context_;
    }

  private:
    terrain_context *context_;
};

inline namespace TERRAIN_CPP_KIND
{

/* Ends a factory: throws if `status` is not success. Without exceptions the handle is empty then,
 * and the context's message says why. */
template <typename Handle>
Handle made(Handle handle, terrain_status status, const terrain_context *used)
{
#ifdef TERRAIN_CPP_EXCEPTIONS
    (check)(status, used);
#else
    (void)status;
    (void)used;
#endif
    return handle;
}

TERRAIN_CPP_NODISCARD inline context make_context(const terrain_context_desc *desc = nullptr)
{
    context result;
    const terrain_status status = terrain_context_create(desc, out(result));
    return made(std::move(result), status, nullptr);
}

TERRAIN_CPP_NODISCARD inline context make_context(const terrain_context_desc &desc)
{
    return make_context(&desc);
}

TERRAIN_CPP_NODISCARD inline heightmap make_heightmap(context_pointer used, uint32_t width,
                                                      uint32_t height)
{
    heightmap result;
    const terrain_status status = terrain_heightmap_create(used, width, height, out(result));
    return made(std::move(result), status, used);
}

/* A map of the host's cells, with `stride` floats from row to row. */
TERRAIN_CPP_NODISCARD inline heightmap wrap(context_pointer used, float *data, uint32_t width,
                                            uint32_t height, std::size_t stride)
{
    heightmap result;
    const terrain_status status =
        terrain_heightmap_wrap(used, data, width, height, stride, out(result));
    return made(std::move(result), status, used);
}

/* A map of const cells: use only a const heightmap of it. */
TERRAIN_CPP_NODISCARD inline heightmap wrap_const(context_pointer used, const float *data,
                                                  uint32_t width, uint32_t height,
                                                  std::size_t stride)
{
    heightmap result;
    const terrain_status status =
        terrain_heightmap_wrap_const(used, data, width, height, stride, out(result));
    return made(std::move(result), status, used);
}

/* A map of a rectangle of another map's cells, which must outlive it. */
TERRAIN_CPP_NODISCARD inline heightmap view(context_pointer used, heightmap &map, uint32_t x,
                                            uint32_t y, uint32_t width, uint32_t height)
{
    heightmap result;
    const terrain_status status =
        terrain_heightmap_view(used, map.get(), x, y, width, height, out(result));
    return made(std::move(result), status, used);
}

TERRAIN_CPP_NODISCARD inline heightmap clone(context_pointer used, const heightmap &source)
{
    heightmap result;
    const terrain_status status = terrain_heightmap_clone(used, source.get(), out(result));
    return made(std::move(result), status, used);
}

TERRAIN_CPP_NODISCARD inline pool make_pool(uint32_t threads)
{
    pool result;
    const terrain_status status = terrain_pool_create(threads, out(result));
    return made(std::move(result), status, nullptr);
}

/* A recipe from its text. */
TERRAIN_CPP_NODISCARD inline recipe make_recipe(context_pointer used, const char *text,
                                                std::size_t size)
{
    recipe result;
    const terrain_status status = terrain_recipe_parse(used, text, size, out(result));
    return made(std::move(result), status, used);
}

TERRAIN_CPP_NODISCARD inline recipe make_recipe(context_pointer used, const char *text)
{
    return make_recipe(used, text, std::strlen(text));
}

/* A recipe from a std::string, a std::string_view, or anything else that has data and size. */
template <typename Text, typename = decltype(std::declval<const Text &>().data())>
TERRAIN_CPP_NODISCARD recipe make_recipe(context_pointer used, const Text &text)
{
    return make_recipe(used, text.data(), text.size());
}

TERRAIN_CPP_NODISCARD inline recipe_plan make_plan(context_pointer used, const recipe &source,
                                                   const terrain_recipe_run_desc &desc)
{
    recipe_plan result;
    const terrain_status status =
        terrain_recipe_plan_create(used, source.get(), &desc, out(result));
    return made(std::move(result), status, used);
}

TERRAIN_CPP_NODISCARD inline statistics make_statistics(context_pointer used)
{
    statistics result;
    const terrain_status status = terrain_statistics_create(used, out(result));
    return made(std::move(result), status, used);
}

TERRAIN_CPP_NODISCARD inline score make_score(context_pointer used,
                                              const terrain_score_desc *desc = nullptr)
{
    score result;
    const terrain_status status = terrain_score_create(used, desc, out(result));
    return made(std::move(result), status, used);
}

TERRAIN_CPP_NODISCARD inline world make_world(context_pointer used, const terrain_world_desc &desc)
{
    world result;
    const terrain_status status = terrain_world_create(used, &desc, out(result));
    return made(std::move(result), status, used);
}

} // namespace TERRAIN_CPP_KIND

#ifdef TERRAIN_CPP_EXCEPTIONS

/* ---- Callbacks ------------------------------------------------------------------------------ */

/* An exception must not leave a callback: the library is C, and could not free its memory and
 * release the context, which would be busy for ever. A guard is a callback that may throw. It keeps
 * the exception, ends the call as the callback's return value would, and throws it again from
 * check():
 *
 *     terrain::progress_guard progress([&](double fraction) { return window.draw(fraction); });
 *     auto desc = terrain::defaults(terrain_context_desc_init);
 *     desc.progress = progress.get();
 *     ...
 *     terrain::check(terrain_erode_thermal(context.get(), map.get(), nullptr), context, progress);
 *
 * An exception that comes too late to end the call, at the report of 1 or from a runner whose tasks
 * write into the map itself, is thrown by check() all the same: then the status is success, and the
 * map is written.
 *
 * A guard lies at one place, serves one context at a time, and outlives it. Allocators are not to
 * throw: they return nullptr. */
class guard
{
  public:
    guard(const guard &) = delete;
    guard &operator=(const guard &) = delete;

    /* Throws the exception that the callback has thrown since the last time, if any. */
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

    /* Returns nonzero to the library if the callback wants to end the call, or has thrown. */
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
    std::exception_ptr thrown_ = nullptr;
};

/* The function gets the fraction that is done. Returning false, or throwing, cancels the call. */
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
 * are done. An exception of its own ends the call with TERRAIN_ERROR_RUNNER, unless it comes too
 * late; no task may still run then. */
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

/* Throws the exception that the guard's callback has thrown; otherwise does as the other check. */
inline void(check)(terrain_status status, const context &used, guard &callback)
{
    callback.rethrow();
    (check)(status, used.get());
}

#endif

} // namespace terrain

#if defined(TERRAIN_CPP_SPAN)
/* A row refers to cells that outlive it, so that a span or an iterator of a temporary one is good. */
template <typename Cell>
inline constexpr bool std::ranges::enable_borrowed_range<terrain::row_span<Cell>> = true;
template <typename Cell>
inline constexpr bool std::ranges::enable_view<terrain::row_span<Cell>> = true;
#endif

#endif
