/*
 * Decisions: asking seats to choose, one shape for every question.
 *
 * A frame asks in one step and reads the answers in the next (`choice_answered`), then closes with
 * choice_close(). A question with one way to answer is answered by itself.
 */
#ifndef CORE_CHANGE_CHOICE_H
#define CORE_CHANGE_CHOICE_H

#include "core/change/emit.h"

struct question {
    uint8_t kind;  /**< enum decision_kind */
    uint8_t seats; /**< bits of who is asked */
    uint8_t min, max;
    bool own_only; /**< each seat among its own cards */
    bool may_pass;
    int16_t value_min;
    uint16_t subject, source;
};

/** The plain question: one seat names just n things, about a card (NO_CARD: none). */
struct question choice_question(unsigned kind, unsigned seat, unsigned n, uint16_t about);

/** Asks about cards. */
void choice_cards(struct engine *engine, const struct question *question, const uint16_t *cards,
                  unsigned count);
/** Asks about seats, numbers or yes (1) and no (0). */
void choice_options(struct engine *engine, const struct question *question, const uint16_t *options,
                    unsigned count);
/** Asks one seat yes or no about a card. */
void choice_yes_no(struct engine *engine, unsigned seat, uint16_t subject, uint16_t source);
/** Whether all have answered. */
bool choice_answered(const struct game *game);
/** The first answer, or NO_CARD if nothing was named. */
uint16_t choice_first(const struct game *game);
void choice_close(struct engine *engine);

/** How many options a seat has; whether a value is one of them. */
unsigned choice_count(const struct game *game, const struct box *box, unsigned seat);
bool choice_offers(const struct game *game, const struct box *box, unsigned seat, uint16_t value);
/** The cards a seat may choose among, in the order in which they are shown and numbered. */
unsigned choice_list(const struct game *game, const struct box *box, unsigned seat,
                     uint16_t out[MB_CARDS_MAX]);
/** Whether the decision's options are cards. */
bool choice_of_cards(const struct game *game);
/** Puts the dearest cards first, as many as one answer names; returns what these are worth, which
 * is the most that a question can ask for. */
int choice_dearest(const struct box *box, uint16_t *cards, unsigned count);
/** The answer that a deadline gives for a seat: the first `min` options (no for yes/no). */
unsigned choice_default(const struct game *game, const struct box *box, unsigned seat,
                        uint16_t *out);

#endif
