#include "tests/support/rules_number.h"

unsigned rules_number;

// NOLINTBEGIN(readability-identifier-naming): ld --wrap makes the names
unsigned __real_game_rules(void);
unsigned __wrap_game_rules(void);

unsigned __wrap_game_rules(void)
{
    return rules_number != 0 ? rules_number : __real_game_rules() + 1;
}

unsigned rules_number_now(void)
{
    return __real_game_rules();
}

// NOLINTEND(readability-identifier-naming)
