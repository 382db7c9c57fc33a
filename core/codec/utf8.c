#include "core/codec/utf8.h"

unsigned utf8_read(const char *at, size_t left, uint32_t *code)
{
    static const uint32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *const bytes = (const unsigned char *)at;
    const unsigned lead = left > 0 ? bytes[0] : 0x80u;
    const unsigned length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : UTF8_MOST;
    if (left < length || (lead >= 0x80 && lead < 0xC2) || lead > 0xF4) {
        return 0; // the inside of a character, or what no character begins with
    }
    uint32_t read = length == 1 ? lead : lead & (0x7Fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0u) != 0x80u) {
            return 0;
        }
        read = read << 6 | (bytes[i] & 0x3Fu);
    }
    const bool surrogate = read >= 0xD800 && read <= 0xDFFF;
    *code = read;
    return read < LEAST[length] || read > 0x10FFFF || surrogate ? 0 : length;
}

bool utf8_is_text(const char *text)
{
    uint32_t code = 0;
    unsigned length = 1;
    for (; *text != '\0' && length > 0; text += length) {
        length = utf8_read(text, UTF8_MOST, &code);
    }
    return length > 0;
}
