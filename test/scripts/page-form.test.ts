import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fragmentsOf, withoutCode } from './support/fragments.ts';
import { PAGES, readPage } from './support/pages.ts';
import { ROOT } from './support/project.ts';

it('the README has at most 180 lines', () => {
  expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(180);
});

describe.each(PAGES)('%s', (path) => {
  const text = readPage(path);

  it('a page of the documentation begins with its title, and has no other', () => {
    expect(text.startsWith('# ')).toBe(true);
    expect(withoutCode(text).match(/^# /gm)).toHaveLength(1);
  });

  it('a page of the documentation has no cell of a table that is wider than 100 characters', () => {
    const cells = withoutCode(text)
      .split('\n')
      .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
      .flatMap((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    expect(cells.filter((cell) => cell.length > 100)).toEqual([]);
  });

  it('a page of the documentation has no line of prose that is longer than 120 characters', () => {
    const lines = withoutCode(text).split('\n');
    expect(lines.filter((line) => line.length > 120 && !/^(?:\||<img )/.test(line))).toEqual([]);
  });

  it('links to files and headings that exist', () => {
    const linked = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)]
      .map(([, link, image]) => link ?? image ?? '')
      .filter((link) => !/^[a-z]+:/.test(link));
    const broken = linked.filter((link) => {
      const [file = '', fragment] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, target))) return true;
      return fragment !== undefined && !fragmentsOf(target).includes(fragment);
    });
    expect(broken).toEqual([]);
  });

  it('a page of the documentation names files and commands that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
    const files = [...text.matchAll(/`((?:src|scripts|test|bench|client|changelog|docs|\.vscode)\/[\w./-]*)`/g)];
    expect(files.map(([, file = '']) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    const commands = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('leads from the README to every page', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    for (const [, link = ''] of readPage(path).matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)]*)?\)/g))
      reached.add(join(dirname(path), link));
  }
  expect(PAGES.filter((path) => !reached.has(path))).toEqual([]);
});

describe('the page about performance', () => {
  const blocks = readPage('docs/performance.md')
    .split('\n\n')
    .map((block) => block.replaceAll('\n', ' '));
  const measured = blocks.flatMap((block, index) =>
    /\d ?(?:ms|s|KiB|MiB|MB|%|requests|redirects)(?!\w)|\$\d|\d \(\d/.test(block)
      ? [[block, blocks[index - 1]] as const]
      : [],
  );

  it.each(measured)(
    'the page about performance names a command that prints its figures, there or just before: %s',
    (block, before) => {
      expect(`${before} ${block}`).toMatch(/`npm run [\w:-]+/);
    },
  );

  it('the page about performance has figures', () => {
    expect(measured.length).toBeGreaterThan(12);
  });
});
