import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { newNonce } from '../../src/secrets/random-secrets.ts';
import worker from '../../src/index.ts';
import { expectFailure, seedCaller, type Caller } from '../support/forms.ts';
import { answer, ask, seedMember } from '../support/management.ts';
import { form, openBrowser } from '../support/platform.ts';
import { seedLink } from '../support/seed.ts';

/** The caps of one client, and that they do not affect other clients. */

const COUNT_TO = (most: number) =>
  `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${most})`;

const run = (sql: string, ...params: readonly unknown[]) =>
  env.DB.prepare(sql)
    .bind(...params)
    .run();

async function countOf(table: string, where: string, ...params: readonly unknown[]): Promise<number> {
  const found = await env.DB.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where}`)
    .bind(...params)
    .first<number>('count');
  return found ?? 0;
}

const seedHistory = (id: string) =>
  run(
    `${COUNT_TO(1000)} INSERT INTO link_history (link_id, n, at, action, url, changes, edit_id)
     SELECT ?1, n, n, 'edited', 'https://example.com/' || n, '{}', '' FROM counted`,
    id,
  );

const historyOf = async (id: string) =>
  env.DB.prepare('SELECT count(*) AS count, min(n) AS first, max(n) AS last FROM link_history WHERE link_id = ?')
    .bind(id)
    .first();

it('keeps the last 1,000 changes of a link, whichever way it is changed', async () => {
  const caller = await seedCaller();
  const { id } = await seedLink(caller);
  await seedHistory(id);
  await answer(await ask(caller, 'PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' }));
  expect(await historyOf(id)).toEqual({ count: 1000, first: 2, last: 1001 });
  const { browse } = await openBrowser(caller);
  expect((await browse(`/platform/c/${caller.clientId}/links/${id}/disable`, form({}))).status).toBe(303);
  expect(await historyOf(id)).toEqual({ count: 1000, first: 3, last: 1002 });
});

it('another client cannot shorten the history of a link', async () => {
  const [owner, other] = [await seedCaller(), await seedCaller()];
  const { id } = await seedLink(owner);
  await seedHistory(id);
  await run(
    `INSERT INTO link_history (link_id, n, at, action, url, changes, edit_id) VALUES (?, 1001, 1, 'edited', 'x', '{}', '')`,
    id,
  );
  const response = await ask(other, 'PATCH', `/v1/links/${id}`, { url: 'https://example.com/new' });
  expect([response.status, await historyOf(id)]).toEqual([404, { count: 1001, first: 1, last: 1001 }]);
});

const seedKeys = ({ clientId, userId }: Caller, count: number, revokedAt: number | null) =>
  run(
    `${COUNT_TO(count)} INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at, revoked_at)
     SELECT lower(hex(randomblob(6))), ?1, ?2, 'a key', '', n, ?3 FROM counted`,
    clientId,
    userId,
    revokedAt,
  );

const NEW_KEY = { name: 'one more', scopes: ['links:read'] };
const TOO_MANY_KEYS = 'too_many_keys: The limit of 500 active keys is reached. Revoke one that is not used.';

it('refuses a key beyond 500 working ones, until one is revoked', async () => {
  const [caller, other] = [await seedCaller(), await seedCaller()];
  await seedKeys(caller, 498, null);
  const { id } = await answer(await ask(caller, 'POST', '/v1/keys', NEW_KEY), 201);
  await expectFailure(await ask(caller, 'POST', '/v1/keys', NEW_KEY), 409, TOO_MANY_KEYS);
  const { browse } = await openBrowser(caller);
  const nonce = newNonce();
  const byForm = () =>
    browse(`/platform/c/${caller.clientId}/keys/new`, form({ name: 'x', scopes: 'links:read', nonce }));
  const refused = await byForm();
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining('Revoke one that is not used.'),
  ]);
  expect(await countOf('api_keys', 'client_id = ?', caller.clientId)).toBe(500);
  expect((await ask(other, 'POST', '/v1/keys', NEW_KEY)).status).toBe(201);
  expect((await ask(caller, 'DELETE', `/v1/keys/${String(id)}`)).status).toBe(204);
  expect((await byForm()).status).toBe(201);
});

it('counts the keys of all members, so that adopting keys does not change the number', async () => {
  const owner = await seedCaller();
  const member = await seedMember(owner);
  await seedKeys(member, 500 - (await countOf('api_keys', 'client_id = ?', owner.clientId)), null);
  const adopt = () => ask(owner, 'DELETE', `/v1/members/${member.userId}?keys=adopt`);
  expect((await adopt()).status).toBe(204);
  const theirs = 'client_id = ? AND revoked_at IS NULL AND user_id = ?';
  expect([
    await countOf('api_keys', theirs, owner.clientId, owner.userId),
    await countOf('api_keys', theirs, owner.clientId, member.userId),
  ]).toEqual([500, 0]);
  await expectFailure(await ask(owner, 'POST', '/v1/keys', NEW_KEY), 409, TOO_MANY_KEYS);
});

it('keeps the newest 1,000 ended keys in the list, and all keys of others', async () => {
  const [caller, other] = [await seedCaller(), await seedCaller()];
  await seedKeys(caller, 1100, 1);
  await seedKeys(other, 1100, 1);
  await answer(await ask(caller, 'POST', '/v1/keys', NEW_KEY), 201);
  expect([
    await countOf('api_keys', 'client_id = ? AND revoked_at IS NOT NULL', caller.clientId),
    await countOf('api_keys', 'client_id = ? AND created_at <= 100', caller.clientId),
    await countOf('api_keys', 'client_id = ? AND revoked_at IS NOT NULL', other.clientId),
  ]).toEqual([1000, 0, 1100]);
});

it('refuses an invite beyond 100 open ones, until one is revoked', async () => {
  const [caller, other] = [await seedCaller(), await seedCaller()];
  await run(
    `${COUNT_TO(99)} INSERT INTO invites (id, client_id, user_id, token_hash, role, created_at, expires_at)
     SELECT lower(hex(randomblob(6))), ?1, ?2, lower(hex(randomblob(8))), 'member', n, ?3 FROM counted`,
    caller.clientId,
    caller.userId,
    Date.now() + 1e6,
  );
  const { id } = await answer(await ask(caller, 'POST', '/v1/invites', {}), 201);
  const sentence = 'The limit of 100 open invites is reached. Revoke one that is no longer needed.';
  await expectFailure(await ask(caller, 'POST', '/v1/invites', {}), 409, `too_many_invites: ${sentence}`);
  const { browse } = await openBrowser(caller);
  const nonce = newNonce();
  const byForm = () => browse(`/platform/c/${caller.clientId}/members/invite`, form({ role: 'member', nonce }));
  const refused = await byForm();
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(sentence)]);
  expect((await ask(other, 'POST', '/v1/invites', {})).status).toBe(201);
  expect((await ask(caller, 'DELETE', `/v1/invites/${String(id)}`)).status).toBe(204);
  expect((await byForm()).status).toBe(201);
});

const DAY_MS = 24 * 3600 * 1000;

it('keeps the newest 1,000 sign-ins of a user and 10,000 entries of a client in the daily clean-up', async () => {
  const [caller, other] = [await seedCaller(), await seedCaller()];
  const { value } = await openBrowser(caller);
  const now = Date.now();
  const seedFamilies = (userId: string, count: number) =>
    run(
      `${COUNT_TO(count)} INSERT INTO token_families (id, user_id, started_at, ends_at)
       SELECT lower(hex(randomblob(12))), ?1, ?2 + n, ?3 FROM counted`,
      userId,
      now - 2 * DAY_MS,
      now + DAY_MS,
    );
  await seedFamilies(caller.userId, 1100);
  await seedFamilies(other.userId, 900);
  await run('UPDATE token_families SET started_at = 1 WHERE id IN (SELECT family_id FROM sessions)');
  await run(
    `INSERT INTO refresh_tokens (hash, family_id, status)
     SELECT 'hash ' || id, id, 'live' FROM token_families WHERE id NOT IN (SELECT family_id FROM refresh_tokens)`,
  );
  const seedEntries = (clientId: string, count: number) =>
    run(
      `${COUNT_TO(count)} INSERT INTO audit_entries
         (client_id, created_at, id, action, subject_id, user_id, credential_kind, credential_id)
       SELECT ?1, ?2 + n, n, 'key.created', '', '', 'service', '' FROM counted`,
      clientId,
      now - DAY_MS,
    );
  await seedEntries(caller.clientId, 10_100);
  await seedEntries(other.clientId, 50);
  await worker.scheduled(createScheduledController(), env);
  expect([
    await countOf('token_families', 'user_id = ? AND id NOT IN (SELECT family_id FROM sessions)', caller.userId),
    await countOf('token_families', 'user_id = ? AND started_at <= ?', caller.userId, now - 2 * DAY_MS + 101),
    await countOf('sessions', 'family_id IN (SELECT id FROM token_families WHERE user_id = ?)', caller.userId),
    await countOf('token_families', 'user_id = ?', other.userId),
    await countOf('audit_entries', 'client_id = ?', caller.clientId),
    await countOf('audit_entries', 'client_id = ? AND created_at <= ?', caller.clientId, now - DAY_MS + 100),
    await countOf('audit_entries', 'client_id = ?', other.clientId),
  ]).toEqual([1000, 1, 1, 901, 10_000, 0, 50]);
  expect(value).not.toBe('');
});
