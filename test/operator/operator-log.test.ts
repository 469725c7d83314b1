import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { calculateJwkThumbprint } from 'jose';
import { afterEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { signOperatorToken } from '../../src/tokens/operator.ts';
import { publicHalf } from '../../src/secrets/jwks.ts';
import { bearerOf, seedCaller, type Caller } from '../support/forms.ts';
import { HOST, openOperator, type Operator } from '../support/operator.ts';
import { seedLink } from '../support/seed.ts';
import { call } from '../support/service.ts';

/** The operator's log, and what the operator does in the audit logs of those whom it concerns. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Entry {
  readonly command: string;
  readonly subject: string | null;
  readonly outcome: string;
  readonly key_thumbprint: string;
}

const entriesOf = async ({ ask }: Operator): Promise<Entry[]> =>
  (await (await ask('list-log', { limit: 1000 })).json<{ entries: Entry[] }>()).entries;

const shown = ({ command, subject, outcome }: Entry) => [command, subject, outcome];

async function openEmpty(): Promise<Operator> {
  await env.DB.prepare('DELETE FROM operator_log').run();
  return openOperator();
}

interface AuditEntry {
  readonly action: string;
  readonly subject: { readonly name: string | null };
  readonly details: object | null;
}

async function auditOf(owner: Caller): Promise<AuditEntry[]> {
  const response = await call(`/v1/audit?client_id=${owner.clientId}`, { headers: bearerOf(owner) });
  return (await response.json<{ entries: AuditEntry[] }>()).entries;
}

const byOperator = { by: { local_id: null, name: null }, credential: { kind: 'operator', id: null } };

describe('the operator’s log', () => {
  it('the operator’s log has each command with its subject, its outcome and the thumbprint of the key, newest first', async () => {
    const operator = await openEmpty();
    const { clientId, userName } = await seedCaller();
    expect((await operator.ask('make-key', { client_id: clientId, name: 'build' })).status).toBe(200);
    expect((await operator.ask('disable-user', { name: userName })).status).toBe(200);
    const entries = await entriesOf(operator);
    expect(entries.map(shown)).toEqual([
      ['list-log', '', 'begun'],
      ['disable-user', `name=${userName}`, 'done'],
      ['make-key', `name=build client_id=${clientId}`, 'done'],
    ]);
    const thumbprint = await calculateJwkThumbprint({ ...publicHalf(operator.key) });
    expect(new Set(entries.map((entry) => entry.key_thumbprint))).toEqual(new Set([thumbprint]));
  });

  it('the operator’s log has refused commands with the code of the error', async () => {
    const operator = await openEmpty();
    await operator.ask('disable-user', { name: 'no-such-user' });
    await operator.ask('disable-user', { name: 5 });
    await operator.ask('unblock-host', { host: 'not-blocked.example' });
    expect((await entriesOf(operator)).slice(1).map(shown)).toEqual([
      ['unblock-host', 'host=not-blocked.example', 'edit_conflict'],
      ['disable-user', null, 'malformed_body'],
      ['disable-user', 'name=no-such-user', 'not_found'],
    ]);
  });

  it('the operator’s log has no password, no key and no reset link', async () => {
    const operator = await openEmpty();
    const { clientId, userName } = await seedCaller();
    const password = 'a long and secret password';
    await operator.ask('change-password', { name: userName, password });
    await operator.ask('add-user', { name: 'log-ann', client_id: clientId, password });
    const { api_key } = await (
      await operator.ask('make-key', { client_id: clientId, name: 'x' })
    ).json<{ api_key: string }>();
    const { path } = await (await operator.ask('make-reset-link', { name: userName })).json<{ path: string }>();
    const { results } = await env.DB.prepare('SELECT * FROM operator_log').all();
    const logged = JSON.stringify(results);
    for (const secret of [password, api_key, path.split('/').at(-1)!]) expect(logged).not.toContain(secret);
  });

  it('the operator’s log has no entry of a request without a good key', async () => {
    const operator = await openEmpty();
    const other = await openOperator();
    await operator.show(await signOperatorToken(other.key, HOST));
    await operator.show('no token');
    await operator.show(null);
    expect(await entriesOf(operator)).toHaveLength(1);
  });

  it('the operator’s log has one entry for equal commands of an hour that the tools send many times', async () => {
    vi.setSystemTime('2026-05-20T10:00:00Z');
    const operator = await openEmpty();
    const { schema } = await (await operator.ask('read-tables')).json<{ schema: string }>();
    const page = { schema, limit: 1, after: null, owners: null };
    for (let n = 0; n < 3; n++) await operator.ask('read-rows', { ...page, table: 'users' });
    await operator.ask('read-rows', { ...page, table: 'clients' });
    vi.setSystemTime('2026-05-20T11:00:00Z');
    await operator.ask('read-rows', { ...page, table: 'users' });
    const { results } = await env.DB.prepare(
      `SELECT subject FROM operator_log WHERE command = 'read-rows' ORDER BY at, subject`,
    ).all();
    expect(results).toEqual([{ subject: 'table=clients' }, { subject: 'table=users' }, { subject: 'table=users' }]);
  });

  it('the operator’s log stays during a restore, and is no part of it', async () => {
    const operator = await openEmpty();
    const { tables } = await (await operator.ask('read-tables')).json<{ tables: { name: string }[] }>();
    expect(tables.map(({ name }) => name)).not.toContain('operator_log');
  });

  it('the operator’s log has entries for a year', async () => {
    const operator = await openEmpty();
    const at = Date.now();
    await env.DB.prepare(
      `INSERT INTO operator_log (id, at, command, key_thumbprint, outcome)
       VALUES ('old', ?1, 'list-users', 'x', 'done'), ('young', ?2, 'list-users', 'x', 'done')`,
    )
      .bind(at - 367 * 24 * 3600 * 1000, at - 365 * 24 * 3600 * 1000)
      .run();
    await worker.scheduled(createScheduledController({ cron: '17 4 * * *' }), env);
    expect((await entriesOf(operator)).map(shown)).toEqual([
      ['list-log', '', 'begun'],
      ['list-users', null, 'done'],
    ]);
  });
});

describe('what the operator does', () => {
  it('what the operator does is in the audit log of the client, by the operator, without more', async () => {
    const owner = await seedCaller();
    const operator = await openOperator();
    const ask = async (command: string, fields: object) =>
      expect((await operator.ask(command, fields)).status).toBe(200);
    await ask('make-key', { client_id: owner.clientId, name: 'build' });
    await ask('add-domain', { client_id: owner.clientId, host: 'audited.example' });
    await ask('add-user', { client_id: owner.clientId, name: 'audited-ann', password: 'a long password' });
    await ask('join-client', { client_id: owner.clientId, name: 'audited-ann', role: 'member' });
    await ask('join-client', { client_id: owner.clientId, name: 'audited-ann', role: 'member' });
    await ask('change-password', { name: 'audited-ann', password: 'another password' });
    await ask('make-reset-link', { name: 'audited-ann' });
    await ask('disable-user', { name: 'audited-ann' });
    await ask('disable-user', { name: 'audited-ann' });
    await ask('enable-user', { name: 'audited-ann' });
    const entries = await auditOf(owner);
    expect(entries.toReversed().map(({ action, subject, details }) => [action, subject.name, details])).toEqual([
      ['key.created', 'build', { scopes: ['links:read', 'links:write', 'stats:read'], expires_at: null }],
      ['domain.added', 'audited.example', null],
      ['member.joined', 'audited-ann', { role: 'owner' }],
      ['member.role_changed', 'audited-ann', { role: 'member', former_role: 'owner' }],
      ['member.password_reset', 'audited-ann', null],
      ['member.reset_link_made', 'audited-ann', null],
      ['member.disabled', 'audited-ann', null],
      ['member.enabled', 'audited-ann', null],
    ]);
    for (const entry of entries) expect(entry).toMatchObject(byOperator);
  });

  it('what the operator does is in no audit log if it was refused', async () => {
    const owner = await seedCaller();
    const other = await seedCaller();
    const operator = await openOperator();
    await operator.ask('add-domain', { client_id: owner.clientId, host: 'taken.audited.example' });
    await operator.ask('add-domain', { client_id: owner.clientId, host: 'taken.audited.example' });
    await operator.ask('add-domain', { client_id: other.clientId, host: 'taken.audited.example' });
    await operator.ask('add-user', { client_id: other.clientId, name: owner.userName, password: 'a long password' });
    expect((await auditOf(owner)).map(({ action }) => action)).toEqual(['domain.added']);
    expect(await auditOf(other)).toEqual([]);
  });

  it('what the operator does to a user of several clients is in the audit log of each', async () => {
    const [first, second] = [await seedCaller(), await seedCaller()];
    const operator = await openOperator();
    await operator.ask('join-client', { name: first.userName, client_id: second.clientId });
    await operator.ask('change-password', { name: first.userName, password: 'a long password' });
    expect((await auditOf(second)).map(({ action, subject }) => [action, subject.name])).toEqual([
      ['member.password_reset', first.userName],
      ['member.joined', first.userName],
    ]);
    const { results } = await env.DB.prepare('SELECT action FROM audit_entries WHERE client_id = ?')
      .bind(first.clientId)
      .all();
    expect(results).toEqual([{ action: 'member.password_reset' }]);
  });

  it('what the operator does to a host is in the audit log of each client with links to it, once', async () => {
    const [first, second, other] = [await seedCaller(), await seedCaller(), await seedCaller()];
    const operator = await openOperator();
    await seedLink(first, { url: 'https://a.blocked-audit.example/' });
    await seedLink(first, { url: 'https://b.blocked-audit.example/' });
    await seedLink(second, { url: 'https://blocked-audit.example/' });
    await seedLink(other, { url: 'https://fine.example/' });
    const host = 'blocked-audit.example';
    for (const command of ['block-host', 'unblock-host']) {
      await operator.ask(command, { host });
      for (let n = 0; n < 2; n++) await operator.ask('publish-links-to', { host, after: '' });
    }
    for (const owner of [first, second]) {
      expect((await auditOf(owner)).map(({ action, subject }) => [action, subject.name])).toEqual([
        ['host.unblocked', host],
        ['host.blocked', host],
      ]);
    }
    expect(await auditOf(other)).toEqual([]);
  });
});
