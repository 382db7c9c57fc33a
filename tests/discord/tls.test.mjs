// munchbot over TLS, with HTTP/2, against a fake whose certificate only a test authority vouches for.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { FakeDiscord } from './fake/discord.mjs';
import { Munchbot } from './play/munchbot.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'munchbot-tls-'));
const at = name => path.join(folder, name);
const openssl = (...words) => execFileSync('openssl', words, { stdio: 'pipe' });
let tls;

before(() => {
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1\n');
  openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('ca.key'), '-out', at('ca.pem'), '-subj', '/CN=Test authority', '-days', '2');
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', at('key'), '-out', at('request'), '-subj', '/CN=Fake Discord');
  openssl('x509', '-req', '-in', at('request'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2',
    '-extfile', at('names'), '-out', at('certificate'));
  tls = { key: readFileSync(at('key')), cert: readFileSync(at('certificate')) };
});

after(() => rmSync(folder, { recursive: true }));

const withFake = async use => {
  const fake = await FakeDiscord.start({ tls });
  const bot = await Munchbot.make(fake);
  const seen = { http2: 0 };
  fake.server.on('session', () => { seen.http2++; });
  try {
    await use(fake, bot, seen);
    assert.deepEqual(await bot.stop(), { code: 0, signal: null });
  } finally {
    delete process.env.SSL_CERT_FILE;
    await bot.remove();
    await fake.stop();
  }
};

test('it speaks TLS and HTTP/2, and trusts the authority it is told of', { timeout: 60_000 }, () =>
  withFake(async (fake, bot, seen) => {
    process.env.SSL_CERT_FILE = at('ca.pem');
    const person = fake.person('Ada');
    const channel = fake.channel(fake.guild('Game night', [person]), 'munchkin');
    await bot.start();
    assert.ok(seen.http2 > 0, 'HTTP/2 is spoken');
    await person.slash(channel, 'munch new', { players: 3 });
    await fake.until('the lobby opens', () => channel.messages.size > 0);
    fake.assertClean();
  }));

test('it connects to nobody whom no authority vouches for', { timeout: 60_000 }, () =>
  withFake(async (fake, bot) => {
    bot.start().catch(() => {});
    await new Promise(resolve => { setTimeout(resolve, 4000); });
    assert.equal(bot.code, undefined, 'it goes on trying');
    assert.equal(fake.gateway.identifies.length, 0);
    assert.equal(fake.world.commands.length, 0);
    assert.doesNotMatch(bot.log, new RegExp(fake.token));
  }));
