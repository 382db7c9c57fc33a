#include "bot/render/highlights.h"

#include "bot/render/render_impl.h"

// What makes a trick mean: the way it is played, and for each Level that the victim had.
// Nothing is meaner than what turned a win.
enum { MEAN_CURSE = 3, MEAN_THEFT = 4, MEAN_TAKE_OVER = 6, MEAN_LEVEL = 2, MEAN_TURN = 100 };

static void note_fight(struct highlights *highlights, const struct game *before,
                       const struct box *box, const struct event *won)
{
    const struct highlight_fight *const biggest = &highlights->fight;
    struct query_fight fight;
    query_fight(before, box, &fight);
    if (fight.monster_count == 0) {
        return;
    }
    unsigned strongest = 0;
    for (unsigned i = 1; i < fight.monster_count; i++) {
        if (fight.monster_strength[i] > fight.monster_strength[strongest]) {
            strongest = i;
        }
    }
    unsigned seats = seat_bit(won->seat);
    seats |= won->seat2 < MB_SEATS_MAX ? seat_bit(won->seat2) : 0u;
    highlights->last = (struct highlight_fight){.players = (int16_t)won->n,
                                                .monsters = (int16_t)won->m,
                                                .monster = fight.face[strongest],
                                                .round = (uint16_t)query_round(before),
                                                .seats = (uint8_t)seats};
    if (won->n + won->m > biggest->players + biggest->monsters) {
        highlights->fight = highlights->last;
    }
}

static void note_trick(struct highlights *highlights, const struct game *before,
                       struct highlight_trick trick)
{
    if (trick.by >= MB_SEATS_MAX || trick.on >= MB_SEATS_MAX || trick.by == trick.on) {
        return;
    }
    trick.level = (uint8_t)query_level(before, trick.on);
    trick.round = (uint16_t)query_round(before);
    trick.meanness = (uint8_t)(trick.meanness + MEAN_LEVEL * trick.level);
    if (trick.meanness > highlights->trick.meanness) {
        highlights->trick = trick;
    }
}

// A card played into somebody else's fight. It is a trick only if it turned a win.
static void note_played(struct highlights *highlights, const struct game *before,
                        const struct game *after, const struct box *box, const struct event *event)
{
    struct query_fight was;
    struct query_fight is;
    query_fight(before, box, &was);
    query_fight(after, box, &is);
    if (was.on && is.on && was.players_win && !is.players_win && event->card != NO_CARD &&
        event->seat != was.helper) {
        note_trick(highlights, before,
                   (struct highlight_trick){.kind = TRICK_CARD,
                                            .by = event->seat,
                                            .on = (uint8_t)was.main,
                                            .card = event->card,
                                            .meanness = MEAN_TURN});
    }
}

// The fight was won all the same, or the Curse did nothing: that was no trick.
static void forget_trick(struct highlights *highlights, const struct game *before,
                         const struct event *note)
{
    const struct highlight_trick *const trick = &highlights->trick;
    const bool same = note->why == NOTE_FIGHT_WON
                          ? trick->meanness >= MEAN_TURN && trick->on == note->seat
                          : trick->card == note->card;
    if (trick->kind == TRICK_CARD && same && trick->round == query_round(before)) {
        highlights->trick = (struct highlight_trick){.kind = TRICK_NONE};
    }
}

static void note_note(struct highlights *highlights, const struct game *before,
                      const struct game *after, const struct box *box, const struct event *note)
{
    struct highlight_trick trick = {.by = note->seat, .on = note->seat2, .card = note->card};
    switch (note->why) {
    case NOTE_FIGHT_WON:
        note_fight(highlights, before, box, note);
        forget_trick(highlights, before, note);
        return;
    case NOTE_CURSE_VOID:
    case NOTE_CURSE_CANCELLED:
        forget_trick(highlights, before, note);
        return;
    case NOTE_MONSTER_JOINS:
        note_played(highlights, before, after, box, note);
        return;
    case NOTE_CURSED: // the note's seat is the victim
        trick.by = note->seat2;
        trick.on = note->seat;
        trick.kind = TRICK_CARD;
        trick.meanness = MEAN_CURSE;
        break;
    case NOTE_THEFT_SUCCEEDS:
        trick.kind = TRICK_THEFT;
        trick.meanness = MEAN_THEFT;
        break;
    case NOTE_FIGHT_TAKEN_OVER:
        trick.kind = TRICK_TAKE_OVER;
        trick.meanness = MEAN_TAKE_OVER;
        break;
    default:
        return;
    }
    note_trick(highlights, before, trick);
}

// A card can give the last Level outside all fights, to who played it or to somebody else.
static void note_card_won(struct highlights *highlights, const struct game *before,
                          const struct game *after, const struct box *box, uint16_t card)
{
    struct query_fight fight;
    query_fight(before, box, &fight);
    if (!fight.on && card != NO_CARD) {
        highlights->last = (struct highlight_fight){.monster = card,
                                                    .round = (uint16_t)query_round(after),
                                                    .seats = (uint8_t)query_winners(after)};
    }
}

void highlights_note(struct highlights *highlights, const struct game *before,
                     const struct game *after, const struct box *box, const struct event *events,
                     size_t count)
{
    uint16_t moved = NO_CARD; // first of what all see: what was played
    for (size_t i = 0; i < count; i++) {
        const struct event *const event = &events[i];
        const bool seen = event->type == EVENT_MOVE && event->knowers == UINT8_MAX;
        moved = seen && moved == NO_CARD ? event->card : moved;
        if (event->type == EVENT_WON) {
            note_card_won(highlights, before, after, box, moved);
        } else if (event->type == EVENT_DEATH && event->seat < MB_SEATS_MAX) {
            uint8_t *const deaths = &highlights->deaths[event->seat];
            *deaths = *deaths < UINT8_MAX ? (uint8_t)(*deaths + 1) : *deaths;
        } else if (event->type == EVENT_NOTE) {
            note_note(highlights, before, after, box, event);
        } else if (event->type == EVENT_MOVE && event->why == MOVE_PLAYED &&
                   event->to == PILE_FIGHT) {
            note_played(highlights, before, after, box, event);
        }
    }
}

static void put_fight(const struct table_words *words, const struct highlight_fight *fight,
                      struct text_out *out)
{
    char who[RENDER_LIST_SIZE];
    char name[RENDER_NAME_SIZE];
    render_players(words, fight->seats, who, sizeof who);
    text_line(out, TEXT_HIGHLIGHT_FIGHT,
              TEXT_ARGS(text_str("who", who),
                        text_str("card", render_plain_name(words, fight->monster, name)),
                        text_num("n", fight->players), text_num("m", fight->monsters),
                        text_num("round", fight->round)));
}

static void put_trick(const struct table_words *words, const struct highlight_trick *trick,
                      struct text_out *out)
{
    static const enum text_id SENTENCES[] = {
        [TRICK_CARD] = TEXT_HIGHLIGHT_TRICK,
        [TRICK_THEFT] = TEXT_HIGHLIGHT_THEFT,
        [TRICK_TAKE_OVER] = TEXT_HIGHLIGHT_TAKE_OVER,
    };
    char name[RENDER_NAME_SIZE];
    text_line(out, SENTENCES[trick->kind],
              TEXT_ARGS(text_str("who", render_player(words, trick->by)),
                        text_str("other", render_player(words, trick->on)),
                        text_str("card", render_plain_name(words, trick->card, name)),
                        text_num("level", trick->level), text_num("round", trick->round)));
}

static void put_deaths(const struct table_words *words, const uint8_t *deaths, struct text_out *out)
{
    uint8_t most = 0;
    unsigned seats = 0;
    for (unsigned seat = 0; seat < MB_SEATS_MAX; seat++) {
        if (deaths[seat] > most) {
            most = deaths[seat];
            seats = 0;
        }
        seats |= most > 0 && deaths[seat] == most ? seat_bit(seat) : 0u;
    }
    if (most == 0) {
        text_line(out, TEXT_HIGHLIGHT_NO_DEATHS, NULL);
        return;
    }
    char who[RENDER_LIST_SIZE];
    render_players(words, seats, who, sizeof who);
    const bool one = (seats & (seats - 1)) == 0;
    text_line(out, one ? TEXT_HIGHLIGHT_DEATHS : TEXT_HIGHLIGHT_DEATHS_EACH,
              TEXT_ARGS(text_str("who", who), text_num("n", most)));
}

size_t render_highlights(const struct table_words *words, const struct highlights *highlights,
                         char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (highlights->fight.seats != 0) {
        put_fight(words, &highlights->fight, &text);
    }
    if (highlights->trick.kind != TRICK_NONE) {
        put_trick(words, &highlights->trick, &text);
    }
    put_deaths(words, highlights->deaths, &text);
    return text.length;
}

size_t render_deciding_fight(const struct table_words *words, const struct highlights *highlights,
                             char *out, size_t size)
{
    const struct highlight_fight *const last = &highlights->last;
    char name[RENDER_NAME_SIZE];
    struct text_out text;
    text_begin(&text, out, size);
    if ((last->seats & query_winners(words->view)) != 0 &&
        last->round == query_round(words->view)) {
        const bool blow = last->players != 0 || last->monsters != 0;
        text_line(&text, blow ? TEXT_RESULT_FIGHT : TEXT_RESULT_CARD,
                  TEXT_ARGS(text_str("card", render_plain_name(words, last->monster, name)),
                            text_num("n", last->players), text_num("m", last->monsters)));
    }
    return text.length;
}

size_t render_best_moment(const struct table_words *words, const struct highlights *highlights,
                          char *out, size_t size)
{
    struct text_out text;
    text_begin(&text, out, size);
    if (highlights->trick.kind != TRICK_NONE) {
        put_trick(words, &highlights->trick, &text);
    } else if (highlights->fight.seats != 0) {
        put_fight(words, &highlights->fight, &text);
    } else {
        put_deaths(words, highlights->deaths, &text);
    }
    return text.length;
}
