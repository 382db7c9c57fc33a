// The attacks on tables that lie in a PostgreSQL database.
#include "adapters/store/postgres/postgres_store.h"

#include "tests/bot/hall/attacks.h"
#include "tests/support/cluster.h"

static struct store *make_in(const char *database)
{
    char url[CLUSTER_URL_SIZE];
    cluster_empty(database);
    cluster_url(database, url);
    return postgres_store_create(&(struct postgres_setup){.url = url, .waits = true});
}

static struct store *make_first(void)
{
    return make_in("attacks_1");
}

static struct store *make_second(void)
{
    return make_in("attacks_2");
}

int main(void)
{
    attacks_make[0] = make_first;
    attacks_make[1] = make_second;
    return test_hall_attacks_main();
}
