/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The program `terrain`. */

#include <stdio.h>
#include <string.h>

#include "system.h"
#include "tool.h"

static const struct tool_command {
    const char *name;
    int (*run)(int argc, char **argv);
} tool_commands[] = {
    {"ops", command_ops},       {"run", command_run},         {"hash", command_hash},
    {"view", command_view},     {"measure", command_measure}, {"tiles", command_tiles},
    {"stitch", command_stitch}, {"join", command_join},
};

static const struct tool_command *tool_find_command(const char *name)
{
    for (size_t i = 0; i < sizeof tool_commands / sizeof tool_commands[0]; i++) {
        if (strcmp(name, tool_commands[i].name) == 0) {
            return &tool_commands[i];
        }
    }
    return NULL;
}

static int tool_fail_command(const char *word)
{
    tool_nearest nearest = {word, NULL, 0};
    char hint[TOOL_HINT_SIZE];
    tool_near(&nearest, "--help", "--help");
    tool_near(&nearest, "--version", "--version");
    for (size_t i = 0; i < sizeof tool_commands / sizeof tool_commands[0]; i++) {
        tool_near(&nearest, tool_commands[i].name, tool_commands[i].name);
    }
    return tool_fail_usage(
        "expected ops, run, hash, view, measure, tiles, stitch or join, found '%s'%s", word,
        tool_near_text(&nearest, "", hint));
}

static bool tool_is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int tool_dispatch(int argc, char **argv)
{
    if (argc < 2) {
        help_print(stderr, NULL);
        return TOOL_BAD_INPUT;
    }
    const bool help = strcmp(argv[1], "help") == 0; /* terrain help COMMAND */
    if (tool_is_help(argv[1]) || (help && (argc == 2 || tool_is_help(argv[2])))) {
        help_print(stdout, NULL);
        return TOOL_SUCCESS;
    }
    if (strcmp(argv[1], "--version") == 0) {
        uint32_t version = terrain_version();
        printf("terrain %lu.%lu.%lu, results %lu\n", (unsigned long)(version / 1000000),
               (unsigned long)(version / 1000 % 1000), (unsigned long)(version % 1000),
               (unsigned long)terrain_results_version());
        return TOOL_SUCCESS;
    }
    const struct tool_command *command = tool_find_command(argv[help ? 2 : 1]);
    if (command == NULL) {
        return tool_fail_command(argv[help ? 2 : 1]);
    }
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (help || tool_is_help(argv[i])) {
            help_print(stdout, command->name);
            return TOOL_SUCCESS;
        }
    }
    tool_help_is_of(command->name);
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    system_prepare_output();
    int code = tool_dispatch(argc, argv);
    if (code == TOOL_SUCCESS) {
        code = tool_flush();
    }
    return code == TOOL_SUCCESS && !tool_send() ? TOOL_TROUBLE : code;
}
