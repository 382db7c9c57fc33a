#include "core/codec/issues.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// How many bytes from here nobody would see, or would turn the line around: controls (C0, DEL, C1)
// and marks of direction (U+202A to U+202E, U+2066 to U+2069). What is cut short matches none.
static unsigned unseen(const unsigned char *at)
{
    if (at[0] < 0x20 || at[0] == 0x7F) {
        return 1;
    }
    if (at[0] == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0) {
        return 2;
    }
    const bool turns = at[0] == 0xE2 && ((at[1] == 0x80 && at[2] >= 0xAA && at[2] <= 0xAE) ||
                                         (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9));
    return turns ? 3 : 0;
}

// A file's own words may stand in a line: nothing of them may break it.
static void make_printable(char *text)
{
    while (*text != '\0') {
        const unsigned length = unseen((const unsigned char *)text);
        memset(text, '?', length);
        text += length > 0 ? length : 1;
    }
}

// Cuts at a whole character and shows that it did.
static void mark_cut(char *text, size_t size)
{
    size_t end = size - 4;
    while (end > 0 && ((unsigned char)text[end] & 0xC0u) == 0x80u) {
        end--;
    }
    memcpy(text + end, "...", sizeof "...");
}

MB_PRINTF(3, 0)
static void add(struct catalog_issues *issues, bool note, const char *format, va_list values)
{
    if (issues->count == CATALOG_ISSUES_MAX) {
        return;
    }
    struct catalog_issue *issue = &issues->list[issues->count++];
    issue->note = note;
    int length = vsnprintf(issue->text, sizeof issue->text, format, values);
    if (length < 0) {
        issue->text[0] = '\0';
    } else if ((size_t)length >= sizeof issue->text) {
        mark_cut(issue->text, sizeof issue->text);
    }
    make_printable(issue->text);
}

void issues_error(struct catalog_issues *issues, const char *format, ...)
{
    if (issues != NULL) {
        va_list values;
        va_start(values, format);
        issues->errors++;
        add(issues, false, format, values);
        va_end(values);
    }
}

void issues_note(struct catalog_issues *issues, const char *format, ...)
{
    if (issues != NULL) {
        va_list values;
        va_start(values, format);
        issues->notes++;
        add(issues, true, format, values);
        va_end(values);
    }
}
