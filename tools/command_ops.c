/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain ops, terrain ops NAME or VERB, terrain ops --json: the operation table as text and as
 * data. */

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static const char *const ops_signatures[] = {
    [TERRAIN_SIGNATURE_GENERATE] = "generate", [TERRAIN_SIGNATURE_IN_PLACE] = "in_place",
    [TERRAIN_SIGNATURE_COMBINE] = "combine",   [TERRAIN_SIGNATURE_RESULT] = "result",
    [TERRAIN_SIGNATURE_GRID] = "grid",         [TERRAIN_SIGNATURE_OTHER] = "other",
};

static const char *const ops_scaling_names[] = {
    [TERRAIN_SCALING_NONE] = "none",       [TERRAIN_SCALING_FIXED] = "fixed",
    [TERRAIN_SCALING_LENGTH] = "length",   [TERRAIN_SCALING_EXTENT] = "extent",
    [TERRAIN_SCALING_LATTICE] = "lattice", [TERRAIN_SCALING_SPACING] = "spacing",
    [TERRAIN_SCALING_AREA] = "area",       [TERRAIN_SCALING_STEPS] = "steps",
    [TERRAIN_SCALING_RATE] = "rate",       [TERRAIN_SCALING_OWN] = "own",
};

/* What the output says about a parameter's type. */
static const struct ops_type {
    const char *name;
    bool has_default;
    bool has_range;
} ops_types[] = {
    [TERRAIN_TYPE_FLOAT] = {"float", true, true},
    [TERRAIN_TYPE_INT32] = {"int32", true, true},
    [TERRAIN_TYPE_UINT32] = {"uint32", true, true},
    [TERRAIN_TYPE_INT64] = {"int64", true, true},
    [TERRAIN_TYPE_UINT64] = {"uint64", true, true},
    [TERRAIN_TYPE_BOOL] = {"bool", true, false},
    [TERRAIN_TYPE_ENUM] = {"enum", true, false},
    [TERRAIN_TYPE_MAP_IN] = {"map_in", false, false},
    [TERRAIN_TYPE_MAP_OUT] = {"map_out", false, false},
    [TERRAIN_TYPE_FLOAT_ARRAY] = {"float_array", false, true},
};

static const char *ops_locality(uint32_t halo)
{
    return halo == 0 ? "pointwise" : halo == UINT32_MAX ? "global" : "local";
}

static const char *const ops_tilings[] = {
    [TERRAIN_TILING_NONE] = "none",
    [TERRAIN_TILING_WINDOWS] = "windows",
    [TERRAIN_TILING_REGIONS] = "regions",
};

/* With the default params. */
static uint32_t ops_halo(const terrain_operation *operation)
{
    uint32_t halo = UINT32_MAX;
    terrain_operation_halo(operation, NULL, &halo);
    return halo;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Lists the operations of a verb (NULL: all). Returns how many there are. */
static uint32_t ops_list(const char *verb)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const terrain_operation *operation = terrain_operation_at(i);
        if (verb == NULL || strcmp(terrain_operation_verb(operation), verb) == 0) {
            printf("%-26s %s\n", terrain_operation_name(operation),
                   terrain_operation_summary(operation));
            count++;
        }
    }
    return count;
}

static int ops_fail(const char *name)
{
    tool_nearest nearest = {name, NULL, 0};
    char hint[TOOL_HINT_SIZE], verbs[128] = "";
    const char *last = "";
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const char *each = terrain_operation_name(terrain_operation_at(i));
        const char *verb = terrain_operation_verb(terrain_operation_at(i));
        tool_near(&nearest, each, each);
        tool_near(&nearest, each, strchr(each, '_') + 1);
        tool_near(&nearest, verb, verb);
        if (strcmp(verb, last) != 0) {
            const size_t size = strlen(verbs);
            snprintf(verbs + size, sizeof verbs - size, "%s%s", size > 0 ? ", " : "", verb);
            last = verb;
        }
    }
    return tool_fail(TOOL_BAD_INPUT,
                     "expected the name of an operation (see terrain ops) or a verb (%s), found "
                     "'%s'%s",
                     verbs, name, tool_near_text(&nearest, "", hint));
}

/* "0.5 (0 to 1) cells" and the like. */
static void ops_describe_value(const terrain_parameter *parameter)
{
    const struct ops_type *type = &ops_types[parameter->type];
    char standard[TERRAIN_PARAMETER_TEXT_SIZE] = "none", low[TERRAIN_PARAMETER_TEXT_SIZE],
         high[TERRAIN_PARAMETER_TEXT_SIZE];
    if (type->has_default) {
        terrain_parameter_format(parameter, &parameter->default_value, standard, sizeof standard);
    }
    printf("%s", standard);
    if (parameter->type == TERRAIN_TYPE_ENUM) {
        for (uint64_t i = 0; i <= parameter->maximum.u; i++) {
            printf("%s%s", i > 0 ? ", " : " (", parameter->value_names[i]);
        }
        printf(")");
    } else if (type->has_range) {
        terrain_parameter_format(parameter, &parameter->minimum, low, sizeof low);
        terrain_parameter_format(parameter, &parameter->maximum, high, sizeof high);
        if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
            printf(" (at most %" PRIu32 ", from %s to %s)", parameter->count_maximum, low, high);
        } else {
            printf(" (%s to %s)", low, high);
        }
    }
    printf("%s%s", parameter->unit[0] != '\0' ? " " : "", parameter->unit);
}

/* What each value does, and where the parameter counts. */
static void ops_describe_choices(const terrain_operation *operation,
                                 const terrain_parameter *parameter)
{
    const terrain_parameter *other = terrain_operation_parameter_find(operation, parameter->when);
    for (uint64_t i = 0; parameter->type == TERRAIN_TYPE_ENUM && i <= parameter->maximum.u; i++) {
        printf("    %s: %s\n", parameter->value_names[i], parameter->value_docs[i]);
    }
    if (other == NULL) {
        return;
    }
    printf("    Counts only where %s is", other->name);
    if (other->value_names == NULL) {
        printf("%s given", parameter->when_values == 1 ? " not" : "");
    }
    for (uint64_t i = 0, n = 0; other->value_names != NULL && i <= other->maximum.u; i++) {
        if ((parameter->when_values >> i & 1) != 0) {
            printf("%s%s", n++ > 0 ? " or " : " ", other->value_names[i]);
        }
    }
    printf(".\n");
}

static void ops_describe(const terrain_operation *operation)
{
    static const char *const worlds[] = {"never", "tile by tile", "by regions"};
    static const char *const calls[] = {
        "NAME = %s [PARAM=VALUE ...]\n",
        "NAME = %s MAP [PARAM=VALUE ...]\n",
        "NAME = %s MAP OTHER [PARAM=VALUE ...]\n",
        "NAME = %s MAP [PARAM=VALUE ...]\n",
        "NAME NAME ... = %s MAP MAP ... [/ MAP MAP ...]... [PARAM=VALUE ...]\n",
        "%s\n",
    };
    const uint32_t halo = ops_halo(operation);
    printf("%s: %s\n", terrain_operation_name(operation), terrain_operation_summary(operation));
    if (terrain_operation_reference(operation)[0] != '\0') {
        printf("Reference: %s\n", terrain_operation_reference(operation));
    }
    printf("Locality: %s", ops_locality(halo));
    if (halo > 0 && halo < UINT32_MAX) {
        printf(", %" PRIu32 " cells", halo);
    }
    printf("\nIn a world: %s\n\n    ", worlds[terrain_operation_tiling(operation)]);
    printf(calls[terrain_operation_signature(operation)], terrain_operation_name(operation));
    for (uint32_t i = 0; i < terrain_operation_parameter_count(operation); i++) {
        const terrain_parameter *parameter = terrain_operation_parameter(operation, i);
        printf("\n%s: %s; ", parameter->name, ops_types[parameter->type].name);
        ops_describe_value(parameter);
        printf("\n    %s\n", parameter->doc);
        ops_describe_choices(operation, parameter);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            printf("\\%c", c);
        } else if (c < 0x20) {
            printf("\\u%04x", c);
        } else {
            putchar(c);
        }
    }
    putchar('"');
}

/* A number; null where it is infinite, a string where it may exceed a double, or is a name. */
static void json_value(const terrain_parameter *parameter, const terrain_value *value)
{
    char text[TERRAIN_PARAMETER_TEXT_SIZE];
    terrain_parameter_format(parameter, value, text, sizeof text);
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0) {
        printf("null");
    } else if (parameter->type == TERRAIN_TYPE_UINT64 || parameter->type == TERRAIN_TYPE_ENUM) {
        json_string(text);
    } else {
        printf("%s", text);
    }
}

static void json_limit(const terrain_parameter *parameter, const terrain_value *limit)
{
    if (ops_types[parameter->type].has_range) {
        json_value(parameter, limit);
    } else {
        printf("null");
    }
}

static void json_default(const terrain_parameter *parameter)
{
    if (ops_types[parameter->type].has_default) {
        json_value(parameter, &parameter->default_value);
    } else {
        printf("null");
    }
}

/* The default as recipes write it, infinite ones too. */
static void json_default_text(const terrain_parameter *parameter)
{
    char text[TERRAIN_PARAMETER_TEXT_SIZE];
    if (ops_types[parameter->type].has_default) {
        terrain_parameter_format(parameter, &parameter->default_value, text, sizeof text);
        json_string(text);
    } else {
        printf("null");
    }
}

static void json_member(const char *indent, const char *name, const char *text)
{
    printf("%s\"%s\": ", indent, name);
    json_string(text);
    printf(",\n");
}

static void json_slider(const char *indent, const terrain_parameter *parameter)
{
    double low, high;
    if (terrain_parameter_slider(parameter, &low, &high) == TERRAIN_SUCCESS) {
        printf("%s\"slider\": [%.9g, %.9g],\n", indent, low, high);
    } else {
        printf("%s\"slider\": null,\n", indent);
    }
}

/* The values of another parameter where this one counts: names, or whether it is given. */
static void json_when(const char *indent, const terrain_operation *operation,
                      const terrain_parameter *parameter)
{
    const terrain_parameter *other = terrain_operation_parameter_find(operation, parameter->when);
    uint64_t n = 0;
    if (other == NULL) {
        printf("%s\"when\": null,\n", indent);
        return;
    }
    printf("%s\"when\": {\"parameter\": \"%s\", \"values\": [", indent, other->name);
    for (uint64_t i = 0; i < 64; i++) {
        if ((parameter->when_values >> i & 1) != 0) {
            printf("%s", n++ > 0 ? ", " : "");
            if (other->value_names != NULL) {
                json_string(other->value_names[i]);
            } else {
                printf("%s", i != 0 ? "true" : "false");
            }
        }
    }
    printf("]},\n");
}

static void json_parameter(const terrain_operation *operation, const terrain_parameter *parameter)
{
    static const char indent[] = "        ";
    printf("      {\n");
    json_member(indent, "name", parameter->name);
    json_member(indent, "type", ops_types[parameter->type].name);
    json_member(indent, "unit", parameter->unit);
    json_member(indent, "scaling", ops_scaling_names[terrain_parameter_scaling(parameter)]);
    printf("%s\"min\": ", indent);
    json_limit(parameter, &parameter->minimum);
    printf(",\n%s\"max\": ", indent);
    json_limit(parameter, &parameter->maximum);
    if (parameter->type == TERRAIN_TYPE_FLOAT_ARRAY) {
        printf(",\n%s\"count_max\": %" PRIu32, indent, parameter->count_maximum);
    } else {
        printf(",\n%s\"count_max\": null", indent);
    }
    printf(",\n%s\"default\": ", indent);
    json_default(parameter);
    printf(",\n%s\"default_text\": ", indent);
    json_default_text(parameter);
    printf(",\n%s\"values\": [", indent);
    for (uint64_t i = 0; parameter->type == TERRAIN_TYPE_ENUM && i <= parameter->maximum.u; i++) {
        printf("%s", i > 0 ? ", " : "");
        json_string(parameter->value_names[i]);
    }
    printf("],\n%s\"value_docs\": [", indent);
    for (uint64_t i = 0; parameter->type == TERRAIN_TYPE_ENUM && i <= parameter->maximum.u; i++) {
        printf("%s", i > 0 ? ", " : "");
        json_string(parameter->value_docs[i]);
    }
    printf("],\n");
    json_slider(indent, parameter);
    printf("%s\"power_of_two\": %s,\n", indent, parameter->power_of_two ? "true" : "false");
    json_when(indent, operation, parameter);
    printf("%s\"doc\": ", indent);
    json_string(parameter->doc);
    printf("\n      }");
}

static void json_port(const terrain_port *port)
{
    static const char indent[] = "        ";
    static const char *const roles[] = {"read", "write", "change"};
    static const char *const lattices[] = {"call", "own", "coarse"};
    printf("      {\n");
    json_member(indent, "name", port->name);
    json_member(indent, "role", roles[port->role]);
    json_member(indent, "lattice", lattices[port->lattice]);
    json_member(indent, "spacing", port->spacing);
    printf("%s\"parameter\": %s,\n", indent, port->offset > 0 ? "true" : "false");
    printf("%s\"optional\": %s,\n", indent, port->optional != 0 ? "true" : "false");
    printf("%s\"mask\": %s,\n", indent, port->mask != 0 ? "true" : "false");
    printf("%s\"grid\": %s\n      }", indent, port->grid != 0 ? "true" : "false");
}

static void json_operation(const terrain_operation *operation)
{
    static const char indent[] = "    ";
    const uint32_t halo = ops_halo(operation);
    const uint32_t count = terrain_operation_parameter_count(operation);
    printf("  {\n");
    json_member(indent, "name", terrain_operation_name(operation));
    json_member(indent, "verb", terrain_operation_verb(operation));
    json_member(indent, "summary", terrain_operation_summary(operation));
    json_member(indent, "reference", terrain_operation_reference(operation));
    printf("%s\"result_version\": %" PRIu32 ",\n", indent,
           terrain_operation_result_version(operation));
    json_member(indent, "locality", ops_locality(halo));
    if (halo == UINT32_MAX) {
        printf("%s\"halo\": null,\n", indent);
    } else {
        printf("%s\"halo\": %" PRIu32 ",\n", indent, halo);
    }
    json_member(indent, "tiling", ops_tilings[terrain_operation_tiling(operation)]);
    json_member(indent, "signature", ops_signatures[terrain_operation_signature(operation)]);
    printf("%s\"ports\": [", indent);
    for (uint32_t i = 0; i < terrain_operation_port_count(operation); i++) {
        printf("%s\n", i > 0 ? "," : "");
        json_port(terrain_operation_port_at(operation, i));
    }
    printf("\n    ],\n%s\"parameters\": [", indent);
    for (uint32_t i = 0; i < count; i++) {
        printf("%s\n", i > 0 ? "," : "");
        json_parameter(operation, terrain_operation_parameter(operation, i));
    }
    printf("%s]\n  }", count > 0 ? "\n    " : "");
}

static void ops_json(void)
{
    printf("[");
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        printf("%s\n", i > 0 ? "," : "");
        json_operation(terrain_operation_at(i));
    }
    printf("\n]\n");
}

int command_ops(int argc, char **argv)
{
    static const struct option known[] = {
        {"json", no_argument, NULL, 'j'},
        {NULL, 0, NULL, 0},
    };
    const terrain_operation *operation;
    bool json = false;
    int option;
    while ((option = tool_next_option(argc, argv, known, NULL)) != -1) {
        if (option != 'j') {
            return tool_fail_option(argv, known);
        }
        json = true;
    }
    if (argc - optind > (json ? 0 : 1)) {
        return tool_fail_usage("expected: terrain ops [NAME | VERB | --json]");
    }
    if (json) {
        ops_json();
    } else if (argc == optind) {
        ops_list(NULL);
    } else if ((operation = terrain_operation_find(argv[optind])) != NULL) {
        ops_describe(operation);
    } else if (ops_list(argv[optind]) == 0) {
        return ops_fail(argv[optind]);
    }
    return TOOL_SUCCESS;
}
