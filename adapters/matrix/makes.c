#include "adapters/matrix/makes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/chat_impl.h"

#include "adapters/matrix/aside.h"

enum {
    TRIES = 3,
    TOLD_MS = 15000, // until a room that was made is told of, whatever was answered
    TITLE_MAX = 100,
    MISSING_SIZE = 512,
    ABOUT_SIZE = CHAT_ID_SIZE + 16,
    MS_PER_S = 1000
};

static const int64_t DAY_MS = INT64_C(24) * 60 * 60 * 1000;
static const char BETWEEN[] = ", ";
static const char BEGINS[] = "making/";

/* One that is being made. */
struct making {
    struct making *next;
    struct makes *makes;
    uv_timer_t timer;
    unsigned tries;
    struct limits_turn turn;
    enum { MAKING_KEEPS, MAKING_HEARD, MAKING_ASKS, MAKING_LOOKS, MAKING_INVITES } state;
    bool refused; // the last request: it need not have been in vain
    bool told;    // the sync that brought it is told whole
    bool again;   // an earlier process has begun it
    char person[CHAT_ID_SIZE], event[CHAT_ID_SIZE], room[CHAT_ID_SIZE];
    char name[TITLE_MAX + 1];
    char people[MAKES_PEOPLE_MAX][CHAT_ID_SIZE];
    size_t count, at; // at: who is invited now
    char missing[MISSING_SIZE];
};

struct makes {
    struct makes_setup setup;
    struct making *first;
    bool stopped, synced; // synced: of all rooms it is known what they are like
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

/* Saying. */

static void say(const struct makes *makes, const char *person, const char *event, enum text_id text,
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

static void end(struct making *making)
{
    (void)!keep(making, NULL);
    take_out(making);
}

static void step(struct making *making);

static void on_timer(uv_timer_t *timer)
{
    step(timer->data);
}

static void wait(struct making *making, int64_t ms)
{
    (void)uv_timer_start(&making->timer, on_timer, (uint64_t)ms, 0);
}

// Whether it is somebody else's turn; then it goes on when it is this one's.
static bool waits(struct making *making, enum limits_of of)
{
    const struct makes_setup *const setup = &making->makes->setup;
    const int64_t now_ms = (int64_t)uv_now(setup->loop);
    const int64_t wait_ms = limits_wait_ms(setup->limits, of, &making->turn, now_ms);
    if (wait_ms > 0) {
        wait(making, wait_ms);
    }
    return wait_ms > 0;
}

// Whether nobody has looked at what was asked; then it is asked again.
static bool again(struct making *making, enum limits_of of, const struct api_answer *answer)
{
    const struct makes_setup *const setup = &making->makes->setup;
    const bool unseen =
        limits_again(setup->limits, of, &making->turn, answer, (int64_t)uv_now(setup->loop));
    if (unseen) {
        step(making);
    }
    return unseen;
}

static void finish(struct making *making)
{
    const bool all = making->missing[0] == '\0';
    const struct text_arg *const args =
        TEXT_ARGS(text_str("room", making->room), text_str("who", making->missing));
    say(making->makes, making->person, making->event,
        all ? TEXT_MATRIX_ROOM_MADE : TEXT_MATRIX_ROOM_MISSING, args);
    end(making);
}

// A homeserver may encrypt whatever it is asked to make: nothing can be played there.
static void told_seal(void *user, const struct api_answer *answer)
{
    struct making *const making = user;
    if (api_is_none(answer)) {
        finish(making);
    } else if (api_is_later(answer) || (!api_good(answer) && ++making->tries < TRIES)) {
        wait(making, api_wait_ms(answer, making->tries));
    } else { // it is, or nobody says that it is not
        say(making->makes, making->person, making->event,
            api_good(answer) ? TEXT_MATRIX_ROOM_FORCED : TEXT_MATRIX_ROOM_FAILED, NULL);
        end(making);
    }
}

static void look_at_seal(struct making *making)
{
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "GET", .path = path};
    making->state = MAKING_INVITES;
    if (!api_path(path, "/_matrix/client/v3/rooms/", making->room, "/state/m.room.encryption") ||
        api_call(making->makes->setup.api, &call, told_seal, making) == 0) {
        wait(making, MS_PER_S);
    }
}

/* Inviting one by one. */

static void note_missing(struct making *making)
{
    const size_t length = strlen(making->missing);
    (void)snprintf(making->missing + length, sizeof making->missing - length, "%s%s",
                   length > 0 ? ", " : "", making->people[making->at]);
}

static void invited(void *user, const struct api_answer *answer)
{
    struct making *const making = user;
    if (again(making, LIMITS_INVITE, answer)) {
        return;
    }
    if (api_is_later(answer) && ++making->tries < TRIES) {
        wait(making, api_wait_ms(answer, making->tries));
        return;
    }
    if (!api_good(answer)) {
        note_missing(making);
    }
    making->tries = 0;
    making->at++;
    step(making);
}

static void invite_next(struct making *making)
{
    const struct makes_setup *const setup = &making->makes->setup;
    const struct room *const room = rooms_find(setup->rooms, making->room);
    while (making->at < making->count && room != NULL &&
           room_membership(room, making->people[making->at]) != ROOM_AWAY) {
        making->at++;
    }
    if (making->at == making->count) {
        look_at_seal(making);
        return;
    }
    if (waits(making, LIMITS_INVITE)) {
        return;
    }
    char path[API_PATH_SIZE];
    const struct api_call call = {.method = "POST",
                                  .path = path,
                                  .body =
                                      json_pack("{s:s}", "user_id", making->people[making->at])};
    if (!api_path(path, "/_matrix/client/v3/rooms/", making->room, "/invite") ||
        api_call(setup->api, &call, invited, making) == 0) {
        wait(making, MS_PER_S);
    }
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
    return json_pack("{s:s, s:s, s:s, s:o, s:{s:s, s:s}, s:{s:{s:i, s:i}}}", "preset",
                     "private_chat", "room_version", "11", "name", making->name, "invite",
                     invitations(making), "creation_content", ROOM_OF, making->person, ROOM_BY,
                     making->event, "power_level_content_override", "users",
                     making->makes->setup.bot, 100, making->person, 50);
}

static void know(void *user, struct room *room)
{
    makes_know(user, room);
}

static void made(void *user, const struct api_answer *answer)
{
    struct making *const making = user;
    const char *const id = wire_id(answer->body, "room_id");
    if (again(making, LIMITS_ROOM, answer)) {
        return;
    }
    making->tries++;
    if (api_good(answer) && id != NULL) { // and everybody is invited
        (void)snprintf(making->room, sizeof making->room, "%s", id);
        making->at = making->count;
        look_at_seal(making);
        return;
    }
    making->refused = !api_is_later(answer);
    making->state = MAKING_LOOKS;
    wait(making, TOLD_MS);
    rooms_each(making->makes->setup.rooms, know, making->makes); // a sync may have been faster
}

static void make(struct making *making)
{
    if (waits(making, LIMITS_ROOM)) {
        return;
    }
    const struct api_call call = {.method = "POST",
                                  .path = "/_matrix/client/v3/createRoom",
                                  .body = new_room(making),
                                  .once = true};
    if (api_call(making->makes->setup.api, &call, made, making) == 0) {
        wait(making, MS_PER_S);
    }
}

// No sync has told of it: it was never made.
static void give_up_or_again(struct making *making)
{
    if (!making->refused && making->tries < TRIES) {
        making->state = MAKING_ASKS;
        make(making);
    } else {
        say(making->makes, making->person, making->event, TEXT_MATRIX_ROOM_FAILED, NULL);
        end(making);
    }
}

static void step(struct making *making)
{
    switch (making->state) {
    case MAKING_KEEPS:
    case MAKING_HEARD:
        break; // makes_synced()
    case MAKING_ASKS:
        make(making);
        break;
    case MAKING_LOOKS:
        give_up_or_again(making);
        break;
    case MAKING_INVITES:
        invite_next(making);
        break;
    }
}

void makes_know(struct makes *makes, const struct room *room)
{
    const char *const by = room_by(room, makes->setup.bot);
    struct making *making = by != NULL ? makes->first : NULL;
    while (making != NULL && strcmp(making->event, by) != 0) {
        making = making->next;
    }
    if (making != NULL && making->state == MAKING_LOOKS &&
        room_membership(room, makes->setup.bot) == ROOM_JOINED) {
        (void)snprintf(making->room, sizeof making->room, "%s", room_id(room));
        making->state = MAKING_INVITES;
        making->tries = 0;
        wait(making, MS_PER_S); // when all of what it is like is told
    }
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
    bool good = makes_read(words, &length, &people) && length <= TITLE_MAX &&
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
                            .since_ms = now.tv_sec * MS_PER_S - DAY_MS};
    rooms_each(makes->setup.rooms, look_at, &search);
    for (const struct making *at = makes->first; at != NULL; at = at->next) {
        const bool other = at != making && strcmp(at->person, making->person) == 0;
        search.lately += other && at->state > MAKING_HEARD && at->room[0] == '\0' ? 1 : 0;
    }
    if (search.found != NULL && making->again) { // made before the process was killed
        (void)snprintf(making->room, sizeof making->room, "%s", room_id(search.found));
        making->state = MAKING_INVITES;
        invite_next(making);
    } else if (search.found != NULL) { // told again
        end(making);
    } else if (search.lately >= MAKES_A_DAY) {
        say(makes, making->person, making->event, TEXT_MATRIX_ROOM_OFTEN, NULL);
        end(making);
    } else {
        making->state = MAKING_ASKS;
        make(making);
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
        say(makes, person, event, TEXT_MATRIX_ROOM_HOW, NULL);
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
