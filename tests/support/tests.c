// One program of many modules' tests: runs those of the module that it is told, or names them all.
#include <stdio.h>
#include <string.h>

#define TEST(name) int name##_main(void);
#include MB_TESTS
#undef TEST

static const struct {
    const char *name;
    int (*run)(void);
} TESTS[] = {
#define TEST(name) {#name, name##_main},
#include MB_TESTS
#undef TEST
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof TESTS / sizeof TESTS[0]; i++) {
        if (argc == 2 && strcmp(TESTS[i].name, argv[1]) == 0) {
            return TESTS[i].run();
        }
    }
    for (size_t i = 0; i < sizeof TESTS / sizeof TESTS[0]; i++) {
        (void)printf("%s\n", TESTS[i].name);
    }
    return argc == 1 ? 0 : 2;
}
