/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against bad input that is taken for good, that tears a map, or that is refused without a
 * word of help: the message must name operation, parameter, value and range. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/type.h"
#include "support/check.h"

static const terrain_window place = {3, -8, 9, 7};

static test_call make_call(const terrain_operation *operation)
{
    return test_call_on(operation, &place);
}

/* The call is refused, with and without a context; nothing changes; the message begins with the
 * operation's name and holds each of the words, up to the first NULL. */
static void refuse(test_call *call, terrain_status status, const char *const *words)
{
    const char *name = terrain_operation_name(call->operation);
    terrain_context *context = test_plain_context();
    uint64_t before = test_call_fingerprint(call);
    expect_status(test_call_apply(call, context), status, call, context);
    const char *message = terrain_context_message(context);
    expect(strncmp(message, name, strlen(name)) == 0, call, context);
    expect(strncmp(message + strlen(name), ": ", 2) == 0, call, context);
    for (int i = 0; words[i] != NULL; i++) {
        expect_message(context, words[i]);
    }
    expect(test_call_fingerprint(call) == before, call, context);
    expect_status(test_call_apply(call, NULL), status, call, NULL);
    expect(test_call_fingerprint(call) == before, call, NULL);
    terrain_context_destroy(context);
}

/* After the status come the words: one, two or none (NULL). */
#define check_refused(call, status, ...)                                                           \
    refuse(call, status, (const char *const[]){__VA_ARGS__, NULL})

/* ---- Numbers -------------------------------------------------------------------------------- */

static const char *value_text(const terrain_parameter *p, terrain_value value)
{
    static char texts[3][TERRAIN__NUMBER_SIZE];
    static int next;
    char *text = texts[next++ % 3];
    terrain__element_type_of(p)->print(&value, text);
    return text;
}

static void check_value(test_call *call, const terrain_parameter *p, terrain_value value)
{
    char is[80];
    char range[120];
    test_set(call->params, p, value);
    snprintf(is, sizeof is, "%s is %s", p->name, value_text(p, value));
    snprintf(range, sizeof range, "[%s, %s]", value_text(p, p->minimum), value_text(p, p->maximum));
    check_refused(call, TERRAIN_ERROR_RANGE, is, range);
    uint32_t halo;
    terrain_window window = place;
    expect_status(terrain_operation_halo(call->operation, call->params, &halo), TERRAIN_ERROR_RANGE,
                  call, NULL);
    expect_status(terrain_operation_result_window(call->operation, call->params, &window, &window),
                  TERRAIN_ERROR_RANGE, call, NULL);
    test_set(call->params, p, p->default_value);
}

/* A number below its minimum or above its maximum. */
static void test_out_of_range(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        for_each_parameter(operation, p) {
            terrain_value value;
            if (test_is_number(p) && test_value_below(p, &value)) {
                check_value(&call, p, value);
            }
            if (test_is_number(p) && test_value_above(p, &value)) {
                check_value(&call, p, value);
            }
        }
        test_call_destroy(&call);
    }
}

/* NaN, which is in no range but fails no comparison that is written the wrong way round. */
static void test_not_a_number(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        for_each_parameter(operation, p) {
            if (p->type == TERRAIN_TYPE_FLOAT) {
                terrain_value value = {.f = (double)NAN};
                check_value(&call, p, value);
            }
        }
        test_call_destroy(&call);
    }
}

/* The call is refused before the work begins, or cancelled at once, but not with these words. */
static void check_within_range(test_call *call, const char *words)
{
    terrain_context *context = test_plain_context();
    terrain_context_cancel(context);
    terrain_status status = test_call_apply(call, context);
    expect(status == TERRAIN_ERROR_CANCELLED || status == TERRAIN_ERROR_RANGE, call, context);
    expect(status != TERRAIN_ERROR_RANGE || strstr(terrain_context_message(context), words) == NULL,
           call, context);
    terrain_context_destroy(context);
}

/* A limit that is refused although the range includes it. Rules between parameters may forbid it,
 * but not in the words of a range. */
static void test_limits_belong_to_the_range(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        for_each_parameter(operation, p) {
            for (int side = 0; side < 2 && test_is_number(p); side++) {
                char is[80];
                snprintf(is, sizeof is, "%s is ", p->name);
                test_set(call.params, p, side == 0 ? p->minimum : p->maximum);
                check_within_range(&call, is);
                test_set(call.params, p, p->default_value);
            }
        }
        test_call_destroy(&call);
    }
}

static void set_array(test_call *call, const terrain_parameter *p, const float *values,
                      uint32_t count)
{
    memcpy((char *)call->params + p->offset, &values, sizeof values);
    memcpy((char *)call->params + p->count_offset, &count, sizeof count);
}

static void check_array(test_call *call, const terrain_parameter *p)
{
    float values[3] = {(float)p->minimum.f, (float)p->maximum.f, (float)p->minimum.f};
    char text[80];
    set_array(call, p, NULL, 1);
    check_refused(call, TERRAIN_ERROR_ARGUMENT, p->name, "NULL");
    set_array(call, p, values, p->count_maximum + 1);
    snprintf(text, sizeof text, "%s_count is %lu", p->name, (unsigned long)p->count_maximum + 1);
    check_refused(call, TERRAIN_ERROR_RANGE, text);
    float *most = calloc(p->count_maximum, sizeof *most);
    assert_non_null(most);
    assert_true(isfinite(p->minimum.f) && isfinite(p->maximum.f));
    for (uint32_t i = 0; i < p->count_maximum; i++) {
        double share = p->count_maximum > 1 ? i / (p->count_maximum - 1.0) : 0;
        most[i] = (float)(p->minimum.f + share * (p->maximum.f - p->minimum.f));
    }
    set_array(call, p, most, p->count_maximum);
    snprintf(text, sizeof text, "%s_count is ", p->name);
    check_within_range(call, text);
    free(most);
    for (int k = 0; k < 3 && p->count_maximum >= 3; k++) {
        float kept = values[k];
        set_array(call, p, values, 3);
        values[k] = NAN;
        snprintf(text, sizeof text, "%s[%d] is nan", p->name, k);
        check_refused(call, TERRAIN_ERROR_RANGE, text, "must be in [");
        values[k] = nextafterf((float)p->maximum.f, INFINITY);
        snprintf(text, sizeof text, "%s[%d] is ", p->name, k);
        if (isfinite(p->maximum.f)) {
            check_refused(call, TERRAIN_ERROR_RANGE, text, "must be in [");
        }
        values[k] = kept;
    }
    set_array(call, p, NULL, 0);
}

/* An array that is longer than allowed, missing, or holds a bad element. */
static void test_arrays(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        for_each_parameter(operation, p) {
            if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                check_array(&call, p);
            }
        }
        test_call_destroy(&call);
    }
}

/* ---- The struct ----------------------------------------------------------------------------- */

/* A struct that was never initialised, whatever it is filled with. */
static void test_untagged_params(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        size_t size = terrain_operation_params_size(operation);
        char init[100];
        snprintf(init, sizeof init, "terrain_%s_params_init", terrain_operation_name(operation));
        memset(call.params, 0, size);
        check_refused(&call, TERRAIN_ERROR_ARGUMENT, init);
        uint32_t size_only = (uint32_t)size;
        memcpy(call.params, &size_only, sizeof size_only);
        check_refused(&call, TERRAIN_ERROR_ARGUMENT, init);
        memset(call.params, 0xFF, size);
        check_refused(&call, TERRAIN_ERROR_ARGUMENT, init);
        test_call_destroy(&call);
    }
}

/* A header that promises arrays of 64 numbers, and a call that takes less or more. */
static void test_arrays_of_64(void **state)
{
    static const char *const names[][2] = {
        {"shape_strata", "thickness"}, {"shape_strata", "hardness"}, {"shape_terrace", "levels"}};
    float numbers[65];
    for (int i = 0; i < 65; i++) {
        numbers[i] = (float)(i + 1) / 65;
    }
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        char text[80];
        test_call call = make_call(terrain_operation_find(names[k][0]));
        const terrain_parameter *p = terrain_operation_parameter_find(call.operation, names[k][1]);
        snprintf(text, sizeof text, "%s: %s_count is 65, must be in [0, 64]", names[k][0],
                 names[k][1]);
        set_array(&call, p, numbers, 65);
        check_refused(&call, TERRAIN_ERROR_RANGE, text);
        set_array(&call, p, numbers, 64);
        expect_status(test_call_apply(&call, NULL), TERRAIN_SUCCESS, &call, NULL);
        set_array(&call, p, NULL, 0);
        test_call_destroy(&call);
    }
}

/* A size that no version ever had. */
static void test_struct_sizes(void **state)
{
    static const uint32_t bad[] = {0, 1, 4, 7, 9, 0x80000000u, 0xFFFFFFF8u, 0xFFFFFFFFu};
    for_each_operation(operation) {
        test_call call = make_call(operation);
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            memcpy(call.params, &bad[i], sizeof bad[i]);
            check_refused(&call, TERRAIN_ERROR_ARGUMENT, "struct_size");
        }
        test_call_destroy(&call);
    }
}

/* A set bit in bytes that belong to no parameter: a program that means something by it. */
static void test_reserved_bytes(void **state)
{
    for_each_operation(operation) {
        bool known[1024] = {false};
        test_call call = make_call(operation);
        size_t size = terrain_operation_params_size(operation);
        memset(known, 1, 8);
        for_each_parameter(operation, p) {
            memset(known + p->offset, 1,
                   p->type == TERRAIN_TYPE_INT64 || p->type == TERRAIN_TYPE_UINT64 ||
                           p->type >= TERRAIN_TYPE_MAP_IN
                       ? 8
                       : 4);
            if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
                memset(known + p->count_offset, 1, 4);
            }
        }
        for (size_t i = 0; i < size; i++) {
            if (!known[i]) {
                ((unsigned char *)call.params)[i] = 1;
                check_refused(&call, TERRAIN_ERROR_ARGUMENT, "reserved");
                ((unsigned char *)call.params)[i] = 0;
            }
        }
        test_call_destroy(&call);
    }
}

/* Flags beside the tag, which no version has. */
static void test_unknown_flags(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        for (int bit = 0; bit < 32; bit++) {
            uint32_t flags;
            memcpy(&flags, (char *)call.params + 4, sizeof flags);
            flags ^= UINT32_C(1) << bit;
            memcpy((char *)call.params + 4, &flags, sizeof flags);
            check_refused(&call, TERRAIN_ERROR_ARGUMENT, NULL);
            flags ^= UINT32_C(1) << bit;
            memcpy((char *)call.params + 4, &flags, sizeof flags);
        }
        test_call_destroy(&call);
    }
}

/* A caller of the next version, whose struct is longer: any set byte means a new setting. */
static void test_newer_params(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        size_t size = terrain_operation_params_size(operation);
        uint64_t longer[160];
        void *own = call.params;
        expect_status(test_call_apply(&call, NULL), TERRAIN_SUCCESS, &call, NULL);
        uint64_t expected = test_call_fingerprint(&call);
        test_call_fill(&call);
        memset(longer, 0xAA, sizeof longer);
        assert_int_equal(terrain_operation_params_init(operation, longer, size + 24),
                         TERRAIN_SUCCESS);
        call.params = longer;
        expect_status(test_call_apply(&call, NULL), TERRAIN_SUCCESS, &call, NULL);
        expect(test_call_fingerprint(&call) == expected, &call, NULL);
        test_call_fill(&call);
        for (size_t i = size; i < size + 24; i++) {
            ((unsigned char *)longer)[i] = 1;
            check_refused(&call, TERRAIN_ERROR_ARGUMENT, "newer");
            ((unsigned char *)longer)[i] = 0;
        }
        call.params = own;
        test_call_destroy(&call);
    }
}

/* A caller of an older version, whose struct is shorter: what it lacks is the default, whatever
 * lies in memory behind it. */
static void test_older_params(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        size_t size = terrain_operation_params_size(operation);
        uint64_t shorter[128];
        void *own = call.params;
        expect_status(test_call_apply(&call, NULL), TERRAIN_SUCCESS, &call, NULL);
        uint64_t expected = test_call_fingerprint(&call);
        for (size_t shorter_size = 8; shorter_size < size; shorter_size += 8) {
            test_call_fill(&call);
            memset(shorter, 0xAA, sizeof shorter);
            assert_int_equal(terrain_operation_params_init(operation, shorter, shorter_size),
                             TERRAIN_SUCCESS);
            assert_int_equal(shorter[shorter_size / 8], UINT64_C(0xAAAAAAAAAAAAAAAA));
            call.params = shorter;
            expect_status(test_call_apply(&call, NULL), TERRAIN_SUCCESS, &call, NULL);
            call.params = own;
            expect(test_call_fingerprint(&call) == expected, &call, NULL);
        }
        test_call_destroy(&call);
    }
}

/* An init function that accepts sizes that the call then refuses. */
static void test_init_sizes(void **state)
{
    static const size_t bad[] = {0, 1, 4, 7, 9, 12, 15, SIZE_MAX, SIZE_MAX - 7};
    for_each_operation(operation) {
        uint64_t params[128];
        uint64_t before[128];
        memset(params, 0x55, sizeof params);
        memcpy(before, params, sizeof params);
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            assert_int_equal(terrain_operation_params_init(operation, params, bad[i]),
                             TERRAIN_ERROR_ARGUMENT);
        }
        assert_memory_equal(params, before, sizeof params);
        assert_int_equal(terrain_operation_params_init(operation, NULL, 8), TERRAIN_ERROR_ARGUMENT);
    }
}

/* ---- Maps ----------------------------------------------------------------------------------- */

/* No map, a map too few, a map too many. */
static void test_missing_maps(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        terrain_context *context = test_plain_context();
        terrain_heightmap *some[TEST_ARGUMENTS + 1] = {NULL};
        uint64_t before = test_call_fingerprint(&call);
        const terrain_status refused = TERRAIN_ERROR_ARGUMENT;
        for (uint32_t missing = 0; missing < call.map_count; missing++) {
            memcpy(some, call.maps, sizeof call.maps);
            some[missing] = NULL;
            expect_status(
                terrain_operation_apply(context, operation, some, call.map_count, call.params),
                refused, &call, context);
        }
        memcpy(some, call.maps, sizeof call.maps);
        expect_status(
            terrain_operation_apply(context, operation, NULL, call.map_count, call.params), refused,
            &call, context);
        expect_status(terrain_operation_apply(context, operation, some, 0, call.params), refused,
                      &call, context);
        if (test_call_port(&call, 0)->grid == 0) {
            expect_status(
                terrain_operation_apply(context, operation, some, call.map_count + 1, call.params),
                refused, &call, context);
            expect_status(
                terrain_operation_apply(context, operation, some, call.map_count - 1, call.params),
                refused, &call, context);
        }
        expect(test_call_fingerprint(&call) == before, &call, context);
        terrain_context_destroy(context);
        test_call_destroy(&call);
    }
}

/* Replaces the map in a slot for one call that must be refused. */
static void check_with_map(test_call *call, terrain_heightmap **slot, terrain_heightmap *map,
                           terrain_status status, const char *word)
{
    terrain_heightmap *own = *slot;
    *slot = map;
    check_refused(call, status, word);
    *slot = own;
}

static void set_map(test_call *call, const terrain_parameter *p, const terrain_heightmap *map)
{
    memcpy((char *)call->params + p->offset, &map, sizeof map);
}

static bool is_map(const terrain_parameter *p)
{
    return p->type == TERRAIN_TYPE_MAP_IN || p->type == TERRAIN_TYPE_MAP_OUT;
}

/* A host's memory that it declared const, and that is written. */
static void test_const_targets(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        terrain_heightmap *target = test_call_target(&call);
        terrain_heightmap *constant = NULL;
        assert_int_equal(terrain_heightmap_wrap_const(NULL, terrain_heightmap_const_data(target),
                                                      terrain_heightmap_width(target),
                                                      terrain_heightmap_height(target),
                                                      terrain_heightmap_stride(target), &constant),
                         TERRAIN_SUCCESS);
        terrain_window window = test_window_of(target);
        terrain_heightmap_set_origin(constant, window.x, window.y);
        check_with_map(&call, &call.maps[test_call_target_index(&call)], constant,
                       TERRAIN_ERROR_ARGUMENT, "const");
        terrain_heightmap_destroy(constant);

        test_call_attach_all(&call);
        for (uint32_t i = 0; i < call.attached_count; i++) {
            test_attachment *attached = &call.attached[i];
            if (attached->map == NULL || attached->parameter->type != TERRAIN_TYPE_MAP_OUT) {
                continue;
            }
            assert_int_equal(
                terrain_heightmap_wrap_const(NULL, terrain_heightmap_data(attached->map),
                                             place.width, place.height, place.width, &constant),
                TERRAIN_SUCCESS);
            set_map(&call, attached->parameter, constant);
            check_refused(&call, TERRAIN_ERROR_ARGUMENT, attached->parameter->name, "const");
            set_map(&call, attached->parameter, attached->map);
            terrain_heightmap_destroy(constant);
        }
        test_call_destroy(&call);
    }
}

/* A grid of the most maps that is refused, or of one more that is not, or one of many maps of which
 * two are the same cells. */
static void test_most_maps_of_a_grid(void **state)
{
    enum { COLUMNS = 17, ROWS = TERRAIN_GRID_MAXIMUM / COLUMNS + 1, MORE = COLUMNS * ROWS };
    static terrain_heightmap *maps[MORE];
    terrain_context *context = test_plain_context();
    assert_true(MORE > TERRAIN_GRID_MAXIMUM);
    for (int i = 0; i < MORE; i++) {
        maps[i] = test_map_of_size(8, 8, (uint64_t)i);
    }
    terrain_heightmap *same = NULL;
    assert_int_equal(terrain_heightmap_view(NULL, maps[7], 0, 0, 8, 8, &same), TERRAIN_SUCCESS);
    for_each_operation(operation) {
        if (terrain_operation_signature(operation) == TERRAIN_SIGNATURE_GRID) {
            expect_refused(
                terrain_operation_apply_grid(context, operation, maps, COLUMNS, ROWS, NULL),
                TERRAIN_ERROR_RANGE, context, "at most 4096");
            terrain_context_cancel(context);
            assert_int_equal(terrain_operation_apply_grid(context, operation, maps, 64,
                                                          TERRAIN_GRID_MAXIMUM / 64, NULL),
                             TERRAIN_ERROR_CANCELLED);
            terrain_heightmap *other = maps[60];
            maps[60] = same;
            expect_refused(terrain_operation_apply_grid(context, operation, maps, 8, 8, NULL),
                           TERRAIN_ERROR_ALIAS, context, "maps[60] overlaps maps[7]");
            maps[60] = other;
        }
    }
    terrain_heightmap_destroy(same);
    for (int i = 0; i < MORE; i++) {
        terrain_heightmap_destroy(maps[i]);
    }
    terrain_context_destroy(context);
}

/* Maps of another size, or read at another place. */
static void test_unequal_maps(void **state)
{
    static const terrain_window others[] = {
        {3, -8, 8, 7}, {3, -8, 9, 8}, {3, -8, 7, 9}, {4, -8, 9, 7}, {3, -9, 9, 7},
    };
    for_each_operation(operation) {
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            test_call call = make_call(operation);
            terrain_heightmap *odd = test_map(&others[k]);
            bool moved = k >= 3;
            for (uint32_t i = 1; i < call.map_count; i++) {
                const terrain_port *port = test_call_port(&call, i);
                if (port->lattice == TERRAIN_PORT_LATTICE_CALL &&
                    (!moved || port->role == TERRAIN_PORT_ROLE_READ)) {
                    check_with_map(&call, &call.maps[i], odd, TERRAIN_ERROR_ARGUMENT, NULL);
                }
            }
            for_each_parameter(operation, p) {
                if (is_map(p) && p->port->lattice == TERRAIN_PORT_LATTICE_CALL &&
                    !(moved && p->type == TERRAIN_TYPE_MAP_OUT)) {
                    set_map(&call, p, odd);
                    check_refused(&call, TERRAIN_ERROR_ARGUMENT, p->name);
                    set_map(&call, p, NULL);
                }
            }
            terrain_heightmap_destroy(odd);
            test_call_destroy(&call);
        }
    }
}

/* An output that is another map of the call, or shares one cell with it. */
static void test_aliases(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        terrain_heightmap *target = test_call_target(&call);
        size_t cells = (size_t)terrain_heightmap_width(target) * terrain_heightmap_height(target);
        terrain_heightmap *touching = NULL;
        static float memory[4096];
        assert_true(2 * cells < sizeof memory / sizeof memory[0]);

        /* The target again, and a map that begins with the target's last cell. */
        terrain_heightmap *moved = NULL;
        assert_int_equal(terrain_heightmap_wrap(NULL, memory, terrain_heightmap_width(target),
                                                terrain_heightmap_height(target),
                                                terrain_heightmap_width(target), &moved),
                         TERRAIN_SUCCESS);
        assert_int_equal(terrain_heightmap_wrap(NULL, memory + cells - 1, place.width, place.height,
                                                place.width, &touching),
                         TERRAIN_SUCCESS);
        terrain_heightmap *maps[] = {moved, touching};
        for (int i = 0; i < 2; i++) {
            terrain_window at = i == 0 ? test_window_of(target) : place;
            terrain_heightmap_set_origin(maps[i], at.x, at.y);
        }
        terrain_heightmap **slot = &call.maps[test_call_target_index(&call)];
        *slot = moved;
        test_call_fill(&call);
        for (int k = 0; k < 2; k++) {
            terrain_heightmap *alias = k == 0 ? moved : touching;
            if (terrain_heightmap_width(alias) != place.width) {
                continue; /* of another size, which is refused first */
            }
            if (call.other != NULL) {
                check_with_map(&call, slot == &call.map ? &call.other : &call.map, alias,
                               TERRAIN_ERROR_ALIAS, NULL);
            }
            for_each_parameter(operation, p) {
                if (is_map(p) && p->port->lattice == TERRAIN_PORT_LATTICE_CALL) {
                    set_map(&call, p, alias);
                    check_refused(&call, TERRAIN_ERROR_ALIAS, p->name);
                    set_map(&call, p, NULL);
                }
            }
        }
        *slot = target;
        terrain_heightmap_destroy(moved);
        terrain_heightmap_destroy(touching);
        test_call_destroy(&call);
    }
}

/* Two outputs that are one map. */
static void test_outputs_are_one(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        const terrain_parameter *first = NULL;
        for_each_parameter(operation, p) {
            if (p->type == TERRAIN_TYPE_MAP_OUT && first == NULL) {
                first = p;
                test_call_attach(&call, p);
            } else if (p->type == TERRAIN_TYPE_MAP_OUT) {
                set_map(&call, p, call.attached[0].map);
                check_refused(&call, TERRAIN_ERROR_ALIAS, p->name);
                set_map(&call, p, NULL);
            }
        }
        test_call_destroy(&call);
    }
}

/* Inputs may be the same map. */
static void test_inputs_may_overlap(void **state)
{
    for_each_operation(operation) {
        test_call call = make_call(operation);
        terrain_heightmap *input = test_map(&place);
        test_fill_shares(input, 5);
        for_each_parameter(operation, p) {
            if (p->type == TERRAIN_TYPE_MAP_IN && p->port->lattice == TERRAIN_PORT_LATTICE_CALL) {
                set_map(&call, p, input);
            }
        }
        terrain_context *context = test_plain_context();
        expect_status(test_call_apply(&call, context), TERRAIN_SUCCESS, &call, context);
        terrain_context_destroy(context);
        terrain_heightmap_destroy(input);
        test_call_destroy(&call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out_of_range),
        cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_limits_belong_to_the_range),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_untagged_params),
        cmocka_unit_test(test_arrays_of_64),
        cmocka_unit_test(test_struct_sizes),
        cmocka_unit_test(test_reserved_bytes),
        cmocka_unit_test(test_unknown_flags),
        cmocka_unit_test(test_newer_params),
        cmocka_unit_test(test_older_params),
        cmocka_unit_test(test_init_sizes),
        cmocka_unit_test(test_missing_maps),
        cmocka_unit_test(test_const_targets),
        cmocka_unit_test(test_most_maps_of_a_grid),
        cmocka_unit_test(test_unequal_maps),
        cmocka_unit_test(test_aliases),
        cmocka_unit_test(test_outputs_are_one),
        cmocka_unit_test(test_inputs_may_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
