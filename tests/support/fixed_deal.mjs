// Every game that the program deals is dealt from one seed: the environment in which it is.
import { fileURLToPath } from 'node:url';

const LIBRARY = fileURLToPath(new URL('../../build/dev/tests/libfixed_deal.so', import.meta.url));

/** `deal`: any number; others are other games. `null`: by the network's ids and a secret, which another process can verify. */
export const fixedDeal = (deal = 1) => (deal === null ? {} : {
  MUNCHBOT_DEAL: String(deal), LD_PRELOAD: LIBRARY,
  // A program with sanitizers wants its own library first, which has no say in this one.
  ASAN_OPTIONS: [process.env.ASAN_OPTIONS, 'verify_asan_link_order=0'].filter(Boolean).join(':'),
});
