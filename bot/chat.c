#include "bot/chat.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"

static struct chat_choice *copy_choices(struct mb_pool *pool, const struct chat_choice *choices,
                                        size_t count)
{
    struct chat_choice *const copies = mb_pool_new(pool, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = choices[i];
        copies[i].label = mb_pool_word(pool, choices[i].label);
        copies[i].hint = mb_pool_word(pool, choices[i].hint);
        copies[i].line = mb_pool_word(pool, choices[i].line);
        copies[i].leads = mb_pool_word(pool, choices[i].leads);
    }
    return copies;
}

struct chat_control *chat_controls_copy(struct mb_pool *pool, const struct chat_control *controls,
                                        size_t count)
{
    struct chat_control *const copies = mb_pool_new(pool, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = controls[i];
        copies[i].label = mb_pool_word(pool, controls[i].label);
        copies[i].line = mb_pool_word(pool, controls[i].line);
        copies[i].leads = mb_pool_word(pool, controls[i].leads);
        copies[i].opens = mb_pool_word(pool, controls[i].opens);
        copies[i].choices = copy_choices(pool, controls[i].choices, controls[i].choice_count);
    }
    return copies;
}

static const char *word_of(struct mb_pool *pool, const char *word)
{
    return word != NULL && word[0] != '\0' ? mb_pool_text(pool, word) : NULL;
}

static const char *const *words_of(struct mb_pool *pool, const char *const *words, size_t count)
{
    const char **const copies = mb_pool_new(pool, count, sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        copies[i] = mb_pool_text(pool, words[i]);
    }
    return copies;
}

struct chat_out chat_out_address(struct mb_pool *pool, const struct chat_out *out)
{
    struct chat_out copy = *out;
    copy.place = mb_pool_word(pool, out->place);
    copy.cause = word_of(pool, out->cause);
    copy.person = word_of(pool, out->person);
    copy.home = word_of(pool, out->home);
    copy.event = word_of(pool, out->event);
    copy.answer = word_of(pool, out->answer);
    copy.replaces = word_of(pool, out->replaces);
    copy.moved = word_of(pool, out->moved);
    copy.prompt = word_of(pool, out->prompt);
    copy.path = word_of(pool, out->path);
    copy.story = out->story != NULL ? mb_pool_word(pool, out->story) : NULL;
    copy.kept = out->kept != NULL ? mb_pool_word(pool, out->kept) : NULL;
    copy.pings = words_of(pool, out->pings, out->ping_count);
    copy.asked = words_of(pool, out->asked, out->asked_count);
    if (out->refusal != NULL) {
        struct refusal *const refusal = mb_pool_new(pool, 1, sizeof *refusal);
        *refusal = *out->refusal;
        refusal->rule = mb_pool_word(pool, out->refusal->rule);
        copy.refusal = refusal;
    }
    return copy;
}

struct chat_out chat_out_copy(struct mb_pool *pool, const struct chat_out *out)
{
    struct chat_out copy = chat_out_address(pool, out);
    copy.text = mb_pool_word(pool, out->text);
    copy.controls = chat_controls_copy(pool, out->controls, out->control_count);
    return copy;
}

const char *chat_untold(const char *story, const char *told)
{
    for (const char *from = told != NULL ? told : ""; *from != '\0';) {
        const size_t length = strlen(from);
        if (strncmp(story, from, length) == 0) {
            return story + length;
        }
        const char *const end = strchr(from, '\n');
        from = end != NULL ? end + 1 : from + length;
    }
    return story;
}

const char *chat_name(const struct chat *chat)
{
    return chat->ops->name;
}

uint32_t chat_caps(const struct chat *chat)
{
    return chat->ops->caps;
}

size_t chat_text_max(const struct chat *chat, enum chat_kind kind)
{
    const bool board = kind == CHAT_CARD || kind == CHAT_HAND;
    return board && chat->ops->board_max > 0 ? chat->ops->board_max : chat->ops->text_max;
}

struct chat_queue *chat_inbox(const struct chat *chat)
{
    return chat->sink.queue;
}

bool chat_start(struct chat *chat, struct mb_error *err)
{
    assert(chat->sink.queue != NULL);
    return chat->ops->start(chat, err);
}

void chat_listen(struct chat *chat, chat_outcome_fn *outcome, void *user)
{
    chat->sink.outcome = outcome;
    chat->sink.user = user;
}

void chat_completes(struct chat *chat, chat_complete_fn *complete)
{
    chat->sink.complete = complete;
}

_Static_assert(CHAT_SECRET_SIZE == crypto_shorthash_KEYBYTES, "the secret is the hash's key");

void chat_seal(struct chat *chat, const uint8_t secret[CHAT_SECRET_SIZE])
{
    memcpy(chat->sink.secret, secret, CHAT_SECRET_SIZE);
}

void chat_keeps(struct chat *chat, const struct chat_keeper *keeper)
{
    chat->sink.keeper = keeper;
}

bool chat_keep(struct chat *chat, const struct chat_kept *item, chat_kept_fn *done, void *user)
{
    const struct chat_sink *const sink = &chat->sink;
    return sink->keeper != NULL && sink->keeper->keep(sink->user, chat, item, done, user);
}

bool chat_read(struct chat *chat, const char *begins, chat_kept_fn *done, void *user)
{
    const struct chat_sink *const sink = &chat->sink;
    return sink->keeper != NULL && sink->keeper->read(sink->user, chat, begins, done, user);
}

bool chat_hold_for(struct chat *chat, const char *word, int64_t for_ms, chat_kept_fn *done,
                   void *user)
{
    const struct chat_sink *const sink = &chat->sink;
    return sink->keeper != NULL && sink->keeper->hold(sink->user, chat, word, for_ms, done, user);
}

bool chat_hold(struct chat *chat, const char *word, chat_kept_fn *done, void *user)
{
    return chat_hold_for(chat, word, 0, done, user);
}

bool chat_shares(const struct chat *chat)
{
    const struct chat_sink *const sink = &chat->sink;
    return sink->keeper != NULL && sink->keeper->shared(sink->user);
}

void chat_tell(struct chat *chat, const struct chat_outcome *outcome)
{
    assert((outcome->fate == CHAT_DELIVERED) == (outcome->id != NULL));
    if (chat->sink.outcome != NULL) {
        chat->sink.outcome(chat->sink.user, chat, outcome);
    }
}

void chat_settle(struct chat *chat, struct chat_in *in)
{
    struct chat_queue *const queue = chat->sink.queue;
    if (chat_queue_settle(queue, in) && chat->sink.settled != NULL) {
        chat->sink.settled(chat, chat_queue_settled(queue));
    }
}

static bool id_fits(const char *id)
{
    return id == NULL || strlen(id) < CHAT_ID_SIZE;
}

// Of a number that counts messages, secret ones too, nobody may see how far it goes.
static uint64_t mark_of(const struct chat *chat, struct chat_key key)
{
    unsigned char mark[crypto_shorthash_BYTES];
    const uint64_t numbers[] = {key.epoch, key.number};
    uint64_t out = 0;
    (void)crypto_shorthash(mark, (const unsigned char *)numbers, sizeof numbers, chat->sink.secret);
    memcpy(&out, mark, sizeof out);
    return out;
}

bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    assert(out->place != NULL && out->text != NULL);
    const bool private = chat_kind_is_private(out->kind);
    if (private && (out->person == NULL || (chat->ops->caps & CHAT_CAP_PRIVATE) == 0)) {
        return mb_fail(err, MB_ERR_INPUT, "a private message names no person");
    }
    if (!private && out->person != NULL) {
        return mb_fail(err, MB_ERR_INPUT, "a public message names a person");
    }
    if (out->kind == CHAT_ROOM && (chat->ops->caps & CHAT_CAP_ROOM) == 0) {
        return mb_fail(err, MB_ERR_INPUT, "there are no rooms for tables there");
    }
    if (out->kind == CHAT_SEEK && (chat->ops->caps & CHAT_CAP_SEEK) == 0) {
        return mb_fail(err, MB_ERR_INPUT, "that chat tells by itself who leaves");
    }
    if (!id_fits(out->place) || !id_fits(out->person) || !id_fits(out->event) ||
        !id_fits(out->replaces) || !id_fits(out->moved)) {
        return mb_fail(err, MB_ERR_INPUT, "an id has more than %d bytes", CHAT_ID_SIZE - 1);
    }
    const size_t most = chat_text_max(chat, out->anew ? CHAT_HAND : out->kind);
    if (most > 0 && strlen(out->text) > most) {
        return mb_fail(err, MB_ERR_INPUT, "a text has more than %zu bytes", most);
    }
    struct chat_out marked = *out;
    marked.mark = mark_of(chat, out->key);
    return chat->ops->send(chat, &marked, err);
}

void chat_figures(const struct chat *chat, struct chat_figures *out)
{
    *out = (struct chat_figures){.silent_ms = -1};
    if (chat->ops->figures != NULL) {
        chat->ops->figures(chat, out);
    }
}

int64_t chat_reach_ms(struct chat *chat, const char *person)
{
    return chat->ops->reach != NULL ? chat->ops->reach(chat, person) : 0;
}

void chat_stop(struct chat *chat)
{
    chat->ops->stop(chat);
}

void chat_destroy(struct chat *chat)
{
    if (chat != NULL) {
        chat->ops->destroy(chat);
    }
}

struct chat_numbers chat_numbers(const char *line)
{
    enum { DIGITS_MAX = 2, TEN = 10 };
    struct chat_numbers said = {.rest = ""};
    const char *at = line;
    for (;;) {
        const size_t digits = strspn(at, "0123456789");
        if (digits == 0) {
            break;
        }
        const size_t gap = strspn(at + digits, ", ");
        const bool whole = digits <= DIGITS_MAX && (gap > 0 || at[digits] == '\0');
        const uint8_t number = (uint8_t)strtoul(at, NULL, TEN);
        if (!whole || said.count == CHAT_CONTROLS_MAX ||
            memchr(said.numbers, number, said.count) != NULL) {
            return (struct chat_numbers){.rest = ""};
        }
        said.numbers[said.count++] = number;
        at += digits + gap;
    }
    const bool words = isalpha((unsigned char)*at) != 0 || (unsigned char)*at >= 0x80u;
    if (*at != '\0' && (!words || at == line || at[-1] != ' ')) {
        return (struct chat_numbers){.rest = ""};
    }
    said.rest = at;
    return said;
}

bool chat_list_names(const char *list, const char *id)
{
    static const char BETWEEN[] = ", \t";
    const char *const colon =
        id[0] == '@' ? strchr(id, ':') : NULL; // who makes a room chooses its id
    const char *const ids[] = {id, colon != NULL ? colon + 1 : ""};
    for (const char *at = list; at != NULL && *at != '\0';) {
        at += strspn(at, BETWEEN);
        const size_t length = strcspn(at, BETWEEN);
        for (size_t i = 0; length > 0 && i < sizeof ids / sizeof ids[0]; i++) {
            if (strlen(ids[i]) == length && strncmp(at, ids[i], length) == 0) {
                return true;
            }
        }
        at += length;
    }
    return false;
}
