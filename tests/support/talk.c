#include "tests/support/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"

#include "tests/support/chance.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

static const char PLACE[] = "tavern";

int talk_set_up(void **state)
{
    chance_fix();
    struct talk *const talk = calloc(1, sizeof *talk);
    struct mb_error err = {0};
    assert_non_null(talk);
    talk->catalog = given_catalog();
    talk->session = session_create(talk->catalog, NULL);
    talk->stats = stats_create();
    const struct session_records records = {.stats = talk->stats, .community = PLACE};
    session_keep_records(talk->session, &records);
    assert_true(session_keep_journal(talk->session));
    chat_queue_init(&talk->queue);
    talk->chat = fake_create(&talk->queue);
    assert_true(chat_start(talk->chat, &err));
    talk->desk = (struct desk){
        .session = talk->session, .chat = talk->chat, .queue = &talk->queue, .place = PLACE};
    *state = talk;
    return 0;
}

int talk_tear_down(void **state)
{
    struct talk *const talk = *state;
    session_destroy(talk->session);
    stats_destroy(talk->stats);
    chat_destroy(talk->chat);
    chat_queue_finish(&talk->queue);
    catalog_destroy(talk->catalog);
    free(talk);
    return 0;
}

void talk_say(struct talk *talk, const char *person, const char *line)
{
    assert_true(fake_hear(talk->chat, PLACE, person, line));
    desk_hear(&talk->desk);
}

unsigned talk_code(struct talk *talk, const char *person, const char *line)
{
    struct refusal why = {0};
    const bool accepted = session_person_line(talk->session, person, line, &why);
    assert_int_equal(accepted, why.code == REFUSAL_NONE);
    desk_speak(&talk->desk, person);
    return why.code;
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
    desk_advance(&talk->desk, ms);
}

bool talk_heard(const struct talk *talk, const char *person, const char *text)
{
    return fake_find(talk->chat, person, text) != NULL;
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

void talk_forget(struct talk *talk)
{
    fake_forget(talk->chat);
}

void talk_start(struct talk *talk, const char *options, uint64_t seed)
{
    char line[CHAT_LINE_SIZE];
    uint8_t bytes[32];
    struct mb_error err = {0};
    (void)snprintf(line, sizeof line, "new %s", options);
    talk_do(talk, "Ann", line);
    talk_do(talk, "Bob", "join male");
    talk_do(talk, "Cy", "join female");
    mb_rng_seed_u64(bytes, seed);
    assert_true(session_start(talk->session, bytes, &err));
    desk_speak(&talk->desk, NULL);
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
    return session_game(talk->session);
}
