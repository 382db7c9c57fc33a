/*
 * munchbot-crypto, the process that has the keys: asks it, in frames of JSON on a socket pair
 * (adapters/matrix/crypto/README.md).
 *
 * It runs while this process listens, for its store is one process's. One that dies is started
 * again after 1 to 30 s, opened, and asked again what it has not answered; what it dies of
 * VAULT_DEATHS times is given up. One that is asked and says nothing for half a minute is ended,
 * too. VAULT_WINDOW asks are under way, the others wait in order. No
 * text of a frame goes into a log. A store that has gone back, or is another device's, ends the
 * service: sealing with it would use keys twice. Nothing here waits for it but fibres.
 */
#ifndef ADAPTERS_MATRIX_SAY_VAULT_H
#define ADAPTERS_MATRIX_SAY_VAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <uv.h>

#include "core/base/error.h"

#include "bot/fibre.h"

#include "adapters/net/net_log.h"

enum { VAULT_FRAME_MAX = 1024 * 1024, VAULT_WINDOW = 64, VAULT_DEATHS = 3 };

/** Words are borrowed for its life. */
struct vault_setup {
    uv_loop_t *loop;
    const char *program; /**< munchbot-crypto's path */
    const char *path;    /**< below which the stores of all devices lie */
    const char *keys;    /**< whose devices read: "signed" or "all" */
    net_log_fn *log;
    void *log_user;
    void (*fatal)(void *user, const struct mb_error *why); /**< its keys cannot be used */
    void *user;
};

struct vault;

/** The path of munchbot-crypto beside this program; false: there is none. */
bool vault_find(char *out, size_t size);

struct vault *vault_create(const struct vault_setup *setup);
/** Starts it for that device. Its store has had `commits` at least. */
void vault_begin(struct vault *vault, const char *user, const char *device, uint64_t commits);
/** Ends it, until it is begun again: another process listens. Asks are answered by NULL. */
void vault_rest(struct vault *vault);
/** Ends it for good, and says why: such keys are no use. What it was asked is not answered, so that
 * nothing goes on as if it had been. */
void vault_end(struct vault *vault, const char *why);
/** Whether it is begun, and has not ended for good. */
bool vault_is_wanted(const struct vault *vault);
/** Whether what it was asked last could not be stored: it is no fault of the ask. */
bool vault_is_full(const struct vault *vault);
/** Lets go of the loop; idempotent. Nothing is answered any more. */
void vault_stop(struct vault *vault);
/** NULL is fine; with the loop empty. */
void vault_destroy(struct vault *vault);

/** Asks it; `ask`, an object, is taken, and "ask" and "id" are added. `out`: the answer, taken,
 * that is no refusal, or NULL: it cannot be answered. False: the fibre's owner stops. */
MB_MUST_CHECK
bool vault_await(struct fibre *fibre, struct vault *vault, const char *name, json_t *ask,
                 json_t **out);
/** How many commits its store has had, as it has told. */
uint64_t vault_commits(const struct vault *vault);
/** The device that it was begun for, or "". */
const char *vault_device(const struct vault *vault);

#endif
