// Rate limits as Discord's: buckets by hash and top-level id, a global one, invalid requests counted.
//
// The figures are those seen in the wild; a test may set others, or none.
import { Refusal } from './errors.mjs';

const RULES = [
  { name: 'create', method: 'POST', template: '/channels/{channel_id}/messages', limit: 5, ms: 5000, major: 'channel_id' },
  { name: 'edit', method: 'PATCH', template: '/channels/{channel_id}/messages/{message_id}', limit: 5, ms: 5000, major: 'channel_id' },
  { name: 'delete', method: 'DELETE', template: '/channels/{channel_id}/messages/{message_id}', limit: 5, ms: 1000, major: 'channel_id' },
  { name: 'webhook', template: '/webhooks/', limit: 5, ms: 2000, major: 'webhook_token' },
  { name: 'thread', method: 'PATCH', template: '/channels/{channel_id}', limit: 2, ms: 600_000, major: 'channel_id' },
  { name: 'dm', method: 'POST', template: '/users/@me/channels', limit: 10, ms: 10_000 },
];
const INTERACTION = /^\/(interactions|webhooks)\//;
const OLD_EDIT = { limit: 3, ms: 6000, age: 3_600_000 };

export class Limits {
  constructor(now) {
    this.now = now;
    this.on = true;
    this.globalPerSecond = 50;
    this.buckets = new Map();
    this.global = { at: 0, used: 0 };
    this.refused = { user: 0, global: 0, old: 0 }; // 429s given
    this.invalid = []; // instants of 401, 403 and 429
  }

  #refuse(seconds, scope, headers = {}) {
    this.refused[scope === 'global' ? 'global' : 'user']++;
    return new Refusal(429, 0, 'You are being rate limited.', {
      body: { retry_after: seconds, global: scope === 'global' },
      headers: { 'Retry-After': String(Math.ceil(seconds)), 'X-RateLimit-Scope': scope,
        ...(scope === 'global' ? { 'X-RateLimit-Global': 'true' } : {}), ...headers },
    });
  }

  /** Takes one of a request's budget; the headers of its answer. Throws a 429. */
  take(method, template, parameters) {
    if (!this.on) return {};
    const now = this.now();
    if (!INTERACTION.test(template)) {
      if (now - this.global.at >= 1000) this.global = { at: now, used: 0 };
      if (++this.global.used > this.globalPerSecond) throw this.#refuse((this.global.at + 1000 - now) / 1000, 'global');
    }
    const rule = RULES.find(each => (!each.method || each.method === method) &&
      (each.template.endsWith('/') ? template.startsWith(each.template) : template === each.template));
    if (!rule) return {};
    const key = `${rule.name}:${parameters[rule.major] ?? ''}`;
    let bucket = this.buckets.get(key);
    if (!bucket || now >= bucket.until) {
      bucket = { until: now + rule.ms, used: 0 };
      this.buckets.set(key, bucket);
    }
    const after = Math.max(bucket.until - now, 1) / 1000;
    const headers = () => ({
      'X-RateLimit-Limit': String(rule.limit), 'X-RateLimit-Remaining': String(Math.max(rule.limit - bucket.used, 0)),
      'X-RateLimit-Reset': (bucket.until / 1000).toFixed(3), 'X-RateLimit-Reset-After': after.toFixed(3),
      'X-RateLimit-Bucket': `hash-${rule.name === 'edit' ? 'create' : rule.name}`,
    });
    if (bucket.used >= rule.limit) throw this.#refuse(after, 'user', headers());
    bucket.used++;
    return headers();
  }

  /** Edits of messages older than an hour have a limit of their own, all of a channel together. */
  takeOldEdit(channel, writtenMs) {
    if (!this.on || this.now() - writtenMs < OLD_EDIT.age) return;
    const key = `old:${channel.id}`;
    const recent = (this.buckets.get(key) ?? []).filter(at => this.now() - at < OLD_EDIT.ms);
    if (recent.length >= OLD_EDIT.limit) {
      this.refused.old++;
      throw new Refusal(429, 30046, 'Maximum number of edits to messages older than 1 hour reached. Try again later',
        { body: { retry_after: OLD_EDIT.ms / 1000, global: false } });
    }
    this.buckets.set(key, [...recent, this.now()]);
  }

  /** Counts what Discord bans for: 10,000 in ten minutes. */
  note(status, scope) {
    if ([401, 403, 429].includes(status) && scope !== 'shared') this.invalid.push(this.now());
  }
}
