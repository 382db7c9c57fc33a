/*
 * A message on its way into a room, from chat_out to its outcome.
 *
 * Its text is whole: of a card whom the table waits for, then what the turn has told, then the
 * table. Pure, but for memory.
 */
#ifndef ADAPTERS_MATRIX_SAY_LETTER_H
#define ADAPTERS_MATRIX_SAY_LETTER_H

#include <jansson.h>

#include "core/codec/memory.h"

#include "bot/chat.h"

#include "adapters/matrix/say/boards.h"
#include "adapters/matrix/say/outlet.h"

enum { LETTER_TXN_SIZE = 64 };

struct speech;

struct letter {
    struct letter *next;
    struct mb_pool words; /**< all its texts */
    struct speech *speech;
    uint64_t number;
    struct chat_key key;
    uint64_t mark;
    enum chat_kind kind;
    uint32_t turn, chapter;
    char *prompt, *story, *table; /**< of these the text is put together */
    char *kept;                   /**< the story that the card in its place tells */
    char *place, *person, *replaces, *text, *event; /**< NULL: none */
    char *share, *cause;             /**< whose message it is (outlet.h); NULL: nobody's doing */
    bool live;                       /**< a game goes on at its table */
    char **called, **asked, **lines; /**< lines: what numbers under it say */
    size_t called_count, asked_count, line_count;
    struct chat_bond bond;
    char *room;       /**< where it goes; NULL: that is not known yet */
    int64_t since_ms; /**< when it, or what it has taken the place of, began to wait */
    unsigned tries;
    int64_t tried_ms;          /**< when it was tried first, or -1 */
    struct chat_question asks; /**< of a hand: in which turn the game waits for its owner */
    bool anew;         /**< of a card: it asks somebody what the one that was shown last does not */
    bool unasked;      /**< nobody has asked for it, and no table says it */
    bool aside;        /**< it holds nothing of anybody: an encrypted room may be told, too */
    bool seals;        /**< it is shown in an encrypted room, or nowhere */
    unsigned turned;   /**< how often it had to go into another room */
    bool again;        /**< an earlier process may have sent it */
    bool stays;        /**< of a card: the table lies here, and not elsewhere by now */
    int64_t looked_ms; /**< when it was looked for in its room and not found, or -1 */
    bool edits;        /**< as it was tried, with all that goes with it: it edits `shown` */
    bool unsure;       /**< what it posts anew may stand there already, with another text */
    char shown[CHAT_ID_SIZE];
    char txn[LETTER_TXN_SIZE]; /**< as it was tried first, or "" */
    json_t *sealed;            /**< what went under that into an encrypted room, or NULL */
};

/** What is `open` goes to everybody if there is nowhere else for it. `prefix`:
 * of commands where everybody reads, without its "!". */
struct letter *letter_make(const struct chat_out *out, bool in_public, const char *prefix);
void letter_free(struct letter *letter);
static inline bool letter_is_board(const struct letter *letter)
{
    return letter->kind == CHAT_CARD || letter->kind == CHAT_HAND;
}
/** Whose it is, for the outlet: a table's at which a game goes on; else of who has caused it, reads
 * it, or of its place. Borrowed from the message. */
const char *letter_share(const struct chat_out *out);
/** A card that asks nobody anew, and calls nobody, is as one that asks nobody. */
enum outlet_urgency letter_urgency(const struct letter *letter);
/** Notes what it asks anew and puts it into the outlet for that room. Returns the number of the
 * letter that it has replaced there, which is never sent, or 0. */
uint64_t letter_queue(struct letter *letter, const char *room, struct boards *boards,
                      struct outlet *outlet, int64_t now_ms);
/** It takes the place of one that was never sent: whom that was to call, and it still asks, it
 * calls; what is as urgent as that has waited as long. */
void letter_inherit(struct letter *letter, struct letter *old);
/** Whether it is to be looked for before it is sent: an earlier process may have sent it, or the
 * server may have forgotten by now that it has. */
bool letter_is_doubtful(const struct letter *letter, int64_t now_ms);
/** Names it, so that the server knows it once more: an edit by its text, what takes the place of
 * another message by that, else by its key. `secret` is the store's, so that another process gives
 * the same name and the server learns nothing of the text. */
void letter_name(struct letter *letter, const uint8_t secret[CHAT_SECRET_SIZE]);

#endif
