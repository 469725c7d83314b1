import { describe, expect, it } from 'vitest';
import { PRESETS, SIZES } from '../../bench/growth/assumptions.ts';
import { measureBytes, type Bytes } from '../../bench/growth/bytes.ts';
import { figuresOf } from '../../bench/growth/model.ts';
import { readGrowthOptions } from '../../bench/growth/options.ts';
import { PARTS, saturatedFrom, saturatedOf, useOf, type Part } from '../../bench/growth/parts.ts';
import { describeGrowth } from '../../bench/growth/report.ts';
import { readShipped, SHIPPED } from '../../bench/growth/shipped.ts';
import { membersIn, ranksOf, sumOver } from '../../bench/growth/zipf.ts';
import { readPage } from './support/pages.ts';

const BYTES: Bytes = { link: 500, edit: 600, client: 8000, kvEntry: 250, parts: { links: 500 } };

const figuresFor = (clients: number) => figuresOf(clients, BYTES, PRESETS);
const namesAt = (clients: number) => saturatedOf(figuresFor(clients)).map(({ name }) => name);

describe('the bytes of a link', () => {
  it('the bytes of a link are those of all tables and indexes that a link is in, and the same in each run', () => {
    const bytes = measureBytes(2000);
    expect(measureBytes(2000)).toEqual(bytes);
    expect(Object.keys(bytes.parts).toSorted().join(' ')).toBe(
      'addresses addresses_by_link links links_live links_of_campaign links_of_url',
    );
    // Its texts alone take 80 bytes for the URL, in two places, and some 200 for the rest.
    expect(bytes.link).toBeGreaterThan(350);
    expect(bytes.link).toBeLessThan(1000);
    expect(bytes.kvEntry).toBeGreaterThan(200);
  });
});

describe('a Zipf distribution', () => {
  it('a Zipf distribution adds up to the whole, and gives the shares of the formula', () => {
    const members = 20_000;
    const weights = Array.from({ length: members }, (_, index) => 1 / (index + 1));
    const total = weights.reduce((sum, weight) => sum + weight);
    const ranks = ranksOf(members, 1);
    expect(sumOver(ranks, () => 1)).toBe(members);
    expect(sumOver(ranks, ({ share }) => share)).toBeCloseTo(1, 9);
    expect(ranks[0]?.share).toBeCloseTo(1 / total, 5);
    const exact = weights.reduce((sum, weight) => sum + 1 - Math.exp((-weight / total) * 5000), 0);
    expect(membersIn(ranks, 5000) / exact).toBeCloseTo(1, 3);
  });

  it('a Zipf distribution gives all members the same share if its exponent is 0', () => {
    expect(new Set(ranksOf(5000, 0).map(({ share }) => share.toFixed(12)))).toEqual(new Set(['0.000200000000']));
  });
});

describe('the figures of a number of clients', () => {
  it('the figures of a number of clients follow from the assumptions', () => {
    const figures = figuresFor(1e5);
    const perSecond = (day: number) => (day / 86_400) * PRESETS.peak;
    expect(figures).toMatchObject({ links: 1e7, clicksPerDay: 1e7, isolates: PRESETS.locations });
    expect(figures.clicks).toBeCloseTo(perSecond(1e7), 9);
    expect(figures.databaseBytes).toBeCloseTo(1e7 * (500 + 60) + 1e5 * 8000, 0);
    expect(figures.queries.creates).toBeCloseTo(perSecond(1e5) * 4, 9);
    expect(figures.queries.reads).toBeCloseTo(perSecond(2e5) * 3, 9);
    const { all, ...parts } = figures.queries;
    expect(all).toBeCloseTo(Object.values(parts).reduce((sum, each) => sum + each));
  });

  it('the figures of a number of clients send fewer messages than clicks the more clicks an isolate has', () => {
    const large = SIZES.filter((clients) => clients >= 1e5);
    const clicksPerMessage = large.map((clients) => figuresFor(clients).clicks / figuresFor(clients).messages);
    expect(clicksPerMessage).toEqual(clicksPerMessage.toSorted((a, b) => a - b));
    expect(clicksPerMessage.at(-1)).toBeGreaterThan(50);
  });

  it('the figures of a number of clients go straight to the objects if each is in an isolate of its own', () => {
    const { clicks, messages, appends } = figuresOf(1e6, BYTES, {
      ...PRESETS,
      locations: 1e4,
      'isolate-clicks': 0.001,
    });
    expect(messages / clicks).toBeCloseTo(0, 3);
    expect(appends / clicks).toBeCloseTo(1, 2);
  });

  it('the figures of a number of clients never read more from a store than the store before it was asked', () => {
    for (const clients of SIZES) {
      const { clicks, kvReads, cold, kvWrites } = figuresFor(clients);
      expect([clicks, kvReads, cold, kvWrites]).toEqual([clicks, kvReads, cold, kvWrites].toSorted((a, b) => b - a));
    }
  });
});

describe('the settings of wrangler.toml', () => {
  const toml = readPage('wrangler.toml');
  const written = (name: string) =>
    Number(
      new RegExp(`^\\[\\[queues.consumers\\]\\]\nqueue = "terse-clicks"\n(?:.*\n)*?${name} = (\\d+)$`, 'm').exec(
        toml,
      )?.[1],
    );

  it('the settings of wrangler.toml are those of the consumer of clicks', () => {
    expect(SHIPPED).toEqual({
      consumersAtOnce: written('max_concurrency'),
      batchMessages: written('max_batch_size'),
      batchSeconds: written('max_batch_timeout'),
      packSeconds: 1,
      memorySeconds: 30,
      restoreCheckSeconds: 5,
    });
    expect(PARTS.find(({ name }) => name === 'consumers')?.limit).toBe(written('max_concurrency'));
  });

  it('the settings of wrangler.toml are read from the file, whatever it says', () => {
    const other = toml
      .replace(/^max_batch_size = .*$/m, 'max_batch_size = 7')
      .replace(/^max_batch_timeout = .*$/m, 'max_batch_timeout = 3')
      .replace(/^max_concurrency = .*$/m, 'max_concurrency = 11')
      .replace(/^CLICK_PACK_SECONDS = .*$/m, 'CLICK_PACK_SECONDS = "4"');
    expect(readShipped(other)).toEqual({
      ...SHIPPED,
      consumersAtOnce: 11,
      batchMessages: 7,
      batchSeconds: 3,
      packSeconds: 4,
    });
  });

  it("the settings of wrangler.toml are the platform's presets if the consumer has none", () => {
    const bare = toml.replaceAll(/^max_(?:batch_size|batch_timeout|concurrency) = .*$/gm, '');
    expect(readShipped(bare)).toMatchObject({ consumersAtOnce: 250, batchMessages: 10, batchSeconds: 5 });
    expect(() => readShipped(toml.replace('binding = "CLICKS"', 'binding = "OTHER"'))).toThrow(
      'wrangler.toml has no consumer for the queue of the binding CLICKS.',
    );
  });

  it('the settings of wrangler.toml decide how many consumers a load needs', () => {
    const needed = (batchMessages: number) =>
      figuresOf(1e6, BYTES, PRESETS, { ...SHIPPED, batchMessages }).consumersAtOnce;
    expect(needed(10)).toBeGreaterThan(needed(100));
  });
});

describe('custom hostnames', () => {
  it('custom hostnames cost ten cents a month each, and an account has up to 50,000', () => {
    const dollarsFor = (domains: number) => figuresOf(1e5, BYTES, { ...PRESETS, domains }).dollarsPerMonth;
    expect(dollarsFor(0.5) - dollarsFor(0.1)).toBeCloseTo(0.4 * 1e5 * 0.1, 6);
    const part: Part | undefined = PARTS.find(({ name }) => name === 'custom hostnames');
    expect(saturatedFrom(part!, figuresFor)).toBe(50_000 / PRESETS.domains + 1);
  });
});

describe.each<Part>(PARTS)('the part "$name"', (part) => {
  const from = saturatedFrom(part, figuresFor)!;

  it('a part of the service is named as saturated exactly where its limit is passed', () => {
    expect(from).toBeGreaterThan(1);
    expect(useOf(part, figuresFor(from - 1))).toBeLessThanOrEqual(1);
    expect(useOf(part, figuresFor(from))).toBeGreaterThan(1);
    expect(namesAt(from - 1)).not.toContain(part.name);
    expect(namesAt(from)).toContain(part.name);
  });

  it('a part of the service uses more of its limit the more clients there are', () => {
    const uses = SIZES.map((clients) => useOf(part, figuresFor(clients)));
    expect(uses).toEqual(uses.toSorted((a, b) => a - b));
  });
});

it('the command simulate:growth names no part of a small service, and first the one that is furthest beyond its limit', () => {
  expect(namesAt(1000)).toEqual([]);
  const figures = figuresFor(1e7);
  const uses = saturatedOf(figures).map((part) => useOf(part, figures));
  expect(uses.length).toBeGreaterThan(2);
  expect(uses).toEqual(uses.toSorted((a, b) => b - a));
});

it('the command simulate:growth has no number of clients for a part that is never saturated', () => {
  const part: Part = { name: 'none', limit: Infinity, unit: '', loadOf: ({ clicks }) => clicks, beyond: '' };
  expect(saturatedFrom(part, figuresFor)).toBe(null);
});

describe('the command', () => {
  it('the command simulate:growth takes each assumption as a flag', () => {
    expect(readGrowthOptions([])).toEqual({ assumptions: PRESETS, isHelp: false });
    expect(readGrowthOptions(['--zipf', '0.8', '--links=2000']).assumptions).toEqual({
      ...PRESETS,
      zipf: 0.8,
      links: 2000,
    });
    expect(() => readGrowthOptions(['--zipf', '4'])).toThrow('--zipf takes a number from 0 to 3.');
    expect(() => readGrowthOptions(['--links', 'many'])).toThrow('--links takes a number from 1 to 1000000.');
    expect(() => readGrowthOptions(['--size', '1'])).toThrow('"npm run simulate:growth -- --help" lists the options.');
  });

  it('the command simulate:growth prints the assumptions, and a column for each number of clients', () => {
    const text = describeGrowth(BYTES, { ...PRESETS, zipf: 0.8 }, figuresFor);
    expect(text).toMatch(/^ {2}--zipf +0\.8 {2}exponent/m);
    expect(text).toMatch(/^links +100,000 +1,000,000 +10,000,000 +100,000,000 +1,000,000,000$/m);
    expect(text).toMatch(/^saturated first +- +- +- +D1, size +D1, size$/m);
    for (const { name, beyond } of PARTS) expect(text).toMatch(new RegExp(`^${name} .* ${beyond}$`, 'm'));
  });
});
