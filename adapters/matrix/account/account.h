/*
 * The bot's account at its homeserver: logging in, and what would keep it from serving tables.
 *
 * These calls wait for their answers, on a loop of their own. Logging in gives a new device keys
 * and signs them, if there is a place for keys and munchbot-crypto beside munchbot. What signs is
 * the account's identity; the seeds of its keys are a line of the recovery file, which its owner
 * keeps: with it another device is signed by the same identity. Neither they nor a password get
 * into a line or an error. Reference: Matrix, sections 2, 3, 15.8 and 15.11.
 */
#ifndef ADAPTERS_MATRIX_ACCOUNT_ACCOUNT_H
#define ADAPTERS_MATRIX_ACCOUNT_ACCOUNT_H

#include <stdbool.h>

#include "core/base/error.h"

#include "bot/chat.h"

struct account_setup {
    const char *homeserver;
    const char *user_id;   /**< or NULL */
    const char *device_id; /**< or NULL */
    const char *user_agent;
    const char *crypto_path; /**< where its keys are, or NULL: there are none */
    bool all_devices;        /**< those that their owners have not signed read, too */
    bool always;             /**< every room that the bot makes is encrypted */
    const char *ca_file;     /**< beside the system's certificates, or NULL */
};

struct account {
    char user_id[CHAT_ID_SIZE], device_id[CHAT_ID_SIZE], token[512];
};

/** Is told each problem, or what was found to be well, a line each. */
typedef void account_line_fn(void *user, bool problem, const char *line);

struct account_login {
    const char *token;    /**< of a device, that gets keys; NULL: a new one, by password */
    const char *recovery; /**< what the recovery file holds; NULL: there is none */
    bool replace;         /**< the account's identity, whatever the file holds */
    /** The account's; borrowed. NULL: there is none. */
    const char *(*password)(void *user, struct mb_error *err);
    /** Keeps what the recovery file is to hold from now on, before the homeserver knows of it. */
    bool (*keep)(void *user, const char *recovery, struct mb_error *err);
    account_line_fn *line;
    void *user;
};

/** A session whose token does not expire, for this device or, without one, a new one. A device that
 * has had keys gets no others. A login by password that fails
 * logs its new device out and deletes its keys, unless munchbot-crypto itself has failed. */
MB_MUST_CHECK
bool account_login(const struct account_setup *setup, const struct account_login *login,
                   struct account *out, struct mb_error *err);

/** Looks at the token, the account and the server; serves nothing and changes nothing. Returns
 * whether a service could run. */
bool account_check(const struct account_setup *setup, const char *token, account_line_fn *line,
                   void *user);

#endif
