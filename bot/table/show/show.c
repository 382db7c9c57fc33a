// The end of a step: what was said becomes one narration, what only one learnt goes on top of their
// hand message; then the boards. Everything shown comes from its reader's own view.
#include "bot/table/show/show.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

enum { NARRATION_MAX = 12288 };

// `controls` NULL: none.
void table_add_board(struct table_work *work, enum message_to to, unsigned seat,
                     const struct control_list *controls)
{
    message_add(work->said, to, seat, work->ws->text);
    if (controls != NULL) {
        message_control(work->said, controls->items, controls->count);
    }
}

void table_whisper(struct table_work *work, unsigned seat, const char *text)
{
    if (text[0] != '\0') {
        message_add(work->said, MESSAGE_WHISPER, seat, text);
    }
}

/* What was said. */

// Appends to a seat's news; what finds no room any more goes out by itself, the oldest first.
static void add_news(struct table_work *work, unsigned seat, const char *text)
{
    struct table_seat *const who = &work->table->seats[seat];
    const size_t length = strlen(text);
    const size_t used = strlen(who->news);
    if (used + length < sizeof who->news) {
        memcpy(who->news + used, text, length + 1);
        return;
    }
    table_whisper(work, seat, who->news);
    memset(who->news, 0, sizeof who->news);
    if (length < sizeof who->news) {
        memcpy(who->news, text, length + 1);
    } else {
        table_whisper(work, seat, text);
    }
}

// Cuts lines off the front, and says so.
static void shorten(struct message_list *said, struct message *message)
{
    if (strlen(message->text) <= NARRATION_MAX) {
        return;
    }
    char *const text = mb_pool_new(message_words(said), NARRATION_MAX + 1, 1);
    (void)text_cut(message->text, NARRATION_MAX, TEXT_TAIL, text_sentence(TEXT_HALL_EARLIER), text);
    message->text = text;
}

// What is private to a seat goes into its news, and out of the list.
static void take_news(struct table_work *work)
{
    struct message_list *const said = work->said;
    const size_t count = said->count;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct message message = said->items[i];
        const bool seated = message.seat < work->table->seat_count &&
                            table_seat_is_person(&work->table->seats[message.seat]);
        if (message.to != MESSAGE_PRIVATE) {
            said->items[kept++] = message;
            continue;
        }
        if (seated) {
            add_news(work, message.seat, message.text);
        }
    }
    for (size_t i = count; i < said->count; i++) { // whispers of what found no room
        said->items[kept++] = said->items[i];
    }
    said->count = kept;
}

void table_show(struct table_workspace *workspace, struct table_outcome *outcome)
{
    struct table_work work = {.table = outcome->after,
                              .game = table_own_game(outcome->after),
                              .ws = workspace,
                              .outcome = outcome,
                              .said = &outcome->said,
                              .stamp = outcome->stamp};
    if (!table_find_box(&work, NULL)) {
        table_outcome_fail(outcome);
        return;
    }
    work.running = table_running_clock(work.table);
    message_list_gather(&outcome->said);
    take_news(&work);
    for (size_t i = 0; i < outcome->said.count; i++) {
        struct message *const message = &outcome->said.items[i];
        if (message->to == MESSAGE_TABLE) {
            shorten(&outcome->said, message);
        }
    }
    table_rooms_call(&work);
    table_show_links(&work); // before the card, which takes over what it edits
    table_show_cards(&work);
    table_show_hands(&work);
}

/* Again. */

bool table_show_again(struct table_workspace *workspace, struct table *table, uint64_t stamp,
                      enum message_to board, unsigned at, struct message_list *said)
{
    struct table_outcome outcome = {.after = table, .stamp = stamp};
    struct table_work work = {.table = table,
                              .game = table_own_game(table),
                              .ws = workspace,
                              .outcome = &outcome,
                              .said = said,
                              .stamp = stamp};
    if (!table_find_box(&work, NULL)) {
        return false;
    }
    work.running = table_running_clock(table);
    if (board == MESSAGE_CARD) {
        table_card_again(&work, at);
    } else if (board == MESSAGE_LINK) {
        table_link_again(&work, at);
    } else {
        table_hand_again(&work, at);
    }
    return true;
}
