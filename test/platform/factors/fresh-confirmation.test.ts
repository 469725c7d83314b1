import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { newAddress } from '../../support/address.ts';
import { addApp, codeAt } from '../../support/factors.ts';
import { browse as browseWith, cookiesOf, form, openBrowser, placeOf, type Browse } from '../../support/platform.ts';
import { rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';
import { makeStale } from '../../support/sessions.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A session that was confirmed longer than ten minutes ago. */
async function openStale() {
  const tenant = await seedTenant();
  const { browse, cookie } = await openBrowser(tenant);
  await makeStale(tenant);
  return { tenant, browse, cookie, keys: `/platform/c/${tenant.clientId}/keys` };
}

const multipart = (fields: Readonly<Record<string, string>>, address = newAddress()): RequestInit => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return { method: 'POST', body, headers: { Origin: 'https://terse.test', 'CF-Connecting-IP': address } };
};

const keysOf = async ({ clientId }: Tenant) =>
  (await rowsOf('api_keys')).filter((row) => row['client_id'] === clientId && row['name'] === 'of a form');

/** The form of the page that creates a key, with its nonce. */
async function keyForm(browse: Browse, keys: string): Promise<Record<string, string>> {
  const page = await (await browse(`${keys}/new`)).text();
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  return { typed_by: valueOf('typed_by'), nonce: valueOf('nonce'), name: 'of a form', scopes: 'links:read' };
}

/** What the page that asks has carried. */
const carriedBy = (page: string): string =>
  (/name="typed" value="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"');

describe('a session that was confirmed long ago', () => {
  it('the form of a key asks for the password, carries what was typed, and then creates the key', async () => {
    const { tenant, browse, keys } = await openStale();
    const asked = await browse(`${keys}/new`, form(await keyForm(browse, keys)));
    const page = await asked.text();
    expect([asked.status, page.includes('Confirm that it is you'), await keysOf(tenant)]).toEqual([403, true, []]);
    const typed = carriedBy(page);
    const wrong = await browse(`${keys}/new?confirm`, multipart({ typed, current_password: 'wrong' }));
    expect([wrong.status, (await wrong.text()).includes('This is not your current password.')]).toEqual([400, true]);
    expect(await keysOf(tenant)).toEqual([]);
    const done = await browse(`${keys}/new?confirm`, multipart({ typed, current_password: tenant.password }));
    expect([done.status, (await done.text()).includes('tk_')]).toEqual([201, true]);
    expect(await keysOf(tenant)).toHaveLength(1);
    // The confirmation counts for the next form too.
    expect((await browse(`${keys}/new`, form(await keyForm(browse, keys)))).status).toBe(201);
  });

  it('what one user has typed is not done for another one', async () => {
    const { browse, keys } = await openStale();
    const stranger = await seedTenant();
    const typed = carriedBy(await (await browse(`${keys}/new`, form(await keyForm(browse, keys)))).text());
    const other = await openBrowser(stranger);
    const response = await other.browse(
      `${keys}/new?confirm`,
      multipart({ typed, current_password: stranger.password }),
    );
    expect(placeOf(response)).toEqual([303, '/platform']);
  });

  it.each(['/platform/account/factors/app', '/platform/account/factors/codes'])(
    'the page %s leads to a page that asks, and back',
    async (path) => {
      const { tenant, browse } = await openStale();
      const next = `/platform/confirm?next=${encodeURIComponent(path)}`;
      expect(placeOf(await browse(path))).toEqual([303, next]);
      expect((await browse(next)).status).toBe(200);
      expect(placeOf(await browse(next, multipart({ current_password: tenant.password })))).toEqual([303, path]);
      expect((await browse(path)).status).toBe(200);
    },
  );

  it('the file of own data is downloaded from the account after a confirmation, since a file leaves the page as it is', async () => {
    const { tenant, browse, cookie } = await openStale();
    const path = '/platform/account/export.json';
    const next = `/platform/confirm?next=${encodeURIComponent(path)}`;
    expect(placeOf(await browse(path))).toEqual([303, next]);
    const confirmed = await browse(next, multipart({ current_password: tenant.password }));
    expect(placeOf(confirmed)).toEqual([303, '/platform/account']);
    const [flash = ''] = cookiesOf(confirmed)['__Host-terse-flash'] ?? [];
    const page = await browseWith(`${cookie}; __Host-terse-flash=${flash}`)('/platform/account');
    expect(await page.text()).toContain('You can download your data now.');
    expect((await browse(path)).headers.get('Content-Disposition')).toContain('terse-account.json');
  });

  it('a page that asks leads to no other website', async () => {
    const { tenant, browse } = await openStale();
    const next = `/platform/confirm?next=${encodeURIComponent('//evil.example/')}`;
    expect(placeOf(await browse(next, multipart({ current_password: tenant.password })))).toEqual([303, '/platform']);
  });

  it('a code of the app confirms too, once', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const { seed } = await addApp(browse);
    await makeStale(tenant);
    const code = codeAt(seed);
    const confirm = () => browse('/platform/confirm?next=%2Fplatform%2Faccount', multipart({ code }));
    expect((await confirm()).status).toBe(303);
    await makeStale(tenant);
    expect((await confirm()).status).toBe(400);
  });

  it('an empty confirmation is refused beside its first field, and is no attempt', async () => {
    const { browse } = await openStale();
    const empty = await browse('/platform/confirm', multipart({ current_password: '' }));
    expect(empty.status).toBe(400);
    expect(await empty.text()).toContain('id="fault-current_password">This is required.</p>');
    const withApp = await seedTenant();
    const theirs = await openBrowser(withApp);
    await addApp(theirs.browse);
    await makeStale(withApp);
    const address = newAddress();
    for (let tries = 0; tries < 12; tries++) {
      const response = await theirs.browse(
        '/platform/confirm',
        multipart({ code: ' ', current_password: '' }, address),
      );
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('id="fault-code">Enter a code or your current password.</p>');
    }
  });

  it('an account that is named by its id, as a provider names it, confirms by a password that it has', async () => {
    const { tenant, browse } = await openStale();
    await env.DB.prepare('UPDATE users SET name = id WHERE id = ?').bind(tenant.userId).run();
    expect(await (await browse('/platform/confirm')).text()).toContain('name="current_password"');
  });

  it('the page that asks has the navigation of the workspace, and leads back to where its user came from', async () => {
    const { tenant, browse } = await openStale();
    const ask = '/platform/confirm?next=%2Fplatform%2Faccount%2Ffactors%2Fapp';
    const headers = { Referer: 'https://terse.test/platform/account/factors' };
    const page = await (await browse(ask, { headers })).text();
    expect(page).toContain(`href="/platform/c/${tenant.clientId}/links"`);
    expect(page).toMatch(/href="\/platform\/account\/factors"[^>]*>Cancel</);
    const again = multipart({ current_password: 'wrong' });
    const headersAgain = new Headers(again.headers);
    headersAgain.set('Referer', `https://terse.test${ask}`);
    const refused = await browse(ask, { ...again, headers: headersAgain });
    const shown = await refused.text();
    expect([refused.status, shown.includes(`href="/platform/c/${tenant.clientId}/links"`)]).toEqual([400, true]);
    expect(shown).toMatch(/href="\/platform"[^>]*>Cancel</);
  });

  it('who has the cookie alone gets ten tries of a code in an hour', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    await addApp(browse);
    await makeStale(tenant);
    const address = newAddress();
    const statuses: number[] = [];
    for (let tries = 0; tries < 11; tries++) {
      statuses.push((await browse('/platform/confirm', multipart({ code: '000000' }, address))).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(400), 429]);
  });
});

describe('a workspace that demands a second factor', () => {
  it('an owner without one of their own cannot demand it', async () => {
    const tenant = await seedTenant();
    const { browse } = await openBrowser(tenant);
    const settings = `/platform/c/${tenant.clientId}/settings`;
    expect(await (await browse(settings)).text()).toContain('Set up <a href="/platform/account/factors">');
    await browse(`${settings}/factors`, form({ factors: 'on' }));
    const client = (await rowsOf('clients')).find(({ id }) => id === tenant.clientId);
    expect(client?.['factors_from']).toBeNull();
  });

  it('members have seven days, then get only the page that sets it up; the workspace of their own stays open', async () => {
    const owner = await seedTenant();
    const { browse } = await openBrowser(owner);
    await addApp(browse);
    const member = await seedTenant();
    await env.DB.prepare(`INSERT INTO members (user_id, client_id, created_at, role) VALUES (?, ?, 1, 'owner')`)
      .bind(member.userId, owner.clientId)
      .run();
    const settings = `/platform/c/${owner.clientId}/settings`;
    expect(placeOf(await browse(`${settings}/factors`, form({ factors: 'on' })))).toEqual([303, settings]);
    const theirs = await openBrowser(member);
    const overview = `/platform/c/${owner.clientId}`;
    const warned = await theirs.browse(overview);
    expect([warned.status, (await warned.text()).includes('demands two-step sign-in from')]).toEqual([200, true]);
    await env.DB.prepare('UPDATE clients SET factors_from = factors_from - ? WHERE id = ?')
      .bind(8 * DAY_MS, owner.clientId)
      .run();
    expect(placeOf(await theirs.browse(overview))).toEqual([303, '/platform/account/factors']);
    // One sentence says so there, and another one on other pages.
    const there = browseWith(`${theirs.cookie}; __Host-terse-workspace=${owner.clientId}`);
    const setUp = await (await there('/platform/account/factors')).text();
    expect(setUp.match(/class="notice/g)).toHaveLength(1);
    expect(setUp).toContain('Two-step sign-in is demanded by: ');
    expect(await (await there('/platform/account')).text()).toContain('Set it up</a> to open the workspace again.');
    // Whose programs call the deprecated endpoint is a matter of the workspace.
    const calls = `INSERT INTO encode_days (client_id, day, user_id, made, refused) VALUES (?, ?, ?, 3, 0)`;
    await env.DB.prepare(calls).bind(owner.clientId, new Date().toISOString().slice(0, 10), owner.userId).run();
    expect(await (await there('/platform/account')).text()).not.toContain(owner.userName);
    // The workspace of their own is open.
    expect((await theirs.browse(`/platform/c/${member.clientId}`)).status).toBe(200);
    expect((await browse(overview)).status).toBe(200);
    await addApp(theirs.browse);
    expect((await theirs.browse(overview)).status).toBe(200);
    const audit = await (await browse(`${overview}/audit`)).text();
    expect(audit).toContain('demanded two-step sign-in of all members');
  });
});
