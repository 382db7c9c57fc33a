// deploy/try discord: three people at the page or at a terminal come to their hands; nobody else can ask the page; its end leaves nothing.
import assert from 'node:assert/strict';
import http from 'node:http';
import { describe, test } from 'node:test';
import { Tried } from '../support/tried.mjs';

const OPTIONS = { timeout: 120_000 };
const tried = (words, use) => async () => {
  const it = new Tried('discord', ...words);
  try {
    await use(it);
  } finally {
    it.clear();
  }
};

// The page as its script sees it.
class Page {
  async open(it) {
    this.url = await it.until('its address', () => /http:\S+(?=\/)/.exec(it.said)?.[0]);
    http.get(`${this.url}/events`, response => response.setEncoding('utf8').on('data', data => {
      this.text = (this.text ?? '') + data;
      const news = this.text.split('\n\n');
      this.text = news.pop();
      if (news.length > 0) this.people = JSON.parse(news.at(-1).slice('data: '.length));
    }).on('error', () => {}));
    await it.until('the lobby', () => this.html('Ada', 'channel').includes('seats taken'));
    return this;
  }

  messages(who, place) {
    return this.people?.find(({ name }) => name === who)[place] ?? [];
  }

  html(who, place) {
    return this.messages(who, place).map(({ html }) => html).join('\n');
  }

  async ask(what, body, headers = {}) {
    const asked = await fetch(`${this.url}/${what}`, { method: 'POST', body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin: this.url, ...headers } });
    return asked.status === 200 ? asked.json() : asked.status;
  }

  /** Presses the newest button that reads so; picks the first of a menu that does. */
  press(who, label, place = 'channel') {
    for (const { id: message, html } of [...this.messages(who, place)].reverse()) {
      const [, id, value] = new RegExp(`data-id="([^"]*)"(?: data-value="([^"]*)")?>${label}`).exec(html) ?? [];
      if (id) return this.ask('press', { who, message, id, ...(value === undefined ? {} : { values: [value] }) });
    }
    throw new Error(`${who} sees no "${label}":\n${this.html(who, place)}`);
  }
}

describe('deploy/try discord', { concurrency: 4 }, () => {
  test('by the page three people come to their hands, and Ctrl-C leaves nothing', OPTIONS, tried(['--port', '0'], async it => {
    const page = await new Page().open(it);
    assert.deepEqual(await page.ask('offers', { who: 'Bob', line: 'joi' }), { offers: ['join'] });
    await page.press('Bob', 'Sit down');
    await page.ask('say', { who: 'Cem', line: 'join' });
    await it.until('Cem sits', () => /3 of 4 seats/.test(page.html('Ada', 'channel')));
    await page.press('Ada', 'Start');
    for (const who of ['Ada', 'Bob', 'Cem']) await it.until('a hand', () => /Your hand: \d+ cards/.test(page.html(who, 'dm')));
    assert.doesNotMatch(page.html('Ada', 'channel'), /Your hand: \d+ cards/);
    const { offers } = await page.ask('offers', { who: 'Bob', line: 'card ' });
    assert.ok(offers.length > 0 && offers.every(each => each.startsWith('card ')), offers);
    assert.deepEqual(await page.ask('offers', { who: 'Bob', line: '/munch table add-b' }), { offers: ['/munch table add-bot'] });
    await page.press('Bob', 'Act');
    await it.until('only Bob sees it', () => /Only you see this/.test(page.messages('Bob', 'channel').at(-1).html));
    assert.doesNotMatch(page.messages('Cem', 'channel').at(-1).html, /Only you see this/);
    assert.equal(it.programs.length, 1);
    assert.deepEqual(await it.leaves('SIGINT'), { code: 0, signal: null });
  }));

  test('a form is shown to who asked for it, and what is written into it counts', OPTIONS, tried(['--port', '0'], async it => {
    const page = await new Page().open(it);
    const form = () => page.people.find(({ name }) => name === 'Ada').form;
    await page.press('Ada', 'Options');
    await it.until('the options', () => /What should change/.test(page.html('Ada', 'channel')));
    await page.press('Ada', 'Type options');
    const [, name] = await it.until('a form', () => /<input name="([^"]*)"/.exec(form() ?? ''));
    await page.ask('submit', { who: 'Ada', values: { [name]: 'players=3' } });
    await it.until('three seats', () => /of 3 seats/.test(page.html('Ada', 'channel')));
    assert.equal(form(), undefined);
  }));

  test('what people write is text, and another origin is refused', OPTIONS, tried(['--port', '0'], async it => {
    const page = await new Page().open(it);
    await page.ask('say', { who: 'Cem', line: '<img src=x onerror="alert(1)">' });
    await it.until('it is read', () => page.html('Ada', 'channel').includes('&lt;img src=x onerror=&quot;'));
    assert.doesNotMatch(page.html('Ada', 'channel'), /<img/);
    assert.equal(await page.ask('say', { who: 'Cem', line: 'join' }, { origin: 'http://other.example' }), 403);
    assert.equal(await page.ask('say', { who: 'Cem', line: 'join' }, { 'content-type': 'text/plain' }), 403);
    for (const headers of [{ host: 'other.example' }, { origin: 'http://other.example' }, { origin: 'null' }]) {
      const status = await new Promise(resolve => { http.get(`${page.url}/events`, { headers }, response => resolve(response.resume().statusCode)); });
      assert.equal(status, 403);
    }
    assert.doesNotMatch(page.html('Ada', 'channel'), /2 of 4 seats/);
  }));

  test('a port that is taken, and a program that ends, are told in one sentence', OPTIONS, tried(['--port', '0'], async it => {
    const page = await new Page().open(it);
    await tried(['--port', new URL(page.url).port], async other => {
      assert.equal((await other.leaves()).code, 1);
      assert.match(other.said, /^deploy\/try: port \d+ is taken: name another with --port\.\n$/);
    })();
    process.kill(it.programs[0], 'SIGKILL');
    assert.equal((await it.leaves()).code, 1);
    assert.match(it.said, /\ndeploy\/try: munchbot has ended: .+\n$/);
  }));

  test('so do three people at a terminal', OPTIONS, tried(['--terminal'], async it => {
    await it.until('the lobby', () => /1 of 4 seats/.test(it.said));
    it.type('bob [Sit down]');
    it.type('cem /munch join');
    await it.until('Cem sits', () => /3 of 4 seats/.test(it.said));
    it.type('ada: start');
    for (const who of ['Ada', 'Bob', 'Cem']) {
      await it.until('a hand', () => it.said.split('  [').some(part => part.startsWith(`DM of ${who}]`) && /Your hand: \d+ cards/.test(part)));
    }
    assert.deepEqual(await it.leaves('SIGINT'), { code: 0, signal: null });
  }));
});
