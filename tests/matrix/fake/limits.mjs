// Limits as Synapse has them by default: one bucket an account over all its rooms, others for making rooms and entering them.
import { Refusal } from './refusal.mjs';

const RULES = {
  message: { perSecond: 0.2, burst: 10 },
  room: { perSecond: 0.016, burst: 10 },
  join: { perSecond: 0.1, burst: 10 }, // rc_joins, local
};

export class Limits {
  constructor(now) {
    this.now = now;
    this.rules = { ...RULES };
    this.on = false;
    this.refused = 0;
    this.refusals = []; // by which
    this.buckets = new Map();
  }

  #wait(user, name) {
    const rule = this.rules[name];
    if (!rule) return 0;
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
        this.refusals.push(name);
        throw new Refusal(429, 'M_LIMIT_EXCEEDED', 'Too Many Requests', {
          body: { retry_after_ms: Math.ceil(seconds * 1000) }, headers: { 'Retry-After': String(Math.ceil(seconds)) } });
      }
    }
  }
}
