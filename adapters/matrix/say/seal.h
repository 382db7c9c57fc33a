/*
 * Between what is said and how it travels: content is sealed before it goes into a room, and what
 * comes out of rooms is opened before anything reads it.
 *
 * Whoever sends or reads content of messages goes through here, in a fibre, so that encryption is
 * one module's. Without munchbot-crypto, or a `path` for its keys, a seal changes nothing, and
 * nothing waits. With them it keeps the own device's keys: what a sync tells of keys goes to the
 * helper, and is committed there before the sync is walked, since the next sync deletes it. Who
 * reads is said by who sends, and held twice: the helper shares a key with these alone, and none of
 * its requests goes to anybody else. Nothing is sealed while the own device is not signed; it is
 * when it is new (account/), and only then a request of the helper's may say who the account is.
 * State is never sealed. Which rooms can be spoken in is one question, seal_reads(); which must be
 * encrypted is their makers' (hands.h, makes.h). Reference: Matrix, section 15.
 */
#ifndef ADAPTERS_MATRIX_SAY_SEAL_H
#define ADAPTERS_MATRIX_SAY_SEAL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>
#include <uv.h>

#include "core/base/error.h"

#include "bot/fibre.h"

#include "adapters/matrix/client/api.h"
#include "adapters/matrix/client/room.h"
#include "adapters/net/net_log.h"

enum { SEAL_READERS_MAX = 100, SEAL_FINGERPRINT_SIZE = 64 };

/** Which rooms the bot makes encrypted ones. */
enum seal_makes {
    SEAL_OFF,   /**< none, and there are no keys; hands are shown in clear */
    SEAL_AUTO,  /**< those for people who all have a device that reads */
    SEAL_ALWAYS /**< all; no hand is shown in clear */
};

enum seal_unheard {
    SEAL_UNSIGNED, /**< they have not signed their device */
    SEAL_UNOPENED  /**< its key has not come */
};

/** Words are borrowed for its life. */
struct seal_setup {
    uv_loop_t *loop;
    struct api *api;
    struct fibres *fibres;
    const char *path; /**< where keys are, or NULL: there are none */
    const char *keys; /**< whose devices read: "signed" by their owners, or "all" */
    enum seal_makes makes;
    net_log_fn *log;
    void (*fatal)(void *user, const struct mb_error *why); /**< its keys cannot be used */
    /** An event that could not be opened when it came. */
    void (*late)(void *user, const char *room, json_t *event);
    /** Somebody has said something that is not heard. */
    void (*unheard)(void *user, const char *room, const char *person, enum seal_unheard why);
    /** Somebody would compare keys with the own device, which has nobody to look at it. */
    void (*verifies)(void *user, const char *person, const char *device, const char *transaction);
    void *user; /**< of all */
};

struct seal;

struct seal *seal_create(const struct seal_setup *setup);
/** Lets go of the loop; idempotent, behind fibres_stop(). */
void seal_stop(struct seal *seal);
/** NULL is fine; with the loop empty. */
void seal_destroy(struct seal *seal);

/** Whether there are to be keys, whether munchbot-crypto is there or not. */
bool seal_is_wanted(const struct seal *seal);
/** Whether there are keys to be kept. */
bool seal_has_keys(const struct seal *seal);
/** This process listens for that device, whose keys have been committed so often at least. */
void seal_begin(struct seal *seal, const char *user, const char *device, uint64_t commits);
/** The account and its new device, which is begun. `known`: taken, what the homeserver tells of
 * their keys; NULL: it has not been said. `had`: the device has had keys, there or here. False: the
 * fibre's owner stops. */
MB_MUST_CHECK
bool seal_fresh_await(struct fibre *fibre, struct seal *seal, json_t **known, bool *had);
/** Who signs the device. */
struct seal_identity {
    json_t *seeds; /**< of the account's identity, borrowed; NULL: it gets a new one */
    /** Keeps the seeds of a new one, before anybody else hears of it; false: it cannot. */
    bool (*keep)(void *user, const json_t *seeds);
    /** What proves that the account may have a new one, to a homeserver that has answered so, and
     * answers so again to what does not: taken; NULL: nothing does. */
    json_t *(*prove)(void *user, const json_t *asked);
    void *user;
};
/** Gives such a device its keys, signed. `known`: as above, afterwards; NULL, with an error: it is
 * not done. False: the fibre's owner stops. */
MB_MUST_CHECK
bool seal_identify_await(struct fibre *fibre, struct seal *seal,
                         const struct seal_identity *identity, json_t **known,
                         struct mb_error *err);
/** Deletes the store of a device that was logged out before it got keys. False as above. */
MB_MUST_CHECK
bool seal_forget_await(struct fibre *fibre, struct seal *seal);
/** Another process listens. */
void seal_rest(struct seal *seal);
/** How often its keys have been committed: kept with the place up to which was heard. */
uint64_t seal_commits(const struct seal *seal);

/** What a sync tells of keys, the whole answer, borrowed; committed behind it. False: the fibre's
 * owner stops. */
MB_MUST_CHECK
bool seal_heard_await(struct fibre *fibre, struct seal *seal, const json_t *sync);
/** Who reads what is sealed in an encrypted room, and how its key changes. */
struct seal_readers {
    const char *room;
    json_t *people; /**< ids, an array; the bot is none of them */
    const char *visibility;
    int64_t rotation_ms, rotation_messages;
};

/** How a message travels. */
struct seal_sealed {
    const char *type;
    json_t *content; /**< taken; NULL: it cannot be said yet, or there */
    bool distrusted; /**< somebody who is no reader was to have the key: nothing was sent */
};

/** What an event of this type holds, taken, for its readers; NULL: for a room that is not
 * encrypted, as it is. It waits for nobody's homeserver: while devices are asked for and the key is
 * shared, it says "later". False: the fibre's owner stops. */
MB_MUST_CHECK
bool seal_content_await(struct fibre *fibre, struct seal *seal, const struct seal_readers *readers,
                        const char *type, json_t *content, struct seal_sealed *out);
/** Events of a room, an array in order, borrowed: the same events, as many, each as it was said.
 * One that cannot be opened stays as it came, and is told by `late` (seal_setup) if its key comes
 * within five minutes, else by `unheard`. `sealed`: the room is encrypted; what was said there in
 * clear is not heard (it gets a type that nobody listens to), but for a request to compare keys.
 * False as above. */
MB_MUST_CHECK
bool seal_open_await(struct fibre *fibre, struct seal *seal, const char *room, bool sealed,
                     json_t *events, json_t **out);
/** Whether what is said in a room can be read and answered: it is not encrypted, or it is in the
 * one way that is known, and there are keys: the own device is known to its homeserver, and signed.
 */
bool seal_reads(const struct seal *seal, const struct room *room);
/** Whether there are keys with which rooms can be read and spoken in, now. */
bool seal_is_ready(const struct seal *seal);
/** A device's key as clients show it, in groups of four. */
void seal_write_fingerprint(const char *key, char out[SEAL_FINGERPRINT_SIZE]);
/** The own device's; "": it is not known. */
const char *seal_fingerprint(const struct seal *seal);
/** Whether there will be, as far as is known: it is not the own device that lacks a signature. */
bool seal_will_read(const struct seal *seal);
enum seal_makes seal_makes(const struct seal *seal);
/** Whether each of these people, ids, an array, borrowed, has a device that reads. `*out`: false,
 * too, if that cannot be said now. False: as above. */
MB_MUST_CHECK
bool seal_readers_await(struct fibre *fibre, struct seal *seal, json_t *people, bool *out);

#endif
