#include "bot/parse/parse_impl.h"
#include "bot/text/text.h"

bool player_word(const struct parser *p, struct span range, const char *word)
{
    return range.from < range.to && (p->line.tokens[range.from].flags & TOKEN_QUOTED) == 0 &&
           line_is(&p->line, range, word);
}

bool player_is_self(const struct parser *p, struct span range)
{
    return player_word(p, range, "me") || player_word(p, range, "myself");
}

/* "#2" is the second seat: for people whose names nobody can type. */
static unsigned by_number(const struct parser *p, struct span range)
{
    const struct token *token = &p->line.tokens[range.from];
    if (range.to - range.from != 1 || token->kind != TOKEN_NTH || token->number == 0 ||
        token->number > MB_SEATS_MAX || p->words->players[token->number - 1] == NULL) {
        return NO_SEAT;
    }
    return token->number - 1u;
}

unsigned player_match(const struct parser *p, struct span range, enum name_fit *fit,
                      unsigned *count)
{
    const char *text = p->line.text + p->line.tokens[range.from].at;
    size_t length = line_length(&p->line, range);
    const bool self = p->words->seat < MB_SEATS_MAX && player_is_self(p, range);
    const unsigned meant = self ? p->words->seat : by_number(p, range);
    unsigned found = meant;
    *fit = meant != NO_SEAT ? NAME_FULL : NAME_NONE;
    *count = meant != NO_SEAT ? 1 : 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX && meant == NO_SEAT; seat++) {
        if (p->words->players[seat] == NULL) {
            continue;
        }
        enum name_fit this_fit = names_fit(text, length, p->words->players[seat]);
        if (this_fit > *fit) {
            *fit = this_fit;
            *count = 0;
            found = seat;
        }
        *count += this_fit == *fit && this_fit != NAME_NONE;
    }
    return found;
}

/* The seats that may be named there now. */
static unsigned seats_meant(struct parser *p)
{
    struct query_decision decision;
    unsigned seats = 0;
    if (p->words->view == NULL || p->request->command.verb != VERB_CHOOSE) {
        return legal_receivers(p);
    }
    query_decision(p->words->view, p->words->box, p->words->seat, &decision);
    for (unsigned i = 0; decision.kind < DECIDE_TOTAL && i < decision.option_count; i++) {
        seats |= decision.options[i] < MB_SEATS_MAX ? seat_bit(decision.options[i]) : 0u;
    }
    return seats;
}

/* The only player whom part of a name fits and who may be named now, else who was found. */
static unsigned only_receiver(struct parser *p, struct span range, unsigned found, unsigned *count)
{
    const char *text = p->line.text + p->line.tokens[range.from].at;
    size_t length = line_length(&p->line, range);
    const unsigned seats = seats_meant(p);
    unsigned fitting = 0;
    unsigned only = found;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        const char *const name = p->words->players[seat];
        if ((seats & seat_bit(seat)) != 0 && name != NULL &&
            names_fit(text, length, name) != NAME_NONE) {
            only = seat;
            fitting++;
        }
    }
    *count = fitting == 1 ? 1 : *count;
    return fitting == 1 ? only : found;
}

unsigned find_player(struct parser *p, struct span range)
{
    enum name_fit fit = NAME_NONE;
    unsigned count = 0;
    if (!parse_one_item(p, range, text_sentence(TEXT_EXPECT_ONE_PLAYER))) {
        return NO_SEAT;
    }
    unsigned seat = player_match(p, range, &fit, &count);
    if (count > 0 && fit != NAME_FULL) {
        seat = only_receiver(p, range, seat, &count);
    }
    if (count == 1) {
        return seat;
    }
    parse_fault(p, count == 0 ? REFUSAL_NO_SUCH_PLAYER : REFUSAL_AMBIGUOUS_NAME, range,
                count == 0 ? text_sentence(TEXT_EXPECT_A_PLAYER_OF_THIS_TABLE)
                           : text_sentence(TEXT_EXPECT_MORE_OF_THE_PLAYER_S_NAME));
    return NO_SEAT;
}

unsigned find_player_or_all(struct parser *p, struct span range)
{
    static const char *const ALL[] = {"all", "everyone", "everybody"};
    for (size_t i = 0; i < sizeof ALL / sizeof ALL[0]; i++) {
        if (player_word(p, range, ALL[i])) {
            return ALL_SEATS;
        }
    }
    return find_player(p, range);
}

static const struct lookup TARGETS[HINT_TOTAL] = {
    [HINT_NONE] = {{AREA_ALL_TABLES, AREA_FIGHT, AREA_SPECIAL, AREA_FACE_UP, AREA_DISCARDS,
                    AREA_HAND},
                   PREFER_NONE,
                   FIELD_NONE},
    [HINT_PLAYER] = {{AREA_ALL_TABLES, AREA_FIGHT, AREA_SPECIAL, AREA_DISCARDS, AREA_HAND},
                     PREFER_NONE,
                     FIELD_NONE},
    [HINT_MONSTER] = {{AREA_FIGHT, AREA_SPECIAL, AREA_ALL_TABLES, AREA_HAND, AREA_DISCARDS},
                      PREFER_NONE,
                      FIELD_NONE},
    [HINT_TABLES] = {{AREA_ALL_TABLES, AREA_HAND, AREA_DISCARDS}, PREFER_NONE, FIELD_NONE},
    [HINT_OWN] = {{AREA_TABLE, AREA_HAND, AREA_OTHER_TABLES, AREA_DISCARDS},
                  PREFER_NONE,
                  FIELD_NONE},
    [HINT_OTHERS] = {{AREA_OTHER_TABLES, AREA_TABLE, AREA_DISCARDS}, PREFER_NONE, FIELD_NONE},
    [HINT_DISCARD] = {{AREA_DISCARDS, AREA_ALL_TABLES, AREA_HAND}, PREFER_NONE, FIELD_NONE},
};

static bool is_mate(const struct query_fight *fight, unsigned i)
{
    return fight->face[i] != fight->monster[i];
}

/* "Net Troll Mate" without the brackets. */
static struct wanted as_mate(const struct parser *p, const struct wanted *wanted)
{
    struct wanted mate = *wanted;
    struct span last = {(uint16_t)(mate.name.to - 1), mate.name.to};
    if (mate.name.to - mate.name.from > 1 && line_is_copy_word(&p->line, last)) {
        mate.mate = true;
        mate.name.to--;
    }
    return mate;
}

/* Monsters that fit, with the best fit of all; copies only if `mates`. */
static unsigned monsters_that_fit(const struct query_fight *fight, const uint8_t *fits, bool mates,
                                  uint8_t out[MB_MONSTERS_MAX])
{
    unsigned count = 0;
    uint8_t best = NAME_NONE;
    for (unsigned i = 0; i < fight->monster_count; i++) {
        uint8_t fit = fits[fight->face[i]];
        if (fit == NAME_NONE || is_mate(fight, i) != mates || fit < best) {
            continue;
        }
        count = fit > best ? 0 : count;
        best = fit;
        out[count++] = (uint8_t)i;
    }
    return count;
}

/* Monsters of different names fit equally well: names them. */
static void check_alike(struct parser *p, struct span words, const struct query_fight *fight,
                        const uint8_t *those, unsigned count)
{
    const struct box *box = p->words->box;
    struct parse_error *error = p->error;
    bool alike = true;
    for (unsigned i = 1; i < count; i++) {
        alike = alike && box_def(box, fight->face[those[i]])->name ==
                             box_def(box, fight->face[those[0]])->name;
    }
    if (alike || !parse_fault(p, REFUSAL_AMBIGUOUS_NAME, words,
                              text_sentence(TEXT_EXPECT_MORE_OF_THE_NAME))) {
        return;
    }
    for (unsigned i = 0; i < count && i < REQUEST_CANDIDATES_MAX; i++) {
        error->candidates[error->candidate_count++] = fight->face[those[i]];
    }
}

uint16_t find_monster(struct parser *p, const struct wanted *wanted)
{
    uint8_t fits[MB_CARDS_MAX];
    uint8_t those[MB_MONSTERS_MAX];
    struct query_fight fight;
    query_fight(p->words->view, p->words->box, &fight);
    if (!fight.on || fight.monster_count == 0 || wanted->owner != NO_SEAT) {
        return NO_CARD;
    }
    bool mate = wanted->mate;
    if (cards_fit(p, wanted, fits) == NAME_NONE) {
        struct wanted other = as_mate(p, wanted);
        mate = other.mate;
        cards_fit(p, &other, fits);
    }
    unsigned count = monsters_that_fit(&fight, fits, mate, those);
    if (count == 0 && !mate) {
        // The bare name means the original; when that is gone its copy is the only one left.
        count = monsters_that_fit(&fight, fits, true, those);
    }
    for (unsigned i = 0; i < fight.monster_count && count == 0; i++) {
        if (is_mate(&fight, i) && fits[fight.monster[i]] != NAME_NONE) { // the copying card's name
            those[count++] = (uint8_t)i;
        }
    }
    if (count == 0) {
        return NO_CARD;
    }
    check_alike(p, wanted->range, &fight, those, count);
    if (wanted->nth > count) {
        parse_fault(p, REFUSAL_BAD_ARGUMENTS, wanted->range, text_sentence(TEXT_EXPECT_NTH));
    }
    return fight.monster[those[wanted->nth > 0 && wanted->nth <= count ? wanted->nth - 1 : 0]];
}

static enum hint hint_of_rule(unsigned rule)
{
    switch (rule) {
    case ON_PLAYER:
    case ON_OTHER:
    case ON_FIGHTER:
    case ON_OTHER_FIGHTER:
        return HINT_PLAYER;
    case ON_MONSTER:
        return HINT_MONSTER;
    case ON_OWN_ITEM:
        return HINT_OWN;
    case ON_OTHERS_ITEM:
    case ON_OTHERS_TRAIT:
        return HINT_OTHERS;
    case ON_FOLLOWER:
    case ON_LASTING_CURSE:
        return HINT_TABLES;
    case ON_DISCARD:
        return HINT_DISCARD;
    default:
        return HINT_NONE;
    }
}

enum hint target_hint(const struct parser *p, uint16_t card, uint8_t ability)
{
    const struct box *box = p->words->box;
    if (card == NO_CARD) {
        for (uint16_t i = 0; i < box->row_count; i++) {
            if (box->rows[i].ability == ability + 1u && box->rows[i].target != ON_NOTHING) {
                return hint_of_rule(box->rows[i].target);
            }
        }
        return HINT_NONE;
    }
    const struct card_def *def = box_def(box, card);
    for (unsigned i = 0; i < def->row_count; i++) {
        const struct row *row = box_rows(box, def) + i;
        if (row->ability == 0 && row->target != ON_NOTHING) {
            return hint_of_rule(row->target);
        }
    }
    return def->kind == KIND_CURSE      ? HINT_PLAYER
           : def->kind == KIND_ENHANCER ? HINT_MONSTER
                                        : HINT_NONE;
}

/* How the words fit what may be aimed at. */
static enum name_fit fit_target(const struct parser *p, const struct wanted *wanted,
                                const uint8_t *fits, struct target target)
{
    const struct game *const view = p->words->view;
    if (target.kind == TARGET_SEAT) {
        const char *const name = p->words->players[target.value];
        const char *const text = p->line.text + p->line.tokens[wanted->range.from].at;
        return name == NULL ? NAME_NONE
                            : names_fit(text, line_length(&p->line, wanted->range), name);
    }
    const unsigned where = query_where(view, target.value);
    const bool there = wanted->owner == NO_SEAT ||
                       where == (unsigned)(wanted->where == WHERE_HAND ? pile_hand(wanted->owner)
                                                                       : pile_table(wanted->owner));
    const uint16_t face =
        target.kind == TARGET_MONSTER ? query_face(view, target.value) : target.value;
    const bool mate = face != target.value;
    return there && mate == wanted->mate ? (enum name_fit)fits[face] : NAME_NONE;
}

/* Of what may be aimed at now the one thing that part of a name fits best. */
static bool only_target(struct parser *p, const struct wanted *wanted, const uint8_t *fits,
                        struct target *out)
{
    struct target targets[TARGETS_MAX];
    const unsigned total = wanted->nth == 0 ? legal_targets(p, targets) : 0;
    enum name_fit best = NAME_NONE;
    unsigned count = 0;
    for (unsigned i = 0; i < total; i++) {
        const enum name_fit fit = fit_target(p, wanted, fits, targets[i]);
        if (fit != NAME_NONE && fit >= best) {
            count = fit > best ? 1 : count + 1;
            best = fit;
            *out = targets[i];
        }
    }
    return count == 1;
}

struct target find_target(struct parser *p, struct span range, enum hint hint)
{
    struct target none = {TARGET_NONE, NO_CARD};
    struct wanted wanted;
    uint8_t fits[MB_CARDS_MAX];
    enum name_fit person = NAME_NONE;
    unsigned persons = 0;
    if (!parse_one_item(p, range, text_sentence(TEXT_EXPECT_AFTER_ON))) {
        return none;
    }
    item_read(p, range, &wanted);
    enum name_fit card = cards_fit(p, &wanted, fits);
    unsigned seat = player_match(p, range, &person, &persons);
    struct target only;
    if (card != NAME_FULL && person != NAME_FULL && only_target(p, &wanted, fits, &only)) {
        return only;
    }
    // A full name beats a part of one, whatever it names.
    bool person_fits = persons > 0 && (person == NAME_FULL || card != NAME_FULL);
    bool wants_card =
        hint == HINT_TABLES || hint == HINT_OWN || hint == HINT_OTHERS || hint == HINT_DISCARD;
    bool no_monster = wants_card || (hint == HINT_PLAYER && person_fits);
    uint16_t monster = no_monster ? (uint16_t)NO_CARD : find_monster(p, &wanted);
    if (monster != NO_CARD && (card == NAME_FULL || person != NAME_FULL)) {
        return (struct target){TARGET_MONSTER, monster};
    }
    if (person_fits && (!wants_card || person == NAME_FULL || card == NAME_NONE)) {
        if (persons > 1) {
            parse_fault(p, REFUSAL_AMBIGUOUS_NAME, range,
                        text_sentence(TEXT_EXPECT_MORE_OF_THE_PLAYER_S_NAME));
        }
        return (struct target){TARGET_SEAT, (uint16_t)seat};
    }
    if (card == NAME_NONE) {
        bool want_player = hint == HINT_PLAYER;
        parse_fault(p, want_player ? REFUSAL_NO_SUCH_PLAYER : REFUSAL_NO_SUCH_CARD, range,
                    want_player ? text_sentence(TEXT_EXPECT_A_PLAYER_OF_THIS_TABLE)
                                : text_sentence(TEXT_EXPECT_TARGET));
        return none;
    }
    unsigned used_count = p->used_count;
    p->used_count = 0; // a card may pay and be the target's namesake
    uint16_t found = find_wanted(p, &wanted, &TARGETS[hint]);
    p->used_count = used_count;
    return (struct target){TARGET_CARD, found};
}
