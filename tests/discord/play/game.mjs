// A game, moved on by whoever it waits for.
import { setTimeout as pause } from 'node:timers/promises';
import { textOf } from '../fake/world.mjs';
import { awaited } from './players.mjs';

export const wins = channel => [...channel.messages.values()].some(message => textOf(message).includes('has won'));

/** The newest round that the table's card has told of. */
export const roundOf = channel => [...channel.messages.values()].map(message => /Round (\d+)/.exec(textOf(message))?.[1])
  .filter(Boolean).map(Number).at(-1) ?? 0;

/** One turn of all that are awaited; whether anybody did more than wait. */
export const move = async (channel, players, random) => {
  const { who, likely } = awaited(players, channel);
  let done = 0;
  for (const player of who) {
    const line = random() < 0.75 ? likely : undefined;
    if (line !== undefined) await player.say(line);
    done += (line ?? await player.act() ?? 'pass') !== 'pass' ? 1 : 0;
  }
  if (done === 0) await pause(100); // a moment that all wait out
};
