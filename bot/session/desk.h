/*
 * A session at a place of a chat: what is said there goes in, what the session says goes out.
 *
 * Borrows session, chat and queue. Private messages and replies go to one person only. A message
 * that the chat refuses is lost here (the outbox of the store is to keep it) and counted.
 */
#ifndef BOT_SESSION_DESK_H
#define BOT_SESSION_DESK_H

#include "bot/chat_queue.h"
#include "bot/session/session.h"

struct desk {
    struct session *session;
    struct chat *chat;
    struct chat_queue *queue;
    const char *place;
    unsigned long lost; /**< messages the chat did not take */
};

/** Deals with everything that was heard at this place; what belongs elsewhere is dropped. */
void desk_hear(struct desk *desk);
/** Moves the session's clock and says what came of it. */
void desk_advance(struct desk *desk, int64_t ms);
/** Says what is in the session's outbox; `asker` gets the replies to nobody's seat (may be NULL).
 */
void desk_speak(struct desk *desk, const char *asker);

#endif
