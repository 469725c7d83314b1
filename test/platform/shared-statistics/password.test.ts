import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cookiesOf, form, placeOf } from '../../support/platform.ts';
import { auditedOf, openShared, openUnshared, sharesOf, visitor } from '../../support/shared-statistics.ts';

afterEach(() => void vi.restoreAllMocks());

describe('a password of public statistics', () => {
  it('a password of public statistics has to be typed, and opens them in that browser until it changes', async () => {
    const { browse, path, address } = await openShared('open sesame');
    const asked = await visitor(address);
    const page = await asked.text();
    expect([asked.status, asked.headers.get('Referrer-Policy')]).toEqual([200, 'same-origin']);
    expect(page).toContain('Enter the password');
    expect(page).not.toMatch(/People|terse\.test\/|must/);
    const wrong = await visitor(address, form({ password: 'wrong' }));
    expect([wrong.status, (await wrong.text()).includes('The password is wrong.')]).toEqual([403, true]);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const right = await visitor(address, form({ password: 'open sesame' }));
    expect(placeOf(right)).toEqual([303, address]);
    const [name, [value = '', ...attributes]] = Object.entries(cookiesOf(right))[0] ?? ['', []];
    expect(attributes).toEqual(['HttpOnly', 'Max-Age=43200', `Path=${address}`, 'SameSite=Lax', 'Secure']);
    const cookie = { headers: { Cookie: `${name}=${value}` } };
    expect(await (await visitor(address, cookie)).text()).toContain('must');
    // The last character has bits that do not count.
    const bent = {
      headers: { Cookie: `${name}=${value.replace(/\.(.)/, (_, first) => (first === 'x' ? '.y' : '.x'))}` },
    };
    expect(await (await visitor(address, bent)).text()).toContain('Enter the password');
    const changed = await browse(`${path}/share/password`, form({ password: 'another one' }));
    expect(changed.status).toBe(303);
    expect(await (await visitor(address, cookie)).text()).toContain('Enter the password');
    await browse(`${path}/share/password`, form({ password: '', remove: 'on' }));
    expect(await (await visitor(address)).text()).toContain('must');
  });

  it('a password of one page of public statistics opens no other one', async () => {
    const [one, other] = [await openShared('open sesame'), await openShared('open sesame')];
    const right = await visitor(one.address, form({ password: 'open sesame' }));
    const [value = ''] = Object.values(cookiesOf(right))[0] ?? [];
    const [row] = await sharesOf(other.caller);
    const cookie = { headers: { Cookie: `__Secure-terse-shared-${String(row?.['id'])}=${value}` } };
    expect(await (await visitor(other.address, cookie)).text()).toContain('Enter the password');
  });

  it('a password of public statistics is stored as a slow hash, and is refused where it is too short', async () => {
    const { caller, browse, path } = await openUnshared();
    for (const password of ['abc', 'x'.repeat(200)]) {
      const refused = await browse(`${path}/share`, form({ password }));
      expect([refused.status, (await refused.text()).includes('characters long')]).toEqual([400, true]);
    }
    expect(await sharesOf(caller)).toEqual([]);
    await browse(`${path}/share`, form({ password: 'open sesame' }));
    expect(JSON.stringify(await sharesOf(caller))).not.toContain('sesame');
    expect((await browse(`${path}/share/password`, form({ password: 'abc' }))).status).toBe(400);
    expect((await auditedOf(caller)).map(({ action }) => action)).toEqual(['share.created']);
  });

  it('a password of public statistics is not said to be set where another member has created the page without one', async () => {
    const { caller, browse, path, address } = await openShared();
    const late = await browse(`${path}/share`, form({ password: 'open sesame' }));
    const page = await late.text();
    expect([late.status, page.includes('There is a public page already, without a password.')]).toEqual([409, true]);
    expect(page).toContain('Visitors need no password.');
    expect([(await sharesOf(caller)).length, (await visitor(address)).status]).toEqual([1, 200]);
    await browse(`${path}/share/password`, form({ password: 'open sesame' }));
    expect((await browse(`${path}/share`, form({ password: 'open sesame' }))).status).toBe(303);
  });

  it('a password of public statistics is refused after too many wrong ones, even a right one', async () => {
    const { address } = await openShared('open sesame');
    vi.spyOn(env.SIGN_IN_PAIR_LIMIT, 'limit').mockResolvedValue({ success: false });
    expect((await visitor(address, form({ password: 'open sesame' }))).status).toBe(429);
  });

  it('a password of public statistics is not taken from another site', async () => {
    const { address } = await openShared('open sesame');
    const foreign = form({ password: 'open sesame' }, { Origin: 'https://evil.example' });
    expect((await visitor(address, foreign)).status).toBe(403);
  });
});
