/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "support/calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/operation.h"
#include "core/type.h"
#include "support/test_operation.h"

uint32_t test_operation_count(void)
{
    return terrain_operation_count() + 2;
}

const terrain_operation *test_operation_at(uint32_t index)
{
    uint32_t count = terrain_operation_count();
    return index < count    ? terrain_operation_at(index)
           : index == count ? &test_every_type
                            : &test_coarse;
}

/* Whether a list that commas divide has the name. */
static bool is_listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += length) {
        const bool begins = at == names || at[-1] == ',';
        if (begins && (at[length] == ',' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

/* Tests of an operation that there is not would pass. */
static void check_names(const char *names)
{
    uint32_t wanted = 1, found = 0;
    for (const char *at = names; *at != '\0'; at++) {
        wanted += *at == ',';
    }
    for (uint32_t i = 0; i < test_operation_count(); i++) {
        found += is_listed(names, terrain_operation_name(test_operation_at(i)));
    }
    if (found != wanted) {
        fprintf(stderr, "test support: TEST_OPERATIONS: of %s, %u are operations\n", names,
                (unsigned)found);
        abort();
    }
}

bool test_operation_wanted(const char *name)
{
    static bool is_checked;
    const char *names = getenv("TEST_OPERATIONS");
    if (names == NULL) {
        return true;
    }
    if (!is_checked) {
        check_names(names);
        is_checked = true;
    }
    return is_listed(names, name);
}

bool test_is_slow(void)
{
    return getenv("TEST_SLOW") != NULL;
}

uint32_t test_trial_step(const terrain_operation *operation)
{
    return operation->levels == NULL ? 1 : test_is_slow() ? 13 : 3;
}

static void die(const test_call *call, const char *what)
{
    fprintf(stderr, "test support: %s: %s\n", terrain_operation_name(call->operation), what);
    abort();
}

/* ---- Numbers in params ---------------------------------------------------------------------- */

/* What a type of numbers could hold. */
static const struct number {
    enum { REAL, SIGNED, UNSIGNED } kind;
    int64_t least; /* of integers */
    uint64_t most;
} numbers[] = {
    [TERRAIN_TYPE_FLOAT] = {REAL, 0, 0},
    [TERRAIN_TYPE_INT32] = {SIGNED, INT32_MIN, INT32_MAX},
    [TERRAIN_TYPE_UINT32] = {UNSIGNED, 0, UINT32_MAX},
    [TERRAIN_TYPE_INT64] = {SIGNED, INT64_MIN, INT64_MAX},
    [TERRAIN_TYPE_UINT64] = {UNSIGNED, 0, UINT64_MAX},
    [TERRAIN_TYPE_BOOL] = {UNSIGNED, 0, UINT32_MAX},
    [TERRAIN_TYPE_ENUM] = {UNSIGNED, 0, UINT32_MAX},
};

bool test_is_number(const terrain_parameter *parameter)
{
    return parameter->type < sizeof numbers / sizeof numbers[0];
}

terrain_value test_get(const void *params, const terrain_parameter *parameter)
{
    terrain_value value = {.u = 0};
    terrain__type_of(parameter)->load((const char *)params + parameter->offset, &value);
    return value;
}

void test_set(void *params, const terrain_parameter *parameter, terrain_value value)
{
    terrain__type_of(parameter)->store((char *)params + parameter->offset, &value);
}

bool test_values_equal(const terrain_parameter *parameter, terrain_value a, terrain_value b)
{
    if (parameter->type == TERRAIN_TYPE_FLOAT) {
        return (float)a.f == (float)b.f;
    }
    return a.u == b.u;
}

bool test_value_below(const terrain_parameter *parameter, terrain_value *value)
{
    const struct number *number = &numbers[parameter->type];
    bool exists = number->kind == REAL     ? parameter->minimum.f > -(double)INFINITY
                  : number->kind == SIGNED ? parameter->minimum.i > number->least
                                           : parameter->minimum.u > 0;
    *value = parameter->minimum;
    if (number->kind == REAL) {
        value->f = (double)nextafterf((float)parameter->minimum.f, -INFINITY);
    } else {
        value->u -= exists;
    }
    return exists;
}

bool test_value_above(const terrain_parameter *parameter, terrain_value *value)
{
    const struct number *number = &numbers[parameter->type];
    bool exists = number->kind == REAL     ? parameter->maximum.f < (double)INFINITY
                  : number->kind == SIGNED ? parameter->maximum.i < (int64_t)number->most
                                           : parameter->maximum.u < number->most;
    *value = parameter->maximum;
    if (number->kind == REAL) {
        value->f = (double)nextafterf((float)parameter->maximum.f, INFINITY);
    } else {
        value->u += exists;
    }
    return exists;
}

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static double random_float(const terrain_parameter *p, double standard, test_random *random)
{
    double reach = 4 * (isfinite(standard) ? fabs(standard) : 10) + 4;
    double low = clamp(-reach, p->minimum.f, p->maximum.f);
    double high = clamp(reach, p->minimum.f, p->maximum.f);
    uint64_t choice = test_below(random, 8);
    if (choice == 0) {
        return p->minimum.f > -reach ? p->minimum.f : low;
    }
    if (choice == 7) { /* where positions meet cells, and values each other */
        double whole = floor(4 * (low + (high - low) * test_unit(random))) / 4;
        return clamp(whole, low, high);
    }
    if (choice <= 2 && isfinite(standard) && standard != 0) {
        return clamp(standard * (0.25 + 2 * test_unit(random)), p->minimum.f, p->maximum.f);
    }
    return clamp((double)(float)(low + (high - low) * test_unit(random)), low, high);
}

static int64_t random_integer(const terrain_parameter *p, test_random *random, int64_t place)
{
    int64_t standard = p->default_value.i;
    int64_t reach = standard > -1000000 && standard < 1000000 ? 4 * llabs(standard) + 16 : 1000;
    int64_t centre = 0;
    if (p->type == TERRAIN_TYPE_INT64 && test_below(random, 2) != 0) {
        centre = place;
        reach = 200;
    }
    int64_t value = centre + test_between(random, -reach, reach);
    return value < p->minimum.i ? p->minimum.i : value > p->maximum.i ? p->maximum.i : value;
}

static uint64_t random_natural(const terrain_parameter *p, test_random *random)
{
    uint64_t standard = p->default_value.u;
    uint64_t reach = standard < 100000 ? 4 * standard + 16 : standard;
    uint64_t value;
    if (p->type == TERRAIN_TYPE_UINT64 && p->maximum.u == UINT64_MAX) {
        return test_bits(random);
    }
    if (p->type >= TERRAIN_TYPE_BOOL) {
        return test_below(random, p->maximum.u + 1);
    }
    if (test_below(random, 3) == 0) {
        value = UINT64_C(1) << test_below(random, 8);
    } else {
        value = p->minimum.u + test_below(random, reach);
    }
    return value < p->minimum.u ? p->minimum.u : value > p->maximum.u ? p->maximum.u : value;
}

terrain_value test_random_value(const terrain_parameter *parameter, test_random *random,
                                int64_t place)
{
    terrain_value value = parameter->default_value;
    if (test_below(random, 4) == 0 && parameter->maximum.u != UINT64_MAX) {
        return value;
    }
    if (numbers[parameter->type].kind == REAL) {
        value.f = random_float(parameter, parameter->default_value.f, random);
    } else if (numbers[parameter->type].kind == SIGNED) {
        value.i = random_integer(parameter, random, place);
    } else {
        value.u = random_natural(parameter, random);
    }
    return value;
}

/* ---- Calls ---------------------------------------------------------------------------------- */

test_call test_call_of(const terrain_operation *operation)
{
    test_call call = {.operation = operation, .seed = 1};
    size_t size = terrain_operation_params_size(operation);
    call.params = calloc(1, size);
    if (call.params == NULL ||
        terrain_operation_params_init(operation, call.params, size) != TERRAIN_SUCCESS) {
        die(&call, "can't initialise params");
    }
    return call;
}

static test_attachment *attachment(test_call *call, const terrain_parameter *parameter)
{
    for (uint32_t i = 0; i < call->attached_count; i++) {
        if (call->attached[i].parameter == parameter) {
            return &call->attached[i];
        }
    }
    if (call->attached_count == TEST_ATTACHMENTS) {
        die(call, "too many maps and arrays");
    }
    test_attachment *attached = &call->attached[call->attached_count++];
    attached->parameter = parameter;
    return attached;
}

static void set_array(test_call *call, const terrain_parameter *parameter, const float *values,
                      uint32_t count)
{
    test_attachment *attached = attachment(call, parameter);
    free(attached->values);
    attached->values = malloc((count + 1) * sizeof *values);
    if (attached->values == NULL) {
        die(call, "no memory");
    }
    memcpy(attached->values, values, count * sizeof *values);
    const float *pointer = count != 0 ? attached->values : NULL;
    memcpy((char *)call->params + parameter->offset, &pointer, sizeof pointer);
    memcpy((char *)call->params + parameter->count_offset, &count, sizeof count);
}

static void randomize(test_call *call, test_random *random, int64_t place, bool arrays)
{
    for_each_parameter(call->operation, p) {
        if (test_is_number(p)) {
            test_set(call->params, p, test_random_value(p, random, place));
        } else if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            float values[12];
            uint64_t most = p->count_maximum < 12 ? p->count_maximum : 12;
            uint32_t count = arrays ? (uint32_t)test_below(random, most + 1) : 0;
            for (uint32_t k = 0; k < count; k++) {
                values[k] = (float)random_float(p, 1, random);
            }
            set_array(call, p, values, count);
        }
    }
}

/* Far away a map lies in the world at its finest level alone: a cell of the next has twice its
 * coordinates. */
static void stay_in_world(test_call *call, const terrain_window *place)
{
    const terrain_parameter *level = terrain_operation_parameter_find(call->operation, "level");
    const int64_t far = INT64_C(1) << 50;
    const terrain_value finest = {.u = 0};
    if (level != NULL && (place->x > far || place->x < -far || place->y > far || place->y < -far)) {
        test_set(call->params, level, finest);
    }
}

/* A fine lattice needs a map of millions of cells, which nobody else's tests are about. */
static void keep_coarse(test_call *call)
{
    const terrain_value coarse = {.u = 512};
    for (uint32_t i = 0; i < terrain_operation_port_count(call->operation); i++) {
        const terrain_port *port = terrain_operation_port_at(call->operation, i);
        const terrain_parameter *spacing =
            terrain_operation_parameter_find(call->operation, port->spacing);
        if (spacing != NULL && test_get(call->params, spacing).u < coarse.u) {
            test_set(call->params, spacing, coarse);
        }
    }
}

void test_call_randomize(test_call *call, test_random *random, const terrain_window *place)
{
    uint32_t halo;
    for (int i = 0; i < 400; i++) {
        randomize(call, random, place->x, i < 200);
        stay_in_world(call, place);
        keep_coarse(call);
        if (terrain_operation_halo(call->operation, call->params, &halo) == TERRAIN_SUCCESS) {
            return;
        }
    }
    die(call, "refuses 400 random params: its rules need help from the test");
}

static bool read_array(test_call *call, const terrain_parameter *parameter, const char *text)
{
    float values[64];
    uint32_t count = 0;
    while (count < 64) {
        char *end;
        values[count++] = strtof(text, &end);
        if (end == text || (*end != ',' && *end != '\0')) {
            return false;
        }
        if (*end == '\0') {
            set_array(call, parameter, values, count);
            return true;
        }
        text = end + 1;
    }
    return false;
}

/* A number, or an enum's name; false if there is more, or something else. */
static bool read_number(const terrain_parameter *p, const char *text, terrain_value *value)
{
    value->u = 0;
    if (p->type == TERRAIN_TYPE_ENUM) {
        while (value->u <= p->maximum.u && strcmp(p->value_names[value->u], text) != 0) {
            value->u++;
        }
        return value->u <= p->maximum.u;
    }
    if (p->type == TERRAIN_TYPE_FLOAT) { /* recipes don't read infinity, nor 1e30 */
        char *end;
        value->f = strtod(text, &end);
        return end != text && *end == '\0';
    }
    return terrain__type_of(p)->parse(text, strlen(text), value);
}

bool test_call_set_text(test_call *call, const char *name, const char *text)
{
    const terrain_parameter *p = terrain_operation_parameter_find(call->operation, name);
    terrain_value value;
    if (p == NULL) {
        return false;
    }
    if (p->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        return read_array(call, p, text);
    }
    if (!test_is_number(p)) {
        test_call_attach(call, p);
        return true;
    }
    if (!read_number(p, text, &value)) {
        return false;
    }
    test_set(call->params, p, value);
    return true;
}

const terrain_port *test_call_port(const test_call *call, uint32_t index)
{
    const terrain_port *first = terrain_operation_port_at(call->operation, 0);
    return first->grid != 0 ? first : terrain_operation_port_at(call->operation, index);
}

static bool is_grid(const test_call *call)
{
    return test_call_port(call, 0)->grid != 0;
}

/* The window of a grid's maps: large enough to overlap. */
static terrain_window grid_window(const test_call *call, const terrain_window *window)
{
    const terrain_parameter *overlap = terrain_operation_parameter_find(call->operation, "overlap");
    uint64_t least = overlap != NULL ? test_get(call->params, overlap).u : 4;
    terrain_window place = *window;
    least = least < 4 || least > 256 ? 4 : least; /* the fuzzer's may be any: it is refused then */
    place.width = place.width < least ? (uint32_t)least : place.width;
    place.height = place.height < least ? (uint32_t)least : place.height;
    /* Towards the origin, to stay in the world. */
    place.x -= place.x > 0 ? place.width - window->width : 0;
    place.y -= place.y > 0 ? place.height - window->height : 0;
    return place;
}

static uint32_t argument_count(const terrain_operation *operation)
{
    uint32_t count = 0;
    const terrain_port *port;
    while ((port = terrain_operation_port_at(operation, count)) != NULL && port->offset == 0) {
        count++;
    }
    return count;
}

void test_call_create_maps(test_call *call, const terrain_window *window)
{
    const terrain_window first = is_grid(call) ? grid_window(call, window) : *window;
    call->map_count = is_grid(call) ? TEST_ARGUMENTS : argument_count(call->operation);
    for (uint32_t i = 0; i < call->map_count; i++) {
        terrain_window own = first;
        if (test_call_port(call, i)->lattice == TERRAIN_PORT_LATTICE_OWN) {
            /* A map may be too small for its result to have a cell, or its result lie outside the
             * world: any other result will do. */
            terrain_operation_result_window(call->operation, call->params, window, &own);
        }
        call->maps[i] = test_map(&own);
    }
}

/* What a map parameter must cover: all of the map, or the points of a coarse lattice around it. */
static terrain_window attached_window(const test_call *call, const terrain_parameter *parameter)
{
    terrain_window window = test_window_of(call->map), coarse;
    for (uint32_t i = 0; parameter->port->lattice == TERRAIN_PORT_LATTICE_COARSE; i++) {
        if (terrain_operation_port_at(call->operation, i) == parameter->port) {
            return terrain_operation_window(call->operation, call->params, i, &window, &coarse) ==
                           TERRAIN_SUCCESS
                       ? coarse
                       : window;
        }
    }
    return window;
}

void test_call_attach(test_call *call, const terrain_parameter *parameter)
{
    test_attachment *attached = attachment(call, parameter);
    if (attached->map == NULL) {
        terrain_window window = attached_window(call, parameter);
        attached->map = test_map(&window);
    }
    memcpy((char *)call->params + parameter->offset, &attached->map, sizeof attached->map);
}

void test_call_attach_all(test_call *call)
{
    for_each_parameter(call->operation, p) {
        if (p->port != NULL) {
            test_call_attach(call, p);
        }
    }
}

void test_call_fill(test_call *call)
{
    for (uint32_t i = 0; i < call->map_count; i++) {
        if (test_call_port(call, i)->role != TERRAIN_PORT_ROLE_WRITE) {
            test_fill_heights(call->maps[i], call->seed + (i > 0 ? 99 + i : 0));
            continue;
        }
        test_fill_poison(call->maps[i]);
        if (i > 0) {
            terrain_heightmap_set_cell_size(call->maps[i], 1);
        }
    }
    for (uint32_t i = 0; i < call->attached_count; i++) {
        test_attachment *attached = &call->attached[i];
        if (attached->map == NULL) {
            continue;
        }
        if (attached->parameter->port->role == TERRAIN_PORT_ROLE_WRITE) {
            test_fill_poison(attached->map);
            terrain_heightmap_set_cell_size(attached->map, 1);
        } else {
            const uint64_t seed = call->seed + 200 + attached->parameter->offset;
            const bool sparse = strcmp(attached->parameter->name, "constraints") == 0;
            (sparse ? test_fill_points : test_fill_shares)(attached->map, seed);
        }
    }
}

void test_call_sprinkle(test_call *call, uint32_t rarity)
{
    for (uint32_t i = 0; i < call->map_count; i++) {
        if (test_call_port(call, i)->role != TERRAIN_PORT_ROLE_WRITE) {
            test_sprinkle(call->maps[i], call->seed + i, rarity);
        }
    }
    for (uint32_t i = 0; i < call->attached_count; i++) {
        const test_attachment *attached = &call->attached[i];
        if (attached->map != NULL && attached->parameter->port->role != TERRAIN_PORT_ROLE_WRITE) {
            test_sprinkle(attached->map, call->seed + attached->parameter->offset, rarity);
        }
    }
}

test_call test_call_on(const terrain_operation *operation, const terrain_window *window)
{
    test_call call = test_call_of(operation);
    test_call_create_maps(&call, window);
    test_call_fill(&call);
    return call;
}

terrain_status test_call_apply(test_call *call, terrain_context *context)
{
    return is_grid(call) ? terrain_operation_apply_grid(context, call->operation, call->maps, 2, 2,
                                                        call->params)
                         : terrain_operation_apply(context, call->operation, call->maps,
                                                   call->map_count, call->params);
}

uint32_t test_call_target_index(const test_call *call)
{
    uint32_t index = 0;
    while (test_call_port(call, index)->role == TERRAIN_PORT_ROLE_READ) {
        index++;
    }
    return index;
}

terrain_heightmap *test_call_target(const test_call *call)
{
    return call->maps[test_call_target_index(call)];
}

uint64_t test_call_hash(const test_call *call)
{
    uint64_t hash = terrain_heightmap_hash(test_call_target(call));
    for (uint32_t i = 1; i < call->map_count && is_grid(call); i++) {
        hash = hash * UINT64_C(0x9E3779B97F4A7C15) ^ terrain_heightmap_hash(call->maps[i]);
    }
    for (uint32_t i = 0; i < call->attached_count; i++) {
        const test_attachment *attached = &call->attached[i];
        if (attached->map != NULL && attached->parameter->port->role == TERRAIN_PORT_ROLE_WRITE) {
            hash = hash * UINT64_C(0x9E3779B97F4A7C15) ^ terrain_heightmap_hash(attached->map);
        }
    }
    return hash;
}

static uint64_t fingerprint(uint64_t hash, const terrain_heightmap *map)
{
    if (map == NULL) {
        return hash;
    }
    const float *row = terrain_heightmap_const_data(map);
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            uint32_t bits;
            memcpy(&bits, &row[x], sizeof bits);
            hash = (hash ^ bits) * UINT64_C(0x100000001B3);
            hash ^= hash >> 29;
        }
        row += terrain_heightmap_stride(map);
    }
    terrain_window window = test_window_of(map);
    float cell_size = terrain_heightmap_cell_size(map);
    uint32_t bits;
    memcpy(&bits, &cell_size, sizeof bits);
    hash = (hash ^ (uint64_t)window.x) * UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ (uint64_t)window.y ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

uint64_t test_call_fingerprint(const test_call *call)
{
    uint64_t hash = 7;
    for (uint32_t i = 0; i < call->map_count; i++) {
        hash = fingerprint(hash, call->maps[i]);
    }
    for (uint32_t i = 0; i < call->attached_count; i++) {
        hash = fingerprint(hash, call->attached[i].map);
    }
    return hash;
}

void test_call_destroy(test_call *call)
{
    for (uint32_t i = 0; i < call->attached_count; i++) {
        terrain_heightmap_destroy(call->attached[i].map);
        free(call->attached[i].values);
    }
    for (uint32_t i = 0; i < call->map_count; i++) {
        terrain_heightmap_destroy(call->maps[i]);
    }
    free(call->params);
    memset(call, 0, sizeof *call);
}

static size_t print_value(char *text, size_t size, const terrain_parameter *p, terrain_value value)
{
    char number[TERRAIN__NUMBER_SIZE];
    const char *name = number;
    terrain__type_of(p)->print(&value, number);
    if (p->type == TERRAIN_TYPE_ENUM && value.u <= p->maximum.u) {
        name = p->value_names[value.u];
    }
    int written = snprintf(text, size, " %s=%s", p->name, name);
    return written < 0 ? 0 : (size_t)written < size ? (size_t)written : size - 1;
}

const char *test_call_text(const test_call *call)
{
    static char text[2000];
    size_t used =
        (size_t)snprintf(text, sizeof text, "%s", terrain_operation_name(call->operation));
    for_each_parameter(call->operation, p) {
        if (test_is_number(p)) {
            terrain_value value = test_get(call->params, p);
            if (!test_values_equal(p, value, p->default_value)) {
                used += print_value(text + used, sizeof text - used, p, value);
            }
        }
    }
    return text;
}
