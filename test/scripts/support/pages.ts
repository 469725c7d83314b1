import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './project.ts';

/** The pages that people read: the README, the pages of docs/, and what stands beside the README. */

/** Their paths below the project's folder. */
export const PAGES: readonly string[] = [
  'README.md',
  ...['CONTRIBUTING.md', 'SECURITY.md'].filter((name) => existsSync(join(ROOT, name))),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
];

export function readPage(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The pages that `text` stands on. */
export function pagesWith(text: string): string[] {
  return PAGES.filter((path) => readPage(path).replaceAll('\n', ' ').includes(text));
}

/** The shell blocks of a page, without the indent of a list that they stand in. */
export function shellBlocks(path: string): string[] {
  return [...readPage(path).matchAll(/^( *)```sh\n([^]*?)^ *```$/gm)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** The commands of curl on all pages. */
export function curlCommands(): string[] {
  return PAGES.flatMap(shellBlocks).flatMap((block) => block.match(/^curl (?:.*\\\n)*.*$/gm) ?? []);
}
