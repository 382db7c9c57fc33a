/* The fake keeps the contract of chats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bot/tools/fake.h"

#include "tests/support/chat_contract.h"
#include "tests/support/test.h"

enum { SEEN_SIZE = 65536, READERS = 2 };

static const char *const PEOPLE[READERS] = {"Ann", "Bob"};

struct rig {
    struct chat *chat;
    size_t read[READERS]; // messages that each has been asked about
    char seen[SEEN_SIZE];
};

static void *rig_open(struct chat_queue *queue, struct chat **chat)
{
    struct rig *const rig = calloc(1, sizeof *rig);
    assert_non_null(rig);
    rig->chat = fake_create_with(queue, FAKE_CAPS_ALL | CHAT_CAP_STORY);
    *chat = rig->chat;
    return rig;
}

static void rig_close(void *rig)
{
    chat_destroy(((struct rig *)rig)->chat);
    free(rig);
}

static bool rig_hear(void *rig, const char *person, const char *line)
{
    return fake_hear(((struct rig *)rig)->chat, "here", person, line);
}

static const char *rig_seen_by(void *data, const char *person)
{
    struct rig *const rig = data;
    const unsigned reader = strcmp(person, PEOPLE[0]) == 0 ? 0 : 1;
    size_t length = 0;
    rig->seen[0] = '\0';
    for (; rig->read[reader] < fake_count(rig->chat); rig->read[reader]++) {
        const struct fake_message *const message = fake_message(rig->chat, rig->read[reader]);
        if (message->person[0] == '\0' || strcmp(message->person, person) == 0) {
            const size_t room = sizeof rig->seen - length;
            const int size =
                snprintf(rig->seen + length, room, "%s%s", message->story, message->text);
            assert_true(size >= 0 && (size_t)size < room);
            length += (size_t)size;
        }
    }
    return rig->seen;
}

static void rig_fail_at(void *rig, unsigned n)
{
    fake_fail_at(((struct rig *)rig)->chat, n);
}

static void rig_hold(void *rig)
{
    fake_hold(((struct rig *)rig)->chat, true);
}

static void rig_deliver(void *rig)
{
    bool more = true;
    while (more) {
        more = fake_deliver(((struct rig *)rig)->chat, NULL);
    }
}

static void rig_link(void *rig, bool back)
{
    assert_true(fake_link(((struct rig *)rig)->chat, back));
}

int main(void)
{
    const struct chat_contract contract = {.name = "contract of the fake",
                                           .open = rig_open,
                                           .close = rig_close,
                                           .hear = rig_hear,
                                           .seen_by = rig_seen_by,
                                           .fail_at = rig_fail_at,
                                           .hold = rig_hold,
                                           .deliver = rig_deliver,
                                           .link = rig_link};
    return chat_contract_run(&contract);
}
