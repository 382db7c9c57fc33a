/*
 * Chats: where people talk to the bot. What the bot can do with a chat, and what it hears from one.
 *
 * A chat is an adapter behind four functions (bot/chat_impl.h). chat_send() takes everything that a
 * person reads. Everything that a person says arrives as a chat_in in the bounded queue of the sink
 * (bot/chat_queue.h); the host drains the queue at its own pace. Texts are UTF-8 and plain: an
 * adapter escapes what its platform would read as markup, and pings nobody but chat_out.pings.
 *
 * News of the platform arrives the same way, in the order in which it happened: whether a network,
 * or a community in it, can be heard (with CHAT_CAP_AFAR it cannot until the chat says so), and
 * what happened to places and people (enum chat_in_kind).
 *
 * A message that chat_send() took has exactly one outcome, delivered or never. chat_listen()'s
 * listener is told it during the call or later. Messages to one reader arrive in order. A stopped
 * chat tells no outcome: messages without one stay with the caller that stored them.
 *
 * Ids are the platform's, at most 320 bytes. Longer ones are refused and never cut: two ids cut
 * alike would be one person or one place.
 *
 * A capability says what one chat can do and another cannot; bot/ decides what is done instead:
 *   CHAT_CAP_EDIT     table card and hand are edited in place. Without: a turn's beginning posts
 *                     the card, and the hand is posted when the table waits for its owner.
 *   CHAT_CAP_BUTTONS  cards, hands and private answers carry controls: buttons, menus and forms
 *                     (bot/table/panel.h). Without: people type every command, as they can
 *                     everywhere.
 *   CHAT_CAP_PRIVATE  one person can be told what others do not read. Without: no table opens
 *                     there, for nobody could see a hand.
 *   CHAT_CAP_PACED    people sit in front of it: bot players act one by one, each after the last
 *                     message was read (its outcome), and a table goes on even if no person plays.
 *                     Cards name who is asked and the time left, hands what a prompt says. Without:
 *                     bot players act at once while nobody else may.
 *   CHAT_CAP_ONE      the platform knows the bot once: of several processes on one store one speaks
 *                     there, for all tables. Without: each speaks for the tables it holds.
 *   CHAT_CAP_NUMBERS  numbered lines below a hand list the possible commands, and a typed number
 *                     comes back as a press. Without buttons too, people type everything.
 *   CHAT_CAP_STORY    a table has one message: the story of the turn so far, the table, the
 *                     controls. It is edited while nobody is called. A card of another chapter
 *                     (chat_out.chapter) is posted below all others, and the message before it
 *                     keeps its story. Without: narration is a message of its own.
 *   CHAT_CAP_SCARCE   a message costs seconds: the chat first sends the hands of those for whom the
 *                     table waits. It gets newer cards and hands while older ones wait, and may
 *                     send the newer in place of the older.
 *   CHAT_CAP_SIGNS    the chat puts two signs below a lobby's card; tapping them says "join" or
 *                     "start" (TEXT_LOBBY_SIGNS explains them). Without: people type or press.
 *   CHAT_CAP_HINTS    the chat itself tells a person that it cannot message them privately, and
 *                     tells nobody else. Without: the bot says so at the table and calls them.
 *   CHAT_CAP_ROOM     a table can have a room of its own (CHAT_ROOM): the deal waits until the room
 *                     is there or cannot be made, and the card that it came from shows the way.
 *                     Without: the game stays where its table was opened.
 *   CHAT_CAP_SEEK     the platform does not say who leaves a community: the chat looks when asked
 *                     (CHAT_SEEK). Without: the chat says so by itself.
 *   CHAT_CAP_AFAR     a network lies between it and its people: it is away from its start until it
 *                     says that it is back.
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

/** What a message is: this decides who reads it and whether it replaces an earlier one. */
enum chat_kind {
    CHAT_NARRATION, /**< to everybody at the place; what has happened */
    CHAT_CARD,      /**< to everybody: the table as it is; one a table, edited in place */
    CHAT_WHISPER,   /**< to one person: what only they learn */
    CHAT_HAND,      /**< to one person: their hand; one a table and person, edited in place */
    CHAT_REPLY,     /**< to one person: the answer to what they said; nobody else sees it */
    /** Asks for a room; shows nothing. With a name (`text`) a room is made from the card
     * `replaces`; the outcome's id is the room's, or the place's own if none can be made there.
     * Without a name `place` is a room: the pinged people belong in it, and it is woken. */
    CHAT_ROOM,
    CHAT_FORGET, /**< shows nothing: deletes private messages to one person as far as the platform
                  * lets; delivered when that is done */
    CHAT_SEEK    /**< shows nothing: asks whether a person is in the community `place`.
                  * CHAT_IN_PERSON_GONE or CHAT_IN_PERSON_BACK answers, or nothing. Best effort. */
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
    CHAT_ON_FORM /**< text typed into a form; never stale */
};

/** What a control is bound to; pressed when this has changed, it is stale. Comes back unchanged. */
struct chat_bond {
    char table[CHAT_TABLE_SIZE]; /**< the table's id; "" : a typed line */
    uint32_t version;            /**< counts what the message has shown */
    uint16_t decision;           /**< the question that was open, or 0 */
    uint8_t on;                  /**< enum chat_control_on */
};

/** What a table asks, as a number (0: nothing), and bits of the seats that have not answered. A
 * card that repeats a question to seats that have not answered asks nobody anew. */
struct chat_question {
    uint16_t what;
    uint8_t seats;
};

/** What a chat tells. Of news only the members named here count, and `name` and `place_name` where
 * people or places have names. */
enum chat_in_kind {
    CHAT_IN_LINE,  /**< a person types */
    CHAT_IN_PRESS, /**< a person presses a control */
    /* `communities` cannot be heard ("" : the whole network); or can again. */
    CHAT_IN_AWAY,
    CHAT_IN_BACK,
    CHAT_IN_PLACE_CLOSED, /**< the bot cannot write to `place` any more ... */
    CHAT_IN_PLACE_OPEN,   /**< ... and now it can again */
    CHAT_IN_PLACE_GONE,   /**< `place` is deleted, or closed to the bot */
    CHAT_IN_PLACE_MOVED,  /**< `place` goes on at `moved` */
    CHAT_IN_PLACE_ASLEEP, /**< the platform hides `place` until CHAT_ROOM wakes it */
    /* Private messages do not reach `person`; or do again. */
    CHAT_IN_UNREACHABLE,
    CHAT_IN_REACHABLE,
    /* `person` is no longer in `community` ("" : at `place`); or is again. */
    CHAT_IN_PERSON_GONE,
    CHAT_IN_PERSON_BACK,
    /* The bot is no longer in `community`; or is again. */
    CHAT_IN_COMMUNITY_GONE,
    CHAT_IN_COMMUNITY_BACK
};

/** Whether a person says it; the other kinds are news. */
static inline bool chat_in_is_said(enum chat_in_kind kind)
{
    return kind <= CHAT_IN_PRESS;
}

/** A person's command at a place, in the one grammar, or news. Words are borrowed; NULL counts as
 * "". */
struct chat_in {
    const char *place;  /**< channel, thread or room; the private room if `direct` */
    const char *person; /**< the platform's id of the person */
    const char *event;  /**< the platform's id of the event, the same if redelivered; or "" */
    const char *line;
    const char *name;        /**< the person's name as the platform shows it; "" : `person` */
    const char *place_name;  /**< the place's name; "" : `place` */
    const char *community;   /**< the server or space of the place; "" : the place itself */
    const char *above;       /**< the channel of a thread, the category of a channel; "" : none */
    const char *communities; /**< AWAY, BACK: ids with a blank between; "" : the network */
    const char *moved;       /**< MOVED: the new place */
    /** The chat's own words for answering exactly this, or "". Some message bears them
     * (chat_out.answer), even if it only says that nothing came of the line. */
    const char *answer;
    /** Of a press: the page that held it (chat_out.path), or the page that it opens
     * (chat_control.opens). */
    const char *path;
    int64_t age_ms; /**< how long ago it was said, as the platform says */
    enum chat_in_kind kind;
    /** Of a press: the control that was pressed ... */
    struct chat_bond bond;
    /** ... its number there, from 1. `line` counts only for a typed number: its meaning when shown.
     * 0: the press opens `path` or says `line` (of typed numbers the whole command). */
    uint16_t pressed;
    uint8_t pick_count;
    uint8_t picks[CHAT_CHOICES_MAX]; /**< of a menu: the picked choices, from 1 */
    bool direct;                     /**< only the bot reads the place */
    bool open;                       /**< others read the line itself */
    bool afar;      /**< said elsewhere, for the table at `place`: answers are not read there */
    bool moderator; /**< the person may moderate the place */
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

/** A choice of a menu: picking it says a line or leads to a page. */
struct chat_choice {
    const char *label;
    const char *hint;  /**< what it is, in one sentence, or "" */
    const char *line;  /**< "" : none */
    const char *leads; /**< the path of a page; "" : none */
};

/** Something to press. A chat shows the labels; the host finds line and page again by the control's
 * number. */
struct chat_control {
    uint8_t kind, tone; /**< enum chat_control_kind, chat_control_tone */
    uint8_t form;       /**< enum chat_form */
    uint8_t min, max;   /**< of a menu */
    const char *label;  /**< of a menu: the text while nothing is picked */
    const char *line;   /**< what a press says; "" : nothing */
    const char *leads;  /**< the page to which it leads; "" : none */
    const char *opens;  /**< the page of the presser's own panel, never stale; "" : none */
    const struct chat_choice *choices;
    size_t choice_count;
};

enum { CHAT_SECRET_SIZE = 16 };

/** Names a message for ever: an epoch of the store and a number in it. */
struct chat_key {
    uint64_t epoch, number;
};

/** What a card shows, for chats with colours: more and more pressing, then over. */
enum chat_mood {
    CHAT_MOOD_NONE,
    CHAT_MOOD_LOBBY,
    CHAT_MOOD_TURN,
    CHAT_MOOD_FIGHT,
    CHAT_MOOD_LAST,
    CHAT_MOOD_OVER
};

/** A message. Borrowed during the call only. */
struct chat_out {
    enum chat_kind kind;
    struct chat_key key;
    uint64_t mark;     /**< the public form of the key; chat_send() makes it */
    const char *cause; /**< the person who caused it, or NULL */
    bool live;         /**< a game goes on at its table */
    uint8_t mood;      /**< of a card: enum chat_mood */
    const char *place;
    const char *person; /**< for private kinds only; else NULL */
    /** Where the table is that it is about, if its reader sits at one; or NULL. */
    const char *home;
    const char *event; /**< of a reply: the event it answers, or NULL */
    /** The chat's own words of what it answers (chat_in.answer), or NULL. Narration that bears them
     * is an answer that all read. Of several such messages the first answers and the others follow.
     * A reply without text says only that the line was heard. A card or hand that bears them
     * appears where it was pressed, as the answer instead of an edit. */
    const char *answer;
    bool retries;         /**< its reader asks once more: private messages are tried again */
    bool again;           /**< an earlier process may have sent it already */
    bool anew;            /**< of a reply to a press: it replaces the pressed message */
    const char *replaces; /**< the platform's id of the message to edit, or NULL */
    const char *text;
    const char *moved; /**< of a card at the old place of a table: the new place; or NULL */
    /** The line for a push, which names no card of a hand; NULL: the text will do. On cards and
     * on messages that call people: whom the table waits for, and for what. */
    const char *prompt;
    /** Of a card with a story: the latest lines of its chapter so far, which no other message has;
     * "" : none. NULL: this chat gets narration. */
    const char *story;
    /** Of such a card: the story of the message that it replaces; NULL: unknown. */
    const char *kept;
    bool open; /**< of a reply: nothing in it is private, so everybody at the place may read it */
    const struct refusal *refusal; /**< of a reply that refuses: its code and rule; or NULL */
    const char *const *pings;      /**< the persons to notify */
    size_t ping_count;
    /** What the controls are bound to; every message of a table has the table's id. A private
     * answer may have the card's controls. */
    struct chat_bond bond;
    const struct chat_control *controls;
    size_t control_count;
    uint32_t turn;    /**< of a card or hand: the turn, 0 until a game begins */
    uint32_t chapter; /**< of a card: grows with each turn and each call */
    int64_t clock_ms; /**< of a card: the time left on its clock; -1: none */
    const char *path; /**< the page of the controls, or NULL */
    /** Of a card: the persons for whom the table waits; of a hand: its owner, if the table waits
     * for them. For scarce chats, and for paced ones, whose cards may have no text then. */
    const char *const *asked;
    size_t asked_count;
    struct chat_question question; /**< of a card where messages cost seconds */
    /* For paced chats: */
    bool idle; /**< of a hand: its owner is asked, can only pass, and bots play with them */
};

/** A typed line of numbers (CHAT_CAP_NUMBERS): "4, 5 to Bob". */
struct chat_numbers {
    uint8_t numbers[CHAT_CONTROLS_MAX];
    size_t count;     /**< 0: not such a line, or it repeats a number */
    const char *rest; /**< the words after them, or "" */
};

/** Reads such a line. */
struct chat_numbers chat_numbers(const char *line);

/** Returns the part of a story after `told`, the part told so far, or NULL. Either may lack its
 * oldest lines. */
const char *chat_untold(const char *story, const char *told);

/** What became of a message. */
enum chat_fate {
    CHAT_DELIVERED,
    CHAT_REFUSED,      /**< never: the platform refuses it */
    CHAT_UNREACHABLE,  /**< never: the person cannot be messaged */
    CHAT_PLACE_CLOSED, /**< never: the place is locked, or the bot may not write there */
    CHAT_PLACE_GONE,   /**< never: the place is gone, or closed to the bot */
    CHAT_MESSAGE_GONE  /**< never: the message to replace is gone */
};

struct chat_outcome {
    struct chat_key key;
    enum chat_fate fate;
    const char *id; /**< delivered: the platform's id, "" if it has none. Borrowed; else NULL */
};

/** How a chat stands with its platform, for operators: no name and no id. */
struct chat_figures {
    const char *away;   /**< why nobody can be heard there, fixed words; NULL: people can */
    bool standby;       /**< another process speaks there: no fault */
    unsigned links;     /**< connections that this process keeps ... */
    unsigned live;      /**< ... and those that work */
    uint64_t connects;  /**< connections made since its start */
    uint64_t limited;   /**< answers "too many requests" */
    uint64_t waited_ms; /**< how long all requests together waited before they went */
    size_t waiting;     /**< requests that wait or are under way */
    int64_t oldest_ms;  /**< how long the oldest of them has waited */
    int64_t silent_ms;  /**< since the platform last said anything, at its most silent connection;
                         * -1: it has none */
};

struct chat;
struct chat_queue;
struct complete_list;
struct chat_keeper;

/** Gets each outcome, on the loop thread, maybe during chat_send(). */
typedef void chat_outcome_fn(void *user, struct chat *chat, const struct chat_outcome *outcome);

/** Lists how a line that a person is typing may go on after `cursor` bytes. */
typedef void chat_complete_fn(void *user, struct chat *chat, const struct chat_in *in,
                              size_t cursor, struct complete_list *out);

const char *chat_name(const struct chat *chat);
/** bits of CHAT_CAP_* */
uint32_t chat_caps(const struct chat *chat);
/** Returns how many bytes a message of a kind can show, marks included; 0: any number. The sender
 * cuts or splits longer texts. A card or hand shown anew has the room of a hand. */
size_t chat_text_max(const struct chat *chat, enum chat_kind kind);
/** Returns the queue into which the chat puts what it hears; the host's. */
struct chat_queue *chat_inbox(const struct chat *chat);
/** Sets who gets the outcomes from now on; NULL: nobody. */
void chat_listen(struct chat *chat, chat_outcome_fn *outcome, void *user);
/** Sets who completes lines, with the user of chat_listen(); NULL: nobody. */
void chat_completes(struct chat *chat, chat_complete_fn *complete);
/** Sets the key of chat_out.mark: the store's, so that all processes make the same marks. */
void chat_seal(struct chat *chat, const uint8_t secret[CHAT_SECRET_SIZE]);
/** Sets where the adapter keeps what outlives the process (bot/chat_impl.h), with the user of
 * chat_listen(); NULL: nowhere. */
void chat_keeps(struct chat *chat, const struct chat_keeper *keeper);
/** Settles and frees a line taken from the inbox: its changes are committed, or it was refused or
 * dropped. Tells the chat up to which line all are settled. */
void chat_settle(struct chat *chat, struct chat_in *in);
/** Starts the chat; idempotent. */
MB_MUST_CHECK
bool chat_start(struct chat *chat, struct mb_error *err);
/** Copies controls with their words into the pool. */
struct chat_control *chat_controls_copy(struct mb_pool *pool, const struct chat_control *controls,
                                        size_t count);
/** Copies a message with its words into the pool; "" becomes NULL where a member may be NULL. */
struct chat_out chat_out_copy(struct mb_pool *pool, const struct chat_out *out);
/** The same without copying text and controls. */
struct chat_out chat_out_address(struct mb_pool *pool, const struct chat_out *out);
/** Queues a copy. False: no outcome follows; with MB_ERR_RETRY it may work later, with another code
 * never. A private message never goes to a place: without a person, or where nothing is private, it
 * is refused. */
MB_MUST_CHECK
bool chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
/** Returns in how many ms a private message can reach a person. 0: now. CHAT_REACH_NEVER: only if
 * they change something. CHAT_REACH_INVITED: when they accept an invitation that they have or get
 * at once. Above 0 it is an estimate: ask again. */
int64_t chat_reach_ms(struct chat *chat, const char *person);
/** Writes how it stands with its platform. A chat without a network is always there. */
void chat_figures(const struct chat *chat, struct chat_figures *out);
/** Stops the chat; idempotent. It hears nothing and tells no outcome afterwards. */
void chat_stop(struct chat *chat);
/** NULL is fine. */
void chat_destroy(struct chat *chat);

/** Whether a list of the configuration, with commas or blanks between its words, names that id or
 * what stands behind its first colon: of "@ada:hs" the server "hs". `list` NULL: it names nobody.
 */
bool chat_list_names(const char *list, const char *id);

#endif
