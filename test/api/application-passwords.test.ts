import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addMember, changePassword, disableUser } from '../../src/accounts/operator.ts';
import {
  createApplicationPassword,
  listApplicationPasswords,
  revokeApplicationPassword,
} from '../../src/accounts/application-passwords/application-passwords.ts';
import { demandFactor, outcomeOf, seedApplicationPassword, tokensBy } from '../support/application-passwords.ts';
import { invite } from '../support/invites.ts';
import { seedCaller } from '../support/forms.ts';
import { db, rowsOf, seedLink, seedTenant, signIn } from '../support/seed.ts';
import { call, openIsolate } from '../support/service.ts';
import { seedSession } from '../support/sessions.ts';
import { attempt, newIpv4, statusesOf, times, withinOneWindow } from '../support/sign-in.ts';
import { CREATION_REFUSAL, familiesOf, refresh, refusalOf, tokenResponse } from '../support/tokens.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const HOUR_MS = 3600 * 1000;

describe('an application password', () => {
  it.each([false, true])(
    'an application password gets tokens in one trip, of a user with a second factor: %s',
    async (hasFactor) => {
      const tenant = await seedTenant();
      const { id, text } = await seedApplicationPassword(tenant);
      expect(text).toMatch(/^ap_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
      if (hasFactor) await demandFactor(tenant);
      const trips = await countTrips();
      const response = await attempt(tenant.userName, text, tenant.address);
      expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
      expect([response.status, await response.json()]).toEqual([201, tokenResponse(tenant)]);
      const begun = (await familiesOf(tenant)).filter((row) => row['began_by'] === 'application_password');
      expect(begun).toMatchObject([
        { begun_with: id, client_id: null, scopes: 'links:read links:write stats:read', ended_at: null },
      ]);
    },
  );

  it('an application password is stored as a hash alone', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    await tokensBy(tenant, text);
    const stored = JSON.stringify(
      await Promise.all(['application_passwords', 'token_families', 'sign_ins'].map(rowsOf)),
    );
    expect(stored).toContain(tenant.userId);
    expect(stored).not.toContain(text.split('_')[2]);
  });

  it('an application password gets no tokens in another case, cut, with another id, or with another user’s name', async () => {
    const [tenant, other] = [await seedTenant(), await seedTenant()];
    const [{ text }, theirs] = [await seedApplicationPassword(tenant), await seedApplicationPassword(other)];
    const [, id, secret] = text.split('_');
    const bad: [name: string, password: string][] = [
      [other.userName, text],
      [tenant.userName.toUpperCase(), text],
      [`${tenant.userName}x`, text],
      ['x'.repeat(1025), text],
      [tenant.userName, theirs.text],
      [tenant.userName, `ap_${theirs.id}_${secret}`],
      [tenant.userName, `ap_${id}_${'A'.repeat(43)}`],
      [tenant.userName, text.slice(0, -1)],
      [tenant.userName, `${text}A`],
      [tenant.userName, ` ${text}`],
      [tenant.userName, text.toUpperCase()],
    ];
    for (const [name, password] of bad)
      expect(await refusalOf(await attempt(name, password, newIpv4()))).toEqual(CREATION_REFUSAL);
    expect((await familiesOf(tenant)).filter(({ began_by: way }) => way === 'application_password')).toEqual([]);
    const used = (await rowsOf('application_passwords')).filter(({ last_used_at: at }) => at !== null);
    expect(used.filter(({ user_id: user }) => user === tenant.userId || user === other.userId)).toEqual([]);
    expect((await attempt(tenant.userName, text, newIpv4())).status).toBe(201);
  });

  it('an application password of a disabled user gets no tokens', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    await disableUser(db, tenant.userName);
    expect(await refusalOf(await attempt(tenant.userName, text, newIpv4()))).toEqual(CREATION_REFUSAL);
  });

  it('an application password does not open the pages', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    const response = await call('/platform/sign-in', {
      method: 'POST',
      headers: { Origin: 'https://terse.test', 'CF-Connecting-IP': tenant.address },
      body: new URLSearchParams({ name: tenant.userName, password: text }),
    });
    expect(response.status).toBe(401);
  });

  it('an application password keeps working when the user changes the password, which ends its tokens', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    const { access_token: token } = await tokensBy(tenant, text);
    await changePassword(db, tenant.userName, 'a new password');
    expect((await outcomeOf(token, 'GET', '/v1/links'))[0]).toBe(401);
    expect((await attempt(tenant.userName, text, tenant.address)).status).toBe(201);
  });

  it('an application password that is revoked ends all its tokens, and no others', async () => {
    const tenant = await seedTenant();
    const [revoked, other] = [await seedApplicationPassword(tenant), await seedApplicationPassword(tenant, 'other')];
    const [first, second] = [await tokensBy(tenant, revoked.text), await tokensBy(tenant, revoked.text)];
    const kept = [await tokensBy(tenant, other.text), await signIn(tenant)];
    const { session } = await seedSession(tenant);
    await revokeApplicationPassword(db, session, revoked.id);
    for (const { access_token, api_token, refresh_token } of [first, second]) {
      expect(await outcomeOf(access_token, 'GET', '/v1/links')).toEqual([401, 'invalid_credential']);
      expect((await call('/v1/links', { headers: { 'X-API-Key': api_token } })).status).toBe(401);
      expect((await refresh(refresh_token)).status).toBe(401);
    }
    for (const { access_token: token } of kept)
      expect(await outcomeOf(token, 'GET', '/v1/links')).toEqual([200, undefined]);
    expect(await refusalOf(await attempt(tenant.userName, revoked.text, tenant.address))).toEqual(CREATION_REFUSAL);
  });

  it('an application password is not revoked by another user', async () => {
    const tenant = await seedTenant();
    const { id, text } = await seedApplicationPassword(tenant);
    const { access_token: token } = await tokensBy(tenant, text);
    await revokeApplicationPassword(db, (await seedSession(await seedTenant())).session, id);
    expect((await outcomeOf(token, 'GET', '/v1/links'))[0]).toBe(200);
    expect((await attempt(tenant.userName, text, tenant.address)).status).toBe(201);
  });

  it('an application password of a session that opens one workspace opens that one alone', async () => {
    const [tenant, other] = [await seedTenant(), await seedTenant()];
    await addMember(db, tenant.userName, other.clientId);
    const { session } = await seedSession(tenant);
    await env.DB.prepare('UPDATE token_families SET client_id = ? WHERE id = ?')
      .bind(other.clientId, session.credential.familyId)
      .run();
    const before = await seedApplicationPassword(tenant, 'of another session');
    const { text } = await createApplicationPassword(db, session, 'n'.repeat(22), { name: 'limited' });
    const { access_token: token } = await tokensBy(tenant, text ?? '');
    expect(await outcomeOf(token, 'GET', `/v1/links?client_id=${other.clientId}`)).toEqual([200, undefined]);
    expect(await outcomeOf(token, 'GET', `/v1/links?client_id=${tenant.clientId}`)).toEqual([403, 'wrong_client']);
    const { passwords } = await listApplicationPasswords(db, session);
    expect(passwords.map(({ name }) => name)).toEqual(['limited']);
    await revokeApplicationPassword(db, session, before.id);
    expect((await attempt(tenant.userName, before.text, tenant.address)).status).toBe(201);
  });
});

describe('a token of an application password', () => {
  it('a token of an application password can do what an API key can', async () => {
    const caller = await seedCaller();
    const link = await seedLink(caller);
    const { access_token: token, refresh_token } = await tokensBy(caller, (await seedApplicationPassword(caller)).text);
    const next = await (await refresh(refresh_token)).json<{ access_token: string }>();
    for (const each of [token, next.access_token]) {
      const create = { url: 'https://example.com/new', client_id: caller.clientId };
      expect(await outcomeOf(each, 'POST', '/v1/links', create)).toEqual([200, undefined]);
      expect(await outcomeOf(each, 'GET', `/v1/links/${link.id}`)).toEqual([200, undefined]);
      expect(await outcomeOf(each, 'PATCH', `/v1/links/${link.id}`, { title: 'New' })).toEqual([200, undefined]);
      expect(await outcomeOf(each, 'GET', `/v1/links/${link.id}/stats`)).toEqual([200, undefined]);
      expect(await outcomeOf(each, 'GET', '/v1/stats')).toEqual([200, undefined]);
      expect(await outcomeOf(each, 'GET', '/v1/me')).toEqual([200, undefined]);
    }
  });

  it.each<[method: string, path: string, fields?: object]>([
    ['GET', '/v1/keys'],
    ['POST', '/v1/keys', { name: 'new', scopes: ['links:read'] }],
    ['GET', '/v1/keys/{key}/links'],
    ['PATCH', '/v1/keys/{key}', { name: 'new' }],
    ['POST', '/v1/keys/{key}/roll', {}],
    ['DELETE', '/v1/keys/{key}'],
    ['GET', '/v1/members'],
    ['PATCH', '/v1/members/{user}', { role: 'member' }],
    ['DELETE', '/v1/members/{user}?keys=revoke'],
    ['GET', '/v1/invites'],
    ['POST', '/v1/invites', { role: 'member' }],
    ['DELETE', '/v1/invites/{key}'],
    ['GET', '/v1/domains'],
    ['POST', '/v1/domains', { host: 'new.example' }],
    ['PATCH', '/v1/domains/{key}', { root_url: null }],
    ['DELETE', '/v1/domains/{key}'],
    ['POST', '/v1/domains/{key}/verify', {}],
    ['GET', '/v1/webhooks'],
    ['POST', '/v1/webhooks', { url: 'https://hooks.example/', events: ['link.created'] }],
    ['DELETE', '/v1/webhooks/{key}'],
    ['GET', '/v1/audit'],
  ])('a token of an application password is refused by %s %s, which wants a person', async (method, path, fields) => {
    const caller = await seedCaller();
    const { access_token: token } = await tokensBy(caller, (await seedApplicationPassword(caller)).text);
    const before = await rowsOf('api_keys');
    const of = path.replace('{key}', caller.apiKey.split('_')[1] ?? '').replace('{user}', caller.userId);
    expect(await outcomeOf(token, method, of, fields)).toEqual([403, 'step_up_required']);
    expect(await rowsOf('api_keys')).toEqual(before);
  });

  it('a token of an application password accepts no invite', async () => {
    const [owner, caller] = [await seedCaller(), await seedCaller()];
    const { access_token: token } = await tokensBy(caller, (await seedApplicationPassword(caller)).text);
    const { url } = await invite(owner);
    const body = { token: url.split('/').at(-1) };
    expect(await outcomeOf(token, 'POST', '/v1/invites/accept', body)).toEqual([403, 'step_up_required']);
  });
});

describe('what create_token notes', () => {
  const usesOf = async (userId: string) => {
    const user = (await rowsOf('users')).find(({ id }) => id === userId);
    const password = (await rowsOf('application_passwords')).find((row) => row['user_id'] === userId);
    const signIns = (await rowsOf('sign_ins')).filter((row) => row['user_id'] === userId);
    const shown = signIns.map((row) => [row['at'], row['way'], row['begun_with'], row['outcome'], row['country']]);
    return {
      basic: user?.['basic_used_at'],
      application: password?.['last_used_at'],
      // Those of one instant by their way.
      signIns: shown.toSorted((a, b) => Number(a[0]) - Number(b[0]) || String(a[1]).localeCompare(String(b[1]))),
    };
  };

  it('create_token notes when each password was used, once in ten minutes, and a sign-in once an hour', async () => {
    const start = Date.parse('2099-03-01T12:00:00Z');
    vi.setSystemTime(start);
    const tenant = await seedTenant();
    const { id, text } = await seedApplicationPassword(tenant);
    await env.DB.prepare('DELETE FROM sign_ins').run();
    expect(await usesOf(tenant.userId)).toEqual({ basic: null, application: null, signIns: [] });
    for (const minutes of [0, 5, 12, 70]) {
      vi.setSystemTime(start + minutes * 60_000);
      await tokensBy(tenant, tenant.password);
      await tokensBy(tenant, text);
      const at = start + (minutes === 5 ? 0 : minutes) * 60_000;
      expect(await usesOf(tenant.userId)).toMatchObject({ basic: at, application: at });
    }
    const { signIns } = await usesOf(tenant.userId);
    expect(signIns).toEqual(
      [start, start + 70 * 60_000].flatMap((at) => [
        [at, 'application_password', id, 'success', null],
        [at, 'basic', null, 'success', null],
      ]),
    );
  });

  it('create_token notes a sign-in from another country at once', async () => {
    const tenant = await seedTenant();
    const headers = { Authorization: tenant.basic, 'CF-Connecting-IP': tenant.address };
    const from = (country: string) => call('/tokens/create_token', { headers, cf: { country } });
    for (const country of ['AT', 'AT', 'JP']) expect((await from(country)).status).toBe(201);
    const { signIns } = await usesOf(tenant.userId);
    expect(signIns.map(([, way, , , country]) => [way, country])).toEqual([
      ['basic', 'AT'],
      ['basic', 'JP'],
    ]);
  });

  it('create_token notes nothing of a refused attempt', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    await env.DB.prepare('DELETE FROM sign_ins').run();
    await attempt(tenant.userName, 'wrong', tenant.address);
    await attempt(tenant.userName, `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`, tenant.address);
    expect(await usesOf(tenant.userId)).toEqual({ basic: null, application: null, signIns: [] });
  });
});

describe('wrong application passwords', () => {
  it('wrong application passwords are limited by address, and one that works there keeps working', async () => {
    const tenant = await seedTenant();
    const { text } = await seedApplicationPassword(tenant);
    const { wrong, known, unknown, elsewhere } = await withinOneWindow(async () => {
      const [isolate, address] = [openIsolate(), newIpv4()];
      const of = (password: string, from = address) => attempt(tenant.userName, password, from, isolate);
      const guess = (index: number) => of(`ap_${'A'.repeat(12)}_${String(index).padStart(43, 'A')}`);
      expect((await of(text)).status).toBe(201);
      const wrong = await statusesOf(70, guess);
      const other = await seedApplicationPassword(tenant, 'unknown to the isolate');
      return {
        wrong,
        known: (await of(text)).status,
        unknown: (await of(other.text)).status,
        elsewhere: (await of(other.text, newIpv4())).status,
      };
    });
    expect([wrong.slice(0, 60), wrong.slice(-5)]).toEqual([times(60, 401), times(5, 429)]);
    expect([known, unknown, elsewhere]).toEqual([201, 429, 201]);
  });

  it('wrong application passwords do not use up the attempts of the account’s own password', async () => {
    const tenant = await seedTenant();
    const wrong = `ap_${'A'.repeat(12)}_${'B'.repeat(43)}`;
    const statuses = await withinOneWindow(async () => {
      const address = newIpv4();
      const guesses = await statusesOf(20, () => attempt(tenant.userName, wrong, address));
      return [...guesses, (await attempt(tenant.userName, tenant.password, address)).status];
    });
    expect(statuses).toEqual([...times(20, 401), 201]);
  });
});

it('an application password begins a family of 30 days', async () => {
  const tenant = await seedTenant();
  await tokensBy(tenant, (await seedApplicationPassword(tenant)).text);
  const family = (await familiesOf(tenant)).find((row) => row['began_by'] === 'application_password');
  expect(Number(family?.['ends_at']) - Number(family?.['started_at'])).toBe(30 * 24 * HOUR_MS);
});
