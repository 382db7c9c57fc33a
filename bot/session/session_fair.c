// Fairness: the commitment to the seed before the first card, the seed after the last, and between
// them the journal from which everybody can play the game again.
#include <stdlib.h>
#include <string.h>

#include "bot/render/render.h"
#include "bot/session/session_impl.h"

enum { LINE_SIZE = 512 };

bool session_keep_journal(struct session *session)
{
    if (session->journal == NULL) {
        session->journal = calloc(1, sizeof *session->journal);
    }
    return session->journal != NULL;
}

const struct journal *session_journal(const struct session *session)
{
    return session->journal;
}

static struct journal_player player_of(const struct session *session, unsigned seat)
{
    const struct session_seat *const who = &session->seats[seat];
    struct journal_player player = {{0}, {0}};
    memcpy(player.name, who->name, strnlen(who->name, sizeof player.name - 1));
    if (who->policy != NULL) {
        memcpy(player.bot, who->policy->name, strnlen(who->policy->name, sizeof player.bot - 1));
    }
    return player;
}

static void say(struct session *session, const char *line)
{
    if (message_add(&session->outbox, MESSAGE_TABLE, NO_SEAT, line)) {
        session_log_add(&session->log, line);
    }
}

void session_fair_begin(struct session *session, const struct game_setup *setup)
{
    char line[LINE_SIZE];
    memcpy(session->seed, setup->seed, sizeof session->seed);
    session->seeded = true;
    journal_commitment(session->seed, session->seal);
    session_tell(session, TEXT_SCORE_GOAL,
                 TEXT_ARGS(text_num("n", session->box.profile.constant[PROFILE_GOAL])));
    (void)render_commitment(session->seal, line, sizeof line);
    say(session, line);
    if (session->journal == NULL) {
        return;
    }
    struct journal_player players[MB_SEATS_MAX];
    for (unsigned i = 0; i < session->seat_count; i++) {
        players[i] = player_of(session, i);
    }
    const struct journal_start start = {.catalog = session->catalog,
                                        .box = &session->box,
                                        .sets = session->options.sets,
                                        .set_count = session->options.set_count,
                                        .setup = setup,
                                        .players = players,
                                        .game = session->game};
    journal_begin(session->journal, &start);
}

void session_fair_step(struct session *session, const struct command *command)
{
    if (session->journal != NULL && session->seeded) {
        journal_command(session->journal, command, &session->workspace->events, session->game);
    }
}

void session_fair_seat(struct session *session, unsigned seat)
{
    if (session->journal != NULL && session->seeded) {
        const struct journal_player player = player_of(session, seat);
        journal_seat(session->journal, seat, &player);
    }
}

void session_fair_end(struct session *session, enum journal_state state)
{
    if (!session->seeded) {
        return; // arranged, not dealt
    }
    session->seeded = false;
    if (session->journal != NULL) {
        session->journal->state = state;
    }
    if (state != JOURNAL_INTERRUPTED) {
        char seed[DIGEST_HEX_SIZE];
        digest_hex(session->seed, sizeof session->seed, seed);
        char line[LINE_SIZE];
        (void)render_seed(seed, session->seal, line, sizeof line);
        say(session, line);
    }
}

void session_interrupt(struct session *session)
{
    session_fair_end(session, JOURNAL_INTERRUPTED);
}
