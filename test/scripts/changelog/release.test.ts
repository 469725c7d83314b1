import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../scripts/changelog/compare.ts';
import { applyOverrides, type Override } from '../../../scripts/changelog/overrides.ts';
import { freeze } from '../../../scripts/changelog/release.ts';
import type { Changelog, Entry } from '../../../src/changelog/entries.ts';

const entry = (breaking: boolean): Entry => ({ kind: 'removed', method: 'GET', path: '/a', breaking, changes: [] });
const changelog = (last: string, ...unreleased: Entry[]): Changelog => ({
  unreleased,
  releases: [{ version: last, date: '2024-04-04', entries: [entry(true)] }],
});

describe('a release', () => {
  it('a release freezes what is unreleased, in front of what was released before', () => {
    const before = changelog('1.0.0', entry(false));
    expect(freeze(before, '2026-11-21')).toEqual({
      unreleased: [],
      releases: [{ version: '1.1.0', date: '2026-11-21', entries: [entry(false)] }, ...before.releases],
    });
  });

  it.each([
    ['1.0.0', false, '1.1.0'],
    ['1.9.3', false, '1.10.0'],
    ['1.9.3', true, '2.0.0'],
    ['9.9.9', true, '10.0.0'],
  ])('a release after %s is, if it breaks is %s, by itself %s', (last, breaking, next) => {
    expect(freeze(changelog(last, entry(breaking)), '2026-11-21').releases[0]?.version).toBe(next);
  });

  it.each([
    ['1.0.0', '1.0.1'],
    ['1.9.0', '1.10.0'],
    ['1.9.0', '2.0.0'],
  ])('a release after %s may be called %s', (last, version) => {
    expect(freeze(changelog(last, entry(false)), '2026-11-21', version).releases[0]?.version).toBe(version);
  });

  it.each([
    ['1.2.3', '1.2.3', 'does not come after 1.2.3'],
    ['1.10.0', '1.9.0', 'does not come after 1.10.0'],
    ['1.0.0', '1.1', 'is not a version'],
    ['1.0.0', 'v1.1.0', 'is not a version'],
    ['1.0.0', '1.01.0', 'is not a version'],
  ])('a release after %s may not be called %s', (last, version, fault) => {
    expect(() => freeze(changelog(last, entry(false)), '2026-11-21', version)).toThrow(fault);
  });

  it('a release that breaks is refused without a new major version', () => {
    const broken = changelog('1.4.2', entry(false), entry(true));
    expect(() => freeze(broken, '2026-11-21', '1.5.0')).toThrow(
      '1.5.0 is not a new major version, but GET /a breaks: release 2.0.0.',
    );
    expect(freeze(broken, '2026-11-21', '2.0.0').releases[0]?.version).toBe('2.0.0');
  });

  it('a release of nothing is refused', () => {
    expect(() => freeze(changelog('1.0.0'), '2026-11-21')).toThrow('There is nothing to release');
  });

  it('a release is not dated before the one before', () => {
    expect(() => freeze(changelog('1.0.0', entry(false)), '2024-04-03')).toThrow('would come before 1.0.0');
  });
});

describe('an override', () => {
  const draft = (what: string, unclassified: boolean): Draft => ({
    kind: 'changed',
    method: 'GET',
    path: '/a',
    breaking: true,
    changes: [{ what, breaking: true, unclassified }],
  });
  const override = (what: string): Override => ({
    method: 'GET',
    path: '/a',
    what,
    reason: 'Looked at: it is the same.',
  });

  it('an override says that a change which the rules cannot decide does not break, and why', () => {
    expect(applyOverrides([draft('a', true)], [override('a')])).toEqual([
      {
        kind: 'changed',
        method: 'GET',
        path: '/a',
        breaking: false,
        changes: [{ what: 'a', breaking: false, reason: 'Looked at: it is the same.' }],
      },
    ]);
  });

  it('an override keeps other changes there as they are', () => {
    const changes = [...draft('a', true).changes, ...draft('b', true).changes];
    const [entry] = applyOverrides([{ ...draft('a', true), changes }], [override('a')]);
    expect([entry?.breaking, entry?.changes.map(({ breaking }) => breaking)]).toEqual([true, [false, true]]);
  });

  it.each([
    ['what the rules can tell', draft('a', false), override('a')],
    ['what is not there', draft('a', true), override('b')],
    ['another operation', draft('a', true), { ...override('a'), method: 'PUT' }],
  ])('an override of %s is refused', (_, drafted, stray) => {
    expect(() => applyOverrides([drafted], [stray])).toThrow('does not match a change that the rules cannot decide');
  });

  it('an override that is missing leaves it breaking', () => {
    expect(applyOverrides([draft('a', true)], [])).toEqual([
      { kind: 'changed', method: 'GET', path: '/a', breaking: true, changes: [{ what: 'a', breaking: true }] },
    ]);
  });
});
