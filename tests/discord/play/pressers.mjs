// People who type nothing: they press, and pick from menus.
import { setTimeout as pause } from 'node:timers/promises';
import { controlsOf, textOf } from '../fake/world.mjs';
import { Player, cardOf, judge, plain } from './players.mjs';

const STEPS = 12;
const ANSWER_MS = 60_000;
// What a button does, as the line that stands for it.
const LINES = { 'Kick the door': 'kick', 'Take the card': 'take', 'Run away': 'run', 'Loot the room': 'loot', Pass: 'pass',
  Accept: 'accept', Done: 'done' };

const menuOf = controls => controls.find(each => each.options);

/** Who presses "Act" on the table's card, and goes on on the panel that opens. */
export class Presser extends Player {
  get types() {
    return false;
  }

  sit() {
    return this.pressCard('Sit down');
  }

  start() {
    return this.pressCard('Start');
  }

  /** A press until it is answered, and what it is answered by. */
  async press(message, which, values) {
    this.said++;
    for (;;) {
      const interaction = this.person.press(message, which, values);
      const answer = await Promise.race([interaction.answered, pause(ANSWER_MS, undefined, { ref: false })]);
      if (!answer) throw new Error(`no answer to a press of ${which}`);
      await this.fake.until('an answer that shows something', () => interaction.answers.at(-1)?.type !== 6 || interaction.original);
      const shown = interaction.original ?? message;
      await this.rests();
      if (!/too fast|Easy, |Too much/.test(textOf(shown))) return shown;
      await this.waits(1000);
    }
  }

  /** A button of the table's card: "Sit down", "Start". */
  async pressCard(label) {
    const card = () => cardOf(this.place);
    await this.fake.until(`"${label}" on the card`, () => card() && controlsOf(card()).some(each => each.label === label));
    return this.press(card(), label);
  }

  /** The first page of what can be done; nothing before there is any. */
  async first() {
    const card = cardOf(this.place);
    return card && controlsOf(card).some(each => each.label === 'Act') ? this.press(card, 'Act') : undefined;
  }

  #some(menu) {
    const options = [...menu.options];
    const many = menu.min_values + Math.floor(this.random() * (menu.max_values - menu.min_values + 1));
    const values = [];
    while (values.length < many) values.push(options.splice(Math.floor(this.random() * options.length), 1)[0].value);
    return values;
  }

  // What is pressed on the first page: [its line, the control, the values].
  #begin(controls) {
    const offered = new Map();
    for (const { label } of controls) if (LINES[label]) offered.set(LINES[label], [label]);
    const menu = menuOf(controls);
    for (const option of menu?.options ?? []) offered.set(plain(option.label), [menu.custom_id, [option.value]]);
    const [line] = judge([...offered.keys()], this.person.user.global_name, this.random);
    return line === undefined ? undefined : [line, ...offered.get(line)];
  }

  /** One thing that can be done, found page by page: its line. */
  async act() {
    let page = await this.first();
    const begun = page && this.#begin(controlsOf(page));
    if (!begun) return undefined;
    const [line, ...pressed] = begun;
    page = await this.press(page, ...pressed);
    for (let step = 0; step < STEPS; step++) {
      const controls = controlsOf(page);
      const labels = controls.map(each => each.label);
      const menu = menuOf(controls);
      if (!labels.includes('Back')) break; // it is done
      if (labels.includes('That is all')) page = await this.press(page, 'That is all');
      else if (menu) page = await this.press(page, menu.custom_id, this.#some(menu));
      else page = await this.press(page, 'Back');
    }
    return line;
  }
}

/** Who never looks at the channel: all is done on the hand in the private channel. */
export class Hander extends Presser {
  async first() {
    const { dm } = this.person;
    return dm && this.person.latest(dm, message => controlsOf(message).length > 0);
  }
}
