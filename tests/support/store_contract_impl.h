/*
 * Inside of the suite for stores: what its files share. store_contract.c has tables and what goes
 * with them, store_contract_archive.c what is left of them and card files,
 * store_contract_people.c who sits where, statistics and shares, store_contract_order.c
 * what is asked without waiting, by two processes, and before the store is opened anew,
 * store_contract_lease.c which of several processes sends what a table says,
 * store_contract_away.c networks that cannot be heard.
 */
#ifndef TESTS_SUPPORT_STORE_CONTRACT_IMPL_H
#define TESTS_SUPPORT_STORE_CONTRACT_IMPL_H

#include "bot/store.h"

/** The state of every test. */
struct bench {
    const struct store_contract *contract;
    void *rig;
    struct store *store;
};

enum store_result contract_commit(struct store *store, const struct store_commit *commit);
/** A table's next version, which must be taken. */
void contract_put(struct store *store, const char *table, uint64_t expected, const char *word);
/** A commit with everything in it; good until the next call. */
struct store_commit contract_whole(const char *table, uint64_t expected, uint64_t number);
/** A place in "town", taken. */
struct store_place contract_place(const char *place);
const struct store_answer *contract_statistics(struct store *store, const char *person);

void a_person_sits_at_few_tables(void **state);
void statistics_go_by_exact_ids(void **state);
void statistics_are_bounded(void **state);
void one_person_opens_so_many_tables_only(void **state);
void one_community_has_so_many_tables_only(void **state);
void answers_about_a_table_come_in_order(void **state);
void what_is_chosen_is_known_at_once(void **state);
void what_waits_together_fails_alone(void **state);
void what_adapters_keep_is_kept(void **state);
void what_is_ones_own_may_be_held(void **state);
void what_goes_with_a_journal_is_put_away(void **state);
void what_is_put_away_can_be_taken_out_again(void **state);
void what_gives_way_is_put_away(void **state);
void a_community_has_so_many_put_away(void **state);
void what_is_put_away_grows_old(void **state);
void all_tables_are_listed(void **state);
void journal_and_log_can_be_written_anew(void **state);
void card_files_are_kept_while_somebody_plays_with_them(void **state);
void card_files_are_kept_for_journals(void **state);
void a_community_is_purged(void **state);
void a_person_is_forgotten_everywhere(void **state);
void all_is_there_when_it_is_opened_anew(void **state);
void a_table_is_looked_at(void **state);
void many_tables_are_watched_at_once(void **state);
void only_what_lies_in_a_network_is_claimed(void **state);
void who_comes_after_has_what_was_not_sent(void **state);
void one_process_sends_what_a_table_says(void **state);
void answers_go_out_where_the_line_was_heard(void **state);
void what_is_due_is_told_to_one(void **state);
void who_does_not_beat_is_succeeded(void **state);
void a_word_is_one_process_s_as_long_as_it_lives(void **state);
void a_word_is_held_until_a_time(void **state);
void what_is_away_stands_until_it_is_back(void **state);
void what_is_away_twice_is_counted_once(void **state);
void what_is_away_is_so_for_who_comes_after(void **state);
void a_network_is_away_when_nobody_has_it(void **state);
void two_processes_cannot_both_advance_a_table(void **state);
void two_processes_race_for_every_version(void **state);

#endif
