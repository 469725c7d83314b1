import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ACCESS_SETTINGS, LOGOUT, openTeam } from '../../support/cloudflare-access.ts';
import { seedCaller } from '../../support/forms.ts';
import { browse as browserWith, cookiesOf, form, placeOf, signInBy } from '../../support/platform.ts';
import { rowsOf, seedTenant, type Tenant } from '../../support/seed.ts';
import { openIsolate, type Call } from '../../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const SIGN_IN = '/platform/sign-in';
const DAY_MS = 24 * 3600 * 1000;

/** The team, a workspace that new people join, and an isolate with Access. */
async function openAccess(settings: Readonly<Record<string, string>> = {}) {
  const tenant = await seedTenant();
  const team = await openTeam();
  const through = openIsolate({ ...ACCESS_SETTINGS, SIGN_IN_JOINS: `${tenant.clientId}:member`, ...settings });
  const person = { sub: `sub-${nanoid(8)}`, email: `${nanoid(8).toLowerCase()}@acme.example` };
  const enter = async (claims: Readonly<Record<string, unknown>> = {}, options = {}, path = SIGN_IN) =>
    ask(through, await team.assert({ ...person, ...claims }, options), path);
  return { tenant, team, through, person, enter };
}

const ask = (through: Call, assertion: string, path = SIGN_IN) =>
  through(path, { headers: { 'Cf-Access-Jwt-Assertion': assertion } });

const browserOf = (response: Response, through: Call) =>
  browserWith(`__Host-terse=${cookiesOf(response)['__Host-terse']?.[0]}`, through);

const identitiesOf = async (subject: string) =>
  (await rowsOf('identities')).filter((row) => row['subject'] === subject);
const noSession = async (response: Response) => [response.status, cookiesOf(response)['__Host-terse']];

async function usersOf({ clientId }: Tenant) {
  const { results } = await env.DB.prepare(
    `SELECT u.name, m.role, u.password_hash FROM members m JOIN users u ON u.id = m.user_id WHERE m.client_id = ? ORDER BY m.created_at`,
  )
    .bind(clientId)
    .all();
  return results;
}

describe('a sign-in at Cloudflare Access', () => {
  it('a new person joins the workspace of the setting, without a password, in a session that ends with the assertion', async () => {
    const { tenant, through, person, enter } = await openAccess();
    const exp = Math.floor(Date.now() / 1000) + 1800;
    const response = await enter({ exp });
    expect(placeOf(response)).toEqual([303, '/platform']);
    const [, joined] = await usersOf(tenant);
    expect(joined).toEqual({ name: person.email, role: 'member', password_hash: '!' });
    const [identity] = await identitiesOf(person.sub);
    const family = (await rowsOf('token_families')).find((row) => row['user_id'] === identity?.['user_id']);
    expect(family).toMatchObject({
      began_by: 'provider',
      begun_with: identity?.['provider_id'],
      provider_id: identity?.['provider_id'],
      client_id: null,
      ends_at: exp * 1000,
    });
    const browse = browserOf(response, through);
    expect((await browse(`/platform/c/${tenant.clientId}`)).status).toBe(200);
    const sessions = await (await browse('/platform/account')).text();
    expect(sessions).toContain('Provider');

    // The next time it is the same account.
    expect(placeOf(await enter({ exp }))[0]).toBe(303);
    expect(await usersOf(tenant)).toHaveLength(2);
  });

  it('an assertion within the leeway of its end lets no one in, creates no account, and is no problem of the setting', async () => {
    const { tenant, person, enter } = await openAccess();
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const exp = Math.floor(Date.now() / 1000) - 2;
    expect(await noSession(await enter({ exp }))).toEqual([200, undefined]);
    expect([await usersOf(tenant), await identitiesOf(person.sub)]).toEqual([[expect.anything()], []]);
    expect((await enter()).status).toBe(303);
    expect(await noSession(await enter({ exp }))).toEqual([200, undefined]);
    expect(logged.mock.calls.flat().filter((line) => String(line).includes('access_not_joined'))).toEqual([]);
  });

  it('a person who comes twice at once gets one account', async () => {
    const { tenant, person, enter } = await openAccess();
    const responses = await Promise.all([enter(), enter()]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect(await usersOf(tenant)).toHaveLength(2);
    expect(await identitiesOf(person.sub)).toHaveLength(1);
  });

  it('a name that is taken is not the name of a new person', async () => {
    const { tenant, person, enter } = await openAccess();
    await env.DB.prepare('UPDATE users SET name = ? WHERE id = ?').bind(person.email, tenant.userId).run();
    expect((await enter()).status).toBe(303);
    const [identity] = await identitiesOf(person.sub);
    expect(identity?.['user_id']).not.toBe(tenant.userId);
    expect((await usersOf(tenant))[1]?.['name']).toBe(identity?.['user_id']);
  });

  it.each([
    ['no setting', ''],
    ['a workspace that does not exist', 'no-such-workspace:member'],
  ])('a new person who can join nothing, by %s, sees the form and gets no account', async (_, joins) => {
    const { person, enter } = await openAccess({ SIGN_IN_JOINS: joins });
    const response = await enter();
    expect(await noSession(response)).toEqual([200, undefined]);
    const page = await response.text();
    expect(page).toContain(`Cloudflare Access knows you as <bdi>${person.email}</bdi>`);
    expect(page).toContain('name="password"');
    expect(await identitiesOf(person.sub)).toEqual([]);
  });

  it('another subject with a known address wants the operator', async () => {
    const { tenant, enter } = await openAccess();
    await enter();
    const sub = `other-${nanoid(8)}`;
    const response = await enter({ sub });
    expect(await noSession(response)).toEqual([403, undefined]);
    const page = await response.text();
    expect(page).toContain('The operator has to decide');
    expect(page).toContain(`For the operator: your subject there is <code>${sub}</code>.`);
    expect(await usersOf(tenant)).toHaveLength(2);
  });

  it('an address that a mailed link has confirmed for another account wants the operator', async () => {
    const { person, tenant, enter } = await openAccess();
    const other = await seedCaller();
    await env.DB.prepare('INSERT INTO mail_addresses (user_id, address, confirmed_at) VALUES (?, ?, 1)')
      .bind(other.userId, person.email.toUpperCase())
      .run();
    const response = await enter();
    expect(await noSession(response)).toEqual([403, undefined]);
    expect(await response.text()).toContain('The operator has to decide');
    expect(await usersOf(tenant)).toHaveLength(1);
    expect(await identitiesOf(person.sub)).toEqual([]);
  });

  it('a disabled person gets no session', async () => {
    const { person, enter } = await openAccess();
    await enter();
    await env.DB.prepare('UPDATE users SET disabled_at = 1 WHERE name = ?').bind(person.email).run();
    expect(await noSession(await enter())).toEqual([200, undefined]);
  });

  it.each([
    ['another audience', { aud: ['b'.repeat(64)] }],
    ['another team', { iss: 'https://evil.cloudflareaccess.com' }],
    ['an end that is over', { exp: 1 }],
    ['no end', { exp: undefined }],
    ['another type', { type: 'org' }],
    ['no address', { email: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject with a control character', { sub: 'ann\u0001' }],
    [
      'the token of a service',
      { type: 'app', sub: '', email: undefined, common_name: 'e367826f93b8d71185e03fe518aff3b4.access' },
    ],
    ['the name of a service beside a person', { common_name: 'service.access' }],
  ])('an assertion with %s opens nothing', async (_, claims) => {
    const { person, enter } = await openAccess();
    expect(await noSession(await enter(claims))).toEqual([200, undefined]);
    expect(await identitiesOf(person.sub)).toEqual([]);
  });

  it('an assertion that Access has not signed opens nothing', async () => {
    const { team, through, person } = await openAccess();
    const forged = await team.assert(person, { key: await team.strangersKey() });
    const [header, payload] = (await team.assert(person)).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const signed = await team.assert(person);
    for (const text of [forged, none, `${header}.${payload}.`, 'x', '', 'x'.repeat(9000), `${signed}, ${signed}`])
      expect(await noSession(await ask(through, text))).toEqual([200, undefined]);
    expect(await identitiesOf(person.sub)).toEqual([]);
  });

  it('the header is never read where the vars are empty', async () => {
    const { team, person } = await openAccess();
    const through = openIsolate();
    expect(await noSession(await ask(through, await team.assert(person)))).toEqual([200, undefined]);
    expect(team.reads()).toBe(0);
  });

  it('the header is read at the sign-in page alone', async () => {
    const { tenant, team, enter } = await openAccess();
    expect(placeOf(await enter({}, {}, `/platform/c/${tenant.clientId}`))[1]).toMatch(/^\/platform\/sign-in/);
    expect(team.reads()).toBe(0);
  });

  it('keys are read once, again for a rotated one, and not for each unknown one', async () => {
    const { team, enter } = await openAccess();
    await enter();
    await enter();
    expect(team.reads()).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    await team.rotate();
    expect((await enter()).status).toBe(303);
    expect(team.reads()).toBe(2);
    const stranger = { ...(await team.strangersKey()), kid: 'unknown' };
    for (let times = 0; times < 5; times++) expect((await enter({}, { key: stranger })).status).toBe(200);
    expect(team.reads()).toBe(2);
  });

  it.each([
    ['an error', () => new Response('down', { status: 500 })],
    ['something else than JSON', () => new Response('<html>')],
    ['too much', () => new Response('x'.repeat(70_000))],
    ['a redirect', () => Response.redirect('https://evil.example/')],
    ['no keys', () => Response.json({ keys: [] })],
    ['nothing', () => Promise.reject(new TypeError('connection refused'))],
  ])('an outage of Access, which sends %s, is a 503 of the page, and the password still works', async (_, respond) => {
    const { tenant, team, through, enter } = await openAccess();
    team.fail(respond);
    const response = await enter();
    expect(await noSession(response)).toEqual([503, undefined]);
    expect(await response.text()).toContain('Cloudflare Access does not respond');
    const fields = form({ name: tenant.userName, password: tenant.password }, { 'CF-Connecting-IP': tenant.address });
    expect(placeOf(await through(SIGN_IN, fields))).toEqual([303, '/platform']);
  });

  it('known keys are used for a day while new ones cannot be read', async () => {
    const { team, enter } = await openAccess();
    await enter();
    team.fail(() => new Response(null, { status: 500 }));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 3600 * 1000 });
    expect((await enter()).status).toBe(303);
    vi.setSystemTime(Date.now() + DAY_MS);
    expect((await enter()).status).toBe(503);
  });

  it('signing out leads to the sign-out of Access, since it would sign in again', async () => {
    const { through, enter, tenant } = await openAccess();
    const browse = browserOf(await enter(), through);
    expect(placeOf(await browse('/platform/sign-out', form({})))).toEqual([303, LOGOUT]);
    expect(placeOf(await browse('/platform/account'))[1]).toMatch(/^\/platform\/sign-in/);
    const byPassword = browserOf(await signInBy(tenant, tenant.password), through);
    expect(placeOf(await byPassword('/platform/sign-out', form({})))).toEqual([303, SIGN_IN]);
  });

  it('a session of Access is not confirmed, and a person without any other way adds a first passkey within ten minutes', async () => {
    const { tenant, team, through, enter, person } = await openAccess({ SIGN_IN_JOINS: '' });
    const joined = openIsolate({ ...ACCESS_SETTINGS, SIGN_IN_JOINS: `${tenant.clientId}:owner` });
    expect((await enter()).status).toBe(200);
    const response = await ask(joined, await team.assert(person));
    expect(response.status).toBe(303);
    const browse = browserOf(response, through);
    const asked = await browse('/platform/account/export.json');
    expect(placeOf(asked)).toEqual([303, '/platform/confirm?next=%2Fplatform%2Faccount%2Fexport.json']);
    const confirm = await (await browse('/platform/confirm')).text();
    expect(confirm).toContain('href="/platform/account/passkeys/new"');
    expect(confirm).not.toContain('current_password');
    expect((await browse('/platform/account/passkeys/new')).status).toBe(200);
    const stale = env.DB.prepare(
      'UPDATE token_families SET started_at = started_at - 601000 WHERE user_id = (SELECT user_id FROM identities WHERE subject = ?)',
    );
    await stale.bind(person.sub).run();
    expect((await browse('/platform/account/passkeys/new')).status).toBe(303);
  });

  it('a person with a password or a passkey confirms with that before adding a passkey', async () => {
    const { through, enter, person } = await openAccess();
    const browse = browserOf(await enter(), through);
    expect((await browse('/platform/account/passkeys/new')).status).toBe(200);
    await env.DB.prepare(
      `INSERT INTO passkeys (id, user_id, name, public_key, counter, rp_id, transports, created_at)
       SELECT ?1, user_id, 'n', 'k', 0, 'terse.test', '[]', 1 FROM identities WHERE subject = ?1`,
    )
      .bind(person.sub)
      .run();
    expect((await browse('/platform/account/passkeys/new')).status).toBe(303);
  });
});
