#include "core/codec/issues.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/codec/utf8.h"

// A file's own words may stand in a line: nothing of them may break it, half a letter neither.
static void make_printable(char *text)
{
    while (*text != '\0') {
        uint32_t code = 0;
        const unsigned letter = utf8_read(text, UTF8_MOST, &code);
        const unsigned length = letter > 0 ? unseen_bytes(text) : 1;
        memset(text, '?', length);
        text += length > 0 ? length : letter;
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
