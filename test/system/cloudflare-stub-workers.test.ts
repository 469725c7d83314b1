import { expect, it, onTestFinished } from 'vitest';
import { runProcess, strangersEnv } from '../scripts/support/processes.ts';
import { NODE, ROOT } from '../scripts/support/project.ts';
import { uploadForm } from './support/cloudflare/client.ts';
import { startCloudflare, type Cloudflare, type CloudflareOptions } from './support/cloudflare/cloudflare.ts';

/** The Workers that the stub of Cloudflare runs, as far as wrangler does not show it. */

const A = '/accounts/:account';
const TINY = `${A}/workers/scripts/tiny`;
const SITE = 'https://tiny.example.workers.dev';

async function start(options?: CloudflareOptions): Promise<Cloudflare> {
  const cloudflare = await startCloudflare(options);
  onTestFinished(() => cloudflare.close());
  return cloudflare;
}

/** The stub with a Worker `tiny` that says "one", and whose next version says "two". */
async function startWithVersions(): Promise<{ cloudflare: Cloudflare; ids: readonly [string, string] }> {
  const cloudflare = await start();
  await cloudflare.call('PUT', TINY, saying('one'));
  await cloudflare.call('POST', `${TINY}/subdomain`, { enabled: true });
  await cloudflare.call('POST', `${TINY}/versions`, saying('two'));
  const [one = '', two = ''] = cloudflare.state.scripts.get('tiny')?.versions.map(({ id }) => id) ?? [];
  return { cloudflare, ids: [one, two] };
}

const saying = (word: string) => uploadForm(`export default { fetch: () => new Response('${word}') };`);
const share = (version_id: string, percentage: number) => ({ version_id, percentage });

it('the stub of Cloudflare gives a version with 0 % only the requests that ask for it', async () => {
  const { cloudflare, ids } = await startWithVersions();
  const versions = [share(ids[0], 100), share(ids[1], 0)];
  expect(await cloudflare.call('POST', `${TINY}/deployments`, { versions })).toMatchObject({ status: 200 });
  const words = await Promise.all(Array.from({ length: 5 }, () => cloudflare.visit(SITE)));
  expect(words.map(({ body }) => body)).toEqual(['one', 'one', 'one', 'one', 'one']);
  const pinned = { headers: { 'Cloudflare-Workers-Version-Overrides': `tiny="${ids[1]}"` } };
  expect(await cloudflare.visit(SITE, pinned)).toMatchObject({ body: 'two' });
});

it('the stub of Cloudflare changes no secret while the latest version is not deployed alone', async () => {
  const { cloudflare, ids } = await startWithVersions();
  const put = () => cloudflare.call('PUT', `${TINY}/secrets`, { name: 'KEY', text: 'a', type: 'secret_text' });
  expect(await put()).toMatchObject({ status: 400, errors: [{ code: 10215 }] });
  await cloudflare.call('POST', `${TINY}/deployments`, { versions: [share(ids[0], 90), share(ids[1], 10)] });
  expect(await put()).toMatchObject({ status: 400, errors: [{ code: 10215 }] });
  await cloudflare.call('POST', `${TINY}/deployments`, { versions: [share(ids[1], 100)] });
  expect(await put()).toMatchObject({ status: 200 });
  expect(cloudflare.secrets('tiny')).toEqual(new Map([['KEY', 'a']]));
  const { result } = await cloudflare.call('GET', `${TINY}/secrets`);
  expect(result).toEqual([{ name: 'KEY', type: 'secret_text' }]);
});

it('the stub of Cloudflare goes back to a version with other secrets only by force', async () => {
  const { cloudflare, ids } = await startWithVersions();
  await cloudflare.call('POST', `${TINY}/deployments`, { versions: [share(ids[1], 100)] });
  await cloudflare.call('PATCH', `${TINY}/secrets-bulk`, { secrets: { KEY: { name: 'KEY', text: 'a' } } });
  const versions = [share(ids[0], 100)];
  const refused = await cloudflare.call('POST', `${TINY}/deployments`, { versions });
  expect(refused).toMatchObject({ status: 400, errors: [{ code: 10220 }] });
  expect(refused.errors[0]?.message).toContain('The following secrets have changed: KEY');
  expect(await cloudflare.call('POST', `${TINY}/deployments?force=true`, { versions })).toMatchObject({ status: 200 });
  expect(await cloudflare.visit(SITE)).toMatchObject({ body: 'one' });
});

it('the stub of Cloudflare retries messages, and then gives them to the queue for dead letters, which it creates', async () => {
  const cloudflare = await start();
  await cloudflare.call('POST', `${A}/queues`, { queue_name: 'jobs' });
  const source = `export default {
    async fetch(request, env) { await env.JOBS.sendBatch([{ body: 'bad' }, { body: 'good' }]); return new Response('sent'); },
    async queue({ messages }) { for (const each of messages) each.body === 'bad' ? each.retry() : each.ack(); },
  };`;
  await cloudflare.call(
    'PUT',
    TINY,
    uploadForm(source, { bindings: [{ name: 'JOBS', type: 'queue', queue_name: 'jobs' }] }),
  );
  await cloudflare.call('POST', `${TINY}/subdomain`, { enabled: true });
  const consumers = `${A}/queues/${cloudflare.state.queues[0]?.queue_id}/consumers`;
  const consumer = { type: 'worker', script_name: 'tiny', dead_letter_queue: 'dead' };
  const settings = { max_retries: 2, max_wait_time_ms: 0 };
  expect(await cloudflare.call('POST', consumers, { ...consumer, settings })).toMatchObject({ status: 200 });
  expect(await cloudflare.call('POST', consumers, consumer)).toMatchObject({ errors: [{ code: 11004 }] });
  await cloudflare.visit(SITE);
  await cloudflare.queuesSettled();
  const [jobs, dead] = cloudflare.state.queues;
  expect([jobs?.messages, dead?.messages.map(({ body }) => body)]).toEqual([[], ['bad']]);
});

it('the stub of Cloudflare runs the handler of a cron', async () => {
  const cloudflare = await start();
  await cloudflare.call('POST', `${A}/d1/database`, { name: 'tiny' });
  await cloudflare.rows('tiny', 'CREATE TABLE runs (cron TEXT)');
  const source = `export default {
    async scheduled({ cron }, env) { await env.DB.prepare('INSERT INTO runs VALUES (?1)').bind(cron).run(); },
  };`;
  const bindings = [{ name: 'DB', type: 'd1', id: cloudflare.state.databases[0]?.uuid }];
  await cloudflare.call('PUT', TINY, uploadForm(source, { bindings }));
  expect(await cloudflare.runCron('tiny', '17 4 * * *')).toBe('ok');
  expect(await cloudflare.rows('tiny', 'SELECT cron FROM runs')).toEqual([{ cron: '17 4 * * *' }]);
});

it('the stub of Cloudflare lets a Worker fetch its own domain, and from the internet what a test gives it', async () => {
  const cloudflare = await start({
    zones: ['example.com'],
    internet: async (request) => new (await import('miniflare')).Response(`asked for ${request.url}`),
  });
  const source = `export default {
    async fetch({ url }) {
      const { pathname, searchParams } = new URL(url);
      return pathname === '/' ? fetch(searchParams.get('of')) : new Response('mine: ' + pathname);
    },
  };`;
  await cloudflare.call('PUT', TINY, uploadForm(source));
  await cloudflare.call('PUT', `${A}/workers/domains`, { hostname: 'go.example.com', service: 'tiny' });
  const own = await cloudflare.visit('https://go.example.com/?of=https://go.example.com/a');
  expect(own.body).toBe('mine: /a');
  const other = await cloudflare.visit('https://go.example.com/?of=https://dns.test/b');
  expect(other.body).toBe('asked for https://dns.test/b');
});

it('the stub of Cloudflare shows a child what a visitor sees before a domain has a certificate, and where there is no domain', async () => {
  const cloudflare = await start({ zones: ['example.com'], handshakesToFail: 1 });
  await cloudflare.call('PUT', TINY, saying('one'));
  await cloudflare.call('PUT', `${A}/workers/domains`, { hostname: 'go.example.com', service: 'tiny' });
  const script = `for (const host of ['go.example.com', 'go.example.com', 'no.example.com']) {
    const said = await fetch('https://' + host).then((r) => r.text(), ({ cause }) => cause.code || 'not found');
    console.log(said);
  }`;
  const env = { ...strangersEnv(), ...cloudflare.env };
  const { stdout } = await runProcess(NODE, ['--input-type=module', '-e', script], { cwd: ROOT, env });
  expect(stdout.split('\n')).toEqual([expect.stringContaining('HANDSHAKE_FAILURE'), 'one', 'not found', '']);
  expect(cloudflare.strangers).toEqual(['no.example.com']);
});

it('the stub of Cloudflare serves a route only where DNS has a record', async () => {
  const cloudflare = await start({ zones: ['example.com'] });
  await cloudflare.call('PUT', TINY, saying('one'));
  const zone = cloudflare.state.zones[0];
  await cloudflare.call('POST', `/zones/${zone?.id}/workers/routes`, { pattern: 'www.example.com/a*', script: 'tiny' });
  await expect(cloudflare.visit('https://www.example.com/a')).rejects.toThrow('not found');
  const record = { type: 'AAAA', name: 'www.example.com', content: '100::' };
  await cloudflare.call('POST', `/zones/${zone?.id}/dns_records`, record);
  expect(await cloudflare.visit('https://www.example.com/abc')).toMatchObject({ status: 200, body: 'one' });
  expect(await cloudflare.visit('https://www.example.com/b')).toMatchObject({ status: 404 });
});

it('the stub of Cloudflare starts a version again that it has ended for newer ones', async () => {
  const { cloudflare, ids } = await startWithVersions();
  for (const word of ['three', 'four', 'five', 'six', 'seven']) {
    await cloudflare.call('POST', `${TINY}/versions`, saying(word));
  }
  expect(cloudflare.state.scripts.get('tiny')?.deployments[0]?.versions).toEqual([share(ids[0], 100)]);
  expect(await cloudflare.visit(SITE)).toMatchObject({ status: 200, body: 'one' });
});
