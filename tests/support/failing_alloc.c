// Linked into a program of its own (munchbot_scarce), between its objects and the C library: from
// the n-th allocation behind the opening of a soak's platform on there is no memory, which ends the
// process (core/codec/memory.h). n stands in MUNCHBOT_ABORT_AT. What libraries allocate for
// themselves does not fail.
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>

// The linker's names: a call of calloc comes to __wrap_calloc, libc's own is __real_calloc.
// NOLINTBEGIN(readability-identifier-naming)
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
int __real_open(const char *path, int flags, ...);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
int __wrap_open(const char *path, int flags, ...);
// NOLINTEND(readability-identifier-naming)

static _Atomic long left; // 1: they fail; 0: none will. Stores allocate on threads of their own.

static bool fails(void)
{
    left -= left > 1 ? 1 : 0; // from the n-th on all do
    return left == 1;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

int __wrap_open(const char *path, int flags, ...)
{
    const char *const name = strrchr(path, '/');
    const char *const n = getenv("MUNCHBOT_ABORT_AT");
    va_list rest;
    va_start(rest, flags);
    const int mode = (flags & O_CREAT) != 0 ? va_arg(rest, int) : 0;
    va_end(rest);
    if (n != NULL && name != NULL && strcmp(name, "/platform") == 0) {
        left = strtol(n, NULL, 10) + 1;
    }
    return __real_open(path, flags, mode);
}
