// Codes that bring a table to a place of another network: kept in the store, by hash, until they
// are used or ten minutes of its time have passed; who may use one, and what the other place is
// told when one of the two cannot be heard or is the table's no more.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "bot/chat_impl.h"
#include "bot/hall/in/in.h"

static const char OWNER[] = "link"; // of the words; no chat is called that

enum {
    LETTERS = 26, // of five bits each: 128 and two
    HASH_BYTES = 16,
    WORD_SIZE = 2 * HASH_BYTES + 1,
    DIGITS_MAX = 20
};

/* A line that waits for the store. */
struct linking {
    struct hall *hall;
    struct hall_line *line;
    const struct hall_table *table; // that asks for a code
};

/** What is kept under a code's word. */
struct kept_code {
    int64_t until_ms;
    char table[TABLE_ID_SIZE];
};

/* Codes. */

static void make_code(char out[LETTERS + 1])
{
    static const char ALPHABET[] = "abcdefghijkmnopqrstuvwxyz2345679";
    unsigned char bytes[LETTERS];
    randombytes_buf(bytes, sizeof bytes);
    for (unsigned i = 0; i < LETTERS; i++) {
        out[i] = ALPHABET[bytes[i] % (sizeof ALPHABET - 1)];
    }
    out[LETTERS] = '\0';
}

// What stands behind the command's word, in small letters. False: it is no code.
static bool read_code(const char *words, char out[LETTERS + 1])
{
    size_t length = 0;
    words += strspn(words, " ");
    words += strcspn(words, " ");
    for (words += strspn(words, " "); *words != '\0' && *words != ' '; words++) {
        if (length == LETTERS) {
            return false;
        }
        out[length++] = (char)tolower((unsigned char)*words);
    }
    out[length] = '\0';
    return length == LETTERS && words[strspn(words, " ")] == '\0';
}

// What is kept tells nobody the code.
static void word_of(const char *code, char out[WORD_SIZE])
{
    unsigned char hash[HASH_BYTES];
    (void)crypto_generichash(hash, sizeof hash, (const unsigned char *)code, strlen(code), NULL, 0);
    (void)sodium_bin2hex(out, WORD_SIZE, hash, sizeof hash);
}

static bool read_kept(const struct chat_kept *item, struct kept_code *out)
{
    char text[DIGITS_MAX + 1 + TABLE_ID_SIZE];
    char *end = NULL;
    if (item->size >= sizeof text) {
        return false;
    }
    memcpy(text, item->at, item->size);
    text[item->size] = '\0';
    out->until_ms = strtoll(text, &end, 10);
    const size_t length = *end == ' ' ? strlen(end + 1) : 0;
    if (end == text || length == 0 || length >= sizeof out->table) {
        return false;
    }
    memcpy(out->table, end + 1, length + 1);
    return true;
}

static void forget_code(struct hall *hall, const char *word)
{
    (void)!hall_keep_put(hall, OWNER, &(const struct chat_kept){.word = word}, NULL, NULL);
}

static void end(struct hall *hall, struct hall_line *line, enum text_id id,
                const struct text_arg *args)
{
    hall_answer(hall, line, id, args);
    hall_line_end(hall, line);
}

/* Asking for a code. */

// Codes that nobody has used go with the next one.
static void forget_old(struct hall *hall, const struct kept_items *codes, const char *table)
{
    for (size_t i = 0; i < codes->count; i++) {
        struct kept_code kept;
        if (!read_kept(&codes->items[i], &kept) || kept.until_ms <= hall_time(hall) ||
            strcmp(kept.table, table) == 0) {
            forget_code(hall, codes->items[i].word);
        }
    }
}

static bool keep_code(struct fibre *fibre, struct hall *hall, const char *code, const char *table)
{
    char text[DIGITS_MAX + 1 + TABLE_ID_SIZE];
    char word[WORD_SIZE];
    struct kept_items none;
    word_of(code, word);
    const long long until_ms = hall_time(hall) + HALL_LINK_MS;
    const int size = snprintf(text, sizeof text, "%lld %s", until_ms, table);
    const struct chat_kept item = {.word = word, .at = text, .size = (size_t)size};
    return fibre_asks(fibre, &none) && hall_keep_put(hall, OWNER, &item, kept_tell, fibre) &&
           fibre_wait_answer(fibre);
}

static void offer(struct fibre *fibre, void *user)
{
    const struct linking linking = *(const struct linking *)user;
    struct hall *const hall = linking.hall;
    char table[TABLE_ID_SIZE];
    char code[LETTERS + 1];
    struct kept_items codes;
    memcpy(table, linking.table->id, sizeof table);
    make_code(code);
    hall->links++;
    if (fibre_asks(fibre, &codes) && hall_keep_read(hall, OWNER, "", kept_tell, fibre) &&
        fibre_wait_answer(fibre)) {
        forget_old(hall, &codes, table);
        if (keep_code(fibre, hall, code, table)) {
            hall_answer(hall, linking.line, TEXT_LINK_CODE, TEXT_ARGS(text_str("code", code)));
        }
    }
    hall_line_end(hall, linking.line);
    hall->links--;
}

void hall_link_offer(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    struct linking linking = {.hall = hall, .line = line, .table = table};
    fibres_start(hall->fibres, offer, &linking);
}

/* Using one. */

static void use(struct fibre *fibre, void *user)
{
    const struct linking linking = *(const struct linking *)user;
    struct hall *const hall = linking.hall;
    struct hall_line *const line = linking.line;
    char code[LETTERS + 1];
    char word[WORD_SIZE];
    struct kept_items codes;
    struct kept_code kept;
    if (!read_code(line->words, code)) {
        end(hall, line, TEXT_LINK_WRONG, NULL);
        return;
    }
    word_of(code, word);
    hall->links++;
    const bool read = fibre_asks(fibre, &codes) &&
                      hall_keep_read(hall, OWNER, word, kept_tell, fibre) &&
                      fibre_wait_answer(fibre);
    hall->links--;
    if (!read) {
        hall_line_end(hall, line);
    } else if (codes.count == 0 || strcmp(codes.items[0].word, word) != 0 ||
               !read_kept(&codes.items[0], &kept)) {
        end(hall, line, TEXT_LINK_WRONG, NULL);
    } else if (kept.until_ms <= hall_time(hall)) {
        end(hall, line, TEXT_LINK_EXPIRED, NULL);
    } else {
        line->links = true;
        hall_enqueue(hall, hall_table_of(hall, kept.table), line);
    }
}

static bool has_words(const char *words)
{
    words += strspn(words, " ");
    words += strcspn(words, " ");
    return words[strspn(words, " ")] != '\0';
}

void hall_link_use(struct hall *hall, struct hall_line *line)
{
    if (!has_words(line->words)) {
        hall_answer_nowhere(hall, line);
    } else if ((chat_caps(hall->chats[line->chat]) & CHAT_CAP_PRIVATE) == 0) {
        hall_answer_aloud(hall, line, TEXT_HALL_NO_PRIVATE);
    } else if (!line->in->moderator) {
        hall_answer(hall, line, TEXT_LINK_POWER, NULL);
    } else {
        struct linking linking = {.hall = hall, .line = line};
        fibres_start(hall->fibres, use, &linking);
        return;
    }
    hall_line_end(hall, line);
}

bool hall_link_may_come(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    const unsigned sites = table->table != NULL ? table_site_count(table->table) : 0;
    for (unsigned i = 0; i < sites; i++) {
        const char *const network = table_site_network(table->table, i);
        const struct chat *const chat = hall_chat(hall, network);
        if (chat == NULL || !hall_speaks_in(hall, chat)) {
            hall_answer(hall, line, TEXT_LINK_APART,
                        TEXT_ARGS(text_str("network", network),
                                  text_str("other", chat_name(hall->chats[line->chat]))));
            hall_line_end(hall, line);
            return false;
        }
    }
    return true;
}

void hall_link_done(struct hall *hall, const struct hall_line *line)
{
    char code[LETTERS + 1];
    char word[WORD_SIZE];
    if (read_code(line->words, code)) {
        word_of(code, word);
        forget_code(hall, word);
    }
}

/* What one of two places is told of the other. */

void hall_link_parted(struct hall *hall, const struct table *before, const struct table *after)
{
    char text[HALL_SENTENCE_SIZE];
    (void)hall_sentence(text, TEXT_LINK_PARTED_HERE, NULL);
    for (unsigned i = 0;
         table_site_count(after) < table_site_count(before) && i < table_site_count(before); i++) {
        const char *const network = table_site_network(before, i);
        struct chat *const chat = hall_chat(hall, network);
        const struct chat_out out = {
            .kind = CHAT_NARRATION, .place = table_site_place(before, i), .text = text};
        if (chat != NULL && !hall_is_site(after, network, out.place)) {
            hall_post_loose(hall, chat, &out);
        }
    }
}

static void tell_site(struct hall *hall, struct hall_table *table, unsigned site, bool silent)
{
    hall_say(hall, table, silent ? TEXT_LINK_AWAY : TEXT_LINK_BACK,
             TEXT_ARGS(text_str("there", table_site_name(table->table, site)),
                       text_str("other", table_site_network(table->table, site))));
}

void hall_link_tell(struct hall *hall, struct hall_table *table)
{
    if (table->silent_ms == 0 || table->silent_ms > hall->now_ms || table->table == NULL) {
        return;
    }
    const unsigned before = table->silent;
    const unsigned after = hall_away_sites(hall, table);
    const unsigned all = (1u << table_site_count(table->table)) - 1u;
    table->silent_ms = 0;
    table->silent = after;
    for (unsigned i = 0; i < table_site_count(table->table) && all > 1; i++) {
        const unsigned bit = 1u << i;
        // Where everything is away nobody is told; where it is back, the clock that moved says it.
        if (((before ^ after) & bit) != 0 && after != all && before != all) {
            tell_site(hall, table, i, (after & bit) != 0);
        }
    }
}
