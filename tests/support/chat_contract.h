/*
 * What every chat must keep to, whatever its platform: one suite run against each adapter.
 *
 * An adapter's test brings a rig: how to open a chat that talks to a counterfeit platform, how that
 * platform delivers a line, and what a reader there has seen. Two people are known to it: Ann and
 * Bob, at the place "here".
 */
#ifndef TESTS_SUPPORT_CHAT_CONTRACT_H
#define TESTS_SUPPORT_CHAT_CONTRACT_H

#include "bot/chat_queue.h"

struct chat_contract {
    const char *name;
    /** A chat that is not started yet, and what belongs to it; freed by close. */
    void *(*open)(struct chat_queue *queue, struct chat **chat);
    void (*close)(void *rig);
    /** The platform delivers a line of a person; false if it learns that it was not taken. */
    bool (*hear)(void *rig, const char *person, const char *line);
    /** All that a person has been shown since they were last asked, public and private, in order;
     * good until the next call. */
    const char *(*seen_by)(void *rig, const char *person);
    /** Makes the n-th message from now fail; NULL where nothing can fail. */
    void (*fail_at)(void *rig, unsigned n);
    /** From now on outcomes come later than chat_send() returns, and what is under way has none
     * before `deliver`, which ends them all; NULL where everything arrives at once. */
    void (*hold)(void *rig);
    void (*deliver)(void *rig);
    /** The platform is lost, or found again, and the chat has told it; NULL where there is no
     * network. */
    void (*link)(void *rig, bool back);
};

/** Runs the suite; the exit status. */
int chat_contract_run(const struct chat_contract *contract);

#endif
