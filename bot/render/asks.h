/*
 * What the game asks of people, as one reader sees it: whom, what in one line, how it is answered.
 *
 * Everything that can be asked is a row of bot/text/asks.def. From it come the call and the first
 * lines of the table's message, the first lines of a hand, and the controls beside both.
 */
#ifndef BOT_RENDER_ASKS_H
#define BOT_RENDER_ASKS_H

#include "bot/parse/names.h"
#include "bot/text/text.h"

struct query_fight;
struct scene;

enum ask_rings {
    RINGS_NOBODY,
    RINGS_ALL, /**< who wants to be called for everything */
    RINGS_TURN /**< who wants to be called when the game waits for them */
};

#define ASK(kind, ...) ASK_##kind,
enum ask_kind {
#include "bot/text/asks.def"
    ASK_TOTAL
};
#undef ASK

enum {
    ASKS_MAX = MB_DEALS_MAX + 2,
    ASK_LINE_SIZE = 512,
    ASK_LABEL_SIZE = 160,
    ASK_WORDS_SIZE = 24,
    ASK_SAYS_MAX = 2,
    ASKS_TOLD = 3 /**< lines of a message that has more to say */
};

struct ask {
    uint8_t kind;   /**< enum ask_kind */
    uint8_t seats;  /**< bits: those who are asked and have not answered, as far as all may know */
    uint8_t calls;  /**< bits: whom of them it calls; a Curse calls its victim alone */
    uint8_t number; /**< of a deal, else 0 */
    uint32_t key;   /**< the same as long as it is the same question, whatever lies in between */
};

/** The most pressing first: what holds the turn up, offers, and last whose turn it is. */
struct ask_list {
    unsigned count;
    struct ask items[ASKS_MAX];
};

/** An answer that anybody who is asked can give: what a control shows, and the line it says. */
struct ask_say {
    char label[ASK_LABEL_SIZE];
    char line[ASK_WORDS_SIZE];
};

enum ask_rings ask_rings(unsigned kind);
enum { ASK_RINGING_SIZE = 320 };
/** What those of that kind are called for: "your turn, an offer to you and ...". Returns `out`. */
const char *asks_ringing(enum ask_rings rings, char out[ASK_RINGING_SIZE]);
/** All that is asked at the table of words->view, where that fight goes on; a scene has it. */
void asks_list(const struct table_words *words, const struct query_fight *fight,
               struct ask_list *out);
/** One line, with its end. `seats`: of whom it is said, some of ask->seats. */
void ask_line(const struct scene *scene, const struct ask *ask, unsigned seats,
              struct text_out *out);
/** The answers to an offer, or to an undo; of other questions none. Returns how many. */
unsigned ask_says(const struct scene *scene, const struct ask *ask,
                  struct ask_say out[ASK_SAYS_MAX]);
/** Whether the reader has passed in the answer moment that is open, or else in the win window. */
bool asks_passed(const struct table_words *words);
/** Whether what the reader is asked (an onlooker: all that is asked) tells both sums of the fight.
 */
bool asks_tell_sums(const struct scene *scene);
/** All who are asked something (bits). */
unsigned asks_seats(const struct ask_list *list);
/** Whether one of those seats (bits) is asked about a price: help, a trade, a bribe. */
bool asks_price(const struct ask_list *list, unsigned seats);
/** What the reader has answered and others have not; what they are asked, but for a question that
 * is told with its options (render_question); then the fight, if `fight` and no line has told it.
 */
void render_asked(const struct scene *scene, bool fight, struct text_out *out);
/** What is asked of those seats (bits) and of nobody else: at most so many lines, and how many more
 * there are. */
void render_asks(const struct scene *scene, unsigned seats, unsigned most, struct text_out *out);

#endif
