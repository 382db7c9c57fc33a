/*
 * Inside of the suite for stores: what its two files share. store_contract.c has tables and what
 * goes with them, store_contract_people.c who sits where, statistics and shares.
 */
#ifndef TESTS_SUPPORT_STORE_CONTRACT_IMPL_H
#define TESTS_SUPPORT_STORE_CONTRACT_IMPL_H

#include "bot/store.h"

/** The state of every test. */
struct bench {
    void *rig;
    struct store *store;
};

enum store_result contract_commit(struct store *store, const struct store_commit *commit);
/** A table's next version, which must be taken. */
void contract_put(struct store *store, const char *table, uint64_t expected, const char *word);
/** A place in "town", taken. */
struct store_place contract_place(const char *place);
const struct store_answer *contract_statistics(struct store *store, const char *person);

void a_person_sits_at_few_tables(void **state);
void statistics_go_by_exact_ids(void **state);
void statistics_are_bounded(void **state);
void one_person_opens_so_many_tables_only(void **state);
void one_community_has_so_many_tables_only(void **state);

#endif
