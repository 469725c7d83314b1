import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { uploadForm } from './support/cloudflare/client.ts';
import { startCloudflare, type Cloudflare, type CloudflareOptions } from './support/cloudflare/cloudflare.ts';
import { createRecord } from './support/cloudflare/state.ts';

/** The API of the stub of Cloudflare, as far as wrangler does not show it. */

const A = '/accounts/:account';
const TINY = `${A}/workers/scripts/tiny`;

async function start(options?: CloudflareOptions): Promise<Cloudflare> {
  const cloudflare = await startCloudflare(options);
  onTestFinished(() => cloudflare.close());
  return cloudflare;
}

/** The stub with a database and a Worker, both named `tiny`. */
async function startWithWorker(options?: CloudflareOptions): Promise<Cloudflare> {
  const cloudflare = await start(options);
  await cloudflare.call('POST', `${A}/d1/database`, { name: 'tiny' });
  await cloudflare.call('PUT', TINY, saying('one'));
  return cloudflare;
}

const saying = (word: string) => uploadForm(`export default { fetch: () => new Response('${word}') };`);
const bound = (binding: { name: string; type: string; [field: string]: unknown }) =>
  uploadForm('export default {};', { bindings: [binding] });

const AUTO = { read_replication: { mode: 'auto' } };

describe('an error', () => {
  let cloudflare: Cloudflare;
  // One for all, since a refused request changes nothing.
  beforeAll(async () => {
    cloudflare = await startCloudflare();
    await cloudflare.call('POST', `${A}/d1/database`, { name: 'tiny' });
    await cloudflare.call('PUT', TINY, saying('one'));
  });
  afterAll(() => cloudflare.close());

  it.each([
    ['a route that there is not', 'GET', '/zones/1/settings', undefined, 404, 7003],
    ['an account of others', 'GET', '/accounts/1/queues', undefined, 403, 10000],
    ['a database that there is not', 'GET', `${A}/d1/database/none`, undefined, 404, 7404],
    ['a name of a database that is taken', 'POST', `${A}/d1/database`, { name: 'tiny' }, 400, 7502],
    ['SQL with an error', 'POST', `${A}/d1/database/tiny/query`, { sql: 'SELECT nothing' }, 400, 7500],
    ['replicas of no known kind', 'PUT', `${A}/d1/database/tiny`, { read_replication: { mode: 'on' } }, 400, 7400],
    ['replicas of a database that there is not', 'PUT', `${A}/d1/database/none`, AUTO, 404, 7404],
    ['a namespace without a title', 'POST', `${A}/storage/kv/namespaces`, {}, 400, 10019],
    ['a name of a queue with an underscore', 'POST', `${A}/queues`, { queue_name: 'a_b' }, 400, 11003],
    ['a queue that there is not', 'GET', `${A}/queues/none`, undefined, 404, 11000],
    ['a Worker that there is not', 'GET', `${A}/workers/scripts/none/secrets`, undefined, 404, 10007],
    ['a service that there is not', 'GET', `${A}/workers/services/none`, undefined, 404, 10090],
    ['a version that there is not', 'GET', `${TINY}/versions/none`, undefined, 404, 100_146],
    ['a version before there is a Worker', 'POST', `${A}/workers/scripts/none/versions`, saying('x'), 404, 10007],
    ['a Worker that cannot start', 'PUT', TINY, uploadForm('throw new Error("early");'), 400, 10021],
    [
      'a binding of no namespace',
      'PUT',
      TINY,
      bound({ name: 'X', type: 'kv_namespace', namespace_id: '1' }),
      400,
      10041,
    ],
    ['a binding of no database', 'PUT', TINY, bound({ name: 'X', type: 'd1', id: '1' }), 400, 10181],
    ['a binding of no queue', 'PUT', TINY, bound({ name: 'X', type: 'queue', queue_name: 'x' }), 400, 11000],
    ['a binding that was not there before', 'PUT', TINY, bound({ name: 'X', type: 'inherit' }), 400, 10057],
    ['a deployment of nothing', 'POST', `${TINY}/deployments`, { versions: [] }, 400, 10021],
    ['a domain in no zone', 'PUT', `${A}/workers/domains`, { hostname: 'a.test', service: 'tiny' }, 404, 10083],
    ['a domain of no Worker', 'PUT', `${A}/workers/domains`, { hostname: 'a.test', service: 'none' }, 404, 10007],
  ])('the stub of Cloudflare has the error for %s', async (_, method, path, body, status, code) => {
    const answer = await cloudflare.call(method, path, body);
    expect([answer.status, answer.success, answer.errors[0]?.code, answer.result]).toEqual([status, false, code, null]);
  });
});

it('the stub of Cloudflare keeps whether a database has replicas, which it shows of one database and not in a list', async () => {
  const { call } = await start();
  const modeOf = ({ result }: { result: unknown }) => (result as Partial<typeof AUTO>).read_replication?.mode;
  expect(modeOf(await call('POST', `${A}/d1/database`, { name: 'tiny' }))).toBe('disabled');
  expect(modeOf(await call('PUT', `${A}/d1/database/tiny`, AUTO))).toBe('auto');
  expect(modeOf(await call('GET', `${A}/d1/database/tiny`))).toBe('auto');
  expect((await call('GET', `${A}/d1/database`)).result).toEqual([
    { uuid: expect.any(String), name: 'tiny', created_at: expect.any(String), version: 'production' },
  ]);
});

it('the stub of Cloudflare records a request that it does not know', async () => {
  const { call, unknown } = await start();
  await call('GET', '/zones/1/settings?page=1');
  await call('GET', '/accounts/1/queues');
  expect(unknown).toEqual(['GET /zones/1/settings']);
});

it('the stub of Cloudflare says why a Worker cannot start', async () => {
  const cloudflare = await start();
  const { errors } = await cloudflare.call('PUT', TINY, uploadForm('throw new Error("early");'));
  expect(errors[0]?.message).toBe('Uncaught Error: early');
  expect(cloudflare.state.scripts.size).toBe(0);
});

it('the stub of Cloudflare takes no other token than its own', async () => {
  const cloudflare = await start();
  const response = await fetch(`${cloudflare.env['CLOUDFLARE_API_BASE_URL']}/accounts`, {
    headers: { Authorization: 'Bearer other' },
  });
  expect([response.status, await response.json()]).toMatchObject([401, { errors: [{ code: 10000 }] }]);
});

it('the stub of Cloudflare names a queue and a namespace only once', async () => {
  const { call } = await start();
  await call('POST', `${A}/queues`, { queue_name: 'clicks' });
  await call('POST', `${A}/storage/kv/namespaces`, { title: 'LINKS' });
  expect(await call('POST', `${A}/queues`, { queue_name: 'clicks' })).toMatchObject({
    status: 409,
    errors: [{ code: 11009 }],
  });
  expect(await call('POST', `${A}/storage/kv/namespaces`, { title: 'LINKS' })).toMatchObject({
    status: 400,
    errors: [{ code: 10014 }],
  });
});

it('the stub of Cloudflare lists page by page', async () => {
  const { call, state } = await start();
  for (let count = 10; count < 35; count++) state.namespaces.push({ id: `id-${count}`, title: `title-${count}` });
  const second = await call('GET', `${A}/storage/kv/namespaces?page=2`);
  expect(second.result).toEqual(state.namespaces.slice(20));
  expect(second.result_info).toEqual({ page: 2, per_page: 20, count: 5, total_count: 25, total_pages: 2 });
});

it('the stub of Cloudflare runs the statements of one request in one transaction', async () => {
  const cloudflare = await startWithWorker();
  const query = (body: unknown) => cloudflare.call('POST', `${A}/d1/database/tiny/query`, body);
  const sql = "CREATE TABLE notes (note TEXT);\nINSERT INTO notes VALUES ('a;b');\nSELECT note FROM notes;";
  const { result } = await query({ sql });
  expect(result).toMatchObject([{ success: true }, { meta: { changes: 1 } }, { results: [{ note: 'a;b' }] }]);
  await query({ sql: "INSERT INTO notes VALUES ('lost'); SELECT nothing;" });
  await query({ batch: [{ sql: 'INSERT INTO notes VALUES (?1)', params: ['lost'] }, { sql: 'SELECT nothing' }] });
  await query({ batch: [{ sql: 'INSERT INTO notes VALUES (?1)', params: ['c'] }] });
  expect(await cloudflare.rows('tiny', 'SELECT note FROM notes')).toEqual([{ note: 'a;b' }, { note: 'c' }]);
});

it('the stub of Cloudflare keeps the limits of D1', async () => {
  const { call } = await startWithWorker();
  const long = { sql: `SELECT '${'x'.repeat(100_000)}'` };
  const many = { sql: 'SELECT 1', params: Array.from({ length: 101 }, () => 1) };
  expect(await call('POST', `${A}/d1/database/tiny/query`, long)).toMatchObject({ errors: [{ code: 7500 }] });
  expect(await call('POST', `${A}/d1/database/tiny/query`, many)).toMatchObject({ errors: [{ code: 7500 }] });
});

it('the stub of Cloudflare imports a file', async () => {
  const cloudflare = await startWithWorker();
  const sql = 'CREATE TABLE notes (note TEXT);\nINSERT INTO notes VALUES (1);';
  const etag = createHash('md5').update(sql).digest('hex');
  const send = (action: string) => cloudflare.call('POST', `${A}/d1/database/tiny/import`, { action, etag });
  const { result } = await send('init');
  const uploaded = await fetch((result as { upload_url: string }).upload_url, { method: 'PUT', body: sql });
  expect(uploaded.headers.get('ETag')).toBe(`"${etag}"`);
  expect(await send('ingest')).toMatchObject({ result: { status: 'complete', result: { num_queries: 2 } } });
  expect(await cloudflare.rows('tiny', 'SELECT note FROM notes')).toEqual([{ note: '1' }]);
});

it('the stub of Cloudflare finds several accounts, the second without a workers.dev subdomain', async () => {
  const { call, accounts } = await start({ accounts: ['First', 'Second'] });
  const path = `/accounts/${accounts[1]?.id}/workers/subdomain`;
  expect((await call('GET', '/accounts')).result).toMatchObject([{ name: 'First' }, { name: 'Second' }]);
  expect(await call('GET', path)).toMatchObject({ status: 404, errors: [{ code: 10007 }] });
  expect(await call('PUT', path, { subdomain: 'example' })).toMatchObject({ status: 409, errors: [{ code: 10031 }] });
  expect(await call('PUT', path, { subdomain: 'second' })).toMatchObject({ status: 200 });
  expect(accounts[1]?.subdomain).toBe('second');
});

it('the stub of Cloudflare refuses a domain that has DNS records of its own, or that another Worker has', async () => {
  const { call, state } = await startWithWorker({ zones: ['example.com'] });
  await call('PUT', `${A}/workers/scripts/other`, saying('other'));
  state.zones[0]?.records.push(createRecord('CNAME', 'www.example.com', 'elsewhere.test'));
  const bind = (hostname: string, service: string, more = {}) =>
    call('PUT', `${A}/workers/domains`, { hostname, service, ...more });
  const foreign = { status: 409, errors: [{ code: 100_117 }] };
  expect(await bind('www.example.com', 'tiny')).toMatchObject(foreign);
  expect(await bind('www.example.com', 'tiny', { override_existing_dns_record: true })).toMatchObject(foreign);
  expect(await bind('go.example.com', 'tiny')).toMatchObject({ status: 200, result: { zone_name: 'example.com' } });
  expect(state.zones[0]?.records.at(-1)).toMatchObject({ type: 'AAAA', name: 'go.example.com', content: '100::' });
  expect(await bind('go.example.com', 'other')).toMatchObject({ status: 409, errors: [{ code: 100_116 }] });
  const taken = await bind('go.example.com', 'other', { override_existing_origin: true });
  expect(taken).toMatchObject({ status: 200, result: { service: 'other' } });
  const [domain] = (await call('GET', `${A}/workers/domains?service=other`)).result as { id: string }[];
  expect(await call('DELETE', `${A}/workers/domains/${domain?.id}`)).toMatchObject({ status: 200 });
  expect(state.zones[0]?.records.map(({ name }) => name)).toEqual(['www.example.com']);
});

it('the stub of Cloudflare fails before or after a request takes effect, or drops the connection', async () => {
  const cloudflare = await start();
  const { call, state, requests } = cloudflare;
  const create = (queue_name: string) => call('POST', `${A}/queues`, { queue_name });
  cloudflare.failAt(2);
  expect((await create('a')).status).toBe(200);
  expect(await create('b')).toMatchObject({ status: 500, errors: [{ code: 10013 }] });
  cloudflare.failAt(1, { takesEffect: true, answer: { status: 429, code: 971, message: 'slow down' } });
  expect(await create('c')).toMatchObject({ status: 429, errors: [{ code: 971, message: 'slow down' }] });
  cloudflare.failAt(({ method }) => method === 'POST', { answer: 'drop' });
  await expect(create('d')).rejects.toThrow('fetch failed');
  expect((await create('e')).status).toBe(200);
  expect(state.queues.map(({ queue_name }) => queue_name)).toEqual(['a', 'c', 'e']);
  expect(requests.map(({ status }) => status)).toEqual([200, 500, 429, null, 200]);
  expect(requests.at(-1)).toMatchObject({ path: `/accounts/${state.id}/queues`, body: { queue_name: 'e' } });
});
