/*
 * Inside the parser: for bot/parse/ only.
 *
 * A line is cut into tokens once (parse_lex), the tokens into clauses at the key words
 * (parse_clause), each clause into items; an item says which card, player or monster is meant
 * (parse_item), and is looked up where the verb takes such things from (parse_find).
 *
 * Reading goes on after a fault: of all faults the one that comes first in refusal.def is reported.
 * A function that found nothing returns NO_CARD or NO_SEAT, and has noted why.
 */
#ifndef BOT_PARSE_PARSE_IMPL_H
#define BOT_PARSE_PARSE_IMPL_H

#include "bot/parse/names.h"
#include "bot/parse/parse.h"
#include "bot/parse/verb.h"

enum {
    LINE_BYTES_MAX = 65536, /**< longer ones are not even looked at */
    LINE_TEXT_MAX = 8192,   /**< bytes of a line, in normal form */
    LINE_TOKENS_MAX = 1024,
    CLAUSES_MAX = 16,
    LEADS_MAX = 16,
    TARGETS_MAX = 64
};

/* parse_lex: a line as tokens */

enum key {
    KEY_NONE,
    KEY_ON,
    KEY_WITH,
    KEY_FOR,
    KEY_TO,
    KEY_REPLACING,
    KEY_OFFERING,
    KEY_PROMISING,
    KEY_PICKING,
    KEY_TOTAL
};

/** The cards whose whole names the words from one token on begin with, and how much that is. Found
 * once, asked for several times: whether it is a name, of which card, where it ends. */
struct leads {
    uint16_t from;  /**< the token, or LINE_TOKENS_MAX: nothing found yet */
    uint16_t count; /**< more than LEADS_MAX: they have to be looked for again */
    struct {
        uint16_t card; /**< the first of its kind */
        uint16_t length;
    } items[LEADS_MAX];
};

enum token_kind { TOKEN_WORD, TOKEN_COMMA, TOKEN_NTH };

enum token_flag {
    TOKEN_QUOTED = 1,
    TOKEN_PAREN = 2, /**< in brackets, as "(Mate)" */
    TOKEN_OWNER = 4  /**< ends in 's */
};

struct token {
    uint16_t at, end;      /**< the word in normal form, in line.text */
    uint16_t owner_end;    /**< end of the word without its 's */
    uint16_t raw, raw_end; /**< the word as typed */
    uint16_t number;       /**< of "#2" */
    uint8_t kind, key, flags;
    uint8_t set; /**< of "set:Name", or NO_SET */
};

/** Words that follow one another stand in `text` with one blank between; commas break them. */
struct line {
    const char *raw;
    uint16_t count, length;
    char text[LINE_TEXT_MAX];
    struct leads leads;
    struct token tokens[LINE_TOKENS_MAX];
};

/** Tokens from..to-1. */
struct span {
    uint16_t from, to;
};

/** False with what would be right in `expected`; NULL there means that nothing was said at all. */
bool line_read(struct line *line, const struct catalog *catalog, const char *text,
               const char **expected);
bool line_is(const struct line *line, struct span range, const char *normal);
/** Whether a word is what some edition calls a copy of a monster. */
bool line_is_copy_word(const struct line *line, struct span range);
size_t line_length(const struct line *line, struct span range);
const char *key_name(unsigned key);

/* parse_clause: key words and lists */

/** Words after a key word; the first clause has KEY_NONE and is what follows the verb. */
struct clause {
    uint8_t key;
    struct span range;
};

/** What the typist may do now: listed when first asked for. */
struct legal {
    bool listed;
    struct move_list moves;
};

struct parser {
    const struct table_words *words;
    const struct verb_entry *entry;
    struct request *request;
    struct parse_error *error;
    uint16_t used[MB_LIST_MAX + MB_MORE_MAX + 1]; /**< cards this command has named */
    unsigned used_count;
    unsigned clause_count;
    struct legal legal;
    struct clause clauses[CLAUSES_MAX];
    struct line line;
};

/** Notes a fault about some words, unless a graver one is noted. Returns true if it was noted. */
bool parse_fault(struct parser *p, enum refusal_code code, struct span range, const char *expected);
/** Cuts what follows the verb into clauses; `allowed` are bits of keys. */
void parse_clauses(struct parser *p, uint16_t from, unsigned allowed);
/** The words of the one clause of that key; empty if there is none. */
struct span parse_clause(struct parser *p, unsigned key);
bool parse_has(const struct parser *p, unsigned key);
/** Takes the next item off a list's front; false when it is used up. */
bool parse_next_item(struct parser *p, struct span *rest, struct span *item);
/** Whether the range is one item and not empty; notes a fault if not. */
bool parse_one_item(struct parser *p, struct span range, const char *expected);
/** A number of digits or a small number word; -1 if it is none. */
int parse_number(const struct line *line, struct span range);

/* parse_item: whose, where and which */

enum where { WHERE_ANY, WHERE_HAND, WHERE_PLAY };

struct wanted {
    struct span range; /**< all of it, as typed */
    struct span name;  /**< the name alone */
    uint8_t set, owner, where;
    bool mate;
    uint16_t nth;   /**< #n, or 0 */
    uint16_t times; /**< (xn), as lists are told; or 0 */
};

void item_read(struct parser *p, struct span range, struct wanted *out);
/** How much of the line from a token on is just a card's or player's name, in tokens; 0 if none. */
unsigned item_full_name(struct parser *p, uint16_t from, uint16_t to);

/** Whether some words are just the name of a card of the game. */
bool item_is_card(struct parser *p, struct span range);

/** The next card after `card` (NO_CARD: the first) whose whole name the words from a token on begin
 * with, up to `length` bytes; NO_CARD: no more. `lead` is the length of its name. */
uint16_t item_next_lead(struct parser *p, uint16_t from, size_t length, uint16_t card,
                        size_t *lead);

/* parse_find: what in the game is meant */

enum area {
    AREA_END,
    AREA_HAND,
    AREA_TABLE,
    AREA_OTHER_TABLES,
    AREA_ALL_TABLES,
    AREA_FACE_UP,
    AREA_FIGHT,
    AREA_DISCARDS,
    AREA_SPECIAL,                              /**< resolving, shared out, a body laid out */
    AREA_SEAT,                                 /**< + seat: the table of that seat */
    AREA_SEAT_HAND = AREA_SEAT + MB_SEATS_MAX, /**< + seat: the hand of that seat */
};

enum prefer { PREFER_NONE, PREFER_CARRIED, PREFER_EQUIPPED };

/** The field of a command that a card is named for. */
enum field { FIELD_NONE, FIELD_CARD, FIELD_LIST, FIELD_MORE };

/** Where a card is looked for: the first area that has one counts. Words that are no full name
 * mean one that may stand in the field now before all others. */
struct lookup {
    uint8_t areas[6];
    uint8_t prefer;
    uint8_t field;
};

/** What `on` is likely to name, by the card's own data. */
enum hint {
    HINT_NONE,
    HINT_PLAYER,
    HINT_MONSTER,
    HINT_TABLES,
    HINT_OWN,
    HINT_OTHERS,
    HINT_DISCARD,
    HINT_TOTAL
};

struct target {
    uint8_t kind; /**< enum target_kind */
    uint16_t value;
};

/* parse_legal: what the typist may do now, as far as the line has said what it is about */

/** `wanted` false: nothing is ever listed, so that words mean what they say (parse_format). */
void legal_begin(struct legal *legal, bool wanted);
void legal_end(struct legal *legal);
bool legal_verb(struct parser *p, unsigned verb);
bool legal_ability(struct parser *p, unsigned ability);
/** Leaves of `fits` what may stand in the field; false if that is nothing. */
bool legal_cards(struct parser *p, enum field field, uint8_t fits[MB_CARDS_MAX]);
/** Bits of the seats that may stand behind "to". */
unsigned legal_receivers(struct parser *p);
/** What may stand behind "on", none twice; returns how many. */
unsigned legal_targets(struct parser *p, struct target out[TARGETS_MAX]);
/** Whether the card can be played for a side of the fight now, without a target. */
bool legal_plays_for(struct parser *p, unsigned side);

/** Cards that might be meant, in the order in which they lie. */
struct found {
    unsigned count;
    uint16_t cards[MB_CARDS_MAX];
};

/* An ambiguous name is noted as a fault and answered with one of the candidates. */

/** How the wanted name fits each card of the game, full names alone if there is one. */
enum name_fit cards_fit(struct parser *p, const struct wanted *wanted, uint8_t fits[MB_CARDS_MAX]);
/** The card of that name that the verb means, else some card of that name; NO_CARD if no card of
 * the game is called that. */
uint16_t find_card(struct parser *p, struct span range, const struct lookup *lookup);
uint16_t find_wanted(struct parser *p, const struct wanted *wanted, const struct lookup *lookup);
/** One of some cards, as listed: for choices. NO_CARD, and nothing noted, if none has the name. */
uint16_t find_among(struct parser *p, const struct wanted *wanted, const uint16_t *cards,
                    unsigned count);
/** What fits best nearest to the typist: own cards, what the open question offers, the fight, other
 * tables and piles; nothing if none of these fits. */
void find_near(struct parser *p, const uint8_t fits[MB_CARDS_MAX], struct found *found);
/** Some card of the name, for the core to refuse: of a part of a name the nearest, of a full one
 * rather one whose place is not known. */
uint16_t find_anywhere(struct parser *p, const struct wanted *wanted);

/* parse_target */

/** A monster of the fight; NO_CARD, and nothing noted, if none has the name. */
uint16_t find_monster(struct parser *p, const struct wanted *wanted);
struct target find_target(struct parser *p, struct span range, enum hint hint);
enum hint target_hint(const struct parser *p, uint16_t card, uint8_t ability);
/** Notes that the command has named a card: the next one of that name is another. */
void parse_use_up(struct parser *p, uint16_t card);

/* parse_player */

/** Whether the words are that word of the grammar; in quotes they are somebody's name. */
bool player_word(const struct parser *p, struct span range, const char *word);
/** Whether these words mean the reader, even where a player is called "me": nobody is to get what
 * others give themselves. Quoted words are a name. */
bool player_is_self(const struct parser *p, struct span range);
/** A seat by name without noting faults; `count` says how many fit equally well. */
unsigned player_match(const struct parser *p, struct span range, enum name_fit *fit,
                      unsigned *count);
unsigned find_player(struct parser *p, struct span range);
/** As find_player, but "all" is ALL_SEATS. */
unsigned find_player_or_all(struct parser *p, struct span range);

/* verb, parse_verb: what a line may begin with */

struct format;

/** How what follows a verb is read and worded (verb.c). */
struct verb_form {
    uint16_t keys; /**< bits of the key words it may have */
    void (*read)(struct parser *p);
    void (*write)(struct format *f, const struct command *command);
    const char *open[2]; /**< key words of the list and of the second list, or "" */
};

extern const struct verb_form VERB_FORMS[FORM_TOTAL];

/* Readers of what follows a verb: parse_game, parse_deal, parse_choose, parse_lobby */

void read_nothing(struct parser *p);
void read_card(struct parser *p);
void read_play(struct parser *p);
void read_hand_over(struct parser *p);
void read_cards(struct parser *p);
void read_use(struct parser *p);
void read_run(struct parser *p);
void read_sacrifice(struct parser *p);
void read_show(struct parser *p);
void read_gift(struct parser *p);
void read_offer(struct parser *p);
void read_deal_number(struct parser *p);
void read_ask(struct parser *p);
void read_volunteer(struct parser *p);
void read_choose(struct parser *p);
void read_text(struct parser *p);
void read_join(struct parser *p);
void read_person(struct parser *p);
void read_log(struct parser *p);
void read_definition(struct parser *p);
void read_orders(struct parser *p);

/** Reads a list of cards; what is too long is a fault. */
uint8_t read_list(struct parser *p, struct span rest, const struct lookup *lookup, uint16_t *list,
                  unsigned max);
/** Where the cards of a command are looked for; also for wording it. */
const struct lookup *lookup_subject(unsigned verb);
const struct lookup *lookup_list(const struct parser *p, unsigned verb);
const struct lookup *lookup_more(const struct command *command, struct lookup *own);
/** One answer to the open question by name or number; false after noting why not. */
bool choose_value(struct parser *p, const struct query_decision *decision, struct span item,
                  uint16_t *out);
/** Whether a line answers the open question without saying "choose": "2", or "yes". */
bool choose_is_meant(struct parser *p);
/** "yes" or "no" alone, where an offer waits for the typist: VERB_ACCEPT or VERB_REFUSE; any other
 * line: VERB_NONE. */
unsigned choose_as_offer(struct parser *p);
/** Whether a line is just that: it begins no other word then. */
bool choose_is_yes_or_no(const struct parser *p);
/** The card that a number means as the open question lists them; NO_CARD if it means none. */
uint16_t choose_card_number(struct parser *p, struct span item);
/** What the options of a question are. */
enum choice_sort { CHOICE_CARDS, CHOICE_MONSTERS, CHOICE_SEATS, CHOICE_YES_NO, CHOICE_NUMBERS };
enum choice_sort choose_sort(const struct query_decision *decision);

/* parse_words: names that mean the same when they come back */

enum { WORDS_MAX = 512 };

enum role_kind { ROLE_CARD, ROLE_TARGET, ROLE_MONSTER, ROLE_OPTION };

/** What a name must mean where it will stand. */
struct role {
    enum role_kind kind;
    const struct lookup *lookup;
    enum hint hint;
    uint8_t target_kind;
    const struct query_decision *decision;
};

/** Words being written; the parser in it tries them. */
struct format {
    char *out;
    size_t size, length;
    struct request request;
    struct parse_error error;
    struct parser p;
};

void words_put(struct format *f, const char *text);
void words_put_number(struct format *f, int number);
void words_put_player(struct format *f, unsigned seat);
/** A player's name, or "#2" if nobody can type it: the same for every reader. */
void words_player(struct format *f, unsigned seat, char *out, size_t size);
/* Writers, the counterparts of the readers: parse_format */

void write_nothing(struct format *f, const struct command *command);
void write_card(struct format *f, const struct command *command);
void write_cards(struct format *f, const struct command *command);
void write_play(struct format *f, const struct command *command);
void write_hand_over(struct format *f, const struct command *command);
void write_use(struct format *f, const struct command *command);
void write_gift(struct format *f, const struct command *command);
void write_offer(struct format *f, const struct command *command);
void write_deal_number(struct format *f, const struct command *command);
void write_ask(struct format *f, const struct command *command);
void write_volunteer(struct format *f, const struct command *command);
void write_run(struct format *f, const struct command *command);
void write_sacrifice(struct format *f, const struct command *command);
void write_choose(struct format *f, const struct command *command);
void write_show(struct format *f, const struct command *command);
/** The shortest words that mean the card in that role; false, and nothing written, if none do. */
bool words_put_card(struct format *f, uint16_t card, const struct role *role);

#endif
