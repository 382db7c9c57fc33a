// What a request is refused with: HTTP status, Discord's code, and what people have made of it.
export class Refusal extends Error {
  constructor(status, code, message, extra = {}) {
    super(`${status} ${code} ${message}`);
    this.status = status;
    this.body = { code, message, ...extra.body };
    this.headers = extra.headers ?? {};
    this.raw = extra.raw; // instead of a JSON body
  }
}

const make = (status, code, message) => () => new Refusal(status, code, message);

export const refusals = {
  unauthorized: make(401, 0, '401: Unauthorized'),
  notFound: make(404, 0, '404: Not Found'),
  unknownChannel: make(404, 10003, 'Unknown Channel'),
  unknownGuild: make(404, 10004, 'Unknown Guild'),
  unknownMember: make(404, 10007, 'Unknown Member'),
  unknownMessage: make(404, 10008, 'Unknown Message'),
  unknownUser: make(404, 10013, 'Unknown User'),
  unknownWebhook: make(404, 10015, 'Unknown Webhook'),
  unknownInteraction: make(404, 10062, 'Unknown interaction'),
  unknownCommand: make(404, 10063, 'Unknown application command'),
  quarantined: make(403, 20026, 'This account is flagged by our anti-spam system'),
  oldEdits: make(429, 30046, 'Maximum number of edits to messages older than 1 hour reached'),
  openingTooFast: make(429, 40003, 'You are opening direct messages too fast'),
  acknowledged: make(400, 40060, 'Interaction has already been acknowledged.'),
  missingAccess: make(403, 50001, 'Missing Access'),
  notYours: make(403, 50005, 'Cannot edit a message authored by another user'),
  empty: make(400, 50006, 'Cannot send an empty message'),
  cannotSend: make(403, 50007, 'Cannot send messages to this user'),
  cannotOpen: make(400, 50007, 'Cannot send messages to this user'),
  noMutualGuild: make(403, 50278, 'Cannot send messages to this user due to having no mutual guilds'),
  missingPermissions: make(403, 50013, 'Missing Permissions'),
  webhookToken: make(401, 50027, 'Invalid Webhook Token'),
  archived: make(400, 50083, 'Thread is archived'),
  invalidJson: make(400, 50109, 'The request body contains invalid JSON.'),
  threadExists: make(400, 160004, 'A thread has already been created for this message'),
  threadLocked: make(400, 160005, 'Thread is locked'),
  notInThread: make(400, 50024, 'Cannot execute action on this channel type'),
};

/** 400 with the tree of faults that Discord makes of [path, code, message]. */
export const invalidForm = faults => {
  const errors = {};
  for (const [path, code, message] of faults) {
    let at = errors;
    for (const step of path.split(/[./]/).filter(Boolean)) at = at[step] ??= {};
    (at._errors ??= []).push({ code, message });
  }
  return new Refusal(400, 50035, 'Invalid Form Body', { body: { errors } });
};
