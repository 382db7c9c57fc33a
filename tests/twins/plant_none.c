#include "tests/twins/plant.h"

bool plant(const char *name)
{
    (void)name;
    return false;
}
