import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/support/project.ts';

/** The units and the container of docs/on-one-machine.md, as far as their commands are concerned. */

export const readFile = (name: string): string => readFileSync(join(ROOT, 'docs/on-one-machine', name), 'utf8');

/** The command of a unit (`ExecStart`, `ExecStartPost`) as a shell takes it. */
export function commandOf(unit: string, setting: string): string {
  const [, command] = new RegExp(`^${setting}=((?:.*\\\\\\n)*.*)$`, 'm').exec(readFile(unit)) ?? [];
  if (command === undefined) throw new Error(`${unit} has no ${setting}.`);
  return command.replaceAll('\\\n', ' ').replaceAll('$$', '$').replaceAll('%%', '%');
}

/** Words after `--`, without the port and the folder, which a test chooses. */
export function optionsOf(words: readonly string[]): string[] {
  const options = words.slice(words.indexOf('--') + 1);
  return options.filter((_, index) => ![options[index - 1], options[index]].some((word) => OWN.has(word ?? '')));
}

const OWN = new Set(['--port', '--persist-to']);

/** The words of an instruction of the Containerfile in its JSON form. */
export function wordsOf(instruction: string): string[] {
  const [, text = '[]'] = new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(readFile('Containerfile')) ?? [];
  return JSON.parse(text) as string[];
}

/** The commands of the Containerfile's RUN lines. */
export function stepsOf(): string[] {
  return [...readFile('Containerfile').matchAll(/^RUN (.*)$/gm)].flatMap(([, line = '']) => line.split(' && '));
}
