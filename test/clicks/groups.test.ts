import { describe, expect, it } from 'vitest';
import type { Click } from '../../src/clicks/click.ts';
import { ClickGroups } from '../../src/clicks/groups.ts';
import { PLAIN_SOURCE } from '../../src/clicks/source.ts';
import { HOUR_MS } from '../../src/time/day.ts';
import { CHROME, FIREFOX, heldClick } from '../support/clicks.ts';

const NOON = Date.parse('2026-05-20T12:00:00Z');

const CLICK: Partial<Click> = {
  at: NOON,
  campaignName: 'spring',
  country: 'AT',
  referrer: 'https://news.example/front?page=1',
  userAgent: CHROME,
  languages: 'de-AT,de;q=0.9',
  address: '198.51.100.7',
};

function groupsOf(...clicks: readonly Partial<Click>[]) {
  const groups = new ClickGroups();
  for (const click of clicks) groups.add(heldClick({ ...CLICK, ...click }));
  return groups.list();
}

describe('clicks that are counted alike', () => {
  it('clicks that are counted alike are one group with their number, the last instant and every address once', () => {
    expect(groupsOf({}, { at: NOON + 2000 }, { at: NOON + 1000, address: '198.51.100.8' }, { address: null })).toEqual([
      {
        link: { linkId: 'b4cd3fgh', clientId: 'client', campaignName: 'spring', destination: null },
        profile: {
          hour: NOON / HOUR_MS,
          country: 'AT',
          referrer: 'news.example',
          userAgent: CHROME,
          language: 'de',
          source: PLAIN_SOURCE,
        },
        clicks: 4,
        lastAt: NOON + 2000,
        addresses: new Set(['198.51.100.7', '198.51.100.8']),
      },
    ]);
  });

  it.each<[string, Partial<Click>]>([
    ['another page of the same site', { referrer: 'https://news.example/sports' }],
    ['another region of the same language', { languages: 'de-CH' }],
    ['a query that names no source', { search: '?fbclid=1' }],
    ['the last millisecond of the hour', { at: NOON + 3_599_999 }],
  ])('clicks that are counted alike may come with %s', (_, click) => {
    expect(groupsOf({}, click)).toHaveLength(1);
  });
});

describe('clicks that are not counted alike', () => {
  it.each<[string, Partial<Click>]>([
    ['link', { linkId: 'other678' }],
    ['campaign', { campaignName: 'summer' }],
    ['campaign, being of none', { campaignName: null }],
    ['hour', { at: NOON + 3_600_000 }],
    ['country', { country: 'DE' }],
    ['unknown country', { country: null }],
    ['referrer', { referrer: 'https://forum.example/' }],
    ['missing referrer', { referrer: null }],
    ['program', { userAgent: FIREFOX }],
    ['missing program', { userAgent: null }],
    ['language', { languages: 'en' }],
    ['missing language', { languages: null }],
    ['source', { search: '?utm_source=news' }],
    ['medium', { search: '?utm_medium=email' }],
    ['UTM campaign', { search: '?utm_campaign=spring' }],
  ])('clicks that are not counted alike differ in their %s', (_, click) => {
    expect(groupsOf({}, click, {}, click).map(({ clicks }) => clicks)).toEqual([2, 2]);
  });
});

describe('what is known of a visitor', () => {
  it.each([
    ['https://news.example/a?b#c', 'news.example'],
    ['HTTPS://NEWS.example', 'news.example'],
    ['https://ann:secret@news.example:8080/', 'news.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['android-app://com.example', 'com.example'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['Android-App://com.Slack/https/terse.example/a', 'com.slack'],
    ['android-app://', null],
    ['android-app://com.example app/', null],
    ['ios-app://123/', null],
    ['news.example', null],
    ['https://', null],
    ['https://exa mple/', null],
    [`https://${'"'.repeat(200)}/`, null],
    [`https://${'secret'.repeat(100)}@news.example/`, null],
    ['', null],
    [null, null],
    ['https://www.News.example./front', 'www.news.example'],
  ])('the facts of a visitor have of the referrer %j only %j', (referrer, host) => {
    expect(groupsOf({ referrer })[0]?.profile.referrer).toBe(host);
  });

  it.each([
    ['de-AT,de;q=0.9', 'de'],
    ['EN', 'en'],
    [' fil-PH', 'fil'],
    ['*', null],
    ['english', null],
    ['', null],
    [null, null],
  ])('the facts of a visitor have of the languages %j only %j', (languages, language) => {
    expect(groupsOf({ languages })[0]?.profile.language).toBe(language);
  });

  it('the facts of a visitor have of a long user agent its beginning', () => {
    const [long, longer] = ['x'.repeat(1000), 'x'.repeat(2000)];
    expect(groupsOf({ userAgent: long }, { userAgent: longer })).toMatchObject([
      { profile: { userAgent: 'x'.repeat(400) } },
    ]);
  });
});
