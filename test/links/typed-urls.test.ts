import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { open, type Manager } from '../support/manage.ts';
import { call } from '../support/service.ts';
import { shareOf } from '../support/share.ts';

/** Destinations as people type them, by every way in which a link gets one. */

const OK = 'https://example.com/ok';

type Failure = { readonly error: string };
type Sent = readonly [status: number | string, errorOrUrl: string | undefined];

const imported = async ({ bearer }: Manager, body: string, type: string): Promise<Sent> => {
  const headers = { ...bearer, 'Content-Type': type };
  const response = await call('/v1/links/import', { method: 'POST', headers, body });
  const { results } = await response.json<{ results: [{ status: string; link?: { url: string } } & Failure] }>();
  const [{ status, error, link }] = results;
  return [status, error ?? link?.url];
};

/** Each request that gives a link its destination. */
const WAYS: Readonly<Record<string, (manager: Manager, url: string) => Promise<Sent>>> = {
  create: async ({ ask, tenant, key }, url) => {
    const link = { url, client_id: tenant.clientId };
    const { status, body } = await ask<Failure & { result: string }>('POST', '/v1/links', link, key);
    return [status, body.error ?? JSON.parse(body.result).url];
  },
  edit: async ({ ask, make }, url) => {
    const { status, body } = await ask<Failure & { url: string }>('PATCH', `/v1/links/${await make()}`, { url });
    return [status, body.error ?? body.url];
  },
  'new by external id': async ({ ask }, url) => {
    const path = `/v1/links-by-external-id/${crypto.randomUUID()}`;
    const { status, body } = await ask<Failure & { url: string }>('PUT', path, { url });
    return [status, body.error ?? body.url];
  },
  'known by external id': async ({ ask }, url) => {
    const path = `/v1/links-by-external-id/${crypto.randomUUID()}`;
    await ask('PUT', path, { url: OK });
    const { status, body } = await ask<Failure & { url: string }>('PUT', path, { url });
    return [status, body.error ?? body.url];
  },
  NDJSON: async (manager, url) => imported(manager, `${JSON.stringify({ url })}\n`, 'application/x-ndjson'),
  CSV: async (manager, url) => imported(manager, `url\n"${url}"\n`, 'text/csv'),
};

describe.each(shareOf(Object.entries(WAYS)))('destinations by %s', (_way, send) => {
  it.each<[what: string, typed: string, url: string]>([
    ['a domain name', 'example.com', 'https://example.com/'],
    ['a domain name with a path', 'example.com/page?a=b#c', 'https://example.com/page?a=b#c'],
    ['a domain name with a port', 'Example.COM:8080/page', 'https://example.com:8080/page'],
    ['a name beyond ASCII', 'münchen.example:443/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
    ['localhost with a port', 'localhost:5173/x', 'https://localhost:5173/x'],
    ['an IPv4 address with a port', '192.0.2.1:8080', 'https://192.0.2.1:8080/'],
    ['an IPv6 address', '[2001:db8::1]:8080/x', 'https://[2001:db8::1]:8080/x'],
    ['a name with a dot at its end', 'example.com./x', 'https://example.com./x'],
  ])('a destination without a scheme may be %s', async (_what, typed, url) => {
    const [status, found] = await send(await open(), typed);
    expect([status, found]).toEqual([expect.toBeOneOf([200, 201, 'created']), url]);
  });

  it.each<[what: string, typed: string, url: string]>([
    ['white space', `\u00a0 ${OK}\u3000 `, OK],
    ['zero-width characters', `\ufeff\u200b${OK}\u200b\u2060\u200e`, OK],
    ['invisible characters where the scheme is left out', '\u200bexample.com/x\u00ad', 'https://example.com/x'],
  ])('%s at the ends of a destination is cut', async (_what, typed, url) => {
    const [, found] = await send(await open(), typed);
    expect(found).toBe(url);
  });

  it('an emoji at the end of a destination stays whole', async () => {
    const emoji = ['❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'].join('/');
    const [, found] = await send(await open(), `example.com/${emoji}`);
    expect(decodeURI(found ?? '')).toBe(`https://example.com/${emoji}`);
  });

  it.each<[what: string, typed: string, complaint: string]>([
    ['two schemes', 'https://https://example.com/', 'has two schemes: remove one of them.'],
    ['two schemes of two kinds', 'http://HTTPS://example.com/', 'has two schemes: remove one of them.'],
    ['two schemes with one slash', 'https:https:/example.com/', 'has two schemes: remove one of them.'],
    ['a second scheme as a name with a dot', 'https://http./x', 'has two schemes: remove one of them.'],
    ['an empty label', 'https://www..example.com/', 'has a dot too many in the host "www..example.com": remove it.'],
    [
      'an empty label without a scheme',
      'example..com:80/',
      'has a dot too many in the host "example..com": remove it.',
    ],
    ['a dot before the host', 'https://.example.com/', 'has a dot too many in the host ".example.com": remove it.'],
    ['two dots after the host', 'https://example.com../', 'has a dot too many in the host "example.com..": remove it.'],
    [
      'a comma in the host',
      'https://www,example.com/',
      'has a comma in the host "www,example.com": replace it with a dot.',
    ],
    [
      'an escaped comma in the host',
      'https://www%2Cexample.com/',
      'has a comma in the host "www,example.com": replace it with a dot.',
    ],
    ['a comma without a scheme', 'example,com/page', 'has a comma in the host "example,com": replace it with a dot.'],
  ])('a destination with %s is refused', async (_what, typed, complaint) => {
    const [status, error] = await send(await open(), typed);
    expect([status, error]).toEqual([expect.toBeOneOf([400, 'error']), `invalid_url: url ${complaint}`]);
  });
});

describe('destinations that are stored already', () => {
  const TYPED = 'https://https://example.com/';
  const STORED = 'https://https//example.com/';
  const IMAGE = 'https://www..example.com/a.png';

  async function seedStored() {
    const manager = await open();
    const id = await manager.make({
      external_id: 'mine',
      expired_url: OK,
      rules: [{ if: [{ type: 'country', in: ['DE'] }], url: OK }],
      preview: { title: 'A', image: OK },
    });
    const [rules, preview] = [
      [{ name: 'Rule 1', if: [{ type: 'country', in: ['DE'] }], url: STORED }],
      { title: 'A', image: IMAGE },
    ];
    await env.DB.prepare('UPDATE links SET url = ?2, expired_url = ?2, rules = ?3, preview = ?4 WHERE id = ?1')
      .bind(id, STORED, JSON.stringify(rules), JSON.stringify(preview))
      .run();
    return { ...manager, id, rules, preview };
  }

  it.each<[what: string, change: (of: Awaited<ReturnType<typeof seedStored>>) => object]>([
    ['other fields', () => ({ title: 'New' })],
    ['the same destinations', ({ rules }) => ({ url: TYPED, expired_url: STORED, rules, title: 'New' })],
    ['a part of a preview', ({ preview }) => ({ preview: { ...preview, title: 'New' } })],
    ['another rule', ({ rules }) => ({ rules: [...rules, { ...rules[0], name: 'New', url: OK }] })],
  ])('a mistyped destination stays through an edit of %s', async (_what, change) => {
    const stored = await seedStored();
    const { status, body } = await stored.ask<{ url: string }>('PATCH', `/v1/links/${stored.id}`, change(stored));
    expect([status, body.url]).toEqual([200, STORED]);
  });

  it('a mistyped destination stays through a put by external id, a delete, and a restore', async () => {
    const { ask, id, rules, preview } = await seedStored();
    const put = { url: STORED, expired_url: STORED, rules, preview, title: 'New' };
    const { body } = await ask<{ revision: number }>('PUT', '/v1/links-by-external-id/mine', put);
    expect(body).toMatchObject({ id, ...put });
    expect((await ask('PATCH', `/v1/links/${id}`, { url: OK })).status).toBe(200);
    expect((await ask('POST', `/v1/links/${id}/history/2/restore`)).body).toMatchObject({ url: STORED });
    expect((await ask('DELETE', `/v1/links/${id}`)).status).toBe(204);
    expect((await ask('POST', `/v1/links/${id}/restore`)).body).toMatchObject({ url: STORED });
  });

  it.each(['ndjson', 'csv'])('a mistyped destination comes back by an export as %s', async (format) => {
    const { bearer, id, rules, preview } = await seedStored();
    const file = await (await call(`/v1/links/export?format=${format}`, { headers: bearer })).text();
    const other = await open();
    const headers = { ...other.bearer, 'Content-Type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' };
    const response = await call('/v1/links/import', {
      method: 'POST',
      headers,
      body: file.replaceAll(id, `moved-${format}`),
    });
    expect(await response.json()).toMatchObject({ results: [{ status: 'created' }] });
    const imported = await other.ask('GET', '/v1/links-by-external-id/mine');
    expect(imported.body).toMatchObject({ url: STORED, expired_url: STORED, rules, preview });
  });

  it('each place of a link with a newly mistyped destination is named', async () => {
    const { ask, id, rules } = await seedStored();
    const url = 'https://example..com/';
    const sent = { expired_url: url, rules: [...rules, { ...rules[0], name: 'New', url }] };
    const { status, body } = await ask<Failure>('PATCH', `/v1/links/${id}`, sent);
    const complaint = 'has a dot too many in the host "example..com": remove it.';
    expect([status, body.error]).toEqual([400, `invalid_expired_url: expired_url ${complaint}`]);
  });
});
