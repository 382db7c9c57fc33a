// Somebody with Element's own client library (matrix-js-sdk) and its encryption: told what to do by lines of JSON on
// standard input, telling what it sees by lines on standard output.
// usage: node client.mjs '{"url", "name", "user", "device", "token", "password", "signs", "key"}'
//   signs: it has an identity, which signs its device, and trusts signed devices alone; else it trusts all, and its
//   device is unsigned. key: what recovers an identity that an earlier device has made; anew: another takes its place.
import readline from 'node:readline';
import * as sdk from 'matrix-js-sdk';
import { logger } from 'matrix-js-sdk/lib/logger.js';
import { AllDevicesIsolationMode, OnlySignedDevicesIsolationMode, VerificationPhase, VerificationRequestEvent, decodeRecoveryKey } from 'matrix-js-sdk/lib/crypto-api/index.js';

const who = JSON.parse(process.argv[2]);
const tell = what => { process.stdout.write(`${JSON.stringify(what)}\n`); };
for (const name of ['debug', 'info', 'log', 'warn', 'error', 'trace']) console[name] = () => {};
logger.setLevel('silent');

let secret = who.key ? decodeRecoveryKey(who.key) : undefined;
const client = sdk.createClient({
  baseUrl: who.url, userId: who.user, deviceId: who.device, accessToken: who.token, timelineSupport: true,
  cryptoCallbacks: { getSecretStorageKey: async ({ keys }) => [Object.keys(keys)[0], secret] },
});

// As a client of its own shows it: opened or not, with which shield, and whether it calls somebody.
async function show(event) {
  if (!['m.room.message', 'm.room.encrypted'].includes(event.getWireType()) || event.isState()) return;
  await client.decryptEventIfNeeded(event);
  const sealed = event.getWireType() === 'm.room.encrypted';
  const opened = !event.isDecryptionFailure() && event.getType() !== 'm.room.encrypted';
  const info = sealed && opened ? await client.getCrypto().getEncryptionInfoForEvent(event) : null;
  const actions = client.getPushActionsForEvent(event, true);
  tell({
    told: event.getId(), room: event.getRoomId(), sender: event.getSender(), at: event.getTs(), sealed, opened, type: event.getType(),
    content: opened ? { ...event.getContent(), 'm.relates_to': event.getWireContent()['m.relates_to'] ?? event.getContent()['m.relates_to'] } : null,
    why: opened ? null : `${event.decryptionFailureReason}`, shield: info?.shieldColour ?? 0, reason: info?.shieldReason ?? null,
    notifies: actions?.notify === true, highlights: actions?.tweaks?.highlight === true,
  });
}

const shown = new Map(); // rooms: who is in them, as it was told
const members = room => {
  const said = { room: room.roomId, mine: room.getMyMembership(), joined: room.getMembersWithMembership('join').map(each => each.userId),
    invited: room.getMembersWithMembership('invite').map(each => each.userId), sealed: room.hasEncryptionStateEvent() };
  if (shown.get(room.roomId) !== JSON.stringify(said)) tell(said);
  shown.set(room.roomId, JSON.stringify(said));
};

async function join(room) {
  for (let tries = 0; tries < 5 && room.getMyMembership() === 'invite'; tries++) {
    await client.joinRoom(room.roomId).catch(error => tell({ failed: `cannot join: ${error}` }));
    await new Promise(resolve => { setTimeout(resolve, 1000); });
  }
}

client.on(sdk.RoomEvent.Timeline, event => { void show(event); });
client.on(sdk.MatrixEventEvent.Decrypted, event => { void show(event); });
client.on(sdk.RoomEvent.MyMembership, (room, membership) => { if (membership === 'invite') void join(room); });
client.on(sdk.ClientEvent.Sync, () => { client.getRooms().forEach(members); });

async function begin() {
  await client.initRustCrypto({ useIndexedDB: false });
  const crypto = client.getCrypto();
  crypto.setDeviceIsolationMode(who.signs ? new OnlySignedDevicesIsolationMode() : new AllDevicesIsolationMode(false));
  crypto.globalBlacklistUnverifiedDevices = Boolean(who.signs);
  await client.startClient({ initialSyncLimit: 100, pendingEventOrdering: sdk.PendingEventOrdering.Detached, lazyLoadMembers: false });
  await new Promise(resolve => { client.on(sdk.ClientEvent.Sync, state => { if (state === 'PREPARED') resolve(); }); });
  await client.setDisplayName(who.name);
  if (!who.signs) return null;
  await crypto.userHasCrossSigningKeys(who.user, true); // asks for them: they are to be known before they can be recovered
  const proof = { type: 'm.login.password', identifier: { type: 'm.id.user', user: who.user }, password: who.password };
  await crypto.bootstrapCrossSigning({ authUploadDeviceSigningKeys: async make => { await make(proof); }, setupNewCrossSigning: who.anew === true });
  if (secret) return null;
  const made = await crypto.createRecoveryKeyFromPassphrase();
  secret = made.privateKey;
  await crypto.bootstrapSecretStorage({ createSecretStorageKey: async () => made, setupNewSecretStorage: true });
  return made.encodedPrivateKey;
}

const verbs = {
  begin,
  make: async ({ content }) => (await client.createRoom(content)).room_id,
  say: async ({ room, content }) => (await client.sendEvent(room, 'm.room.message', content)).event_id,
  keys: async () => (await client.getCrypto().exportRoomKeys()).map(each => [each.room_id, each.session_id]),
  invite: async ({ room, user }) => { await client.invite(room, user); },
  leave: async ({ room }) => { await client.leave(room); },
  // Compares keys with somebody, in a room or with their device: by whom and why it was ended.
  verify: async ({ user, room, device }) => {
    const crypto = client.getCrypto();
    const request = await (room ? crypto.requestVerificationDM(user, room) : crypto.requestDeviceVerification(user, device));
    while (request.phase !== VerificationPhase.Cancelled) await new Promise(resolve => { request.once(VerificationRequestEvent.Change, resolve); });
    return { by: request.cancellingUserId, code: request.cancellationCode };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, verb, ...rest } = JSON.parse(line);
  void verbs[verb](rest).then(answer => tell({ id, answer }), error => tell({ id, failed: `${error?.stack ?? error}` }));
}
process.exit(0);
