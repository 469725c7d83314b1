import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIMITS, PRESETS } from '../../bench/growth/assumptions.ts';
import { measureBytes } from '../../bench/growth/bytes.ts';
import { figuresOf } from '../../bench/growth/model.ts';
import { PARTS, saturatedFrom, type Part } from '../../bench/growth/parts.ts';
import { SHIPPED } from '../../bench/growth/shipped.ts';
import { readPage } from './support/pages.ts';
import { ROOT } from './support/project.ts';

/** The record about growth: its numbers are those of the simulation, and its list of places is complete. */

const record = readPage('docs/decisions/growth.md');
const oneLine = record.replaceAll(/\s+/g, ' ');

describe('the numbers of the record', () => {
  const bytes = measureBytes(20_000);
  const toNumber = (text: string | undefined) => Number((text ?? '').replaceAll(',', ''));

  it.each<Part>(PARTS)('the numbers of the record say from how many clients "$name" is saturated', (part) => {
    const [, clients] = new RegExp(String.raw`^\| ${part.name} +\|[^|]+\| +([\d,]+) +\|`, 'm').exec(record) ?? [];
    const from = saturatedFrom(part, (number) => figuresOf(number, bytes, PRESETS));
    expect(toNumber(clients) / from!).toBeCloseTo(1, 1);
  });

  it('the numbers of the record say how many consumers of clicks wrangler.toml allows', () => {
    const [, limit] = /^\| consumers +\| ([\d,]+) at once +\|/m.exec(record) ?? [];
    expect(toNumber(limit)).toBe(SHIPPED.consumersAtOnce);
  });

  it('the numbers of the record say what a link takes, and how many links fill a database', () => {
    const [, link, edit, client, millions] =
      /([\d,]+) bytes a link, ([\d,]+) its first edit, ([\d,]+) a client .*? so (\d+) million links fill/.exec(
        oneLine,
      ) ?? [];
    expect(toNumber(link) / bytes.link).toBeCloseTo(1, 1);
    expect(toNumber(edit) / bytes.edit).toBeCloseTo(1, 1);
    // A few rows share a page more or less.
    expect(Math.abs(toNumber(client) / bytes.client - 1)).toBeLessThan(0.2);
    const perLink = bytes.link + PRESETS.edited * bytes.edit + bytes.client / PRESETS.links;
    expect(toNumber(millions) / (LIMITS.databaseBytes / perLink / 1e6)).toBeCloseTo(1, 1);
  });
});

describe('the places that would change if links were in several databases', () => {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const pathsWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
  const namedIn = (text = '') => [...text.matchAll(/`(src\/[\w/-]+\.tsx?)`/g)].map(([, path = '']) => path).toSorted();

  it('the places that would change if links were in several databases are the files that open the database', () => {
    const [, opened] = /The binding is opened in (.*?)\. These files/.exec(oneLine) ?? [];
    expect(namedIn(opened)).toEqual(pathsWith(/\benv\.DB\b/).toSorted());
  });

  it('the places that would change if links were in several databases are the files with statements about links, addresses, their history and kept responses, each listed once', () => {
    const rows = record.split('\n').filter((line) => line.startsWith('|'));
    const moving = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:links|addresses|link_history|idempotency_keys)\b/;
    expect(namedIn(rows.join('\n'))).toEqual(pathsWith(moving).toSorted());
  });
});
