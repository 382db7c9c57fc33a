/*
 * What a session needs only while it works: lent by whoever hosts sessions, one for all of them.
 *
 * A session alone keeps its state, names, clocks and log; decided states, redacted views, events,
 * moves and texts live here from one command to the next of any session. A view carries the stamp
 * of the state it was made from; stamps are never given twice by one workspace, so a view of an
 * older state or of another table is never taken for the wanted one.
 *
 * One workspace serves the sessions of one thread and outlives them. The insides are for
 * bot/session/ only.
 */
#ifndef BOT_SESSION_SESSION_WORKSPACE_H
#define BOT_SESSION_SESSION_WORKSPACE_H

#include "core/game.h"
#include "core/moves.h"

enum { SESSION_TEXT_SIZE = 32768 };

/** A redacted state and the stamp of the state it shows; 0: none yet. */
struct session_view {
    struct game *state; /**< made when first needed */
    uint64_t stamp;
};

struct session_workspace {
    uint64_t last_stamp;
    struct game *after;
    struct session_view views[MB_SEATS_MAX + 1]; /**< by seat, the last one an onlooker's */
    struct event_list events;
    struct move_list moves;
    char text[SESSION_TEXT_SIZE];
};

/** NULL only without memory. */
struct session_workspace *session_workspace_create(void);
/** NULL is fine. */
void session_workspace_destroy(struct session_workspace *workspace);
/** A stamp that no state of this workspace has had. */
uint64_t session_workspace_stamp(struct session_workspace *workspace);

#endif
