/*
 * What a command would do now, or why it is refused.
 *
 * It is tried on the reader's own view, never on the state: unknown cards are blanks there and the
 * generator has no seed, so that nothing hidden can shape the answer. What happens is told as far
 * as it is certain: up to the first die, shuffle or card that the reader does not know.
 */
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"
#include "core/loop/prospect.h"

#include "bot/render/render_narrate.h"

enum { COMMAND_SIZE = 1024, RULE_SIZE = 2048 };

static bool unknown(const struct game *view, const struct box *box, uint16_t card)
{
    return card < box->card_count && query_where(view, card) == PILE_TOTAL;
}

// Whether from here on chance or hidden cards decide.
static bool is_open(const struct game *view, const struct box *box, const struct event *event)
{
    switch ((enum event_type)event->type) {
    case EVENT_CHANCE:
    case EVENT_ROLL:
    case EVENT_SHUFFLE:
    case EVENT_ORDER:
        return true;
    case EVENT_MOVE:
    case EVENT_NOTE:
    case EVENT_KNOW:
        return unknown(view, box, event->card) || unknown(view, box, event->card2);
    default:
        return false;
    }
}

size_t render_certain(const struct table_words *words, const struct event_list *events)
{
    size_t count = 0;
    while (count < events->count && !is_open(words->view, words->box, &events->items[count])) {
        count++;
    }
    return count;
}

// What the die must show, monster by monster.
static void put_run(const struct table_words *words, struct text_out *out)
{
    enum { DIE_MOST = 6 };
    struct query_fight fight;
    query_fight(words->view, words->box, &fight);
    for (unsigned i = 0; i < fight.monster_count; i++) {
        if (fight.gave_up && (fight.after[i] & seat_bit(words->seat)) == 0) {
            continue;
        }
        char name[RENDER_NAME_SIZE];
        const int need = prospect_escape(words->view, words->box, words->seat, i);
        enum text_id id = need <= 1 ? TEXT_WHY_RUN_ALWAYS : TEXT_WHY_RUN;
        id = need > DIE_MOST ? TEXT_WHY_RUN_NEVER : id;
        text_line(out, id,
                  TEXT_ARGS(text_num("n", need),
                            text_str("card", render_card_name(words, fight.face[i], name))));
    }
}

static void put_open(const struct table_words *words, const struct command *command,
                     struct text_out *out)
{
    switch (command->verb) {
    case VERB_RUN:
        put_run(words, out);
        break;
    case VERB_KICK:
        text_line(out, TEXT_WHY_KICK, NULL);
        break;
    case VERB_LOOT:
        text_line(out, TEXT_WHY_LOOT, NULL);
        break;
    default:
        text_line(out, TEXT_WHY_CHANCE, NULL);
        break;
    }
}

static void put_standing(const struct table_words *words, const struct game *after,
                         struct text_out *out)
{
    struct query_fight now;
    struct query_fight then;
    query_fight(words->view, words->box, &now);
    query_fight(after, words->box, &then);
    const unsigned seat = words->seat;
    if (now.on && then.on && (now.players != then.players || now.monsters != then.monsters)) {
        const enum text_id winner = then.players_win ? TEXT_THE_PLAYERS : TEXT_THE_MONSTERS;
        text_line(out, TEXT_WHY_FIGHT,
                  TEXT_ARGS(text_num("n", then.players), text_num("m", then.monsters),
                            text_num("players", now.players), text_num("monsters", now.monsters),
                            text_str("winning", text_sentence(winner))));
    } else if (then.on && !now.on) {
        text_line(out, then.players_win ? TEXT_WHY_FIGHT_WON : TEXT_WHY_FIGHT_LOST,
                  TEXT_ARGS(text_num("n", then.players), text_num("m", then.monsters)));
    } else if (then.on) {
        text_line(out, TEXT_WHY_FIGHT_SAME,
                  TEXT_ARGS(text_num("n", now.players), text_num("m", now.monsters)));
    }
    const long level = (long)query_level(words->view, seat);
    const long strength = query_strength(words->view, words->box, seat);
    const long new_level = (long)query_level(after, seat);
    const long new_strength = query_strength(after, words->box, seat);
    if (level != new_level || strength != new_strength) {
        text_line(out, TEXT_WHY_SELF,
                  TEXT_ARGS(text_num("n", new_level), text_num("m", new_strength),
                            text_num("level", level), text_num("strength", strength)));
    }
}

static void put_yes(const struct table_words *words, const struct command *command,
                    const struct game *after, const struct event_list *events, struct text_out *out)
{
    char text[COMMAND_SIZE];
    (void)parse_format(words, command, text, sizeof text);
    text_line(out, TEXT_WHY_YES, TEXT_ARGS(text_str("command", text)));
    const size_t count = render_certain(words, events);
    struct event *const seen = mb_new(count, sizeof *seen);
    struct narrator narrator = {.words = *words, .events = seen, .out = out};
    narrator.words.view = after;
    narrator.words.window_s = 0;
    for (size_t i = 0; i < count; i++) {
        if (event_for_viewer(&events->items[i], words->seat, &seen[narrator.count])) {
            narrator.count++;
        }
    }
    const bool all = count == events->count;
    // Told as if it had happened; without the line before it people took it for done.
    const struct text_out before = *out;
    text_line(out, TEXT_WHY_THEN, NULL);
    const size_t begun = out->length;
    narrate_all(&narrator, false);
    free(seen);
    if (out->length == begun) {
        *out = before; // nothing to tell
        if (out->length < out->size) {
            out->at[out->length] = '\0';
        }
    }
    if (all) {
        put_standing(words, after, out);
    } else {
        put_open(words, command, out);
    }
}

static void put_no(const struct table_words *words, const struct refusal *why, struct text_out *out)
{
    char sentence[RULE_SIZE];
    char rule[RULE_SIZE];
    (void)render_refusal(words, why, sentence, sizeof sentence);
    text_put(out, TEXT_WHY_NO, NULL);
    text_raw(out, sentence);
    const bool named = why->rule != NULL && why->rule[0] != '\0';
    const size_t length = named ? render_rule(words, why->rule, rule, sizeof rule) : 0;
    rule[length > 0 ? strcspn(rule, "\n") : 0] = '\0';
    if (length > 0) {
        text_line(out, TEXT_WHY_RULE, TEXT_ARGS(text_str("what", rule)));
    }
}

size_t render_why(const struct table_words *words, const struct command *command,
                  struct game *scratch, struct event_list *events, char *out, size_t size)
{
    struct refusal why = {.code = REFUSAL_NONE, .seat = NO_SEAT, .card = NO_CARD};
    struct text_out text;
    text_begin(&text, out, size);
    events->count = 0;
    events->overflow = false;
    if (game_decide(words->view, words->box, command, scratch, events, &why)) {
        put_yes(words, command, scratch, events, &text);
    } else {
        put_no(words, &why, &text);
    }
    return text.length;
}
