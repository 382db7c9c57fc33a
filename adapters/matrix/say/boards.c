#include "adapters/matrix/say/boards.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

struct board {
    struct board *next;
    char *room;
    char event[CHAT_ID_SIZE];  // that shows it now
    char before[CHAT_ID_SIZE]; // that showed it before: it may be named still
    uint32_t chapter;
    unsigned below;
    struct chat_question asks; // of nothing: that is not known, too
};

struct boards {
    struct board *first; // the one used last
    size_t count;
};

struct boards *boards_create(void)
{
    return mb_new(1, sizeof(struct boards));
}

static void board_free(struct board *board)
{
    if (board != NULL) {
        free(board->room);
        free(board);
    }
}

void boards_destroy(struct boards *boards)
{
    while (boards != NULL && boards->first != NULL) {
        struct board *const first = boards->first;
        boards->first = first->next;
        board_free(first);
    }
    free(boards);
}

// The message of a name.
static void boards_event(const char *name, char event[CHAT_ID_SIZE])
{
    (void)snprintf(event, CHAT_ID_SIZE, "%.*s", (int)strcspn(name, " "), name);
}

static uint32_t chapter_of(const char *name)
{
    const char *const blank = strchr(name, ' ');
    return blank != NULL ? (uint32_t)strtoul(blank + 1, NULL, 10) : 0;
}

static struct board *find_board(const struct boards *boards, const char *name)
{
    char event[CHAT_ID_SIZE];
    boards_event(name, event);
    struct board *at = boards->first;
    while (at != NULL && strcmp(at->event, event) != 0 && strcmp(at->before, event) != 0) {
        at = at->next;
    }
    return at;
}

bool boards_knows(const struct boards *boards, const char *name)
{
    return find_board(boards, name) != NULL;
}

void boards_ask(struct boards *boards, const char *name, const struct chat_question *question)
{
    struct board *const board = find_board(boards, name);
    if (board != NULL) {
        board->asks = question != NULL ? *question : (struct chat_question){.what = 0};
    }
}

bool boards_asks(const struct boards *boards, const char *name,
                 const struct chat_question *question)
{
    const struct board *const board = find_board(boards, name);
    return board != NULL && board->asks.what == question->what &&
           (question->seats & ~board->asks.seats) == 0;
}

void boards_narrow(struct boards *boards, const char *name, const struct chat_question *question)
{
    struct board *const board = find_board(boards, name);
    if (board != NULL) {
        board->asks.seats &= board->asks.what == question->what ? question->seats : 0;
    }
}

static void drop_last(struct boards *boards)
{
    struct board **at = &boards->first;
    assert(*at != NULL);
    while ((*at)->next != NULL) {
        at = &(*at)->next;
    }
    board_free(*at);
    *at = NULL;
    boards->count--;
}

static struct board *add_board(struct boards *boards, const char *room, const char *name)
{
    struct board *const board = mb_new(1, sizeof *board);
    board->room = mb_text(room);
    boards_event(name, board->event);
    board->chapter = chapter_of(name);
    if (boards->count == BOARDS_MAX) {
        drop_last(boards);
    }
    board->next = boards->first;
    boards->first = board;
    boards->count++;
    return board;
}

void boards_said(struct boards *boards, const char *room, const char *event)
{
    for (struct board *at = boards->first; at != NULL; at = at->next) {
        const bool lower = strcmp(at->room, room) == 0 && strcmp(at->event, event) != 0;
        at->below += lower && at->below < UINT_MAX ? 1 : 0;
    }
}

void boards_deleted(struct boards *boards, const char *event)
{
    for (struct board *at = boards->first; at != NULL; at = at->next) {
        at->below = strcmp(at->event, event) == 0 ? UINT_MAX : at->below;
    }
}

const char *boards_edited(struct boards *boards, const char *room, const char *name,
                          uint32_t chapter, unsigned far)
{
    struct board *board = find_board(boards, name);
    if (board == NULL) {
        board = add_board(boards, room, name);
    }
    const bool other = board != NULL && chapter != 0 && chapter != board->chapter;
    return board == NULL || other || board->below >= far ? "" : board->event;
}

static void write_name(const char *event, uint32_t chapter, char out[BOARDS_NAME_SIZE])
{
    if (chapter != 0) {
        (void)snprintf(out, BOARDS_NAME_SIZE, "%s %lu", event, (unsigned long)chapter);
    } else {
        (void)snprintf(out, BOARDS_NAME_SIZE, "%s", event);
    }
}

void boards_name(const struct boards *boards, const char *name, char out[BOARDS_NAME_SIZE])
{
    const struct board *const board = find_board(boards, name);
    if (board != NULL) {
        write_name(board->event, board->chapter, out);
    } else {
        (void)snprintf(out, BOARDS_NAME_SIZE, "%s", name);
    }
}

bool boards_posted(struct boards *boards, const char *room, const char *old, const char *event,
                   uint32_t chapter, char name[BOARDS_NAME_SIZE])
{
    struct board *board = old != NULL ? find_board(boards, old) : NULL;
    write_name(event, chapter, name);
    if (board == NULL) {
        return add_board(boards, room, name) != NULL;
    }
    memcpy(board->before, board->event, sizeof board->before);
    (void)snprintf(board->event, sizeof board->event, "%s", event);
    board->chapter = chapter;
    board->below = 0;
    return true;
}
