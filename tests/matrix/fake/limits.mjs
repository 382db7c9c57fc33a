// Limits as Synapse has them by default: one bucket an account over all its rooms, another for making rooms.
import { Refusal } from './refusal.mjs';

const RULES = {
  message: { perSecond: 0.2, burst: 10 },
  room: { perSecond: 0.016, burst: 10 },
};

export class Limits {
  constructor(now) {
    this.now = now;
    this.on = false;
    this.refused = 0;
    this.buckets = new Map();
  }

  #wait(user, name) {
    const rule = RULES[name];
    const key = `${name}|${user}`;
    const now = this.now();
    const bucket = this.buckets.get(key) ?? { at: now, used: 0 };
    bucket.used = Math.max(0, bucket.used - (now - bucket.at) / 1000 * rule.perSecond);
    bucket.at = now;
    this.buckets.set(key, bucket);
    if (bucket.used + 1 > rule.burst) return (bucket.used + 1 - rule.burst) / rule.perSecond;
    bucket.used++;
    return 0;
  }

  /** Takes what a call costs; throws a 429. */
  take(user, ...names) {
    if (!this.on) return;
    for (const name of names) {
      const seconds = this.#wait(user, name);
      if (seconds > 0) {
        this.refused++;
        throw new Refusal(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', {
          body: { retry_after_ms: Math.ceil(seconds * 1000) }, headers: { 'Retry-After': String(Math.ceil(seconds)) } });
      }
    }
  }
}
