/*
 * Fuzzes the command parser on a table with a fight: any bytes, and any words of the grammar. What
 * is understood as a command of the game is worded and must be understood again, as the same verb.
 *
 * clang -fsanitize=fuzzer,address,undefined; run in the repository's root (it loads cards/).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bot/parse_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct parse_table table;

static void open_once(void)
{
    if (table.catalog == NULL) {
        if (!parse_table_open(&table)) {
            abort();
        }
        parse_table_usual(&table);
    }
}

/* The first byte may ask a question first. */
static void ask(uint8_t what)
{
    static const uint8_t KINDS[] = {DECIDE_YES_NO, DECIDE_NUMBER, DECIDE_CHOOSE_PLAYER};
    static const uint16_t OPTIONS[] = {1, 0, 3};
    table.game.decision.open = 0;
    if (what % 8 < 3) {
        parse_table_ask(&table, KINDS[what % 8], OPTIONS, 2 + what % 2);
    } else if (what % 8 == 3) {
        uint16_t cards[] = {table.game.piles[PILE_HAND].first, table.game.piles[PILE_TABLE].first,
                            table.game.piles[PILE_TABLE + 1].last};
        parse_table_ask_cards(&table, cards, 3);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct request request;
    struct request again;
    struct parse_error error;
    char words[8192];
    if (size == 0) {
        return 0;
    }
    open_once();
    ask(data[0]);
    char *line = malloc(size);
    if (line == NULL) {
        return 0;
    }
    memcpy(line, data + 1, size - 1);
    line[size - 1] = '\0';
    if (parse_request(&table.words, line, &request, &error) && request.kind == REQUEST_GAME) {
        size_t length = parse_format(&table.words, &request.command, words, sizeof words);
        if (length >= sizeof words || words[0] == '\0') {
            abort();
        }
        // A card that lies nowhere the verb looks has no words of its own; the verb always has.
        if (parse_request(&table.words, words, &again, &error) &&
            again.command.verb != request.command.verb) {
            abort();
        }
    }
    free(line);
    return 0;
}
