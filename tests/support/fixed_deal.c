// Preloaded into the program, found before libsodium's: a table's seed is drawn from the store's
// secret, the network's ids and the message that says who starts (core/codec/luck.c), none of which
// is the same twice. Here it hangs on MUNCHBOT_DEAL alone; every other hash is what it always is.
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

static const char SEED[] = "munchbot seed";

int crypto_generichash(unsigned char *out, size_t out_size, const unsigned char *in,
                       unsigned long long in_size, const unsigned char *key, size_t key_size)
{
    const char *const deal = getenv("MUNCHBOT_DEAL");
    if (deal != NULL && in_size > sizeof SEED && memcmp(in, SEED, sizeof SEED) == 0) {
        in = (const unsigned char *)deal;
        in_size = strlen(deal);
    }
    return crypto_generichash_blake2b(out, out_size, in, in_size, key, key_size);
}
