// REST: routes of the API that munchbot needs, as HTTP. Each request is checked (spec.mjs, rules.mjs), counted against
// limits, met by scripted faults, carried out by the world, and noted in `log`.
import { Refusal, invalidForm, refusals } from './errors.mjs';
import { millisecondsOf } from './ids.mjs';
import { FLAG, commandFaults, messageFaults, modalFaults, pushFaults } from './rules.mjs';
import { CALLBACK } from './interactions.mjs';
import { PERMISSION, isThread } from './world.mjs';

const BODY_MAX = 25 * 1024 * 1024;
const CREATE_FLAGS = FLAG.suppressEmbeds | FLAG.silent | FLAG.v2;
const EDIT_FLAGS = FLAG.suppressEmbeds | FLAG.v2;
const ANSWER_FLAGS = CREATE_FLAGS | FLAG.ephemeral;

const demand = faults => {
  if (faults.length > 0) throw invalidForm(faults);
};

// What an edit leaves: absent keys stay as they are.
const afterEdit = (message, body) => ({
  ...body,
  content: body.content === undefined ? message.content : body.content ?? '',
  embeds: body.embeds ?? message.embeds,
  components: body.components ?? message.components,
  flags: (body.flags ?? 0) | (message.flags & FLAG.v2),
});

const isEmpty = body => !body.content && !(body.embeds?.length > 0) && !(body.components?.length > 0) && !body.files;

const channelOf = (fake, id) => {
  const channel = fake.world.channel(id);
  if (channel.guild_id && !fake.world.guilds.get(channel.guild_id).installed) throw refusals.missingAccess();
  return channel;
};

const own = (fake, channel, id) => {
  const message = channel.messages.get(id);
  if (!message) throw refusals.unknownMessage();
  if (message.author.id !== fake.world.bot.id) throw refusals.notYours();
  return message;
};

const gateway = (fake, bot) => ({
  url: fake.gatewayUrl,
  ...(bot ? { shards: fake.gateway.shards, session_start_limit: fake.gateway.startLimit() } : {}),
});

const createMessage = (fake, { channel_id: id }, body) => {
  const channel = channelOf(fake, id);
  demand(pushFaults(body));
  fake.world.mayWrite(channel);
  demand(messageFaults(body, CREATE_FLAGS));
  if (isEmpty(body)) throw refusals.empty();
  const { message, repeated } = fake.world.post(channel, body);
  if (repeated) fake.repeats++;
  return fake.world.messageJson(message);
};

const editMessage = (fake, { channel_id: id, message_id: messageId }, body) => {
  const channel = channelOf(fake, id);
  fake.world.mayWrite(channel, true);
  const message = own(fake, channel, messageId);
  fake.limits.takeOldEdit(channel, millisecondsOf(message.id));
  demand(messageFaults(afterEdit(message, body), EDIT_FLAGS));
  return fake.world.messageJson(fake.world.edit(message, body));
};

const deleteMessage = (fake, { channel_id: id, message_id: messageId }) => {
  const channel = channelOf(fake, id);
  if (channel.type === 1) own(fake, channel, messageId);
  fake.world.remove(channel, messageId);
};

const messagesOf = (fake, { channel_id: id }, body, query) => {
  const channel = channelOf(fake, id);
  const after = query.get('after');
  const before = query.get('before');
  const all = [...channel.messages.values()].filter(message => (!after || BigInt(message.id) > BigInt(after)) &&
    (!before || BigInt(message.id) < BigInt(before)));
  const limit = Number(query.get('limit') ?? 50);
  return (after ? all.slice(0, limit) : all.slice(-limit)).reverse().map(message => fake.world.messageJson(message));
};

const openDm = (fake, parameters, body) => {
  const before = fake.world.channels.size;
  const channel = fake.world.openDm(body.recipient_id);
  fake.opened += fake.world.channels.size - before;
  return fake.world.channelJson(channel);
};

const callback = (fake, { interaction_id: id, interaction_token: token }, body, query) => {
  const { type, data = {} } = body;
  if (type === CALLBACK.message) {
    demand(messageFaults(data, ANSWER_FLAGS));
    if (isEmpty(data)) throw refusals.empty();
  }
  if (type === CALLBACK.deferMessage) demand(messageFaults(data, FLAG.ephemeral));
  if (type === CALLBACK.update) {
    const message = fake.interactions.byId.get(id)?.message;
    demand(messageFaults(message ? afterEdit(message, data) : data, ANSWER_FLAGS));
  }
  if (type === CALLBACK.modal) demand(modalFaults(data));
  const message = fake.interactions.callback(id, token, body);
  if (query.get('with_response') !== 'true') return undefined;
  return {
    interaction: { id, type: fake.interactions.byId.get(id).type, response_message_id: message?.id },
    ...(message ? { resource: { type, message: fake.world.messageJson(message) } } : {}),
  };
};

const followUp = (fake, { webhook_id: id, webhook_token: token }, body) => {
  const interaction = fake.interactions.ofToken(id, token);
  demand(messageFaults(body, FLAG.ephemeral | FLAG.v2 | FLAG.suppressEmbeds | FLAG.silent));
  return fake.world.messageJson(fake.interactions.followUp(interaction, body));
};

const answerOf = (fake, { webhook_id: id, webhook_token: token, message_id: messageId }) =>
  fake.interactions.messageOf(fake.interactions.ofToken(id, token), messageId ?? '@original');

const editAnswer = (fake, parameters, body) => {
  const message = answerOf(fake, parameters);
  demand(messageFaults(afterEdit(message, body), ANSWER_FLAGS));
  return fake.world.messageJson(fake.world.edit(message, body));
};

const deleteAnswer = (fake, parameters) => {
  const message = answerOf(fake, parameters);
  fake.world.remove(fake.world.channel(message.channel_id), message.id);
};

const threadFrom = (fake, { channel_id: id, message_id: messageId }, body) => {
  const channel = channelOf(fake, id);
  if (!(fake.world.permissionsOf(channel) & PERMISSION.createThreads)) throw refusals.missingPermissions();
  if (isThread(channel)) throw refusals.notInThread();
  return fake.world.channelJson(fake.world.addThread(channel, body.name, own(fake, channel, messageId),
    { thread_metadata: { auto_archive_duration: body.auto_archive_duration ?? 4320 } }));
};

const threadIn = (fake, { channel_id: id }, body) => {
  const channel = channelOf(fake, id);
  if (!(fake.world.permissionsOf(channel) & PERMISSION.createThreads)) throw refusals.missingPermissions();
  if (isThread(channel)) throw refusals.notInThread();
  return fake.world.channelJson(fake.world.addThread(channel, body.name, undefined, { type: body.type ?? 12 }));
};

const changeChannel = (fake, { channel_id: id }, body) => {
  const channel = channelOf(fake, id);
  if (!isThread(channel)) throw refusals.missingPermissions();
  const locked = channel.thread_metadata.locked && !(fake.world.permissionsOf(channel) & PERMISSION.manageThreads);
  if (locked || body.locked !== undefined) throw refusals.missingPermissions();
  const { archived, auto_archive_duration: duration, name } = body;
  if (name !== undefined) channel.name = name;
  fake.world.updateThread(channel, { ...(archived === undefined ? {} : { archived }),
    ...(duration === undefined ? {} : { auto_archive_duration: duration }) });
  return fake.world.channelJson(channel);
};

const joinThread = (fake, { channel_id: id, user_id: user }) => {
  const channel = channelOf(fake, id);
  if (!isThread(channel)) throw refusals.notInThread();
  if (channel.thread_metadata.archived) throw refusals.archived();
  channel.members.add(user ?? fake.world.bot.id);
};

const guildMember = (fake, { guild_id: id, user_id: userId }) => {
  const guild = fake.world.guilds.get(id);
  if (!guild?.installed) throw refusals.unknownGuild();
  if (!guild.members.has(userId)) throw refusals.unknownMember();
  return fake.world.memberJson(guild, fake.world.users.get(userId));
};

const register = (fake, parameters, body) => {
  demand(commandFaults(body));
  fake.registrations++;
  fake.world.commands = body.map(command => ({
    type: 1, options: [], default_member_permissions: null, nsfw: false, ...command, id: fake.world.ids.next(),
    application_id: fake.world.application.id, version: fake.world.ids.next(),
  }));
  return fake.world.commands;
};

const me = fake => ({
  id: fake.world.application.id, name: 'munchbot', icon: null, description: '', bot_public: true, verify_key: '0'.repeat(64),
  bot_require_code_grant: false, flags: 0, interactions_endpoint_url: null, integration_types_config: {
    0: { oauth2_install_params: { scopes: ['applications.commands', 'bot'], permissions: '309237763072' } } },
  ...fake.applicationSettings,
});

const setMe = (fake, parameters, body) => {
  Object.assign(fake.applicationSettings, body);
  return me(fake);
};

// [method, template, handler, {auth: false for routes whose token is in the path, status of an answer without body}]
const TOKEN_IN_PATH = { auth: false };
export const ROUTES = [
  ['GET', '/gateway', fake => gateway(fake, false), TOKEN_IN_PATH],
  ['GET', '/gateway/bot', fake => gateway(fake, true)],
  ['GET', '/users/@me', fake => fake.world.userJson(fake.world.bot)],
  ['GET', '/applications/@me', me],
  ['PATCH', '/applications/@me', setMe],
  ['GET', '/applications/{application_id}/commands', fake => fake.world.commands],
  ['PUT', '/applications/{application_id}/commands', register],
  ['POST', '/users/@me/channels', openDm],
  ['GET', '/channels/{channel_id}', (fake, { channel_id: id }) => fake.world.channelJson(channelOf(fake, id))],
  ['PATCH', '/channels/{channel_id}', changeChannel],
  ['POST', '/channels/{channel_id}/messages', createMessage],
  ['GET', '/channels/{channel_id}/messages', messagesOf],
  ['GET', '/channels/{channel_id}/messages/{message_id}', (fake, { channel_id: id, message_id: messageId }) =>
    fake.world.messageJson(own(fake, channelOf(fake, id), messageId))],
  ['PATCH', '/channels/{channel_id}/messages/{message_id}', editMessage],
  ['DELETE', '/channels/{channel_id}/messages/{message_id}', deleteMessage],
  ['POST', '/channels/{channel_id}/typing', () => undefined],
  ['POST', '/channels/{channel_id}/messages/{message_id}/threads', threadFrom, { status: 201 }],
  ['POST', '/channels/{channel_id}/threads', threadIn, { status: 201 }],
  ['PUT', '/channels/{channel_id}/thread-members/@me', joinThread],
  ['PUT', '/channels/{channel_id}/thread-members/{user_id}', joinThread],
  ['GET', '/guilds/{guild_id}/members/{user_id}', guildMember],
  ['POST', '/interactions/{interaction_id}/{interaction_token}/callback', callback, TOKEN_IN_PATH],
  ['POST', '/webhooks/{webhook_id}/{webhook_token}', followUp, TOKEN_IN_PATH],
  ['GET', '/webhooks/{webhook_id}/{webhook_token}/messages/@original', (fake, parameters) =>
    fake.world.messageJson(answerOf(fake, parameters)), TOKEN_IN_PATH],
  ['PATCH', '/webhooks/{webhook_id}/{webhook_token}/messages/@original', editAnswer, TOKEN_IN_PATH],
  ['DELETE', '/webhooks/{webhook_id}/{webhook_token}/messages/@original', deleteAnswer, TOKEN_IN_PATH],
  ['PATCH', '/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}', editAnswer, TOKEN_IN_PATH],
  ['DELETE', '/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}', deleteAnswer, TOKEN_IN_PATH],
].map(([method, template, handler, options = {}]) => ({ method, template, handler, steps: template.split('/'), ...options }));

const matches = (route, steps) => {
  if (route.steps.length !== steps.length) return undefined;
  const parameters = {};
  for (const [i, step] of route.steps.entries()) {
    if (step.startsWith('{')) parameters[step.slice(1, -1)] = steps[i];
    else if (step !== steps[i]) return undefined;
  }
  return parameters;
};

const find = (method, path) => {
  const steps = path.split('/').map(decodeURIComponent);
  for (const route of ROUTES) {
    const parameters = route.method === method ? matches(route, steps) : undefined;
    if (parameters) return [route, parameters];
  }
  throw refusals.notFound();
};

// The JSON part of a multipart body; its files count, their bytes do not matter here.
const multipart = (text, type) => {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1];
  const parts = text.split(`--${boundary}`).map(part => part.split('\r\n\r\n'));
  const json = parts.find(part => /name="payload_json"/.test(part[0]));
  const files = parts.filter(part => /name="files\[\d+\]"/.test(part[0])).length;
  return { ...JSON.parse(json[1]), ...(files > 0 ? { files } : {}) };
};

const parse = (request, text) => {
  const type = request.headers['content-type'] ?? '';
  if (text.length === 0) return undefined;
  try {
    if (type.startsWith('multipart/form-data')) return multipart(text, type);
    if (!type.startsWith('application/json')) throw refusals.invalidJson();
    return JSON.parse(text);
  } catch {
    throw refusals.invalidJson();
  }
};

const authorised = (fake, request) => {
  if (!/^DiscordBot \(\S+, \S+\)/.test(request.headers['user-agent'] ?? '')) {
    throw new Refusal(403, 0, '', { raw: '<html>blocked</html>' });
  }
  if (request.headers.authorization !== `Bot ${fake.world.application.token}`) throw refusals.unauthorized();
};

// The message that a request edits, if any.
const editedBy = (fake, route, parameters, body) => {
  const interaction = fake.interactions.byId.get(parameters.interaction_id) ?? fake.interactions.byToken.get(parameters.webhook_token);
  if (route.handler === editMessage) return parameters.message_id;
  if (route.handler === editAnswer) return parameters.message_id ?? interaction?.original?.id;
  return route.handler === callback && body.type === CALLBACK.update ? interaction?.message?.id : undefined;
};

export class Rest {
  constructor(fake) {
    this.fake = fake;
    this.log = []; // {at, method, template, path, body, status, code}
    this.violations = []; // what Discord would refuse as malformed, and edits of one message at once: a test wants none
    this.editMs = 0; // how long an edit takes
    this.editing = new Set(); // ids of messages
  }

  #check(route, body) {
    if (body === undefined) return;
    const { files, ...named } = body;
    demand(this.fake.spec.faults(route.method.toLowerCase(), route.template, Array.isArray(body) ? body : named));
  }

  #answer(request, path, query, text) {
    const entry = { at: this.fake.world.now(), method: request.method, path };
    this.log.push(entry);
    const [route, parameters] = find(request.method, path);
    entry.template = route.template;
    if (route.auth !== false) authorised(this.fake, request);
    const body = parse(request, text);
    Object.assign(entry, { body, parameters });
    const headers = this.fake.limits.take(request.method, route.template, parameters);
    this.#check(route, body);
    return { route, parameters, body, query, headers, entry };
  }

  #send(response, status, headers, body) {
    const date = { Date: new Date(this.fake.world.now()).toUTCString(), Via: '1.1 fake' };
    if (body === undefined) {
      response.writeHead(status, { ...date, ...headers });
      response.end();
      return;
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { ...date, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text), ...headers });
    response.end(text);
  }

  #refuse(response, entry, error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, body, headers, raw } = error;
    Object.assign(entry, { status, code: body.code });
    if (body.code === 50035 || body.code === 50006 || body.code === 50109 || status === 405) {
      this.violations.push({ ...entry, errors: body.errors });
    }
    this.fake.limits.note(status, headers['X-RateLimit-Scope']);
    this.#send(response, status, headers, raw ?? body);
  }

  #meet(fault, response, entry) {
    Object.assign(entry, { fault: true, status: fault.status });
    if (fault.hang) return;
    if (fault.cut) {
      response.stream?.close?.() ?? response.socket?.destroy();
      return;
    }
    this.#send(response, fault.status, fault.headers ?? {}, fault.body ?? { code: 0, message: 'fault' });
  }

  // Of two edits that are on their way at once nobody knows which stands.
  async #edits({ route, parameters, body, entry }) {
    const id = editedBy(this.fake, route, parameters, body);
    if (id === undefined) return;
    if (this.editing.has(id)) this.violations.push({ ...entry, errors: 'a second edit of one message at once' });
    this.editing.add(id);
    if (this.editMs > 0) await new Promise(resolve => { setTimeout(resolve, this.editMs); });
    this.editing.delete(id);
  }

  async handle(request, response) {
    const url = new URL(request.url, 'http://fake');
    const path = url.pathname.replace(/^\/api\/v10/, '');
    const chunks = [];
    let size = 0;
    for await (const chunk of request) {
      size += chunk.length;
      if (size <= BODY_MAX) chunks.push(chunk);
    }
    let entry = { method: request.method, path };
    try {
      const asked = this.#answer(request, path, url.searchParams, Buffer.concat(chunks).toString('utf8'));
      ({ entry } = asked);
      const fault = this.fake.faults.meet({ ...entry, template: asked.route.template });
      if (fault?.delay) await new Promise(resolve => { setTimeout(resolve, fault.delay); });
      const broken = fault && (fault.status || fault.hang || fault.cut);
      if (broken && fault.when === 'before') {
        this.#meet(fault, response, entry);
        return;
      }
      if (!fault) await this.#edits(asked);
      const body = asked.route.handler(this.fake, asked.parameters, asked.body ?? {}, asked.query);
      if (broken) {
        this.#meet(fault, response, entry);
        return;
      }
      entry.status = body === undefined ? 204 : asked.route.status ?? 200;
      this.#send(response, entry.status, asked.headers, body);
    } catch (error) {
      this.#refuse(response, entry, error);
    }
  }
}
