// The turn's story, where cards tell it: carried beside the live table, and made anew of the log
// when a table comes out of the store.
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/chat.h"
#include "bot/hall/out/out.h"
#include "bot/text/text.h"

// From where on the latest lines stand; what is too long even so begins within a line.
static const char *latest(const char *text)
{
    const char *from = text + strlen(text);
    const char *const end = from;
    unsigned lines = 0;
    while (from > text) {
        const char *line = from - 1; // its end
        while (line > text && line[-1] != '\n') {
            line--;
        }
        if (++lines > STORY_LINES || end - line >= STORY_SIZE) {
            break;
        }
        from = line;
    }
    return from;
}

// Takes out what is set in below a line: what a card jokes.
static void drop_jokes(char *text)
{
    char *to = text;
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        const size_t whole = length + (text[length] != '\0' ? 1 : 0);
        if (text[0] != ' ') {
            memmove(to, text, whole);
            to += whole;
        }
        text += whole;
    }
    *to = '\0';
}

char *story_fit(const char *story, const char *told, size_t lines)
{
    if (text_phone_lines(story) <= lines) {
        return mb_text(story);
    }
    const char *const earlier = text_sentence(TEXT_HALL_EARLIER);
    const char *const news = chat_untold(story, told);
    const size_t before = (size_t)(news - story);
    const size_t head = strlen(earlier) + sizeof "  "; // set in as jokes are
    char *const out = mb_new(head + strlen(story) + 1, 1);
    char *const rest = out + head;
    memcpy(rest, story, before);
    rest[before] = '\0';
    drop_jokes(rest);
    const size_t facts = strlen(rest);
    memcpy(rest + facts, news, strlen(news) + 1);
    if (text_phone_lines(rest) <= lines) {
        memmove(out, rest, strlen(rest) + 1);
        return out;
    }
    const char *from = text_phone_end(rest, lines - 1);
    if (from > rest + facts) {
        drop_jokes(rest + facts);
        from = text_phone_end(rest, lines - 1);
    }
    (void)stpcpy(stpcpy(out, "  "), earlier);
    out[head - 1] = '\n';
    memmove(rest, from, strlen(from) + 1);
    return out;
}

char *story_with(const char *story, const char *narration)
{
    const size_t before = story != NULL ? strlen(story) : 0;
    const size_t length = strlen(narration);
    char *const all = mb_new(before + length + 1, 1);
    memcpy(all, story != NULL ? story : "", before);
    memcpy(all + before, narration, length + 1);
    const char *const from = latest(all);
    memmove(all, from, strlen(from) + 1);
    return all;
}

// Whether a card tells its turn's story somewhere.
static bool is_told_somewhere(const struct hall *hall, const struct table *table)
{
    bool tells = false;
    for (unsigned i = 0; i < table_site_count(table); i++) {
        const struct chat *const chat = hall_chat(hall, table_site_network(table, i));
        tells = tells || (chat != NULL && (chat_caps(chat) & CHAT_CAP_STORY) != 0);
    }
    return tells;
}

// Whether a form of that board has not been sent yet.
static bool waits(const struct hall_table *table, unsigned board)
{
    const struct hall_message *at = table->unsent;
    while (at != NULL && (at->board != board || at->state != HALL_WAITS)) {
        at = at->next;
    }
    return at != NULL;
}

static const char *narration_of(const struct hall_step *step)
{
    const struct message_list *const said = &step->outcome.said;
    for (size_t i = 0; i < said->count; i++) {
        if (said->items[i].to == MESSAGE_TABLE) {
            return said->items[i].text;
        }
    }
    return NULL;
}

// The latest that a card tells, or is about to; NULL: not known.
static const char *latest_told(const struct hall_table *table)
{
    const char *told = NULL;
    for (unsigned i = 1; i < HALL_BOARD_HAND; i++) {
        told = table->boards[i].story != NULL ? table->boards[i].story : told;
    }
    for (const struct hall_message *at = table->unsent; at != NULL; at = at->next) {
        told = at->state == HALL_SENT && at->told != NULL ? at->told : told;
    }
    return told;
}

// What a new chapter begins with: lines of the one before that wait, and have not been on a card.
static const char *untold(const struct hall_table *table)
{
    bool any = false;
    for (unsigned i = 1; i < HALL_BOARD_HAND; i++) {
        any = any || waits(table, i);
    }
    return any && table->story != NULL ? chat_untold(table->story, latest_told(table)) : NULL;
}

void hall_story_tell(struct hall *hall, struct hall_table *table)
{
    struct hall_step *const step = table->step;
    const struct table *const after = step->outcome.after;
    // What says who starts is a message of its own.
    const char *const told = table_is_starting(after) ? NULL : narration_of(step);
    const unsigned count = table_story(after);
    // It has begun anew if no more is of it than this step's.
    const bool begun = count <= (told != NULL ? 1u : 0u);
    const char *const goes_on = begun ? untold(table) : table->story;
    const char *const before = step->renewed != NULL ? NULL : goes_on;
    free(step->story);
    step->story = NULL;
    if (!is_told_somewhere(hall, after) || (told == NULL && before == NULL)) {
        return;
    }
    step->story = story_with(before, told != NULL ? told : "");
}

void hall_story_told(struct hall_table *table)
{
    free(table->story);
    table->story = table->step->story;
    table->step->story = NULL;
    table->story_version = table->version;
}

bool hall_story_lacks(const struct hall *hall, const struct hall_table *table)
{
    return is_told_somewhere(hall, table->table) && table->story_version != table->stored;
}

// Cards that lie there tell it, but those whose next form was on its way.
static void note_shown(struct hall_table *table)
{
    for (unsigned i = 1; i < HALL_BOARD_HAND; i++) {
        struct hall_board *const board = &table->boards[i];
        if (board->id != NULL && board->story == NULL && !waits(table, i)) {
            board->story = mb_text(table->story != NULL ? table->story : "");
        }
    }
}

bool hall_story_fetch(struct fibre *fibre, struct hall *hall, struct hall_table *table)
{
    const unsigned wanted = table_story(table->table);
    const struct store_request request = {
        .kind = STORE_LOG, .table = table->id, .count = wanted > 0 ? wanted : 1};
    struct store_answer *const answer = hall_table_await(fibre, hall, table, &request);
    if (answer == NULL) {
        return false;
    }
    free(table->story);
    table->story = NULL;
    table->story_version = table->stored;
    for (size_t i = answer->count > wanted ? answer->count - wanted : 0; i < answer->count; i++) {
        char *const story = story_with(table->story, answer->texts[i]);
        free(table->story);
        table->story = story;
    }
    store_answer_free(answer);
    note_shown(table);
    return true;
}
