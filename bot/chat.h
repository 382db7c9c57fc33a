/*
 * Chats: where people talk to the bot. What the bot may do with one, and what it hears from it.
 *
 * A chat is an adapter behind four functions (bot/chat_impl.h). Everything a person reads goes
 * through chat_send(); everything a person says arrives as a chat_in in the bounded queue of the
 * sink (bot/chat_queue.h), which the host drains at its own pace. Texts are UTF-8 and plain: an
 * adapter escapes what its platform would take for markup, and lets nobody be pinged but
 * chat_out.pings.
 *
 * What a platform tells besides comes the same way, in the order in which it happened: whether a
 * network or a community in it can be heard (with CHAT_CAP_AFAR it cannot before the chat says so),
 * what has become of places and people (enum chat_in_kind).
 *
 * The way back: a message that chat_send() took has exactly one outcome, delivered or never, told
 * to who listens (chat_listen) during the call or later; what one reader is sent arrives in order.
 * A chat that is stopped tells no outcome any more: what had none is whoever's who keeps messages.
 *
 * Ids are the platform's, at most 320 bytes. Longer ones are refused and never cut, for two that
 * were cut alike would be one person or one place.
 *
 * What one chat can do and another cannot is a capability; what is done instead is bot/'s to say:
 *   CHAT_CAP_EDIT     table card and hand are edited in place. Without: the card is posted when a
 *                     turn begins, the hand when its owner comes to be waited for.
 *   CHAT_CAP_BUTTONS  card, hand and answers that one person sees carry controls: buttons, menus
 *                     and forms (bot/table/panel.h). Without: every command is typed, as it can be
 *                     everywhere.
 *   CHAT_CAP_PRIVATE  one person can be told what others do not read. Without: no table is opened
 *                     there, for a hand could be shown to nobody.
 *   CHAT_CAP_PACED    its people sit in front of it: bot players act one by one, each when what
 *                      was said before has been read (its outcome), and a table goes on even if no
 *                     person plays. Cards tell who is asked and what the clock has left, hands
 *                     what a prompt says. Without: bot players act at once while nobody else may.
 *   CHAT_CAP_ONE      the platform knows the bot once: of several processes on one store one
 *                     speaks there, for all tables. Without: each speaks for the tables it holds.
 *   CHAT_CAP_NUMBERS  what one could say now stands under a hand, in numbered lines, and the
 *                     numbers come back as presses. Without: where there are no buttons either,
 *                     all is typed.
 *   CHAT_CAP_STORY    one message is all that the table says: the story of the turn so far, the
 *                     table as it is, the controls. It is edited while nobody is called; a card of
 *                     another chapter (chat_out.chapter) is posted anew, below all others, and the
 *                     message before it keeps its story. Without: narration is a message of its
 *                     own.
 *   CHAT_CAP_SCARCE   a message costs seconds: of hands the chat sends first those of whom the
 *                     table waits for. A newer card or hand is handed on while an older one waits
 *                     there, and may take its place.
 *   CHAT_CAP_SIGNS    the chat puts two signs under a lobby's card; tapping them says "join" or
 *                     "start" (TEXT_LOBBY_SIGNS explains them). Without: that is typed or pressed.
 *   CHAT_CAP_HINTS    who cannot be written to in private is told so by the chat itself, and nobody
 *                     else is. Without: the table is told, and calls them.
 *   CHAT_CAP_ROOM     a table can have a room of its own (CHAT_ROOM): cards are dealt when it is
 *                     there, or will not be, and where it was made of a card shows the way.
 *                     Without: the game stays where its table was opened.
 *   CHAT_CAP_SEEK     nobody tells the chat who leaves a community: it finds out when it is asked
 *                     (CHAT_SEEK). Without: it tells of that by itself.
 *   CHAT_CAP_AFAR     there is a network between it and its people: it counts as away from the
 *                     moment it is started until it tells that it is back.
 */
#ifndef BOT_CHAT_H
#define BOT_CHAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/error.h"
#include "core/codec/memory.h"
#include "core/state/refusal.h"

enum {
    CHAT_ID_SIZE = 321,
    CHAT_TABLE_SIZE = 24,
    CHAT_NAME_SIZE = 256,
    CHAT_LINE_SIZE = 512,
    CHAT_ANSWER_SIZE = 513,
    CHAT_LABEL_SIZE = 80,
    CHAT_HINT_SIZE = 101,
    CHAT_COMMUNITIES_SIZE = 65536,
    CHAT_CONTROLS_MAX = 25,
    CHAT_CHOICES_MAX = 25,
    CHAT_REACH_NEVER = -1,
    CHAT_REACH_INVITED = -2,
    CHAT_PATH_SIZE = 56,
    CHAT_PROMPT_SIZE = 512,
    CHAT_CAP_BUTTONS = 1,
    CHAT_CAP_PRIVATE = 2,
    CHAT_CAP_EDIT = 4,
    CHAT_CAP_PACED = 8,
    CHAT_CAP_ONE = 16,
    CHAT_CAP_AFAR = 32,
    CHAT_CAP_NUMBERS = 128,
    CHAT_CAP_SCARCE = 256,
    CHAT_CAP_ROOM = 1024,
    CHAT_CAP_SEEK = 2048,
    CHAT_CAP_STORY = 4096,
    CHAT_CAP_SIGNS = 8192,
    CHAT_CAP_HINTS = 512
};

/** What a message is, and so who reads it and whether it takes the place of an earlier one. */
enum chat_kind {
    CHAT_NARRATION, /**< to everybody at the place; what has happened */
    CHAT_CARD,      /**< to everybody: the table as it is; one a table, edited in place */
    CHAT_WHISPER,   /**< to one person; what only they learn */
    CHAT_HAND,      /**< to one person: their hand; one a table and person, edited in place */
    CHAT_REPLY,     /**< to one person: the answer to what they said; nobody else sees it */
    /** Asks for a room: it says nothing. Of a name (`text`) one is made, of the card `replaces`
     * where that lies; its id is the room's (the place's own: none can be there, and it stays).
     * Without a name `place` is one: who is called belongs in it, and it is to be found again. */
    CHAT_ROOM,
    CHAT_FORGET, /**< shows nothing: what one person was told in private is taken away, as far as
                  * the platform lets; delivered once it is */
    CHAT_SEEK    /**< shows nothing: whether one person is in the community `place`;
                  * CHAT_IN_PERSON_GONE or CHAT_IN_PERSON_BACK tells, nothing where that cannot be
                  * said. Best effort. */
};

static inline bool chat_kind_is_private(enum chat_kind kind)
{
    return kind == CHAT_WHISPER || kind == CHAT_HAND || kind == CHAT_REPLY || kind == CHAT_FORGET ||
           kind == CHAT_SEEK;
}

/** Where a control stands. A typed line has none. */
enum chat_control_on {
    CHAT_TYPED,
    CHAT_ON_CARD,
    CHAT_ON_HAND,
    CHAT_ON_PANEL,
    CHAT_ON_FORM /**< what was written into a form: a line of whoever did, of whatever age */
};

/** What a control is bound to: pressed later than that, it is stale. Comes back as it was sent. */
struct chat_bond {
    char table[CHAT_TABLE_SIZE]; /**< the table's id, "" with typed lines */
    uint32_t version;            /**< counts what the message has shown */
    uint16_t decision;           /**< the question that was open, or 0 */
    uint8_t on;                  /**< enum chat_control_on */
};

/** What a table asks, by a number (0: nothing), and bits of the seats that have not answered. A
 * card that asks the same of some of those whom an earlier one asked, none of whom has answered
 * meanwhile, asks nobody anew. */
struct chat_question {
    uint16_t what;
    uint8_t seats;
};

/** What is told. Of what is no line or press only the members named here count, and `name`,
 * `place_name` where people or places have names. */
enum chat_in_kind {
    CHAT_IN_LINE,  /**< a person types */
    CHAT_IN_PRESS, /**< a person presses a control */
    /* Nothing is heard of `communities`, or of the network if that is empty; or it is again. */
    CHAT_IN_AWAY,
    CHAT_IN_BACK,
    CHAT_IN_PLACE_CLOSED, /**< `place` is locked, or cannot be written to any more ... */
    CHAT_IN_PLACE_OPEN,   /**< ... and now it can again */
    CHAT_IN_PLACE_GONE,   /**< `place` is deleted, or closed to the bot */
    CHAT_IN_PLACE_MOVED,  /**< what was at `place` goes on at `moved` */
    CHAT_IN_PLACE_ASLEEP, /**< nobody finds `place` any more, unless it is woken (CHAT_ROOM) */
    /* What is private does not reach `person`; or it does again. */
    CHAT_IN_UNREACHABLE,
    CHAT_IN_REACHABLE,
    /* `person` is no longer in `community` ("" : at `place`); or is again. */
    CHAT_IN_PERSON_GONE,
    CHAT_IN_PERSON_BACK,
    /* The bot is no longer in `community`; or is again. */
    CHAT_IN_COMMUNITY_GONE,
    CHAT_IN_COMMUNITY_BACK
};

/** Whether somebody says it. */
static inline bool chat_in_is_said(enum chat_in_kind kind)
{
    return kind <= CHAT_IN_PRESS;
}

/** A command of a person at a place, in the one grammar, or something else that a chat tells. Words
 * are borrowed; NULL counts as "". */
struct chat_in {
    const char *place;  /**< channel, thread or room; the private room if `direct` */
    const char *person; /**< who, in the platform's own terms */
    const char *event;  /**< the platform's id of it: redeliveries have the same; or "" */
    const char *line;
    const char *name;        /**< as the platform shows the person; "" : as `person` */
    const char *place_name;  /**< as it shows the place; "" : as `place` */
    const char *community;   /**< the server or space of the place; "" : the place */
    const char *communities; /**< AWAY, BACK: several, with a blank between; "" : the network */
    const char *moved;       /**< MOVED: another place */
    /** The chat's own words for answering exactly this, or "" : something that is said bears them
     * (chat_out.answer), if it is only that nothing has come of the line. */
    const char *answer;
    /** Of a press: the page that it stood on (chat_out.path), or that it opens
     * (chat_control.opens). */
    const char *path;
    int64_t age_ms; /**< how long ago it was said, as the platform tells */
    enum chat_in_kind kind;
    /** Of a press: the control that was pressed ... */
    struct chat_bond bond;
    /** ... its number there, from 1 on: `line` does not count, but of a number that was typed: what
     * it said there when that was shown. 0: it opens `path`, or says `line` (of typed numbers what
     * they were made whole to). */
    uint16_t pressed;
    uint8_t pick_count;
    uint8_t picks[CHAT_CHOICES_MAX]; /**< of a menu: numbers of choices, from 1 on, as picked */
    bool direct;                     /**< said where only the bot listens */
    bool open;                       /**< others read the line itself */
    bool afar; /**< said elsewhere, for the table at `place`: what is answered is not read there */
    bool moderator; /**< the platform lets the person moderate the place */
};

enum chat_control_kind {
    CHAT_BUTTON,
    CHAT_MENU, /**< `min` to `max` of its choices are picked at once */
    CHAT_FORM  /**< a button that asks for a text first */
};

enum chat_control_tone { CHAT_PLAIN, CHAT_LIKELY, CHAT_DANGER };

/** What a form asks for; the words are form_words() (bot/text/text.h). */
enum chat_form {
    CHAT_FORM_LINE,
    CHAT_FORM_CARD,
    CHAT_FORM_WHY,
    CHAT_FORM_RULES,
    CHAT_FORM_OPTIONS,
    CHAT_FORM_TOTAL
};

/** One of a menu: the line that picking it says, or the page that it leads to. */
struct chat_choice {
    const char *label;
    const char *hint;  /**< what it is, in one sentence, or "" */
    const char *line;  /**< "" : it says none by itself */
    const char *leads; /**< the path of a page, "" : to none */
};

/** Something to press. What it says and where it leads is for whoever finds it again by its number;
 * a chat shows the labels. */
struct chat_control {
    uint8_t kind, tone; /**< enum chat_control_kind, chat_control_tone */
    uint8_t form;       /**< enum chat_form */
    uint8_t min, max;   /**< of a menu */
    const char *label;  /**< of a menu: what stands there while nothing is picked */
    const char *line;   /**< that pressing it says, "" : none */
    const char *leads;  /**< the page that it leads to, "" : to none */
    const char *opens; /**< the page of its presser's own panel, of whatever age it is; "" : none */
    const struct chat_choice *choices;
    size_t choice_count;
};

enum { CHAT_SECRET_SIZE = 16 };

/** Names a message for ever: the epoch of the store that made it and a number in it. */
struct chat_key {
    uint64_t epoch, number;
};

/** What a card shows, for a chat that has colours: ever more pressing, then over. */
enum chat_mood {
    CHAT_MOOD_NONE,
    CHAT_MOOD_LOBBY,
    CHAT_MOOD_TURN,
    CHAT_MOOD_FIGHT,
    CHAT_MOOD_LAST,
    CHAT_MOOD_OVER
};

/** What is said. Borrowed during the call only. */
struct chat_out {
    enum chat_kind kind;
    struct chat_key key;
    uint64_t mark;     /**< what others may see of the key; chat_send() makes it */
    const char *cause; /**< the person whose doing it is, where somebody's; or NULL */
    bool live;         /**< a game goes on at its table */
    uint8_t mood;      /**< of a card: enum chat_mood */
    const char *place;
    const char *person; /**< for private kinds only; else NULL */
    const char *event;  /**< of a reply: the event it answers, or NULL */
    /** What it answers, in the chat's own words (chat_in.answer), or NULL. Narration that bears
     * them is the answer that all read; of several messages that do the first answers, the others
     * come behind it. A reply without text says only that it was heard. A card or hand that bears
     * them is shown where it was pressed by its answer, instead of an edit. */
    const char *answer;
    bool
        retries; /**< its reader has asked for it once more: what is private is to be tried again */
    bool again;  /**< an earlier process may have sent it already */
    bool anew; /**< of a reply to a press: it stands in the place of the message that was pressed */
    const char *replaces; /**< the platform's id of the message that it edits, or NULL */
    const char *text;
    const char *moved; /**< of a card where the table came from: where it lies now; or NULL */
    /** The line for a push, which names no card of a hand; NULL: the text may be read by all. On a
     * card, and on what calls people: whom the table waits for, and for what. */
    const char *prompt;
    /** Of a card that tells its story: the latest lines of what its chapter has told so far, which
     * is said nowhere else; "" : nothing. NULL: this chat is told by narration. */
    const char *story;
    /** Of such a card: the story that the message which it replaces tells; NULL: not known. */
    const char *kept;
    bool open; /**< of a reply: it holds nothing private, where the person stands it may be shown */
    const struct refusal *refusal; /**< of a reply that refuses: its code and rule; or NULL */
    const char *const *pings;      /**< persons whom the message is to call */
    size_t ping_count;
    /** Of what has controls; the table's id of all that is said at one. A private answer may have
     * those of the card. */
    struct chat_bond bond;
    const struct chat_control *controls;
    size_t control_count;
    uint32_t turn;    /**< of a card: the turn that it shows, 0 until a game begins */
    uint32_t chapter; /**< of a card: grows with each turn and each call */
    int64_t clock_ms; /**< of a card: what is left on the clock that it shows, -1: none */
    const char *path; /**< the page that the controls make, or NULL */
    /** Of a card: persons who are waited for; of a hand: its owner, if they are. For chats that are
     * paced, whose cards may have no text then, or scarce. */
    const char *const *asked;
    size_t asked_count;
    struct chat_question question; /**< of a card where messages cost seconds */
    /* For paced chats: */
    bool idle; /**< of a hand: its owner is asked, can only pass, and bots play with them */
};

/** What a line says where numbers say lines (CHAT_CAP_NUMBERS): "4, 5 to Bob". */
struct chat_numbers {
    uint8_t numbers[CHAT_CONTROLS_MAX];
    size_t count;     /**< 0: it is no such line, or says a number twice */
    const char *rest; /**< the words behind them, or "" */
};

struct chat_numbers chat_numbers(const char *line);

/** The part of a story that has not been told yet. `told`: what was told of it, or NULL. Either may
 * lack its oldest lines. */
const char *chat_untold(const char *story, const char *told);

/** What became of a message. */
enum chat_fate {
    CHAT_DELIVERED,
    CHAT_REFUSED,      /**< never: the platform will not have it */
    CHAT_UNREACHABLE,  /**< never: the person cannot be written to */
    CHAT_PLACE_CLOSED, /**< never: the place is locked, or the bot may not write there */
    CHAT_PLACE_GONE,   /**< never: the place is gone, or closed to the bot */
    CHAT_MESSAGE_GONE  /**< never: what it was to replace is not there any more */
};

struct chat_outcome {
    struct chat_key key;
    enum chat_fate fate;
    const char *id; /**< delivered: the platform's id, "" if it has none. Borrowed; else NULL */
};

struct chat;
struct chat_queue;
struct complete_list;
struct chat_keeper;

/** Is told each outcome, on the loop thread, maybe while chat_send() runs. */
typedef void chat_outcome_fn(void *user, struct chat *chat, const struct chat_outcome *outcome);

/** What a line that a person types at a place may go on with, `cursor` bytes of it are there. */
typedef void chat_complete_fn(void *user, struct chat *chat, const struct chat_in *in,
                              size_t cursor, struct complete_list *out);

const char *chat_name(const struct chat *chat);
/** bits of CHAT_CAP_* */
uint32_t chat_caps(const struct chat *chat);
/** Bytes that one message of a kind can show, marks included; 0: any number. What is longer is cut
 * or said in parts by who sends it. What is shown anew counts as a hand. */
size_t chat_text_max(const struct chat *chat, enum chat_kind kind);
/** Where it puts what it hears; the host's. */
struct chat_queue *chat_inbox(const struct chat *chat);
/** Who is told outcomes from now on; NULL: nobody. */
void chat_listen(struct chat *chat, chat_outcome_fn *outcome, void *user);
/** Who knows candidates for a line being typed, with the user of chat_listen(); NULL: nobody. */
void chat_completes(struct chat *chat, chat_complete_fn *complete);
/** What keys the marks of messages: of the store, so that any process makes the same. */
void chat_seal(struct chat *chat, const uint8_t secret[CHAT_SECRET_SIZE]);
/** Where its adapter keeps what outlives the process (bot/chat_impl.h), with the user of
 * chat_listen(); NULL: nowhere. */
void chat_keeps(struct chat *chat, const struct chat_keeper *keeper);
/** The host is done with a line taken from the inbox: what it changed is committed, or it was
 * refused or dropped. Frees it; the chat learns up to where all input is settled. */
void chat_settle(struct chat *chat, struct chat_in *in);
/** Idempotent. */
MB_MUST_CHECK
bool chat_start(struct chat *chat, struct mb_error *err);
/** A copy of controls, with their words. */
struct chat_control *chat_controls_copy(struct mb_pool *pool, const struct chat_control *controls,
                                        size_t count);
/** A copy, with its words in the pool. Members that may be NULL are NULL where they were "". */
struct chat_out chat_out_copy(struct mb_pool *pool, const struct chat_out *out);
/** The same; text and controls stay where they are. */
struct chat_out chat_out_address(struct mb_pool *pool, const struct chat_out *out);
/** Queues a copy. False with MB_ERR_RETRY: later may help; with another code it never will; then no
 * outcome follows. What is private never goes to a place: it is refused without a person, or where
 * nothing is private. */
MB_MUST_CHECK
bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
/** In how many ms somebody can be told what is private: 0 now, CHAT_REACH_NEVER: not unless they do
 * something about it, CHAT_REACH_INVITED: when they accept the invitation they have or will have
 * at once. Above 0 it is an estimate, and asked again. */
int64_t chat_reach_ms(struct chat *chat, const char *person);
/** Idempotent; nothing is heard and no outcome told afterwards. */
void chat_stop(struct chat *chat);
/** NULL is fine. */
void chat_destroy(struct chat *chat);

#endif
