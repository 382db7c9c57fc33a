// What is said: from whom, for which table, and whether it is listened to at all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "bot/hall/hall_impl.h"
#include "bot/parse/parse.h"

enum { SECOND_MS = 1000, AT_DIGITS_MAX = 2 };

// A line as the session without a table reads it: for what needs no table, and for `new`.
static enum request_kind kind_of_line(struct hall *hall, const char *line)
{
    struct table_words words;
    struct request request = {0};
    struct parse_error error = {0};
    session_words(hall->nowhere, NO_SEAT, &words);
    return parse_request(&words, line, &request, &error) ? request.kind : REQUEST_GAME;
}

// Tokens are taken from the person and from the table; what there are none for is dropped, and that
// is said once.
static bool rationed(struct hall *hall, struct hall_table *table, const struct hearing *hearing)
{
    struct hall_person *const person = hall_person(hall, hearing->person);
    const enum rate_result own = rate_take(&person->bucket, &hall->person_rule, hall->now_ms);
    const enum rate_result here = own == RATE_TAKEN && table != NULL
                                      ? rate_take(&table->bucket, &hall->place_rule, hall->now_ms)
                                      : RATE_TAKEN;
    if (own == RATE_TELL) {
        const int64_t wait = rate_open_ms(&person->bucket, &hall->person_rule) - hall->now_ms;
        hall_answer(hall, hearing, TEXT_HALL_TOO_FAST,
                    TEXT_ARGS(text_str("who", person->name),
                              text_num("n", (long)((wait + SECOND_MS - 1) / SECOND_MS))));
    }
    if (here == RATE_TELL) {
        const int64_t wait = rate_open_ms(&table->bucket, &hall->place_rule) - hall->now_ms;
        hall_say(hall, table, TEXT_HALL_TOO_FAST_HERE,
                 TEXT_ARGS(text_num("n", (long)((wait + SECOND_MS - 1) / SECOND_MS))));
        hall_speak(hall, table);
    }
    hall->stats.rationed += own != RATE_TAKEN || here != RATE_TAKEN ? 1 : 0;
    return own != RATE_TAKEN || here != RATE_TAKEN;
}

// The session that has no table answers: help, rules, or that there is no table.
static void answer_nowhere(struct hall *hall, const struct hearing *hearing, const char *line)
{
    struct message_list *const outbox = session_outbox(hall->nowhere);
    (void)session_person_line(hall->nowhere, hall_person(hall, hearing->person)->name, line, NULL);
    for (size_t i = 0; i < outbox->count; i++) {
        hall_answer_text(hall, hearing, outbox->items[i].text, &outbox->items[i].refusal);
    }
    message_list_clear(outbox);
}

// Whether a stranger's line is refused because they sit at too many tables.
static bool sits_too_much(struct hall *hall, const struct hearing *hearing, const char *line)
{
    const struct hall_person *const person = hall_person(hall, hearing->person);
    if (person->table_count < HALL_TABLES_OF_PERSON) {
        return false;
    }
    const enum request_kind kind = kind_of_line(hall, line);
    if (kind != REQUEST_NEW && kind != REQUEST_JOIN) {
        return false;
    }
    hall_answer(hall, hearing, TEXT_HALL_TABLES_MANY,
                TEXT_ARGS(text_num("n", person->table_count)));
    return true;
}

static void line_at_table(struct hall *hall, struct hall_table *table, const struct hearing *heard,
                          const char *line)
{
    char name[PERSON_NAME_SIZE];
    struct hearing at_table = *heard;
    at_table.table = table;
    at_table.name = name;
    const struct hearing *const hearing = &at_table;
    const struct hall_guest *const guest = hall_guest_of(table, hearing->person);
    if ((guest == NULL || !guest->sits) && sits_too_much(hall, hearing, line)) {
        return;
    }
    const enum session_state before = session_state(table->session);
    hall_catch_up(hall, table);
    table->heard_ms = hall->now_ms;
    hall_name_at(hall, table, hearing->person, name);
    table->speaker = hearing->person;
    (void)snprintf(table->speaker_name, sizeof table->speaker_name, "%s", name);
    if (hearing->in->moderator && !hearing->in->direct) {
        (void)session_moderator_line(table->session, name, line, NULL);
    } else {
        (void)session_person_line(table->session, name, line, NULL);
    }
    table->speaker_name[0] = '\0';
    const bool closed = before == SESSION_EMPTY || before == SESSION_OVER;
    if (closed && session_state(table->session) == SESSION_LOBBY) {
        hall_table_begin(hall, table);
    }
    hall_collect(hall, table, hearing);
    hall_guests_update(hall, table, hearing->person, name);
    hall_speak(hall, table);
    if (session_state(table->session) == SESSION_EMPTY) {
        hall_table_drop(hall, table);
    } else {
        hall_schedule(hall, table);
    }
}

static void line_without_table(struct hall *hall, const struct hearing *hearing)
{
    const struct chat_in *const in = hearing->in;
    if (kind_of_line(hall, in->line) != REQUEST_NEW) {
        answer_nowhere(hall, hearing, in->line);
        return;
    }
    if (in->direct) {
        hall_answer(hall, hearing, TEXT_HALL_NEW_IN_PRIVATE, NULL);
        return;
    }
    if ((chat_caps(hall->chats[hearing->chat]) & CHAT_CAP_PRIVATE) == 0) {
        const struct chat_out out = {.kind = CHAT_NARRATION,
                                     .place = in->place,
                                     .text = text_sentence(TEXT_HALL_NO_PRIVATE)};
        hall_post_loose(hall, hearing->chat, &out);
        return;
    }
    if (sits_too_much(hall, hearing, in->line)) {
        return;
    }
    struct hall_table *const table = hall_table_make(hall, hearing->chat, in);
    if (table == NULL) {
        hall_answer(hall, hearing, TEXT_HALL_FULL, NULL);
        return;
    }
    (void)hall_event_seen(hall, hall_person(hall, hearing->person), table, in->event);
    line_at_table(hall, table, hearing, in->line);
}

// "at 2 kick": the number of one of the person's tables; `rest` is what is said to it. 0: no "at".
static unsigned at_number(const char *line, const char **rest)
{
    line += strspn(line, " ");
    if (strncasecmp(line, "at ", 3) != 0) {
        return 0;
    }
    line += 3 + strspn(line + 3, " #");
    const size_t digits = strspn(line, "0123456789");
    if (digits == 0 || digits > AT_DIGITS_MAX || (line[digits] != '\0' && line[digits] != ' ')) {
        return 0;
    }
    *rest = line + digits + strspn(line + digits, " ");
    return (unsigned)strtoul(line, NULL, 10);
}

static void list_tables(struct hall *hall, const struct hearing *hearing)
{
    const struct hall_person *const person = hall_person(hall, hearing->person);
    struct text_out out;
    text_begin(&out, hall->text, sizeof hall->text);
    text_line(&out, TEXT_HALL_WHICH_TABLE, TEXT_ARGS(text_num("n", person->table_count)));
    for (unsigned i = 0; i < person->table_count; i++) {
        const struct hall_table *const table = hall->tables[person->tables[i]];
        text_line(&out, TEXT_HALL_TABLE,
                  TEXT_ARGS(text_num("n", (long)i + 1), text_str("what", table->name)));
    }
    hall_answer_text(hall, hearing, hall->text, NULL);
}

// Something said in private: to the table it names, the one chosen, or the only one.
static struct hall_table *table_of_direct(struct hall *hall, const struct hearing *hearing,
                                          const char **line)
{
    struct hall_person *const person = hall_person(hall, hearing->person);
    const unsigned number = at_number(*line, line);
    if (number > 0 && number <= person->table_count) {
        struct hall_table *const table = hall->tables[person->tables[number - 1]];
        if (**line == '\0') {
            person->chosen = table->index;
            hall_answer(hall, hearing, TEXT_HALL_CHOSEN, TEXT_ARGS(text_str("what", table->name)));
            return NULL;
        }
        return table;
    }
    if (number == 0 && person->chosen != KEYED_NONE) {
        return hall->tables[person->chosen];
    }
    if (number == 0 && person->table_count == 1) {
        return hall->tables[person->tables[0]];
    }
    if (person->table_count > 0) {
        const enum request_kind kind = kind_of_line(hall, *line);
        if (number == 0 && (kind == REQUEST_HELP || kind == REQUEST_RULES)) {
            answer_nowhere(hall, hearing, *line);
        } else {
            list_tables(hall, hearing);
        }
        return NULL;
    }
    line_without_table(hall, hearing);
    return NULL;
}

// A control that shows what there is no longer: how things stand, and nothing else.
static void answer_stale(struct hall *hall, struct hall_table *table, const struct hearing *hearing)
{
    hall->stats.stale++;
    hall_answer(hall, hearing, TEXT_HALL_STALE, NULL);
    line_at_table(hall, table, hearing, "status");
}

static void control_pressed(struct hall *hall, const struct hearing *hearing)
{
    const struct chat_bond *const bond = &hearing->in->bond;
    struct hall_table *const table = hall_table_by_id(hall, bond->table);
    if (table == NULL || session_state(table->session) == SESSION_OVER) {
        hall->stats.stale++;
        hall_answer(hall, hearing, TEXT_HALL_ENDED, NULL);
    } else if (hall_bond_is_stale(hall, table, hearing->person, bond)) {
        answer_stale(hall, table, hearing);
    } else {
        line_at_table(hall, table, hearing, hearing->in->line);
    }
}

static void hear(struct hall *hall, unsigned chat, const struct chat_in *in)
{
    const uint32_t person = hall_person_of(hall, chat, in);
    if (person == KEYED_NONE || in->place[0] == '\0' || in->person[0] == '\0') {
        return;
    }
    struct hall_table *const here = in->direct ? NULL : hall_table_at(hall, chat, in->place);
    const struct hearing hearing = {
        .in = in, .chat = (uint8_t)chat, .person = person, .table = here};
    if (hall_event_seen(hall, hall_person(hall, person), here, in->event)) {
        hall->stats.repeated++;
        return;
    }
    if (rationed(hall, here, &hearing)) {
        return;
    }
    hall->stats.heard++;
    const char *line = in->line;
    if (in->bond.table[0] != '\0') {
        control_pressed(hall, &hearing);
    } else if (here != NULL) {
        line_at_table(hall, here, &hearing, line);
    } else if (in->direct) {
        struct hall_table *const table = table_of_direct(hall, &hearing, &line);
        if (table != NULL) {
            line_at_table(hall, table, &hearing, line);
        }
    } else {
        line_without_table(hall, &hearing);
    }
}

void hall_hear(struct hall *hall)
{
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < hall->chat_count; i++) {
            struct chat_in *const in = chat_queue_take(chat_inbox(hall->chats[i]));
            if (in != NULL) {
                more = true;
                hear(hall, i, in);
                chat_settle(hall->chats[i], in);
            }
        }
    }
}
