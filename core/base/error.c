#include "core/base/error.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// The length of `text` without a character that was cut in two at its end.
static size_t whole_length(const char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0u) == 0x80u) {
        start--;
    }
    if (start == 0) {
        return length; // continuation bytes only: not UTF-8, nothing to save
    }
    const unsigned char lead = (unsigned char)text[start - 1];
    const size_t size = lead >= 0xF0u ? 4 : lead >= 0xE0u ? 3 : lead >= 0xC0u ? 2 : 1;
    return start - 1 + size > length ? start - 1 : length;
}

bool mb_fail(struct mb_error *err, enum mb_code code, const char *format, ...)
{
    assert(code != MB_OK);
    if (err == NULL || err->code != MB_OK) {
        return false;
    }
    err->code = code;
    va_list values;
    va_start(values, format);
    const int wanted = vsnprintf(err->text, sizeof err->text, format, values);
    va_end(values);
    if (wanted < 0) {
        err->text[0] = '\0';
    } else if ((size_t)wanted >= sizeof err->text) {
        err->text[whole_length(err->text, strlen(err->text))] = '\0';
    }
    return false;
}
