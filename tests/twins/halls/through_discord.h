/*
 * A side's messages once more, as Discord is told them: through the adapter's own post.c and
 * answers.c, into requests that go nowhere. Each request that anybody but the secret seat sees
 * something of is written into the side's account with its whole body; apart from what a message's
 * key makes (payload_once()), which counts what the secret seat is sent, too.
 *
 * Private channels open at once, every request is good, and Discord's clock is the side's.
 */
#ifndef TESTS_TWINS_HALLS_THROUGH_DISCORD_H
#define TESTS_TWINS_HALLS_THROUGH_DISCORD_H

#include "bot/tools/fake.h"

struct pair_told;
struct through;

/** What the chat of such a side can do. */
enum {
    THROUGH_CAPS =
        CHAT_CAP_BUTTONS | CHAT_CAP_PRIVATE | CHAT_CAP_EDIT | CHAT_CAP_HINTS | CHAT_CAP_STORY
};

/** Both borrowed for its life. */
struct through *through_open(struct pair_told *told, const char *secret);
/** NULL is fine. */
void through_close(struct through *through);
/** Somebody is about to say or press this: the words that it is answered by (chat_in.answer). */
const char *through_asked(struct through *through, const struct chat_in *in, const char *replaces);
/** A message was delivered. Whether all at its place were shown something. */
bool through_tell(struct through *through, const struct fake_message *message);

#endif
