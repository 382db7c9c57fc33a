/* The console keeps the contract of chats: one keyboard, two people who take turns at it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <unistd.h>

#include "adapters/console/console.h"

#include "tests/support/chat_contract.h"
#include "tests/support/test.h"

enum { SEEN_SIZE = 65536, READERS = 2, LINE_MS = 1000 };

static const char *const PEOPLE[READERS] = {"Ann", "Bob"};

struct rig {
    int keys[2], screen[2];
    struct chat *chat;
    size_t length[READERS]; // of what each has not been asked about yet
    char seen[READERS][SEEN_SIZE];
    char out[SEEN_SIZE];
};

static void *rig_open(struct chat_queue *queue, struct chat **chat)
{
    struct rig *const rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    assert_int_equal(pipe(rig->keys), 0);
    assert_int_equal(pipe(rig->screen), 0);
    assert_int_equal(fcntl(rig->screen[0], F_SETFL, O_NONBLOCK), 0);
    const struct console_setup setup = {.in = rig->keys[0],
                                        .out = rig->screen[1],
                                        .place = "here",
                                        .people = PEOPLE,
                                        .people_count = READERS,
                                        .queue = queue};
    rig->chat = console_create(&setup);
    *chat = rig->chat;
    return rig;
}

static void rig_close(void *data)
{
    struct rig *const rig = data;
    chat_destroy(rig->chat);
    (void)close(rig->keys[0]);
    (void)close(rig->keys[1]);
    (void)close(rig->screen[0]);
    (void)close(rig->screen[1]);
    free(rig);
}

// What is on the screen goes to that reader.
static void read_screen(struct rig *rig, unsigned reader)
{
    char *const at = rig->seen[reader] + rig->length[reader];
    const ssize_t count = read(rig->screen[0], at, SEEN_SIZE - 1 - rig->length[reader]);
    rig->length[reader] += count > 0 ? (size_t)count : 0;
    rig->seen[reader][rig->length[reader]] = '\0';
}

static unsigned reader_of(const char *person)
{
    return strcmp(person, PEOPLE[0]) == 0 ? 0 : 1;
}

static const char *rig_seen_by(void *data, const char *person)
{
    struct rig *const rig = data;
    const unsigned reader = reader_of(person);
    // Ann sits there but for the moments in which Bob is asked: he reads what scrolled by since she
    // was asked, and what was kept for him.
    if (reader == 0) {
        read_screen(rig, 0);
        assert_int_equal(console_seat(rig->chat, 0), CONSOLE_LINE);
        console_prompt(rig->chat);
        read_screen(rig, 0);
    } else {
        read_screen(rig, 1);
        assert_int_equal(console_seat(rig->chat, 1), CONSOLE_LINE);
        console_prompt(rig->chat);
        read_screen(rig, 1);
        (void)console_seat(rig->chat, 0);
        char rest[256];
        (void)read(rig->screen[0], rest, sizeof rest); // "The keyboard goes to Ann."
    }
    memcpy(rig->out, rig->seen[reader], rig->length[reader] + 1);
    rig->length[reader] = 0;
    rig->seen[reader][0] = '\0';
    return rig->out;
}

static bool rig_hear(void *data, const char *person, const char *line)
{
    struct rig *const rig = data;
    char keys[CHAT_LINE_SIZE + CHAT_ID_SIZE + 4];
    const size_t before = chat_inbox(rig->chat)->count;
    const int length = snprintf(keys, sizeof keys, "%s: %s\n", person, line);
    assert_int_equal(write(rig->keys[1], keys, (size_t)length), length);
    (void)console_listen(rig->chat, LINE_MS, false);
    char echo[4096];
    (void)read(rig->screen[0], echo, sizeof echo);
    return chat_inbox(rig->chat)->count > before;
}

int main(void)
{
    const struct chat_contract contract = {.name = "contract of the console",
                                           .open = rig_open,
                                           .close = rig_close,
                                           .hear = rig_hear,
                                           .seen_by = rig_seen_by};
    return chat_contract_run(&contract);
}
