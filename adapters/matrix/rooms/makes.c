#include "adapters/matrix/rooms/makes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/codec/memory.h"

#include "bot/text/text.h"

#include "adapters/matrix/rooms/house.h"
#include "adapters/matrix/say/speech.h"

enum {
    ABOUT_SIZE = CHAT_ID_SIZE + 16,
    TITLE_MAX = 100,
    MISSING_SIZE = 512,
    MS_PER_S = 1000,
    TRIES = 3,
    TOLD_MS = 15000 // until a room that was made is told of, whatever was answered
};

static const int64_t DAY_MS = INT64_C(24) * 60 * 60 * 1000;
static const char BETWEEN[] = ", ";

/* A room that is being made: an errand by the name of the event that asks for it, of "PERSON",
 * a new line, and what they have said. */
struct making {
    const struct house_setup *house;
    bool seals; // it is to be encrypted
    bool told;  // the sync that brought it is told whole
    bool asks;  // a room is asked for, and there is none yet
    bool looks; // one may have been made: a sync tells
    bool known; // one has
    char person[CHAT_ID_SIZE], event[CHAT_ID_SIZE], room[CHAT_ID_SIZE];
    char name[TITLE_MAX + 1];
    char people[MAKES_PEOPLE_MAX][CHAT_ID_SIZE];
    size_t count, at; // at: who is invited now
    char missing[MISSING_SIZE];
};

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
    if (strcmp(person, making->house->bot) != 0) {
        (void)snprintf(making->people[making->count++], CHAT_ID_SIZE, "%s", person);
    }
    return true;
}

static bool read_words(struct making *making, const char *words)
{
    char person[CHAT_ID_SIZE];
    const char *people = NULL;
    size_t length = 0;
    bool good = makes_read(words, &length, &people) && length <= TITLE_MAX &&
                add_person(making, making->person);
    (void)snprintf(making->name, sizeof making->name, "%.*s", good ? (int)length : 0, words);
    for (people = makes_person(people, person); good && people != NULL;
         people = makes_person(people, person)) {
        good = add_person(making, person);
    }
    return good;
}

// NULL: there is no such thing to be made.
static struct making *making_new(const struct house_setup *house, const char *person,
                                 const char *event, const char *words)
{
    struct making *const making = mb_new(1, sizeof *making);
    making->house = house;
    (void)snprintf(making->person, sizeof making->person, "%s", person);
    (void)snprintf(making->event, sizeof making->event, "%s", event);
    if (!read_words(making, words)) {
        free(making);
        return NULL;
    }
    return making;
}

static struct making *making_of(const struct errand *errand)
{
    char person[CHAT_ID_SIZE];
    const char *const line = strchr(errand->text, '\n');
    const size_t length = line != NULL ? (size_t)(line - errand->text) : 0;
    (void)snprintf(person, sizeof person, "%.*s", (int)length, errand->text);
    return line != NULL ? making_new(errand->errands->user, person, errand->name, line + 1) : NULL;
}

// Once, to whoever asked by that event.
static void answer_asker(const struct house_setup *house, const char *person, const char *event,
                         enum text_id text, const struct text_arg *args)
{
    char about[ABOUT_SIZE];
    (void)snprintf(about, sizeof about, "room %s", event);
    aside_say(house->speech,
              &(const struct aside){.about = about, .person = person, .text = text, .args = args});
}

static void answer_with(const struct making *making, enum text_id text)
{
    answer_asker(making->house, making->person, making->event, text,
                 TEXT_ARGS(text_str("room", making->room), text_str("who", making->missing)));
}

/* Making. */

static json_t *invitations(const struct making *making)
{
    json_t *const ids = json_array();
    for (size_t i = 0; i < making->count; i++) {
        (void)json_array_append_new(ids, json_string(making->people[i]));
    }
    return ids;
}

// The levels of others can be given only where it is known which room version it is.
static json_t *new_room(const struct making *making)
{
    json_t *const room = json_pack(
        "{s:s, s:s, s:s, s:o, s:{s:s, s:s}, s:{s:{s:i, s:i}}}", "preset", "private_chat",
        "room_version", "11", "name", making->name, "invite", invitations(making),
        "creation_content", ROOM_OF, making->person, ROOM_BY, making->event,
        "power_level_content_override", "users", making->house->bot, 100, making->person, 50);
    if (making->seals) {
        (void)json_object_set_new(room, "initial_state", json_pack("[o]", room_encryption()));
    }
    return room;
}

// Whether all of them could read it. False: the end has come.
static bool ask_seals(struct fibre *fibre, struct making *making)
{
    struct seal *const seal = making->house->seal;
    json_t *const people = invitations(making);
    const bool goes_on = seal_readers_await(fibre, seal, people, &making->seals);
    json_decref(people);
    making->seals = making->seals || seal_makes(seal) == SEAL_ALWAYS;
    return goes_on;
}

// A sync may tell of it before the answer does, or without one: then the room is known.
static bool make_room(struct fibre *fibre, struct errands *makes, struct making *making)
{
    const struct house_setup *const house = making->house;
    bool refused = false; // the last request: it need not have been in vain
    making->asks = true;
    if (!ask_seals(fibre, making)) {
        return false;
    }
    for (unsigned tries = 0; tries < TRIES && !refused && !making->known; tries++) {
        const struct api_call call = {.method = "POST",
                                      .path = "/_matrix/client/v3/createRoom",
                                      .body = new_room(making),
                                      .once = true};
        struct api_answer answer;
        if (!limits_await(fibre, house->limits, LIMITS_ROOM, house->api, &call, &answer)) {
            return false;
        }
        const char *const id = wire_id(answer.body, "room_id");
        if (api_good(&answer) && id != NULL) { // and everybody is invited
            (void)snprintf(making->room, sizeof making->room, "%s", id);
            making->at = making->count;
            return true;
        }
        refused = !api_is_later(&answer);
        making->looks = true;
        for (const struct room *at = rooms_next(house->rooms, NULL); at != NULL;
             at = rooms_next(house->rooms, at)) {
            makes_know(makes, at);
        }
        if (!api_sleep_until(fibre, house->api, TOLD_MS, &making->known)) {
            return false;
        }
        making->looks = false;
    }
    // If known, then when all of what it is like is told.
    return !making->known || api_sleep(fibre, house->api, MS_PER_S);
}

/* Inviting one by one. */

static void note_missing(struct making *making, const char *person)
{
    const size_t length = strlen(making->missing);
    (void)snprintf(making->missing + length, sizeof making->missing - length, "%s%s",
                   length > 0 ? ", " : "", person);
}

static bool invite(struct fibre *fibre, struct making *making, const char *person)
{
    const struct house_setup *const house = making->house;
    char path[API_PATH_SIZE];
    struct api_answer answer;
    unsigned tries = 0;
    if (!api_path(path, "/_matrix/client/v3/rooms/", making->room, "/invite")) {
        return true;
    }
    do {
        const struct api_call call = {
            .method = "POST", .path = path, .body = json_pack("{s:s}", "user_id", person)};
        if ((tries > 0 && !api_sleep(fibre, house->api, api_wait_ms(&answer, tries))) ||
            !limits_await(fibre, house->limits, LIMITS_INVITE, house->api, &call, &answer)) {
            return false;
        }
    } while (api_is_later(&answer) && ++tries < TRIES);
    if (!api_good(&answer)) {
        note_missing(making, person);
    }
    return true;
}

static bool invite_all(struct fibre *fibre, struct making *making)
{
    for (; making->at < making->count; making->at++) {
        const char *const person = making->people[making->at];
        const struct room *const room = rooms_find(making->house->rooms, making->room);
        if ((room == NULL || room_membership(room, person) == ROOM_AWAY) &&
            !invite(fibre, making, person)) {
            return false;
        }
    }
    return true;
}

// A homeserver may encrypt whatever it is asked to make: without keys nothing can be played there.
static bool finish_room(struct fibre *fibre, const struct making *making)
{
    const bool all = making->missing[0] == '\0';
    enum api_sealed sealed = API_SEALED_UNSAID;
    if (!api_sealed_await(fibre, making->house->api, making->room, &sealed)) {
        return false;
    }
    const bool shut = sealed == API_SEALED && !seal_is_ready(making->house->seal);
    answer_with(making, shut                          ? TEXT_MATRIX_ROOM_FORCED
                        : sealed == API_SEALED_UNSAID ? TEXT_MATRIX_ROOM_FAILED
                        : all                         ? TEXT_MATRIX_ROOM_MADE
                                                      : TEXT_MATRIX_ROOM_MISSING);
    return true;
}

/* Whole. */

// The room that was made for that event, and how many the person has had lately.
static const struct room *find_made(const struct errands *makes, const struct making *making,
                                    unsigned *lately)
{
    const struct house_setup *const house = making->house;
    const struct room *found = NULL;
    uv_timeval64_t now = {0};
    (void)uv_gettimeofday(&now);
    const int64_t since_ms = now.tv_sec * MS_PER_S - DAY_MS;
    *lately = 0;
    for (const struct room *at = rooms_next(house->rooms, NULL); at != NULL;
         at = rooms_next(house->rooms, at)) {
        const char *const of = room_of(at, house->bot);
        if (of != NULL && strcmp(of, making->person) == 0) {
            *lately += room_made_ms(at) > since_ms ? 1 : 0;
            found = strcmp(room_by(at, house->bot), making->event) == 0 ? at : found;
        }
    }
    for (const struct errand *at = makes->first; at != NULL; at = at->next) {
        const struct making *const other = at->own;
        *lately += other != NULL && other != making && other->asks && other->room[0] == '\0' &&
                           strcmp(other->person, making->person) == 0
                       ? 1
                       : 0;
    }
    return found;
}

static bool run_making(struct fibre *fibre, struct errand *errand, struct making *making)
{
    unsigned lately = 0;
    while (!making->told) {
        if (!fibre_wait(fibre)) {
            return false;
        }
    }
    const struct room *const found = find_made(errand->errands, making, &lately);
    if (found != NULL && !errand->taken_up) { // told again
        return true;
    }
    if (found == NULL && lately >= MAKES_A_DAY) {
        answer_with(making, TEXT_MATRIX_ROOM_OFTEN);
        return true;
    }
    if (found != NULL) { // made before the process was killed
        (void)snprintf(making->room, sizeof making->room, "%s", room_id(found));
    } else if (!make_room(fibre, errand->errands, making)) {
        return false;
    }
    if (making->room[0] == '\0') {
        answer_with(making, TEXT_MATRIX_ROOM_FAILED);
        return true;
    }
    return invite_all(fibre, making) && finish_room(fibre, making);
}

bool makes_run(struct fibre *fibre, struct errand *errand)
{
    struct making *const making = errand->own != NULL ? errand->own : making_of(errand);
    if (making == NULL) {
        return true;
    }
    errand->own = making;
    const bool done = run_making(fibre, errand, making);
    errand->own = NULL;
    free(making);
    return done;
}

void makes_ask(struct errands *makes, const char *person, const char *event, const char *words)
{
    char text[CHAT_ID_SIZE + CHAT_LINE_SIZE];
    struct making *const making =
        errands_find(makes, event) == NULL ? making_new(makes->user, person, event, words) : NULL;
    if (making != NULL) {
        (void)snprintf(text, sizeof text, "%s\n%s", person, words);
        if (!errands_begin(makes, event, text, making)) {
            free(making);
        }
    } else if (errands_find(makes, event) == NULL) {
        answer_asker(makes->user, person, event, TEXT_MATRIX_ROOM_HOW, NULL);
    }
}

void makes_know(struct errands *makes, const struct room *room)
{
    const struct house_setup *const house = makes->user;
    const char *const by = room_by(room, house->bot);
    const struct errand *const errand = by != NULL ? errands_find(makes, by) : NULL;
    struct making *const making = errand != NULL ? errand->own : NULL;
    if (making != NULL && making->looks && room_membership(room, house->bot) == ROOM_JOINED) {
        (void)snprintf(making->room, sizeof making->room, "%s", room_id(room));
        making->known = true;
        making->looks = false;
        fibre_wake(errand->fibre);
    }
}

void makes_synced(struct errands *makes)
{
    for (struct errand *at = makes->first, *next = NULL; at != NULL; at = next) {
        struct making *const making = at->own;
        next = at->next;
        if (making != NULL && !making->told) {
            making->told = true;
            fibre_wake(at->fibre);
        }
    }
}
