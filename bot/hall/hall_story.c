// The turn's story, where cards tell it: carried beside the live table, and made anew of the log
// when a table comes out of the store.
#include "bot/hall/hall_story.h"

#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/hall/hall_impl.h"
#include "bot/hall/story.h"

bool hall_tells(const struct hall *hall, const struct table *table)
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
    if (!hall_tells(hall, after) || (told == NULL && before == NULL)) {
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
    return hall_tells(hall, table->table) && table->story_version != table->stored;
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
