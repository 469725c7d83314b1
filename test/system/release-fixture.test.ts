import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { experimental_readRawConfig } from 'wrangler';
import { knownSchema, type Known } from '../../scripts/release-fixture/known.ts';
import { makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, ROOT } from '../scripts/support/project.ts';

// The fixture of the next release comes from this code, which must therefore know the present service.
describe('the fixture of the present code', () => {
  const project = copyProject();
  const folder = makeFolder();
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const [former, kept] = [join(folder, 'test/releases/0.9.0'), join(folder, 'test/releases/0.8.0')];
  const stored = join(folder, 'test/releases', version);
  let outcome: Outcome;
  let known: Known;

  beforeAll(async () => {
    for (const each of [former, kept]) {
      mkdirSync(each, { recursive: true });
      for (const name of ['database.sqlite', 'worker.mjs.gz', 'wrangler.toml']) writeFileSync(join(each, name), '');
    }
    writeFileSync(join(folder, 'test/releases/kept-workers.json'), JSON.stringify({ '0.8.0': 'The first one.' }));
    const script = join(ROOT, 'scripts/release-fixture.ts');
    outcome = await runProcess(NODE, [script, '--project', project], { cwd: folder, env: strangersEnv() });
    expect(outcome.stderr).toBe('');
    known = knownSchema.parse(JSON.parse(readFileSync(join(stored, 'known.json'), 'utf8')));
  });

  it('the fixture of the present code is created in the current folder', () => {
    expect(outcome).toEqual({ code: 0, stdout: `test/releases/${version} is created.\n`, stderr: '' });
    expect(known.version).toBe(version);
  });

  it('the fixture of the present code has a link of every kind, in its state', () => {
    expect(known.links.map(({ name, state }) => [name, state])).toEqual([
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
    expect(known.users.map(({ name, clients }) => [name, clients])).toEqual([
      ['ann', { acme: 'owner' }],
      ['bob', { globex: 'owner', acme: 'owner' }],
      ['cyd', { acme: 'member' }],
      ['dan', {}],
    ]);
    expect(known.users[0]?.sessionCookie).toMatch(/^[\w-]+=[\w-]{43}$/);
    expect(known.apiKeys.map(({ name, state }) => [name, state])).toEqual([
      ['build server', 'active'],
      ['build server', 'active'],
      ['read only', 'active'],
      ['rolled', 'active'],
      ['revoked', 'revoked'],
    ]);
    expect(known.invites.map(({ state }) => state)).toEqual(['accepted', 'accepted', 'revoked', 'open']);
    expect(known.domains.map(({ host, status }) => [host, status])).toEqual([
      ['go.acme.example', 'active'],
      ['links.acme.example', 'pending'],
      ['old.acme.example', 'removed'],
    ]);
    expect(known.auditEntries['acme']).toBeGreaterThan(10);
  });

  it('the fixture of the present code has a database of one file, which is small and has no error', () => {
    const database = new DatabaseSync(join(stored, 'database.sqlite'), { readOnly: true });
    expect({ ...database.prepare('PRAGMA integrity_check').get() }).toEqual({ integrity_check: 'ok' });
    database.close();
    expect(readFileSync(join(stored, 'database.sqlite')).length).toBeLessThan(450_000);
    expect(readdirSync(stored).filter((name) => name.startsWith('database'))).toEqual(['database.sqlite']);
  });

  it('the fixture of the present code has the Worker and its settings, which a former release loses, unless kept-workers.json names it', () => {
    const compressed = join(stored, 'worker.mjs.gz');
    const worker = existsSync(compressed)
      ? gunzipSync(readFileSync(compressed)).toString()
      : readFileSync(join(stored, 'worker.mjs'), 'utf8');
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
