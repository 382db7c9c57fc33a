#include "tests/support/says.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/test.h"

enum { ARGS_MAX = 16, NAME_SIZE = 24, SENTENCE_SIZE = 4096 };

// Stands in a sentence for a value that does not matter: a mark, which values keep and no test asks
// for.
static const char ANYTHING[] = {MARK_TIME, '\0'};

struct values {
    struct text_arg list[ARGS_MAX + 1]; // ends with a name of NULL
    char names[ARGS_MAX][NAME_SIZE];
    size_t count;
};

static bool is_given(const struct values *values, const struct text_place *place)
{
    for (size_t i = 0; i < values->count; i++) {
        const char *const name = values->list[i].name;
        if (strncmp(name, place->name, place->name_length) == 0 &&
            name[place->name_length] == '\0') {
            return true;
        }
    }
    return false;
}

// The given values, and anything for each other place of the sentence.
static void fill(struct values *values, enum text_id id, const struct text_arg *args)
{
    for (; args != NULL && args->name != NULL; args++) {
        assert_true(values->count < ARGS_MAX);
        values->list[values->count++] = *args;
    }
    for (const char *at = text_sentence(id); (at = strchr(at, '{')) != NULL;) {
        struct text_place place;
        if (at[1] == '{') {
            at += 2;
            continue;
        }
        at = text_place_read(at, &place);
        assert_non_null(at);
        if (!is_given(values, &place)) {
            assert_true(values->count < ARGS_MAX && place.name_length < NAME_SIZE);
            char *const name = values->names[values->count];
            memcpy(name, place.name, place.name_length);
            name[place.name_length] = '\0';
            values->list[values->count++] = text_str(name, ANYTHING);
        }
    }
    values->list[values->count] = (struct text_arg){NULL, NULL, 0};
}

static unsigned ways(const char *sentence)
{
    unsigned count = 1;
    for (const char *at = sentence; (at = strstr(at, " || ")) != NULL; at++) {
        count++;
    }
    return count;
}

// Whether the pieces between anythings follow each other on one line that begins here.
static bool follows(const char *at, const char *pattern)
{
    const char *const line_end = at + strcspn(at, "\n");
    bool loose = false;
    while (*pattern != '\0') {
        const size_t length = strcspn(pattern, ANYTHING);
        if (length > 0) {
            while (strncmp(at, pattern, length) != 0 && loose && at < line_end) {
                at++;
            }
            if (strncmp(at, pattern, length) != 0) {
                return false;
            }
            at += length;
        }
        pattern += length;
        loose = *pattern != '\0';
        pattern += loose ? 1 : 0;
    }
    return true;
}

// Whether what is said from `at` on ends with the end of a sentence or goes on with a joint.
static bool follows_part(const char *at, const char *part)
{
    static const char *const ENDS[] = {".", "!", ", ", " and "};
    for (size_t i = 0; i < sizeof ENDS / sizeof ENDS[0]; i++) {
        char whole[2 * SENTENCE_SIZE];
        (void)snprintf(whole, sizeof whole, "%s%s", part, ENDS[i]);
        if (follows(at, whole)) {
            return true;
        }
    }
    return false;
}

// Whether a line that begins with the sentence's first place has the rest of it as one of its
// parts.
static bool is_part(const char *text, char *sentence)
{
    char who[SENTENCE_SIZE];
    const char *const blank = strchr(sentence, ' ');
    const size_t length = strlen(sentence);
    if (blank == NULL || length < 2 || sentence[length - 1] != '.') {
        return false;
    }
    sentence[length - 1] = '\0';
    (void)snprintf(who, sizeof who, "%.*s ", (int)(blank - sentence), sentence);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line != 0) {
        if (!follows(line, who)) {
            continue;
        }
        if (follows_part(line, sentence)) {
            return true;
        }
        for (const char *at = line; *at != '\0' && *at != '\n'; at++) {
            const bool joint = strncmp(at, ", ", 2) == 0 || strncmp(at, " and ", 5) == 0;
            if (joint && follows_part(at + (*at == ',' ? 2 : 5), blank + 1)) {
                return true;
            }
        }
    }
    return false;
}

bool says(const char *text, enum text_id id, const struct text_arg *args)
{
    struct values values = {.count = 0};
    fill(&values, id, args);
    for (unsigned turn = 0; turn < ways(text_sentence(id)); turn++) {
        char sentence[SENTENCE_SIZE];
        struct text_out out;
        text_begin(&out, sentence, sizeof sentence);
        out.turn = turn;
        text_put(&out, id, values.list);
        assert_false(out.full);
        for (const char *at = text; *at != '\0'; at++) {
            if (follows(at, sentence)) {
                return true;
            }
        }
        if (strncmp(text_sentence(id), "{", 1) == 0 && is_part(text, sentence)) {
            return true;
        }
    }
    return false;
}

void assert_says(const char *text, enum text_id id, const struct text_arg *args)
{
    if (!says(text, id, args)) {
        fail_msg("\"%s\" is not said in:\n%s", text_sentence(id), text);
    }
}

void assert_says_not(const char *text, enum text_id id, const struct text_arg *args)
{
    if (says(text, id, args)) {
        fail_msg("\"%s\" is said in:\n%s", text_sentence(id), text);
    }
}
