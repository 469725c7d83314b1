import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHROME, SLACK } from '../support/clicks.ts';
import { open } from '../support/manage.ts';
import { openIsolate } from '../support/service.ts';
import { byPerson, ledTo, lock, setColumns } from '../support/visits.ts';

/** The order of rules for a link that is more than a plain one. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const OVER = 'https://example.com/over';

describe('two things that decide', () => {
  const FORM = '<h1>Enter the password</h1>';
  const PREVIEW = '<meta property="og:title" content="Shown" />';
  const preview = { title: 'Shown' };
  const rule = (type: string, value: string, url: string) => ({ if: [{ type, in: [value] }], url });
  const variants = ['a', 'b'].map((name) => ({ name, url: `https://example.com/${name}`, weight: 1 }));

  interface Case {
    readonly first: string;
    readonly second: string;
    readonly fields: object;
    readonly columns?: Record<string, unknown>;
    readonly password?: string;
    readonly userAgent?: string;
    /** True if a person has followed the link before. */
    readonly isUsed?: boolean;
    readonly expected: readonly [status: number, location: string | null, text?: string];
  }

  it.each<Case>([
    {
      first: 'a disabled link',
      second: 'its start',
      fields: { starts_at: '2999-01-01T00:00:00Z' },
      columns: { disabled_at: 1 },
      expected: [410, null],
    },
    {
      first: 'the start',
      second: 'the expiry',
      fields: { starts_at: '2999-01-01T00:00:00Z', expired_url: OVER },
      columns: { expires_at: 1 },
      expected: [404, null],
    },
    {
      first: 'the expiry',
      second: 'the password',
      fields: {},
      columns: { expires_at: 1 },
      password: 'open sesame',
      expected: [410, null],
    },
    {
      first: 'the password',
      second: 'a click limit that is used up',
      fields: { max_clicks: 1 },
      isUsed: true,
      password: 'open sesame',
      expected: [200, null, FORM],
    },
    {
      first: 'the password',
      second: 'the preview',
      fields: { preview },
      password: 'open sesame',
      userAgent: SLACK,
      expected: [200, null, FORM],
    },
    {
      first: 'a click limit that is used up',
      second: 'the preview',
      fields: { max_clicks: 1, preview },
      isUsed: true,
      userAgent: SLACK,
      expected: [410, null],
    },
    {
      first: 'a click limit that is used up',
      second: 'a blocked host',
      fields: { max_clicks: 1, expired_url: OVER },
      columns: { url: 'https://bad-order.example/' },
      isUsed: true,
      expected: [302, OVER],
    },
    {
      first: 'the preview',
      second: 'a rule for previews',
      fields: { preview, rules: [rule('visitor', 'preview', 'https://example.com/rule')] },
      userAgent: SLACK,
      expected: [200, null, PREVIEW],
    },
    {
      first: 'the preview',
      second: 'a blocked host',
      fields: { preview },
      columns: { url: 'https://bad-order.example/' },
      userAgent: SLACK,
      expected: [200, null, PREVIEW],
    },
    {
      first: 'the first rule that holds',
      second: 'a later one',
      fields: {
        rules: ['bot', 'human', 'human'].map((kind, index) => rule('visitor', kind, `https://example.com/${index}`)),
      },
      expected: [302, 'https://example.com/1'],
    },
    {
      first: 'a rule',
      second: 'a variant',
      fields: { rules: [rule('visitor', 'human', 'https://example.com/rule')], variants },
      expected: [302, 'https://example.com/rule'],
    },
    {
      first: 'a variant',
      second: 'the URL',
      fields: {
        rules: [rule('visitor', 'bot', 'https://example.com/rule')],
        variants: variants.map((each) => ({ ...each, url: 'https://example.com/variant' })),
      },
      expected: [302, 'https://example.com/variant'],
    },
  ])(
    'the redirect lets $first come before $second',
    async ({ fields, columns, password, userAgent = CHROME, isUsed, expected }) => {
      const manager = await open();
      await env.DB.prepare(
        `INSERT INTO blocked_hosts (host, blocked_at) VALUES ('bad-order.example', 1) ON CONFLICT DO NOTHING`,
      ).run();
      const id = await manager.make(fields as Record<string, unknown>);
      if (isUsed === true) expect((await openIsolate()(`/${id}`, byPerson())).status).toBe(302);
      if (columns) await setColumns(id, columns);
      if (password !== undefined) await lock(id, password);
      const response = await openIsolate()(`/${id}`, { headers: { 'User-Agent': userAgent } });
      const [status, location, text = ''] = expected;
      expect([...ledTo(response), await response.text()]).toEqual([status, location, expect.stringContaining(text)]);
    },
  );
});
