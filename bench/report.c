/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "report.h"

#include <math.h>
#include <string.h>

/* ---- Targets ------------------------------------------------------------------------------- */

enum { MOST_TARGETS = 200 };

static struct target {
    char name[64];
    uint32_t width;
    uint32_t height;
    double ratio;
} targets[MOST_TARGETS];
static uint32_t target_count;

bool bench_targets_read(const char *path)
{
    char line[300];
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        fprintf(stderr, "terrain-bench: can't read %s\n", path);
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        struct target *target = &targets[target_count];
        if (line[0] == '#' || line[0] == '\n') {
            continue;
        }
        if (target_count == MOST_TARGETS ||
            sscanf(line, "%63s %ux%u %lf", target->name, &target->width, &target->height,
                   &target->ratio) != 4) {
            fprintf(stderr, "terrain-bench: %s: can't read the line: %s", path, line);
            fclose(file);
            return false;
        }
        target_count++;
    }
    const bool good = !ferror(file);
    fclose(file);
    if (!good) {
        fprintf(stderr, "terrain-bench: can't read %s\n", path);
    }
    return good;
}

double bench_target(const char *name, uint32_t width, uint32_t height)
{
    for (uint32_t i = 0; i < target_count; i++) {
        const struct target *target = &targets[i];
        if (target->width == width && target->height == height && strcmp(target->name, name) == 0) {
            return target->ratio;
        }
    }
    return 0;
}

/* ---- Names --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t isa;
} isas[] = {
    {"baseline", TERRAIN_ISA_BASELINE}, {"avx2", TERRAIN_ISA_AVX2}, {"avx512", TERRAIN_ISA_AVX512}};

const char *bench_isa_name(uint32_t isa)
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (isas[i].isa == isa) {
            return isas[i].name;
        }
    }
    return "unknown";
}

bool bench_isa_find(const char *name, uint32_t *isa)
{
    for (size_t i = 0; i < sizeof isas / sizeof isas[0]; i++) {
        if (strcmp(isas[i].name, name) == 0) {
            *isa = isas[i].isa;
            return true;
        }
    }
    return false;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static uint32_t rows;

void bench_report_begin(bool json, uint32_t isa)
{
    if (json) {
        printf("{\"version\": \"%d.%d.%d\", \"isa\": \"%s\", \"time\": \"%s\", \"results\": [",
               TERRAIN_VERSION_MAJOR, TERRAIN_VERSION_MINOR, TERRAIN_VERSION_PATCH,
               bench_isa_name(isa), bench_time_name());
        return;
    }
    printf(
        "Instruction set: %s; %s time.\n"
        "ratio: to a copy of the map, minimum to minimum; paired: the median of each run to the\n"
        "copy just before it, for noisy machines; goal: the ratio to reach, and in brackets the\n"
        "ratio as a share of it; x: how much faster than ours on one thread. The times of a case "
        "that\n"
        "names \"each\" are of one of its iterations.\n\n",
        bench_isa_name(isa), bench_time_name());
    printf("%-42s %11s %2s %9s %9s %8s %6s %7s %7s %15s %5s\n", "case", "size", "t", "min ms",
           "median", "ns/cell", "GB/s", "ratio", "paired", "goal", "x");
}

static void print_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '\n') {
            printf("\\n");
        } else if ((unsigned char)*text < ' ') {
            printf("\\u%04x", (unsigned)*text);
        } else {
            printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
        }
    }
    putchar('"');
}

/* A number of three digits after the point, or null: a clock may not see how long a copy of a few
 * cells takes. */
static void print_ratio(const char *name, double ratio)
{
    if (isfinite(ratio)) {
        printf(", \"%s\": %.3f", name, ratio);
    } else {
        printf(", \"%s\": null", name);
    }
}

static void print_json(const bench_result *r, double cells, double ratio, double gigabytes)
{
    printf("%s\n{\"case\": ", rows == 0 ? "" : ",");
    print_text(r->what->name);
    printf(", \"recipe\": ");
    print_text(r->what->recipe);
    printf(", \"width\": %u, \"height\": %u, \"threads\": %u, \"divisor\": %u, \"rounds\": %u, "
           "\"minimum_ms\": %.6f, \"median_ms\": %.6f, \"ns_per_cell\": %.4f, "
           "\"copy_minimum_ms\": %.6f, \"copy_median_ms\": %.6f",
           r->width, r->height, r->threads, r->divisor, r->times.rounds, r->times.minimum * 1e3,
           r->times.median * 1e3, r->times.minimum * 1e9 / cells, r->times.copy_minimum * 1e3,
           r->times.copy_median * 1e3);
    print_ratio("gb_per_s", gigabytes);
    print_ratio("ratio", ratio);
    print_ratio("paired_ratio", r->times.ratio);
    if (r->peer != NULL) {
        printf(", \"peer\": \"%s\"", r->peer);
    }
    if (r->target > 0) {
        printf(", \"goal\": %.3f", r->target);
    }
    printf("}");
}

static void print_row(const bench_result *r, double cells, double ratio, double gigabytes)
{
    char size[32];
    char name[80];
    char goal[32] = "";
    char speedup[16] = "";
    snprintf(size, sizeof size, "%ux%u", r->width, r->height);
    if (r->peer != NULL) {
        snprintf(name, sizeof name, "    %s", r->peer);
    } else {
        snprintf(name, sizeof name, "%s%s", r->what->name, r->divisor == 1 ? "" : ", each");
    }
    if (r->target > 0 && r->threads == 1 && r->peer == NULL) {
        snprintf(goal, sizeof goal, "%.2f (%.2f)", r->target, ratio / r->target);
    }
    if ((r->threads != 1 || r->peer != NULL) && r->one_thread > 0) {
        snprintf(speedup, sizeof speedup, "%.2f", r->one_thread / r->times.minimum);
    }
    printf("%-42s %11s %2u %9.4f %9.4f %8.3f %6.1f %7.2f %7.2f %15s %5s\n", name, size, r->threads,
           r->times.minimum * 1e3, r->times.median * 1e3, r->times.minimum * 1e9 / cells, gigabytes,
           ratio, r->times.ratio, goal, speedup);
}

void bench_report(bool json, const bench_result *result)
{
    bench_result r = *result;
    double cells = (double)r.width * r.height;
    r.times.minimum /= r.divisor;
    r.times.median /= r.divisor;
    r.times.ratio /= r.divisor;
    r.one_thread /= r.divisor;
    double ratio = r.times.minimum / r.times.copy_minimum;
    double gigabytes = cells * sizeof(float) * r.traffic / r.times.minimum * 1e-9;
    (json ? print_json : print_row)(&r, cells, ratio, gigabytes);
    fflush(stdout);
    rows++;
}

void bench_report_end(bool json)
{
    if (json) {
        printf("\n]}\n");
    }
}
