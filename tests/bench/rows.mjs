// Rows of the table that tests/bench/run prints: what, figure, unit and bound, with tabs between.
import { readFile, readdir } from 'node:fs/promises';

const short = figure => Number(figure.toPrecision(4));

export let missed = 0;

/** `most` or `least`: the bound, if there is one. */
export const row = (what, figure, unit, { most, least } = {}) => {
  const bound = most !== undefined ? `<= ${short(most)}` : least !== undefined ? `>= ${short(least)}` : '';
  if (!(figure <= (most ?? Infinity) && figure >= (least ?? -Infinity))) missed++; // NaN, too
  console.log(`${what}\t${short(figure)}\t${unit}\t${bound}`);
};

export const median = values => share(values, 0.5);
export const share = (values, part) => [...values].sort((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)];

export const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

/** Milliseconds of processor time that the threads of a process have taken. */
export const processor = async pid => {
  const threads = `/proc/${pid}/task`;
  const times = await Promise.all((await readdir(threads)).map(thread => readFile(`${threads}/${thread}/schedstat`, 'utf8').catch(() => '0')));
  return times.reduce((sum, words) => sum + Number(words.split(' ')[0]) / 1e6, 0);
};
