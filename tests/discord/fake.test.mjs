// What the fake refuses: bodies that Discord would not take, and what comes too late or twice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { FakeDiscord } from './fake/discord.mjs';

let fake;
let channel;
let ada;
let clock = Date.now();

before(async () => {
  fake = await FakeDiscord.start({ now: () => clock });
  ada = fake.person('Ada');
  channel = fake.channel(fake.guild('Game night', [ada]), 'munchkin');
});
after(() => fake.stop());

const call = async (method, path, body) => {
  clock += 2000;
  const response = await fetch(fake.apiUrl + path, { method, body: body === undefined ? undefined : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: `Bot ${fake.token}`, 'User-Agent': 'DiscordBot (https://a.b, 1)' } });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};
const post = body => call('POST', `/channels/${channel.id}/messages`, body);
const button = { type: 2, style: 1, label: 'x', custom_id: 'a' };
const row = (...components) => ({ type: 1, components });

const MALFORMED = {
  'an unknown key': { contant: 'x' },
  'a misspelt key in a button': { components: [row({ ...button, lable: 'x' })] },
  'content of more than 2000 characters': { content: 'x'.repeat(2001) },
  'content beside components of version 2': { flags: 32768, content: 'x', components: [row(button)] },
  'one custom_id twice': { components: [row(button, button)] },
  'six rows': { components: Array.from({ length: 6 }, (_, i) => row({ ...button, custom_id: `${i}` })) },
  'a row of buttons and a select': { components: [row(button, { type: 3, custom_id: 's', options: [{ label: 'a', value: 'a' }] })] },
  'a select that wants more than it has': { components: [row({ type: 3, custom_id: 's', min_values: 2, max_values: 2,
    options: [{ label: 'a', value: 'a' }] })] },
  'an ephemeral message in a channel': { content: 'x', flags: 64 },
  'more than 40 components': { flags: 32768, components: Array.from({ length: 41 }, () => ({ type: 10, content: 'x' })) },
  'more than 4000 characters shown': { flags: 32768, components: [1, 2].map(() => ({ type: 10, content: 'x'.repeat(2001) })) },
  'pings by list and by kind': { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
  'a call to somebody who is shown nothing': { flags: 32768, components: [row(button)], allowed_mentions: { users: ['1'] } },
  'a nonce of 26 characters': { content: 'x', nonce: 'x'.repeat(26) },
  'nothing at all': {},
};

for (const [what, body] of Object.entries(MALFORMED)) {
  test(`refuses ${what}`, async () => {
    const before = fake.rest.violations.length;
    assert.equal((await post(body)).status, 400);
    assert.equal(fake.rest.violations.length, before + 1);
  });
}

test('a command may be answered once, within three seconds, and its token lives a quarter of an hour', async () => {
  const command = { name: 'munch', description: 'd', options: [{ type: 1, name: 'new', description: 'd' }] };
  assert.equal((await call('PUT', `/applications/${fake.world.application.id}/commands`, [command])).status, 200);
  const answer = { type: 4, data: { content: 'yes', flags: 64 } };
  const first = ada.slash(channel, 'munch new');
  const path = `/interactions/${first.id}/${first.token}/callback`;
  assert.equal((await call('POST', path, answer)).status, 204);
  assert.equal((await call('POST', path, answer)).body.code, 40060);
  const late = ada.slash(channel, 'munch new');
  clock += 3001;
  assert.equal((await call('POST', `/interactions/${late.id}/${late.token}/callback`, answer)).body.code, 10062);
  const original = `/webhooks/${fake.world.application.id}/${first.token}/messages/@original`;
  assert.equal((await call('PATCH', original, { content: 'no' })).status, 200);
  clock += 900_000;
  assert.equal((await call('PATCH', original, { content: 'no' })).body.code, 50027);
});

test('an ephemeral is seen by one person, and no channel route reaches it', async () => {
  const command = ada.slash(channel, 'munch new');
  await call('POST', `/interactions/${command.id}/${command.token}/callback`, { type: 4, data: { content: 'secret', flags: 64 } });
  const message = ada.latest(channel);
  const bob = fake.person('Bob');
  fake.world.addMember(fake.world.guilds.get(channel.guild_id), bob.user);
  assert.equal(message.content, 'secret');
  assert.ok(!bob.reads().includes('secret'));
  assert.equal((await call('PATCH', `/channels/${channel.id}/messages/${message.id}`, { content: 'x' })).body.code, 10008);
});

test('who is called, and who is not', async () => {
  const pushes = ada.pushes.length;
  const name = `<@${ada.id}>`;
  await post({ content: `${name} quiet`, allowed_mentions: { parse: [] } });
  await post({ content: `${name} silent`, flags: 4096, allowed_mentions: { users: [ada.id] } });
  assert.equal(ada.pushes.length, pushes);
  const { body } = await post({ content: `${name} your turn`, allowed_mentions: { parse: [], users: [ada.id] } });
  assert.equal(ada.pushes.length, pushes + 1);
  await call('PATCH', `/channels/${channel.id}/messages/${body.id}`, { content: `${name} still`, allowed_mentions: { users: [ada.id] } });
  assert.equal(ada.pushes.length, pushes + 1);
});

test('a burst runs into the limit of its channel, and is told for how long', async () => {
  const codes = [];
  for (let i = 0; i < 7; i++) {
    clock -= 2000; // call() moves it
    codes.push(await post({ content: 'x' }));
  }
  const refused = codes.filter(answer => answer.status === 429);
  assert.equal(refused.length, 2);
  assert.ok(refused[0].body.retry_after > 0 && refused[0].body.retry_after <= 5);
});
