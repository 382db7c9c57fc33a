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
                 TEXT_ARGS(text_str("what", op->arguments->name), text_str("reason", err->text)));
    return CMD_FAILED;
}

bool operator_open_cards(struct operator* op, struct mb_error *err)
{
    op->catalog =
        op->catalog != NULL ? op->catalog : cards_load(op->arguments->value[OPTION_SETS_PATH], err);
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
    const char *const url = op->arguments->value[OPTION_STORE];
    op->store = op->makes && url != NULL ? op->stores->open(url, err) : op->stores->find(url, err);
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
