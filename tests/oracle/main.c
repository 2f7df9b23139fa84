/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against kernels that are fast and wrong: runs every oracle, or those named as arguments,
 * and exits with 1 if a kernel disagrees. tests/oracle/mistakes.py shows that it notices.
 *
 * usage: oracle [--first] [OPERATION ...]      --first: ends where the first kernel disagrees */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"

/* Every operation has an oracle. */
#define OPERATION(key, verb, algorithm) extern const oracle oracle_##verb##_##algorithm;
#include "core/operations.h"
#undef OPERATION

static const oracle *const oracles[] = {
#define OPERATION(key, verb, algorithm) &oracle_##verb##_##algorithm,
#include "core/operations.h"
#undef OPERATION
};

enum { ORACLE_COUNT = sizeof oracles / sizeof oracles[0], MOST_OUTPUTS = 8 };

static double *allocate(int64_t count)
{
    double *cells = calloc((size_t)count, sizeof *cells);
    if (cells == NULL) {
        abort();
    }
    return cells;
}

static oracle_map copy_map(const terrain_heightmap *map)
{
    oracle_map copy = {NULL, terrain_heightmap_width(map), terrain_heightmap_height(map), 0, 0, 0};
    const float *data = terrain_heightmap_const_data(map);
    size_t stride = terrain_heightmap_stride(map);
    if (map == NULL) {
        return copy;
    }
    terrain_heightmap_origin(map, &copy.x, &copy.y);
    copy.cell_size = (double)terrain_heightmap_cell_size(map);
    copy.cells = allocate(copy.width * copy.height);
    for (int64_t y = 0; y < copy.height; y++) {
        for (int64_t x = 0; x < copy.width; x++) {
            *oracle_at(&copy, x, y) = (double)data[(size_t)y * stride + (size_t)x];
        }
    }
    return copy;
}

static const test_attachment *find_attachment(const test_call *call, const char *name)
{
    for (uint32_t i = 0; i < call->attached_count; i++) {
        if (strcmp(call->attached[i].parameter->name, name) == 0 && call->attached[i].map != NULL) {
            return &call->attached[i];
        }
    }
    return NULL;
}

oracle_map oracle_input(const oracle_call *call, const char *name)
{
    const test_attachment *attachment = find_attachment(call->test, name);
    return copy_map(attachment != NULL ? attachment->map : NULL);
}

/* What the oracle says about the outputs of the current call. */
static struct expected_output {
    const terrain_heightmap *map;
    oracle_map expected;
} outputs[MOST_OUTPUTS];
static int output_count;

oracle_map oracle_output(oracle_call *call, const char *name)
{
    const test_attachment *attachment = find_attachment(call->test, name);
    oracle_map map = copy_map(attachment != NULL ? attachment->map : NULL);
    if (map.cells != NULL) {
        if (output_count == MOST_OUTPUTS) {
            abort();
        }
        outputs[output_count].map = attachment->map;
        outputs[output_count++].expected = map;
    }
    return map;
}

void oracle_grid(oracle_call *call, oracle_map before[4], oracle_map after[4])
{
    const terrain_heightmap *maps[4] = {call->test->map, call->test->other, call->test->below[0],
                                        call->test->below[1]};
    for (int i = 0; i < 4; i++) {
        before[i] = i == 0 ? call->map : copy_map(maps[i]);
        after[i] = i == 0 ? call->result : copy_map(maps[i]);
        if (i > 0) {
            outputs[output_count].map = maps[i];
            outputs[output_count++].expected = after[i];
        }
    }
}

/* Largest difference; infinity where one is NaN or infinite and the other is something else. */
static double difference(const oracle_map *expected, const terrain_heightmap *map)
{
    oracle_map actual = copy_map(map);
    double worst = 0;
    for (int64_t i = 0; i < actual.width * actual.height; i++) {
        double a = actual.cells[i];
        double e = expected->cells[i];
        double d = isnan(a) && isnan(e) ? 0 : a == e ? 0 : fabs(a - e);
        worst = isnan(d) ? (double)INFINITY : d > worst ? d : worst;
    }
    free(actual.cells);
    return worst;
}

static void set_params(test_call *call, const char *text)
{
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        if (equals == NULL) {
            abort();
        }
        *equals = '\0';
        if (!test_call_set_text(call, word, equals + 1)) {
            fprintf(stderr, "%s: no %s=%s\n", terrain_operation_name(call->operation), word,
                    equals + 1);
            exit(2);
        }
    }
}

/* Of erode, blur and shape, whose oracles know nothing of it. map is as it was before the call. */
static void apply_mask(oracle_call *asked, const terrain_heightmap *map)
{
    const terrain_port *first = test_call_port(asked->test, 0);
    bool masks = asked->test->map_count == 1 && first->role == TERRAIN_PORT_ROLE_CHANGE;
    oracle_map mask = oracle_input(asked, "mask");
    oracle_map before = copy_map(map);
    for (int64_t i = 0; masks && mask.cells != NULL && i < mask.width * mask.height; i++) {
        double m = mask.cells[i] > 0 ? fmin(mask.cells[i], 1) : 0;
        asked->result.cells[i] = before.cells[i] + m * (asked->result.cells[i] - before.cells[i]);
    }
    free(mask.cells);
    free(before.cells);
}

/* Maps exist before map parameters can be set, so the maps come first. */
static int check_case(const oracle *o, const oracle_case *c)
{
    test_call call = test_call_of(terrain_operation_find(o->operation));
    terrain_window window = {c->x, c->y, c->width, c->height};
    oracle_call asked = {0};
    terrain_status status;
    double worst;
    test_call_create_maps(&call, &window);
    set_params(&call, c->params);
    if (o->cell_size > 0) {
        terrain_heightmap_set_cell_size(call.map, o->cell_size);
    }
    test_call_fill(&call);
    asked.params = call.params;
    asked.test = &call;
    asked.map = copy_map(call.map);
    asked.other = copy_map(call.other);
    asked.result = copy_map(test_call_target(&call));
    output_count = 0;
    o->compute(&asked);
    apply_mask(&asked, call.map);
    status = test_call_apply(&call, NULL);
    worst = status == TERRAIN_SUCCESS ? difference(&asked.result, test_call_target(&call))
                                      : (double)INFINITY;
    for (int i = 0; i < output_count; i++) {
        double d = difference(&outputs[i].expected, outputs[i].map);
        worst = d > worst ? d : worst;
        free(outputs[i].expected.cells);
    }
    printf("%s %s %s (%ux%u): %s, off by %.3g, bound %.3g\n", worst <= c->bound ? "ok" : "NOT OK",
           o->operation, c->params, c->width, c->height, terrain_status_name(status), worst,
           c->bound);
    free(asked.map.cells);
    free(asked.other.cells);
    free(asked.result.cells);
    test_call_destroy(&call);
    return worst <= c->bound ? 0 : 1;
}

static bool is_named(const oracle *o, int count, char **names)
{
    bool named = count == 0 && test_operation_wanted(o->operation);
    for (int i = 0; i < count; i++) {
        named = named || strcmp(names[i], o->operation) == 0;
    }
    return named;
}

int main(int argc, char **argv)
{
    const bool first = argc > 1 && strcmp(argv[1], "--first") == 0;
    const int names = first ? 2 : 1;
    int passed = 0;
    int failed = 0;
    for (int i = 0; i < ORACLE_COUNT; i++) {
        const oracle *o = oracles[i];
        const oracle_case *c = is_named(o, argc - names, argv + names) ? o->cases : NULL;
        for (; c != NULL && c->params != NULL && !(first && failed > 0); c++) {
            int wrong = check_case(o, c);
            failed += wrong;
            passed += !wrong;
        }
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || passed == 0;
}
