// Codes that bring a table to a place of another network: kept in the store, by hash, until they
// are used or ten minutes of its time have passed; who may use one, and what the other place is
// told when one of the two cannot be heard or is the table's no more.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "core/codec/memory.h"

#include "bot/chat_impl.h"
#include "bot/hall/hall_impl.h"

static const char OWNER[] = "link"; // of the words; no chat is called that

enum {
    LETTERS = 26, // of five bits each: 128 and two
    HASH_BYTES = 16,
    WORD_SIZE = 2 * HASH_BYTES + 1,
    DIGITS_MAX = 20
};

/* A line that waits for the store. */
struct hall_link {
    struct hall_link *next;
    struct hall *hall;
    struct hall_line *line;
    char table[TABLE_ID_SIZE]; // that asks for a code; "" : one is to be used
    char code[LETTERS + 1], word[WORD_SIZE];
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

/* Lines that wait. */

static struct hall_link *add(struct hall *hall, struct hall_line *line)
{
    struct hall_link *const link = mb_new(1, sizeof *link);
    link->hall = hall;
    link->line = line;
    link->next = hall->links;
    hall->links = link;
    return link;
}

static void drop(struct hall_link *link)
{
    struct hall_link **at = &link->hall->links;
    while (*at != link) {
        at = &(*at)->next;
    }
    *at = link->next;
    free(link);
}

static void end(struct hall_link *link, enum text_id id, const struct text_arg *args)
{
    hall_answer(link->hall, link->line, id, args);
    hall_line_end(link->hall, link->line);
    drop(link);
}

void hall_link_finish(struct hall *hall)
{
    while (hall->links != NULL) {
        hall_line_end(hall, hall->links->line);
        drop(hall->links);
    }
}

bool hall_link_is_busy(const struct hall *hall)
{
    return hall->links != NULL;
}

/* Asking for a code. */

static void code_kept(void *user, const struct chat_kept *items, size_t count)
{
    struct hall_link *const link = user;
    (void)items;
    (void)count;
    end(link, TEXT_LINK_CODE, TEXT_ARGS(text_str("code", link->code)));
}

// Codes that nobody has used go with the next one.
static void others_read(void *user, const struct chat_kept *items, size_t count)
{
    struct hall_link *const link = user;
    struct hall *const hall = link->hall;
    char text[DIGITS_MAX + 1 + TABLE_ID_SIZE];
    for (size_t i = 0; i < count; i++) {
        struct kept_code kept;
        if (!read_kept(&items[i], &kept) || kept.until_ms <= hall_time(hall) ||
            strcmp(kept.table, link->table) == 0) {
            forget_code(hall, items[i].word);
        }
    }
    const long long until_ms = hall_time(hall) + HALL_LINK_MS;
    const int size = snprintf(text, sizeof text, "%lld %s", until_ms, link->table);
    const struct chat_kept item = {.word = link->word, .at = text, .size = (size_t)size};
    if (!hall_keep_put(hall, OWNER, &item, code_kept, link)) {
        end(link, TEXT_HALL_COME_AGAIN, NULL);
    }
}

void hall_link_offer(struct hall *hall, const struct hall_table *table, struct hall_line *line)
{
    struct hall_link *const link = add(hall, line);
    if (link == NULL) {
        hall_answer(hall, line, TEXT_HALL_COME_AGAIN, NULL);
        hall_line_end(hall, line);
        return;
    }
    memcpy(link->table, table->id, sizeof link->table);
    make_code(link->code);
    word_of(link->code, link->word);
    if (!hall_keep_read(hall, OWNER, "", others_read, link)) {
        end(link, TEXT_HALL_COME_AGAIN, NULL);
    }
}

/* Using one. */

static void code_read(void *user, const struct chat_kept *items, size_t count)
{
    struct hall_link *const link = user;
    struct hall *const hall = link->hall;
    struct kept_code kept;
    if (count == 0 || strcmp(items[0].word, link->word) != 0 || !read_kept(&items[0], &kept)) {
        end(link, TEXT_LINK_WRONG, NULL);
        return;
    }
    if (kept.until_ms <= hall_time(hall)) {
        end(link, TEXT_LINK_EXPIRED, NULL);
        return;
    }
    struct hall_line *const line = link->line;
    line->links = true;
    drop(link);
    hall_enqueue(hall, hall_table_of(hall, kept.table), line);
}

static void use(struct hall *hall, struct hall_line *line)
{
    struct hall_link *const link = add(hall, line);
    if (link == NULL) {
        hall_answer(hall, line, TEXT_HALL_COME_AGAIN, NULL);
        hall_line_end(hall, line);
        return;
    }
    if (!read_code(line->words, link->code)) {
        end(link, TEXT_LINK_WRONG, NULL);
        return;
    }
    word_of(link->code, link->word);
    if (!hall_keep_read(hall, OWNER, link->word, code_read, link)) {
        end(link, TEXT_HALL_COME_AGAIN, NULL);
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
        use(hall, line);
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

void hall_link_heard(struct hall *hall, struct hall_table *table)
{
    if (table_site_count(table->table) > 1 && hall_away_sites(hall, table) != table->silent &&
        table->silent_ms == 0) {
        table->silent_ms = hall->now_ms + HALL_SILENT_MS;
        hall_schedule(hall, table);
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
