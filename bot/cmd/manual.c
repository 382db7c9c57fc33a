/*
 * A tool of the build: writes the manual pages and completions of munchbot into a folder, from the
 * rows of bot/cmd/commands.def and from the example configuration, which explains every key. usage:
 * munchbot_manual FOLDER CONFIGURATION
 */
#include <stdlib.h>
#include <string.h>

#include "bot/cmd/commands.h"

enum { LINE_SIZE = 512, TEXT_SIZE = 4096 };

static void put_roff(const char *text, FILE *to)
{
    if (text[0] == '.' || text[0] == '\'') {
        (void)fputs("\\&", to);
    }
    for (; *text != '\0'; text++) {
        if (*text == '-' || *text == '\\') {
            (void)fputs(*text == '-' ? "\\-" : "\\e", to);
        } else {
            (void)fputc(*text, to);
        }
    }
}

static void put_bold(const char *text, FILE *to)
{
    (void)fputs("\\fB", to);
    put_roff(text, to);
    (void)fputs("\\fR", to);
}

static void put_item(const char *word, const char *meaning, FILE *to)
{
    (void)fputs(".TP\n", to);
    put_bold(word, to);
    (void)fputc('\n', to);
    put_roff(meaning, to);
    (void)fputc('\n', to);
}

// A page's file with its head.
static FILE *begin_page(const char *folder, const char *name, int section, const char *help)
{
    char path[LINE_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s.%d", folder, name, section);
    FILE *const to = fopen(path, "we");
    if (to == NULL) {
        perror(path);
        return NULL;
    }
    (void)fprintf(to, ".TH %s %d \"\" \"munchbot " MB_VERSION "\"\n.SH NAME\n", name, section);
    put_roff(name, to);
    (void)fputs(" \\- ", to);
    put_roff(help, to);
    (void)fputc('\n', to);
    return to;
}

static void put_usage(enum command_id id, const struct verb_row *verb, FILE *to)
{
    char line[LINE_SIZE];
    FILE *const memory = fmemopen(line, sizeof line, "w");
    if (memory != NULL) {
        command_usage(id, verb, memory);
        (void)fclose(memory);
        line[strcspn(line, "\n")] = '\0';
        put_roff(line, to);
        (void)fputs("\n", to);
    }
}

static void put_command(enum command_id id, FILE *to)
{
    char word[LINE_SIZE];
    char meaning[TEXT_SIZE];
    (void)fputs(".SH SYNOPSIS\n", to);
    bool verbs = false;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (COMMAND_VERBS[i].command == id) {
            (void)fputs(verbs ? ".br\n" : "", to);
            put_usage(id, &COMMAND_VERBS[i], to);
            verbs = true;
        }
    }
    if (!verbs) {
        put_usage(id, NULL, to);
    }
    (void)fputs(".SH DESCRIPTION\n", to);
    put_roff(COMMANDS[id].notes != NULL ? COMMANDS[id].notes : COMMANDS[id].help, to);
    (void)fputc('\n', to);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (COMMAND_VERBS[i].command == id && COMMAND_VERBS[i].help != NULL) {
            put_item(COMMAND_VERBS[i].word, COMMAND_VERBS[i].help, to);
        }
    }
    (void)fputs(".SH OPTIONS\n", to);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (COMMAND_OPTIONS[i].command == id) {
            option_word(&COMMAND_OPTIONS[i], word, sizeof word);
            option_meaning(&COMMAND_OPTIONS[i], meaning, sizeof meaning);
            put_item(word, meaning, to);
        }
    }
    (void)fputs(".SH \"SEE ALSO\"\n\\fBmunchbot\\fR(1), \\fBmunchbot.conf\\fR(5)\n", to);
}

static bool write_commands(const char *folder)
{
    char name[LINE_SIZE];
    FILE *const all =
        begin_page(folder, "munchbot", 1, "a bot that deals Munchkin-style card games");
    if (all == NULL) {
        return false;
    }
    (void)fputs(".SH SYNOPSIS\nmunchbot COMMAND [ARGUMENT...]\n.SH COMMANDS\n", all);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        put_item(COMMANDS[id].name, COMMANDS[id].help, all);
    }
    (void)fputs(".SH \"SEE ALSO\"\n", all);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        (void)snprintf(name, sizeof name, "munchbot-%s", COMMANDS[id].name);
        put_bold(name, all);
        (void)fputs("(1),\n", all);
        FILE *const to = begin_page(folder, name, 1, COMMANDS[id].help);
        if (to == NULL) {
            (void)fclose(all);
            return false;
        }
        put_command((enum command_id)id, to);
        if (fclose(to) != 0) {
            (void)fclose(all);
            return false;
        }
    }
    (void)fputs("\\fBmunchbot.conf\\fR(5)\n", all);
    return fclose(all) == 0;
}

/* The configuration: prose behind "# ", and below it the keys that it explains, some behind "#". */

static void put_line(const char *text, FILE *to)
{
    put_roff(text, to);
    (void)fputc('\n', to);
}

// What was gathered comes to its end.
static void end_keys(char *prose, unsigned *keys, FILE *to)
{
    if (*keys > 0) {
        put_roff(prose, to);
        (void)fputc('\n', to);
        prose[0] = '\0';
        *keys = 0;
    }
}

static void put_configuration(FILE *from, FILE *to)
{
    char line[LINE_SIZE];
    char prose[TEXT_SIZE] = "";
    unsigned keys = 0;
    bool began = false;
    while (fgets(line, sizeof line, from) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        const char *const at = line + (line[0] == '#' ? 1 : 0);
        if (at[0] == '\0' || at[0] == ' ' || at[0] == '[') {
            end_keys(prose, &keys, to);
        }
        if (at[0] == '\0' && !began && prose[0] != '\0') { // what the file begins with
            put_line(prose, to);
            prose[0] = '\0';
        }
        if (at[0] == ' ') {
            const size_t length = strlen(prose);
            (void)snprintf(prose + length, sizeof prose - length, "%s%s", length > 0 ? " " : "",
                           at + 1);
        } else if (at[0] == '[') {
            (void)fprintf(to, ".SH %s\n", at);
            began = true;
            if (prose[0] != '\0') {
                put_line(prose, to);
            }
            prose[0] = '\0';
        } else if (at[0] != '\0') {
            (void)fputs(keys++ > 0 ? ".TQ\n" : ".TP\n", to);
            put_bold(at, to);
            (void)fputc('\n', to);
        }
    }
    end_keys(prose, &keys, to);
}

static bool write_configuration(const char *folder, const char *path)
{
    FILE *const from = fopen(path, "re");
    FILE *const to = from != NULL ? begin_page(folder, "munchbot.conf", 5,
                                               "the configuration of munchbot run and check")
                                  : NULL;
    if (to == NULL) {
        perror(path);
        if (from != NULL) {
            (void)fclose(from);
        }
        return false;
    }
    (void)fputs(".SH DESCRIPTION\n", to);
    put_configuration(from, to);
    (void)fputs(".SH \"SEE ALSO\"\n\\fBmunchbot\\fR(1), \\fBmunchbot\\-run\\fR(1), "
                "\\fBmunchbot\\-check\\fR(1)\n",
                to);
    (void)fclose(from);
    return fclose(to) == 0;
}

/* Completions. */

static void put_quoted(const char *text, FILE *to)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            (void)fputs("'\\''", to);
        } else {
            (void)fputc(*text, to);
        }
    }
}

static bool write_bash(const char *folder)
{
    char path[LINE_SIZE];
    (void)snprintf(path, sizeof path, "%s/munchbot.bash", folder);
    FILE *const to = fopen(path, "we");
    if (to == NULL) {
        perror(path);
        return false;
    }
    (void)fputs("_munchbot() {\n    local verbs= options= word=${COMP_WORDS[COMP_CWORD]}\n"
                "    case $COMP_CWORD:${COMP_WORDS[1]} in\n    1:*) verbs='",
                to);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        (void)fprintf(to, "%s ", COMMANDS[id].name);
    }
    (void)fputs("help' options='--help --version' ;;\n", to);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        (void)fprintf(to, "    *:%s) verbs='", COMMANDS[id].name);
        for (size_t i = 0; i < VERB_COUNT; i++) {
            if (COMMAND_VERBS[i].command == id) {
                (void)fprintf(to, "%s ", COMMAND_VERBS[i].word);
            }
        }
        (void)fputs("' options='", to);
        for (size_t i = 0; i < OPTION_COUNT; i++) {
            if (COMMAND_OPTIONS[i].command == id) {
                (void)fprintf(to, "%s ", OPTION_NAMES[COMMAND_OPTIONS[i].id]);
            }
        }
        (void)fputs("--help' ;;\n", to);
    }
    (void)fputs("    esac\n    COMPREPLY=()\n    case $COMP_CWORD:$word in\n"
                "    *:-*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                "    [12]:*) COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\")) ;;\n"
                "    esac\n}\ncomplete -o default -F _munchbot munchbot\n",
                to);
    return fclose(to) == 0;
}

static void put_described(const char *word, const char *help, FILE *to)
{
    (void)fprintf(to, " '%s:", word);
    put_quoted(help, to);
    (void)fputc('\'', to);
}

static bool write_zsh(const char *folder)
{
    char path[LINE_SIZE];
    char meaning[TEXT_SIZE];
    (void)snprintf(path, sizeof path, "%s/_munchbot", folder);
    FILE *const to = fopen(path, "we");
    if (to == NULL) {
        perror(path);
        return false;
    }
    (void)fputs("#compdef munchbot\nlocal -a verbs options\n"
                "if (( CURRENT == 2 )); then\n    verbs=(",
                to);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        put_described(COMMANDS[id].name, COMMANDS[id].help, to);
    }
    (void)fputs(")\n    _describe command verbs\n    return\nfi\ncase $words[2] in\n", to);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        (void)fprintf(to, "%s)\n    verbs=(", COMMANDS[id].name);
        for (size_t i = 0; i < VERB_COUNT; i++) {
            if (COMMAND_VERBS[i].command == id && COMMAND_VERBS[i].help != NULL) {
                put_described(COMMAND_VERBS[i].word, COMMAND_VERBS[i].help, to);
            }
        }
        (void)fputs(")\n    options=(", to);
        for (size_t i = 0; i < OPTION_COUNT; i++) {
            if (COMMAND_OPTIONS[i].command == id) {
                option_meaning(&COMMAND_OPTIONS[i], meaning, sizeof meaning);
                put_described(OPTION_NAMES[COMMAND_OPTIONS[i].id], meaning, to);
            }
        }
        (void)fputs(") ;;\n", to);
    }
    (void)fputs("esac\nif [[ $PREFIX == -* ]]; then\n    _describe -o option options\n"
                "elif (( CURRENT == 3 && $#verbs )); then\n    _describe verb verbs\n"
                "else\n    _files\nfi\n",
                to);
    return fclose(to) == 0;
}

int main(int argc, char **argv)
{
    return argc == 3 && write_commands(argv[1]) && write_configuration(argv[1], argv[2]) &&
                   write_bash(argv[1]) && write_zsh(argv[1])
               ? EXIT_SUCCESS
               : EXIT_FAILURE;
}
