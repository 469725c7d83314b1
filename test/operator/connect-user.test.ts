import { env } from 'cloudflare:workers';
import { nanoid } from 'nanoid';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ACCESS_SETTINGS, openTeam } from '../support/cloudflare-access.ts';
import { seedCaller } from '../support/forms.ts';
import { joinAs, providerCookieOf, returnAs, ScriptedIssuer, signInAs } from '../support/issuers.ts';
import { confirmAddress, mailsOf } from '../support/mail.ts';
import { rowsWhere } from '../support/oauth.ts';
import { openOperator } from '../support/operator.ts';
import { browse as browserWith, cookiesOf, openBrowser, placeOf } from '../support/platform.ts';

afterEach(() => vi.restoreAllMocks());

/** A service behind Access, whose new people join the workspace of an owner, and its operator. */
async function openAccess() {
  const owner = await seedCaller();
  await confirmAddress(owner.userId);
  const team = await openTeam();
  const operator = await openOperator({ ...ACCESS_SETTINGS, SIGN_IN_JOINS: `${owner.clientId}:member` });
  const email = `${nanoid(8).toLowerCase()}@acme.example`;
  const enterAs = async (sub: string) =>
    operator.call('/platform/sign-in', {
      headers: { 'Cf-Access-Jwt-Assertion': await team.assert({ sub, email }) },
    });
  const browserOf = (response: Response) =>
    browserWith(`__Host-terse=${cookiesOf(response)['__Host-terse']?.[0]}`, operator.call);
  const connect = (name: string, subject: string, at = 'access') => operator.ask('connect-user', { name, at, subject });
  return { owner, operator, email, enterAs, browserOf, connect };
}

const newSubject = () => `sub-${nanoid(8)}`;

const identitiesOf = async (subject: string) =>
  (await rowsWhere('SELECT user_id FROM identities WHERE subject = ?', subject)).map((row) => row['user_id']);

const userNamed = async (name: string): Promise<string> =>
  String((await rowsWhere('SELECT id FROM users WHERE name = ?', name))[0]?.['id']);

describe('a user whom the operator connects', () => {
  it('a person whom Access knows anew signs in to the same account, and the former identity no longer does', async () => {
    const { owner, email, enterAs, browserOf, connect } = await openAccess();
    const [former, subject] = [newSubject(), newSubject()];
    const browse = browserOf(await enterAs(former));
    const userId = await userNamed(email);
    await confirmAddress(userId);
    const log = vi.spyOn(console, 'log').mockReturnValue();
    const refused = await enterAs(subject);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain(`your subject there is <code>${subject}</code>`);
    const line = { level: 'info', event: 'access_address_taken', subject, local_id: userId };
    expect(log.mock.calls.flat().map((text) => JSON.parse(String(text)) as unknown)).toContainEqual(line);
    log.mockRestore();

    expect((await connect(email, subject)).status).toBe(200);
    expect(placeOf(await browse('/platform/account'))[1]).toMatch(/^\/platform\/sign-in/);
    const again = await enterAs(subject);
    expect(placeOf(again)).toEqual([303, '/platform']);
    expect((await browserOf(again)(`/platform/c/${owner.clientId}`)).status).toBe(200);
    expect([await identitiesOf(subject), await identitiesOf(former)]).toEqual([[userId], []]);
    expect((await enterAs(former)).status).toBe(403);
    expect(await mailsOf('identity_changed', userId)).toHaveLength(1);
    expect(await mailsOf('identity_changed', owner.userId)).toHaveLength(1);
    const audit = `SELECT subject_id, credential_kind FROM audit_entries
      WHERE client_id = ? AND action = 'member.identity_changed'`;
    expect(await rowsWhere(audit, owner.clientId)).toEqual([{ subject_id: userId, credential_kind: 'operator' }]);
    expect(await rowsWhere(`SELECT outcome FROM operator_log WHERE subject LIKE ?`, `%subject=${subject}`)).toEqual([
      { outcome: 'done' },
    ]);

    // The tool can be called again.
    expect((await connect(email, subject)).status).toBe(200);
    expect((await browserOf(again)('/platform/account')).status).toBe(200);
    expect(await mailsOf('identity_changed', userId)).toHaveLength(1);
  });

  it('another person who has the address now signs in to an account of their own', async () => {
    const { owner, operator, email, enterAs, connect } = await openAccess();
    const [former, subject, name] = [newSubject(), newSubject(), `user-${nanoid(8)}`];
    await enterAs(former);
    await operator.ask('add-user', { name, client_id: owner.clientId, password: 'pass word' });
    expect((await connect(name, subject)).status).toBe(200);
    expect((await enterAs(subject)).status).toBe(303);
    expect(await identitiesOf(former)).toEqual([await userNamed(email)]);
    expect(await identitiesOf(subject)).toEqual([await userNamed(name)]);
  });

  it('programs of the account keep working, and sessions that began in another way stay signed in', async () => {
    const { owner, connect, enterAs } = await openAccess();
    const former = newSubject();
    await enterAs(newSubject());
    await connect(owner.userName, former);
    await enterAs(former);
    const { browse: byPassword } = await openBrowser(owner);
    await env.DB.prepare(
      `INSERT INTO token_families (id, user_id, started_at, ends_at, began_by, begun_with, provider_id)
       SELECT ?1, user_id, 1, 9e15, 'oauth', 'program', provider_id FROM identities WHERE subject = ?1`,
    )
      .bind(former)
      .run();
    expect((await connect(owner.userName, newSubject())).status).toBe(200);
    const left = `SELECT begun_with FROM token_families
      WHERE user_id = ? AND provider_id IS NOT NULL AND ended_at IS NULL`;
    expect(await rowsWhere(left, owner.userId)).toEqual([{ begun_with: 'program' }]);
    expect((await byPassword('/platform/account')).status).toBe(200);
  });

  it('a subject of another user is refused, which names that user, and changes nothing', async () => {
    const { owner, email, enterAs, browserOf, connect } = await openAccess();
    const [subject, own] = [newSubject(), newSubject()];
    const browse = browserOf(await enterAs(subject));
    expect((await connect(owner.userName, own)).status).toBe(200);
    const response = await connect(owner.userName, subject);
    expect([response.status, await response.json()]).toEqual([
      409,
      expect.objectContaining({ error: expect.stringContaining(`The subject belongs to the user ${email}`) }),
    ]);
    expect(await identitiesOf(own)).toEqual([owner.userId]);
    expect((await browse('/platform/account')).status).toBe(200);
  });

  it('a user without a client is refused, since no provider opens such an account', async () => {
    const { connect, enterAs } = await openAccess();
    await enterAs(newSubject());
    const [lone, subject] = [await seedCaller(), newSubject()];
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(lone.userId).run();
    const response = await connect(lone.userName, subject);
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('belongs to no client')]);
    expect(await identitiesOf(subject)).toEqual([]);
  });

  it.each([
    ['a user who does not exist', { name: 'unheard-of' }, 404, 'There is no user unheard-of'],
    ['a provider that is not set', { at: 'oidc' }, 404, 'OIDC_ISSUER and OIDC_CLIENT_ID are not set'],
    ['an empty subject', { subject: '' }, 400, 'subject must not be empty'],
    ['a subject with a control character', { subject: 'ann\u0001' }, 400, 'subject must be without control'],
    ['a long subject', { subject: 'x'.repeat(256) }, 400, 'subject must be at most 255'],
  ])('%s is refused in a sentence', async (_, fields, status, sentence) => {
    const { owner, operator } = await openAccess();
    const response = await operator.ask('connect-user', {
      name: owner.userName,
      at: 'access',
      subject: newSubject(),
      ...fields,
    });
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(sentence)]);
  });

  it('a provider by which no person has come is refused, since the subject cannot be one of its people', async () => {
    const owner = await seedCaller();
    const { ask } = await openOperator({ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: nanoid() });
    const response = await ask('connect-user', { name: owner.userName, at: 'oidc', subject: 'x' });
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining('No person has come')]);
  });

  it('a person whom the provider of the service knows anew sees the subject, and signs in to the same account', async () => {
    const [owner, issuer] = await Promise.all([seedCaller(), ScriptedIssuer.open()]);
    const { call, ask } = await openOperator({
      OIDC_ISSUER: issuer.issuer,
      OIDC_CLIENT_ID: 'the-service',
      SIGN_IN_JOINS: `${owner.clientId}:member`,
    });
    const at = '/platform/sign-in/provider';
    const scene = { owner, issuer, call, provider: '', at };
    const eve = { sub: 'eve', name: 'Eve', email: 'eve@acme.example', email_verified: true };
    const { userId, browse } = await joinAs(scene, eve);
    const anew = { ...eve, sub: 'eve-anew' };
    const person = providerCookieOf(await returnAs(scene, anew));
    const page = await (await call(`${at}/join`, { headers: { Cookie: person } })).text();
    expect(page).toContain('your subject there is <code>eve-anew</code>');
    expect((await ask('connect-user', { name: userId, at: 'oidc', subject: 'eve-anew' })).status).toBe(200);
    expect(placeOf(await browse('/platform/account'))[1]).toMatch(/^\/platform\/sign-in/);
    expect((await signInAs(scene, anew)).userId).toBe(userId);
    const unverified = await returnAs(scene, { ...eve, sub: 'eve-3', email_verified: false });
    expect([unverified.status, await unverified.text()]).toEqual([
      403,
      expect.stringContaining('whose subject is eve-3'),
    ]);
  });
});
