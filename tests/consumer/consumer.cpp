// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// The same from C++11: the names must link, handles free what they own, and errors arrive.

#include <terrain/terrain.hpp>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

// How many blocks of memory the library holds.
static int held = 0;

static void *allocate(void *, std::size_t size, std::size_t alignment)
{
    void *pointer = nullptr;
    if (posix_memalign(&pointer, alignment, size) == 0) {
        held++;
    }
    return pointer;
}

static void release(void *, void *pointer, std::size_t)
{
    held--;
    std::free(pointer);
}

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::abort();                                                                          \
        }                                                                                          \
    } while (false)

static terrain::context counting_context()
{
    auto desc = terrain::defaults(terrain_context_desc_init);
    desc.allocator.allocate = allocate;
    desc.allocator.free = release;
    terrain::context context;
    terrain::check(terrain_context_create(&desc, terrain::out(context)));
    return context;
}

static void handles_free_what_they_own()
{
    terrain::context context = counting_context();
    const int before = held;
    {
        terrain::heightmap map;
        terrain::check(terrain_heightmap_create(context.get(), 64, 48, terrain::out(map)), context);
        REQUIRE(held > before);
        const int one = held;
        terrain::check(terrain_heightmap_create(context.get(), 32, 24, terrain::out(map)), context);
        REQUIRE(held == one && terrain_heightmap_width(map.get()) == 32);
        terrain::heightmap other = std::move(map);
        REQUIRE(map == nullptr && terrain_heightmap_height(other.get()) == 24);
        REQUIRE(terrain_heightmap_create(context.get(), 0, 24, terrain::out(other)) ==
                TERRAIN_ERROR_ARGUMENT);
        REQUIRE(other == nullptr && held == before);
    }
    {
        terrain::pool pool;
        terrain::recipe recipe;
        terrain::score score;
        terrain::statistics statistics;
        terrain::world world; // never made: freeing nothing is fine
        terrain::check(terrain_pool_create(2, terrain::out(pool)));
        terrain::check(terrain_recipe_create(context.get(), terrain::out(recipe)), context);
        terrain::check(terrain_score_create(context.get(), nullptr, terrain::out(score)), context);
        terrain::check(terrain_statistics_create(context.get(), terrain::out(statistics)), context);
    }
    REQUIRE(held == before);
}

static void errors_arrive()
{
    std::vector<float> cells(64 * 48, 5.0f);
    terrain::context context = counting_context();
    terrain::heightmap map;
    terrain::check(
        terrain_heightmap_wrap(context.get(), cells.data(), 64, 48, 64, terrain::out(map)),
        context);
    auto clamp = terrain::defaults(terrain_shape_clamp_params_init);
    clamp.high = -1.0f;
    terrain::check(terrain_shape_clamp(context.get(), map.get(), &clamp), context);
    REQUIRE(cells[100] == -1.0f);

    auto blur = terrain::defaults(terrain_blur_box_params_init);
    blur.radius = -3.0f;
    bool thrown = false;
    try {
        terrain::check(terrain_blur_box(context.get(), map.get(), &blur), context);
    } catch (const terrain::error &error) {
        thrown = error.status() == TERRAIN_ERROR_RANGE &&
                 std::strstr(error.what(), "blur_box: radius is -3") != nullptr;
    }
    REQUIRE(thrown);
    thrown = false;
    try {
        terrain::check(terrain_blur_box(nullptr, nullptr, nullptr));
    } catch (const std::runtime_error &error) {
        thrown = std::strcmp(error.what(), terrain_status_name(TERRAIN_ERROR_ARGUMENT)) == 0;
    }
    REQUIRE(thrown && cells[100] == -1.0f);
}

// An exception out of a callback: it arrives, and the context and the map are as before the call.
static void exceptions_of_callbacks_arrive()
{
    int calls = 0;
    bool throws = true;
    terrain::progress_guard progress([&](double) {
        calls++;
        if (throws) {
            throw std::out_of_range("progress");
        }
        return calls < 1000;
    });
    terrain::runner_guard runner([&](uint32_t count, const terrain::runner_guard::task &task) {
        for (uint32_t i = count; i-- > 0;) {
            task(i);
        }
        if (throws) {
            throw std::out_of_range("runner");
        }
    });
    auto thermal = terrain::defaults(terrain_erode_thermal_params_init);
    thermal.iterations = 200;
    for (int kind = 0; kind < 2; kind++) {
        auto desc = terrain::defaults(terrain_context_desc_init);
        terrain::context context;
        terrain::heightmap map, whole;
        terrain::guard &guard = kind == 0 ? static_cast<terrain::guard &>(progress) : runner;
        desc.progress = kind == 0 ? progress.get() : desc.progress;
        desc.runner = kind == 1 ? runner.get() : desc.runner;
        terrain::check(terrain_context_create(&desc, terrain::out(context)));
        terrain::check(terrain_heightmap_create(nullptr, 300, 300, terrain::out(map)));
        throws = false;
        calls = 0;
        terrain::check(terrain_generate_noise(context.get(), map.get(), nullptr), context, guard);
        const uint64_t before = terrain_heightmap_hash(map.get());
        throws = true;
        for (int i = 0; i < 2; i++) {
            bool arrived = false;
            try {
                terrain::check(terrain_erode_thermal(context.get(), map.get(), &thermal), context,
                               guard);
            } catch (const std::out_of_range &error) {
                arrived = std::strcmp(error.what(), kind == 0 ? "progress" : "runner") == 0;
            }
            REQUIRE(arrived && terrain_heightmap_hash(map.get()) == before);
        }
        /* Too late to end the call: at the report of 1, and where tasks write into the map. */
        terrain::heightmap late = terrain::make_heightmap(nullptr, 300, 300);
        bool arrived = false;
        try {
            terrain::check(terrain_generate_noise(context.get(), late.get(), nullptr), context,
                           guard);
        } catch (const std::out_of_range &) {
            arrived = true;
        }
        REQUIRE(arrived && terrain_heightmap_hash(late.get()) == before);
        throws = false;
        calls = 0;
        terrain::check(terrain_erode_thermal(context.get(), map.get(), &thermal), context, guard);
        REQUIRE(terrain_heightmap_hash(map.get()) != before);
        calls = 1000;
        terrain_status status = terrain_erode_thermal(context.get(), map.get(), &thermal);
        REQUIRE(kind == 1 || status == TERRAIN_ERROR_CANCELLED);
    }
}

int main()
{
    handles_free_what_they_own();
    errors_arrive();
    exceptions_of_callbacks_arrive();
    REQUIRE(held == 0);
    return 0;
}
