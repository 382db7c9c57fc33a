#include <string.h>

#include "bot/render/render_impl.h"

const char *render_player(const struct table_words *words, unsigned seat)
{
    if (seat == ALL_SEATS) {
        return text_sentence(TEXT_EVERYBODY);
    }
    if (seat >= MB_SEATS_MAX || words->players[seat] == NULL) {
        return text_sentence(TEXT_NOBODY);
    }
    return words->marks && words->marked[seat] != NULL ? words->marked[seat] : words->players[seat];
}

long render_reads(const struct table_words *words, unsigned seat)
{
    return seat < MB_SEATS_MAX && seat == words->seat ? 2 : 1;
}

const char *render_you(const struct table_words *words, unsigned seat)
{
    return render_reads(words, seat) == 2 ? text_sentence(TEXT_YOU) : render_player(words, seat);
}

const char *render_his(const struct table_words *words, unsigned seat)
{
    const bool female =
        seat < MB_SEATS_MAX && words->view != NULL && query_female(words->view, seat);
    return text_sentence(female ? TEXT_HER : TEXT_HIS);
}

const char *render_him(const struct table_words *words, unsigned seat)
{
    const bool female =
        seat < MB_SEATS_MAX && words->view != NULL && query_female(words->view, seat);
    return text_sentence(female ? TEXT_HER : TEXT_HIM);
}

long render_number(const struct table_words *words, uint16_t card)
{
    const bool known = card < words->box->card_count;
    return known && catalog_plural(words->catalog, words->box->card_def[card]) ? 2 : 1;
}

const char *render_its(const struct table_words *words, uint16_t card)
{
    static const enum text_id WORDS[PRONOUN_TOTAL] = {[PRONOUN_IT] = TEXT_ITS,
                                                      [PRONOUN_HE] = TEXT_HIS,
                                                      [PRONOUN_SHE] = TEXT_HER,
                                                      [PRONOUN_THEY] = TEXT_THEIR};
    const bool known = card < words->box->card_count;
    return text_sentence(
        WORDS[known ? catalog_pronoun(words->catalog, words->box->card_def[card]) : PRONOUN_IT]);
}

void render_players(const struct table_words *words, unsigned seats, char *out, size_t size)
{
    const char *names[MB_SEATS_MAX];
    size_t count = 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if ((seats & seat_bit(seat)) != 0 && words->players[seat] != NULL) {
            names[count++] = render_player(words, seat);
        }
    }
    struct text_out text;
    text_begin(&text, out, size);
    text_list(&text, names, count, TEXT_AND);
}

bool render_knows(const struct table_words *words, uint16_t card)
{
    return words->view != NULL && card < words->box->card_count &&
           query_where(words->view, card) != PILE_TOTAL;
}

// The original of a copy that fights along, or the card itself.
static uint16_t card_face(const struct table_words *words, uint16_t card)
{
    return words->view != NULL ? query_face(words->view, card) : card;
}

static enum text_mark mark_of(const struct table_words *words, uint16_t card)
{
    const unsigned kind = box_def(words->box, card)->kind;
    if (kind == KIND_MONSTER || kind == KIND_ENHANCER) {
        return MARK_MONSTER;
    }
    if (kind == KIND_CURSE) {
        return MARK_CURSE;
    }
    return box_def(words->box, card)->deck == DECK_TREASURE ? MARK_TREASURE : MARK_END;
}

void render_key_begin(const struct table_words *words, enum row_kind kind, unsigned brevity,
                      struct row_key *key)
{
    const uint8_t facts[] = {(uint8_t)kind, (uint8_t)brevity, words->marks ? 1 : 0};
    row_key_begin(key);
    row_key_add(key, facts, sizeof facts);
}

void render_key_card(const struct table_words *words, uint16_t card, struct row_key *key)
{
    const uint16_t named[] = {card, card_face(words, card)};
    row_key_add(key, named, sizeof named);
}

void render_key_player(const struct table_words *words, unsigned seat, struct row_key *key)
{
    const char *const name = render_player(words, seat);
    row_key_add(key, name, strlen(name) + 1);
}

void render_mark(const struct table_words *words, struct text_out *out, enum text_mark mark)
{
    if (words->marks) {
        text_mark(out, mark);
    }
}

void render_line(const struct table_words *words, struct text_out *out, enum text_mark mark,
                 enum text_id id, const struct text_arg *args)
{
    render_mark(words, out, mark);
    text_put(out, id, args);
    render_mark(words, out, MARK_END);
    text_raw(out, "\n");
}

// A card's name between the marks of its kind.
static void put_card_name(const struct table_words *words, uint16_t card, const char *name,
                          struct text_out *out)
{
    const enum text_mark mark = words->marks ? mark_of(words, card) : MARK_END;
    if (mark != MARK_END) {
        text_mark(out, mark);
    }
    text_value(out, name);
    if (mark != MARK_END) {
        text_mark(out, MARK_END);
    }
}

const char *render_plain_name(const struct table_words *words, uint16_t card, char *out)
{
    struct text_out text;
    text_begin(&text, out, RENDER_NAME_SIZE);
    if (card < words->box->card_count) {
        put_card_name(words, card, catalog_name(words->catalog, words->box->card_def[card]), &text);
    } else {
        text_put(&text, TEXT_A_CARD, NULL);
    }
    return out;
}

const char *render_card_name(const struct table_words *words, uint16_t card, char *out)
{
    const uint16_t face = card < words->box->card_count ? card_face(words, card) : card;
    if (face == card || face >= words->box->card_count) {
        return render_plain_name(words, card, out);
    }
    char name[RENDER_NAME_SIZE];
    struct text_out text;
    text_begin(&text, name, sizeof name);
    text_put(&text, TEXT_MATE,
             TEXT_ARGS(text_str("card", catalog_name(words->catalog, words->box->card_def[face])),
                       text_str("mate", names_copy_word(words, card))));
    text_begin(&text, out, RENDER_NAME_SIZE);
    put_card_name(words, card, name, &text);
    return out;
}

void card_group_add(struct card_group *group, uint16_t card, unsigned pile)
{
    group->count++;
    if (card != NO_CARD && group->known_count < RENDER_GROUP_MAX) {
        group->known[group->known_count++] = card;
    } else if (pile == PILE_DOOR_DECK || pile == PILE_DOOR_DISCARD) {
        group->doors++;
    } else if (pile == PILE_TREASURE_DECK || pile == PILE_TREASURE_DISCARD) {
        group->treasures++;
    } else {
        group->blanks++;
    }
}

struct name_list {
    char names[RENDER_GROUP_MAX + 3][RENDER_NAME_SIZE];
    const char *items[RENDER_GROUP_MAX + 3];
    size_t count;
};

static const char *group_name(const struct table_words *words, const struct card_group *group,
                              unsigned index, char out[RENDER_NAME_SIZE])
{
    return group->plain ? render_plain_name(words, group->known[index], out)
                        : render_card_name(words, group->known[index], out);
}

static void add_known(const struct table_words *words, const struct card_group *group,
                      struct name_list *list)
{
    bool done[RENDER_GROUP_MAX] = {false};
    for (unsigned i = 0; i < group->known_count; i++) {
        if (done[i]) {
            continue;
        }
        char name[RENDER_NAME_SIZE];
        group_name(words, group, i, name);
        unsigned alike = 1;
        for (unsigned j = i + 1; j < group->known_count; j++) {
            char other[RENDER_NAME_SIZE];
            if (!done[j] && strcmp(name, group_name(words, group, j, other)) == 0) {
                done[j] = true;
                alike++;
            }
        }
        struct text_out text;
        text_begin(&text, list->names[list->count], RENDER_NAME_SIZE);
        if (alike > 1) {
            text_put(&text, TEXT_CARD_TIMES,
                     TEXT_ARGS(text_str("card", name), text_num("n", (long)alike)));
        } else {
            text_raw(&text, name);
        }
        list->items[list->count] = list->names[list->count];
        list->count++;
    }
}

static void add_unknown(struct name_list *list, unsigned count, enum text_id one, enum text_id many)
{
    if (count == 0) {
        return;
    }
    struct text_out text;
    text_begin(&text, list->names[list->count], RENDER_NAME_SIZE);
    if (count == 1) {
        text_put(&text, one, NULL);
    } else {
        text_put(&text, many, TEXT_ARGS(text_num("n", (long)count)));
    }
    list->items[list->count] = list->names[list->count];
    list->count++;
}

void render_group(const struct table_words *words, const struct card_group *group, char *out,
                  size_t size)
{
    struct name_list list;
    list.count = 0;
    add_known(words, group, &list);
    add_unknown(&list, group->doors, TEXT_A_DOOR, TEXT_SOME_DOORS);
    add_unknown(&list, group->treasures, TEXT_A_TREASURE, TEXT_SOME_TREASURES);
    add_unknown(&list, group->blanks, TEXT_A_CARD, TEXT_SOME_CARDS);
    struct text_out text;
    text_begin(&text, out, size);
    if (list.count == 0) {
        text_put(&text, TEXT_NOTHING, NULL);
    } else {
        text_list(&text, list.items, list.count, TEXT_AND);
    }
}

void render_cards(const struct table_words *words, const uint16_t *cards, unsigned count, char *out,
                  size_t size)
{
    struct card_group group = {0};
    for (unsigned i = 0; i < count; i++) {
        card_group_add(&group, cards[i], PILE_TOTAL);
    }
    render_group(words, &group, out, size);
}

const char *render_phase(const struct table_words *words)
{
    const unsigned phase = query_phase(words->view);
    if (phase == PHASE_OPENED && query_count(words->view, PILE_FACE_UP) > 0) {
        return text_sentence(TEXT_PHASE_FACE_UP);
    }
    if (query_count(words->view, PILE_AWARD) > 0) {
        return text_sentence(TEXT_PHASE_AWARD); // the turn goes on after it, but not yet
    }
    static const enum text_id WORDS[PHASE_TOTAL] = {
        [PHASE_SETUP] = TEXT_PHASE_SETUP,     [PHASE_START] = TEXT_PHASE_START,
        [PHASE_OPENED] = TEXT_PHASE_OPENED,   [PHASE_COMBAT] = TEXT_PHASE_COMBAT,
        [PHASE_RUNNING] = TEXT_PHASE_RUNNING, [PHASE_LOOTING_BODY] = TEXT_PHASE_LOOTING_BODY,
        [PHASE_CHARITY] = TEXT_PHASE_CHARITY, [PHASE_OVER] = TEXT_PHASE_OVER,
    };
    return phase < PHASE_TOTAL ? text_sentence(WORDS[phase]) : "";
}

size_t render_cut(char *out, size_t budget, enum text_id sentence)
{
    const size_t room = strlen(text_sentence(sentence)) + 1;
    const size_t length = strlen(out);
    size_t end = length < budget ? length : budget;
    end = end > room ? end - room : 0;
    while (end > 0 && out[end - 1] != '\n') {
        end--;
    }
    struct text_out text;
    text_begin(&text, out + end, length - end + 1);
    text_line(&text, sentence, NULL);
    return end + text.length;
}
