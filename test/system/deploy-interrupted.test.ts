import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readMigrations } from '../../scripts/migrations/files.ts';
import type { Outcome } from '../scripts/support/processes.ts';
import type { Cloudflare } from './support/cloudflare/cloudflare.ts';
import type { Failure, RecordedRequest } from './support/cloudflare/requests.ts';
import { openBuiltDeploys, type Deploys } from './support/deploys.ts';

/** Deploys in which a request to Cloudflare, or to the deployed service, fails. */

const [HOST, SITE] = ['go.example.com', 'https://go.example.com'];

it.each<[when: string, failure: Failure]>([
  ['before it takes effect', {}],
  ['after it took effect, without an answer', { takesEffect: true, answer: 'drop' }],
])('a deploy continues when it is given again after each kind of request has failed %s', async (_when, failure) => {
  const deploys = await openBuiltDeploys({ zones: ['example.com'] });
  const failures = failEachKind(deploys.cloudflare, failure);
  for (;;) {
    const outcome = await deploys.deploy('--domain', HOST);
    const failed = failures.next();
    expectSentence(outcome, failed);
    if (failed.length === 0) break;
  }
  failures.stop();
  // Without these, nothing would have been tested.
  expect(failures.kinds()).toEqual(expect.arrayContaining(CHANGES));
  await expectOneOfEverything(deploys);
});

const A = '/accounts/*';
const SCRIPT = `${A}/workers/scripts/terse`;
const CHANGES = [
  `POST ${A}/d1/database`,
  `POST ${A}/storage/kv/namespaces`,
  `POST ${A}/queues terse-clicks`,
  `POST ${A}/queues terse-clicks-dead`,
  `POST ${A}/queues terse-webhooks`,
  `POST ${A}/d1/database/*/query 0001_initial.sql`,
  `PUT ${A}/d1/database/*`,
  `PUT ${SCRIPT}`,
  `PATCH ${SCRIPT}/script-settings`,
  `PUT ${SCRIPT}/schedules`,
  `POST ${A}/queues/*/consumers`,
  `PUT ${SCRIPT}/domains/records`,
  `POST ${SITE}/operator/v1/add-user`,
  `POST ${SITE}/operator/v1/make-key`,
  `POST ${SITE}/v1/links`,
];

/** Lets each kind of request fail in the first deploy that comes to it, and in no later one. */
function failEachKind(cloudflare: Cloudflare, failure: Failure) {
  const kinds = new Set<string>();
  let failing = new Set<string>();
  let isOver = false;
  // wrangler ends in the same way, whatever it could not read.
  let hasReadFailed = false;
  const fails = ({ method, agent }: RecordedRequest, kind: string, isRepeated: boolean) => {
    // For what is only read, before and after are the same.
    if (isOver || (failure.takesEffect === true && method === 'GET')) return false;
    const id = `${agent} ${kind}`;
    if (kinds.has(id)) return !isRepeated && failing.has(id);
    const isRead = method === 'GET' && agent.startsWith('wrangler');
    if (isRead && hasReadFailed) return false;
    hasReadFailed ||= isRead;
    kinds.add(id);
    failing.add(id);
    return true;
  };
  const all = { ...failure, times: Number.POSITIVE_INFINITY };
  // wrangler repeats the upload of files for half a minute.
  cloudflare.failAt((call) => fails(call, callKind(call), call.path.endsWith('/assets/upload')), all);
  // A deploy waits for a quarter of an hour until the service answers.
  cloudflare.failVisitAt((visit) => fails(visit, visitKind(visit), true), all);
  const withoutAgent = (ids: Iterable<string>) => [...ids].map((id) => id.replace(/^\S* /, ''));
  return {
    kinds: () => withoutAgent(kinds),
    /** Returns the kinds that failed in this deploy. */
    next(): readonly string[] {
      const failed = withoutAgent(failing);
      failing = new Set();
      return failed;
    },
    stop: () => void (isOver = true),
  };
}

function callKind({ method, path, body }: RecordedRequest): string {
  const { queue_name: queue = '', sql = '' } = (body ?? {}) as { queue_name?: string; sql?: string };
  const [, migration = sql.trim().slice(0, 15)] = /'(\d{4}_\w+\.sql)'/.exec(sql) ?? [];
  const step = migration.endsWith('.sql') && !MIGRATIONS.has(migration) ? 'a step between' : migration;
  return [method, path.replaceAll(/[0-9a-f]{32}|[0-9a-f-]{36}/g, '*'), queue, step].filter(Boolean).join(' ');
}

// All others are applied by the same requests; the first fails.
const MIGRATIONS = new Set([readMigrations().at(0)?.name, readMigrations().at(-1)?.name]);

const visitKind = ({ method, path }: RecordedRequest): string =>
  `${method} ${SITE}${path.replace(/(?<=^\/|^\/v1\/links\/)\w{8}$/, '*')}`;

/** A deploy says in one sentence what failed; or it succeeds, since it has tried again. */
function expectSentence({ code, stderr }: Outcome, failed: readonly string[]): void {
  const isNamed = failed.some((kind) => namesOf(kind).some((name) => name.test(stderr)));
  expect([failed, code, stderr, isNamed]).toEqual(
    code === 0
      ? [failed, 0, '', false]
      : [failed, 2, expect.stringMatching(/^[^\n]+run the same command again[^\n]+\.\n$/i), true],
  );
}

function namesOf(kind: string): RegExp[] {
  const [, path = ''] = kind.split(' ');
  const isOfService = path.startsWith(SITE);
  const pattern = path.replace(SITE, '').replaceAll('*', String.raw`[^/\s]+`);
  return [
    new RegExp(String.raw`${pattern}[ :)]`),
    // Without an answer, the path is not known everywhere.
    isOfService ? /^go\.example\.com did not answer \(other side closed\)/ : NO_ANSWER,
  ];
}

const NO_ANSWER = /^The Worker was not deployed completely: .*Cloudflare's API did not answer\./;

const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

async function expectOneOfEverything({ folder, cloudflare }: Deploys): Promise<void> {
  const { databases, namespaces, queues, scripts, domains, zones } = cloudflare.state;
  const script = scripts.get('terse');
  expect({
    databases: databases.map(({ name, read_replication: { mode } }) => [name, mode]),
    namespaces: namespaces.map(({ title }) => title),
    queues: queues.map(({ queue_name, settings }) => [queue_name, settings.message_retention_period / 86_400]),
    consumers: queues.map(({ consumers }) => consumers.map((each) => [each.script, each.dead_letter_queue])),
    workers: [...scripts.keys()],
    crons: script?.schedules,
    logs: script?.settings.observability,
    domains: domains.map(({ hostname, service }) => [hostname, service]),
    records: zones.flatMap(({ records }) => records.map(({ name }) => name)),
    kept: read(folder, 'domains.json'),
    origin: read(folder, 'deployed.json'),
  }).toEqual({
    databases: [['terse', 'auto']],
    namespaces: ['terse-links'],
    queues: [
      ['terse-clicks', 4],
      ['terse-clicks-dead', 14],
      ['terse-webhooks', 4],
    ],
    consumers: [[['terse', 'terse-clicks-dead']], [['terse', undefined]], [['terse', undefined]]],
    workers: ['terse'],
    crons: ['17 4 * * *', '*/5 * * * *'],
    logs: { logs: { enabled: true, invocation_logs: false } },
    domains: [[HOST, 'terse']],
    records: [HOST],
    kept: { production: [HOST] },
    origin: { production: SITE },
  });

  // The signing keys were never replaced.
  const keys = new Set(
    script?.versions.map(({ bindings }) => bindings.find(({ name }) => name === 'TOKEN_KEYS')?.['text']),
  );
  expect([...keys]).toEqual([readFileSync(join(folder, 'token-keys.json'), 'utf8').trim()]);

  const { user, password, client_id, api_key } = read(folder, 'first-account.json');
  const rows = (sql: string) => cloudflare.rows('terse', sql);
  // Deploys after the one that followed the first link have checked with links of another account.
  expect(await rows('SELECT name FROM users')).toEqual([{ name: 'admin' }, { name: 'terse-deploy' }]);
  expect(await rows('SELECT id FROM clients ORDER BY id')).toEqual([{ id: client_id }, { id: 'terse-deploy' }]);
  const links = await rows(`SELECT client_id, url FROM links WHERE client_id <> 'terse-deploy'`);
  expect(links).toEqual([{ client_id, url: 'https://example.com/' }]);
  // A key whose answer was lost is not created a second time.
  expect(await rows(`SELECT name FROM api_keys WHERE client_id = 'default'`)).toEqual([{ name: 'first key' }]);
  const headers = { Authorization: `Basic ${btoa(`${user}:${password}`)}` };
  expect(await cloudflare.visit(`${SITE}/tokens/create_token`, { headers })).toMatchObject({ status: 201 });
  const listed = await cloudflare.visit(`${SITE}/v1/links`, { headers: { 'X-API-Key': api_key } });
  expect(listed).toMatchObject({ status: 200 });

  const names = readMigrations().map(({ name }) => ({ name }));
  expect(await rows('SELECT name FROM d1_migrations ORDER BY id')).toEqual(names);
  const imports = cloudflare.requests.filter(({ path }) => path.endsWith('/import'));
  expect([imports, cloudflare.unknown]).toEqual([[], []]);
}

// A deploy with Durable Objects sends these only if it is gradual.
it('a deploy continues when it is given again after a gradual deploy was interrupted', async () => {
  const { cloudflare, deploy } = await openBuiltDeploys();
  expect((await deploy()).code).toBe(0);
  const shares = () => cloudflare.state.scripts.get('terse')?.deployments[0]?.versions.map((each) => each.percentage);
  const posts = (kind: string) => (call: RecordedRequest) => call.method === 'POST' && call.path.endsWith(`/${kind}`);
  const interrupted = { code: 2, stderr: expect.stringMatching(/^[^\n]+run the same command again[^\n]+\n$/i) };
  // Another status would let wrangler repeat the request.
  cloudflare.failAt(posts('versions'), { answer: { status: 400, code: 10013, message: 'Interrupted' } });
  expect(await deploy('--gradual', '10')).toMatchObject(interrupted);
  expect(shares()).toEqual([100]);
  cloudflare.failAt(posts('deployments'), { takesEffect: true, answer: 'drop' });
  expect(await deploy('--gradual', '10')).toMatchObject(interrupted);
  expect(shares()).toEqual([10, 90]);
  expect(await deploy('--gradual', '10')).toMatchObject({ code: 0, stderr: '' });
  expect(shares()).toEqual([100]);
});

it('a deploy drops a domain, and says how to return, when a deploy has failed after that', async () => {
  const { folder, cloudflare, deploy } = await openBuiltDeploys({ zones: ['example.com'] });
  const both = ['--domain', HOST, '--domain', 'acme.example.com'];
  expect(await deploy(...both)).toMatchObject({ code: 0, stderr: '' });
  rmSync(join(folder, 'first-account.json'));
  cloudflare.failVisitAt(({ path }) => path === '/v1/links');
  const { code, stderr } = await deploy('--drop-domain', 'acme.example.com');
  expect([code, stderr]).toEqual([
    2,
    'The new version does not create a link: /v1/links answered 500 (error code: 1101). Run the same command again to continue, or "npm run deploy -- --rollback" to return to the version before.\n',
  ]);
  expect(await deploy('--drop-domain', 'acme.example.com')).toMatchObject({ code: 0, stderr: '' });
  expect(cloudflare.state.domains.map(({ hostname }) => hostname)).toEqual([HOST]);
  expect(read(folder, 'domains.json')).toEqual({ production: [HOST] });
});

it('a deploy uses the first key once, so that a deploy succeeds after that was revoked', async () => {
  const { folder, cloudflare, deploy } = await openBuiltDeploys();
  expect((await deploy()).stdout).toContain('An account was created for you.');
  await cloudflare.rows('terse', 'UPDATE api_keys SET revoked_at = 1');
  expect(await deploy()).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(folder, 'first-account.json'))).toBe(true);
  expect(await cloudflare.rows('terse', `SELECT url FROM links WHERE client_id = 'default'`)).toHaveLength(1);
});
