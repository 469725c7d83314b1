import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { makeFolder, runProcess, strangersEnv, until, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, ROOT } from '../scripts/support/project.ts';
import { ask, startServer } from '../scripts/support/server.ts';
import { arrivalAt, arrive, copyDatabase, keyOf, openRelease, type Release } from './support/releases.ts';

// The fixture of the next release comes from this code, which must therefore know the present service.
describe('the fixture of the present code', () => {
  const project = copyProject();
  const releases = join(project, 'test/releases');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const [former, kept, stored] = [join(releases, '0.9.0'), join(releases, '0.8.0'), join(releases, version)];
  let outcome: Outcome;
  let release: Release;

  beforeAll(async () => {
    for (const each of [former, kept]) {
      mkdirSync(each, { recursive: true });
      for (const name of ['database.sqlite', 'worker.mjs.gz', 'wrangler.toml']) writeFileSync(join(each, name), '');
    }
    writeFileSync(join(releases, 'kept-workers.json'), JSON.stringify({ '0.8.0': 'The first one.' }));
    outcome = await runProcess(NODE, ['scripts/release-fixture.ts'], { cwd: project, env: strangersEnv() });
    expect(outcome).toEqual({ code: 0, stdout: `test/releases/${version} is created.\n`, stderr: '' });
    release = openRelease(stored);
  });

  const rowsOf = (sql: string) => {
    const database = new DatabaseSync(join(stored, 'database.sqlite'), { readOnly: true });
    const rows = database.prepare(sql).all().map(Object.values);
    database.close();
    return rows;
  };

  it('the fixture of the present code has a link of every kind, in its state', () => {
    expect(release.version).toBe(version);
    expect(release.known.links.map(({ name, state }) => [name, state])).toEqual([
      ['all fields', 'active'],
      ['only a URL', 'active'],
      ['by an API token', 'active'],
      ['characters of other scripts', 'active'],
      ['on a custom domain', 'active'],
      ['of another client, with the same campaign', 'active'],
      ['to a host that is blocked later', 'blocked'],
      ['own slug', 'active'],
      ['own slug on a custom domain', 'active'],
      ['expires later', 'active'],
      ['expired', 'expired'],
      ['title and comments', 'active'],
      ['edited', 'active'],
      ['disabled', 'disabled'],
      ['deleted', 'deleted'],
      ['deleted and restored', 'active'],
      ['with an Idempotency-Key', 'active'],
      ['encoded', 'active'],
      ['of a batch', 'active'],
      ['of a batch', 'active'],
      ['imported', 'active'],
    ]);
  });

  it('the fixture of the present code has people, keys, invites, domains and an audit log', () => {
    const { users, apiKeys, domains } = release.known;
    expect(users.map(({ name, clients }) => [name, clients])).toEqual([
      ['ann', { acme: 'owner' }],
      ['bob', { globex: 'owner', acme: 'owner' }],
      ['cyd', { acme: 'member' }],
      ['dan', {}],
    ]);
    for (const { sessionCookie } of users.slice(0, 2)) expect(sessionCookie).toMatch(/^[\w-]+=[\w-]{43}$/);
    expect(apiKeys.map(({ name, clientId, state }) => [name, clientId, state])).toEqual([
      ['build server', 'acme', 'active'],
      ['build server', 'globex', 'active'],
      ['read only', 'acme', 'active'],
      ['rolled', 'acme', 'active'],
      ['revoked', 'acme', 'revoked'],
    ]);
    expect(domains.map(({ host, status }) => [host, status])).toEqual([
      ['go.acme.example', 'active'],
      ['links.acme.example', 'pending'],
      ['old.acme.example', 'removed'],
    ]);
    const invites = 'SELECT accepted_at IS NOT NULL, revoked_at IS NOT NULL FROM invites ORDER BY created_at';
    expect(rowsOf(invites)).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    expect(rowsOf('SELECT host FROM blocked_hosts')).toEqual([['blocked.example']]);
    expect(Number(rowsOf(`SELECT count(*) FROM audit_entries WHERE client_id = 'acme'`)[0]?.[0])).toBeGreaterThan(10);
    expect(rowsOf('SELECT client_id, made FROM encode_days')).toEqual([['acme', 1]]);
  });

  it('the fixture of the present code has files of its stores that are small and have no error', () => {
    expect(readdirSync(stored)).toEqual([
      'database.sqlite',
      'known.json',
      'statistics',
      'worker.mjs.gz',
      'wrangler.toml',
    ]);
    expect(rowsOf('PRAGMA integrity_check')).toEqual([['ok']]);
    expect(readFileSync(join(stored, 'database.sqlite')).length).toBeLessThan(640_000);
  });

  it('the fixture of the present code is served with its links and its statistics', async () => {
    const { known } = release;
    const persistTo = makeFolder();
    copyDatabase(release, persistTo);
    writeFileSync(join(project, '.dev.vars'), `TOKEN_KEYS='${known.tokenKeys}'\n`);
    const server = await startServer({ folder: project, persistTo });
    const { origin } = server;
    const expired = known.links.find(({ state }) => state === 'expired')!;
    await until('the link has expired', async () => (await arrive(origin, null, expired.slug))[0] === 410);
    for (const link of known.links) {
      expect([link.name, await arrive(origin, link.customDomain, link.slug)]).toEqual([link.name, arrivalAt(link)]);
      const { body } = await ask(`${origin}/v1/links/${link.id}`, { headers: keyOf(known, link.clientId) });
      expect(JSON.parse(body)).toMatchObject({ url: link.url, clicks: link.clicks });
    }
    expect(Object.keys(known.clients)).toEqual(['acme', 'globex']);
    for (const [client, { clicks, campaigns }] of Object.entries(known.clients)) {
      const read = async (path: string) =>
        JSON.parse((await ask(origin + path, { headers: keyOf(known, client) })).body);
      expect(await read('/v1/stats')).toMatchObject(clicks);
      for (const [name, sum] of Object.entries(campaigns)) {
        expect(await read(`/v1/campaigns/${encodeURIComponent(name)}/stats`)).toMatchObject(sum);
      }
    }
    await server.end('SIGTERM');
  });

  it('the fixture of the present code has the Worker and its settings, which a former release loses, unless kept-workers.json names it', () => {
    const worker = gunzipSync(readFileSync(join(stored, 'worker.mjs.gz'))).toString();
    expect(worker).toMatch(/export\s*\{/);
    expect(worker).not.toContain('sourceMappingURL');
    expect(readFileSync(join(stored, 'wrangler.toml'), 'utf8')).not.toMatch(/^#/m);
    expect(readSettings(stored)).toEqual(readSettings(ROOT));
    expect(readdirSync(former)).toEqual(['database.sqlite']);
    expect(readdirSync(kept)).toEqual(['database.sqlite', 'worker.mjs.gz', 'wrangler.toml']);
  });
});

function readSettings(folder: string): unknown {
  return experimental_readRawConfig({ config: join(folder, 'wrangler.toml') }).rawConfig;
}
