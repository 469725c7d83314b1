import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../src/accounts/operator.ts';
import { demandFactor, outcomeOf, seedApplicationPassword, tokensBy } from '../support/application-passwords.ts';
import { seedCaller } from '../support/forms.ts';
import { db, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { refresh } from '../support/tokens.ts';

const DAY_MS = 24 * 3600 * 1000;

/** A member without a second factor of a workspace that demands one, from so many days on. */
async function seedMember(days: number) {
  const [member, owner] = [await seedTenant(), await seedTenant()];
  await addMember(db, member.userName, owner.clientId, 'member');
  const [byPassword, byApplication] = [
    await tokensBy(member, member.password),
    await tokensBy(member, (await seedApplicationPassword(member)).text),
  ];
  await env.DB.prepare('UPDATE clients SET factors_from = ? WHERE id = ?')
    .bind(Date.now() + days * DAY_MS, owner.clientId)
    .run();
  return { member, byPassword, byApplication, path: `/v1/links?client_id=${owner.clientId}` };
}

const byKey = async (key: string, path: string) => (await call(path, { headers: { 'X-API-Key': key } })).status;

describe('the tokens of a member without a second factor', () => {
  it('tokens open a workspace that will demand a second factor', async () => {
    const { byPassword, byApplication, path } = await seedMember(1);
    for (const { access_token: token, api_token: api } of [byPassword, byApplication]) {
      expect(await outcomeOf(token, 'GET', path)).toEqual([200, undefined]);
      expect(await byKey(api, path)).toBe(200);
    }
  });

  it('tokens do not open a workspace that demands a second factor, refreshed or not, until there is one', async () => {
    const { member, byPassword, byApplication, path } = await seedMember(-1);
    const renewed = await (await refresh(byPassword.refresh_token)).json<{ access_token: string }>();
    for (const token of [byPassword.access_token, byApplication.access_token, renewed.access_token])
      expect(await outcomeOf(token, 'GET', path)).toEqual([403, 'factor_required']);
    for (const { api_token: api } of [byPassword, byApplication]) expect(await byKey(api, path)).toBe(403);
    // The workspace of their own, and keys, keep working.
    expect(await outcomeOf(renewed.access_token, 'GET', `/v1/links?client_id=${member.clientId}`)).toEqual([
      200,
      undefined,
    ]);
    expect(await byKey(member.apiKey, '/v1/links')).toBe(200);
    await demandFactor(member);
    expect(await outcomeOf(renewed.access_token, 'GET', path)).toEqual([200, undefined]);
  });

  it('an API key of such a member keeps working in the workspace that demands a second factor', async () => {
    const member = await seedCaller();
    await env.DB.prepare('UPDATE clients SET factors_from = 1 WHERE id = ?').bind(member.clientId).run();
    expect(await byKey(member.apiKey, '/v1/links')).toBe(200);
    expect(await outcomeOf(member.accessToken, 'GET', '/v1/links')).toEqual([403, 'factor_required']);
  });
});
