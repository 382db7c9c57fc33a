/*
 * What a homeserver has left out of a sync: a part of a timeline, asked for page by page, from
 * behind; who is in a room, asked for at once.
 *
 * A page that is none is asked for again, some times, and while the account is signed out as often
 * as it takes. At most GAP_PAGES pages; behind the bot's own join nothing counts any more. One gap
 * at a time. Reference: Matrix, section 5.
 */
#ifndef ADAPTERS_MATRIX_GAP_H
#define ADAPTERS_MATRIX_GAP_H

#include <uv.h>

#include "adapters/matrix/api.h"
#include "adapters/matrix/sync.h"
#include "adapters/net/net_log.h"

enum { GAP_PAGES = 10, GAP_PAGE = 100 };

/** The events, the oldest first, are the callee's. Not whole: there were more, or the server does
 * not tell them. */
typedef void gap_done_fn(void *user, json_t *events, bool whole);

struct gap_setup {
    uv_loop_t *loop;
    struct api *api;
    const char *bot;
    net_log_fn *log;
    void *log_user;
    /** Whether the answer says that the session is over for good: then nothing is ever done. */
    bool (*is_over)(void *user, const struct api_answer *answer);
    gap_done_fn *done;
    void *user;
};

struct gap;

/** NULL only without memory. */
struct gap *gap_create(const struct gap_setup *setup);
/** Asks for what lies between the gap's token and that of the sync before; never done within. */
void gap_ask(struct gap *gap, const struct sync_gap *where, const char *since);
/** Asks who is in a room; never done within. */
void gap_ask_members(struct gap *gap, const char *room);
/** Lets go of the loop; behind api_close(). */
void gap_stop(struct gap *gap);
/** NULL is fine; with the loop empty. */
void gap_destroy(struct gap *gap);

#endif
