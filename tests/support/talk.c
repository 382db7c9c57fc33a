#include "tests/support/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <strings.h>

#include "core/base/rng.h"

#include "tests/support/table.h"
#include "tests/support/test.h"

int talk_set_up(void **state)
{
    struct talk *const talk = calloc(1, sizeof *talk);
    assert_non_null(talk);
    talk->catalog = given_catalog();
    talk->solo = solo_create(talk->catalog);
    assert_non_null(talk->solo);
    solo_keep_journal(talk->solo);
    *state = talk;
    return 0;
}

void talk_forget(struct talk *talk)
{
    for (size_t i = 0; i < talk->heard_count; i++) {
        free(talk->heard[i].person);
        free(talk->heard[i].text);
    }
    talk->heard_count = 0;
}

int talk_tear_down(void **state)
{
    struct talk *const talk = *state;
    talk_forget(talk);
    solo_destroy(talk->solo);
    catalog_destroy(talk->catalog);
    free(talk);
    return 0;
}

// Takes what was said; replies are for who asked.
static void hear(struct talk *talk, const char *asker)
{
    struct message_list *const said = solo_outbox(talk->solo);
    for (size_t i = 0; i < said->count; i++) {
        const struct message *const message = &said->items[i];
        const char *person = "";
        if (message->to == MESSAGE_REPLY) {
            person = asker;
        } else if (message->to != MESSAGE_TABLE) {
            person = solo_seat_name(talk->solo, message->seat);
        }
        assert_true(talk->heard_count < TALK_HEARD_MAX);
        talk->heard[talk->heard_count++] =
            (struct talk_heard){.person = strdup(person), .text = strdup(message->text)};
    }
    message_list_clear(said);
}

unsigned talk_code(struct talk *talk, const char *person, const char *line)
{
    struct refusal why = {0};
    const bool accepted = solo_person_line(talk->solo, person, line, &why);
    if (accepted != (why.code == REFUSAL_NONE)) {
        fail_msg("\"%s\" is neither carried out nor refused: see bot/table/line.c", line);
    }
    hear(talk, person);
    return why.code;
}

void talk_say(struct talk *talk, const char *person, const char *line)
{
    (void)talk_code(talk, person, line);
}

unsigned talk_seat(const struct talk *talk, const char *name)
{
    unsigned seat = 0;
    while (seat < solo_seat_count(talk->solo) &&
           strcasecmp(solo_seat_name(talk->solo, seat), name) != 0) {
        seat++;
    }
    return seat < solo_seat_count(talk->solo) ? seat : NO_SEAT;
}

void talk_do(struct talk *talk, const char *person, const char *line)
{
    const unsigned code = talk_code(talk, person, line);
    if (code != REFUSAL_NONE) {
        fail_msg("%s: \"%s\" is refused: %s", person, line, refusal_name(code));
    }
}

void talk_wait(struct talk *talk, int64_t ms)
{
    solo_advance(talk->solo, ms);
    hear(talk, "");
}

bool talk_heard(const struct talk *talk, const char *person, const char *text)
{
    for (size_t i = talk->heard_count; i > 0; i--) {
        const struct talk_heard *const one = &talk->heard[i - 1];
        if (strcmp(one->person, person != NULL ? person : "") == 0 &&
            strstr(one->text, text) != NULL) {
            return true;
        }
    }
    return false;
}

bool talk_heard_text(const struct talk *talk, const char *person, enum text_id id,
                     const struct text_arg *args)
{
    enum { SENTENCE_SIZE = 1024 };
    char sentence[SENTENCE_SIZE];
    struct text_out out;
    text_begin(&out, sentence, sizeof sentence);
    text_put(&out, id, args);
    return talk_heard(talk, person, sentence);
}

bool talk_heard_kind(const struct talk *talk, const char *person, enum text_id id)
{
    char begin[128];
    const char *const sentence = text_sentence(id);
    (void)snprintf(begin, sizeof begin, "%.*s", (int)strcspn(sentence, "{"), sentence);
    assert_true(begin[0] != '\0');
    return talk_heard(talk, person, begin);
}

void talk_start(struct talk *talk, const char *options, uint64_t seed)
{
    char line[CHAT_LINE_SIZE];
    uint8_t bytes[32];
    (void)snprintf(line, sizeof line, "new %s", options);
    talk_do(talk, "Ann", line);
    talk_do(talk, "Bob", "join male");
    talk_do(talk, "Cy", "join female");
    mb_rng_seed_u64(bytes, seed);
    solo_chance(talk->solo, bytes);
    talk_do(talk, "Ann", "start");
}

unsigned talk_first_turn(struct talk *talk, const char *options, uint64_t seed)
{
    talk_start(talk, options, seed);
    talk_do(talk, "Ann", "done");
    talk_do(talk, "Bob", "done");
    talk_do(talk, "Cy", "done");
    assert_int_equal(query_phase(talk_game(talk)), PHASE_START);
    return query_turn(talk_game(talk));
}

const struct game *talk_game(const struct talk *talk)
{
    return solo_game(talk->solo);
}
