/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_recipe_parse: words, then statements, then values. What a statement means (maps, names,
 * parameters that belong together) is checked where it is appended, in recipe.c. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/float_environment.h"
#include "base/number.h"
#include "core/context.h"
#include "core/params.h"
#include "core/type.h"
#include "recipe/recipe.h"

enum { PARSE_WORD_SIZE = TERRAIN_RECIPE_NAME_MAXIMUM + 1, PARSE_MOST_MAPS = TERRAIN__MOST_PORTS };

enum { PARSE_WORD, PARSE_EQUALS, PARSE_COMMA, PARSE_OTHER, PARSE_END_OF_LINE, PARSE_END };

struct parse_token {
    uint32_t kind;
    uint32_t line;
    uint32_t column; /* bytes, from 1 */
    uint32_t size;
    const char *text;
    char word[PARSE_WORD_SIZE]; /* "" if it is none, or longer than a name may be */
};

/* A grid's tokens, of which a statement may have any number. */
struct parse_list {
    struct parse_token *tokens;
    uint32_t count, capacity;
};

struct parse_state {
    terrain_context *context;
    terrain_recipe *recipe;
    const char *end;
    const char *line_start;
    struct parse_token token; /* the one to look at */
    uint32_t line;
    bool begun;                      /* a statement was read */
    struct parse_list names, inputs; /* of the statement at hand */
};

/* A statement while it is read. */
struct parse_draft {
    terrain_recipe_statement statement;
    struct parse_token operation;
    struct parse_token map_parameters[PARSE_MOST_MAPS];
    struct parse_token maps[PARSE_MOST_MAPS];
    /* By the table's order; size 0: not given. */
    struct parse_token given[TERRAIN__MOST_PARAMETERS];
    terrain__params params;
};

/* ---- Errors ---------------------------------------------------------------------------------- */

static terrain_status parse_fail_at(struct parse_state *parse, const struct parse_token *at,
                                    const char *text)
{
    return terrain__context_fail(parse->context, TERRAIN_ERROR_SYNTAX,
                                 "line %" PRIu32 ", column %" PRIu32 ": %s", at->line, at->column,
                                 text);
}

/* The token as messages show it. */
static void parse_show(const struct parse_token *token, char text[80])
{
    const unsigned char byte = token->size > 0 ? (unsigned char)token->text[0] : 0;
    switch (token->kind) {
    case PARSE_END_OF_LINE:
        snprintf(text, 80, "the end of the line");
        break;
    case PARSE_END:
        snprintf(text, 80, "the end");
        break;
    case PARSE_OTHER:
        if (byte < 0x21 || byte > 0x7E) {
            snprintf(text, 80, "the byte 0x%02X", (unsigned)byte);
            break;
        }
        /* fall through */
    default:
        snprintf(text, 80, "'%.*s%s'", token->size < 64 ? (int)token->size : 60, token->text,
                 token->size < 64 ? "" : "...");
    }
}

/* "expected <what>, found <the token><hint>". */
static terrain_status parse_expected(struct parse_state *parse, const struct parse_token *at,
                                     const char *what, const char *hint)
{
    char found[80];
    char text[400];
    parse_show(at, found);
    snprintf(text, sizeof text, "expected %s, found %s%s", what, found, hint);
    return parse_fail_at(parse, at, text);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static bool parse_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
}

static const char *parse_skip(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    if (at < end && *at == '#') {
        while (at < end && *at != '\n' && *at != '\r') {
            at++;
        }
    }
    return at;
}

static uint32_t parse_kind(const char *at, const char *end)
{
    if (at == end) {
        return PARSE_END;
    }
    switch (*at) {
    case '\n':
    case '\r':
        return PARSE_END_OF_LINE;
    case '=':
        return PARSE_EQUALS;
    case ',':
        return PARSE_COMMA;
    default:
        return parse_is_word(*at) ? PARSE_WORD : PARSE_OTHER;
    }
}

/* Goes on to the token after the current one. */
static void parse_next(struct parse_state *parse)
{
    struct parse_token *token = &parse->token;
    if (token->kind == PARSE_END_OF_LINE) {
        parse->line++;
        parse->line_start = token->text + token->size;
    }
    const char *at = parse_skip(token->text + token->size, parse->end);
    token->kind = parse_kind(at, parse->end);
    token->text = at;
    token->size = token->kind != PARSE_END;
    token->line = parse->line;
    token->column = (uint32_t)(at - parse->line_start) + 1;
    token->word[0] = '\0';
    if (token->kind == PARSE_WORD) {
        while (at + token->size < parse->end && parse_is_word(at[token->size])) {
            token->size++;
        }
        if (token->size < PARSE_WORD_SIZE) {
            memcpy(token->word, at, token->size);
            token->word[token->size] = '\0';
        }
    } else if (parse->end - at > 1 && at[0] == '\r' && at[1] == '\n') {
        token->size = 2;
    }
}

static bool parse_at_line_end(const struct parse_state *parse)
{
    return parse->token.kind == PARSE_END_OF_LINE || parse->token.kind == PARSE_END;
}

/* Whether the word at hand is followed by '='. */
static bool parse_before_equals(const struct parse_state *parse)
{
    const char *at = parse_skip(parse->token.text + parse->token.size, parse->end);
    return at < parse->end && *at == '=';
}

/* Takes the word at hand as the name of `what`. */
static terrain_status parse_take_name(struct parse_state *parse, const char *what,
                                      struct parse_token *name)
{
    if (parse->token.word[0] == '\0') {
        return parse_expected(parse, &parse->token, what,
                              parse->token.kind == PARSE_WORD ? ", which is too long" : "");
    }
    *name = parse->token;
    parse_next(parse);
    return TERRAIN_SUCCESS;
}

/* Takes the word at hand as a name at the end of the list. */
static terrain_status parse_append_name(struct parse_state *parse, const char *what,
                                        struct parse_list *list)
{
    if (!terrain__recipe_reserve(parse->recipe, &list->tokens, list->count, 1, &list->capacity,
                                 sizeof *list->tokens)) {
        return TERRAIN_ERROR_MEMORY;
    }
    terrain_status status = parse_take_name(parse, what, &list->tokens[list->count]);
    list->count += status == TERRAIN_SUCCESS;
    return status;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* "a number in [0, 100] for talus". How a number is written is told where the word is none. */
static terrain_status parse_number_fault(struct parse_state *parse, const struct parse_token *at,
                                         const terrain_parameter *parameter, bool is_number)
{
    const terrain__type *type = terrain__element_type_of(parameter);
    const bool real =
        parameter->type == TERRAIN_TYPE_FLOAT || parameter->type == TERRAIN_TYPE_FLOAT_ARRAY;
    char low[TERRAIN__NUMBER_SIZE], high[TERRAIN__NUMBER_SIZE], what[256];
    type->print(&parameter->minimum, low);
    type->print(&parameter->maximum, high);
    snprintf(what, sizeof what, "%s%s in [%s, %s] for %s", real ? "a number" : "a whole number",
             real && !is_number ? " (at most 15 significant digits, exponent at most 22)" : "", low,
             high, parameter->name);
    return parse_expected(parse, at, what, "");
}

/* A number within its range, into a field or an element of an array. */
static terrain_status parse_number(struct parse_state *parse, const terrain_parameter *parameter,
                                   void *field)
{
    const terrain__type *type = terrain__element_type_of(parameter);
    const struct parse_token *token = &parse->token;
    terrain_value value;
    const bool is_number =
        token->kind == PARSE_WORD && type->parse(token->text, token->size, &value);
    if (!is_number || !type->fits(&value, &parameter->minimum, &parameter->maximum)) {
        return parse_number_fault(parse, token, parameter, is_number);
    }
    type->store(field, &value);
    parse_next(parse);
    return TERRAIN_SUCCESS;
}

/* A bool or an enum, by its name, into a field. */
static terrain_status parse_named(struct parse_state *parse, const terrain_parameter *parameter,
                                  void *field)
{
    const struct parse_token *token = &parse->token;
    const uint32_t value = (uint32_t)terrain__params_named(parameter, token->word);
    terrain__recipe_nearest nearest = {token->word, NULL, 0};
    char what[256], hint[96];
    if (value <= parameter->maximum.u) {
        memcpy(field, &value, sizeof value);
        parse_next(parse);
        return TERRAIN_SUCCESS;
    }
    if (parameter->type == TERRAIN_TYPE_BOOL) {
        snprintf(what, sizeof what, "true or false for %s", parameter->name);
        return parse_expected(parse, token, what, "");
    }
    size_t length = (size_t)snprintf(what, sizeof what, "a value of %s (", parameter->name);
    for (uint32_t i = 0; i <= parameter->maximum.u; i++) {
        const char *name = parameter->value_names[i];
        terrain__recipe_near(&nearest, name, name);
        if (length < sizeof what) {
            length += (size_t)snprintf(what + length, sizeof what - length, "%s%s", name,
                                       i < parameter->maximum.u ? ", " : ")");
        }
    }
    terrain__recipe_near_text(&nearest, hint, sizeof hint);
    return parse_expected(parse, token, what, hint);
}

static terrain_status parse_array(struct parse_state *parse, const terrain_parameter *parameter,
                                  void *params)
{
    struct parse_token first = parse->token;
    uint32_t count = 0;
    float *elements =
        terrain__arena_take(&parse->recipe->arena, parameter->count_maximum * sizeof *elements);
    if (elements == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    for (;;) {
        if (count == parameter->count_maximum) {
            char what[128];
            snprintf(what, sizeof what, "at most %" PRIu32 " numbers for %s", count,
                     parameter->name);
            return parse_expected(parse, &first, what, " and more");
        }
        terrain_status status = parse_number(parse, parameter, &elements[count]);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        count++;
        if (parse->token.kind != PARSE_COMMA) {
            break;
        }
        parse_next(parse);
    }
    memcpy((char *)params + parameter->offset, &elements, sizeof elements);
    memcpy((char *)params + parameter->count_offset, &count, sizeof count);
    return TERRAIN_SUCCESS;
}

/* The name of a map, which is looked up when the statement is complete. */
static terrain_status parse_map(struct parse_state *parse,
                                const struct parse_token *parameter_token,
                                struct parse_draft *draft)
{
    uint32_t i = draft->statement.map_count++;
    draft->map_parameters[i] = *parameter_token;
    return parse_take_name(parse, "the name of a map", &draft->maps[i]);
}

static terrain_status parse_value(struct parse_state *parse, struct parse_draft *draft,
                                  const struct parse_token *parameter_token,
                                  const terrain_parameter *parameter)
{
    void *field = terrain__params_field(draft->params.bytes, parameter);
    switch (parameter->type) {
    case TERRAIN_TYPE_BOOL:
    case TERRAIN_TYPE_ENUM:
        return parse_named(parse, parameter, field);
    case TERRAIN_TYPE_FLOAT_ARRAY:
        return parse_array(parse, parameter, draft->params.bytes);
    case TERRAIN_TYPE_MAP_IN:
    case TERRAIN_TYPE_MAP_OUT:
        return parse_map(parse, parameter_token, draft);
    default:
        return parse_number(parse, parameter, field);
    }
}

/* ---- Statements ------------------------------------------------------------------------------ */

static terrain_status parse_operation(struct parse_state *parse, struct parse_draft *draft)
{
    terrain__recipe_nearest nearest = {parse->token.word, NULL, 0};
    char hint[96];
    draft->operation = parse->token;
    draft->statement.operation = terrain_operation_find(parse->token.word);
    if (draft->statement.operation != NULL) {
        parse_next(parse);
        return TERRAIN_SUCCESS;
    }
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const char *name = terrain_operation_name(terrain_operation_at(i));
        terrain__recipe_near(&nearest, name, name);
        terrain__recipe_near(&nearest, name, strchr(name, '_') + 1); /* without its verb */
    }
    terrain__recipe_near_text(&nearest, hint, sizeof hint);
    return parse_expected(parse, &parse->token, "an operation", hint);
}

/* A word that names a map: not one that a parameter begins with. */
static bool parse_at_map(const struct parse_state *parse)
{
    return parse->token.kind == PARSE_WORD && !parse_before_equals(parse);
}

static terrain_status parse_append_input(struct parse_state *parse, const char *what)
{
    return parse_at_map(parse) ? parse_append_name(parse, what, &parse->inputs)
                               : parse_expected(parse, &parse->token, what, "");
}

static terrain_status parse_inputs(struct parse_state *parse, const terrain_operation *operation)
{
    const uint32_t wanted = terrain__source_count(operation);
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < wanted && status == TERRAIN_SUCCESS; i++) {
        char what[128];
        snprintf(what, sizeof what, "%s for %s", i == 0 ? "a map" : "a second map",
                 operation->name);
        status = parse_append_input(parse, what);
    }
    return status;
}

/* The maps of a grid: rows of equal length, between slashes. */
static terrain_status parse_grid(struct parse_state *parse, struct parse_draft *draft)
{
    const struct parse_list *inputs = &parse->inputs;
    char what[128];
    uint32_t begin = 0;
    bool more = true;
    snprintf(what, sizeof what, "a map for %s", draft->statement.operation->name);
    while (more) {
        const struct parse_token at = parse->token;
        terrain_status status;
        do {
            status = parse_append_input(parse, what);
        } while (status == TERRAIN_SUCCESS && parse_at_map(parse));
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        if (begin == 0) {
            draft->statement.columns = inputs->count;
        } else if (inputs->count - begin != draft->statement.columns) {
            snprintf(what, sizeof what, "rows of %" PRIu32 " maps, found one of %" PRIu32,
                     draft->statement.columns, inputs->count - begin);
            return parse_expected(parse, &at, what, "");
        }
        begin = inputs->count;
        more = parse->token.kind == PARSE_OTHER && parse->token.text[0] == '/';
        if (more) {
            parse_next(parse);
        }
    }
    return TERRAIN_SUCCESS;
}

/* As many names before '=' as the operation makes. */
static terrain_status parse_check_names(struct parse_state *parse, const struct parse_draft *draft)
{
    const bool grid = terrain__is_grid(draft->statement.operation);
    const uint32_t wanted = grid ? parse->inputs.count : 1;
    const uint32_t found = parse->names.count;
    char text[160];
    if (found == wanted) {
        return TERRAIN_SUCCESS;
    }
    snprintf(text, sizeof text, "expected %" PRIu32 " name%s before '=' for %s, found %" PRIu32,
             wanted, wanted == 1 ? "" : "s", draft->statement.operation->name, found);
    return parse_fail_at(parse, &parse->names.tokens[found < wanted ? found - 1 : wanted], text);
}

/* " (seed, period, octaves, ...)": as many as there is room for. */
static void parse_list_parameters(const terrain_operation *operation, char *text, size_t size)
{
    size_t length = 0;
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const char *name = operation->parameters[i].name;
        const bool last = i + 1 == operation->parameter_count;
        const bool fits = length + strlen(name) + sizeof " (, ...)" < size;
        length += (size_t)snprintf(text + length, size - length, "%s%s%s", i == 0 ? " (" : ", ",
                                   fits ? name : "...", last || !fits ? ")" : "");
        if (!fits) {
            return;
        }
    }
}

static terrain_status parse_parameter(struct parse_state *parse, struct parse_draft *draft)
{
    const terrain_operation *operation = draft->statement.operation;
    const struct parse_token token = parse->token;
    terrain__recipe_nearest nearest = {token.word, NULL, 0};
    struct parse_token *given;
    char what[320], hint[96];
    if (token.kind != PARSE_WORD || !parse_before_equals(parse)) {
        return parse_expected(parse, &token, "PARAMETER=VALUE or the end of the line", "");
    }
    const terrain_parameter *parameter = terrain_operation_parameter_find(operation, token.word);
    if (parameter == NULL) {
        for (uint32_t i = 0; i < operation->parameter_count; i++) {
            const char *name = operation->parameters[i].name;
            terrain__recipe_near(&nearest, name, name);
        }
        terrain__recipe_near_text(&nearest, hint, sizeof hint);
        const size_t size =
            (size_t)snprintf(what, sizeof what, "a parameter of %s", operation->name);
        if (hint[0] == '\0') {
            parse_list_parameters(operation, what + size, sizeof what - size);
        }
        return parse_expected(parse, &token, what, hint);
    }
    given = &draft->given[parameter - operation->parameters];
    if (given->size > 0) {
        return parse_expected(parse, &token, "each parameter once", " again");
    }
    *given = token;
    parse_next(parse); /* the name */
    parse_next(parse); /* = */
    return parse_value(parse, draft, &token, parameter);
}

/* "mode is quantum or layers", or "amount is given". */
static void parse_describe_when(const terrain_parameter *parameter, const terrain_parameter *other,
                                char text[160])
{
    size_t length = (size_t)snprintf(text, 160, "%s is", other->name);
    const char *join = " ";
    if (other->value_names == NULL) {
        snprintf(text + length, 160 - length,
                 parameter->when_values == 1 ? " not given" : " given");
        return;
    }
    for (uint64_t k = 0; k <= other->maximum.u && length < 160; k++) {
        if ((parameter->when_values >> k & 1) != 0) {
            length +=
                (size_t)snprintf(text + length, 160 - length, "%s%s", join, other->value_names[k]);
            join = " or ";
        }
    }
}

/* A parameter that does not count is a mistake: whoever writes it expects it to do something. */
static terrain_status parse_check_counts(struct parse_state *parse, const struct parse_draft *draft)
{
    const terrain_operation *operation = draft->statement.operation;
    bool given[TERRAIN__MOST_PARAMETERS];
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        given[i] = draft->given[i].size > 0;
    }
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        if (given[i] && !terrain__params_counts(operation, parameter, draft->params.bytes, given)) {
            char where[160], text[256];
            parse_describe_when(
                parameter, terrain_operation_parameter_find(operation, parameter->when), where);
            snprintf(text, sizeof text, "%s counts only where %s", parameter->name, where);
            return parse_fail_at(parse, &draft->given[i], text);
        }
    }
    return TERRAIN_SUCCESS;
}

/* Where the part of a statement that append found wrong stands in the text. */
static const struct parse_token *parse_fault_token(const struct parse_state *parse,
                                                   const struct parse_draft *draft,
                                                   const terrain__recipe_fault *fault)
{
    switch (fault->part) {
    case TERRAIN__RECIPE_AT_OPERATION:
        return &draft->operation;
    case TERRAIN__RECIPE_AT_INPUT:
        return &parse->inputs.tokens[fault->index];
    case TERRAIN__RECIPE_AT_MAP_PARAMETER:
        return &draft->map_parameters[fault->index];
    case TERRAIN__RECIPE_AT_MAP:
        return &draft->maps[fault->index];
    default:
        return &parse->names.tokens[fault->index];
    }
}

/* The words of a list, as long as the parser lives. */
static terrain_status parse_words(struct parse_state *parse, const struct parse_list *list,
                                  const char *const **out)
{
    const char **words =
        terrain__arena_take(&parse->recipe->arena, (list->count + 1) * sizeof *words);
    if (words == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < list->count; i++) {
        words[i] = list->tokens[i].word;
    }
    *out = words;
    return TERRAIN_SUCCESS;
}

static terrain_status parse_append(struct parse_state *parse, struct parse_draft *draft)
{
    terrain_recipe_statement *statement = &draft->statement;
    const char *map_parameters[PARSE_MOST_MAPS];
    const char *maps[PARSE_MOST_MAPS];
    terrain__recipe_fault fault;
    terrain_status status = parse_words(parse, &parse->inputs, &statement->inputs);
    if (status == TERRAIN_SUCCESS && terrain__is_grid(statement->operation)) {
        status = parse_words(parse, &parse->names, &statement->names);
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    for (uint32_t i = 0; i < statement->map_count; i++) {
        map_parameters[i] = draft->map_parameters[i].word;
        maps[i] = draft->maps[i].word;
    }
    statement->name = parse->names.tokens[0].word;
    statement->line = parse->names.tokens[0].line;
    statement->input_count = parse->inputs.count;
    statement->map_parameters = map_parameters;
    statement->maps = maps;
    status = terrain__recipe_append(parse->recipe, statement, &draft->params, &fault);
    if (status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_MEMORY) {
        return status;
    }
    return parse_fail_at(parse, parse_fault_token(parse, draft, &fault), fault.text);
}

/* From after the '='. The draft lives in the arena of the recipe. */
static terrain_status parse_statement(struct parse_state *parse, struct parse_draft *draft)
{
    memset(draft, 0, sizeof *draft);
    terrain_recipe_statement_init(&draft->statement, sizeof draft->statement);
    parse->inputs.count = 0;
    terrain_status status = parse_operation(parse, draft);
    if (status == TERRAIN_SUCCESS) {
        terrain_operation_params_init(draft->statement.operation, draft->params.bytes,
                                      draft->statement.operation->params_size);
        status = terrain__is_grid(draft->statement.operation)
                     ? parse_grid(parse, draft)
                     : parse_inputs(parse, draft->statement.operation);
    }
    if (status == TERRAIN_SUCCESS) {
        status = parse_check_names(parse, draft);
    }
    while (status == TERRAIN_SUCCESS && !parse_at_line_end(parse)) {
        status = parse_parameter(parse, draft);
    }
    if (status == TERRAIN_SUCCESS) {
        status = parse_check_counts(parse, draft);
    }
    return status == TERRAIN_SUCCESS ? parse_append(parse, draft) : status;
}

static terrain_status parse_results(struct parse_state *parse)
{
    char what[96];
    uint64_t version = 0;
    if (parse->begun) {
        return parse_expected(parse, &parse->token, "the version before every other statement", "");
    }
    if (parse->token.kind != PARSE_WORD ||
        !terrain__parse_uint64(parse->token.text, parse->token.size, &version) ||
        version != terrain_results_version()) {
        snprintf(what, sizeof what, "%" PRIu32 ", the version of this library's results",
                 terrain_results_version());
        return parse_expected(parse, &parse->token, what,
                              version > 0 && version < terrain_results_version()
                                  ? ": see Changed output in CHANGELOG.md"
                                  : "");
    }
    parse->recipe->results_version = (uint32_t)version;
    parse_next(parse);
    return TERRAIN_SUCCESS;
}

static terrain_status parse_input(struct parse_state *parse)
{
    terrain__recipe_fault fault;
    struct parse_token name;
    terrain_status status = parse_take_name(parse, "the name of an input", &name);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = terrain__recipe_append_input(parse->recipe, name.word, &fault);
    if (status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_MEMORY) {
        return status;
    }
    return parse_fail_at(parse, &name, fault.text);
}

/* Names up to the '='. */
static terrain_status parse_names(struct parse_state *parse)
{
    const struct parse_token second = parse->token;
    while (parse->token.kind == PARSE_WORD) {
        terrain_status status = parse_append_name(parse, "a name", &parse->names);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return parse->token.kind == PARSE_EQUALS
               ? TERRAIN_SUCCESS
               : parse_expected(parse, &second, "'=' after the name", "");
}

static terrain_status parse_line(struct parse_state *parse, struct parse_draft *draft)
{
    parse->names.count = 0;
    terrain_status status =
        parse_append_name(parse, "a statement: NAME = OPERATION ..., or input NAME", &parse->names);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    const char *first = parse->names.tokens[0].word;
    if (parse->token.kind != PARSE_EQUALS && strcmp(first, "results") == 0) {
        status = parse_results(parse);
    } else if (parse->token.kind != PARSE_EQUALS && strcmp(first, "input") == 0) {
        status = parse_input(parse);
    } else {
        status = parse_names(parse);
        if (status == TERRAIN_SUCCESS) {
            parse_next(parse);
            status = parse_statement(parse, draft);
        }
    }
    parse->begun = true;
    if (status == TERRAIN_SUCCESS && !parse_at_line_end(parse)) {
        status = parse_expected(parse, &parse->token, "the end of the line", "");
    }
    return status;
}

static terrain_status parse_text(struct parse_state *parse)
{
    struct parse_draft *draft = terrain__arena_take(&parse->recipe->arena, sizeof *draft);
    terrain_status status = draft != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY;
    while (status == TERRAIN_SUCCESS && parse->token.kind != PARSE_END) {
        parse_next(parse);
        if (!parse_at_line_end(parse)) {
            status = parse_line(parse, draft);
        }
    }
    if (status == TERRAIN_SUCCESS && parse->recipe->step_count == 0) {
        status = parse_expected(parse, &parse->token, "a statement: NAME = OPERATION ...", "");
    }
    return status;
}

static terrain_status parse_recipe(terrain_context *context, const char *text, size_t size,
                                   terrain_recipe **out)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF"; /* editors on Windows write it */
    if (size >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        size -= 3;
    }
    struct parse_state parse = {.context = context, .end = text + size, .line_start = text};
    terrain_status status = terrain__recipe_new(terrain__context_allocator(context), out);
    parse.recipe = *out;
    parse.line = 1;
    parse.token.kind = PARSE_WORD; /* of size 0, before the first */
    parse.token.text = text;
    if (status == TERRAIN_SUCCESS) {
        terrain__float_environment host;
        terrain__float_enter(&host);
        status = parse_text(&parse);
        terrain__float_leave(&host);
    }
    if (status == TERRAIN_ERROR_MEMORY) {
        terrain__context_fail(context, status, "recipe_parse: no memory");
    }
    if (status != TERRAIN_SUCCESS) {
        terrain_recipe_destroy(*out);
        *out = NULL;
    }
    return status;
}

terrain_status terrain_recipe_parse(terrain_context *context, const char *text, size_t size,
                                    terrain_recipe **out)
{
    terrain_status status = terrain__context_enter_making(context, "recipe_parse", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (text == NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "recipe_parse: text is NULL");
    } else if (size > TERRAIN_RECIPE_TEXT_MAXIMUM) {
        status = terrain__context_fail(
            context, TERRAIN_ERROR_SYNTAX,
            "line 1, column 1: expected a text of at most %d bytes, found %zu",
            TERRAIN_RECIPE_TEXT_MAXIMUM, size);
    } else {
        status = parse_recipe(context, text, size, out);
    }
    terrain__context_leave(context);
    return status;
}
