// Answers to a line for which nothing is committed: refusals, looks, pages of a panel (in the place
// of the message that was pressed, if it was the presser's own), what is said to presses that come
// too late. Each says by which message it answers. What a chat cannot show is cut, or said in
// parts.
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/out/out.h"
#include "bot/parse/verb.h"

static enum text_id why(enum chat_kind kind)
{
    switch (kind) {
    case CHAT_NARRATION:
        return TEXT_HALL_EARLIER;
    case CHAT_CARD:
        return TEXT_HALL_MORE_CARD;
    case CHAT_HAND:
        return TEXT_HALL_MORE_HAND;
    case CHAT_WHISPER:
    case CHAT_ROOM:
    case CHAT_REPLY:
    case CHAT_FORGET:
    case CHAT_SEEK:
        break;
    }
    return TEXT_HALL_MORE;
}

char *hall_cut(const struct chat *chat, enum chat_kind kind, const char *text)
{
    const size_t max = chat != NULL ? chat_text_max(chat, kind) : 0;
    if (max == 0 || strlen(text) <= max) {
        return NULL;
    }
    char *const out = mb_new(max + 1, 1);
    (void)text_cut(text, max, kind == CHAT_NARRATION ? TEXT_TAIL : TEXT_HEAD,
                   text_sentence(why(kind)), out);
    return out;
}

char *hall_cut_story(const struct chat_out *words, const char *told)
{
    enum { LEAST = 3 }; // of the story, whatever else there is
    const size_t room = text_phone_room(words->prompt != NULL ? words->prompt : "", words->text);
    return words->story != NULL ? story_fit(words->story, told, room > LEAST ? room : LEAST) : NULL;
}

static void post_one(struct hall *hall, struct chat *chat, const struct chat_out *out)
{
    struct chat_out numbered = *out;
    struct mb_error err = {0};
    numbered.key = hall_number(hall);
    if (chat_send(chat, &numbered, &err)) {
        hall->stats.sent++;
    } else {
        hall->stats.undeliverable++;
    }
}

void hall_post_loose(struct hall *hall, struct chat *chat, const struct chat_out *out)
{
    const size_t max = chat_text_max(chat, out->kind);
    if (max == 0 || strlen(out->text) <= max) {
        post_one(hall, chat, out);
        return;
    }
    char *const page = mb_new(max + 1, 1);
    struct chat_out part = *out;
    part.text = page;
    for (const char *at = out->text; *at != '\0';) {
        at += text_page(at, max, page);
        post_one(hall, chat, &part);
    }
    free(page);
}

const char *hall_sentence(char text[HALL_SENTENCE_SIZE], enum text_id id,
                          const struct text_arg *args)
{
    struct text_out out;
    text_begin(&out, text, HALL_SENTENCE_SIZE);
    text_line(&out, id, args);
    return text;
}

// A refused game command may name what is in a hand; whom there is no table for has none.
bool hall_answer_is_open(const struct hall_line *line, const struct refusal *refusal)
{
    const unsigned code = refusal != NULL ? refusal->code : (unsigned)REFUSAL_NONE;
    const struct verb_entry *const entry = verb_of_line(line->words);
    if (line->in->pressed != 0) {
        return false;
    }
    if (code == REFUSAL_UNKNOWN_COMMAND || code == REFUSAL_NO_TABLE ||
        code == REFUSAL_NOT_AT_TABLE || line->outside) {
        return true;
    }
    return entry != NULL && entry->open && (code == REFUSAL_NONE || entry->kind != REQUEST_GAME);
}

static struct chat_out answer_to(const struct hall_line *line, const char *text)
{
    const struct chat_in *const in = line->in;
    struct chat_out out = {.kind = CHAT_REPLY,
                           .place = in->place,
                           .person = in->person,
                           .home = line->home[0] != '\0' ? line->home : NULL,
                           .cause = in->person,
                           .live = line->sits_at[0] != '\0',
                           .event = in->event[0] != '\0' ? in->event : NULL,
                           .answer = in->answer[0] != '\0' ? in->answer : NULL,
                           .text = text};
    memcpy(out.bond.table, line->sits_at, sizeof out.bond.table);
    return out;
}

void hall_answer_text(struct hall *hall, const struct hall_line *line, const char *text,
                      const struct refusal *refusal)
{
    struct chat_out out = answer_to(line, text);
    out.refusal = refusal != NULL && refusal->code != REFUSAL_NONE ? refusal : NULL;
    out.open = hall_answer_is_open(line, refusal);
    hall_post_loose(hall, hall->chats[line->chat], &out);
}

bool hall_has_panels(const struct hall *hall, const struct hall_line *line)
{
    return (chat_caps(hall->chats[line->chat]) & CHAT_CAP_BUTTONS) != 0;
}

bool hall_panel(struct hall *hall, const struct hall_table *live, bool will,
                const struct hall_line *line, const char *on_top, struct hall_page *out)
{
    const struct chat_in *const in = line->in;
    const struct person person = hall_speaker(hall, line);
    struct table *const table = will ? live->step->outcome.after : live->table;
    const uint64_t stamp = will ? live->step->outcome.stamp : live->stamp;
    const unsigned seat = table_seat_of(table, &person);
    const struct table_page page = {.seat = seat,
                                    .path = line->leads[0] != '\0' ? line->leads : "a",
                                    .on_top = on_top,
                                    .late_ms = will ? 0 : hall_passed_ms(hall, live)};
    out->said = (struct message_list){.items = NULL};
    if (!table_panel(hall->workspace, table, stamp, &page, &out->said)) {
        return false;
    }
    const struct message *const message = &out->said.items[out->said.count - 1];
    const bool hand = line->own && in->bond.on == CHAT_ON_HAND && seat != NO_SEAT;
    out->words = (struct hall_message){
        .network = person.network,
        .beside = (uint8_t)(hand ? HALL_BOARD_HAND + seat : 0),
        .out = {.kind = CHAT_REPLY,
                .place = in->direct && seat != NO_SEAT ? hall_place_of(table, &person) : in->place,
                .person = in->person,
                .event = in->event,
                .answer = in->answer,
                .text = message->text,
                .controls = message->controls,
                .control_count = message->control_count,
                .path = message->path,
                .anew = line->own,
                .bond = {.on = CHAT_ON_PANEL,
                         .version = message->version,
                         .decision = message->decision}}};
    memcpy(out->words.out.bond.table, table_id(table), sizeof out->words.out.bond.table);
    return true;
}

void hall_answer_panel(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                       const char *on_top, const struct refusal *refusal)
{
    struct hall_page page;
    if (hall_panel(hall, table, false, line, on_top, &page)) {
        struct chat_out *const words = &page.words.out;
        char *const cut = hall_cut(hall->chats[line->chat], CHAT_REPLY, words->text);
        words->text = cut != NULL ? mb_pool_text(message_words(&page.said), cut) : words->text;
        page.words.loose = true;
        page.words.heard_ms = line->heard_ms;
        words->key = hall_number(hall);
        words->refusal = refusal != NULL && refusal->code != REFUSAL_NONE ? refusal : NULL;
        hall_post(hall, table, hall_message_make(page.said.said, &page.words));
        free(cut);
    } else {
        hall_answer_text(hall, line, on_top, refusal);
    }
    message_list_finish(&page.said);
}

void hall_answer_alone(struct hall *hall, const struct hall_line *line, const char *text)
{
    const struct chat_out out = answer_to(line, text);
    hall_post_loose(hall, hall->chats[line->chat], &out);
}

void hall_answer(struct hall *hall, const struct hall_line *line, enum text_id id,
                 const struct text_arg *args)
{
    char text[HALL_SENTENCE_SIZE];
    hall_answer_text(hall, line, hall_sentence(text, id, args), NULL);
}

void hall_answer_last(struct hall *hall, const struct hall_line *line, enum text_id id)
{
    char text[HALL_SENTENCE_SIZE];
    const struct chat_in *const in = line->in;
    struct chat_out out = answer_to(line, hall_sentence(text, id, NULL));
    out.anew = hall_has_panels(hall, line) && in->answer[0] != '\0' &&
               (in->bond.on == CHAT_ON_HAND || in->bond.on == CHAT_ON_PANEL);
    out.open = hall_answer_is_open(line, NULL);
    hall_post_loose(hall, hall->chats[line->chat], &out);
}

void hall_answer_dropped(struct hall *hall, const struct hall_line *line)
{
    if (line->in->answer[0] != '\0') {
        hall_answer(hall, line, TEXT_HALL_DROPPED, NULL);
    }
}

void hall_answer_aloud(struct hall *hall, const struct hall_line *line, enum text_id id)
{
    char text[HALL_SENTENCE_SIZE];
    const struct chat_out out = {.kind = CHAT_NARRATION,
                                 .place = line->in->place,
                                 .cause = line->in->person,
                                 .text = hall_sentence(text, id, NULL)};
    hall_post_loose(hall, hall->chats[line->chat], &out);
}

/* Answers that show how things stand. */

void hall_answer_card(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      unsigned site, const char *text)
{
    struct message_list said = {.items = NULL};
    struct chat_out out = answer_to(line, text);
    if (table_show_again(hall->workspace, table->table, table->stamp, MESSAGE_CARD, site, &said) &&
        said.count > 0) {
        out.bond = (struct chat_bond){.on = CHAT_ON_CARD,
                                      .version = said.items[0].version,
                                      .decision = said.items[0].decision};
        memcpy(out.bond.table, table_id(table->table), sizeof out.bond.table);
        out.controls = said.items[0].controls;
        out.control_count = said.items[0].control_count;
    }
    hall_post_loose(hall, hall->chats[line->chat], &out);
    message_list_finish(&said);
}

// Their hand as it stands, to be freed; NULL: there is none.
static struct hall_message *own_hand(struct hall *hall, struct hall_table *table,
                                     const struct hall_line *line)
{
    const struct person person = hall_speaker(hall, line);
    const unsigned seat = table_seat_of(table->table, &person);
    struct hall_message *const whose =
        seat != NO_SEAT ? hall_board(table->table, (uint8_t)(HALL_BOARD_HAND + seat)) : NULL;
    struct hall_message *hand = NULL;
    if (whose != NULL) {
        (void)hall_board_again(hall, table, whose, &hand);
        hall_message_free(whose);
    }
    return hand;
}

void hall_answer_hand(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const char *text, const struct refusal *refusal)
{
    struct hall_message *const hand = own_hand(hall, table, line);
    if (hand == NULL) {
        hall_answer_text(hall, line, text, refusal);
        return;
    }
    const size_t size = strlen(text) + 1 + strlen(hand->out.text) + 1;
    char *const both = mb_pool_new(&hand->said->words, size, 1);
    struct text_out out;
    struct hall_message words = *hand;
    text_begin(&out, both, size);
    text_raw(&out, text);
    text_raw(&out, "\n");
    text_raw(&out, hand->out.text);
    words.beside = hand->board;
    words.board = 0;
    words.made = false;
    words.loose = true;
    words.heard_ms = line->heard_ms;
    words.out.kind = CHAT_REPLY;
    words.out.key = hall_number(hall);
    words.out.event = line->in->event;
    words.out.answer = line->in->answer;
    words.out.text = both;
    words.out.refusal = refusal != NULL && refusal->code != REFUSAL_NONE ? refusal : NULL;
    hall_post(hall, table, hall_message_make(hand->said, &words));
    hall_message_free(hand);
}

// Their hand as it stands, with its numbers; `text`: else.
static void show_hand(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const char *text)
{
    struct hall_message *const hand = own_hand(hall, table, line);
    struct chat_out out = answer_to(line, hand != NULL ? hand->out.text : text);
    if (hand != NULL) {
        out.bond = hand->out.bond;
        out.controls = hand->out.controls;
        out.control_count = hand->out.control_count;
    }
    hall_post_loose(hall, hall->chats[line->chat], &out);
    if (hand != NULL) {
        hall_message_free(hand);
    }
}

void hall_say_replies(struct hall *hall, struct hall_table *table, const struct hall_line *line,
                      const struct message_list *said)
{
    const bool hand = line->in->pressed != 0 && line->in->bond.on == CHAT_ON_HAND;
    // Where numbers say lines, the hand that is asked for is the one to play from.
    const bool numbers =
        line->kind == REQUEST_HAND && (chat_caps(hall->chats[line->chat]) & CHAT_CAP_NUMBERS) != 0;
    bool answered = false;
    for (size_t i = 0; i < said->count; i++) {
        const struct message *const message = &said->items[i];
        if (message->to != MESSAGE_REPLY) {
            continue;
        }
        if (table != NULL && line->own) {
            hall_answer_panel(hall, table, line, message->text, &message->refusal);
        } else if (table != NULL && hand && message->refusal.code != REFUSAL_NONE) {
            hall_answer_hand(hall, table, line, message->text, &message->refusal);
        } else if (table != NULL && numbers && message->refusal.code == REFUSAL_NONE) {
            show_hand(hall, table, line, message->text);
        } else {
            hall_answer_text(hall, line, message->text, &message->refusal);
        }
        answered = true;
    }
    if (!answered && table != NULL && line->own) {
        hall_answer_panel(hall, table, line, text_sentence(TEXT_HALL_NOTHING), NULL);
    } else if (!answered && line->in->answer[0] != '\0') {
        hall_answer(hall, line, TEXT_HALL_NOTHING, NULL);
    }
}
