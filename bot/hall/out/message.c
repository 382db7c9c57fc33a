// Messages in one block, and as bytes for the store. A board has no bytes but whom it calls: its
// text is made anew.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/out/announce.h"
#include "bot/hall/out/out.h"

static const char *word_of(const char *word)
{
    return word != NULL ? word : "";
}

static size_t size_of(const char *word)
{
    return strlen(word_of(word)) + 1;
}

static const char *put_word(char **room, const char *word)
{
    const size_t size = size_of(word);
    char *const at = memcpy(*room, word_of(word), size);
    *room += size;
    return at;
}

struct hall_message *hall_message_make(struct said *said, const struct hall_message *words)
{
    char reader[HALL_KEY_SIZE];
    const struct chat_out *const out = &words->out;
    struct hall_message *const message = mb_new(1, sizeof *message);
    *message = *words;
    message->said = said_hold(said != NULL ? said : mb_new(1, sizeof *said));
    struct mb_pool *const pool = &message->said->words;
    message->next = NULL;
    message->told = NULL;
    message->out = said != NULL ? chat_out_address(pool, out) : chat_out_copy(pool, out);
    message->network = mb_pool_word(pool, words->network);
    hall_key(reader, message->network,
             message->out.person != NULL ? message->out.person : message->out.place);
    message->reader = mb_pool_text(pool, reader);
    return message;
}

void hall_message_free(struct hall_message *message)
{
    said_drop(message->said);
    free(message->id);
    free(message->told);
    free(message);
}

/* Bytes: kind (and whether it starts a game, answers, has a prompt), number of pings, code of a
 * refusal, then words with their ends: network, place, person, event, the refusal's rule, pings,
 * what it answers, the prompt; and the text, without an end, unless it is the narration's. */

enum { HEAD_SIZE = 3, WORDS = 5, WORDS_MAX = WORDS + MB_SEATS_MAX + 2 };
enum { STARTS = 0x80, ANSWERS = 0x40, PROMPTS = 0x20, FLAGS = STARTS | ANSWERS | PROMPTS };

static const char *rule_of(const struct hall_message *message)
{
    return message->out.refusal != NULL ? message->out.refusal->rule : "";
}

static unsigned code_of(const struct hall_message *message)
{
    return message->out.refusal != NULL ? message->out.refusal->code : (unsigned)REFUSAL_NONE;
}

static bool answers(const struct hall_message *message)
{
    return message->out.answer != NULL;
}

static bool prompts(const struct hall_message *message)
{
    return message->out.prompt != NULL;
}

size_t hall_message_size(const struct hall_message *message)
{
    size_t size = HEAD_SIZE + size_of(message->network) + size_of(message->out.place) +
                  size_of(message->out.person) + size_of(message->out.event) +
                  size_of(rule_of(message));
    for (size_t i = 0; i < message->out.ping_count; i++) {
        size += size_of(message->out.pings[i]);
    }
    size += answers(message) ? size_of(message->out.answer) : 0;
    size += prompts(message) ? size_of(message->out.prompt) : 0;
    return size + (message->narrates ? 0 : strlen(message->out.text));
}

size_t hall_message_encode(const struct hall_message *message, unsigned char *out, size_t size)
{
    if (hall_message_size(message) > size) {
        return 0;
    }
    const char *const words[WORDS] = {message->network, message->out.place, message->out.person,
                                      message->out.event, rule_of(message)};
    char *room = (char *)out;
    const unsigned flags = (message->starts ? STARTS : 0u) | (answers(message) ? ANSWERS : 0u) |
                           (prompts(message) ? PROMPTS : 0u);
    *room++ = (char)(message->out.kind | flags);
    *room++ = (char)message->out.ping_count;
    *room++ = (char)code_of(message);
    for (unsigned i = 0; i < WORDS; i++) {
        put_word(&room, words[i]);
    }
    for (size_t i = 0; i < message->out.ping_count; i++) {
        put_word(&room, message->out.pings[i]);
    }
    if (answers(message)) {
        put_word(&room, message->out.answer);
    }
    if (prompts(message)) {
        put_word(&room, message->out.prompt);
    }
    if (!message->narrates) {
        const size_t length = strlen(message->out.text);
        memcpy(room, message->out.text, length);
        room += length;
    }
    return (size_t)(room - (char *)out);
}

// The next word; NULL if its end is missing.
static const char *take_word(const char **at, const char *end)
{
    const char *const word = *at;
    const char *const stop = word < end ? memchr(word, '\0', (size_t)(end - word)) : NULL;
    *at = stop != NULL ? stop + 1 : end;
    return stop != NULL ? word : NULL;
}

// Whether the head can be read: the words it promises are there.
static bool read_words(const struct store_bytes *bytes, const char *words[WORDS_MAX],
                       const char **rest)
{
    if (bytes->at == NULL || bytes->size < HEAD_SIZE ||
        (bytes->at[0] & ~(unsigned)FLAGS) > CHAT_ROOM || bytes->at[1] > MB_SEATS_MAX ||
        bytes->at[2] >= REFUSAL_TOTAL) {
        return false;
    }
    const char *const end = (const char *)bytes->at + bytes->size;
    const size_t answer = WORDS + bytes->at[1];
    const size_t count = answer + ((bytes->at[0] & ANSWERS) != 0 ? 1u : 0u) +
                         ((bytes->at[0] & PROMPTS) != 0 ? 1u : 0u);
    *rest = (const char *)bytes->at + HEAD_SIZE;
    for (size_t i = 0; i < count; i++) {
        words[i] = take_word(rest, end);
        if (words[i] == NULL) {
            return false;
        }
    }
    for (size_t i = answer; i < count; i++) {
        if (words[i][0] == '\0') {
            return false; // what answers nothing does not say that it does
        }
    }
    if (bytes->at[2] == REFUSAL_NONE && words[WORDS - 1][0] != '\0') {
        return false; // a rule that refuses nothing
    }
    return memchr(*rest, '\0', (size_t)(end - *rest)) == NULL;
}

struct hall_message *hall_message_decode(const struct store_message *kept, const char *table)
{
    const char *words[WORDS_MAX];
    const char *rest = NULL;
    if (!read_words(&kept->bytes, words, &rest)) {
        return NULL;
    }
    const unsigned char *const head = kept->bytes.at;
    const size_t length = (size_t)((const char *)head + kept->bytes.size - rest);
    const bool answer = (head[0] & ANSWERS) != 0;
    char *const text = kept->narration == NULL ? mb_text_of(rest, length) : NULL;
    const unsigned kind = head[0] & ~(unsigned)FLAGS;
    const struct refusal refusal = {
        .code = head[2], .seat = NO_SEAT, .card = NO_CARD, .rule = words[4]};
    struct hall_message message = {
        .starts = (head[0] & STARTS) != 0,
        .parts = kind == CHAT_HAND, // a board has no bytes
        .beside = kind == CHAT_HAND ? HALL_BOARD_HAND : 0,
        .narrates = kept->narration != NULL,
        .network = words[0],
        .out = {.kind = (enum chat_kind)kind,
                .place = words[1],
                .person = words[2],
                .event = words[3],
                .answer = answer ? words[WORDS + head[1]] : NULL,
                .prompt =
                    (head[0] & PROMPTS) != 0 ? words[WORDS + head[1] + (answer ? 1 : 0)] : NULL,
                .text = kept->narration != NULL ? kept->narration : text,
                .refusal = refusal.code != REFUSAL_NONE ? &refusal : NULL,
                .pings = words + WORDS,
                .ping_count = head[1]}};
    (void)snprintf(message.out.bond.table, sizeof message.out.bond.table, "%s", table);
    struct hall_message *const made = hall_message_make(NULL, &message);
    free(text);
    return made;
}

size_t announce_encode(const char *network, const char *place, unsigned char *out, size_t size)
{
    const struct hall_message words = {.network = network,
                                       .narrates = true,
                                       .out = {.kind = CHAT_NARRATION, .place = place, .text = ""}};
    struct hall_message *const message = hall_message_make(NULL, &words);
    const size_t length = hall_message_encode(message, out, size);
    hall_message_free(message);
    return length;
}
