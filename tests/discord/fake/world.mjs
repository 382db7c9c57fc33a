// What Discord would hold: guilds, channels, people, messages; and what each person sees of it, pushes included.
//
// A message is kept as the API shows it. Ephemerals are kept apart from the channel's messages: only their one reader
// finds them, and only an interaction's token reaches them. Nothing here knows HTTP or the gateway; what happens is
// told to `emit(event, data, guildId)`.
import { EventEmitter } from 'node:events';
import { Ids } from './ids.mjs';
import { refusals } from './errors.mjs';
import { FLAG, TYPE, walk } from './rules.mjs';

export const PERMISSION = {
  manageChannels: 1n << 4n, viewChannel: 1n << 10n, sendMessages: 1n << 11n, embedLinks: 1n << 14n,
  attachFiles: 1n << 15n, readHistory: 1n << 16n, manageThreads: 1n << 34n, createThreads: 1n << 35n,
  sendInThreads: 1n << 38n,
};
/** What the invitation asks for, and what the bot has wherever nothing else is said. */
export const INVITED = 309237763072n;
const MEMBER = 2251799813685247n & ~PERMISSION.manageChannels & ~PERMISSION.manageThreads;

const NONCE_MS = 300_000;

export const isThread = channel => channel.type === 10 || channel.type === 11 || channel.type === 12;

/** All that a message says, its controls' labels apart. */
export function textOf(message) {
  const displayed = [...walk(message.components)].map(([component]) => component)
    .filter(component => component.type === TYPE.text).map(component => component.content);
  const embeds = (message.embeds ?? []).flatMap(embed => [embed.title, embed.description]);
  return [message.content, ...embeds, ...displayed].filter(Boolean).join('\n');
}

/** The interactive components of a message: buttons and selects. */
export function controlsOf(message) {
  return [...walk(message.components)].map(([component]) => component)
    .filter(component => component.custom_id !== undefined && !component.disabled);
}

export class World extends EventEmitter {
  constructor(now = Date.now) {
    super();
    this.now = now;
    this.ids = new Ids(now);
    this.users = new Map();
    this.guilds = new Map();
    this.channels = new Map();
    this.pushes = []; // {user, channel, text}
    this.noises = []; // messages that call nobody and are not silent
    this.commands = []; // registered, global
    this.nonces = new Map(); // nonce -> {id, at}
    this.quarantined = false;
    this.openingTooFast = false;
    this.bot = this.addUser('munchbot', { bot: true });
    this.application = { id: this.bot.id, token: `${Buffer.from(this.bot.id).toString('base64')}.fake.token` };
  }

  // People and places.

  addUser(name, more = {}) {
    const id = this.ids.next();
    const user = { id, username: name.toLowerCase(), global_name: name, discriminator: '0', avatar: null, dms: 'open', ...more };
    this.users.set(id, user);
    return user;
  }

  addGuild(name, people, more = {}) {
    const id = this.ids.next();
    const guild = {
      id, name, owner_id: people[0]?.id ?? this.bot.id, roles: [], members: new Map(), channels: [], installed: true, ...more,
    };
    guild.roles.push({
      id, name: '@everyone', color: 0, colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false, icon: null, unicode_emoji: null, position: 0, permissions: String(MEMBER), managed: false,
      mentionable: false, flags: 0,
    });
    this.guilds.set(id, guild);
    for (const user of [this.bot, ...people]) this.addMember(guild, user);
    return guild;
  }

  addMember(guild, user, more = {}) {
    guild.members.set(user.id, {
      nick: null, roles: [], joined_at: new Date(this.now()).toISOString(), deaf: false, mute: false, flags: 0,
      permissions: MEMBER, ...more,
    });
  }

  addChannel(guild, name, more = {}) {
    const id = this.ids.next();
    const channel = {
      id, type: 0, guild_id: guild?.id, name, parent_id: null, position: 0, permission_overwrites: [], nsfw: false,
      messages: new Map(), ephemerals: new Map(), botPermissions: INVITED, last_message_id: null, ...more,
    };
    this.channels.set(id, channel);
    guild?.channels.push(id);
    if (guild && !isThread(channel)) this.emit('event', 'CHANNEL_CREATE', this.channelJson(channel), guild.id);
    return channel;
  }

  channel(id) {
    const channel = this.channels.get(id);
    if (!channel) throw refusals.unknownChannel();
    return channel;
  }

  /** A private channel of the bot and a person; idempotent. */
  openDm(id) {
    const user = this.users.get(id);
    if (!user) throw refusals.unknownUser();
    const known = [...this.channels.values()].find(channel => channel.type === 1 && channel.recipient === user);
    if (known) return known;
    if (this.quarantined) throw refusals.quarantined();
    if (this.openingTooFast) throw refusals.openingTooFast();
    if (user.dms === 'unopenable') throw refusals.cannotOpen();
    return this.addChannel(undefined, user.username, { type: 1, guild_id: undefined, recipient: user });
  }

  addThread(parent, name, starter, more = {}) {
    const id = starter?.id ?? this.ids.next();
    if (starter && this.channels.has(id)) throw refusals.threadExists();
    const thread = this.addChannel(undefined, name, {
      type: 11, parent_id: parent.id, guild_id: parent.guild_id, owner_id: this.bot.id, botPermissions: undefined,
      members: new Set([this.bot.id]), ...more,
    });
    this.channels.delete(thread.id);
    thread.id = id;
    thread.thread_metadata = {
      archived: false, auto_archive_duration: 4320, archive_timestamp: new Date(this.now()).toISOString(), locked: false,
      ...more.thread_metadata,
    };
    this.channels.set(id, thread);
    this.emit('event', 'THREAD_CREATE', { ...this.channelJson(thread), newly_created: true }, parent.guild_id);
    return thread;
  }

  updateThread(thread, change) {
    Object.assign(thread.thread_metadata, change);
    this.emit('event', 'THREAD_UPDATE', this.channelJson(thread), thread.guild_id);
  }

  removeChannel(channel) {
    this.channels.delete(channel.id);
    const json = this.channelJson(channel);
    if (isThread(channel)) {
      const { id, guild_id, parent_id, type } = json;
      this.emit('event', 'THREAD_DELETE', { id, guild_id, parent_id, type }, channel.guild_id);
      return;
    }
    for (const other of [...this.channels.values()]) if (other.parent_id === channel.id) this.channels.delete(other.id);
    this.emit('event', 'CHANNEL_DELETE', json, channel.guild_id);
  }

  /** The bot is thrown out (or, with `outage`, the guild cannot be reached). */
  removeGuild(guild, outage = false) {
    guild.installed = outage;
    this.emit('event', 'GUILD_DELETE', outage ? { id: guild.id, unavailable: true } : { id: guild.id }, guild.id);
  }

  guildBack(guild) {
    guild.installed = true;
    this.emit('event', 'GUILD_CREATE', this.guildJson(guild), guild.id);
  }

  permissionsOf(channel) {
    const own = isThread(channel) ? this.channels.get(channel.parent_id)?.botPermissions : channel.botPermissions;
    return own ?? INVITED;
  }

  /** Of a person or a channel, as a message that calls them shows it. */
  nameOf = id => (this.users.has(id) ? `@${this.users.get(id).global_name}` : `#${this.channels.get(id)?.name ?? 'unknown'}`);

  // Messages.

  /** Whether the bot may write there; throws what Discord would. */
  mayWrite(channel, editing = false) {
    if (channel.type === 1) {
      const { dms } = channel.recipient;
      if (dms === 'blocked') throw refusals.cannotSend();
      if (dms === 'closed') throw refusals.noMutualGuild();
      return;
    }
    const guild = this.guilds.get(channel.guild_id);
    const may = this.permissionsOf(channel);
    if (!guild?.installed || !guild.members.has(this.bot.id) || !(may & PERMISSION.viewChannel)) {
      throw refusals.missingAccess();
    }
    if (isThread(channel) && channel.thread_metadata.locked && !(may & PERMISSION.manageThreads)) {
      throw editing ? refusals.archived() : refusals.threadLocked();
    }
    if (isThread(channel) && channel.thread_metadata.archived && editing) throw refusals.archived();
    const needed = isThread(channel) ? PERMISSION.sendInThreads : PERMISSION.sendMessages;
    if (!editing && !(may & needed)) throw refusals.missingPermissions();
  }

  /** A message of the bot's. `reader`: an ephemeral one's. */
  post(channel, body, { reader, type = 0, interaction, loading = false } = {}) {
    const known = body.enforce_nonce ? this.nonces.get(String(body.nonce)) : undefined;
    if (known && this.now() - known.at < NONCE_MS) {
      const message = this.channels.get(known.channel)?.messages.get(known.id);
      if (!message) throw refusals.unknownMessage();
      return { message, repeated: true };
    }
    const message = {
      id: this.ids.next(), channel_id: channel.id, type, author: this.userJson(this.bot), content: body.content ?? '',
      timestamp: new Date(this.now()).toISOString(), edited_timestamp: null, tts: false, mention_everyone: false,
      mentions: [], mention_roles: [], attachments: [], embeds: body.embeds ?? [], pinned: false,
      components: structuredClone(body.components ?? []), flags: (body.flags ?? 0) | (loading ? FLAG.loading : 0),
      nonce: body.nonce, interaction_metadata: interaction, edits: 0,
    };
    if (channel.guild_id && isThread(channel)) channel.thread_metadata.archived = false;
    const shelf = reader ? channel.ephemerals : channel.messages;
    if (reader) message.reader = reader.id;
    shelf.set(message.id, message);
    if (!reader) channel.last_message_id = message.id;
    if (body.enforce_nonce) this.nonces.set(String(body.nonce), { channel: channel.id, id: message.id, at: this.now() });
    if (!reader && !loading) this.#push(channel, message, body.allowed_mentions, interaction !== undefined);
    this.emit('message', message, channel);
    return { message, repeated: false };
  }

  /** Somebody writes something, which the bot neither hears nor reads. */
  write(user, channel, content) {
    const message = { id: this.ids.next(), channel_id: channel.id, type: 0, author: this.userJson(user), content, components: [],
      embeds: [], attachments: [], mentions: [], mention_roles: [], mention_everyone: false, pinned: false, tts: false, flags: 0,
      timestamp: new Date(this.now()).toISOString(), edited_timestamp: null, edits: 0 };
    channel.messages.set(message.id, message);
    channel.last_message_id = message.id;
    this.emit('written', message, channel);
    return message;
  }

  edit(message, body) {
    for (const key of ['content', 'embeds', 'components']) {
      if (body[key] !== undefined) message[key] = structuredClone(body[key]) ?? (key === 'content' ? '' : []);
    }
    const kept = message.flags & (FLAG.ephemeral | FLAG.v2);
    message.flags = body.flags === undefined ? message.flags & ~FLAG.loading : (body.flags | kept) & ~FLAG.loading;
    message.edits++;
    message.edited_timestamp = new Date(this.now()).toISOString();
    this.emit('edit', message, this.channels.get(message.channel_id));
    return message;
  }

  remove(channel, id) {
    if (!channel.messages.delete(id) && !channel.ephemerals.delete(id)) throw refusals.unknownMessage();
    this.emit('remove', id, channel);
  }

  // Whom a new message calls. Edits call nobody, ephemerals neither.
  #push(channel, message, allowed, answer) {
    if ((message.flags & FLAG.silent) !== 0) return;
    const text = textOf(message);
    const named = new Set([...text.matchAll(/<@!?(\d+)>/g)].map(match => match[1]));
    const parse = allowed ? allowed.parse ?? [] : ['users', 'roles', 'everyone'];
    const everyone = /@(everyone|here)/.test(text) && parse.includes('everyone') && !answer;
    const called = [...named].filter(id => parse.includes('users') || allowed?.users?.includes(id));
    const readers = channel.type === 1 ? [channel.recipient.id]
      : everyone ? [...this.guilds.get(channel.guild_id).members.keys()] : called;
    message.mentions = called.map(id => this.users.get(id)).filter(Boolean).map(user => this.userJson(user));
    if (readers.length === 0) this.noises.push(text);
    for (const id of readers) {
      // Inside components of version 2 a call pushes an empty notice.
      this.pushes.push({ user: id, channel: channel.id, message: message.id, text: message.content });
    }
  }

  /** What a person sees in a channel now, the oldest first; ephemerals of their own among it. */
  seenBy(user, channel) {
    if (channel.type === 1 && channel.recipient !== user) return [];
    if (channel.guild_id && !this.guilds.get(channel.guild_id).members.has(user.id)) return [];
    const own = [...channel.ephemerals.values()].filter(message => message.reader === user.id);
    return [...channel.messages.values(), ...own].sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  }

  /** All that a person can see anywhere. */
  allSeenBy(user) {
    return [...this.channels.values()].flatMap(channel => this.seenBy(user, channel));
  }

  // As the API shows them.

  userJson(user) {
    const { id, username, global_name, discriminator, avatar, bot } = user;
    return { id, username, global_name, discriminator, avatar, bot: bot ?? false, public_flags: 0, flags: 0 };
  }

  memberJson(guild, user) {
    const { permissions, ...member } = guild.members.get(user.id);
    return { ...member, user: this.userJson(user), avatar: null, pending: false, premium_since: null,
      communication_disabled_until: null, permissions: String(permissions) };
  }

  channelJson(channel) {
    const { messages, ephemerals, botPermissions, recipient, members, ...json } = channel;
    const people = recipient ? { recipients: [this.userJson(recipient)], guild_id: undefined } : {};
    const thread = members ? { member_count: members.size, message_count: messages.size } : {};
    return { ...json, ...people, ...thread, rate_limit_per_user: 0, flags: 0 };
  }

  messageJson(message) {
    const { edits, reader, nonce, ...json } = message; // a nonce is told to nobody who asks later
    return json;
  }

  guildJson(guild) {
    const { members, channels, installed, ...json } = guild;
    const own = channels.map(id => this.channels.get(id)).filter(Boolean);
    return {
      ...json, joined_at: new Date(0).toISOString(), large: false, unavailable: false, member_count: members.size,
      channels: own.map(channel => this.channelJson(channel)),
      threads: [...this.channels.values()].filter(channel => channel.guild_id === guild.id && isThread(channel))
        .map(channel => this.channelJson(channel)),
      members: [this.memberJson(guild, this.bot)], voice_states: [], presences: [], stage_instances: [],
      guild_scheduled_events: [], soundboard_sounds: [], emojis: [], stickers: [], features: [], icon: null, splash: null,
      banner: null, description: null, afk_channel_id: null, afk_timeout: 300, system_channel_id: null,
      system_channel_flags: 0, verification_level: 0, default_message_notifications: 0, explicit_content_filter: 0,
      mfa_level: 0, nsfw_level: 0, premium_tier: 0, premium_subscription_count: 0, preferred_locale: 'en-US',
      public_updates_channel_id: null, rules_channel_id: null, vanity_url_code: null, application_id: null,
      discovery_splash: null, premium_progress_bar_enabled: false, safety_alerts_channel_id: null,
    };
  }
}
