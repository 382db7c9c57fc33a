// Messages in one block, and as bytes for the store. A board has no bytes: its text is made anew.
#include <stdlib.h>
#include <string.h>

#include "bot/hall/hall_impl.h"

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

struct hall_message *hall_message_make(const struct hall_message *words)
{
    char reader[HALL_KEY_SIZE];
    const char *const whom = word_of(words->person)[0] != '\0' ? words->person : words->place;
    hall_key(reader, word_of(words->network), word_of(whom));
    size_t size = size_of(words->network) + size_of(words->place) + size_of(words->person) +
                  size_of(words->event) + size_of(words->answer) + size_of(words->text) +
                  size_of(reader) + size_of(words->refusal.rule);
    for (size_t i = 0; i < words->ping_count; i++) {
        size += size_of(words->pings[i]);
    }
    for (size_t i = 0; i < words->asked_count; i++) {
        size += size_of(words->asked[i]);
    }
    for (size_t i = 0; i < words->control_count; i++) {
        size += size_of(words->controls[i].label) + size_of(words->controls[i].line);
    }
    const size_t head =
        sizeof(struct hall_message) + words->control_count * sizeof(struct chat_control);
    struct hall_message *const message = malloc(head + size);
    if (message == NULL) {
        return NULL;
    }
    char *room = (char *)message + head;
    *message = *words;
    message->next = NULL;
    message->controls = (struct chat_control *)(void *)(message + 1);
    message->network = put_word(&room, words->network);
    message->place = put_word(&room, words->place);
    message->person = put_word(&room, words->person);
    message->event = put_word(&room, words->event);
    message->answer = put_word(&room, words->answer);
    message->text = put_word(&room, words->text);
    message->reader = put_word(&room, reader);
    message->refusal.rule = put_word(&room, words->refusal.rule);
    for (size_t i = 0; i < words->ping_count; i++) {
        message->pings[i] = put_word(&room, words->pings[i]);
    }
    for (size_t i = 0; i < words->asked_count; i++) {
        message->asked[i] = put_word(&room, words->asked[i]);
    }
    for (size_t i = 0; i < words->control_count; i++) {
        const char *const label = put_word(&room, words->controls[i].label);
        message->controls[i] =
            (struct chat_control){.label = label, .line = put_word(&room, words->controls[i].line)};
    }
    return message;
}

void hall_message_free(struct hall_message *message)
{
    free(message->id);
    free(message);
}

/* Bytes: kind (and whether it starts a game, and whether it answers), number of pings, code of a
 * refusal, then words with their ends: table, network, place, person, event, text, the refusal's
 * rule, pings, what it answers. */

enum { HEAD_SIZE = 3, WORDS = 7, STARTS = 0x80, ANSWERS = 0x40 };

size_t hall_message_size(const struct hall_message *message)
{
    size_t size = HEAD_SIZE + size_of(message->bond.table) + size_of(message->network) +
                  size_of(message->place) + size_of(message->person) + size_of(message->event) +
                  size_of(message->text) + size_of(message->refusal.rule);
    for (size_t i = 0; i < message->ping_count; i++) {
        size += size_of(message->pings[i]);
    }
    return size + (message->answer[0] != '\0' ? size_of(message->answer) : 0);
}

size_t hall_message_encode(const struct hall_message *message, unsigned char *out, size_t size)
{
    if (hall_message_size(message) > size) {
        return 0;
    }
    const char *const words[WORDS] = {message->bond.table,  message->network, message->place,
                                      message->person,      message->event,   message->text,
                                      message->refusal.rule};
    char *room = (char *)out;
    const bool answers = message->answer[0] != '\0';
    *room++ = (char)(message->kind | (message->starts ? STARTS : 0u) | (answers ? ANSWERS : 0u));
    *room++ = (char)message->ping_count;
    *room++ = (char)message->refusal.code;
    for (unsigned i = 0; i < WORDS; i++) {
        (void)put_word(&room, words[i]);
    }
    for (size_t i = 0; i < message->ping_count; i++) {
        (void)put_word(&room, message->pings[i]);
    }
    if (answers) {
        (void)put_word(&room, message->answer);
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

struct hall_message *hall_message_decode(const unsigned char *bytes, size_t size)
{
    const char *words[WORDS + MB_SEATS_MAX + 1];
    const char *at = (const char *)bytes + HEAD_SIZE;
    const char *const end = (const char *)bytes + size;
    if (size < HEAD_SIZE || (bytes[0] & ~(unsigned)(STARTS | ANSWERS)) > CHAT_REPLY ||
        bytes[1] > MB_SEATS_MAX || bytes[2] >= REFUSAL_TOTAL) {
        return NULL;
    }
    const bool answers = (bytes[0] & ANSWERS) != 0;
    const size_t count = WORDS + bytes[1] + (answers ? 1u : 0u);
    for (size_t i = 0; i < count; i++) {
        words[i] = take_word(&at, end);
        if (words[i] == NULL) {
            return NULL;
        }
    }
    struct hall_message message = {
        .kind = (uint8_t)(bytes[0] & ~(unsigned)(STARTS | ANSWERS)),
        .starts = (bytes[0] & STARTS) != 0,
        .network = words[1],
        .place = words[2],
        .person = words[3],
        .event = words[4],
        .answer = answers ? words[count - 1] : "",
        .text = words[5],
        .refusal = {.code = bytes[2], .seat = NO_SEAT, .card = NO_CARD, .rule = words[6]},
        .ping_count = bytes[1]};
    if (at != end || strlen(words[0]) >= sizeof message.bond.table) {
        return NULL;
    }
    memcpy(message.bond.table, words[0], strlen(words[0]) + 1);
    memcpy(message.pings, words + WORDS, bytes[1] * sizeof words[0]);
    return hall_message_make(&message);
}
