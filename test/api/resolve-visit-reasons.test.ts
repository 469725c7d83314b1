import { afterEach, describe, expect, it, vi } from 'vitest';
import { blockHost, unblockHost } from '../../src/targets/blocklist.ts';
import { CHROME, GOOGLEBOT, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { db } from '../support/seed.ts';
import { BLOCKED, IPHONE, resolve, RULES, VARIANTS, type Fields, type Visit } from '../support/preview-visits.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await unblockHost(db, BLOCKED);
});

describe('a preview visit', () => {
  it('a preview visit gets the conditions of all rules, and what is known of the visitor', async () => {
    const manager = await open();
    const id = await manager.make({ rules: RULES.slice(0, 4), variants: VARIANTS, max_clicks: 3 });
    const visitor = {
      country: 'ch',
      language: 'de-CH, en;q=0.5',
      user_agent: IPHONE,
      referrer: 'https://News.example/',
    };
    expect(await resolve(manager, id, visitor)).toEqual({
      status: 302,
      location: 'https://phones.example/app',
      reason: 'redirect',
      takes_click: true,
      destination: { by: 'rule', name: 'phones', url: 'https://phones.example/app' },
      rules: [
        {
          name: 'texas',
          holds: false,
          conditions: [{ type: 'region', holds: false, text: 'the region is US-TX' }],
        },
        {
          name: 'office',
          holds: false,
          conditions: [
            { type: 'address', holds: false, text: 'the IP address is in 198.51.100.0/24 or 2001:db8:5::/48' },
          ],
        },
        {
          name: 'phones',
          holds: true,
          conditions: [{ type: 'os', holds: true, text: 'the operating system is iOS or Android' }],
        },
        {
          name: 'german',
          holds: false,
          conditions: [
            { type: 'language', holds: true, text: 'the language is German' },
            { type: 'country', holds: false, text: 'the country is not Switzerland' },
          ],
        },
      ],
      visitor: {
        kind: 'human',
        country: 'CH',
        region: null,
        continent: 'EU',
        language: 'de-ch',
        device: 'mobile',
        os: 'iOS',
        browser: 'Safari',
        referrer: 'news.example',
      },
    });
  });

  it.each<[reason: string, fields: Fields, visitor: Visit, outcome: object]>([
    ['redirect', {}, {}, { status: 302, location: 'https://example.com/' }],
    ['password', { password: 'correct horse', max_clicks: 1 }, { user_agent: CHROME }, { status: 200, location: null }],
    ['preview', { preview: { title: 'Sale' }, max_clicks: 1 }, { user_agent: SLACK }, { status: 200, location: null }],
    ['limit', { max_clicks: 1 }, { user_agent: GOOGLEBOT }, { status: 200, location: null }],
    [
      'fallback',
      { url: 'tel:+1', fallback: 'https://example.com/app' },
      { user_agent: CHROME },
      { status: 200, location: null },
    ],
    [
      'redirect',
      { url: 'tel:+1', fallback: 'https://example.com/app' },
      { user_agent: GOOGLEBOT },
      { status: 302, location: 'https://example.com/app' },
    ],
    ['not_started', { starts_at: '2099-01-01T00:00:00Z' }, {}, { status: 404, location: null }],
    ['path', {}, { path: 'more' }, { status: 404, location: null }],
    ['blocked', { rules: RULES }, { country: 'JP', user_agent: CHROME }, { status: 403, location: null }],
    [
      'expired',
      { expires_at: '2099-01-01T00:00:00Z', expired_url: 'https://example.com/over' },
      { at: '2099-01-01T00:00:00Z' },
      { status: 302, location: 'https://example.com/over' },
    ],
  ])('a preview visit says the reason: %s', async (reason, fields, visitor, outcome) => {
    const manager = await open();
    const id = await manager.make(fields);
    await blockHost(db, BLOCKED);
    const { status, location, reason: said, takes_click } = await resolve(manager, id, visitor);
    expect({ status, location, reason: said, takes_click }).toEqual({ ...outcome, reason, takes_click: false });
  });
});
