#include "core/codec/suggest.h"

enum { LOOK = 40 };

char suggest_small(char c)
{
    if (c >= 'A' && c <= 'Z') {
        c = (char)(c - 'A' + 'a');
    }
    return c;
}

static size_t lesser_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t length_of(const char *text)
{
    size_t length = 0;
    while (length < LOOK && text[length] != '\0') {
        length++;
    }
    return length;
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t la = length_of(a);
    size_t lb = length_of(b);
    size_t row[3][LOOK + 1]; // this line of the table and the two before it
    for (size_t j = 0; j <= lb; j++) {
        row[0][j] = j;
        row[1][j] = row[2][j] = 0;
    }
    size_t now = 0;
    for (size_t i = 1; i <= la; i++) {
        size_t last = now;
        size_t older = (now + 2) % 3;
        now = (now + 1) % 3;
        row[now][0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t cost = suggest_small(a[i - 1]) == suggest_small(b[j - 1]) ? 0 : 1;
            size_t d = lesser_of(row[last][j] + 1, row[now][j - 1] + 1);
            d = lesser_of(d, row[last][j - 1] + cost);
            if (i > 1 && j > 1 && suggest_small(a[i - 1]) == suggest_small(b[j - 2]) &&
                suggest_small(a[i - 2]) == suggest_small(b[j - 1])) {
                d = lesser_of(d, row[older][j - 2] + 1);
            }
            row[now][j] = d;
        }
    }
    return row[now][lb];
}

void suggest_try(struct suggestion *suggestion, const char *candidate)
{
    size_t distance = suggest_distance(suggestion->word, candidate);
    size_t allowed = 1 + length_of(suggestion->word) / 3;
    if (distance <= allowed && (suggestion->best == NULL || distance < suggestion->distance)) {
        suggestion->best = candidate;
        suggestion->distance = distance;
    }
}
