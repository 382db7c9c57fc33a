// Rooms of a fake homeserver, of versions 11 and 12: their events, their state, and who may do what.
import { Refusal } from './refusal.mjs';

const EVENT_MAX = 65_536;
const STATE_LEVELS = { // of a private_chat, as Synapse makes it
  'm.room.name': 50, 'm.room.power_levels': 100, 'm.room.history_visibility': 100, 'm.room.canonical_alias': 50,
  'm.room.avatar': 50, 'm.room.server_acl': 100, 'm.room.encryption': 100,
};

const forbidden = why => new Refusal(403, 'M_FORBIDDEN', why);

// Ids as servers make them: nobody can tell anything from them.
let made = 0;
const token = sigil => `${sigil}${(++made).toString(36).padStart(6, '0')}Qx-${Math.floor(Math.random() * 2 ** 40).toString(36)}`;

export class Room {
  /** `version`: "11" or "12". */
  constructor(server, creator, version, content) {
    this.server = server;
    this.version = version;
    this.id = Number(version) >= 12 ? token('!') : `${token('!')}:${server.name}`;
    this.events = [];
    this.state = new Map();
    this.forgotten = new Set(); // by whom: syncs tell them nothing of it, unless they are asked in again
    this.creator = creator;
    this.creators = Number(version) >= 12 ? [creator, ...content.additional_creators ?? []] : [];
    this.force(creator, 'm.room.create', '', { room_version: version, ...content });
  }

  stateOf(type, key = '') {
    return this.state.get(`${type}|${key}`);
  }

  membership(user) {
    return this.stateOf('m.room.member', user)?.content.membership ?? 'leave';
  }

  members(...memberships) {
    return [...this.state.values()].filter(event => event.type === 'm.room.member' &&
      memberships.includes(event.content.membership)).map(event => event.state_key);
  }

  get levels() {
    return this.stateOf('m.room.power_levels')?.content ?? {};
  }

  power(user) {
    if (this.creators.includes(user)) return Infinity;
    if (!this.stateOf('m.room.power_levels')) return user === this.creator ? 100 : 0;
    return Number(this.levels.users?.[user] ?? this.levels.users_default ?? 0);
  }

  /** What it takes to send such an event. */
  level(type, isState) {
    const otherwise = isState ? this.levels.state_default ?? 50 : this.levels.events_default ?? 0;
    return Number(this.levels.events?.[type] ?? otherwise);
  }

  #permits(user, level, what) {
    if (this.power(user) < level) throw forbidden(`You don't have permission to ${what}: user_level (${this.power(user)}) < ${level}`);
  }

  /** An event without asking whether it may be. `more.hidden`: syncs do not tell of it. */
  force(sender, type, key, content, more = {}) {
    const event = { type, sender, content, event_id: token('$'), origin_server_ts: this.server.now(), ...more };
    if (key !== undefined) {
      event.state_key = key;
      const was = this.stateOf(type, key);
      if (was) event.unsigned = { prev_content: was.content, replaces_state: was.event_id };
      this.state.set(`${type}|${key}`, event);
    }
    event.before = key !== undefined ? event.unsigned?.prev_content?.membership : undefined;
    event.position = this.server.next();
    this.events.push(event);
    this.server.wake();
    return event;
  }

  /** An event as somebody sends it. */
  send(sender, type, key, content, more) {
    if (JSON.stringify(content).length + 600 > EVENT_MAX) throw new Refusal(413, 'M_TOO_LARGE', 'event too large');
    if (this.membership(sender) !== 'join') throw forbidden(`User ${sender} not in room ${this.id}`);
    this.#permits(sender, this.level(type, key !== undefined), `send ${type}`);
    const users = content?.users ?? {};
    if (type === 'm.room.power_levels' && this.creators.some(each => each in users)) {
      throw new Refusal(400, 'M_BAD_JSON', 'Creator user must not appear in content.users');
    }
    return this.force(sender, type, key, content, more);
  }

  #member(sender, user, membership, more = {}) {
    const profile = this.server.users.get(user);
    return this.force(sender, 'm.room.member', user, { membership, displayname: profile?.displayname ?? user.slice(1).split(':')[0], ...more });
  }

  join(user) {
    const now = this.membership(user);
    if (now === 'join') return;
    if (now === 'ban') throw new Refusal(403, 'M_BAD_STATE', `${user} is banned from the room`);
    if (now !== 'invite' && this.stateOf('m.room.join_rules')?.content.join_rule !== 'public') {
      throw forbidden('You are not invited to this room.');
    }
    this.#member(user, user, 'join');
  }

  invite(sender, user, more = {}) {
    if (this.membership(sender) !== 'join') throw forbidden(`User ${sender} not in room ${this.id}`);
    this.#permits(sender, this.levels.invite ?? 0, 'invite');
    if (this.membership(user) === 'ban') throw forbidden(`${user} is banned from the room`);
    if (this.membership(user) === 'join') throw forbidden(`${user} is already in the room.`);
    if (this.server.users.get(user)?.blocks?.has(sender)) throw new Refusal(403, 'M_INVITE_BLOCKED', 'The user has blocked this invite');
    if (this.server.users.get(user)?.unreachable) throw forbidden('Failed to send the invite over federation');
    this.#member(sender, user, 'invite', more);
  }

  leave(user) {
    if (!['join', 'invite'].includes(this.membership(user))) throw forbidden('You are not in the room.');
    this.#member(user, user, 'leave');
  }

  remove(sender, user, membership = 'leave') {
    const level = this.levels[membership === 'ban' ? 'ban' : 'kick'] ?? 50;
    this.#permits(sender, level, membership === 'ban' ? 'ban' : 'kick');
    if (this.power(user) >= this.power(sender)) throw forbidden('You cannot remove that user');
    this.#member(sender, user, membership);
  }

  redact(sender, id, reason) {
    const event = this.events.find(each => each.event_id === id);
    if (!event) throw new Refusal(404, 'M_NOT_FOUND', 'no such event');
    if (event.sender !== sender) this.#permits(sender, this.levels.redact ?? 50, 'redact');
    event.content = {};
    event.redacted = true;
    return this.force(sender, 'm.room.redaction', undefined, { redacts: id, reason }, { redacts: id });
  }

  /** What somebody may read of it: from their invitation or join on where history says so. */
  visible(user) {
    const visibility = this.stateOf('m.room.history_visibility')?.content.history_visibility ?? 'shared';
    const wanted = visibility === 'joined' ? ['join'] : ['join', 'invite'];
    if (visibility === 'shared' || visibility === 'world_readable') return this.events;
    const first = this.events.findIndex(event => event.type === 'm.room.member' && event.state_key === user &&
      wanted.includes(event.content.membership));
    return this.events.filter((event, i) => i >= first || event.state_key !== undefined);
  }

  /** A new room of that version in its place, as /upgrade makes one. */
  upgrade(sender, version) {
    this.#permits(sender, this.level('m.room.tombstone', true), 'upgrade');
    const last = this.events.at(-1).event_id;
    const next = this.server.createRoom(sender, { room_version: version,
      creation_content: { predecessor: Number(version) >= 12 ? { room_id: this.id } : { room_id: this.id, event_id: last } } });
    for (const type of ['m.room.join_rules', 'm.room.history_visibility', 'm.room.guest_access', 'm.room.name']) {
      const event = this.stateOf(type);
      if (event) next.force(sender, type, '', event.content);
    }
    const users = Object.fromEntries(Object.entries(this.levels.users ?? {}).filter(([user]) => !next.creators.includes(user)));
    next.force(sender, 'm.room.power_levels', '', { ...this.levels, users });
    this.force(sender, 'm.room.tombstone', '', { body: 'This room has been replaced', replacement_room: next.id });
    return next;
  }
}

/** The first events of a room, as presets make them. */
export const furnish = (room, creator, { preset = 'private_chat', name, topic, initial_state: initial = [],
  power_level_content_override: override = {} }) => {
  if (room.creators.length > 0 && creator in (override.users ?? {})) {
    throw new Refusal(400, 'M_BAD_JSON', 'Creator user must not appear in content.users');
  }
  if (room.creators.length === 0 && override.users && !(creator in override.users)) {
    throw new Refusal(400, 'M_BAD_JSON', 'Not a valid power_level_content_override: the creator must be in users');
  }
  room.force(creator, 'm.room.member', creator, { membership: 'join', displayname: room.server.users.get(creator).displayname });
  room.force(creator, 'm.room.power_levels', '', {
    users: room.creators.length > 0 ? {} : { [creator]: 100 }, users_default: 0, events_default: 0, state_default: 50, ban: 50, kick: 50,
    redact: 50, invite: preset === 'public_chat' ? 50 : 0, historical: 100,
    events: { ...STATE_LEVELS, 'm.room.tombstone': room.creators.length > 0 ? 150 : 100 }, ...override,
  });
  room.force(creator, 'm.room.join_rules', '', { join_rule: preset === 'public_chat' ? 'public' : 'invite' });
  const set = new Set(initial.map(each => each.type));
  if (!set.has('m.room.history_visibility')) room.force(creator, 'm.room.history_visibility', '', { history_visibility: 'shared' });
  if (!set.has('m.room.guest_access')) {
    room.force(creator, 'm.room.guest_access', '', { guest_access: preset === 'public_chat' ? 'forbidden' : 'can_join' });
  }
  for (const each of initial) room.force(creator, each.type, each.state_key ?? '', each.content);
  if (name) room.force(creator, 'm.room.name', '', { name });
  if (topic) room.force(creator, 'm.room.topic', '', { topic });
};
