#include "bot/cmd/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/cards_dir.h"
#include "bot/store_call.h"

enum { LINE_SIZE = 4096 };

void operator_say(FILE *to, enum text_id id, const struct text_arg *args)
{
    char line[LINE_SIZE];
    struct text_out out;
    text_begin(&out, line, sizeof line);
    text_line(&out, id, args);
    (void)fputs(line, to);
}

int operator_fail(const struct operator* op, const struct mb_error *err)
{
    (void)fflush(stdout);
    operator_say(stderr, TEXT_OPERATOR_FAILED,
                 TEXT_ARGS(text_str("what", op->options.command), text_str("reason", err->text)));
    return CMD_FAILED;
}

int operator_turn_down(const struct operator* op, enum text_id id, const char *what)
{
    operator_say(stderr, id,
                 TEXT_ARGS(text_str("what", op->options.command), text_str("other", what)));
    return CMD_WRONG_USAGE;
}

// An option and what it says; `used` arguments are the option's.
static bool read_option(struct operator_options *options, int left, char **argv, int *used)
{
    const struct {
        const char *name;
        const char **value;
    } named[] = {{"--store", &options->url}, {"--sets-path", &options->own}};
    *used = 1;
    if (strcmp(argv[0], "--reveal") == 0) {
        options->reveal = true;
        return true;
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        const size_t length = strlen(named[i].name);
        if (strncmp(argv[0], named[i].name, length) == 0 && argv[0][length] == '=') {
            *named[i].value = argv[0] + length + 1;
            return true;
        }
        if (strcmp(argv[0], named[i].name) == 0 && left > 1) {
            *named[i].value = argv[1];
            *used = 2;
            return true;
        }
    }
    return false;
}

int operator_begin(struct operator* op, int argc, char **argv, const struct cmd_stores *stores)
{
    *op = (struct operator){.stores = stores, .options = {.command = argv[0]} };
    struct operator_options *const options = &op->options;
    if (argc < 2) {
        return operator_turn_down(op, TEXT_OPERATOR_USAGE, "");
    }
    options->verb = argv[1];
    options->operands = argv + 2;
    bool plain = false;
    for (int i = 2; i < argc;) {
        int used = 1;
        if (!plain && strcmp(argv[i], "--") == 0) {
            plain = true;
        } else if (plain || argv[i][0] != '-' || argv[i][1] == '\0') {
            options->operands[options->count++] = argv[i];
        } else if (!read_option(options, argc - i, argv + i, &used)) {
            return operator_turn_down(op, TEXT_OPERATOR_UNKNOWN, argv[i]);
        }
        i += used;
    }
    return CMD_DONE;
}

bool operator_open_cards(struct operator* op, struct mb_error *err)
{
    op->catalog = op->catalog != NULL ? op->catalog : cards_load(op->options.own, err);
    return op->catalog != NULL;
}

bool operator_open(struct operator* op, struct mb_error *err)
{
    if (op->store != NULL) {
        return true;
    }
    if (!operator_open_cards(op, err)) {
        return false;
    }
    op->store = op->makes && op->options.url != NULL ? op->stores->open(op->options.url, err)
                                                     : op->stores->find(op->options.url, err);
    return op->store != NULL && kept_open(&op->kept, op->catalog, op->store, err);
}

void operator_end(struct operator* op)
{
    kept_close(&op->kept);
    store_destroy(op->store);
    catalog_destroy(op->catalog);
}

bool operator_each(struct operator* op, bool archived,
                   bool (*each)(void *user, const char *id, struct mb_error *err), void *user,
                   struct mb_error *err)
{
    char after[STORE_TABLE_SIZE] = "";
    size_t count = STORE_DUE_MAX;
    while (count == STORE_DUE_MAX) {
        const struct store_request request = {
            .kind = STORE_LIST, .archived = archived, .after = after};
        struct store_answer *const page = store_call(op->store, &request);
        bool done = page != NULL && page->result == STORE_DONE;
        count = done ? page->count : 0;
        if (!done) {
            (void)mb_fail(err, MB_ERR_IO, "the store does not answer: check its disk or server");
        }
        for (size_t i = 0; done && i < count; i++) {
            done = each(user, page->texts[i], err);
            (void)snprintf(after, sizeof after, "%s", page->texts[i]);
        }
        store_answer_free(page);
        if (!done) {
            return false;
        }
    }
    return true;
}
