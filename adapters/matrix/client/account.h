/*
 * The bot's account at its homeserver: logging in, and what would keep it from serving tables.
 *
 * These calls wait for their answers. Reference: Matrix, sections 2, 3 and 15.11.
 */
#ifndef ADAPTERS_MATRIX_CLIENT_ACCOUNT_H
#define ADAPTERS_MATRIX_CLIENT_ACCOUNT_H

#include "bot/chat.h"

struct account_setup {
    const char *homeserver;
    const char *user_id;   /**< or NULL */
    const char *device_id; /**< or NULL */
    const char *user_agent;
    const char *crypto_path; /**< where its keys are, or NULL */
    const char *ca_file;     /**< beside the system's certificates, or NULL */
};

struct account {
    char user_id[CHAT_ID_SIZE], device_id[CHAT_ID_SIZE], token[512];
};

/** A token that does not expire, for this device or, without one, a new one. False with a sentence
 * that never holds the password. */
MB_MUST_CHECK
bool account_login(const struct account_setup *setup, const char *password, struct account *out,
                   struct mb_error *err);

/** Is told each problem, or what was found to be well, a line each. */
typedef void account_line_fn(void *user, bool problem, const char *line);
/** Looks at the token, the account and the server; serves nothing and changes nothing. Returns
 * whether a service could run. */
bool account_check(const struct account_setup *setup, const char *token, account_line_fn *line,
                   void *user);

#endif
