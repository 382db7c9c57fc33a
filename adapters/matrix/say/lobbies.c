#include "adapters/matrix/say/lobbies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"

enum { CARDS_MAX = 64, JOINS_MAX = 512, KEPT_SIZE = CARDS_MAX * 2 * CHAT_ID_SIZE };

static const char WORD[] = "lobbies";

struct card {
    char room[CHAT_ID_SIZE], event[CHAT_ID_SIZE];
};

/* Who has sat down by which reaction to which card. */
struct joined {
    char event[CHAT_ID_SIZE], person[CHAT_ID_SIZE], card[CHAT_ID_SIZE];
};

struct lobbies {
    struct chat *chat;
    struct card cards[CARDS_MAX]; // the oldest first
    size_t count;
    struct joined joins[JOINS_MAX]; // the latest, in a ring
    size_t next;
};

struct lobbies *lobbies_create(struct chat *chat)
{
    struct lobbies *const lobbies = mb_new(1, sizeof *lobbies);
    lobbies->chat = chat;
    return lobbies;
}

void lobbies_destroy(struct lobbies *lobbies)
{
    free(lobbies);
}

/* Cards. */

static void drop_card(struct lobbies *lobbies, size_t i)
{
    lobbies->count--;
    memmove(&lobbies->cards[i], &lobbies->cards[i + 1],
            (lobbies->count - i) * sizeof *lobbies->cards);
}

// The oldest gives way.
static void add_card(struct lobbies *lobbies, const char *room, const char *card)
{
    if (lobbies->count == CARDS_MAX) {
        drop_card(lobbies, 0);
    }
    struct card *const added = &lobbies->cards[lobbies->count++];
    (void)snprintf(added->room, sizeof added->room, "%s", room);
    (void)snprintf(added->event, sizeof added->event, "%s", card);
}

// Room, card, room, card, each with the zero that ends it.
static void keep_cards(const struct lobbies *lobbies)
{
    char *const kept = mb_new(1, KEPT_SIZE);
    size_t size = 0;
    for (size_t i = 0; i < lobbies->count; i++) {
        const struct card *const card = &lobbies->cards[i];
        size += (size_t)snprintf(kept + size, KEPT_SIZE - size, "%s%c%s", card->room, '\0',
                                 card->event) +
                1;
    }
    const struct chat_kept item = {.word = WORD, .at = kept, .size = size};
    (void)!chat_keep(lobbies->chat, &item, NULL, NULL);
    free(kept);
}

void lobbies_read(struct fibre *fibre, void *user)
{
    struct lobbies *const lobbies = user;
    struct kept_items kept;
    const bool any = chat_read_await(fibre, lobbies->chat, WORD, &kept) && kept.count > 0;
    const char *at = any ? kept.items[0].at : NULL;
    const char *const end = any ? at + kept.items[0].size : NULL;
    while (at != end) {
        const char *const card = memchr(at, '\0', (size_t)(end - at));
        const char *const behind =
            card != NULL ? memchr(card + 1, '\0', (size_t)(end - card - 1)) : NULL;
        if (behind == NULL) {
            return;
        }
        if (!lobbies_has(lobbies, at, card + 1)) {
            add_card(lobbies, at, card + 1);
        }
        at = behind + 1;
    }
}

bool lobbies_has(const struct lobbies *lobbies, const char *room, const char *card)
{
    for (size_t i = 0; i < lobbies->count; i++) {
        if (strcmp(lobbies->cards[i].room, room) == 0 &&
            strcmp(lobbies->cards[i].event, card) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_any(const struct lobbies *lobbies, const char *room)
{
    size_t i = 0;
    while (i < lobbies->count && strcmp(lobbies->cards[i].room, room) != 0) {
        i++;
    }
    return i < lobbies->count;
}

bool lobbies_shown(struct lobbies *lobbies, const char *room, const char *card, bool game)
{
    const bool anew = !game && !lobbies_has(lobbies, room, card);
    if (game && has_any(lobbies, room)) {
        for (size_t i = lobbies->count; i > 0; i--) {
            if (strcmp(lobbies->cards[i - 1].room, room) == 0) {
                drop_card(lobbies, i - 1);
            }
        }
        keep_cards(lobbies);
    } else if (anew) {
        add_card(lobbies, room, card);
        keep_cards(lobbies);
    }
    return anew;
}

/* Reactions. */

// With or without a variation selector or a tone of skin.
static bool is_key(const char *key, const char *wanted, size_t size)
{
    static const char SELECTOR[] = "\xEF\xB8\x8F";
    static const char TONE[] = "\xF0\x9F\x8F"; // and one byte more
    if (strncmp(key, wanted, size) != 0) {
        return false;
    }
    key += size;
    key +=
        strncmp(key, TONE, sizeof TONE - 1) == 0 && key[sizeof TONE - 1] != '\0' ? sizeof TONE : 0;
    key += strncmp(key, SELECTOR, sizeof SELECTOR - 1) == 0 ? sizeof SELECTOR - 1 : 0;
    return *key == '\0';
}

static const char *line_of_reaction(struct lobbies *lobbies, const char *room,
                                    const struct wire_event *event)
{
    enum { SIGN_SIZE = 3 }; // of either, without its selector
    const json_t *const relation = json_object_get(event->content, "m.relates_to");
    const char *const how = wire_word(relation, "rel_type");
    const char *const card = wire_id(relation, "event_id");
    const char *const key = wire_word(relation, "key");
    if (how == NULL || strcmp(how, "m.annotation") != 0 || card == NULL || key == NULL ||
        event->redacted || !lobbies_has(lobbies, room, card)) {
        return NULL;
    }
    if (is_key(key, LOBBIES_START, SIGN_SIZE)) {
        return "start";
    }
    if (!is_key(key, LOBBIES_JOIN, SIGN_SIZE)) {
        return NULL;
    }
    struct joined *const joined = &lobbies->joins[lobbies->next];
    lobbies->next = (lobbies->next + 1) % JOINS_MAX;
    (void)snprintf(joined->event, sizeof joined->event, "%s", event->id);
    (void)snprintf(joined->person, sizeof joined->person, "%s", event->sender);
    (void)snprintf(joined->card, sizeof joined->card, "%s", card);
    return "join";
}

// Only who has reacted can mean it, and not once cards are dealt.
static const char *take_back(struct lobbies *lobbies, const char *room,
                             const struct wire_event *event)
{
    const char *line = NULL;
    for (size_t i = 0; event->redacts != NULL && i < JOINS_MAX; i++) {
        struct joined *const joined = &lobbies->joins[i];
        if (strcmp(joined->event, event->redacts) == 0) {
            line = strcmp(joined->person, event->sender) == 0 &&
                           lobbies_has(lobbies, room, joined->card)
                       ? "leave"
                       : NULL;
            *joined = (struct joined){.event = ""};
        }
    }
    return line;
}

const char *lobbies_heard(struct lobbies *lobbies, const char *room, const char *bot,
                          const struct wire_event *event)
{
    if (event->state_key != NULL || event->id[0] == '\0' || strcmp(event->sender, bot) == 0) {
        return NULL;
    }
    if (strcmp(event->type, "m.reaction") == 0) {
        return line_of_reaction(lobbies, room, event);
    }
    return strcmp(event->type, "m.room.redaction") == 0 ? take_back(lobbies, room, event) : NULL;
}

enum { STATUS_TOO_MANY = 429, TRIES = 5 };

struct mark {
    struct mark *next;
    struct marks *marks;
    uint64_t number;
    char room[CHAT_ID_SIZE], card[CHAT_ID_SIZE];
    const char *key, *word;
    unsigned tries, failed; // failed: those that somebody has looked at
};

struct marks {
    struct marks_setup setup;
    struct mark *first;
};

struct marks *marks_create(const struct marks_setup *setup)
{
    struct marks *const marks = mb_new(1, sizeof *marks);
    marks->setup = *setup;
    return marks;
}

static void mark_free(struct mark *mark)
{
    struct mark **at = &mark->marks->first;
    while (*at != mark) {
        at = &(*at)->next;
    }
    *at = mark->next;
    free(mark);
}

void marks_destroy(struct marks *marks)
{
    while (marks != NULL && marks->first != NULL) {
        mark_free(marks->first);
    }
    free(marks);
}

static void end_mark(struct mark *mark, enum outlet_result result, int64_t wait_ms)
{
    const struct marks_setup *const setup = &mark->marks->setup;
    outlet_done(setup->outlet, mark->number, result, wait_ms, (int64_t)uv_now(setup->loop));
    setup->pump(setup->user);
    if (result == OUTLET_SENT) {
        mark_free(mark);
    }
}

static void put_mark(struct fibre *fibre, void *user)
{
    struct mark *const mark = user;
    struct api_answer answer;
    char before[API_PATH_SIZE];
    char behind[32];
    char path[API_PATH_SIZE];
    (void)snprintf(behind, sizeof behind, "/send/m.reaction/%s-", mark->word);
    if (!api_path(before, "/_matrix/client/v3/rooms/", mark->room, behind) ||
        !api_path(path, before, mark->card, "")) {
        end_mark(mark, OUTLET_SENT, 0);
        return;
    }
    const struct api_call call = {.method = "PUT",
                                  .path = path,
                                  .body = json_pack("{s:{s:s, s:s, s:s}}", "m.relates_to",
                                                    "rel_type", "m.annotation", "event_id",
                                                    mark->card, "key", mark->key)};
    if (!api_await(fibre, mark->marks->setup.api, &call, &answer)) {
        return;
    }
    mark->failed += api_is_unseen(&answer) ? 0 : 1;
    if (api_is_later(&answer) && mark->failed < TRIES) {
        end_mark(mark, answer.status == STATUS_TOO_MANY ? OUTLET_TOO_MANY : OUTLET_AGAIN,
                 api_wait_ms(&answer, mark->tries++));
    } else {
        end_mark(mark, OUTLET_SENT, 0);
    }
}

bool marks_ask(struct marks *marks, uint64_t number)
{
    struct mark *at = marks->first;
    while (at != NULL && at->number != number) {
        at = at->next;
    }
    if (at == NULL) {
        return false;
    }
    if (lobbies_has(marks->setup.lobbies, at->room, at->card)) {
        fibres_start(marks->setup.fibres, put_mark, at);
    } else {
        end_mark(at, OUTLET_SENT, 0);
    }
    return true;
}

// In a lane of their own: what is said in the room does not wait for them.
static void add_mark(struct marks *marks, const struct mark *wanted)
{
    const struct marks_setup *const setup = &marks->setup;
    struct mark *const mark = mb_new(1, sizeof *mark);
    uint64_t gone = 0;
    *mark = *wanted;
    mark->marks = marks;
    mark->number = ++*setup->numbers;
    mark->next = marks->first;
    marks->first = mark;
    const struct outlet_item item = {
        .number = mark->number, .room = mark->card, .urgency = OUTLET_OTHER};
    outlet_add(setup->outlet, &item, (int64_t)uv_now(setup->loop), &gone);
}

void marks_put(struct marks *marks, const char *room, const char *card)
{
    struct mark mark = {.key = LOBBIES_JOIN, .word = "join"};
    (void)snprintf(mark.room, sizeof mark.room, "%s", room);
    (void)snprintf(mark.card, sizeof mark.card, "%s", card);
    add_mark(marks, &mark);
    mark.key = LOBBIES_START;
    mark.word = "start";
    add_mark(marks, &mark);
    marks->setup.pump(marks->setup.user);
}
