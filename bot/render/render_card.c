// Cards: figures, texts, and where a card is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "bot/render/render_impl.h"

bool render_idle(const struct table_words *words, unsigned seat, uint16_t card, char *out,
                 size_t size)
{
    struct refusal why = {.code = REFUSAL_NONE};
    struct text_out text;
    const struct card_def *const def = box_def(words->box, card);
    text_begin(&text, out, size);
    if (seat >= MB_SEATS_MAX || def->kind != KIND_ITEM) {
        return false;
    }
    query_obstacles(words->view, words->box, seat, card, &why);
    if (why.code == REFUSAL_SLOT_FULL) {
        const bool hands = def->slot == SLOT_HAND || def->slot == SLOT_TWO_HANDS;
        text_put(&text, hands ? TEXT_IDLE_HANDS : TEXT_IDLE_SLOT, NULL);
    } else if (why.code != REFUSAL_NONE) {
        // Whom an Item is for stands first in what it says ("Cleric only.").
        char says[RENDER_TEXT_SIZE];
        render_card_text(words, words->box->card_def[card], says, sizeof says);
        says[strcspn(says, ".")] = '\0';
        if (says[0] != '\0') {
            text_raw(&text, says);
        } else {
            text_put(&text, TEXT_IDLE_RESTRICTED,
                     TEXT_ARGS(text_str("who", render_you(words, seat))));
        }
    }
    return why.code != REFUSAL_NONE;
}

// Where one card of the definition is, in the reader's eyes; false if that is not known.
static bool put_where(const struct table_words *words, uint16_t card, struct text_out *out)
{
    const unsigned pile = query_where(words->view, card);
    const unsigned owner = pile_is_hand(pile)    ? pile - PILE_HAND
                           : pile_is_table(pile) ? pile - PILE_TABLE
                                                 : (unsigned)NO_SEAT;
    enum text_id id = TEXT_WHERE_ASIDE;
    if (pile_is_hand(pile)) {
        id = owner == words->seat ? TEXT_WHERE_OWN_HAND : TEXT_WHERE_HAND;
    } else if (pile_is_table(pile)) {
        id = owner == words->seat ? TEXT_WHERE_OWN_TABLE : TEXT_WHERE_TABLE;
    } else if (pile == PILE_FIGHT || pile == PILE_RESOLVING) {
        id = TEXT_WHERE_FIGHT;
    } else if (pile == PILE_DOOR_DISCARD || pile == PILE_TREASURE_DISCARD) {
        id = TEXT_WHERE_DISCARD;
    } else if (pile == PILE_FACE_UP) {
        id = TEXT_WHERE_FACE_UP;
    } else if (pile == PILE_AWARD) {
        id = TEXT_WHERE_AWARD;
    } else if (pile == PILE_BODY) {
        id = TEXT_WHERE_BODY;
    } else if (pile != PILE_ASIDE) {
        return false;
    }
    text_put(out, id, TEXT_ARGS(text_str("who", render_player(words, owner))));
    return true;
}

static void put_places(const struct table_words *words, uint16_t def, struct text_out *out)
{
    enum { PLACE_SIZE = 320, PLACES_MAX = 8 };
    char places[PLACES_MAX][PLACE_SIZE];
    const char *items[PLACES_MAX];
    size_t count = 0;
    for (uint16_t card = 0; card < words->box->card_count && count < PLACES_MAX; card++) {
        struct text_out text;
        text_begin(&text, places[count], PLACE_SIZE);
        if (words->box->card_def[card] == def && render_knows(words, card) &&
            put_where(words, card, &text)) {
            items[count] = places[count];
            count++;
        }
    }
    if (count > 0) {
        char where[PLACE_SIZE * 2];
        struct text_out text;
        text_begin(&text, where, sizeof where);
        text_list(&text, items, count, TEXT_AND);
        text_line(out, TEXT_CARD_WHERE, TEXT_ARGS(text_str("where", where)));
    }
}

// A monster's strength as it fights now, with all that was played on it.
static void put_in_fight(const struct table_words *words, uint16_t def, struct text_out *out)
{
    struct query_fight fight;
    query_fight(words->view, words->box, &fight);
    for (unsigned i = 0; fight.on && i < fight.monster_count; i++) {
        char name[RENDER_NAME_SIZE];
        if (words->box->card_def[fight.face[i]] == def ||
            words->box->card_def[fight.monster[i]] == def) {
            text_line(out, TEXT_CARD_IN_FIGHT,
                      TEXT_ARGS(text_str("card", render_card_name(words, fight.monster[i], name)),
                                text_num("n", fight.monster_strength[i]),
                                text_num("c", render_number(words, fight.monster[i]))));
        }
    }
}

size_t render_card(const struct table_words *words, uint16_t def, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    const char *const name = catalog_name(words->catalog, def);
    if (catalog_def(words->catalog, def) == NULL || name == NULL) {
        text_line(&text, TEXT_REFUSAL_NO_SUCH_CARD, NULL);
        return text.length;
    }
    char title[RENDER_TITLE_SIZE];
    char what[RENDER_TEXT_SIZE];
    render_card_text(words, def, what, sizeof what);
    text_line(&text, TEXT_CARD_HEAD,
              TEXT_ARGS(text_str("title", render_title_beside(words, def, name, title))));
    if (what[0] != '\0') {
        text_line(&text, TEXT_CARD_TEXT, TEXT_ARGS(text_str("what", what)));
    }
    const char *const joke = catalog_joke(words->catalog, def);
    if (joke != NULL && joke[0] != '\0') {
        text_line(&text, TEXT_CARD_JOKE, TEXT_ARGS(text_str("what", joke)));
    }
    if (words->view != NULL) {
        put_places(words, def, &text);
        put_in_fight(words, def, &text);
    }
    return text.length;
}

void render_card_beside(const struct table_words *words, uint16_t card, char *out, size_t size)
{
    char figures[RENDER_FIGURES_SIZE];
    char gold[RENDER_FIGURES_SIZE] = "";
    struct text_out text;
    text_begin(&text, out, size);
    if (words->box == NULL || card >= words->box->card_count || !render_knows(words, card)) {
        return;
    }
    const struct card_def *const def = box_def(words->box, card);
    render_figures_brief(words, words->box->card_def[card], figures, sizeof figures);
    if (kind_is_item(def->kind) && def->gold > 0) {
        struct text_out worth;
        text_begin(&worth, gold, sizeof gold);
        text_put(&worth, TEXT_FIGURE_GOLD, TEXT_ARGS(text_num("n", def->gold)));
    }
    if (figures[0] != '\0' || gold[0] != '\0') {
        text_raw(&text, ": ");
        text_raw(&text, figures);
        text_raw(&text, figures[0] != '\0' && gold[0] != '\0' ? ", " : "");
        text_raw(&text, gold);
    }
}

void render_card_hint(const struct table_words *words, uint16_t card, char *out, size_t size)
{
    char figures[RENDER_FIGURES_SIZE];
    char what[RENDER_TEXT_SIZE];
    char whole[RENDER_FIGURES_SIZE + RENDER_TEXT_SIZE];
    out[0] = '\0';
    if (words->box == NULL || card >= words->box->card_count || !render_knows(words, card)) {
        return;
    }
    const uint16_t def = words->box->card_def[card];
    const unsigned kind = box_def(words->box, card)->kind;
    render_card_text(words, def, what, sizeof what);
    figures[0] = '\0';
    if (kind == KIND_ITEM || kind == KIND_MONSTER || what[0] == '\0') {
        render_figures_brief(words, def, figures, sizeof figures);
    }
    struct text_out text;
    text_begin(&text, whole, sizeof whole);
    text_raw(&text, figures);
    text_raw(&text, figures[0] != '\0' && what[0] != '\0' ? ". " : "");
    text_raw(&text, what);
    text_strip(whole);
    size_t end = strlen(whole);
    if (end >= size) {
        end = size - sizeof "...";
        while (end > 0 && whole[end] != ' ') {
            end--;
        }
        (void)snprintf(whole + end, sizeof whole - end, "...");
    }
    (void)snprintf(out, size, "%s", whole);
}

size_t render_brief(const struct table_words *words, char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (words->view == NULL || words->seat >= MB_SEATS_MAX) {
        return 0;
    }
    struct card_list hand;
    char cards[RENDER_LIST_SIZE];
    query_pile(words->view, pile_hand(words->seat), &hand);
    if (words->terse) {
        struct text_out some;
        text_begin(&some, cards, sizeof cards);
        text_put(&some, TEXT_SOME_CARDS, TEXT_ARGS(text_num("n", (long)hand.count)));
    } else {
        render_cards(words, hand.cards, hand.count, cards, sizeof cards);
    }
    text_line(&text, TEXT_BRIEF_YOU,
              TEXT_ARGS(text_num("level", (long)query_level(words->view, words->seat)),
                        text_num("n", query_strength(words->view, words->box, words->seat)),
                        text_str("cards", cards)));
    return text.length;
}
