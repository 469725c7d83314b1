import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { QUIET_WRANGLER } from '../../scripts/wrangler.ts';
import { makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { NODE, ROOT } from '../scripts/support/project.ts';
import { uploadForm } from './support/cloudflare/client.ts';
import { startCloudflare, type Cloudflare, type CloudflareOptions } from './support/cloudflare/cloudflare.ts';

/** The stub of Cloudflare, with wrangler as its client, which is as strict as Cloudflare's own programs are. */

const SITE = 'https://tiny.example.workers.dev';

const SOURCE = `export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/click') await env.CLICKS.send({ at: pathname });
    if (pathname === '/limited') return Response.json(await env.LIMIT.limit({ key: 'one' }));
    if (pathname === '/stored') await env.LINKS.put('key', 'value');
    const { clicks } = await env.DB.prepare('SELECT count(*) AS clicks FROM clicks').first();
    return Response.json({
      clicks, greeting: env.GREETING, secret: env.SECRET, stored: await env.LINKS.get('key'), version: env.VERSION.id,
      visitor: request.headers.get('CF-Connecting-IP'), url: request.url,
    });
  },
  async queue(batch, env) {
    for (const { body } of batch.messages) await env.DB.prepare('INSERT INTO clicks VALUES (?1)').bind(body.at).run();
  },
};`;

/** A Worker that says a word, for tests about which one answers. */
const saying = (word: string) => uploadForm(`export default { fetch: () => new Response('${word}') };`);

async function start(options?: CloudflareOptions): Promise<Cloudflare> {
  const cloudflare = await startCloudflare(options);
  onTestFinished(() => cloudflare.close());
  return cloudflare;
}

/** A folder with a Worker and its configuration, and a function that runs wrangler there. */
function project(cloudflare: Cloudflare, config: Readonly<Record<string, unknown>>, source = SOURCE) {
  const folder = makeFolder();
  const configure = (changes: Readonly<Record<string, unknown>>) => {
    const all = { name: 'tiny', main: 'index.js', compatibility_date: '2026-10-01', preview_urls: false, ...changes };
    writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(all));
  };
  configure(config);
  writeFileSync(join(folder, 'index.js'), source);
  mkdirSync(join(folder, 'public/assets'), { recursive: true });
  writeFileSync(join(folder, 'public/assets/note.txt'), 'A file.');
  const env = { ...strangersEnv(), ...QUIET_WRANGLER, ...cloudflare.env };
  const wrangler = (args: readonly string[], stdin = ''): Promise<Outcome> =>
    runProcess(NODE, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], { cwd: folder, env, stdin });
  return { folder, env, configure, wrangler };
}

const STORES = {
  queues: {
    producers: [{ binding: 'CLICKS', queue: 'clicks' }],
    consumers: [{ queue: 'clicks', max_batch_size: 2, max_batch_timeout: 1 }],
  },
  assets: {
    directory: 'public',
    binding: 'ASSETS',
    run_worker_first: ['/*', '!/assets/*'],
    not_found_handling: 'none',
  },
  ratelimits: [{ name: 'LIMIT', namespace_id: '1', simple: { limit: 1, period: 60 } }],
  version_metadata: { binding: 'VERSION' },
  triggers: { crons: ['17 4 * * *'] },
  vars: { GREETING: 'Hello' },
};

it('the stub of Cloudflare runs a Worker that wrangler has deployed from an empty account', async () => {
  const cloudflare = await start();
  const { state } = cloudflare;
  const { wrangler, configure, env } = project(cloudflare, {});
  const created = await Promise.all([
    wrangler(['d1', 'create', 'tiny']),
    wrangler(['kv', 'namespace', 'create', 'LINKS']),
    wrangler(['queues', 'create', 'clicks', '--message-retention-period-secs', '1209600']),
  ]);
  expect(created.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect([state.databases[0]?.name, state.namespaces[0]?.title]).toEqual(['tiny', 'LINKS']);
  expect(state.queues[0]).toMatchObject({ queue_name: 'clicks', settings: { message_retention_period: 1_209_600 } });

  configure({
    ...STORES,
    d1_databases: [{ binding: 'DB', database_name: 'tiny', database_id: state.databases[0]?.uuid }],
    kv_namespaces: [{ binding: 'LINKS', id: state.namespaces[0]?.id }],
  });
  expect(await cloudflare.rows('tiny', 'CREATE TABLE clicks (at TEXT)')).toEqual([]);
  expect(await wrangler(['deploy'])).toMatchObject({ code: 0 });
  expect(await wrangler(['secret', 'put', 'SECRET'], 'hush')).toMatchObject({ code: 0 });
  expect(cloudflare.secrets('tiny')).toEqual(new Map([['SECRET', 'hush']]));
  expect(state.scripts.get('tiny')).toMatchObject({ schedules: ['17 4 * * *'], workersDev: { enabled: true } });

  // Three clicks: a full batch, and one that waits for more.
  for (const _ of [1, 2, 3]) await cloudflare.visit(`${SITE}/click`);
  await cloudflare.queuesSettled();
  const script = `const response = await fetch('${SITE}/stored'); console.log(await response.text());`;
  const child = await runProcess(NODE, ['--input-type=module', '-e', script], { cwd: ROOT, env });
  expect(JSON.parse(child.stdout)).toEqual({
    clicks: 3,
    greeting: 'Hello',
    secret: 'hush',
    stored: 'value',
    version: state.scripts.get('tiny')?.versions.at(-1)?.id,
    visitor: '192.0.2.1',
    url: `${SITE}/stored`,
  });
  expect(await cloudflare.visit(`${SITE}/assets/note.txt`)).toMatchObject({ status: 200, body: 'A file.' });
  const limited = [1, 2, 3].map(async () => JSON.parse((await cloudflare.visit(`${SITE}/limited`)).body));
  // A new minute may begin between them.
  expect(await Promise.all(limited)).toEqual(expect.arrayContaining([{ success: true }, { success: false }]));
  expect(cloudflare.unknown).toEqual([]);
});

it('the stub of Cloudflare splits traffic between two versions, lets a header choose one, and goes back', async () => {
  const cloudflare = await start();
  await cloudflare.call('PUT', '/accounts/:account/workers/scripts/tiny', saying('old'));
  await cloudflare.call('POST', '/accounts/:account/workers/scripts/tiny/subdomain', { enabled: true });
  const { wrangler } = project(cloudflare, {}, `export default { fetch: () => new Response('new') };`);
  expect(await wrangler(['versions', 'upload'])).toMatchObject({ code: 0 });
  const [before = '', after = ''] = cloudflare.state.scripts.get('tiny')?.versions.map(({ id }) => id) ?? [];
  const pinned = { headers: { 'Cloudflare-Workers-Version-Overrides': `other="x", tiny="${after}"` } };
  // A version that is not deployed cannot be chosen.
  expect(await cloudflare.visit(SITE, pinned)).toMatchObject({ status: 200, body: 'old' });

  expect(await wrangler(['versions', 'deploy', `${before}@90%`, `${after}@10%`, '--yes'])).toMatchObject({ code: 0 });
  const words = await Promise.all(Array.from({ length: 20 }, () => cloudflare.visit(SITE)));
  expect(words.filter(({ body }) => body === 'new')).toHaveLength(2);
  expect(await cloudflare.visit(SITE, pinned)).toMatchObject({ status: 200, body: 'new' });

  expect(await wrangler(['rollback', '--yes'])).toMatchObject({ code: 0 });
  expect(cloudflare.state.scripts.get('tiny')?.deployments[0]?.versions).toEqual([
    { version_id: before, percentage: 100 },
  ]);
  expect(await cloudflare.visit(SITE, pinned)).toMatchObject({ status: 200, body: 'old' });
  expect(cloudflare.unknown).toEqual([]);
});

it('the stub of Cloudflare binds domains, which have a certificate after some attempts', async () => {
  const cloudflare = await start({ zones: ['example.com'], handshakesToFail: 2 });
  const { wrangler } = project(cloudflare, {}, `export default { fetch: ({ url }) => new Response(url) };`);
  const domains = ['--domain', 'example.com', '--domain', 'go.example.com'];
  expect(await wrangler(['deploy', ...domains])).toMatchObject({ code: 0 });
  await expect(cloudflare.visit('https://go.example.com/a')).rejects.toThrow('handshake failure');
  await expect(cloudflare.visit('https://go.example.com/a')).rejects.toThrow('handshake failure');
  expect(await cloudflare.visit('https://go.example.com/a')).toMatchObject({ body: 'https://go.example.com/a' });

  // Wrangler removes what its configuration does not name, with the DNS record.
  expect(await wrangler(['deploy', '--domain', 'example.com'])).toMatchObject({ code: 0 });
  expect(cloudflare.state.domains.map(({ hostname }) => hostname)).toEqual(['example.com']);
  expect(cloudflare.state.zones[0]?.records.map(({ name }) => name)).toEqual(['example.com']);
  await expect(cloudflare.visit('https://go.example.com/a')).rejects.toThrow('go.example.com:443 was not found');
  expect(cloudflare.unknown).toEqual([]);
});

it('the stub of Cloudflare lets a call of wrangler fail', async () => {
  const cloudflare = await start();
  const { wrangler } = project(cloudflare, { triggers: { crons: ['17 4 * * *'] } });
  cloudflare.failAt(({ path }) => path.endsWith('/schedules'), {
    answer: { status: 500, code: 10013, message: 'Schedules are being repaired' },
  });
  const { code, stderr } = await wrangler(['deploy']);
  expect(code).toBe(1);
  expect(stderr).toContain('Schedules are being repaired [code: 10013]');
  expect(cloudflare.state.scripts.get('tiny')).toMatchObject({ schedules: [], versions: [{ number: 1 }] });
});
