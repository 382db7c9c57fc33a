#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

#include "adapters/matrix/aside.h"
#include "adapters/matrix/makes_impl.h"

enum { ABOUT_SIZE = CHAT_ID_SIZE + 16 };

static const int64_t DAY_MS = INT64_C(24) * 60 * 60 * 1000;
static const char BETWEEN[] = ", ";
static const char BEGINS[] = "making/";

/* Reading. */

bool makes_read(const char *words, size_t *name_length, const char **people)
{
    const char *with = strncmp(words, "with ", 5) == 0 ? words : NULL;
    for (const char *at = strstr(words, " with "); at != NULL; at = strstr(at + 1, " with ")) {
        with = at + 1; // the last: a room may be called "Munchkin with friends"
    }
    *name_length = with != NULL && with > words ? (size_t)(with - words) - 1 : 0;
    *people = with != NULL ? with + 5 : "";
    return with != NULL && (*people)[strspn(*people, BETWEEN)] != '\0';
}

const char *makes_person(const char *people, char out[CHAT_ID_SIZE])
{
    const char *const at = people + strspn(people, BETWEEN);
    const size_t length = strcspn(at, BETWEEN);
    const char *const colon = memchr(at, ':', length);
    const bool good = at[0] == '@' && length < CHAT_ID_SIZE && colon != NULL && colon > at + 1 &&
                      colon + 1 < at + length;
    (void)snprintf(out, CHAT_ID_SIZE, "%.*s", good ? (int)length : 0, at);
    return length > 0 ? at + length : NULL;
}

/* Saying. */

void makes_say(const struct makes *makes, const char *person, const char *event, enum text_id text,
               const struct text_arg *args)
{
    char about[ABOUT_SIZE];
    (void)snprintf(about, sizeof about, "room %s", event);
    const struct aside aside = {.about = about, .person = person, .text = text, .args = args};
    if (!aside_say(makes->setup.speech, &aside)) {
        makes->setup.log(makes->setup.log_user, NET_LOG_ERROR, "answer", "out of memory");
    }
}

static void gone(uv_handle_t *handle)
{
    free(handle->data);
}

static void take_out(struct making *making)
{
    struct making **at = &making->makes->first;
    while (*at != making) {
        at = &(*at)->next;
    }
    *at = making->next;
    uv_close((uv_handle_t *)&making->timer, gone);
}

// What is asked for is kept until it is answered, so that it outlives the process.
static bool keep(struct making *making, const char *text)
{
    char word[sizeof BEGINS + CHAT_ID_SIZE];
    (void)snprintf(word, sizeof word, "%s%s", BEGINS, making->event);
    const struct chat_kept item = {
        .word = word, .at = text, .size = text != NULL ? strlen(text) : 0};
    return chat_keep(making->makes->setup.chat, &item, NULL, NULL);
}

void makes_end(struct making *making)
{
    (void)!keep(making, NULL);
    take_out(making);
}

/* Asking. */

struct search {
    const char *bot, *person, *event;
    int64_t since_ms;
    unsigned lately;
    const struct room *found;
};

static void look_at(void *user, struct room *room)
{
    struct search *const search = user;
    const char *const of = room_of(room, search->bot);
    if (of != NULL && strcmp(of, search->person) == 0) {
        search->lately += room_made_ms(room) > search->since_ms ? 1 : 0;
        search->found =
            strcmp(room_by(room, search->bot), search->event) == 0 ? room : search->found;
    }
}

static bool add_person(struct making *making, const char *person)
{
    for (size_t i = 0; i < making->count; i++) {
        if (strcmp(making->people[i], person) == 0) {
            return true;
        }
    }
    if (making->count == MAKES_PEOPLE_MAX || person[0] == '\0') {
        return false;
    }
    if (strcmp(person, making->makes->setup.bot) != 0) {
        (void)snprintf(making->people[making->count++], CHAT_ID_SIZE, "%s", person);
    }
    return true;
}

static bool read_words(struct making *making, const char *words)
{
    char person[CHAT_ID_SIZE];
    const char *people = NULL;
    size_t length = 0;
    bool good = makes_read(words, &length, &people) && length <= MAKES_TITLE_MAX &&
                add_person(making, making->person);
    (void)snprintf(making->name, sizeof making->name, "%.*s", good ? (int)length : 0, words);
    for (people = makes_person(people, person); good && people != NULL;
         people = makes_person(people, person)) {
        good = add_person(making, person);
    }
    return good;
}

static void begin(struct making *making)
{
    const struct makes *const makes = making->makes;
    uv_timeval64_t now = {0};
    (void)uv_gettimeofday(&now);
    struct search search = {.bot = makes->setup.bot,
                            .person = making->person,
                            .event = making->event,
                            .since_ms = now.tv_sec * MAKES_MS_PER_S - DAY_MS};
    rooms_each(makes->setup.rooms, look_at, &search);
    for (const struct making *at = makes->first; at != NULL; at = at->next) {
        const bool other = at != making && strcmp(at->person, making->person) == 0;
        search.lately += other && at->state > MAKING_HEARD && at->room[0] == '\0' ? 1 : 0;
    }
    if (search.found != NULL && making->again) { // made before the process was killed
        (void)snprintf(making->room, sizeof making->room, "%s", room_id(search.found));
        making->state = MAKING_INVITES;
        makes_step(making);
    } else if (search.found != NULL) { // told again
        makes_end(making);
    } else if (search.lately >= MAKES_A_DAY) {
        makes_say(makes, making->person, making->event, TEXT_MATRIX_ROOM_OFTEN, NULL);
        makes_end(making);
    } else {
        making->state = MAKING_ASKS;
        makes_step(making);
    }
}

void makes_synced(struct makes *makes)
{
    makes->synced = true;
    for (struct making *at = makes->first, *next = NULL; at != NULL; at = next) {
        next = at->next;
        at->told = true;
        if (at->state == MAKING_HEARD) {
            begin(at);
        }
    }
}

static struct making *find(const struct makes *makes, const char *event)
{
    struct making *at = makes->first;
    while (at != NULL && strcmp(at->event, event) != 0) {
        at = at->next;
    }
    return at;
}

// NULL if there is no such thing to be made.
static struct making *add(struct makes *makes, const char *person, const char *event,
                          const char *words)
{
    struct making *const making =
        makes->stopped || find(makes, event) != NULL ? NULL : calloc(1, sizeof *making);
    if (making == NULL) {
        return NULL;
    }
    *making = (struct making){.makes = makes};
    (void)snprintf(making->person, sizeof making->person, "%s", person);
    (void)snprintf(making->event, sizeof making->event, "%s", event);
    if (!read_words(making, words)) {
        makes_say(makes, person, event, TEXT_MATRIX_ROOM_HOW, NULL);
        free(making);
        return NULL;
    }
    (void)uv_timer_init(makes->setup.loop, &making->timer);
    making->timer.data = making;
    making->next = makes->first;
    makes->first = making;
    return making;
}

static void heard(struct making *making)
{
    making->state = MAKING_HEARD;
    if (making->told) {
        begin(making);
    }
}

static void take_up(struct makes *makes, const char *event, const char *text, size_t size)
{
    char words[CHAT_ID_SIZE + CHAT_LINE_SIZE];
    (void)snprintf(words, sizeof words, "%.*s", (int)size, text);
    char *const line = strchr(words, '\n');
    if (line == NULL) {
        return;
    }
    *line = '\0';
    struct making *const making = add(makes, words, event, line + 1);
    if (making != NULL) {
        making->again = true;
        making->told = makes->synced;
        heard(making);
    }
}

// What has just been kept, or an earlier process has left.
static void read_back(void *user, const struct chat_kept *items, size_t count)
{
    struct makes *const makes = user;
    for (size_t i = 0; i < count && !makes->stopped; i++) {
        const char *const event = items[i].word + strlen(BEGINS);
        struct making *const making = find(makes, event);
        if (making == NULL) {
            take_up(makes, event, items[i].at, items[i].size);
        } else if (making->state == MAKING_KEEPS) {
            heard(making);
        }
    }
}

static bool read_kept(struct makes *makes, const char *event)
{
    char word[sizeof BEGINS + CHAT_ID_SIZE];
    (void)snprintf(word, sizeof word, "%s%s", BEGINS, event);
    return chat_read(makes->setup.chat, word, read_back, makes);
}

void makes_ask(struct makes *makes, const char *person, const char *event, const char *words)
{
    char text[CHAT_ID_SIZE + CHAT_LINE_SIZE];
    struct making *const making = add(makes, person, event, words);
    if (making == NULL) {
        return;
    }
    (void)snprintf(text, sizeof text, "%s\n%s", person, words);
    if (!keep(making, text) || !read_kept(makes, event)) {
        heard(making); // without a host nothing outlives the process
    }
}

/* Whole. */

struct makes *makes_create(const struct makes_setup *setup)
{
    struct makes *const makes = calloc(1, sizeof *makes);
    if (makes != NULL) {
        makes->setup = *setup;
        (void)!read_kept(makes, "");
    }
    return makes;
}

void makes_stop(struct makes *makes)
{
    makes->stopped = true;
    while (makes->first != NULL) {
        take_out(makes->first); // what is kept is the next process's
    }
}

void makes_destroy(struct makes *makes)
{
    free(makes);
}
