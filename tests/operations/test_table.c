/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against table rows that tools, bindings and the manual can't use: a wrong offset, a
 * default outside its range, a missing word of documentation. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/operation.h"
#include "core/type.h"
#include "support/check.h"
#include "terrain/blur.h"
#include "terrain/erode.h"

static bool is_sentence(const char *text)
{
    size_t length = strlen(text);
    return length > 3 && text[length - 1] == '.' && strchr(text, '\n') == NULL;
}

/* A row whose texts are missing, or whose name can't be found. */
static void test_names_and_texts(void **state)
{
    for_each_operation(operation) {
        const char *name = terrain_operation_name(operation);
        const char *verb = terrain_operation_verb(operation);
        print_message("%s\n", name);
        assert_memory_equal(name, verb, strlen(verb));
        assert_int_equal(name[strlen(verb)], '_');
        assert_true(is_sentence(terrain_operation_summary(operation)));
        assert_non_null(terrain_operation_reference(operation));
        assert_true(terrain_operation_result_version(operation) >= 1);
        if (index_ < terrain_operation_count()) {
            assert_ptr_equal(terrain_operation_find(name), operation);
        }
    }
}

/* A verb whose operations are called in another way than its name says. */
static void test_verbs_and_signatures(void **state)
{
    static const struct {
        const char *verb;
        terrain_signature signature;
    } verbs[] = {
        {"generate", TERRAIN_SIGNATURE_GENERATE}, {"erode", TERRAIN_SIGNATURE_IN_PLACE},
        {"blur", TERRAIN_SIGNATURE_IN_PLACE},     {"combine", TERRAIN_SIGNATURE_COMBINE},
        {"analyze", TERRAIN_SIGNATURE_RESULT},    {"stitch", TERRAIN_SIGNATURE_GRID},
    };
    for_each_operation(operation) {
        terrain_signature signature = terrain_operation_signature(operation);
        bool masked = terrain_operation_parameter_find(operation, "mask") != NULL;
        print_message("%s\n", terrain_operation_name(operation));
        assert_in_range(signature, TERRAIN_SIGNATURE_GENERATE, TERRAIN_SIGNATURE_GRID);
        for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++) {
            if (strcmp(terrain_operation_verb(operation), verbs[i].verb) == 0) {
                assert_int_equal(signature, verbs[i].signature);
            }
        }
        if (signature != TERRAIN_SIGNATURE_COMBINE) {
            assert_int_equal(masked, signature == TERRAIN_SIGNATURE_IN_PLACE);
        }
    }
}

/* A pointer's with its pad. */
static uint32_t size_of(const terrain_parameter *p)
{
    return test_is_number(p) ? terrain__type_of(p)->size : 8;
}

/* 64-bit fields, then pointers, then 32-bit fields: no holes on any machine. */
static int rank(terrain_type type)
{
    if (type == TERRAIN_TYPE_INT64 || type == TERRAIN_TYPE_UINT64) {
        return 0;
    }
    return type == TERRAIN_TYPE_MAP_IN || type == TERRAIN_TYPE_MAP_OUT ||
                   type == TERRAIN_TYPE_FLOAT_ARRAY
               ? 1
               : 2;
}

static void claim(bool *taken, uint32_t offset, uint32_t size)
{
    assert_int_equal(offset % size, 0);
    for (uint32_t i = 0; i < size; i++) {
        assert_false(taken[offset + i]);
        taken[offset + i] = true;
    }
}

/* An offset that points into another field, or a layout with holes. */
static void test_layout(void **state)
{
    for_each_operation(operation) {
        bool taken[1024] = {false};
        size_t size = terrain_operation_params_size(operation);
        print_message("%s\n", terrain_operation_name(operation));
        assert_int_equal(size % 8, 0);
        assert_in_range(size, 8, sizeof taken);
        claim(taken, 0, 8);
        for (uint32_t i = 0; i < terrain_operation_parameter_count(operation); i++) {
            const terrain_parameter *p = terrain_operation_parameter(operation, i);
            claim(taken, p->offset, size_of(p));
            if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                claim(taken, p->count_offset, 4);
                assert_true(p->count_maximum > 0);
            }
            for (uint32_t k = 0; k < i; k++) {
                const terrain_parameter *q = terrain_operation_parameter(operation, k);
                assert_true(rank(p->type) == rank(q->type) ||
                            (rank(p->type) < rank(q->type)) == (p->offset < q->offset));
            }
        }
        uint32_t reserved = 0;
        for (size_t i = 0; i < size; i++) {
            reserved += !taken[i];
        }
        assert_true(reserved == 0 || reserved == 4);
    }
}

static bool in_order(const terrain_parameter *p)
{
    const terrain__type *type = terrain__element_type_of(p);
    return type->fits(&p->minimum, &p->minimum, &p->maximum) &&
           !type->fits(&p->maximum, &p->minimum, &p->minimum) &&
           (p->type == TERRAIN_TYPE_FLOAT_ARRAY ||
            type->fits(&p->default_value, &p->minimum, &p->maximum));
}

static void check_enum(const terrain_parameter *p)
{
    assert_non_null(p->value_names);
    assert_non_null(p->value_docs);
    for (uint64_t i = 0; i <= p->maximum.u; i++) {
        assert_non_null(p->value_names[i]);
        assert_true(p->value_names[i][0] != '\0');
        assert_non_null(p->value_docs[i]);
        assert_true(p->value_docs[i][0] != '\0');
        for (uint64_t k = 0; k < i; k++) {
            assert_string_not_equal(p->value_names[i], p->value_names[k]);
        }
    }
}

/* A condition that names nothing, always holds, or never. */
static void check_when(const terrain_operation *operation, const terrain_parameter *p)
{
    const terrain_parameter *other = terrain_operation_parameter_find(operation, p->when);
    uint64_t values;
    if (p->when == NULL) {
        assert_int_equal(p->when_values, 0);
        return;
    }
    assert_non_null(other);
    assert_true(other != p);
    values = other->type == TERRAIN_TYPE_ENUM ? (UINT64_C(2) << other->maximum.u) - 1 : 3;
    assert_true(other->type >= TERRAIN_TYPE_BOOL);
    assert_int_equal(p->when_values & ~values, 0);
    assert_true(p->when_values != 0 && p->when_values != values);
}

/* Text that is read as another value, or sliders outside the range. */
static void check_text(const terrain_parameter *p)
{
    const terrain_value *values[] = {&p->minimum, &p->default_value, &p->maximum};
    char text[TERRAIN_PARAMETER_TEXT_SIZE];
    double low, high;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        terrain_value read = {.u = 99};
        if (p->port != NULL) {
            assert_int_equal(terrain_parameter_format(p, values[i], text, sizeof text),
                             TERRAIN_ERROR_ARGUMENT);
            assert_int_equal(terrain_parameter_parse(p, "0", &read), TERRAIN_ERROR_ARGUMENT);
            continue;
        }
        if (i == 1 && p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            continue; /* which has no default */
        }
        assert_int_equal(terrain_parameter_format(p, values[i], text, sizeof text), 0);
        assert_int_equal(terrain_parameter_parse(p, text, &read), 0);
        if (p->type == TERRAIN_TYPE_FLOAT || p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            assert_true((float)read.f == (float)values[i]->f);
        } else {
            assert_int_equal(read.u, values[i]->u);
        }
        assert_int_equal(terrain_parameter_format(p, values[i], text, strlen(text)),
                         TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_parameter_parse(p, "", &read), TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_parameter_parse(p, "no such value", &read),
                         TERRAIN_ERROR_ARGUMENT);
    }
    if (p->type > TERRAIN_TYPE_UINT64) {
        assert_int_equal(terrain_parameter_slider(p, &low, &high), TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(terrain_parameter_slider(NULL, &low, &high), TERRAIN_ERROR_ARGUMENT);
        return;
    }
    assert_int_equal(terrain_parameter_slider(p, &low, &high), 0);
    assert_true(low < high && isfinite(low) && isfinite(high));
    for (int end = 0; end < 2; end++) {
        char number[40];
        terrain_value read;
        snprintf(number, sizeof number, "%.9g", end ? high : low);
        assert_int_equal(terrain_parameter_parse(p, number, &read), 0);
    }
}

/* The units that terrain_parameter's comment lists. */
static bool is_unit(const char *text)
{
    static const char *const units[] = {"",        "cells",      "height",   "slope",
                                        "degrees", "cell sizes", "spacings", "drops per cell"};
    size_t i = 0;
    while (i < sizeof units / sizeof units[0] && strcmp(units[i], text) != 0) {
        i++;
    }
    return i < sizeof units / sizeof units[0];
}

/* A power of two that nothing asks for, or that is asked for though others are allowed: an editor's
 * slider would stand where it can't, or not where it can. */
static void check_power_of_two(const terrain_operation *operation, const terrain_parameter *p)
{
    const bool is_coarse = p->port != NULL && p->port->lattice == TERRAIN_PORT_LATTICE_COARSE;
    if (is_coarse) {
        assert_true(terrain_operation_parameter_find(operation, p->port->spacing)->power_of_two);
    }
    assert_int_equal(p->power_of_two, strstr(p->doc, "power of two") != NULL);
    if (p->type != TERRAIN_TYPE_UINT32) {
        assert_int_equal(p->power_of_two, 0);
        return;
    }
    const uint64_t allowed[] = {p->minimum.u, p->default_value.u, p->maximum.u};
    for (int i = 0; i < 3 && p->power_of_two; i++) {
        assert_true(allowed[i] > 0 && (allowed[i] & (allowed[i] - 1)) == 0);
    }
    double ends[2];
    assert_int_equal(terrain_parameter_slider(p, &ends[0], &ends[1]), TERRAIN_SUCCESS);
    for (int i = 0; i < 2 && p->power_of_two; i++) {
        assert_true(exp2(floor(log2(ends[i]))) == ends[i]);
    }
    uint64_t params[128];
    const terrain_value three = {.u = 3 * (p->default_value.u > 0 ? p->default_value.u : 256)};
    uint32_t halo;
    terrain_operation_params_init(operation, params, terrain_operation_params_size(operation));
    if (strncmp(p->name, "frame_", 6) != 0 && three.u <= p->maximum.u) { /* frames need two */
        assert_int_equal(terrain_parameter_set(p, params, &three), TERRAIN_SUCCESS);
        assert_int_equal(terrain_operation_halo(operation, params, &halo),
                         p->power_of_two ? TERRAIN_ERROR_RANGE : TERRAIN_SUCCESS);
    }
}

/* A parameter that documentation can't describe, a unit with two names, or a default that is
 * refused. */
static void test_parameters(void **state)
{
    for_each_operation(operation) {
        for_each_parameter(operation, p) {
            print_message("%s %s\n", terrain_operation_name(operation), p->name);
            assert_ptr_equal(terrain_operation_parameter_find(operation, p->name), p);
            assert_true(is_sentence(p->doc));
            assert_true(strlen(p->doc) <= 120);
            assert_true(is_unit(p->unit));
            assert_in_range(p->type, TERRAIN_TYPE_FLOAT, TERRAIN_TYPE_FLOAT_ARRAY);
            if (test_is_number(p) || p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                assert_true(in_order(p));
            }
            if (p->type == TERRAIN_TYPE_ENUM) {
                check_enum(p);
            }
            check_when(operation, p);
            check_text(p);
            check_power_of_two(operation, p);
        }
        assert_null(
            terrain_operation_parameter(operation, terrain_operation_parameter_count(operation)));
        assert_null(terrain_operation_parameter_find(operation, "no such parameter"));
        assert_null(terrain_operation_parameter_find(operation, NULL));
    }
}

/* A parameter that counts where it should not, or a value that get and set change. */
static void test_counts(void **state)
{
    const terrain_operation *thermal = terrain_operation_find("erode_thermal");
    const terrain_operation *blur = terrain_operation_find("blur_variable");
    const terrain_parameter *quantum = terrain_operation_parameter_find(thermal, "quantum");
    const terrain_parameter *mode = terrain_operation_parameter_find(thermal, "mode");
    const terrain_parameter *period = terrain_operation_parameter_find(blur, "period");
    const terrain_value layers = {.u = TERRAIN_ERODE_THERMAL_MODE_LAYERS};
    const terrain_value one = {.u = TERRAIN_ERODE_THERMAL_MODE_QUANTUM};
    const terrain_value wide = {.u = UINT64_C(1) << 32};
    terrain_erode_thermal_params params;
    terrain_blur_variable_params variable;
    terrain_heightmap *map;
    terrain_value read;
    assert_int_equal(terrain_erode_thermal_params_init(&params, sizeof params), 0);
    assert_int_equal(terrain_operation_parameter_counts(thermal, mode, &params), 1);
    assert_int_equal(terrain_operation_parameter_counts(thermal, quantum, &params), 0);
    assert_int_equal(terrain_parameter_set(mode, &params, &one), 0);
    assert_int_equal(params.mode, TERRAIN_ERODE_THERMAL_MODE_QUANTUM);
    assert_int_equal(terrain_operation_parameter_counts(thermal, quantum, &params), 1);
    assert_int_equal(terrain_parameter_set(mode, &params, &layers), 0);
    assert_int_equal(terrain_parameter_get(mode, &params, &read), 0);
    assert_int_equal(read.u, TERRAIN_ERODE_THERMAL_MODE_LAYERS);
    assert_int_equal(terrain_operation_parameter_counts(thermal, quantum, &params), 0);
    assert_int_equal(terrain_parameter_set(mode, &params, &wide), TERRAIN_ERROR_RANGE);
    assert_int_equal(params.mode, TERRAIN_ERODE_THERMAL_MODE_LAYERS);
    params.mode =
        64 + TERRAIN_ERODE_THERMAL_MODE_QUANTUM; /* none, but a shift may take it for it */
    assert_int_equal(terrain_operation_parameter_counts(thermal, quantum, &params), 0);
    assert_int_equal(terrain_operation_parameter_counts(thermal, NULL, &params), 0);
    assert_int_equal(
        terrain_parameter_get(terrain_operation_parameter_find(thermal, "mask"), &params, &read),
        TERRAIN_ERROR_ARGUMENT);

    assert_int_equal(terrain_blur_variable_params_init(&variable, sizeof variable), 0);
    assert_int_equal(terrain_operation_parameter_counts(blur, period, &variable), 1);
    assert_int_equal(terrain_heightmap_create(NULL, 2, 2, &map), 0);
    variable.amount = map;
    assert_int_equal(terrain_operation_parameter_counts(blur, period, &variable), 0);
    terrain_heightmap_destroy(map);
}

/* A struct of an older header, beyond whose end is read or written. */
static void test_older_structs(void **state)
{
    for_each_operation(operation) {
        const size_t size = terrain_operation_params_size(operation);
        for (size_t older = sizeof(uint64_t); older < size; older += sizeof(uint64_t)) {
            unsigned char *params = malloc(older); /* not a byte more, for ASan */
            assert_non_null(params);
            uint64_t whole[128];
            assert_int_equal(terrain_operation_params_init(operation, params, older), 0);
            terrain_operation_params_init(operation, whole, size);
            for_each_parameter(operation, parameter) {
                terrain_value value, expected;
                assert_int_equal(terrain_operation_parameter_counts(operation, parameter, params),
                                 terrain_operation_parameter_counts(operation, parameter, whole));
                if (!test_is_number(parameter)) {
                    continue;
                }
                assert_int_equal(terrain_parameter_get(parameter, params, &value), 0);
                expected = test_get(whole, parameter);
                assert_memory_equal(&value, &expected, sizeof value);
                assert_int_equal(terrain_parameter_set(parameter, params, &value),
                                 parameter->offset + size_of(parameter) <= older
                                     ? TERRAIN_SUCCESS
                                     : TERRAIN_ERROR_ARGUMENT);
            }
            free(params);
        }
    }
}

/* A world that would refuse what the table promises it, or that could do more. */
static void test_tilings(void **state)
{
    static const char *const regions[] = {
        "erode_canyons_draining", "erode_rivers", "erode_stream_power",
        "shape_breach",           "shape_fill",   "analyze_flow"};
    uint32_t found = 0, wanted = 0;
    for_each_operation(operation) {
        uint32_t halo = 0;
        const terrain_tiling tiling = terrain_operation_tiling(operation);
        assert_int_equal(terrain_operation_halo(operation, NULL, &halo), TERRAIN_SUCCESS);
        assert_int_equal(tiling == TERRAIN_TILING_WINDOWS, halo < UINT32_MAX);
        found += tiling == TERRAIN_TILING_REGIONS;
    }
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        assert_int_equal(terrain_operation_tiling(terrain_operation_find(regions[i])),
                         TERRAIN_TILING_REGIONS);
        wanted += test_operation_wanted(regions[i]);
    }
    assert_int_equal(found, wanted);
}

/* An init function that forgets a default, or leaves memory as it was. */
static void test_defaults(void **state)
{
    for_each_operation(operation) {
        size_t size = terrain_operation_params_size(operation);
        uint64_t params[128];
        memset(params, 0xAA, sizeof params);
        assert_int_equal(terrain_operation_params_init(operation, params, size), TERRAIN_SUCCESS);
        uint32_t halo = 0;
        assert_int_equal(terrain_operation_halo(operation, params, &halo), TERRAIN_SUCCESS);
        for_each_parameter(operation, p) {
            static const char zero[8];
            if (test_is_number(p)) {
                assert_true(test_values_equal(p, test_get(params, p), p->default_value));
            } else {
                assert_memory_equal((char *)params + p->offset, zero, sizeof(void *));
            }
        }
        assert_int_equal(params[size / 8], UINT64_C(0xAAAAAAAAAAAAAAAA));
    }
}

/* Defaults that don't fit each other: a relief that erosion hardly changes, or flattens. */
static void test_default_chain(void **state)
{
    static const char *const steps[] = {"", "land = erode_fir land\n",
                                        "land = erode_thermal land\n",
                                        "land = blur_gaussian land\n"};
    char text[256] = "land = generate_fault_lines\n";
    terrain_heightmap *before = NULL;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        strcat(text, steps[k]);
        terrain_heightmap *map = test_map_of_recipe(text, 256, 0);
        const test_summary heights = test_summarize(map);
        const double relief = heights.maximum - heights.minimum;
        double change = 0;
        for_each_cell(map, x, y) {
            change += before == NULL
                          ? 0
                          : fabs((double)test_at(map, x, y) - (double)test_at(before, x, y));
        }
        assert_true(relief >= 64 && relief <= 100);
        assert_true(before == NULL || (change > 0.2 * 256 * 256 && change < 2 * 256 * 256));
        terrain_heightmap_destroy(before);
        before = map;
    }
    terrain_heightmap_destroy(before);
}

/* A generator whose offset is not added to every height: within the rounding of both sums. */
static void test_offsets(void **state)
{
    const terrain_window window = {-70, 1000, 131, 67};
    uint32_t found = 0;
    for (uint32_t k = 0; k < terrain_operation_count(); k++) {
        const terrain_operation *operation = terrain_operation_at(k);
        const terrain_parameter *offset = terrain_operation_parameter_find(operation, "offset");
        if (offset == NULL || strcmp(terrain_operation_verb(operation), "generate") != 0) {
            continue;
        }
        test_call low = test_call_of(operation), high = test_call_of(operation);
        test_call_create_maps(&low, &window);
        test_call_create_maps(&high, &window);
        test_set(high.params, offset, (terrain_value){.f = 3000});
        expect_status(test_call_apply(&low, NULL), TERRAIN_SUCCESS, &low, NULL);
        expect_status(test_call_apply(&high, NULL), TERRAIN_SUCCESS, &high, NULL);
        for (uint32_t i = 0; i < window.width * window.height; i++) {
            double a = (double)test_at(low.map, i % window.width, i / window.width);
            double b = (double)test_at(high.map, i % window.width, i / window.width);
            expect(fabs(b - a - 3000) < 2e-3, &high, NULL);
        }
        test_call_destroy(&low);
        test_call_destroy(&high);
        found++;
    }
    assert_true(found >= 6);
}

/* Two operations that draw the same random numbers. */
static void test_keys_differ(void **state)
{
    for (uint32_t i = 0; i < test_operation_count(); i++) {
        assert_true(test_operation_at(i)->key > 0);
        for (uint32_t k = 0; k < i; k++) {
            assert_int_not_equal(test_operation_at(i)->key, test_operation_at(k)->key);
        }
    }
}

/* A crash of a tool that asks about nothing. */
static void test_nothing(void **state)
{
    uint32_t cells = 0;
    terrain_window window = {0, 0, 1, 1};
    assert_true(terrain_operation_count() > 0);
    assert_null(terrain_operation_at(terrain_operation_count()));
    assert_null(terrain_operation_at(UINT32_MAX));
    assert_null(terrain_operation_find(NULL));
    assert_null(terrain_operation_find(""));
    assert_null(terrain_operation_find("no_such_operation"));
    assert_string_equal(terrain_operation_name(NULL), "");
    assert_string_equal(terrain_operation_verb(NULL), "");
    assert_string_equal(terrain_operation_summary(NULL), "");
    assert_string_equal(terrain_operation_reference(NULL), "");
    assert_int_equal(terrain_operation_signature(NULL), 0);
    assert_int_equal(terrain_operation_tiling(NULL), TERRAIN_TILING_NONE);
    assert_int_equal(terrain_operation_result_version(NULL), 0);
    assert_int_equal(terrain_operation_params_size(NULL), 0);
    assert_int_equal(terrain_operation_parameter_count(NULL), 0);
    assert_int_equal(terrain_operation_port_count(NULL), 0);
    assert_null(terrain_operation_parameter(NULL, 0));
    assert_null(terrain_operation_parameter_find(NULL, "mask"));
    assert_int_equal(terrain_operation_params_init(NULL, &window, 8), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_operation_halo(NULL, NULL, &cells), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_operation_window(NULL, NULL, 0, &window, &window),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_operation_result_window(NULL, NULL, &window, &window),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_operation_apply(NULL, NULL, NULL, 0, NULL), TERRAIN_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_texts), cmocka_unit_test(test_verbs_and_signatures),
        cmocka_unit_test(test_layout),          cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_counts),          cmocka_unit_test(test_older_structs),
        cmocka_unit_test(test_tilings),         cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_keys_differ),     cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_offsets),         cmocka_unit_test(test_default_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
