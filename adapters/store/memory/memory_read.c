// Answers to what changes no table.
#include <stdlib.h>
#include <string.h>

#include "adapters/store/memory/memory_impl.h"

bool memory_speaks(const struct row *row)
{
    const struct kept_message *at = row->messages;
    while (at != NULL && at->answers != 0) {
        at = at->next;
    }
    return at != NULL;
}

// Whether a message is one of this process's, as far as answers go.
static bool is_ours(const struct memory_store *memory, const struct kept_message *message)
{
    return message->answers == 0 || message->answers == memory->me ||
           !memory_lives(memory, message->answers);
}

static struct store_answer *load(const struct memory_store *memory, const struct row *row,
                                 struct store_answer *answer)
{
    size_t messages = 0;
    for (const struct kept_message *at = row->messages; at != NULL; at = at->next) {
        messages++;
    }
    struct store_message *const list = calloc(messages + 1, sizeof *list);
    struct store_board *const boards = calloc(row->board_count + 1, sizeof *boards);
    uint64_t *const events = calloc(row->event_count + 1, sizeof *events);
    struct store_answer *copy = NULL;
    if (list != NULL && boards != NULL && events != NULL) {
        const struct kept_message *at = row->messages;
        messages = 0;
        for (; at != NULL; at = at->next) {
            if (!is_ours(memory, at)) {
                continue;
            }
            list[messages++] = (struct store_message){
                .key = at->key,
                .board = at->board,
                .answer = at->answers != 0,
                .reader = at->reader != NULL ? (const char *)at->reader->at : NULL,
                .narration = at->narration != NULL ? (const char *)at->narration->at : NULL,
                .bytes = {.at = at->bytes->at, .size = at->bytes->size}};
        }
        for (size_t i = 0; i < row->board_count; i++) {
            boards[i] = (struct store_board){.board = row->boards[i].board,
                                             .reader = row->boards[i].reader,
                                             .id = row->boards[i].id};
        }
        for (size_t i = 0; i < row->event_count; i++) {
            if (row->events[i].ms + STORE_EVENT_MS >= memory->now_ms) {
                events[answer->event_count++] = row->events[i].hash;
            }
        }
        answer->events = events;
        answer->version = row->version;
        answer->held = row->sender == memory->me;
        answer->bytes = (struct store_bytes){.at = row->bytes->at, .size = row->bytes->size};
        answer->since_ms = row->since_ms;
        answer->due_ms = row->due_ms;
        answer->until_ms = row->until_ms;
        answer->community = row->community;
        answer->messages = list;
        answer->message_count = messages;
        answer->boards = boards;
        answer->board_count = row->board_count;
        copy = store_answer_copy(answer);
    }
    free(list);
    free(boards);
    free(events);
    return copy;
}

static struct store_answer *earlier(const struct row *row, struct store_answer *answer)
{
    answer->result = row->earlier != NULL ? STORE_DONE : STORE_NOTHING;
    if (row->earlier != NULL) {
        answer->version = row->earlier_version;
        answer->bytes = (struct store_bytes){.at = row->earlier->at, .size = row->earlier->size};
    }
    return store_answer_copy(answer);
}

static struct store_answer *log_of(const struct row *row, size_t count,
                                   const struct store_answer *begun)
{
    const char *texts[STORE_LOG_MAX];
    const size_t wanted = count < row->log_count ? count : row->log_count;
    for (size_t i = 0; i < wanted; i++) {
        const size_t at = row->log_at + row->log_count - wanted + i;
        texts[i] = (const char *)row->log[at % STORE_LOG_MAX]->at;
    }
    struct store_answer answer = *begun;
    answer.texts = texts;
    answer.count = wanted;
    return store_answer_copy(&answer);
}

static struct store_answer *journal(const struct row *row, const struct store_request *request,
                                    const struct store_answer *begun)
{
    struct store_bytes pieces[STORE_JOURNAL_MAX];
    struct store_answer answer = *begun;
    const size_t most = request->count < STORE_JOURNAL_MAX ? request->count : STORE_JOURNAL_MAX;
    for (size_t i = request->from; i < row->journal_count && answer.count < most; i++) {
        pieces[answer.count++] =
            (struct store_bytes){.at = row->journal[i]->at, .size = row->journal[i]->size};
    }
    answer.pieces = pieces;
    return store_answer_copy(&answer);
}

static struct store_answer *person(const struct memory_store *memory,
                                   const struct store_request *request,
                                   const struct store_answer *begun)
{
    struct store_answer answer = *begun;
    struct store_sitting sittings[STORE_TABLES_OF_PERSON];
    const uint32_t index = memory_person(memory, request->network, request->person);
    const struct person_row *const who = index != KEYED_NONE ? &memory->people[index] : NULL;
    answer.count = who != NULL ? who->count : 0;
    answer.result = answer.count > 0 ? STORE_DONE : STORE_NOTHING;
    for (size_t i = 0; i < answer.count; i++) {
        const struct row *const row = memory->rows[who->tables[i]];
        const char *const name = row->place_count > 0 ? memory->places[row->places[0]].name : NULL;
        sittings[i] =
            (struct store_sitting){.table = row->id,
                                   .place_name = name != NULL ? name : "",
                                   .community = row->community != NULL ? row->community : "",
                                   .chosen = who->chosen == row->index};
    }
    answer.sittings = sittings;
    return store_answer_copy(&answer);
}

static void place(const struct memory_store *memory, const struct store_request *request,
                  struct store_answer *answer)
{
    const uint32_t index = memory_place(memory, request->network, request->place);
    const struct place_row *const at = index != KEYED_NONE ? &memory->places[index] : NULL;
    answer->result = STORE_NOTHING;
    if (at != NULL && at->table != KEYED_NONE) {
        answer->result = STORE_DONE;
        answer->table = memory->rows[at->table]->id;
        answer->community = at->community;
    }
}

/* What falls due. */

struct search {
    const struct memory_store *memory;
    const struct store_request *request;
    const char *after;
    int64_t until_ms, next_ms;
    const char *texts[STORE_DUE_MAX];
    size_t count;
};

static bool lies_in(const struct search *search, const struct row *row)
{
    const char *const networks = search->request->networks;
    bool lies = networks == NULL || row->place_count == 0;
    for (size_t i = 0; !lies && i < row->place_count; i++) {
        char network[PERSON_NETWORK_SIZE + 2] = " ";
        const char *const key = search->memory->places[row->places[i]].key;
        const size_t length = strcspn(key, "\n");
        memcpy(network + 1, key, length);
        network[1 + length] = ' ';
        network[2 + length] = '\0';
        lies = strstr(networks, network) != NULL;
    }
    return lies;
}

// Nobody else who lives sends what it says, answers it or sees to it.
static bool may_claim(const struct search *search, const struct row *row)
{
    const struct memory_store *const memory = search->memory;
    const bool others = row->sender != memory->me && memory_lives(memory, row->sender) &&
                        (row->marked_ms > memory->now_ms || memory_speaks(row));
    return !search->request->claims || (!others && lies_in(search, row));
}

// Of all that are found the first by their ids are kept.
static void found(struct search *search, const struct row *row)
{
    const bool full = search->count == STORE_DUE_MAX;
    if (!may_claim(search, row)) {
        return;
    }
    if (strcmp(row->id, search->after) <= 0 ||
        (full && strcmp(row->id, search->texts[STORE_DUE_MAX - 1]) > 0)) {
        return;
    }
    size_t at = full ? STORE_DUE_MAX - 1 : search->count++;
    for (; at > 0 && strcmp(search->texts[at - 1], row->id) > 0; at--) {
        search->texts[at] = search->texts[at - 1];
    }
    search->texts[at] = row->id;
}

static void search_heap(struct search *search)
{
    const struct due_heap *const heap = &search->memory->due;
    for (size_t i = 0; i < heap->count; i++) {
        const struct due_entry *const entry = &heap->entries[i];
        if (entry->ms <= search->until_ms) {
            const struct row *const row = search->memory->rows[entry->id];
            if (!memory_stands(search->memory, row)) {
                found(search, row);
            }
        } else if (search->next_ms < 0 || entry->ms < search->next_ms) {
            search->next_ms = entry->ms;
        }
    }
}

static bool is_due(const struct row *row, int64_t until_ms)
{
    const int64_t ms = memory_due_ms(row);
    return ms >= 0 && ms <= until_ms;
}

static bool has_unsent(const struct search *search, const struct row *row)
{
    const struct kept_message *at = row->messages;
    while (at != NULL && !is_ours(search->memory, at)) {
        at = at->next;
    }
    return at != NULL;
}

static struct store_answer *due(struct memory_store *memory, const struct store_request *request,
                                const struct store_answer *begun)
{
    struct search search = {.memory = memory,
                            .request = request,
                            .after = request->after != NULL ? request->after : "",
                            .until_ms = request->ms,
                            .next_ms = STORE_NEVER};
    const struct due_entry *const first = due_heap_first(&memory->due);
    if (first != NULL && first->ms > request->ms) {
        search.next_ms = first->ms;
    } else {
        search_heap(&search);
    }
    for (uint32_t i = 0; request->unsent && i < memory->row_room; i++) {
        const struct row *const row = memory->rows[i];
        const bool found_above =
            row != NULL && is_due(row, request->ms) && !memory_stands(memory, row);
        if (row != NULL && has_unsent(&search, row) && !found_above) {
            found(&search, row);
        }
    }
    for (size_t i = 0; request->claims && i < search.count; i++) {
        struct row *const row = memory_row(memory, search.texts[i]);
        row->sender = memory->me;
        row->marked_ms = memory->now_ms + STORE_MARK_MS;
    }
    struct store_answer answer = *begun;
    answer.texts = search.texts;
    answer.count = search.count;
    answer.next_ms = search.next_ms;
    return store_answer_copy(&answer);
}

/* What adapters keep. */

static void forget_kept(struct memory_store *memory, const char *word)
{
    struct kept_word **at = &memory->kept;
    while (*at != NULL && strcmp((*at)->word, word) != 0) {
        at = &(*at)->next;
    }
    struct kept_word *const found = *at;
    if (found != NULL) {
        *at = found->next;
        free(found->bytes);
        free(found);
    }
}

bool memory_keep(struct memory_store *memory, const char *word, struct store_bytes bytes)
{
    if (bytes.at == NULL) {
        forget_kept(memory, word);
        return true;
    }
    const size_t size = strlen(word) + 1;
    struct kept_word *const made = malloc(sizeof *made + size);
    struct blob *const blob = memory_blob(bytes.at, bytes.size);
    if (made == NULL || blob == NULL) {
        free(made);
        free(blob);
        return false;
    }
    forget_kept(memory, word);
    *made = (struct kept_word){.next = memory->kept, .bytes = blob};
    memcpy(made->word, word, size);
    memory->kept = made;
    return true;
}

static struct store_answer *kept(const struct memory_store *memory, const char *word,
                                 const struct store_answer *begun)
{
    struct store_bytes pieces[STORE_KEPT_MAX];
    const char *texts[STORE_KEPT_MAX];
    struct store_answer answer = *begun;
    for (const struct kept_word *at = memory->kept; at != NULL && answer.count < STORE_KEPT_MAX;
         at = at->next) {
        if (strncmp(at->word, word, strlen(word)) == 0) {
            texts[answer.count] = at->word;
            pieces[answer.count++] =
                (struct store_bytes){.at = at->bytes->at, .size = at->bytes->size};
        }
    }
    answer.texts = texts;
    answer.pieces = pieces;
    return store_answer_copy(&answer);
}

static struct store_answer *list(const struct memory_store *memory,
                                 const struct store_request *request,
                                 const struct store_answer *begun)
{
    struct search search = {.memory = memory,
                            .request = request,
                            .after = request->after != NULL ? request->after : ""};
    struct store_answer answer = *begun;
    for (uint32_t i = 0; !request->archived && i < memory->row_room; i++) {
        if (memory->rows[i] != NULL) {
            found(&search, memory->rows[i]);
        }
    }
    const struct row *at = request->archived ? memory->archive : NULL;
    for (; at != NULL; at = at->next_archived) {
        found(&search, at);
    }
    answer.texts = search.texts;
    answer.count = search.count;
    return store_answer_copy(&answer);
}

// A word that this process alone may use as long as it lives.
static enum store_result hold(struct memory_store *memory, const char *word)
{
    struct kept_word *at = memory->held;
    while (at != NULL && strcmp(at->word, word) != 0) {
        at = at->next;
    }
    if (at == NULL) {
        at = malloc(sizeof *at + strlen(word) + 1);
        if (at == NULL) {
            return STORE_FAILED;
        }
        *at = (struct kept_word){.next = memory->held};
        memcpy(at->word, word, strlen(word) + 1);
        memory->held = at;
    }
    if (at->holder != memory->me && memory_lives(memory, at->holder)) {
        return STORE_CONFLICT;
    }
    at->holder = memory->me;
    return STORE_DONE;
}

static struct store_answer *watch(const struct memory_store *memory,
                                  const struct store_request *request,
                                  const struct store_answer *begun)
{
    const char **const texts = calloc(request->seen_count + 1, sizeof *texts);
    struct store_answer answer = *begun;
    if (texts == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < request->seen_count; i++) {
        const struct store_seen *const seen = &request->seen[i];
        const struct row *const row = memory_row(memory, seen->table);
        if (row == NULL || row->version != seen->version || row->sender != memory->me) {
            texts[answer.count++] = seen->table;
        }
    }
    answer.texts = texts;
    struct store_answer *const copy = store_answer_copy(&answer);
    free(texts);
    return copy;
}

static void look(const struct memory_store *memory, const struct row *row,
                 struct store_answer *answer)
{
    answer->version = row->version;
    answer->since_ms = row->since_ms;
    answer->held = row->sender == memory->me;
}

// Time has passed, and this process lives; false: it had been given up.
static bool beat(struct memory_store *memory, int64_t ms)
{
    int64_t *const lives = &memory->lives_ms[memory->me - 1];
    memory->now_ms = ms > memory->now_ms ? ms : memory->now_ms;
    const bool lived = *lives > memory->now_ms;
    *lives = memory->now_ms + STORE_LEASE_MS;
    return lived;
}

static struct store_answer *hello(struct memory_store *memory, struct store_answer *answer)
{
    (void)beat(memory, memory->now_ms);
    answer->epoch = ++memory->epoch;
    memcpy(answer->secret, memory->secret, sizeof answer->secret);
    answer->now_ms = memory->now_ms;
    return memory_answer_aways(memory, answer);
}

static struct store_answer *read_archived(const struct memory_store *memory,
                                          const struct store_request *request,
                                          struct store_answer *answer)
{
    const struct row *const row = memory_archived(memory, request->table);
    if (row != NULL && request->kind == STORE_JOURNAL) {
        return journal(row, request, answer);
    }
    answer->result = STORE_NOTHING;
    if (row != NULL && request->kind == STORE_LOAD) {
        answer->result = STORE_DONE;
        answer->since_ms = answer->due_ms = answer->until_ms = STORE_NEVER;
        answer->community = row->community;
        answer->bytes = (struct store_bytes){.at = row->bytes->at, .size = row->bytes->size};
    }
    return store_answer_copy(answer);
}

// What asks about one table.
static struct store_answer *read_table(const struct memory_store *memory,
                                       const struct store_request *request,
                                       struct store_answer *answer)
{
    const struct row *const row = memory_row(memory, request->table);
    if (row == NULL) {
        return read_archived(memory, request, answer);
    }
    switch (request->kind) {
    case STORE_LOAD:
        return load(memory, row, answer);
    case STORE_EARLIER:
        return earlier(row, answer);
    case STORE_LOG:
        return log_of(row, request->count, answer);
    case STORE_LOOK:
        look(memory, row, answer);
        return store_answer_copy(answer);
    default:
        return journal(row, request, answer);
    }
}

static bool is_held(const struct memory_store *memory, const char *table)
{
    const struct row *const row = table != NULL ? memory_row(memory, table) : NULL;
    return row != NULL && row->sender == memory->me;
}

struct store_answer *memory_read(struct memory_store *memory, const struct store_request *request)
{
    struct store_answer answer = {.kind = request->kind};
    switch (request->kind) {
    case STORE_HELLO:
        return hello(memory, &answer);
    case STORE_BEAT:
        answer.result = beat(memory, request->ms) ? STORE_DONE : STORE_NOTHING;
        answer.now_ms = memory->now_ms;
        return memory_answer_aways(memory, &answer);
    case STORE_STAND:
        answer.result = memory_stand(memory, request) ? STORE_DONE : STORE_FAILED;
        return memory_answer_aways(memory, &answer);
    case STORE_PLACE:
        place(memory, request, &answer);
        break;
    case STORE_PERSON:
        return person(memory, request, &answer);
    case STORE_STATISTICS:
        memory_statistics(memory, request, &answer);
        break;
    case STORE_STEP:
        answer.result = memory_step(memory, request->table, request->key, &answer.version)
                            ? STORE_DONE
                            : STORE_NOTHING;
        answer.held = is_held(memory, request->table);
        break;
    case STORE_WATCH:
        return watch(memory, request, &answer);
    case STORE_DUE:
        return due(memory, request, &answer);
    case STORE_LOAD:
    case STORE_LOOK:
    case STORE_EARLIER:
    case STORE_LOG:
    case STORE_JOURNAL:
        return read_table(memory, request, &answer);
    case STORE_KEEP:
        answer.result =
            memory_keep(memory, request->word, request->bytes) ? STORE_DONE : STORE_FAILED;
        break;
    case STORE_KEPT:
        return kept(memory, request->word, &answer);
    case STORE_CARD:
        answer.bytes = memory_card(memory, request->word);
        answer.result = answer.bytes.at != NULL ? STORE_DONE : STORE_NOTHING;
        break;
    case STORE_LIST:
        return list(memory, request, &answer);
    case STORE_KNOWN:
        return memory_known(memory, request, &answer);
    case STORE_FORGET:
        if (request->person == NULL) {
            memory_purge(memory, request->community);
        } else {
            answer.result = memory_forget(memory, request) ? STORE_DONE : STORE_FAILED;
        }
        break;
    case STORE_HOLD:
        answer.result = hold(memory, request->word);
        break;
    case STORE_COMMIT:
    case STORE_CONFIRM:
        break; // not asked here
    }
    return store_answer_copy(&answer);
}
