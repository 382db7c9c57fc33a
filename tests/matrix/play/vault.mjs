// A munchbot with a helper beside it that only pretends (fake/helper.mjs), and what that was asked.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from './munchbot.mjs';

/** A copy of the program in a folder of its own, with a helper. */
export const beside = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'munchbot-keys-'));
  const program = path.join(folder, 'munchbot');
  const helper = path.join(folder, 'munchbot-crypto');
  await copyFile(PROGRAM, program);
  await writeFile(helper, `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(new URL('../fake/helper.mjs', import.meta.url))}'\n`);
  await chmod(helper, 0o755);
  return { folder, program, remove: () => rm(folder, { recursive: true }) };
};

let count = 0;

/** What a helper keeps, what it was asked, and how it behaves. */
export class Vault {
  /** `more`: lines of the configuration's section. */
  constructor({ folder, program }, more = []) {
    this.program = program;
    this.more = more;
    this.path = path.join(folder, `keys-${++count}`);
    this.store = path.join(this.path, 'TABLES', 'store.json');
  }

  /** Options of a bot that has it. */
  get bot() {
    return { program: this.program, matrix: [`crypto_path = ${this.path}`, ...this.more] };
  }

  behaves(behaviour) {
    mkdirSync(this.path, { recursive: true });
    writeFileSync(path.join(this.path, 'behaviour.new'), JSON.stringify(behaviour));
    renameSync(path.join(this.path, 'behaviour.new'), path.join(this.path, 'behaviour.json'));
  }

  get asks() {
    const file = path.join(this.path, 'asks.jsonl');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    return lines.filter(line => line.startsWith('{') && line.endsWith('}')).map(line => JSON.parse(line)); // the last may be cut
  }

  asked(name) {
    return this.asks.filter(ask => ask.ask === name);
  }

  get kept() {
    return existsSync(this.store) ? JSON.parse(readFileSync(this.store, 'utf8')) : {};
  }
}
