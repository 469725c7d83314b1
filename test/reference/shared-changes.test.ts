import { html } from 'hono/html';
import { describe, expect, it } from 'vitest';
import { ChangelogPage } from '../../src/reference/changelog-page.tsx';
import { readChangelog } from '../support/changelog.ts';
import type { Change, Entry } from '../../src/changelog/entries.ts';
import { writeFeed } from '../../src/reference/feed.tsx';
import { foldShared } from '../../src/reference/shared-changes.ts';

const LIMITED: Change = { what: 'answer 429 added', breaking: false };
const GONE: Change = { what: 'field `a` removed', breaking: true };
const changed = (path: string, ...changes: Change[]): Entry => ({
  kind: 'changed',
  method: 'GET',
  path,
  breaking: changes.some(({ breaking }) => breaking),
  changes,
});
const FOUR = ['/a', '/b', '/c', '/d'];
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('a change that operations have in common', () => {
  it('a change that operations have in common is one entry if they are four or more, in place of those with no other change', () => {
    const added: Entry = { kind: 'added', method: 'GET', path: '/e', breaking: false, changes: [] };
    const mixed = changed('/m', LIMITED, { what: 'query parameter `q` added', breaking: false });
    const { shared, entries } = foldShared([added, mixed, ...FOUR.map((path) => changed(path, LIMITED))]);
    expect(shared.map(({ what, operations }) => [what, operations.map(({ path }) => path)])).toEqual([
      ['answer 429 added', ['/m', ...FOUR]],
    ]);
    expect(entries).toEqual([added, changed('/m', mixed.changes[1]!)]);
  });

  it('a change that operations have in common stays where it is if they are three, or differ in whether it breaks programs', () => {
    const three = FOUR.slice(0, 3).map((path) => changed(path, LIMITED));
    const other = changed('/d', { ...LIMITED, breaking: true });
    expect(foldShared([...three, other])).toEqual({ shared: [], entries: [...three, other] });
  });

  it('a change that operations have in common leaves an entry with a note, and one that is more than a change', () => {
    const noted = { ...changed('/n', LIMITED), note: 'A remark' };
    const deprecated: Entry = { ...changed('/o', LIMITED), kind: 'deprecated' };
    const { entries } = foldShared([noted, deprecated, ...FOUR.map((path) => changed(path, LIMITED))]);
    expect(entries).toEqual([
      { ...noted, changes: [] },
      { ...deprecated, changes: [] },
    ]);
  });

  it('a change that operations have in common breaks programs at the place that lists it, and no longer at the former one', () => {
    const rest = changed('/m', GONE, LIMITED);
    const { shared, entries } = foldShared([rest, ...FOUR.map((path) => changed(path, GONE))]);
    expect(shared).toMatchObject([{ what: GONE.what, breaking: true }]);
    expect(entries).toEqual([changed('/m', LIMITED)]);
  });

  it('a change that operations have in common is listed once on the page and in the feed, with its operations', async () => {
    const entries = FOUR.map((path) => changed(path, GONE));
    const releases = [{ version: '2.0.0', date: '2027-01-01', entries }];
    const page = String(await html`${ChangelogPage({ unreleased: [], releases })}`);
    expect(textOf(page)).toContain('changed field a removed breaking 4 operations GET /a GET /b GET /c GET /d');
    expect(page).not.toContain('Unreleased');
    const unreleased = String(await html`${ChangelogPage({ unreleased: entries, releases: [] })}`);
    expect(textOf(unreleased)).toContain('Unreleased changed field a removed breaking 4 operations');
    const feed = await writeFeed({ releases }, 'https://terse.test');
    expect(feed).toContain('<title>Terse 2.0.0 (breaking)</title>');
    expect(feed.split('removed')).toHaveLength(2);
    for (const path of FOUR) expect(feed).toContain(`&lt;code&gt;GET ${path}&lt;/code&gt;`);
  });

  it('a change that operations have in common is listed once for each release of this service', () => {
    const { unreleased, releases } = readChangelog();
    for (const list of [unreleased, ...releases.map(({ entries }) => entries)]) {
      const { shared, entries } = foldShared(list);
      expect(foldShared(entries)).toEqual({ shared: [], entries });
      const before = new Set(list.flatMap(({ changes }) => changes.map(({ what }) => what)));
      const after = new Set([...shared, ...entries.flatMap(({ changes }) => changes)].map(({ what }) => what));
      expect(after).toEqual(before);
    }
  });
});
