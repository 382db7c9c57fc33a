// What is said: from whom, where it goes, and whether it is listened to at all.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/codec/memory.h"

#include "bot/hall/in/in.h"
#include "bot/parse/parse.h"

// The empty table answers: help, rules, or that there is no table.
void hall_answer_nowhere(struct hall *hall, struct hall_line *line)
{
    const struct person person = hall_speaker(hall, line);
    const struct deed deed = {.kind = DEED_LINE, .person = person, .line = line->words};
    line->outside = !line->in->direct;
    (void)table_decide(hall->nowhere, 0, &deed, hall->workspace, &hall->aside);
    if (hall->aside.forget_me) {
        hall_forget_begin(hall, line);
    } else {
        hall_say_replies(hall, NULL, line, &hall->aside.said);
    }
}

/* In private. */

// "at", and nothing more.
static bool asks_which(const char *line)
{
    const char *const word = line + strspn(line, " ");
    return strncasecmp(word, "at", 2) == 0 && word[2 + strspn(word + 2, " ")] == '\0';
}

// Whether a line names a table of its speaker's, or asks for them, where that is answered to them
// alone.
static bool is_at(const struct chat_in *in)
{
    const char *rest = NULL;
    return in->answer[0] != '\0' && in->pressed == 0 && in->bond.table[0] == '\0' &&
           (asks_which(in->line) || hall_at_number(in->line, &rest) > 0);
}

// The table that is meant: the one it names, the one chosen, or the only one; NULL: none.
static const struct store_sitting *sitting_meant(const struct store_answer *sits, unsigned number)
{
    if (number > 0) {
        return number <= sits->count ? &sits->sittings[number - 1] : NULL;
    }
    for (size_t i = 0; i < sits->count; i++) {
        if (sits->sittings[i].chosen || sits->count == 1) {
            return &sits->sittings[i];
        }
    }
    return NULL;
}

static void direct_line(struct hall *hall, struct hall_line *line, const struct store_answer *sits)
{
    const char *rest = line->words;
    const unsigned number = hall_at_number(line->words, &rest);
    if (number > 0) {
        hall_line_set_words(hall, line, rest);
    }
    const bool which = asks_which(line->words);
    const struct store_sitting *const sitting = which ? NULL : sitting_meant(sits, number);
    if (sitting != NULL) {
        line->chooses = number > 0 && line->words[0] == '\0';
        hall_enqueue(hall, hall_table_of(hall, sitting->table), line);
        return;
    }
    const enum request_kind kind = line->kind;
    if (sits->count == 0 && kind == REQUEST_NEW) {
        hall_answer(hall, line, TEXT_HALL_NEW_IN_PRIVATE, NULL);
    } else if (sits->count == 0 || (number == 0 && !which &&
                                    (kind == REQUEST_HELP || kind == REQUEST_RULES ||
                                     kind == REQUEST_PRIVACY || kind == REQUEST_FORGET_ME))) {
        hall_answer_nowhere(hall, line);
    } else {
        hall_tour_begin(hall, line, sits, NULL);
        return;
    }
    hall_line_end(hall, line);
}

void hall_direct_ask(struct hall *hall, uint32_t index)
{
    struct hall_person *const person = hall->people[index];
    const struct hall_line *const line = person->lines.first;
    if (line == NULL || hall->epoch == 0) {
        return;
    }
    const struct store_request request = {.kind = STORE_PERSON,
                                          .network = chat_name(hall->chats[line->chat]),
                                          .person = line->in->person};
    const struct hall_ask ask = {.of = HALL_ASK_PERSON, .index = index};
    const bool asked = hall_ask(hall, &request, ask, &person->ticket);
    person->ask_ms = hall->now_ms + (asked ? HALL_ANSWER_MS : HALL_STORE_RETRY_MS);
    hall->direct_ms =
        hall->direct_ms < 0 || person->ask_ms < hall->direct_ms ? person->ask_ms : hall->direct_ms;
}

void hall_direct(struct hall *hall, uint32_t index, const struct store_answer *sittings)
{
    struct hall_person *const person = hall->people[index];
    if (sittings->result == STORE_FAILED) {
        person->ask_ms = hall->now_ms + HALL_STORE_RETRY_MS;
        hall->direct_ms = hall->direct_ms < 0 || person->ask_ms < hall->direct_ms ? person->ask_ms
                                                                                  : hall->direct_ms;
        return;
    }
    person->ask_ms = STORE_NEVER;
    struct hall_line *const line = hall_lines_take(&person->lines);
    if (line != NULL && (line->resumes || line->strays || !chat_in_is_said(line->in->kind))) {
        hall_place_sittings(hall, line, sittings);
    } else if (line != NULL) {
        direct_line(hall, line, sittings);
    }
    hall_direct_ask(hall, index);
}

void hall_wait_for_sittings(struct hall *hall, uint32_t index, struct hall_line *line)
{
    struct hall_person *const person = hall->people[index];
    if (chat_in_is_said(line->in->kind) && person->lines.count >= HALL_LINES_MAX) {
        hall_enqueue(hall, NULL, line);
        return;
    }
    hall_lines_add(&person->lines, line);
    if (person->lines.count == 1) {
        hall_direct_ask(hall, index);
    }
}

// The seat of whoever has that id in a network; NO_SEAT.
static unsigned seat_of_id(const struct table *table, const char *network, const char *word,
                           size_t length)
{
    char id[CHAT_ID_SIZE];
    if (length >= sizeof id) {
        return NO_SEAT;
    }
    memcpy(id, word, length);
    id[length] = '\0';
    const struct person person = {.network = network, .id = id};
    return table_seat_of(table, &person);
}

void hall_name_seats(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    const char *const network = chat_name(hall->chats[line->chat]);
    char words[CHAT_LINE_SIZE];
    size_t length = 0;
    bool named = false;
    for (const char *at = line->words; *at != '\0' && length + 1 < sizeof words;) {
        const bool begins = at == line->words || strchr(" ,", at[-1]) != NULL;
        const size_t word = begins && *at == '@' ? strcspn(at, " ,") : 0;
        const unsigned seat = word > 0 ? seat_of_id(table->table, network, at, word) : NO_SEAT;
        if (seat != NO_SEAT && length + sizeof "#10" < sizeof words) {
            length += (size_t)snprintf(words + length, sizeof words - length, "#%u", seat + 1);
            at += word;
            named = true;
        } else {
            words[length++] = *at++;
        }
    }
    words[length] = '\0';
    if (named) {
        memcpy(line->pressed, words, length + 1);
        hall_line_set_words(hall, line, line->pressed);
    }
}

/* From a chat. */

static bool names_any(const char *list, const char *const *places)
{
    for (; list != NULL && *places != NULL; places++) {
        if (chat_list_names(list, *places)) {
            return true;
        }
    }
    return false;
}

// Why the operator's lists keep a line from being heard.
static bool lists_bar(const struct hall *hall, const struct hall_line *line,
                      const char *const *places, enum text_id *why)
{
    const char *const person = line->in->person;
    for (size_t i = 0; i < sizeof hall->policy->lists / sizeof hall->policy->lists[0]; i++) {
        const struct hall_lists *const lists = &hall->policy->lists[i];
        if (lists->network == NULL ||
            strcmp(lists->network, chat_name(hall->chats[line->chat])) != 0) {
            continue;
        }
        const bool allowed = lists->allow == NULL || *places == NULL ||
                             names_any(lists->allow, places) ||
                             chat_list_names(lists->allow, person);
        const bool blocked = chat_list_names(lists->block, person);
        *why = blocked ? TEXT_HALL_BARRED_PERSON : TEXT_HALL_BARRED_HERE;
        return blocked || !allowed || names_any(lists->block, places);
    }
    return false;
}

// They are told so once an hour; what has to be answered is answered each time.
bool hall_barred(struct hall *hall, const struct hall_line *line, const char *const *places)
{
    static const struct rate_rule HOURLY = {.burst = 1, .refill_ms = (int32_t)HALL_HOUR_MS};
    const uint32_t index = hall_person_of(hall, chat_name(hall->chats[line->chat]), line->in);
    enum text_id why = TEXT_HALL_BARRED_HERE;
    if (!lists_bar(hall, line, places, &why)) {
        return false;
    }
    hall->stats.barred++;
    if (line->in->answer[0] != '\0' ||
        (index != KEYED_NONE &&
         rate_take(&hall->people[index]->barred, &HOURLY, hall->now_ms) == RATE_TAKEN)) {
        hall_answer(hall, line, why, NULL);
    }
    return true;
}

// In private a line is for a table somewhere, whose places are looked at there.
static bool barred_there(struct hall *hall, const struct hall_line *line)
{
    const struct chat_in *const in = line->in;
    const char *const there[] = {in->community, in->place, in->above, NULL};
    return hall_barred(hall, line, in->direct ? &there[3] : there);
}

static bool listened_to(struct hall *hall, uint32_t index, struct hall_line *line)
{
    static const struct rate_rule USUAL = {.burst = HALL_PERSON_BURST,
                                           .refill_ms = HALL_PERSON_REFILL_MS};
    const struct rate_rule *const said = &hall->policy->person;
    const struct chat_in *const in = line->in;
    struct hall_person *const person = index != KEYED_NONE ? hall->people[index] : NULL;
    if (person == NULL || in->place[0] == '\0' || in->person[0] == '\0') {
        return false;
    }
    if (hall_event_seen(hall, person->events, &person->event_at, HALL_EVENTS_OF_PERSON, line)) {
        hall->stats.repeated++;
        return false;
    }
    return !hall_rationed(hall, line, &person->bucket, said->burst > 0 ? said : &USUAL,
                          TEXT_HALL_TOO_FAST, NULL) &&
           !barred_there(hall, line) && !hall_noise_of_person(hall, person, line);
}

// What nobody says.
static void hear_news(struct hall *hall, unsigned chat, struct chat_in *in)
{
    if (in->kind == CHAT_IN_AWAY || in->kind == CHAT_IN_BACK) {
        hall_away_tell(hall, chat, in);
    } else {
        hall_place_tell(hall, chat, in);
    }
}

bool hall_hear_one(struct hall *hall, unsigned chat)
{
    struct chat_in *const in =
        hall->epoch != 0 ? chat_queue_take(chat_inbox(hall->chats[chat])) : NULL;
    if (in == NULL) {
        return false;
    }
    if (!chat_in_is_said(in->kind)) {
        hear_news(hall, chat, in);
        return true;
    }
    struct hall_line *const line = mb_new(1, sizeof *line);
    hall_away_heard(hall, chat, in);
    if (hall->gone[chat].first != NULL && in->community[0] != '\0') {
        hall_gone_back(hall, chat, in->community);
    }
    *line = (struct hall_line){.in = in, .chat = (uint8_t)chat, .heard_ms = hall->now_ms};
    hall_line_set_words(hall, line, in->line);
    const char *const network = chat_name(hall->chats[chat]);
    const uint32_t person = hall_person_of(hall, network, in);
    if (!listened_to(hall, person, line)) {
        hall_line_end(hall, line);
        return true;
    }
    hall->stats.heard++;
    if (in->bond.table[0] != '\0') {
        hall_enqueue(hall, hall_table_of(hall, in->bond.table), line);
    } else if (in->direct || is_at(in)) {
        hall_wait_for_sittings(hall, person, line);
    } else {
        hall_enqueue(hall, hall_table_there(hall, network, in->place), line);
    }
    return true;
}

// What bears no answer is left unsettled: its platform tells it again to whoever comes next.
void hall_dismiss(struct hall *hall)
{
    for (unsigned i = 0; i < hall->chat_count; i++) {
        struct chat_queue *const inbox = chat_inbox(hall->chats[i]);
        for (struct chat_in *in = chat_queue_take(inbox); in != NULL; in = chat_queue_take(inbox)) {
            const struct hall_line line = {.in = in, .words = in->line, .chat = (uint8_t)i};
            if (in->answer[0] != '\0') {
                hall_answer(hall, &line, TEXT_HALL_STOPPING, NULL);
                chat_settle(hall->chats[i], in);
            }
        }
    }
}
