import { afterEach, describe, expect, it, vi } from 'vitest';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { acceptAsNew, invite } from '../support/invites.ts';
import { browse as browseWith, form, openBrowser, placeOf, signInBy } from '../support/platform.ts';
import { newAddress } from '../support/address.ts';
import { basicOf, seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

/** The most code units of a slug, a name and a password before they are composed. */
const [SLUG, NAME, PASSWORD] = [64 * 8, 128 * 8, 1024 * 4];
// Marks in the wrong order, which take quadratic time to compose.
const MARKS = 'a' + '\u0315\u0300'.repeat(8000);

afterEach(() => void vi.restoreAllMocks());

describe('a text longer than its field may be', () => {
  const json = { 'Content-Type': 'application/json' };
  const made = { 'X-API-Key': `tk_${'b'.repeat(12)}_${'c'.repeat(43)}` };
  const linkOf = ({ clientId }: Caller) => ({ url: 'https://example.com/', client_id: clientId, slug: MARKS });

  it.each<[what: string, most: number, send: (caller: Caller) => Promise<unknown>]>([
    ['in a form with an invented key', SLUG, (caller) => call('/v1/links', { headers: made, form: linkOf(caller) })],
    [
      'in JSON with an invented key',
      SLUG,
      (caller) =>
        call('/v1/links', { method: 'POST', headers: { ...made, ...json }, body: JSON.stringify(linkOf(caller)) }),
    ],
    [
      'in a batch',
      SLUG,
      (caller) =>
        call('/v1/links/batch', {
          method: 'POST',
          headers: { ...bearerOf(caller), ...json },
          body: JSON.stringify({ links: [linkOf(caller)] }),
        }),
    ],
    [
      'in an edit',
      SLUG,
      async (caller) =>
        call(`/v1/links/${(await seedLink(caller)).id}`, {
          method: 'PATCH',
          headers: { ...bearerOf(caller), ...json },
          body: JSON.stringify({ slug: MARKS }),
        }),
    ],
    [
      'in an import, as slug and as alias',
      SLUG,
      (caller) =>
        call('/v1/links/import', {
          method: 'POST',
          headers: { ...bearerOf(caller), 'Content-Type': 'application/x-ndjson' },
          body: [{ slug: MARKS }, { slug: 'short', aliases: [MARKS] }]
            .map((row) => JSON.stringify({ url: 'https://example.com/', ...row }))
            .join('\n'),
        }),
    ],
    ['as a path', SLUG, () => call(`/${encodeURIComponent(MARKS.slice(0, 4000))}`)],
    ['as a path below the service’s own', SLUG, () => call(`/v1/${encodeURIComponent(MARKS.slice(0, 4000))}`)],
    [
      'in a search',
      SLUG,
      (caller) => call(`/v1/links?q=${encodeURIComponent(MARKS.slice(0, 4000))}`, { headers: bearerOf(caller) }),
    ],
    [
      'in a search on the page',
      SLUG,
      async (caller) =>
        (await openBrowser(caller)).browse(
          `/platform/c/${caller.clientId}/links?q=${encodeURIComponent(MARKS.slice(0, 4000))}`,
        ),
    ],
    [
      'as a name by HTTP Basic',
      NAME,
      () => call('/tokens/create_token', { headers: { Authorization: basicOf(MARKS.slice(0, 8000), 'secret') } }),
    ],
    [
      'as a password by HTTP Basic',
      PASSWORD,
      () =>
        call('/tokens/create_token', { headers: { Authorization: basicOf('nobody-at-all', MARKS.slice(0, 8000)) } }),
    ],
    [
      'as a name on the page',
      NAME,
      () => signInBy({ userName: MARKS.slice(0, 9000), address: newAddress() }, 'secret'),
    ],
    [
      'as a password on the page',
      PASSWORD,
      () => signInBy({ userName: 'nobody-at-all', address: newAddress() }, MARKS.slice(0, 9000)),
    ],
    [
      'as a name or a password with an invite that is none',
      NAME,
      async () => [
        await acceptAsNew('none', { name: MARKS }),
        await acceptAsNew('none', { password: MARKS }),
        await call('/platform/invite/none', form({ name: MARKS, password: MARKS })),
      ],
    ],
    [
      'as a name or a password with an invite',
      NAME,
      async (caller) => {
        const { token } = await invite(caller);
        return [await acceptAsNew(token, { name: MARKS }), await acceptAsNew(token, { password: MARKS })];
      },
    ],
    [
      'as a new password with a reset link that is none',
      PASSWORD,
      () =>
        call(
          '/platform/reset/none',
          form({ new_password: MARKS.slice(0, 5000), new_password_again: MARKS.slice(0, 5001) }),
        ),
    ],
    [
      'as a new password of the account',
      PASSWORD,
      async (caller) =>
        browseWith((await openBrowser(caller)).cookie)(
          '/platform/account/password',
          form({ current_password: 'x', new_password: MARKS.slice(0, 5000), new_password_again: MARKS.slice(0, 5001) }),
        ),
    ],
  ])('a text longer than its field may be is not composed: %s', async (_what, most, send) => {
    const composed: number[] = [];
    const caller = await seedCaller();
    // Composing a long text is only counted, as it would take seconds.
    vi.spyOn(String.prototype, 'normalize').mockImplementation(function (this: string) {
      composed.push(this.length);
      return this;
    });
    await send(caller);
    expect(composed.filter((length) => length > most)).toEqual([]);
  });
});

it('a slug of 64 characters is accepted and followed in its longest spelling', async () => {
  const caller = await seedCaller();
  const slug = '\u1f82'.repeat(60) + String(Date.now() % 10_000).padStart(4, '0');
  const spelled = slug.normalize('NFD');
  expect(spelled).toHaveLength(244);
  const record = await seedLink(caller, { slug: spelled });
  expect(record.short_url).toBe(`https://terse.test/${encodeURIComponent(slug)}`);
  for (const form of [slug, spelled])
    expect(placeOf(await call(`/${encodeURIComponent(form)}`))).toEqual([302, record.url]);
});
