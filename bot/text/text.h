/*
 * The catalogue of sentences, and the little engine that fills them in.
 *
 * Every sentence that a person reads is a TEXT of bot/text/text.en.def; values come in by name and
 * are never used as formats. Inside a sentence:
 *   {card}            a value              {who's}           a name in the possessive
 *   {+n}              a number with sign   {^what}          a value with a capital letter
 *   {n|card|cards}    one word or the other: n is 1, or it is not
 *   {{                an opening brace
 *   {chat}            "chat" between marks, which a network replaces by its own word
 *   one way || other  ways of saying it, of which text_out.turn picks one
 * Texts are plain, never markup: "*", "_", "<", ">", "#", "|" and "`" stand for themselves, in
 * names and in sentences, so a chat with markup escapes the whole text (and splits it at line
 * ends). Names that people gave come in by render_player() alone, between marks if the chat asks
 * for them.
 *
 * Values are cleaned as they go in: control characters, direction marks and broken UTF-8 become
 * "?", so nobody's name can move a cursor. Buffers are cut at whole characters and always
 * terminated.
 *
 * Marks say what a piece of text is (a monster, a refusal), for adapters that show it by colour or
 * by markup of their own; everything is said in words besides. A mark is one byte that no other
 * text holds: render writes marks, text_clean() keeps them out of whatever people type. They nest;
 * the end of the text ends those still open. Only who asks for marks gets any (table_words.marks).
 */
#ifndef BOT_TEXT_TEXT_H
#define BOT_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#define TEXT(id, sentence) TEXT_##id,
enum text_id {
#include "bot/text/text.en.def"
    TEXT_TOTAL
};
#undef TEXT

enum text_mark {
    MARK_MONSTER = 0x10,
    MARK_CURSE,
    MARK_TREASURE,
    MARK_PLAYER, /**< a name of somebody at the table */
    MARK_REFUSAL,
    MARK_GOOD, /**< for the players of a fight: they win, somebody has won */
    MARK_BAD,
    MARK_END,         /**< of the innermost mark */
    MARK_TIME = 0x03, /**< what is left on a clock: no change of a text by itself */
    MARK_HEAD = 0x02, /**< what a part begins with: a new turn, the table's first line */
    MARK_CHAT = 0x04, /**< the word "chat", for which a network writes its own: channel, room */
    MARK_ROW = 0x05   /**< ended at once: a player's row begins, or what follows the last one */
};

/** One value; a list of them ends with a name of NULL. */
struct text_arg {
    const char *name;
    const char *text; /**< NULL: the number counts */
    long number;
};

static inline struct text_arg text_str(const char *name, const char *text)
{
    return (struct text_arg){name, text == NULL ? "" : text, 0};
}

static inline struct text_arg text_num(const char *name, long number)
{
    return (struct text_arg){name, NULL, number};
}

#define TEXT_ARGS(...) ((const struct text_arg[]){__VA_ARGS__, {NULL, NULL, 0}})

/** A caller's buffer being filled. `length` is what would have been written, as with snprintf. */
struct text_out {
    char *at;
    size_t size;
    size_t length;
    bool full;     /**< something did not fit; what follows is only counted */
    unsigned turn; /**< which way of saying a sentence comes next; 0 the first */
};

/** Starts an empty text; `size` may be 0 with `at` NULL. */
void text_begin(struct text_out *out, char *at, size_t size);
/** Appends a sentence; `args` may be NULL if it has no parameters. */
void text_put(struct text_out *out, enum text_id id, const struct text_arg *args);
/** The same and a line end. */
void text_line(struct text_out *out, enum text_id id, const struct text_arg *args);
/** Opens or ends a mark. */
void text_mark(struct text_out *out, enum text_mark mark);
/** Appends text as it is; for whole texts made by this module. */
void text_raw(struct text_out *out, const char *text);
/** Appends a value, cleaned as parameters are: marks pass. */
void text_value(struct text_out *out, const char *value);
/** Appends "A, B and C"; the last joint is the word of `joint` (TEXT_AND, TEXT_OR). */
void text_list(struct text_out *out, const char *const *items, size_t count, enum text_id joint);
/** Appends a text broken into lines of at most `width` columns; what follows a break stands
 * `indent` deeper than the beginning of its line. A word wider than that is broken too. */
void text_wrap(struct text_out *out, const char *text, size_t width, size_t indent);
/** Columns that the first `bytes` bytes take on a screen: none for marks and accents, two for wide
 * characters. */
size_t text_columns(const char *text, size_t bytes);

/** What people read of one message without scrolling. */
enum { TEXT_PHONE_LINES = 20, TEXT_PHONE_COLUMNS = 46 };
/** Lines that a text takes on a phone. */
size_t text_phone_lines(const char *text);
/** How many lines a phone has left beside two texts and a blank line; 0: none. */
size_t text_phone_room(const char *above, const char *below);
/** The latest lines of a text that take at most `lines` lines on a phone: a part of it. */
const char *text_phone_end(const char *text, size_t lines);

/** Which part of a text is kept. */
enum text_part { TEXT_HEAD, TEXT_TAIL };
enum { TEXT_CUT_MIN = 256 /**< less than that cannot be cut to */ };

/** What of a text fits `max` bytes, cut at the end of a line or of a character, with a sentence
 * that says so where the rest was. `out` has room for one byte more; returns the length. */
size_t text_cut(const char *text, size_t max, enum text_part part, const char *why, char *out);
/** The first part of a text of at most `max` bytes, cut in the same way, and how much of the text
 * it is: never 0 of what is not empty. `out` has room for one byte more. */
size_t text_page(const char *text, size_t max, char *out);

bool text_is_mark(char byte);
/** What follows the text of the mark that opens at `at`: for adapters that write something else in
 * its place. */
const char *text_behind(const char *at);
/** Takes the marks out of a text. */
void text_strip(char *text);
/** Makes of what people typed (a name, a line) what may be shown: everything else becomes "?",
 * marks included. `out` may be `text`; it is cut to fit. */
void text_clean(const char *text, char *out, size_t size);

/** A sentence as the catalogue has it. */
const char *text_sentence(enum text_id id);
/** Length of the UTF-8 character at `at`, or 0 if it is none or may not be shown. */
size_t text_character(const char *at);

/** A place in a sentence: what stands between the braces. */
struct text_place {
    const char *name;
    size_t name_length;
    const char *one, *many; /**< the two words of a plural, or NULL */
    size_t one_length, many_length;
    bool possessive, sign, capital;
};

/** Reads the place that opens at `at` ('{'); returns what follows it, or NULL if it is malformed.
 */
const char *text_place_read(const char *at, struct text_place *place);

/*
 * The words of forms: what they ask for, and the line that is made of what is typed.
 */

/** What a form says above itself, beside its field and in it while that is empty; and the line that
 * comes of it: `before`, and what was written. */
struct form_words {
    const char *title, *label, *hint, *before;
};

/** Of an enum chat_form. */
struct form_words form_words(unsigned form);

#endif
