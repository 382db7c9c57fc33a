// What the chat is made of, for who listens and for matrix.c.
#ifndef ADAPTERS_MATRIX_MATRIX_IMPL_H
#define ADAPTERS_MATRIX_MATRIX_IMPL_H

#include "bot/chat_impl.h"

#include "adapters/matrix/listen/listen.h"
#include "adapters/matrix/listen/poll.h"
#include "adapters/matrix/matrix.h"
#include "adapters/matrix/rooms/house.h"
#include "adapters/matrix/say/lobbies.h"
#include "adapters/matrix/say/seal.h"
#include "adapters/matrix/say/speech.h"

enum { MATRIX_NAME_SIZE = 256 };

struct matrix {
    struct chat chat;
    struct matrix_setup setup;
    struct api *api;
    struct fibres *fibres;
    struct limits limits;
    struct seal *seal;
    struct rooms *rooms;
    struct numbers *numbers;
    struct blurted *blurted;
    struct lobbies *lobbies;
    struct speech *speech; // as soon as it is known who the bot is
    struct heard *heard;
    struct house *house; // the same
    struct poll *poll;
    char user_id[CHAT_ID_SIZE], name[MATRIX_NAME_SIZE];
    bool started, stopped;
    bool near; // the host was told that the network can be heard
};

void matrix_log(const struct matrix *matrix, enum net_log_level level, const char *event,
                const char *text);
/* What was heard goes into the hall's queue, as far as that takes it; then syncs go on. */
void matrix_pump(struct matrix *matrix);
/* News, for the hall. */
void matrix_tell(struct matrix *matrix, const struct chat_in *in);

/* What poll.c tells hear.c: who the bot is, by which name; ... */
void matrix_begin(struct matrix *matrix, const char *bot, const char *name);
/* ... before a sync that tells of all rooms is told, the homeserver's list of those that the bot is
 * in, from before that sync, and the answer; ... */
void matrix_counted(struct matrix *matrix, const json_t *joined, const json_t *sync);
/* ... that a part of what was said in a room is lost for good; ... */
void matrix_lost(struct matrix *matrix, const char *room, const char *token);
/* ... that a sync is told whole, and poll_go_on() is called when its lines are in the queue; ... */
void matrix_walked(struct matrix *matrix);
/* ... that nothing has been heard for too long, or it is another process's to hear. */
void matrix_silent(struct matrix *matrix);

/* An event that could not be opened when it came (say/seal.h); `user` is the matrix. */
void matrix_late(void *user, const char *id, json_t *json);

/* The ways in which a sync tells (sync.h); `user` is the matrix. */
struct room *matrix_room_for(void *user, const char *id);
void matrix_happened(void *user, struct room *room, const struct wire_event *event);
void matrix_changed(void *user, struct room *room, const struct wire_event *event, bool fresh);
void matrix_too_large(void *user, const char *id);
void matrix_left(void *user, const char *id, bool thrown_out);
void matrix_invited(void *user, const struct sync_invitation *invitation);

/* What was heard and did not find room in the hall's queue yet, oldest first (hear.c). */
struct heard;

struct heard *heard_create(void);
/** NULL is fine. */
void heard_destroy(struct heard *heard);
/** Keeps a copy. */
void heard_add(struct heard *heard, const struct chat_in *in);
/** Pushes what the queue takes; who floods it, and what it will never take, is dropped. Returns
 * whether nothing waits here any more. */
bool heard_push(struct heard *heard, struct chat_queue *queue);

#endif
