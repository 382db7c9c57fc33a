#include "tests/support/failing_alloc.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/support/test.h"

// The linker's names: a call of malloc comes to __wrap_malloc, libc's own is __real_malloc.
// NOLINTBEGIN(readability-identifier-naming)
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
// NOLINTEND(readability-identifier-naming)

static unsigned long left; // until one fails; 0: none will
static bool failed;

static bool fails(void)
{
    const bool now = left == 1;
    failed = failed || now;
    left -= left > 0 ? 1 : 0;
    return now;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

void failing_alloc_arm(unsigned long n)
{
    left = n;
    failed = false;
    json_set_alloc_funcs(malloc, free);
}

void failing_alloc_spare_json(void)
{
    json_set_alloc_funcs(__real_malloc, free);
}

bool failing_alloc_disarm(void)
{
    left = 0;
    return failed;
}

unsigned long failing_alloc_each(bool (*attempt)(void *user), void *user)
{
    unsigned long refused = 0;
    for (unsigned long n = 1;; n++) {
        failing_alloc_arm(n);
        const bool succeeded = attempt(user);
        if (!failing_alloc_disarm()) {
            assert_true(succeeded);
            return refused;
        }
        refused += succeeded ? 0 : 1;
    }
}
