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
 * by markup of their own; the words say everything too. A mark is one byte that no other
 * text holds: render writes marks, text_clean() keeps them out of what people type. They nest;
 * the end of the text closes open ones. Only callers that ask for marks get any
 * (table_words.marks).
 */
#ifndef BOT_TEXT_TEXT_H
#define BOT_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/** A caller's buffer being filled. `length` counts what would have been written, as snprintf does.
 */
struct text_out {
    char *at;
    size_t size;
    size_t length;
    bool full;     /**< something did not fit; the rest is only counted */
    unsigned turn; /**< the next way of saying a sentence; 0: the first */
};

/** Starts an empty text; `size` may be 0 with `at` NULL. */
void text_begin(struct text_out *out, char *at, size_t size);
/** Appends a sentence; `args` may be NULL if it has no parameters. */
void text_put(struct text_out *out, enum text_id id, const struct text_arg *args);
/** The same and a line end. */
void text_line(struct text_out *out, enum text_id id, const struct text_arg *args);
/** Opens or ends a mark. */
void text_mark(struct text_out *out, enum text_mark mark);
/** Appends text unchanged; for texts made by this module. */
void text_raw(struct text_out *out, const char *text);
/** Appends a value, cleaned as parameters are: marks pass. */
void text_value(struct text_out *out, const char *value);
/** Appends "A, B and C"; the last joint is the word of `joint` (TEXT_AND, TEXT_OR). */
void text_list(struct text_out *out, const char *const *items, size_t count, enum text_id joint);
/** Appends a text broken into lines of at most `width` columns; continued lines are indented by
 * `indent` more columns. Breaks wider words too. */
void text_wrap(struct text_out *out, const char *text, size_t width, size_t indent);
/** Returns the columns of the first `bytes` bytes on a screen: none for marks and accents, two for
 * wide characters. */
size_t text_columns(const char *text, size_t bytes);

/** What people read of one message without scrolling. */
enum { TEXT_PHONE_LINES = 20, TEXT_PHONE_COLUMNS = 46 };
/** Returns the lines that a text takes on a phone. */
size_t text_phone_lines(const char *text);
/** Returns the lines that a phone has left beside two texts and a blank line. */
size_t text_phone_room(const char *above, const char *below);
/** Returns the end of a text that takes at most `lines` lines on a phone. */
const char *text_phone_end(const char *text, size_t lines);

/** Which part of a text is kept. */
enum text_part { TEXT_HEAD, TEXT_TAIL };
enum { TEXT_CUT_MIN = 256 /**< less than that cannot be cut to */ };

/** Cuts a text to `max` bytes at the end of a line or a character; the sentence `why` stands for
 * the rest. `out` has room for one byte more; returns the length. */
size_t text_cut(const char *text, size_t max, enum text_part part, const char *why, char *out);
/** Writes the first part of a text, at most `max` bytes, cut in the same way. Returns how much of
 * the text that is, 0 only for an empty text. `out` has room for one byte more. */
size_t text_page(const char *text, size_t max, char *out);

bool text_is_mark(char byte);
/** Returns what follows the text of the mark that opens at `at`, for adapters that replace the
 * text. */
const char *text_behind(const char *at);
/** Removes the marks from a text. */
void text_strip(char *text);
/** Makes typed text (a name, a line) safe to show: marks and other forbidden characters become "?".
 * `out` may be `text`; it is cut to fit. */
void text_clean(const char *text, char *out, size_t size);

/** Writes a length of time, in ms, as people say it: "3 minutes". */
void text_time_words(char *out, size_t size, int64_t ms);
/** Returns a sentence as the catalogue has it. */
const char *text_sentence(enum text_id id);
/** Returns the length of the UTF-8 character at `at`; 0: it is none, or may not be shown. */
size_t text_character(const char *at);

/** A place in a sentence: the text between the braces. */
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

/** The words of a form: its title, the field's label and the hint in the empty field. The form says
 * the line `before` with the typed text after it. */
struct form_words {
    const char *title, *label, *hint, *before;
};

/** Returns the words of an enum chat_form. */
struct form_words form_words(unsigned form);

#endif
