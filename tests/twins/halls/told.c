// All that others are told, as a text for each side; and whether both are the same.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"
#include "bot/parse/complete.h"

#include "tests/twins/halls/pair.h"

enum { IDS_FIRST = 256, ROOM_FIRST = 1 << 16, BEFORE = 1200, SHOWN = 1500 };

void pair_note(struct pair_told *told, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    const size_t wanted = (size_t)vsnprintf(NULL, 0, format, args) + 1;
    va_end(args);
    if (told->length + wanted > told->room) {
        told->room = 2 * (told->room + wanted) + ROOM_FIRST;
        char *const text = realloc(told->text, told->room);
        if (text == NULL) {
            abort();
        }
        told->text = text;
    }
    (void)vsnprintf(told->text + told->length, wanted, format, again);
    va_end(again);
    told->length += wanted - 1;
}

// What others call a thing: the how manieth it is of those they have seen. The words themselves are
// drawn by chance or hashed, and so tell nothing; that one comes again does.
static size_t number_of(struct pair_told *told, const char *id)
{
    size_t at = 0;
    while (at < told->id_count && strcmp(told->ids[at], id) != 0) {
        at++;
    }
    if (at == told->id_count && at == told->id_room) {
        told->id_room = 2 * told->id_room + IDS_FIRST;
        void *const ids = realloc(told->ids, told->id_room * sizeof *told->ids);
        if (ids == NULL) {
            abort();
        }
        told->ids = ids;
    }
    if (at == told->id_count) {
        (void)snprintf(told->ids[told->id_count++], sizeof *told->ids, "%s", id);
    }
    return at;
}

static void tell_ids(struct pair_told *told, const struct fake_message *message)
{
    char mark[CHAT_TABLE_SIZE];
    (void)snprintf(mark, sizeof mark, "%llx", (unsigned long long)message->mark);
    pair_note(told, "message %zu, marked %zu", number_of(told, message->id), number_of(told, mark));
    if (message->replaces[0] != '\0') {
        pair_note(told, ", in place of %zu", number_of(told, message->replaces));
    }
    pair_note(told, "\n");
}

static void tell_message(struct pair_told *told, const struct fake_message *message)
{
    tell_ids(told, message);
    pair_note(told, "at %lld in %s to %s kind %d, answers %s%s; calls %s; asks %s %lld %d\n",
              (long long)told->now_ms, message->place, message->person, (int)message->kind,
              message->event, message->replaces[0] != '\0' ? ", edits" : "", message->pings,
              message->asked, (long long)message->clock_ms, message->idle ? 1 : 0);
    pair_note(told, "  chapter %u, story \"%s\", kept \"%s\", prompt \"%s\"\n", message->chapter,
              message->story, message->kept, message->prompt);
    pair_note(told, "  refused %u %u %u %d %s; bond %s %u %u %u\n%s\n", message->refusal.code,
              message->refusal.seat, message->refusal.card, message->refusal.amount,
              message->refusal.rule != NULL ? message->refusal.rule : "", message->bond.table,
              message->bond.version, message->bond.decision, message->bond.on, message->text);
    for (size_t i = 0; i < message->control_count; i++) {
        const struct chat_control *const control = &message->controls[i];
        pair_note(told, "  [%s] %s%s%s %u %u %u %u %u\n", control->label, control->line,
                  control->leads, control->opens, control->kind, control->tone, control->form,
                  control->min, control->max);
        for (size_t j = 0; j < control->choice_count; j++) {
            const struct chat_choice *const choice = &control->choices[j];
            pair_note(told, "    [%s] %s %s%s\n", choice->label, choice->hint, choice->line,
                      choice->leads);
        }
    }
}

void pair_hear(struct pair *pair, unsigned side)
{
    struct chat *const chats[2] = {pair->side[side].chat, pair->side[side].other};
    for (unsigned i = 0; i < 2; i++) {
        while (pair->told[side].seen[i] < fake_count(chats[i])) {
            const struct fake_message *const message =
                fake_message(chats[i], pair->told[side].seen[i]++);
            if (strcmp(message->person, PAIR_NAMES[pair->secret]) != 0) {
                tell_message(&pair->told[side], message);
            }
            if (pair->through[side] != NULL && i == 0 &&
                through_tell(pair->through[side], message)) {
                pair->told[side].shown = true;
            }
        }
    }
}

void pair_hear_offers(struct pair *pair, const char *person, const char *line)
{
    static struct complete_list list;
    const struct chat_in in = {.place = PAIR_PLACE, .person = person, .line = line};
    for (unsigned side = 0; side < 2; side++) {
        struct chat *const chat = pair->side[side].chat;
        list.count = 0;
        list.overflow = false;
        chat->sink.complete(chat->sink.user, chat, &in, strlen(line), &list);
        pair_note(&pair->told[side], "%s, typing \"%s\": %u offers%s\n", person, line, list.count,
                  list.overflow ? " and more" : "");
        for (unsigned i = 0; i < list.count; i++) {
            pair_note(&pair->told[side], "  %s %d\n", list.items[i].text,
                      list.items[i].goes_on ? 1 : 0);
        }
    }
}

// What the table itself says is due counts from its last commit: a secret one is later.
static void tell_due(struct pair *pair, unsigned side)
{
    struct pair_told *const told = &pair->told[side];
    pair_note(told, "now %lld", (long long)told->now_ms);
    if (pair->kind != &PAIR_LOOK) { // a line makes the hall look up who has said it
        pair_note(told, ", next %lld", (long long)hall_due_ms(pair->side[side].hall));
    }
    const struct table *const table = pair_table(pair, side);
    if (table != NULL && pair->kind->acts) {
        const struct table_due due = table_due(table);
        pair_note(told, "; state %d, due %d in %lld, clock %u has %lld", (int)table_state(table),
                  (int)due.kind, (long long)due.ms, due.clock, (long long)due.clock_ms);
    }
    pair_note(told, "\n");
}

void pair_differs(struct pair *pair, const char *what, const char *a, const char *b)
{
    if (!pair->differs) {
        (void)printf("%s pair %lu, step %u: %s:\n--- \"%.*s\"\n--- \"%.*s\"\n", pair->kind->name,
                     (unsigned long)pair->number, pair->steps, what, SHOWN, a, SHOWN, b);
    }
    pair->differs = true;
}

void pair_forget(struct pair *pair)
{
    for (unsigned side = 0; side < 2; side++) {
        pair->told[side].length = 0;
        pair->told[side].shown = false;
    }
}

static enum pair_moment moment_of(const struct pair *pair)
{
    const struct table *const table = pair_table(pair, 0);
    const enum table_state state = table != NULL ? table_state(table) : TABLE_OVER;
    if (state == TABLE_LOBBY || state == TABLE_OVER) {
        return state == TABLE_LOBBY ? PAIR_LOBBY : PAIR_END;
    }
    const unsigned clock = table_due(table).clock;
    if (clock == CLOCK_DECISION || clock == CLOCK_ASK) {
        return PAIR_QUESTION;
    }
    return query_main(table_game(table)) < PAIR_PEOPLE ? PAIR_FIGHT : PAIR_TURN;
}

void pair_compare(struct pair *pair)
{
    tell_due(pair, 0);
    tell_due(pair, 1);
    const char *const a = pair->told[0].text;
    const char *const b = pair->told[1].text;
    if (strcmp(a, b) != 0) {
        size_t at = 0;
        while (a[at] == b[at]) {
            at++;
        }
        at = at > BEFORE ? at - BEFORE : 0;
        pair_differs(pair, "others are told", a + at, b + at);
    }
    if (pair->told[0].shown && pair->swap.count > 0) {
        pair->moments[moment_of(pair)]++;
    }
    pair_forget(pair);
}
