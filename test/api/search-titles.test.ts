import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManagedRecord } from '../../src/api/record.ts';
import { open, type Manager } from '../support/manage.ts';

/** The search of links by `q` in texts of other alphabets. */

afterEach(() => vi.restoreAllMocks());

const search = async ({ ask }: Manager, q: string) => {
  const { status, body } = await ask<{ readonly links: readonly ManagedRecord[] }>(
    'GET',
    `/v1/links?q=${encodeURIComponent(q)}`,
  );
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.links.map(({ id }) => id);
};

const RUSSIAN = 'Съешь ещё этих мягких французских булок, да выпей же чаю';

describe('the search for a title', () => {
  it.each([
    ['Größe Ändern', ['größe ändern', 'GRÖSSE ÄNDERN', 'grÖẞe', 'E Ä', 'Größe Ändern']],
    ['GROẞE STRASSE', ['große', 'GROSSE', 'straße']],
    ['ÉCOLE d’Été', ['école d’été', 'École', 'D’ÉTÉ', 'e d’é']],
    ['ПРИВЕТ Мир', ['привет мир', 'Привет Мир', 'Привет мир', 'ПРИВЕТ МИР', 'т м']],
    ['ΟΔΟΣ Οδός', ['οδος', 'ΟΔΌΣ', 'οδός', 'οδό', 'σ ο']],
    ['Ǆungla', ['ǆUNGLA', 'ǅungla']],
    ['東京 Ōsaka', ['東京 ō', 'ŌSAKA']],
    [RUSSIAN, [RUSSIAN.toLowerCase(), RUSSIAN.toUpperCase()]],
    [RUSSIAN.toUpperCase(), [RUSSIAN, RUSSIAN.toLowerCase()]],
  ])('a title is found %s in any case', async (title, queries) => {
    const manager = await open();
    const id = await manager.make({ title });
    await manager.make({ title: 'anything else' });
    for (const q of queries) expect([q, await search(manager, q)]).toEqual([q, [id]]);
  });

  it.each([
    ['in letters that are composed', 'Größe Ändern und Été'],
    ['in letters with marks of their own', 'Größe Ändern und Été'.normalize('NFD')],
    ['with letters of another alphabet', 'Ёлка и йод'.normalize('NFD')],
  ])('a title is found %s, however q has them', async (_, title) => {
    const manager = await open();
    const id = await manager.make({ title });
    for (const form of ['NFC', 'NFD']) {
      for (const q of [title, title.toLowerCase(), title.toUpperCase().replaceAll('SS', 'ß')]) {
        expect([form, q, await search(manager, q.normalize(form))]).toEqual([form, q, [id]]);
      }
    }
  });

  it('a title is found in its own case by a text of very many letters', async () => {
    const manager = await open();
    const title = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x10a0 + n)).join('');
    const id = await manager.make({ title });
    expect(await search(manager, title)).toEqual([id]);
    const cyrillic = Array.from({ length: 200 }, (_, n) => String.fromCodePoint(0x400 + n)).join('');
    const other = await manager.make({ title: cyrillic });
    expect(await search(manager, cyrillic)).toEqual([other]);
  });

  it('a title is not found by another letter', async () => {
    const manager = await open();
    await manager.make({ title: 'Größe' });
    for (const q of ['Grösze', 'groß', 'öe', 'gròße']) expect([q, await search(manager, q)]).toEqual([q, []]);
  });
});

it.each(['\ufeff', '\ufe0f', '\u200b', '\u00ad', '\u{e0100}', '\u202e', '\u034f'])(
  'a text of the invisible character %j finds the titles and destinations that hold it, and no others',
  async (invisible) => {
    const manager = await open();
    await manager.make({ title: 'a', url: 'https://example.com/a' });
    expect(await search(manager, invisible)).toEqual([]);
    const title = await manager.make({ title: `a${invisible}b` });
    const url = await manager.make({ url: `https://example.com/a?${invisible}b` });
    expect((await search(manager, invisible)).toSorted()).toEqual([title, url].toSorted());
  },
);

it('a text of many letters is searched for beside every other filter', async () => {
  const { make, ask } = await open();
  const title = RUSSIAN.toUpperCase();
  await make({
    title,
    tags: ['One', 'Two'],
    campaign_name: 'Spring',
    external_id: 'e-1',
    url: 'https://example.com/a',
  });
  const filters = ['state=active', 'unhealthy=false', 'tag=One', 'tag=Two', 'campaign_name=Spring', 'external_id=e-1'];
  for (const text of [RUSSIAN, RUSSIAN.normalize('NFD')]) {
    const query = [...filters, `q=${encodeURIComponent(text)}`].join('&');
    const { status, body } = await ask<{ readonly links: readonly ManagedRecord[] }>('GET', `/v1/links?${query}`);
    expect([status, body]).toEqual([200, expect.anything()]);
    expect(body.links).toHaveLength(1);
  }
});

it('a text of many letters makes the database read no more rows than one letter does', async () => {
  const manager = await open();
  for (let n = 0; n < 20; n++) await manager.make({ title: `Größe ${n}` });
  const batch = vi.spyOn(env.DB, 'batch');
  const rowsRead = async (q: string) => {
    batch.mockClear();
    await search(manager, q);
    const [results] = await Promise.all(batch.mock.results.map(({ value }) => value as Promise<D1Result[]>));
    return results?.reduce((sum, { meta }) => sum + meta.rows_read, 0);
  };
  expect(await rowsRead(RUSSIAN)).toBe(await rowsRead('ж'));
});
