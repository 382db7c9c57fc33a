// What is left of tables that are gone, and the card files that tables play with. A row that is put
// away is nowhere else any more; it keeps its journal, its last version and its card files.
#include <stdlib.h>
#include <string.h>

#include "adapters/store/memory/memory_impl.h"

/* Card files. */

struct card_file {
    struct card_file *next;
    size_t users;
    struct blob *bytes;
    char word[];
};

static struct card_file *find_card(const struct memory_store *memory, const char *word)
{
    struct card_file *at = memory->cards;
    while (at != NULL && strcmp(at->word, word) != 0) {
        at = at->next;
    }
    return at;
}

bool memory_card_keep(struct memory_store *memory, const struct store_card *card)
{
    const size_t size = strlen(card->word) + 1;
    if (find_card(memory, card->word) != NULL) {
        return true;
    }
    struct card_file *const made = malloc(sizeof *made + size);
    struct blob *const bytes = memory_blob(card->bytes.at, card->bytes.size);
    if (made == NULL || bytes == NULL) {
        free(made);
        free(bytes);
        return false;
    }
    *made = (struct card_file){.next = memory->cards, .bytes = bytes};
    memcpy(made->word, card->word, size);
    memory->cards = made;
    return true;
}

void memory_cards_tidy(struct memory_store *memory)
{
    for (struct card_file **at = &memory->cards; *at != NULL;) {
        struct card_file *const card = *at;
        if (card->users > 0) {
            at = &card->next;
        } else {
            *at = card->next;
            free(card->bytes);
            free(card);
        }
    }
}

void memory_cards_unuse(struct row *row)
{
    while (row->card_count > 0) {
        row->cards[--row->card_count]->users--;
    }
}

void memory_cards_use(struct memory_store *memory, struct row *row,
                      const struct store_commit *commit)
{
    if (commit->card_count > 0) {
        memory_cards_unuse(row);
    }
    for (size_t i = 0; i < commit->card_count && i < STORE_CARDS_MAX; i++) {
        struct card_file *const card = find_card(memory, commit->cards[i].word);
        if (card != NULL) { // made by memory_card_keep()
            card->users++;
            row->cards[row->card_count++] = card;
        }
    }
}

struct store_bytes memory_card(const struct memory_store *memory, const char *word)
{
    const struct card_file *const card = find_card(memory, word);
    return card != NULL ? (struct store_bytes){.at = card->bytes->at, .size = card->bytes->size}
                        : (struct store_bytes){.at = NULL};
}

/* The archive. */

struct row *memory_archived(const struct memory_store *memory, const char *table)
{
    struct row *at = memory->archive;
    while (at != NULL && strcmp(at->id, table) != 0) {
        at = at->next_archived;
    }
    return at;
}

static void forget(struct memory_store *memory, struct row *row)
{
    struct row **at = &memory->archive;
    while (*at != row) {
        at = &(*at)->next_archived;
    }
    *at = row->next_archived;
    memory_row_free(row);
}

// The oldest come last.
static void make_room(struct memory_store *memory, const char *community)
{
    struct row *first = NULL;
    size_t count = 0;
    for (struct row *at = memory->archive; at != NULL; at = at->next_archived) {
        const bool fits = strcmp(at->community, community) == 0;
        first = fits ? at : first;
        count += fits ? 1 : 0;
    }
    if (count > STORE_ARCHIVE_OF_COMMUNITY) {
        forget(memory, first);
    }
}

void memory_put_away(struct memory_store *memory, struct row *row)
{
    row->next_archived = memory->archive;
    memory->archive = row;
    make_room(memory, row->community);
}

void memory_take_out(struct memory_store *memory, struct row *archived, struct row *row,
                     bool journal)
{
    for (size_t i = 0; journal && i < archived->journal_count; i++) {
        row->journal[row->journal_count++] = archived->journal[i];
    }
    archived->journal_count = journal ? 0 : archived->journal_count;
    memcpy(row->cards, archived->cards, sizeof row->cards);
    row->card_count = archived->card_count;
    archived->card_count = 0;
    forget(memory, archived);
}

void memory_purge(struct memory_store *memory, const char *community)
{
    for (uint32_t i = 0; i < memory->row_room; i++) {
        if (memory->rows[i] != NULL && strcmp(memory->rows[i]->community, community) == 0) {
            memory_row_drop(memory, memory->rows[i]);
        }
    }
    for (struct row *at = memory->archive, *next = NULL; at != NULL; at = next) {
        next = at->next_archived;
        if (strcmp(at->community, community) == 0) {
            forget(memory, at);
        }
    }
    memory_purge_lines(memory, community);
    memory_cards_tidy(memory);
}

void memory_archive_finish(struct memory_store *memory)
{
    while (memory->archive != NULL) {
        forget(memory, memory->archive);
    }
    memory_cards_tidy(memory);
}
