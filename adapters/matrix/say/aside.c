#include "adapters/matrix/say/aside.h"

#include <string.h>

#include <sodium.h>

enum { ASIDE_SIZE = 2048 };

void aside_say(struct speech *speech, const struct aside *aside)
{
    char sentence[ASIDE_SIZE];
    uint64_t numbers[2] = {0};
    struct text_out text;
    text_begin(&text, sentence, sizeof sentence);
    text_put(&text, aside->text, aside->args);
    (void)crypto_generichash((unsigned char *)numbers, sizeof numbers,
                             (const unsigned char *)aside->about, strlen(aside->about), NULL, 0);
    const struct chat_out out = {.kind = aside->person != NULL ? CHAT_REPLY : CHAT_NARRATION,
                                 .key = {.epoch = numbers[0], .number = numbers[1]},
                                 .mark = numbers[0],
                                 .place = aside->place,
                                 .person = aside->person,
                                 .text = sentence};
    // Of an encrypted room the one sentence that it is told.
    speech_say_aside(speech, &out, aside->text == TEXT_MATRIX_SEALED);
}
