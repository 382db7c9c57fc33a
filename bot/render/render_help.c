// What a player may do now, grouped by verb and worded as it is typed; and what each command does.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/parse/verb.h"
#include "bot/render/asks.h"
#include "bot/render/render_impl.h"

enum { COMMAND_SIZE = 512, SHOWN_MAX = 4 };

struct open_place {
    unsigned min, max, count;
    int value_min;
};

// What stands for an open list: "<2 to 3 cards>", or "2 to 3 cards" on what is pressed.
static void open_words(const struct table_words *words, const struct open_place *place,
                       char out[COMMAND_SIZE])
{
    struct text_out text;
    text_begin(&text, out, COMMAND_SIZE);
    enum text_id id = TEXT_TEMPLATE_RANGE;
    long n = (long)place->min;
    if (place->value_min > 0) {
        id = TEXT_TEMPLATE_WORTH;
        n = place->value_min;
    } else if (place->min == place->max) {
        id = TEXT_TEMPLATE_EXACT;
    } else if (place->max >= place->count) {
        id = TEXT_TEMPLATE_ANY;
        n = place->min > 0 ? (long)place->min : 1;
    }
    text_put(&text, id,
             TEXT_ARGS(text_num("n", n), text_num("m", (long)place->max),
                       text_str("from", words->pressed ? "" : "<"),
                       text_str("to", words->pressed ? "" : ">")));
}

static enum text_id template_of(const struct table_words *words, const struct move *move)
{
    switch (move->command.verb) {
    case VERB_USE:
    case VERB_PLAY:
        return TEXT_TEMPLATE_WITH;
    case VERB_ASK:
        return move->candidate_count > 0 ? TEXT_TEMPLATE_OFFERING : TEXT_TEMPLATE_PROMISING;
    case VERB_OFFER:
        if (move->command.bribe == 0) {
            return TEXT_TEMPLATE_OFFER;
        }
        return move->command.about == NO_SEAT ? TEXT_TEMPLATE_BRIBE : TEXT_TEMPLATE_BRIBE_ABOUT;
    case VERB_DISCARD: // of the hand that is too full, or of what lies in play
        return pile_is_hand(query_where(words->view, move->candidates[0]))
                   ? TEXT_TEMPLATE_FIRST_IN_HAND
                   : TEXT_TEMPLATE_FIRST_IN_PLAY;
    default:
        return move->command.to != NO_SEAT ? TEXT_TEMPLATE_FIRST_TO : TEXT_TEMPLATE_FIRST;
    }
}

// "use Berserk with <1 to 3 cards>": the open list is named, not filled.
static void template_words(const struct table_words *words, const struct move *move,
                           char out[COMMAND_SIZE])
{
    char command[COMMAND_SIZE];
    char open[COMMAND_SIZE];
    char wants[COMMAND_SIZE];
    struct command bare = move->command;
    const struct open_place list = {move->min, move->max, move->candidate_count, move->value_min};
    const struct open_place more = {move->more_min, move->more_max, move->more_count, 0};
    bare.list_count = 0;
    bare.more_count = move->more_max > 0 ? 0 : bare.more_count;
    (void)parse_format(words, &bare, command, sizeof command);
    // Of a request for help that only hand cards can sweeten, these are what is open.
    const bool promises = move->command.verb == VERB_ASK && move->candidate_count == 0;
    open_words(words, promises ? &more : &list, open);
    if (move->more_max > 0) {
        open_words(words, &more, wants);
    } else {
        render_cards(words, move->command.more, move->command.more_count, wants, sizeof wants);
    }
    struct text_out text;
    text_begin(&text, out, COMMAND_SIZE);
    text_put(&text, template_of(words, move),
             TEXT_ARGS(text_str("verb", command_word(move->command.verb)),
                       text_str("command", command), text_str("what", open),
                       text_str("wants", wants),
                       text_str("other", render_player(words, move->command.about)),
                       text_str("who", render_player(words, move->command.to))));
}

long render_prices(const struct table_words *words, const uint16_t *cards, unsigned count,
                   char *out, size_t size)
{
    long gold = 0;
    struct text_out text;
    text_begin(&text, out, size);
    for (unsigned i = 0; i < count; i++) {
        const long worth = query_sale_value(words->view, words->box, cards[i]);
        text_raw(&text, i > 0 ? ", " : "");
        text_put(&text, TEXT_TEMPLATE_PRICE,
                 TEXT_ARGS(text_str("card", names_card(words, cards[i])), text_num("n", worth)));
        gold += worth;
    }
    return gold;
}

void render_move(const struct table_words *words, const struct move *move, char *out, size_t size)
{
    char command[COMMAND_SIZE];
    if (move->open == MOVE_CLOSED) {
        (void)parse_format(words, &move->command, command, sizeof command);
    } else {
        template_words(words, move, command);
    }
    struct text_out text;
    text_begin(&text, out, size);
    if (move->value_min > 0 && !words->pressed) {
        char prices[COMMAND_SIZE];
        (void)render_prices(words, move->candidates, move->candidate_count, prices, sizeof prices);
        text_put(&text, TEXT_TEMPLATE_PRICES,
                 TEXT_ARGS(text_str("command", command), text_str("cards", prices)));
    } else {
        text_raw(&text, command);
    }
}

// Whether an earlier move of the list is the same verb with the same card.
static bool is_variation(const struct move_list *moves, uint32_t index)
{
    const struct command *const command = &moves->items[index].command;
    for (uint32_t i = 0; command->card != NO_CARD && i < index; i++) {
        if (moves->items[i].command.verb == command->verb &&
            moves->items[i].command.card == command->card) {
            return true;
        }
    }
    return false;
}

// Up to `most` ways of a verb, one a card, as full lines that can be copied.
static void put_verb(const struct table_words *words, const struct move_list *moves, unsigned verb,
                     unsigned most, struct text_out *out)
{
    unsigned shown = 0;
    long more = 0;
    char last[COMMAND_SIZE] = ""; // templates may differ only in what stands in them
    for (uint32_t i = 0; i < moves->count; i++) {
        char command[COMMAND_SIZE];
        if (moves->items[i].command.verb != verb) {
            continue;
        }
        if (shown == most || is_variation(moves, i)) {
            more++;
            continue;
        }
        render_move(words, &moves->items[i], command, sizeof command);
        if (strcmp(last, command) == 0) {
            continue;
        }
        (void)snprintf(last, sizeof last, "%s", command);
        shown++;
        text_line(out, TEXT_HELP_LINE, TEXT_ARGS(text_str("what", command)));
    }
    if (more > 0) {
        text_line(out, TEXT_HELP_MORE,
                  TEXT_ARGS(text_num("n", more), text_str("verb", command_word(verb))));
    }
}

// Whom help can be had from, or that it can be given: not each price there could be.
static void put_helpers(const struct table_words *words, const struct move_list *moves,
                        unsigned verb, struct text_out *out)
{
    bool told[UINT8_MAX + 1] = {false};
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct command *const asked = &moves->items[i].command;
        if (asked->verb != verb || told[asked->to]) {
            continue;
        }
        char command[COMMAND_SIZE];
        struct command bare = command_plain(words->seat, verb);
        told[asked->to] = true;
        bare.to = asked->to;
        (void)parse_format(words, &bare, command, sizeof command);
        text_line(out, TEXT_HELP_LINE, TEXT_ARGS(text_str("what", command)));
    }
}

static bool priced(const struct move_list *moves, unsigned verb)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *const move = &moves->items[i];
        if (move->command.verb == verb &&
            (move->command.n > 0 || move->candidate_count > 0 || move->more_count > 0)) {
            return true;
        }
    }
    return false;
}

static void put_help_moves(const struct table_words *words, const struct move_list *moves,
                           unsigned verb, struct text_out *out)
{
    put_helpers(words, moves, verb, out);
    if (priced(moves, verb)) {
        text_line(out, TEXT_HELP_PRICES, TEXT_ARGS(text_str("verb", command_word(verb))));
    }
}

// None without a game or a seat.
static void list_moves(const struct table_words *words, struct move_list *moves)
{
    *moves = (struct move_list){.capacity = MB_MOVES_MAX};
    if (words->view == NULL || words->seat >= MB_SEATS_MAX) {
        return;
    }
    moves->items = mb_new(MB_MOVES_MAX, sizeof *moves->items);
    moves_list(words->view, words->box, words->seat, moves);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < moves->count; i++) {
        if (!move_is_pointless(words->box, &moves->items[i].command)) {
            moves->items[kept++] = moves->items[i];
        }
    }
    moves->count = kept;
}

// What the game waits for comes first.
static void put_moves(const struct table_words *words, const struct move_list *moves, unsigned most,
                      struct text_out *out)
{
    for (unsigned rank = 1; rank < VERB_TOTAL; rank++) {
        const enum verb verb = command_ranked(rank);
        if (verb == VERB_ASK || verb == VERB_VOLUNTEER) {
            put_help_moves(words, moves, verb, out);
        } else {
            put_verb(words, moves, verb, most, out);
        }
    }
}

static void put_now(const struct table_words *words, const struct move_list *moves, unsigned most,
                    struct text_out *out)
{
    const bool over = words->view != NULL && query_phase(words->view) == PHASE_OVER;
    if (words->view == NULL) {
        text_line(out, TEXT_HELP_NO_GAME, NULL);
    } else if (moves->count == 0) {
        text_line(out, over ? TEXT_HELP_OVER : TEXT_HELP_NOTHING, NULL);
    } else {
        text_line(out, TEXT_HELP_NOW, NULL);
        put_moves(words, moves, most, out);
    }
    text_line(out, TEXT_HELP_ALWAYS, NULL);
}

// As many ways of each verb as there is room for.
static size_t help_now(const struct table_words *words, char *out, size_t size)
{
    struct move_list moves;
    struct text_out text;
    list_moves(words, &moves);
    for (unsigned most = SHOWN_MAX; most > 0; most--) {
        text_begin(&text, out, size);
        put_now(words, &moves, most, &text);
        if (words->budget == 0 || text.length <= words->budget) {
            free(moves.items);
            return text.length;
        }
    }
    free(moves.items);
    return render_cut(out, words->budget, TEXT_HELP_CUT);
}

static void put_candidates(const char *cards, struct text_out *out)
{
    if (cards[0] != '\0') {
        text_line(out, TEXT_TEMPLATE_OF, TEXT_ARGS(text_str("cards", cards)));
    }
}

// What a request for help or an offer of it may be sweetened with.
struct price {
    int treasures;
    struct card_group items, promises;
};

static void price_add(struct card_group *group, const uint16_t *cards, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bool known = false;
        for (unsigned j = 0; j < group->known_count && !known; j++) {
            known = group->known[j] == cards[i];
        }
        if (!known) {
            card_group_add(group, cards[i], PILE_TOTAL);
        }
    }
}

static void price_of(const struct move *move, struct price *price)
{
    const struct command *const command = &move->command;
    price->treasures = command->n > price->treasures ? command->n : price->treasures;
    price_add(&price->items, command->list, command->list_count);
    price_add(&price->promises, command->more, command->more_count);
    if (move->open != MOVE_CLOSED) {
        price_add(&price->items, move->candidates, move->candidate_count);
        price_add(&price->promises, move->more, move->more_count);
    }
}

static void put_price(const struct table_words *words, unsigned verb, const struct price *price,
                      struct text_out *out)
{
    char cards[RENDER_LIST_SIZE];
    if (price->treasures > 0) {
        text_line(out, verb == VERB_ASK ? TEXT_HELP_OFFERING : TEXT_HELP_FOR_TREASURES,
                  TEXT_ARGS(text_num("n", price->treasures)));
    }
    if (price->items.count > 0) {
        render_group(words, &price->items, cards, sizeof cards);
        text_line(out, TEXT_HELP_OFFERING_CARDS, TEXT_ARGS(text_str("cards", cards)));
    }
    if (price->promises.count > 0) {
        render_group(words, &price->promises, cards, sizeof cards);
        text_line(out, TEXT_HELP_PROMISING, TEXT_ARGS(text_str("cards", cards)));
    }
}

// Whom help can be had from, or that it can be given; then for what.
static void put_help_ways(const struct table_words *words, const struct move_list *moves,
                          unsigned verb, struct text_out *out)
{
    struct price price = {.treasures = 0};
    put_helpers(words, moves, verb, out);
    for (uint32_t i = 0; i < moves->count; i++) {
        if (moves->items[i].command.verb == verb) {
            price_of(&moves->items[i], &price);
        }
    }
    put_price(words, verb, &price, out);
}

// Every way of a verb that is legal now, one a line; templates with what may stand in them.
static void put_ways(const struct table_words *words, unsigned verb, struct text_out *out)
{
    struct move_list moves;
    if (words->view == NULL || words->seat >= MB_SEATS_MAX) {
        return;
    }
    list_moves(words, &moves);
    bool any = false;
    const bool help = verb == VERB_ASK || verb == VERB_VOLUNTEER;
    char held[RENDER_LIST_SIZE] = ""; // what the ways told last are made of: once for all of them
    for (uint32_t i = 0; i < moves.count; i++) {
        const struct move *const move = &moves.items[i];
        if (move->command.verb != verb) {
            continue;
        }
        if (!any) {
            text_line(out, TEXT_HELP_TOPIC_NOW, NULL);
        }
        any = true;
        if (help) {
            put_help_ways(words, &moves, verb, out);
            break;
        }
        char cards[RENDER_LIST_SIZE] = "";
        if (move->open != MOVE_CLOSED) {
            render_cards(words, move->candidates, move->candidate_count, cards, sizeof cards);
        }
        if (strcmp(held, cards) != 0) {
            put_candidates(held, out);
            (void)snprintf(held, sizeof held, "%s", cards);
        }
        char command[COMMAND_SIZE];
        render_move(words, move, command, sizeof command);
        text_line(out, TEXT_HELP_LINE, TEXT_ARGS(text_str("what", command)));
    }
    put_candidates(held, out);
    if (!any) {
        text_line(out, TEXT_HELP_NOT_NOW, NULL);
    }
    free(moves.items);
}

static bool is_word(const char *word, const char *topic)
{
    const size_t length = strcspn(topic, " \t");
    return strlen(word) == length && strncasecmp(word, topic, length) == 0;
}

static const struct verb_entry *topic_find(const char *topic)
{
    const struct verb_entry *entry = verb_next(NULL);
    while (entry != NULL && !is_word(entry->word, topic)) {
        entry = verb_next(entry);
    }
    return entry;
}

size_t render_help(const struct table_words *words, const char *topic, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (topic == NULL || topic[0] == '\0') {
        return help_now(words, out, size);
    }
    const struct verb_entry *const found = topic_find(topic);
    static const struct {
        const char *word;
        enum text_id help;
    } OWN[] = {{"quit", TEXT_HELP_QUIT}, {"room", TEXT_HELP_ROOM}}; // a terminal's, Matrix'
    for (size_t i = 0; found == NULL && i < sizeof OWN / sizeof OWN[0]; i++) {
        if (is_word(OWN[i].word, topic)) {
            text_line(&text, OWN[i].help, NULL);
            return text.length;
        }
    }
    if (found == NULL) {
        text_line(&text, TEXT_HELP_UNKNOWN, TEXT_ARGS(text_str("what", topic)));
        return text.length;
    }
    char turn[ASK_RINGING_SIZE];
    char all[ASK_RINGING_SIZE];
    render_put(words, &text, found->help,
               TEXT_ARGS(text_str("turn", asks_ringing(RINGS_TURN, turn)),
                         text_str("all", asks_ringing(RINGS_ALL, all))));
    text_raw(&text, "\n");
    if (found->verb != VERB_NONE) {
        put_ways(words, found->verb, &text);
    }
    if (words->budget > 0 && text.length > words->budget) {
        return render_cut(out, words->budget, TEXT_HELP_TOPIC_CUT);
    }
    return text.length;
}
