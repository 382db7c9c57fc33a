// Interactions: what people do, how the bot may answer it, and for how long.
//
// An answer comes within three seconds of the event or never (10062), once (40060); after it the token lives a quarter
// of an hour (50027).
import crypto from 'node:crypto';
import { refusals } from './errors.mjs';
import { FLAG } from './rules.mjs';
import { isThread } from './world.mjs';

const FIRST_MS = 3000;
const TOKEN_MS = 900_000;
export const KIND = { command: 2, component: 3, autocomplete: 4, modal: 5 };
export const CALLBACK = { message: 4, deferMessage: 5, deferUpdate: 6, update: 7, choices: 8, modal: 9 };

// Which callbacks each kind may be answered with; a form counts as what it was opened from.
const ALLOWED = {
  [KIND.command]: [4, 5, 9], [KIND.component]: [4, 5, 6, 7, 9], [KIND.autocomplete]: [8], [KIND.modal]: [4, 5, 6, 7],
};

export class Interactions {
  constructor(world) {
    this.world = world;
    this.byId = new Map();
    this.byToken = new Map();
    this.firstMs = FIRST_MS;
    this.tokenMs = TOKEN_MS;
  }

  /** Somebody does something: an interaction that waits for its answer. */
  make(type, user, channel, data, { message, locale = 'en-US' } = {}) {
    const { world } = this;
    const guild = channel.guild_id ? world.guilds.get(channel.guild_id) : undefined;
    const interaction = {
      id: world.ids.next(), token: crypto.randomBytes(160).toString('base64url'), type, user, channel, data, message,
      at: world.now(), state: 'new', answers: [],
    };
    interaction.answered = new Promise(resolve => { interaction.resolve = resolve; });
    this.byId.set(interaction.id, interaction);
    this.byToken.set(interaction.token, interaction);
    const who = guild
      ? { guild_id: guild.id, guild: { id: guild.id, locale: 'en-US', features: [] }, member: world.memberJson(guild, user),
        authorizing_integration_owners: { 0: guild.id }, context: 0, guild_locale: 'en-US' }
      : { user: world.userJson(user), authorizing_integration_owners: { 0: '0' }, context: 1 };
    interaction.payload = {
      id: interaction.id, application_id: world.application.id, type, token: interaction.token, version: 1, data,
      channel_id: channel.id, channel: { ...world.channelJson(channel), permissions: '2251799813685247' },
      app_permissions: guild ? String(world.permissionsOf(channel)) : '309237763072', locale, entitlements: [],
      entitlement_sku_ids: [], attachment_size_limit: 10485760,
      ...(message ? { message: world.messageJson(message) } : {}), ...who,
    };
    return interaction;
  }

  #live(interaction) {
    return this.world.now() - interaction.at <= this.tokenMs;
  }

  /** POST /interactions/{id}/{token}/callback; the message it made, if any. */
  callback(id, token, body) {
    const interaction = this.byId.get(id);
    if (!interaction || interaction.token !== token) throw refusals.unknownInteraction();
    if (interaction.state !== 'new') throw refusals.acknowledged();
    if (this.world.now() - interaction.at > this.firstMs) throw refusals.unknownInteraction();
    if (!ALLOWED[interaction.type].includes(body.type)) throw refusals.acknowledged();
    if ((body.type === CALLBACK.update || body.type === CALLBACK.deferUpdate) && !interaction.message) {
      throw refusals.acknowledged();
    }
    if (isThread(interaction.channel) && interaction.channel.thread_metadata.locked) throw refusals.archived();
    interaction.state = body.type === CALLBACK.deferMessage || body.type === CALLBACK.deferUpdate ? 'deferred' : 'answered';
    interaction.callbackAt = this.world.now();
    interaction.answers.push(body);
    const message = this.#carryOut(interaction, body);
    interaction.resolve({ ...body, message });
    this.world.emit('callback', interaction, body, message);
    return message;
  }

  #carryOut(interaction, body) {
    const { world } = this;
    switch (body.type) {
      case CALLBACK.message:
      case CALLBACK.deferMessage: {
        const reader = (body.data?.flags ?? 0) & FLAG.ephemeral ? interaction.user : undefined;
        const made = world.post(interaction.channel, body.data ?? {}, {
          reader, type: 20, loading: body.type === CALLBACK.deferMessage,
          interaction: { id: interaction.id, type: interaction.type, user: world.userJson(interaction.user),
            authorizing_integration_owners: interaction.payload.authorizing_integration_owners },
        });
        interaction.original = made.message;
        return made.message;
      }
      case CALLBACK.update:
        interaction.original = interaction.message;
        return world.edit(interaction.message, body.data ?? {});
      case CALLBACK.deferUpdate:
        interaction.original = interaction.message;
        return interaction.message;
      default:
        return undefined;
    }
  }

  /** The interaction whose token may still be used for follow-ups. */
  ofToken(application, token) {
    const interaction = this.byToken.get(token);
    if (!interaction || application !== this.world.application.id) throw refusals.unknownWebhook();
    if (interaction.state === 'new') throw refusals.unknownWebhook();
    if (!this.#live(interaction)) throw refusals.webhookToken();
    return interaction;
  }

  /** A message that a token reaches: "@original" or one of its follow-ups. */
  messageOf(interaction, id) {
    const wanted = id === '@original' ? interaction.original?.id : id;
    const shelf = interaction.channel;
    const message = shelf.ephemerals.get(wanted) ?? shelf.messages.get(wanted);
    const own = message && (message === interaction.original || message.token === interaction.token);
    if (!own) throw refusals.unknownMessage();
    return message;
  }

  followUp(interaction, body) {
    const reader = (body.flags ?? 0) & FLAG.ephemeral ? interaction.user : undefined;
    const { message } = this.world.post(interaction.channel, body, { reader });
    message.token = interaction.token;
    interaction.answers.push({ followUp: body });
    return message;
  }
}
