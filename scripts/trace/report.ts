import type { Flow } from './flows.ts';
import { roomOf, type Step, type Way } from './way.ts';

const WIDTH = 140;
const MOST_SHOWN = 30;

/** The way of a flow: its size, its rooms, every hop, and what was done more than once. */
export function describeWay({ name, goal }: Flow, way: Way): string {
  const { files, hops, calls, steps, costs, repeated } = way;
  const atMost = goal === null ? '' : ` (at most ${goal.files} files, ${goal.hops} hops)`;
  return [
    `${name}: ${files} files, ${hops} hops, ${calls} calls${atMost}`,
    `Hops into each room\n${counted(steps.map(({ file }) => roomOf(file)))}`,
    `Hops less without a file\n${costs
      .slice(0, MOST_SHOWN)
      .map(({ file, hops: each }) => line(each, file))
      .join('\n')}`,
    `The way\n${steps.map(stepLine).join('\n')}`,
    `The same function on the same input\n${repeated.slice(0, MOST_SHOWN).map(repeatedLine).join('\n') || '  none'}`,
  ].join('\n\n');
}

function counted(names: readonly string[]): string {
  const groups = [...Map.groupBy(names, (name) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  return groups.map(([name, { length }]) => line(length, name)).join('\n');
}

const line = (count: number, text: string) => cut(`${String(count).padStart(5)}  ${text}`);

function stepLine({ file, functions }: Step, index: number): string {
  const short = file.replace(/^src\//, '');
  return line(index, `${roomOf(file).padEnd(12)} ${short.padEnd(40)} ${inShort(functions)}`);
}

/** Names one after the other, a repeated one with its number. */
function inShort(names: readonly string[]): string {
  const counts = [...Map.groupBy(names, (name) => name)];
  return counts.map(([name, { length }]) => (length === 1 ? name : `${name} (${length})`)).join(', ');
}

function repeatedLine({ times, file, name, input }: Way['repeated'][number]): string {
  return line(times, `${file} ${name}${input.replaceAll(/\s+/g, ' ')}`);
}

const cut = (line: string) => (line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line);

/** The table of flows, as rows of cells. */
export function tableOf(ways: readonly (readonly [flow: Flow, way: Way])[]): string[][] {
  return [
    ['flow', 'files', 'hops', 'files at most', 'hops at most'],
    ...ways.map(([{ name, goal }, { files, hops }]) => [
      name.includes('/') ? `\`${name}\`` : name,
      String(files),
      String(hops),
      String(goal?.files ?? ''),
      String(goal?.hops ?? ''),
    ]),
  ];
}
