// What a log, and what monitoring reads, may not have: tokens, cards, people's names and what they typed.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const CARDS = fileURLToPath(new URL('../../cards/', import.meta.url));

function* namesIn(value) {
  if (value === null || typeof value !== 'object') return;
  if (typeof value.name === 'string') yield value.name;
  for (const each of Object.values(value)) yield* namesIn(each);
}

const names = readdirSync(CARDS, { recursive: true }).filter(file => file.endsWith('.json'))
  .flatMap(file => [...namesIn(JSON.parse(readFileSync(CARDS + file, 'utf8')))]);
const escaped = text => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const CARD = new RegExp(`(?<![\\w-])(?:${[...new Set(names)].map(escaped).join('|')})(?![\\w-])`);

/** Fails with the first line of `text` that has a card's name, or one of `secrets` (tokens, names, typed words). */
export function assertQuiet(text, secrets = []) {
  for (const line of text.split('\n')) {
    const found = CARD.exec(line)?.[0] ?? secrets.find(secret => line.includes(secret));
    if (found !== undefined) throw new Error(`"${found}" stands in: ${line}`);
  }
}

/** A page for operators: lines of a configuration that offer it, and what they read there. */
export async function metricsPage() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise(resolve => { server.close(resolve); });
  return {
    lines: ['[http]', `listen = 127.0.0.1:${port}`],
    read: async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  };
}
