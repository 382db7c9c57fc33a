#include "tests/support/stage_case.h"

#include <stdlib.h>

#include "tests/support/chance.h"
#include "tests/support/table.h"
#include "tests/support/test.h"

struct stage_case {
    struct catalog *catalog;
    struct stage stage;
};

int stage_case_open_on(void **state, enum stage_engine engine)
{
    struct stage_case *const own = calloc(1, sizeof *own);
    assert_non_null(own);
    chance_fix();
    own->catalog = given_catalog();
    stage_open_on(&own->stage, own->catalog, engine);
    *state = own;
    return 0;
}

int stage_case_open(void **state)
{
    return stage_case_open_on(state, STAGE_MEMORY);
}

int stage_case_close(void **state)
{
    struct stage_case *const own = *state;
    stage_close(&own->stage);
    catalog_destroy(own->catalog);
    free(own);
    return 0;
}

struct stage *stage_of(void **state)
{
    struct stage_case *const own = *state;
    return &own->stage;
}
