/*
 * A game as it was seen from outside, written down: each call that a chat gets (chat_send), what a
 * line being typed was offered, and the digest of the state behind each step.
 *
 * Linked with --wrap=chat_send, so that what stands here is what the hall hands over, and not what
 * a fake made of it. Messages are named by kind, reader and number ("hand of Ann 3"), so that one
 * message more changes no line about others. What only machines compare is left out: keys, marks
 * and versions of messages, ids of tables.
 *
 * One account at a time.
 */
#ifndef TESTS_RECORD_WRITTEN_H
#define TESTS_RECORD_WRITTEN_H

#include <stdint.h>
#include <stdio.h>

#include "bot/parse/complete.h"
#include "bot/table/workspace.h"
#include "bot/tools/fake.h"

/** What a line of a record is about; the digest of each stands by itself in games.tsv. */
enum written_part {
    WRITTEN_STATES, /**< of the game, after each step */
    WRITTEN_SAID,   /**< all that is no board: narration, whispers, answers, offers */
    WRITTEN_BOARDS, /**< cards and hands, and what stands in their place */
    WRITTEN_ORDER,  /**< everything, in its order */
    WRITTEN_TOTAL
};

/** Begins an account; `out` gets the whole of it, NULL: its digests are all that is wanted. */
void written_begin(FILE *out);
/** Somebody does something: belongs to the order alone. */
void written_deed(const char *form, ...) __attribute__((format(printf, 1, 2)));
void written_offers(const char *person, const char *line, const struct complete_list *list);
/** A watcher's step (table_watcher). */
void written_step(void *user, const struct table_step *step);
void written_end(uint32_t digests[WRITTEN_TOTAL]);

#endif
