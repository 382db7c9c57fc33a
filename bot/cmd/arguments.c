#include "bot/cmd/arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/cmd/commands.h"
#include "bot/text/text.h"

/* Help. */

void arguments_overview(FILE *to)
{
    (void)fputs("usage: munchbot COMMAND [ARGUMENT...]\n\n", to);
    for (unsigned id = 0; id < COMMAND_TOTAL; id++) {
        (void)fprintf(to, "  %-9s  %s\n", COMMANDS[id].name, COMMANDS[id].help);
    }
    (void)fputs("\n\"munchbot COMMAND --help\" explains a command; \"munchbot --version\" prints "
                "the version.\n",
                to);
}

// Words in lines of at most 80 columns, all but the first behind `indent` blanks.
static void put_wrapped(FILE *to, const char *text, int indent)
{
    enum { COLUMNS = 80 };
    int at = indent;
    while (*text != '\0') {
        const int length = (int)strcspn(text, " ");
        if (at > indent && at + 1 + length > COLUMNS) {
            (void)fprintf(to, "\n%*s", indent, "");
            at = indent;
        } else if (at > indent) {
            (void)fputc(' ', to);
            at++;
        }
        (void)fprintf(to, "%.*s", length, text);
        at += length;
        text += length;
        text += strspn(text, " ");
    }
    (void)fputc('\n', to);
}

// A word, and what it means beside it or, behind a long word, below it.
static void put_meaning(FILE *to, const char *word, const char *meaning)
{
    enum { INDENT = 6 };
    (void)fprintf(to, "  %s\n%*s", word, INDENT, "");
    put_wrapped(to, meaning, INDENT);
}

static void put_option(const struct option_row *option, FILE *to)
{
    char word[64];
    char meaning[1024];
    option_word(option, word, sizeof word);
    option_meaning(option, meaning, sizeof meaning);
    put_meaning(to, word, meaning);
}

void arguments_help(enum command_id id, FILE *to)
{
    const struct command_row *const command = &COMMANDS[id];
    const char *lead = "usage: ";
    char head[256];
    (void)snprintf(head, sizeof head, "munchbot %s: %s", command->name, command->help);
    put_wrapped(to, head, 0);
    (void)fputc('\n', to);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (COMMAND_VERBS[i].command == id) {
            (void)fputs(lead, to);
            command_usage(id, &COMMAND_VERBS[i], to);
            lead = "       ";
        }
    }
    if (lead[0] != ' ') {
        (void)fputs(lead, to);
        command_usage(id, NULL, to);
    }
    (void)fputc('\n', to);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (COMMAND_VERBS[i].command == id && COMMAND_VERBS[i].help != NULL) {
            put_meaning(to, COMMAND_VERBS[i].word, COMMAND_VERBS[i].help);
        }
    }
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (COMMAND_OPTIONS[i].command == id) {
            put_option(&COMMAND_OPTIONS[i], to);
        }
    }
    if (command->notes != NULL) {
        (void)fputc('\n', to);
        put_wrapped(to, command->notes, 0);
    }
}

/* Reading. */

static bool complain(const struct arguments *arguments, enum text_id id,
                     const struct text_arg *args)
{
    struct text_out out;
    text_begin(&out, arguments->complaint, ARGUMENTS_COMPLAINT_SIZE);
    text_put(&out, id, args);
    return false;
}

static bool complain_of(const struct arguments *arguments, enum text_id id, const char *what)
{
    return complain(arguments, id,
                    TEXT_ARGS(text_str("command", arguments->name), text_str("what", what)));
}

// Whether a word is one of a list with blanks between.
static bool lists_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(list, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

static const struct option_row *find_option(const struct arguments *arguments, const char *word,
                                            size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *const row = &COMMAND_OPTIONS[i];
        if (row->command == arguments->command && strlen(OPTION_NAMES[row->id]) == length &&
            strncmp(OPTION_NAMES[row->id], word, length) == 0) {
            return row;
        }
    }
    return NULL;
}

// One option, its value behind "=" or as the next word; `at` moves on.
static bool read_option(struct arguments *out, int argc, char **argv, int *at)
{
    const char *const word = argv[*at];
    const size_t length = strcspn(word, "=");
    const struct option_row *const row = find_option(out, word, length);
    if (row == NULL) {
        return complain_of(out, TEXT_USAGE_UNKNOWN, word);
    }
    const bool must = row->value != NULL && row->value[0] != '[';
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    if (value != NULL && row->value == NULL) {
        return complain_of(out, TEXT_USAGE_NOT_WANTED, OPTION_NAMES[row->id]);
    }
    if (must && value == NULL && *at + 1 < argc) {
        value = argv[++*at];
    }
    if ((must && value == NULL) || (value != NULL && value[0] == '\0')) {
        return complain_of(out, TEXT_USAGE_NO_VALUE, OPTION_NAMES[row->id]);
    }
    out->value[row->id] = value != NULL ? value : "";
    return true;
}

static const struct verb_row *find_verb(const struct arguments *arguments)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (COMMAND_VERBS[i].command == arguments->command &&
            strcmp(COMMAND_VERBS[i].word, arguments->verb) == 0) {
            return &COMMAND_VERBS[i];
        }
    }
    return NULL;
}

// Whether the verb is one of the command's and takes as many operands and these options.
static bool check_verb(const struct arguments *arguments)
{
    const struct verb_row *const verb = find_verb(arguments);
    if (verb == NULL && arguments->verb[0] != '\0') {
        return complain_of(arguments, TEXT_USAGE_UNKNOWN, arguments->verb);
    }
    if (verb == NULL && command_has_verbs(arguments->command)) {
        return complain_of(arguments, TEXT_USAGE_NO_VERB, "");
    }
    const int least = verb != NULL ? verb->least : 0;
    const int most = verb != NULL ? verb->most : 0;
    if (arguments->count > most) {
        return complain_of(arguments, TEXT_USAGE_UNKNOWN, arguments->operands[most]);
    }
    if (arguments->count < least) {
        return complain_of(arguments, TEXT_USAGE_NO_OPERAND, verb->operands);
    }
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option_row *const row = &COMMAND_OPTIONS[i];
        if (row->command == arguments->command && row->verbs != NULL &&
            arguments->value[row->id] != NULL && !lists_word(row->verbs, arguments->verb)) {
            return complain_of(arguments, TEXT_USAGE_UNKNOWN, OPTION_NAMES[row->id]);
        }
    }
    return true;
}

bool arguments_read(enum command_id id, int argc, char **argv,
                    char complaint[ARGUMENTS_COMPLAINT_SIZE], struct arguments *out)
{
    bool plain = false;
    *out = (struct arguments){
        .command = id, .name = COMMANDS[id].name, .verb = "", .operands = argv + 1};
    out->complaint = complaint;
    for (int at = 1; at < argc; at++) {
        if (!plain && strcmp(argv[at], "--") == 0) {
            plain = true;
        } else if (!plain && argv[at][0] == '-' && argv[at][1] != '\0') {
            if (!read_option(out, argc, argv, &at)) {
                return false;
            }
        } else if (out->verb[0] == '\0' && command_has_verbs(id)) {
            out->verb = argv[at];
        } else {
            out->operands[out->count++] = argv[at];
        }
    }
    return check_verb(out);
}

bool arguments_wrong(const struct arguments *arguments, enum option_id option, const char *reason)
{
    return complain(arguments, TEXT_USAGE_BAD,
                    TEXT_ARGS(text_str("command", arguments->name),
                              text_str("option", OPTION_NAMES[option]),
                              text_str("reason", reason)));
}

bool arguments_number(const struct arguments *arguments, enum option_id option, uint64_t least,
                      uint64_t most, uint64_t *out)
{
    const char *const word = arguments->value[option];
    char *end = NULL;
    if (word == NULL) {
        return true;
    }
    errno = 0;
    const uint64_t number = strtoull(word, &end, 10);
    if (word[0] < '0' || word[0] > '9' || *end != '\0' || errno != 0 || number < least ||
        number > most) {
        char from[24];
        char to[24];
        (void)snprintf(from, sizeof from, "%llu", (unsigned long long)least);
        (void)snprintf(to, sizeof to, "%llu", (unsigned long long)most);
        return complain(arguments, TEXT_USAGE_NUMBER,
                        TEXT_ARGS(text_str("command", arguments->name),
                                  text_str("option", OPTION_NAMES[option]), text_str("least", from),
                                  text_str("most", to), text_str("what", word)));
    }
    *out = number;
    return true;
}

bool arguments_real(const struct arguments *arguments, enum option_id option, double most,
                    double *out)
{
    const char *const word = arguments->value[option];
    char *end = NULL;
    if (word == NULL) {
        return true;
    }
    errno = 0;
    const double number = strtod(word, &end);
    if (errno != 0 || end == word || *end != '\0' || !(number > 0) || number > most) {
        char to[24];
        (void)snprintf(to, sizeof to, "%.0f", most);
        return complain(arguments, TEXT_USAGE_NUMBER,
                        TEXT_ARGS(text_str("command", arguments->name),
                                  text_str("option", OPTION_NAMES[option]), text_str("least", "0"),
                                  text_str("most", to), text_str("what", word)));
    }
    *out = number;
    return true;
}

bool arguments_policies(const struct arguments *arguments, const char *otherwise,
                        const struct policy **out, unsigned room, unsigned *count)
{
    const char *const words = arguments->value[OPTION_POLICY];
    char *const list = mb_text(words != NULL ? words : otherwise);
    struct mb_error err = {0};
    char *rest = NULL;
    *count = 0;
    for (char *word = strtok_r(list, ",", &rest); word != NULL && err.code == MB_OK;
         word = strtok_r(NULL, ",", &rest)) {
        const struct policy *const policy = policy_find(word, &err);
        if (*count < room) {
            out[*count] = policy;
        }
        ++*count;
    }
    free(list);
    return err.code == MB_OK || arguments_wrong(arguments, OPTION_POLICY, err.text);
}

bool arguments_not_both(const struct arguments *arguments, enum option_id one, enum option_id other)
{
    return arguments->value[one] == NULL || arguments->value[other] == NULL ||
           complain(arguments, TEXT_USAGE_BOTH,
                    TEXT_ARGS(text_str("command", arguments->name),
                              text_str("option", OPTION_NAMES[one]),
                              text_str("other", OPTION_NAMES[other])));
}

bool arguments_table(const struct arguments *arguments, const struct catalog *catalog,
                     struct table_options *out, enum option_id *option, struct mb_error *err)
{
    static const struct {
        enum option_id id;
        bool (*read)(struct table_options *options, const char *words, struct mb_error *err);
    } READ[] = {{OPTION_HOUSE, table_options_house},
                {OPTION_VARIANT, table_options_variants},
                {OPTION_PRESET, table_options_preset},
                {OPTION_FLAG, table_options_flags}};
    const char *const sets = arguments->value[OPTION_SET];
    *option = OPTION_SET;
    bool good = table_options_sets(out, catalog, sets != NULL ? sets : "classic", err);
    for (size_t i = 0; good && i < sizeof READ / sizeof READ[0]; i++) {
        const char *const words = arguments->value[READ[i].id];
        *option = READ[i].id;
        good = words == NULL || READ[i].read(out, words, err);
    }
    return good;
}

bool arguments_lack(const struct arguments *arguments, const char *options)
{
    return complain_of(arguments, TEXT_USAGE_LACKS, options);
}
