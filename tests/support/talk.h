/*
 * A table carried by hand, for tests of conversations: people say lines, time passes, and what was
 * said to whom is looked up. Everything that fails here fails the test.
 */
#ifndef TESTS_SUPPORT_TALK_H
#define TESTS_SUPPORT_TALK_H

#include "bot/chat.h"
#include "bot/text/text.h"
#include "bot/tools/solo.h"

enum { TALK_HEARD_MAX = 4096 };

/** Something that was said: to a person, or to everybody (""). */
struct talk_heard {
    char *person, *text;
};

struct talk {
    struct catalog *catalog;
    struct solo *solo;
    struct talk_heard heard[TALK_HEARD_MAX];
    size_t heard_count;
};

/** cmocka set-up and tear-down; *state is a struct talk. */
int talk_set_up(void **state);
int talk_tear_down(void **state);

/** Somebody says a line, whatever comes of it. */
void talk_say(struct talk *talk, const char *person, const char *line);
/** It must be accepted. */
void talk_do(struct talk *talk, const char *person, const char *line);
/** The code a line is refused with, or REFUSAL_NONE. */
unsigned talk_code(struct talk *talk, const char *person, const char *line);
void talk_wait(struct talk *talk, int64_t ms);
/** Whether something that holds the text was said since talk_forget(), to a person or (NULL) to
 * everybody. */
bool talk_heard(const struct talk *talk, const char *person, const char *text);
/** The same for a sentence of the catalogue, as it is worded with these arguments. */
bool talk_heard_text(const struct talk *talk, const char *person, enum text_id id,
                     const struct text_arg *args);
/** Whether a sentence was said that begins as this one does, up to its first value. */
bool talk_heard_kind(const struct talk *talk, const char *person, enum text_id id);
void talk_forget(struct talk *talk);
/** The seat of somebody, by name; NO_SEAT. */
unsigned talk_seat(const struct talk *talk, const char *name);

/** Ann opens a table with these options, Bob and Cy sit down, Ann starts with a small seed. */
void talk_start(struct talk *talk, const char *options, uint64_t seed);
/** The same, and everybody is done with the set-up; returns whose turn it is. */
unsigned talk_first_turn(struct talk *talk, const char *options, uint64_t seed);
const struct game *talk_game(const struct talk *talk);

#endif
