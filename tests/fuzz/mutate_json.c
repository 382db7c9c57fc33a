/*
 * A mutator that knows JSON: half of the time it changes a value or borrows one from elsewhere in
 * the text, so that what it makes is still read; the other half it changes bytes.
 */
#include <string.h>

#include <jansson.h>

#include "core/base/rng.h"

#include "tests/fuzz/fuzz.h"

enum { NODES_MAX = 512 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

struct nodes {
    json_t *at[NODES_MAX];     // every value,
    json_t *parent[NODES_MAX]; // what it lies in,
    char *key[NODES_MAX];      // and its key there; borrowed, NULL in lists
    size_t index[NODES_MAX];
    size_t count;
};

// Every value below one, without recursion: the list is its own queue.
static void walk(struct nodes *nodes, json_t *root)
{
    nodes->at[0] = root;
    nodes->parent[0] = NULL;
    nodes->count = 1;
    for (size_t i = 0; i < nodes->count; i++) {
        json_t *const node = nodes->at[i];
        void *iter = json_object_iter(node);
        const size_t items = json_is_array(node) ? json_array_size(node) : 0;
        for (size_t item = 0; item < items && nodes->count < NODES_MAX; item++) {
            nodes->parent[nodes->count] = node;
            nodes->key[nodes->count] = NULL;
            nodes->index[nodes->count] = item;
            nodes->at[nodes->count++] = json_array_get(node, item);
        }
        for (; iter != NULL && nodes->count < NODES_MAX; iter = json_object_iter_next(node, iter)) {
            nodes->parent[nodes->count] = node;
            memcpy(&nodes->key[nodes->count], &(const char *){json_object_iter_key(iter)},
                   sizeof(char *));
            nodes->at[nodes->count++] = json_object_iter_value(iter);
        }
    }
}

static json_t *other_value(const struct nodes *nodes, const json_t *old, struct mb_rng *rng)
{
    static const int NUMBERS[] = {-1, 0, 1, 2, 3, 5, 10, 20, 99, 127, 128, 255, 256, 32767, 65536};
    if (json_is_integer(old) && mb_rng_below(rng, 2) == 0) {
        return json_integer(NUMBERS[mb_rng_below(rng, sizeof NUMBERS / sizeof NUMBERS[0])]);
    }
    if (json_is_boolean(old)) {
        return json_boolean(!json_boolean_value(old));
    }
    return json_deep_copy(nodes->at[mb_rng_below(rng, (uint32_t)nodes->count)]);
}

static void change_one(struct nodes *nodes, struct mb_rng *rng)
{
    const size_t at = mb_rng_below(rng, (uint32_t)nodes->count);
    json_t *const parent = nodes->parent[at];
    if (parent == NULL) {
        return;
    }
    const unsigned how = mb_rng_below(rng, 4);
    json_t *const value = other_value(nodes, nodes->at[at], rng);
    if (json_is_array(parent) && how == 0) {
        (void)json_array_remove(parent, nodes->index[at]);
    } else if (json_is_array(parent) && how == 1) {
        (void)json_array_insert(parent, nodes->index[at], value);
    } else if (json_is_array(parent)) {
        (void)json_array_set(parent, nodes->index[at], value);
    } else if (how == 0) {
        (void)json_object_del(parent, nodes->key[at]);
    } else {
        (void)json_object_set(parent, nodes->key[at], value);
    }
    json_decref(value);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct nodes nodes;
    struct mb_rng rng;
    uint8_t bytes[32];
    mb_rng_seed_u64(bytes, seed);
    mb_rng_init(&rng, bytes);
    json_t *const root = json_loadb((const char *)data, size, 0, NULL);
    size_t length = 0;
    if (root != NULL && mb_rng_below(&rng, 2) == 0) {
        walk(&nodes, root);
        change_one(&nodes, &rng);
        length = json_dumpb(root, (char *)data, max_size, JSON_COMPACT);
    }
    json_decref(root);
    return length > 0 && length <= max_size ? length : LLVMFuzzerMutate(data, size, max_size);
}
