#include <stdio.h>
#include <string.h>

#include "bot/parse/parse_impl.h"

static void put_card(struct format *f, uint16_t card, const struct role *role)
{
    if (!words_put_card(f, card, role)) { // it cannot be told apart: at least its name
        words_put(f, card < f->p.words->box->card_count ? names_card(f->p.words, card) : "?");
    }
}

static void put_cards(struct format *f, const char *key, const uint16_t *list, unsigned count,
                      const struct lookup *lookup)
{
    struct role role = {.kind = ROLE_CARD, .lookup = lookup};
    for (unsigned i = 0; i < count; i++) {
        words_put(f, i == 0 ? key : ", ");
        put_card(f, list[i], &role);
    }
}

static void put_subject(struct format *f, const struct command *command)
{
    struct role role = {.kind = ROLE_CARD, .lookup = lookup_subject(command->verb)};
    if (command->card != NO_CARD) {
        words_put(f, " ");
        put_card(f, command->card, &role);
    }
}

// A target's words depend on nothing else in the line.
static void put_target_card(struct format *f, uint16_t card, const struct role *role)
{
    struct words_memo *const memo = f->p.words->memo;
    const uint64_t key =
        ((uint64_t)role->hint << 8 | (uint64_t)role->target_kind) << 16 | (uint64_t)card;
    const char *const known = memo != NULL ? memo_piece(memo, key) : NULL;
    const size_t from = f->length;
    if (known != NULL) {
        words_put(f, known);
        return;
    }
    put_card(f, card, role);
    if (memo != NULL && f->length < f->size) {
        memo_keep_piece(memo, key, f->out + from);
    }
}

static void put_target(struct format *f, const struct command *command)
{
    uint16_t subject = command->verb == VERB_USE ? (uint16_t)NO_CARD : command->card;
    struct role role = {.kind = ROLE_TARGET, .target_kind = command->target_kind};
    if (command->target_kind == TARGET_NONE) {
        return;
    }
    words_put(f, " on");
    if (command->target_kind == TARGET_SEAT) {
        words_put_player(f, command->target);
        return;
    }
    role.hint = target_hint(&f->p, subject, command->ability);
    words_put(f, " ");
    put_target_card(f, command->target, &role);
}

static void put_with(struct format *f, const struct command *command)
{
    put_cards(f, " with ", command->list, command->list_count, lookup_list(&f->p, command->verb));
}

static void put_more(struct format *f, const char *key, const struct command *command)
{
    struct lookup own;
    put_cards(f, key, command->more, command->more_count, lookup_more(command, &own));
}

void write_play(struct format *f, const struct command *command)
{
    put_subject(f, command);
    put_target(f, command);
    if (command->side != SIDE_NONE) {
        words_put(f, command->side == SIDE_PLAYERS ? " for players" : " for monsters");
    }
    put_with(f, command);
    put_more(f, " replacing ", command);
}

void write_use(struct format *f, const struct command *command)
{
    words_put(f, " ");
    words_put(f, catalog_ability_name(f->p.words->catalog, command->ability));
    if (command->card != NO_CARD) {
        words_put(f, " of");
        put_subject(f, command);
    }
    put_with(f, command);
    put_target(f, command);
}

static void put_treasures(struct format *f, const char *key, int n)
{
    if (n > 0) {
        words_put(f, key);
        words_put_number(f, n);
        words_put(f, n == 1 ? " treasure" : " treasures");
    }
}

static void put_picking(struct format *f, const struct command *command)
{
    if (command->picking != 0) {
        words_put(f, command->picking == 1 ? " picking first" : " picking second");
    }
}

void write_ask(struct format *f, const struct command *command)
{
    if (command->to == ALL_SEATS) {
        words_put(f, " all");
    } else {
        words_put_player(f, command->to);
    }
    put_treasures(f, " offering", command->n);
    put_cards(f, command->n > 0 ? ", " : " offering ", command->list, command->list_count,
              lookup_list(&f->p, command->verb));
    put_picking(f, command);
    put_more(f, " promising ", command);
}

void write_offer(struct format *f, const struct command *command)
{
    put_cards(f, " ", command->list, command->list_count, lookup_list(&f->p, command->verb));
    put_more(f, " for ", command);
    words_put(f, " to");
    words_put_player(f, command->to);
    if (command->bribe != 0) {
        words_put(f, " for not helping");
        if (command->about != NO_SEAT) {
            words_put_player(f, command->about);
        }
    }
}

void write_gift(struct format *f, const struct command *command)
{
    put_cards(f, " ", command->list, command->list_count, lookup_list(&f->p, command->verb));
    if (command->to == ALL_SEATS) {
        words_put(f, " to all");
    } else if (command->to != NO_SEAT) {
        words_put(f, " to");
        words_put_player(f, command->to);
    }
}

void write_show(struct format *f, const struct command *command)
{
    words_put(f, command->n == 1 ? " hand" : "");
    write_gift(f, command);
}

static void format_answer(struct format *f, const struct query_decision *decision, uint16_t value)
{
    struct role role = {.kind = ROLE_OPTION, .decision = decision};
    char text[WORDS_MAX];
    unsigned at = 0;
    switch (choose_sort(decision)) {
    case CHOICE_YES_NO:
        words_put(f, value != 0 ? "yes" : "no");
        break;
    case CHOICE_NUMBERS:
        (void)snprintf(text, sizeof text, "%u", (unsigned)value);
        words_put(f, text);
        break;
    case CHOICE_SEATS:
        words_player(f, value, text, sizeof text);
        words_put(f, text);
        break;
    case CHOICE_CARDS:
    case CHOICE_MONSTERS:
        if (!words_put_card(f, value, &role)) {
            while (at < decision->option_count && decision->options[at] != value) {
                at++;
            }
            (void)snprintf(text, sizeof text, "#%u", at + 1);
            words_put(f, text);
        }
        break;
    }
}

void write_choose(struct format *f, const struct command *command)
{
    struct query_decision decision;
    query_decision(f->p.words->view, f->p.words->box, f->p.words->seat, &decision);
    if (command->list_count == 0 || decision.kind >= DECIDE_TOTAL) {
        words_put(f, " nothing");
        return;
    }
    for (unsigned i = 0; i < command->list_count; i++) {
        words_put(f, i == 0 ? " " : ", ");
        format_answer(f, &decision, command->list[i]);
    }
}

void write_run(struct format *f, const struct command *command)
{
    struct role role = {.kind = ROLE_MONSTER};
    if (command->card != NO_CARD) {
        words_put(f, " ");
        put_card(f, command->card, &role);
    }
}

void write_nothing(struct format *f, const struct command *command)
{
    (void)f;
    (void)command;
}

void write_card(struct format *f, const struct command *command)
{
    put_subject(f, command);
}

void write_cards(struct format *f, const struct command *command)
{
    put_cards(f, " ", command->list, command->list_count, lookup_list(&f->p, command->verb));
}

void write_hand_over(struct format *f, const struct command *command)
{
    struct role follower = {.kind = ROLE_CARD, .lookup = lookup_subject(VERB_SACRIFICE)};
    put_subject(f, command);
    words_put(f, " to ");
    put_card(f, command->target, &follower);
}

void write_sacrifice(struct format *f, const struct command *command)
{
    put_subject(f, command);
    words_put(f, command->n == 1 ? " with helper" : "");
}

void write_deal_number(struct format *f, const struct command *command)
{
    if (command->n > 0) {
        words_put_number(f, command->n);
    }
}

void write_volunteer(struct format *f, const struct command *command)
{
    put_treasures(f, " for", command->n);
    put_picking(f, command);
}

// Not by assignment: most of it is a buffer for a line that is still to be read.
static void format_begin(struct format *f, const struct table_words *words, char *out, size_t size)
{
    f->out = out;
    f->size = size;
    f->length = 0;
    f->p.words = words;
    f->p.entry = NULL;
    f->p.request = &f->request;
    f->p.error = &f->error;
    f->p.used_count = 0;
    f->p.clause_count = 0;
    legal_begin(&f->p.legal, false);
    memset(&f->request, 0, sizeof f->request);
}

void parse_format_player(const struct table_words *words, unsigned seat, char *out, size_t size)
{
    struct format f;
    format_begin(&f, words, out, size);
    words_player(&f, seat, out, size);
}

size_t parse_format(const struct table_words *words, const struct command *command, char *out,
                    size_t size)
{
    struct format f;
    const char *const known = words->memo != NULL ? memo_line(words->memo, command) : NULL;
    format_begin(&f, words, out, size);
    if (size > 0) {
        out[0] = '\0';
    }
    if (known != NULL) {
        words_put(&f, known);
        return f.length;
    }
    words_put(&f, command_word(command->verb));
    const struct verb_form *form = &VERB_FORMS[command_form(command->verb)];
    if (form->write != NULL) {
        form->write(&f, command);
    }
    if (words->memo != NULL && f.length < size) {
        memo_keep_line(words->memo, command, out);
    }
    return f.length;
}
