#include "tests/record/written.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test.h"

enum { NAMED_SIZE = 400, ID_SIZE = CHAT_TABLE_SIZE };

/** A message that the fake has, by its id there. */
struct named {
    char id[ID_SIZE];
    char name[NAMED_SIZE];
    unsigned number; /**< of those of that name */
};

static struct account {
    FILE *out;
    uint64_t sums[WRITTEN_TOTAL];
    enum written_part part; /**< of the lines that are written now */
    struct named *named;
    size_t named_count;
    char *line;
    size_t line_size;
} account;

static void mix(enum written_part part, const char *text, size_t size)
{
    static const uint64_t PRIME = 0x100000001B3;
    for (size_t i = 0; i < size; i++) {
        account.sums[part] = (account.sums[part] ^ (unsigned char)text[i]) * PRIME;
    }
}

static void write_line(const char *form, va_list values) __attribute__((format(printf, 1, 0)));

static void write_line(const char *form, va_list values)
{
    va_list again;
    va_copy(again, values);
    const size_t size = (size_t)vsnprintf(NULL, 0, form, again) + 1;
    va_end(again);
    if (size > account.line_size) {
        free(account.line);
        account.line = malloc(size);
        account.line_size = size;
        assert_non_null(account.line);
    }
    (void)vsnprintf(account.line, size, form, values);
    mix(WRITTEN_ORDER, account.line, size);
    if (account.part != WRITTEN_ORDER) {
        mix(account.part, account.line, size);
    }
    if (account.out != NULL) {
        (void)fprintf(account.out, "%s\n", account.line);
    }
}

static void put(const char *form, ...) __attribute__((format(printf, 1, 2)));

static void put(const char *form, ...)
{
    va_list values;
    va_start(values, form);
    write_line(form, values);
    va_end(values);
}

// A text of several lines, each behind the word for what it is.
static void put_text(const char *what, const char *text)
{
    const char *at = text != NULL ? text : "";
    while (*at != '\0') {
        const size_t length = strcspn(at, "\n");
        put("    %s| %.*s", what, (int)length, at);
        at += length + (at[length] == '\n' ? 1 : 0);
    }
}

static void put_people(const char *what, const char *const *people, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put("    %s %s", what, people[i]);
    }
}

static const char *or_none(const char *text)
{
    return text != NULL ? text : "";
}

static const struct named *named_by(const char *id)
{
    for (size_t i = account.named_count; i > 0; i--) {
        if (strcmp(account.named[i - 1].id, id) == 0) {
            return &account.named[i - 1];
        }
    }
    return NULL;
}

// What was sent has an id now.
static void name_message(const char *id, const char *name)
{
    unsigned number = 1;
    if (named_by(id) != NULL) {
        return;
    }
    for (size_t i = account.named_count; i > 0 && number == 1; i--) {
        const struct named *const other = &account.named[i - 1];
        number = strcmp(other->name, name) == 0 ? other->number + 1 : number;
    }
    struct named *const grown =
        realloc(account.named, (account.named_count + 1) * sizeof *account.named);
    assert_non_null(grown);
    account.named = grown;
    struct named *const named = &account.named[account.named_count++];
    (void)snprintf(named->id, sizeof named->id, "%s", id);
    (void)snprintf(named->name, sizeof named->name, "%s", name);
    named->number = number;
}

static void put_control(const struct chat_control *control)
{
    put("    [%u %u %u %u-%u \"%s\" says \"%s\" leads \"%s\" opens \"%s\"]", control->kind,
        control->tone, control->form, control->min, control->max, control->label, control->line,
        control->leads, control->opens);
    for (size_t i = 0; i < control->choice_count; i++) {
        const struct chat_choice *const choice = &control->choices[i];
        put("      \"%s\" (%s) says \"%s\" leads \"%s\"", choice->label, choice->hint, choice->line,
            choice->leads);
    }
}

static void put_board(const struct chat_out *out)
{
    put("    turn %" PRIu32 ", chapter %" PRIu32 ", clock %" PRId64 ", mood %u, decision %u%s",
        out->turn, out->chapter, out->clock_ms, out->mood, out->bond.decision,
        out->idle ? ", idle" : "");
    put("    asks %u of %u", out->question.what, out->question.seats);
    put_people("asks", out->asked, out->asked_count);
}

static bool is_board(const struct chat_out *out)
{
    return out->kind == CHAT_CARD || out->kind == CHAT_HAND || out->anew;
}

static void put_call(const struct chat_out *out, const char *name)
{
    const struct named *const replaced = out->replaces != NULL ? named_by(out->replaces) : NULL;
    account.part = is_board(out) ? WRITTEN_BOARDS : WRITTEN_SAID;
    put("< %s%s%s%s", name, out->open ? ", open" : "", out->retries ? ", once more" : "",
        out->anew ? ", in the place of what was pressed" : "");
    if (replaced != NULL) {
        put("    edits %s %u", replaced->name, replaced->number);
    } else if (out->replaces != NULL) {
        put("    edits an unknown message");
    }
    if (out->answer != NULL || out->event != NULL) {
        put("    answers \"%s\" %s", or_none(out->answer), or_none(out->event));
    }
    if (out->refusal != NULL && out->refusal->code != REFUSAL_NONE) {
        put("    refuses: %u \"%s\"", (unsigned)out->refusal->code, or_none(out->refusal->rule));
    }
    if (out->moved != NULL) {
        put("    moved to %s", out->moved);
    }
    put_text("", out->text);
    put_text("story ", out->story);
    put_text("kept ", out->kept);
    put_text("prompt ", out->prompt);
    put_people("calls", out->pings, out->ping_count);
    if (is_board(out)) {
        put_board(out);
    }
    if (out->path != NULL) {
        put("    page \"%s\"", out->path);
    }
    for (size_t i = 0; i < out->control_count; i++) {
        put_control(&out->controls[i]);
    }
}

// NOLINTBEGIN(readability-identifier-naming): ld --wrap makes the names
bool __real_chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);
bool __wrap_chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err);

bool __wrap_chat_send(struct chat *chat, const struct chat_out *out, struct mb_error *err)
{
    static const char *const KINDS[] = {
        [CHAT_NARRATION] = "narration", [CHAT_CARD] = "card",   [CHAT_WHISPER] = "whisper",
        [CHAT_HAND] = "hand",           [CHAT_REPLY] = "reply", [CHAT_ROOM] = "room",
        [CHAT_FORGET] = "forget",       [CHAT_SEEK] = "seek"};
    char name[NAMED_SIZE];
    const struct chat_key key = out->key;
    (void)snprintf(name, sizeof name, "%s %s%s at %s, %s", KINDS[out->kind],
                   out->person != NULL ? "of " : "for all", or_none(out->person),
                   or_none(out->place), chat_name(chat));
    put_call(out, name);
    const size_t before = fake_count(chat);
    const bool taken = __real_chat_send(chat, out, err);
    account.part = WRITTEN_SAID;
    const struct fake_message *const shown = fake_message(chat, before);
    if (!taken) {
        put("    not taken: %s", err->text);
    } else if (shown != NULL && shown->key.number == key.number) {
        name_message(shown->id, name);
    }
    return taken;
}

// NOLINTEND(readability-identifier-naming)

void written_begin(FILE *out)
{
    account.out = out;
    for (unsigned part = 0; part < WRITTEN_TOTAL; part++) {
        account.sums[part] = UINT64_C(0xCBF29CE484222325);
    }
}

void written_deed(const char *form, ...)
{
    va_list values;
    account.part = WRITTEN_ORDER;
    va_start(values, form);
    write_line(form, values);
    va_end(values);
}

void written_offers(const char *person, const char *line, const struct complete_list *list)
{
    account.part = WRITTEN_SAID;
    put("? %s types \"%s\": %u offers from %zu%s", person, line, list->count, list->from,
        list->overflow ? " and more" : "");
    for (unsigned i = 0; i < list->count; i++) {
        put("    %s%s", list->items[i].text, list->items[i].goes_on ? " ..." : "");
    }
}

void written_step(void *user, const struct table_step *step)
{
    (void)user;
    account.part = WRITTEN_STATES;
    put("= seat %u, %u events, state %016" PRIx64, (unsigned)step->command->seat,
        (unsigned)step->events->count, game_digest(step->after));
}

void written_end(uint32_t digests[WRITTEN_TOTAL])
{
    for (unsigned part = 0; part < WRITTEN_TOTAL; part++) {
        digests[part] = (uint32_t)(account.sums[part] ^ account.sums[part] >> 32);
    }
    free(account.named);
    free(account.line);
    account = (struct account){.out = NULL};
}
