// SPDX-FileCopyrightText: The libterrain authors
// SPDX-License-Identifier: MIT

// What terrain.hpp has for later C++: factories, rows as spans, const maps, memory of a resource.

#include <terrain/terrain.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory_resource>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::abort();                                                                          \
        }                                                                                          \
    } while (false)

// Counts what it holds, and gives nothing any more where it is told so.
class counting_resource : public std::pmr::memory_resource
{
  public:
    std::size_t held = 0;
    bool empty = false;

  private:
    void *do_allocate(std::size_t size, std::size_t alignment) override
    {
        if (empty) {
            throw std::bad_alloc();
        }
        held += size;
        return std::pmr::new_delete_resource()->allocate(size, alignment);
    }
    void do_deallocate(void *pointer, std::size_t size, std::size_t alignment) override
    {
        held -= size;
        std::pmr::new_delete_resource()->deallocate(pointer, size, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override
    {
        return this == &other;
    }
};

static float sum(std::span<const float> cells)
{
    float total = 0;
    for (float cell : cells) {
        total += cell;
    }
    return total;
}

template <typename Call> static terrain_status status_of(const Call &call)
{
    try {
        (void)call();
    } catch (const terrain::error &error) {
        REQUIRE(std::strlen(error.what()) > 0);
        return error.status();
    }
    return TERRAIN_SUCCESS;
}

int main()
{
    counting_resource resource;
    {
        auto desc = terrain::defaults(terrain_context_desc_init);
        desc.allocator = terrain::allocator_of(resource);
        const terrain::context context = terrain::make_context(desc);
        terrain::heightmap map = terrain::make_heightmap(context, 48, 32);
        REQUIRE(resource.held >= 48 * 32 * sizeof(float));

        for (uint32_t y = 0; y < map.height(); y++) {
            for (float &cell : map.row(y)) {
                cell = static_cast<float>(y);
            }
        }
        map(5, 3) = 100;
        REQUIRE(sum(map.row(3)) == 47 * 3 + 100);
        const std::span<float> row = map.row(3);
        row[6] = 50;
        REQUIRE(sum(map.row(3)) == 46 * 3 + 150);
        row[6] = 3;
        const std::span<const float> cells_of_row = map.row(3);
        REQUIRE(cells_of_row[5] == 100);
        REQUIRE(std::ranges::max_element(map.row(3)) == &map(5, 3));
        static_assert(std::ranges::view<terrain::row_span<float>>);

        const terrain::heightmap copy = terrain::clone(context, map);
        static_assert(std::is_same_v<decltype(copy.row(0)[0]), const float &>);
        static_assert(std::is_same_v<decltype(copy.get()), const terrain_heightmap *>);
        REQUIRE(copy(5, 3) == 100 && copy.width() == 48);
        REQUIRE(terrain_heightmap_hash(copy.get()) == terrain_heightmap_hash(map.get()));

        float cells[6] = {0, 1, 2, 3, 4, 5};
        const terrain::heightmap wrapped = terrain::wrap(nullptr, cells, 2, 2, 3);
        REQUIRE(wrapped(1, 1) == 4);
        const float fixed[4] = {0, 1, 2, 3};
        const terrain::heightmap read = terrain::wrap_const(nullptr, fixed, 2, 2, 2);
        REQUIRE(read(1, 1) == 3);
        const terrain::heightmap corner = terrain::view(context, map, 5, 3, 2, 2);
        REQUIRE(corner(0, 0) == 100 && corner(1, 1) == 4);

        constexpr std::string_view text = "land = generate_noise\n";
        REQUIRE(terrain::make_recipe(context, text.data(), text.size()) != nullptr);
        REQUIRE(terrain::make_recipe(context, text) != nullptr);
        REQUIRE(terrain::make_recipe(context, std::string(text)) != nullptr);
        REQUIRE(terrain::make_recipe(context, "land = generate_noise\n") != nullptr);
        char buffer[] = "land = generate_noise\n";
        const terrain::recipe recipe = terrain::make_recipe(context, buffer);
        char *const pointer = buffer;
        REQUIRE(terrain::make_recipe(context, pointer) != nullptr);
        const auto run = terrain::defaults(terrain_recipe_run_desc_init);
        REQUIRE(terrain_recipe_plan_cells(terrain::make_plan(context, recipe, run).get(), 0) > 0);
        REQUIRE(terrain::make_statistics(context) != nullptr);
        REQUIRE(terrain::make_score(context) != nullptr);
        REQUIRE(terrain::make_pool(2) != nullptr);
        REQUIRE(status_of([&] { return terrain::make_heightmap(context, 0, 32); }) ==
                TERRAIN_ERROR_ARGUMENT);
        REQUIRE(status_of([&] { return terrain::make_recipe(context, "x", 1); }) ==
                TERRAIN_ERROR_SYNTAX);
        resource.empty = true;
        REQUIRE(status_of([&] { return terrain::make_heightmap(context, 999, 999); }) ==
                TERRAIN_ERROR_MEMORY);
    }
    REQUIRE(resource.held == 0);
    return 0;
}
