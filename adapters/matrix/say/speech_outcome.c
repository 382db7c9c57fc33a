#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "adapters/matrix/say/speech_impl.h"

static void note_own(struct speech *speech, const char *id)
{
    free(speech->own[speech->own_next]);
    speech->own[speech->own_next] = mb_text(id);
    speech->own_next = (speech->own_next + 1) % SPEECH_OWN_MAX;
}

// What was posted anew may have stood there already, with an older text: it is edited once.
static void edit_again(struct letter *letter, const char *name)
{
    const char *const room = letter->room;
    letter->replaces = mb_pool_text(&letter->words, name);
    letter->number = ++letter->speech->numbers;
    letter->again = letter->unsure = letter->edits = false;
    letter->tried_ms = letter->looked_ms = -1;
    letter->txn[0] = '\0';
    speech_queue(letter, room);
}

static void end_board(struct letter *board, const struct letter *first, const char *id)
{
    struct speech *const speech = board->speech;
    char name[BOARDS_NAME_SIZE];
    const char *const shown = first->edits ? first->shown : id;
    if (board->kind == CHAT_CARD && board->stays &&
        lobbies_shown(speech->setup.lobbies, board->room, shown, board->turn != 0)) {
        marks_put(speech->marks, board->room, shown);
    }
    if (first->edits) {
        boards_name(speech->boards, board->replaces, name);
        boards_ask(speech->boards, name, &board->asks);
        speech_finish(board, CHAT_DELIVERED, name);
        return;
    }
    (void)boards_posted(speech->boards, board->room, board->replaces, id, board->chapter, name);
    boards_ask(speech->boards, name, &board->asks);
    if (board->unsure) {
        edit_again(board, name);
    } else {
        speech_finish(board, CHAT_DELIVERED, name);
    }
}

// What numbers mean that are said below it.
static void tell_numbers(struct speech *speech, const struct posting *posting, const char *id)
{
    const struct letter *const first = posting->letters[0];
    assert(first != NULL);
    for (size_t i = 0; i < posting->count; i++) {
        const struct letter *const letter = posting->letters[i];
        const struct numbers_hand hand = {.room = letter->room,
                                          .event = id,
                                          .board = first->edits ? first->shown : id,
                                          .bond = letter->bond,
                                          .lines = letter->lines,
                                          .line_count = letter->line_count};
        if (letter->bond.on == CHAT_ON_HAND && letter->person != NULL) {
            numbers_sent(speech->setup.numbers, &hand);
        }
    }
}

// For whoever asks why people wait.
static void log_wait(const struct speech *speech, const struct letter *letter)
{
    static const char *const WHAT[] = {[OUTLET_PROMPT] = "prompt",
                                       [OUTLET_AWAITED] = "awaited-hand",
                                       [OUTLET_REPLY] = "reply",
                                       [OUTLET_TABLE] = "table",
                                       [OUTLET_OTHER] = "hand"};
    char text[64];
    (void)snprintf(text, sizeof text, "%s waited_ms=%lld", WHAT[letter_urgency(letter)],
                   (long long)(speech_now_ms(speech) - letter->since_ms));
    speech->setup.log(speech->setup.log_user, NET_LOG_DEBUG, "said", text);
}

void speech_delivered(struct speech *speech, const struct posting *posting, const char *id)
{
    assert(posting->letters[0] != NULL);
    struct letter first = {.edits = posting->letters[0]->edits};
    memcpy(first.shown, posting->letters[0]->shown, sizeof first.shown);
    note_own(speech, id);
    tell_numbers(speech, posting, id);
    for (size_t i = 0; i < posting->count; i++) {
        log_wait(speech, posting->letters[i]);
        if (posting->letters[i] == posting->board) {
            end_board(posting->board, &first, id);
        } else {
            speech_finish(posting->letters[i], CHAT_DELIVERED, id);
        }
    }
}

void speech_refused(const struct posting *posting, bool forbidden)
{
    for (size_t i = 0; i < posting->count; i++) {
        struct letter *const letter = posting->letters[i];
        speech_finish(letter,
                      !forbidden               ? CHAT_REFUSED
                      : letter->person != NULL ? CHAT_UNREACHABLE
                                               : CHAT_PLACE_GONE,
                      NULL);
    }
}
