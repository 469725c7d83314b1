import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../../src/index.ts';
import { newNonce } from '../../../src/secrets/random-secrets.ts';
import { demandFactor, seedApplicationPassword, tokensBy } from '../../support/application-passwords.ts';
import { form, openBrowser, placeOf, textOf, type Browse } from '../../support/platform.ts';
import { rowsOf, seedTenant, signIn, type Tenant } from '../../support/seed.ts';
import { call } from '../../support/service.ts';
import { attempt } from '../../support/sign-in.ts';

afterEach(() => vi.useRealTimers());

const PASSWORDS = '/platform/account/passwords';
const secretIn = (page: string) => /value="(ap_\w{12}_\w{43})"/.exec(page)?.[1] ?? '';

const create = (browse: Browse, fields: Record<string, string> = {}) =>
  browse(`${PASSWORDS}/new`, form({ nonce: newNonce(), name: 'backup script', ...fields }));

const passwordsOf = async ({ userId }: Tenant) =>
  (await rowsOf('application_passwords')).filter((row) => row['user_id'] === userId);

async function openPasswords() {
  const tenant = await seedTenant();
  return { tenant, ...(await openBrowser(tenant)) };
}

describe('the page of application passwords', () => {
  it('the page of application passwords is one click from the account, and explains an empty list', async () => {
    const { browse } = await openPasswords();
    expect(await textOf(browse('/platform/account'))).toContain(`href="${PASSWORDS}"`);
    const page = await textOf(browse(PASSWORDS));
    expect(page).toContain('<h2>No application passwords yet</h2>');
    expect(page).toContain(`href="${PASSWORDS}/new"`);
    expect(page).toContain('No program is known to get tokens with your own password.');
  });

  it('the page of application passwords shows one once, with a curl that works', async () => {
    const { tenant, browse } = await openPasswords();
    const nonce = /name="nonce" value="([\w-]{22})"/.exec(await textOf(browse(`${PASSWORDS}/new`)))?.[1] ?? '';
    const made = await create(browse, { nonce });
    expect(made.status).toBe(201);
    const answer = await made.text();
    const secret = secretIn(answer);
    expect(answer).toContain(`curl -u ${tenant.userName}:${secret} https://terse.test/tokens/create_token`);
    expect(answer).toContain('data-copy="application-password"');
    const list = await textOf(browse(PASSWORDS));
    expect(list).toContain('backup script');
    expect(list).toContain('Never used');
    expect(list).not.toContain(secret);
    expect((await attempt(tenant.userName, secret, tenant.address)).status).toBe(201);
    expect(await textOf(browse(PASSWORDS))).toMatch(/Last used <time [^>]*>now<\/time>/);
  });

  it('the page of application passwords creates one, however often its form is sent', async () => {
    const { tenant, browse } = await openPasswords();
    const nonce = newNonce();
    const sent = await Promise.all([1, 2, 3].map(async () => create(browse, { nonce })));
    expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
    const again = await textOf(create(browse, { nonce, name: 'another' }));
    expect(again).toContain('<h1>Already sent</h1>');
    expect(again).toContain('was shown only once');
    expect(secretIn(again)).toBe('');
    const [row, ...others] = await passwordsOf(tenant);
    expect([row?.['name'], others]).toEqual(['backup script', []]);
    expect(again).toContain(`href="${PASSWORDS}/${String(row?.['id'])}/revoke"`);
    const other = await openPasswords();
    expect((await create(other.browse, { nonce })).status).toBe(201);
  });

  it.each<[field: string, sentence: string, fields: Record<string, string>]>([
    ['name', 'This is required.', { name: '' }],
    ['name', 'This must be 1 to 64 characters, without spaces at the start or end.', { name: 'x'.repeat(65) }],
    ['name', 'This must be 1 to 64 characters, without spaces at the start or end.', { name: ' x' }],
  ])('the page of application passwords says beside %s: %s', async (field, sentence, fields) => {
    const { tenant, browse } = await openPasswords();
    const nonce = newNonce();
    const response = await create(browse, { nonce, ...fields });
    expect(response.status).toBe(400);
    const page = await response.text();
    expect(page).toContain(`id="fault-${field}">${sentence}</p>`);
    expect(page).toContain(`name="nonce" value="${nonce}"`);
    expect(await passwordsOf(tenant)).toEqual([]);
  });

  it('the page of application passwords refuses a form without its nonce', async () => {
    const { tenant, browse } = await openPasswords();
    const torn = await create(browse, { nonce: '' });
    expect([torn.status, await torn.text()]).toEqual([400, expect.stringContaining('The form is incomplete.')]);
    expect(await passwordsOf(tenant)).toEqual([]);
  });

  it('the page of application passwords refuses more than 50 that work, in one language as in another', async () => {
    const { tenant, browse } = await openPasswords();
    await env.DB.batch(
      Array.from({ length: 50 }, (_, index) =>
        env.DB.prepare(
          `INSERT INTO application_passwords (id, user_id, name, secret_hash, nonce, created_at) VALUES (?, ?, 'n', 'h', ?, 1)`,
        ).bind(`many-${tenant.userId}-${index}`, tenant.userId, `many-${index}`),
      ),
    );
    const refused = await create(browse);
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining('The limit of 50 application passwords is reached. Revoke one that is not used.'),
    ]);
    await env.DB.prepare(`UPDATE users SET language = 'de' WHERE id = ?`).bind(tenant.userId).run();
    expect(await textOf(create(browse))).toContain('Die Höchstzahl von 50 Anwendungspasswörtern ist erreicht.');
    await browse(`${PASSWORDS}/many-${tenant.userId}-0/revoke`, form({}));
    expect((await create(browse)).status).toBe(201);
  });

  it('the page of application passwords is for signed-in users, and takes forms from our pages alone', async () => {
    expect((await call(PASSWORDS)).headers.get('Location')).toContain('/platform/sign-in');
    const { tenant, browse } = await openPasswords();
    const foreign = await browse(`${PASSWORDS}/new`, {
      ...form({ nonce: newNonce(), name: 'x' }),
      headers: { Origin: 'https://other.example' },
    });
    expect([foreign.status, await passwordsOf(tenant)]).toEqual([403, []]);
  });
});

describe('the revocation of an application password', () => {
  it('the revocation of an application password asks before, and then ends it and its tokens', async () => {
    const { tenant, browse } = await openPasswords();
    const { id, text } = await seedApplicationPassword(tenant);
    const { access_token: token } = await tokensBy(tenant, text);
    const path = `${PASSWORDS}/${id}/revoke`;
    expect(await textOf(browse(PASSWORDS))).toContain(`href="${path}"`);
    expect(await textOf(browse(path))).toMatch(/<h1>Revoke the application password .?backup script.?\?<\/h1>/);
    expect((await attempt(tenant.userName, text, tenant.address)).status).toBe(201);
    expect(placeOf(await browse(path, form({})))).toEqual([303, PASSWORDS]);
    expect((await attempt(tenant.userName, text, tenant.address)).status).toBe(401);
    expect((await call('/v1/links', { headers: { Authorization: `Bearer ${token}` } })).status).toBe(401);
    expect(await textOf(browse(PASSWORDS))).not.toContain('backup script');
  });

  it('the revocation of an application password of another user is not found, and does nothing', async () => {
    const [{ tenant }, { browse }] = [await openPasswords(), await openPasswords()];
    const { id, text } = await seedApplicationPassword(tenant);
    expect((await browse(`${PASSWORDS}/${id}/revoke`)).status).toBe(404);
    await browse(`${PASSWORDS}/${id}/revoke`, form({}));
    expect((await attempt(tenant.userName, text, tenant.address)).status).toBe(201);
  });

  it('the revocation of an application password is forgotten after 90 days', async () => {
    const { tenant, browse } = await openPasswords();
    const [old, recent] = [await seedApplicationPassword(tenant), await seedApplicationPassword(tenant)];
    for (const { id } of [old, recent]) await browse(`${PASSWORDS}/${id}/revoke`, form({}));
    await env.DB.prepare('UPDATE application_passwords SET revoked_at = ? WHERE id = ?')
      .bind(Date.now() - 91 * 24 * 3600 * 1000, old.id)
      .run();
    await worker.scheduled(createScheduledController(), env);
    expect((await passwordsOf(tenant)).map(({ id }) => id)).toEqual([recent.id]);
  });
});

describe('the last use of the own password by a program', () => {
  it('the last use of the own password by a program is shown, and what a second factor does to it', async () => {
    const { tenant, browse } = await openPasswords();
    await signIn(tenant);
    const before = await textOf(browse(PASSWORDS));
    expect(before).toMatch(
      /Last time a program got tokens with your own password: <time [^>]*>now<\/time>\. As soon as/,
    );
    await demandFactor(tenant);
    expect(await textOf(browse(PASSWORDS))).toContain('Since you set up a second factor, that is refused');
  });

  it('the last use of the own password by a program is known from sign-ins before it was noted', async () => {
    const { tenant, browse } = await openPasswords();
    await signIn(tenant);
    await env.DB.batch([
      env.DB.prepare('UPDATE users SET basic_used_at = NULL WHERE id = ?').bind(tenant.userId),
      env.DB.prepare(`UPDATE token_families SET began_by = NULL, started_at = ? WHERE user_id = ?`).bind(
        Date.now() - 3 * 24 * 3600 * 1000,
        tenant.userId,
      ),
    ]);
    expect(await textOf(browse(PASSWORDS))).toContain('>3 days ago</time>');
  });

  it('the last use of the own password is not that of a browser or of an application password', async () => {
    const { tenant, browse } = await openPasswords();
    await tokensBy(tenant, (await seedApplicationPassword(tenant)).text);
    await env.DB.prepare(`UPDATE token_families SET began_by = NULL WHERE user_id = ? AND began_by = 'password'`)
      .bind(tenant.userId)
      .run();
    expect(await textOf(browse(PASSWORDS))).toContain('No program is known');
  });
});
