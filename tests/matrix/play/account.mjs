// The bot's account, as its operator sees it: what `munchbot matrix login` and `check` say.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Key } from '../fake/signing.mjs';

/** That a device is signed. */
export const SIGNED = /has signed the device/;

export class Account {
  /** `keys`: where those of its devices are. */
  constructor(stage, keys) {
    Object.assign(this, { stage, keys, server: stage.server, id: stage.server.bot.id });
    this.token = path.join(stage.bot.folder, 'token');
    this.recovery = path.join(stage.bot.folder, 'recovery');
  }

  async configure(lines = []) {
    await writeFile(this.stage.bot.configuration, ['[munchbot]', `store = ${this.stage.bot.store}`, '[matrix]', `homeserver = ${this.server.url}`, `user_id = ${this.id}`,
      `token_file = ${this.token}`, `crypto_path = ${this.keys}`, `recovery_file = ${this.recovery}`, ...lines, ''].join('\n'));
  }

  /** Runs it: what it says; never a secret. */
  run(verb, { more = [], password = this.server.password, environment = {}, program = this.stage.bot.program } = {}) {
    const { MUNCHBOT_MATRIX_TOKEN: _, ...clean } = process.env;
    const child = spawn(program, ['matrix', verb, '--config', this.stage.bot.configuration, ...more],
      { env: { ...clean, ...environment }, stdio: ['pipe', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', data => { said += data; });
    child.stdin.on('error', () => {});
    child.stdin.end(`${password}\n`);
    return new Promise(resolve => {
      child.on('close', async code => {
        const kept = existsSync(this.recovery) && (await stat(this.recovery)).isFile() ? await readFile(this.recovery, 'utf8') : '';
        for (const secret of [password, ...this.server.sessions.keys(), ...kept.split(/\s+/).slice(1)]) {
          assert.ok(secret === '' || secret.startsWith('@') || !said.includes(secret), said);
        }
        resolve({ code, said: said.replace(/^==\d+==WARNING: ASan doesn't fully support.*\n/, '') });
      });
    });
  }

  async login(options) {
    const { code, said } = await this.run('login', options);
    assert.equal(code, 0, said);
    return said;
  }

  #left() {
    const stores = existsSync(this.keys) ? readdirSync(this.keys, { withFileTypes: true }).filter(each => each.isDirectory()).map(each => each.name) : [];
    return [[...this.server.sessions.keys()], JSON.stringify(this.server.keys.devices.get(this.id) ?? {}), stores];
  }

  /** It says why not, and has left no session, device or store behind. `store`: a helper that has one leaves it. */
  async refuses(words, { store = false, ...options } = {}) {
    const before = this.#left();
    const { code, said } = await this.run('login', options);
    assert.equal(code, 1, said);
    assert.match(said, words);
    assert.equal(said.trim().split('\n').length, 1, said);
    const after = this.#left();
    if (store) after[2] = before[2];
    assert.deepEqual(after, before);
    return said;
  }

  get master() {
    return Object.values(this.server.keys.identities.master_keys?.[this.id]?.keys ?? {})[0];
  }

  /** The account has an identity that somebody else has made. */
  owned() {
    const [master, signs] = [new Key(), new Key()];
    this.server.keys.identities = { master_keys: { [this.id]: master.shown(this.id, 'master') },
      self_signing_keys: { [this.id]: master.signs(this.id, master.text, signs.shown(this.id, 'self_signing')) } };
    return master.text;
  }

  async lines() {
    return (await readFile(this.recovery, 'utf8')).trimEnd().split('\n');
  }
}
