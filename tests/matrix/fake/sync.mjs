// What /sync and /messages tell an account.
import { Refusal } from './refusal.mjs';

const LIMIT = 10;

const positionOf = word => {
  const found = /^[st](\d+)$/.exec(word);
  if (!found) throw new Refusal(400, 'M_UNKNOWN', 'Invalid stream token');
  return Number(found[1]);
};

/** An event as it is shown to somebody. */
export const shown = (server, event, session) => {
  const { before, position, transaction, redacted, hidden, ...rest } = event;
  const unsigned = { ...event.unsigned, age: server.now() - event.origin_server_ts };
  if (transaction && session && transaction.device === session.device) unsigned.transaction_id = transaction.id;
  if (redacted) unsigned.redacted_because = { type: 'm.room.redaction' };
  return { ...rest, unsigned };
};

const stripped = event => ({ type: event.type, sender: event.sender, state_key: event.state_key, content: event.content });
const STRIPPED = ['m.room.create', 'm.room.join_rules', 'm.room.name', 'm.room.encryption', 'm.room.canonical_alias', 'm.room.topic'];

const invitation = (room, user) => ({ invite_state: { events: [
  ...STRIPPED.map(type => room.stateOf(type)).filter(Boolean).map(stripped), stripped(room.stateOf('m.room.member', user))] } });

// The state as it was behind an event of that position.
const stateAt = (room, position) => {
  const state = new Map();
  for (const event of room.events) {
    if (event.position > position) break;
    if (event.state_key !== undefined) state.set(`${event.type}|${event.state_key}`, event);
  }
  return [...state.values()];
};

// As Synapse loads members lazily: those who say something, and the asker where all of the state is told. What it has
// told a device before it leaves out, also when that begins anew, unless it is asked to say it again.
const lazily = (state, { timeline, session, whole, filter }) => {
  const wanted = new Set([...timeline.map(event => event.sender), ...whole ? [session.user] : []]);
  session.members ??= new Set();
  return state.filter(event => {
    if (event.type !== 'm.room.member') return true;
    if (!wanted.has(event.state_key) || (!filter.include_redundant_members && session.members.has(event.event_id))) return false;
    session.members.add(event.event_id);
    return true;
  });
};

const fits = (filter, event) => !filter?.types || filter.types.includes(event.type);

const joined = (server, room, session, since, { filter, full }) => {
  const limit = filter.timeline?.limit ?? LIMIT;
  const { user } = session;
  const own = room.events.filter(event => event.type === 'm.room.member' && event.state_key === user);
  const fresh = since === 0 || own.some(event => event.position > since && event.content.membership === 'join' && event.before !== 'join');
  const news = room.visible(user).filter(event => !event.hidden && fits(filter.timeline, event) && (fresh || event.position > since));
  if (news.length === 0 && !full) return undefined;
  const timeline = limit > 0 ? news.slice(-limit) : [];
  const start = timeline[0]?.position ?? server.position + 1;
  const whole = fresh || full;
  const limited = news.length > timeline.length;
  const gap = limited && !whole; // of which all members are told
  const lazy = filter.state?.lazy_load_members && !gap;
  const all = stateAt(room, start - 1).filter(event => !event.hidden && fits(filter.state, event));
  const state = lazy
    ? lazily(all, { timeline, session, whole, filter: filter.state }).filter(event => whole || event.type === 'm.room.member' || event.position > since)
    : all.filter(event => whole || event.position > since);
  return {
    state: { events: state.map(event => shown(server, event, session)) },
    timeline: { events: timeline.map(event => shown(server, event, session)), limited: limited || (fresh && since > 0),
      prev_batch: `t${start - 1}` },
    summary: { 'm.joined_member_count': room.members('join').length, 'm.invited_member_count': room.members('invite').length },
  };
};

const left = (server, room, session, since, own) => {
  const before = room.events.filter(event => event.position <= own.position && event.position > since).slice(-LIMIT);
  return { timeline: { events: before.map(event => shown(server, event, session)), limited: false }, state: { events: [] } };
};

/** The answer to a sync from there on, and whether it tells anything. */
export const syncFrom = (server, session, query) => {
  const since = query.since === undefined ? 0 : positionOf(query.since);
  if (since > server.position) throw new Refusal(400, 'M_UNKNOWN', 'Invalid stream token');
  const filter = query.filter?.startsWith('{') ? JSON.parse(query.filter) : {};
  const full = query.full_state === 'true';
  const rooms = { join: {}, invite: {}, leave: {} };
  for (const room of server.rooms.values()) {
    const own = room.stateOf('m.room.member', session.user);
    if (!own || filter.room?.rooms?.includes(room.id) === false) continue;
    const { membership } = own.content;
    if (membership === 'join') {
      const told = joined(server, room, session, since, { filter: filter.room ?? {}, full });
      if (told) rooms.join[room.id] = told;
    } else if (own.position > since && membership === 'invite') {
      rooms.invite[room.id] = invitation(room, session.user);
    } else if (own.position > since && since > 0 && !room.forgotten.has(session.user)) {
      rooms.leave[room.id] = left(server, room, session, since, own);
    }
  }
  const news = Object.values(rooms).some(each => Object.keys(each).length > 0);
  const keys = server.keys.sync(session, since);
  const answer = { next_batch: `s${server.position}`, ...keys.told };
  if (news) answer.rooms = rooms;
  return { answer, news: news || keys.news };
};

/** A page of a room's history. */
export const messagesOf = (server, room, session, query) => {
  const limit = Number(query.limit ?? LIMIT);
  const from = query.from === undefined ? server.position : positionOf(query.from);
  const to = query.to === undefined ? undefined : positionOf(query.to);
  const backwards = query.dir === 'b';
  const range = room.visible(session.user).filter(event => (backwards
    ? event.position <= from && event.position > (to ?? 0)
    : event.position > from && event.position <= (to ?? Infinity)));
  const chunk = (backwards ? range.reverse() : range).slice(0, limit);
  const answer = { start: `t${from}`, chunk: chunk.map(event => shown(server, event, session)) };
  if (query.filter && JSON.parse(query.filter).lazy_load_members) {
    answer.state = [...new Set(chunk.map(event => event.sender))].map(user => room.stateOf('m.room.member', user)).filter(Boolean)
      .map(event => shown(server, event, session));
  }
  // As Synapse does it: an end also where the range is at its end.
  if (chunk.length > 0) answer.end = `t${backwards ? chunk.at(-1).position - 1 : chunk.at(-1).position}`;
  return answer;
};
