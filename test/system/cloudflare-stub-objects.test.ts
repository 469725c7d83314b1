import { expect, it, onTestFinished } from 'vitest';
import { uploadForm } from './support/cloudflare/client.ts';
import { startCloudflare, type Cloudflare } from './support/cloudflare/cloudflare.ts';

/** The Durable Objects of the stub of Cloudflare. */

const A = '/accounts/:account';
const TINY = `${A}/workers/scripts/tiny`;
const SITE = 'https://tiny.example.workers.dev';
const EXPORTS = { Counter: { type: 'durable-object', storage: 'sqlite' } };
const BINDING = { name: 'COUNTER', type: 'durable_object_namespace', class_name: 'Counter' };

async function start(): Promise<Cloudflare> {
  const cloudflare = await startCloudflare();
  onTestFinished(() => cloudflare.close());
  return cloudflare;
}

/** A Worker with objects that count how often they were called; each adds the word of its code. */
const counting = (word: string, upload = {}) =>
  uploadForm(
    `import { DurableObject } from 'cloudflare:workers';
    export class Counter extends DurableObject {
      add() {
        const { sql } = this.ctx.storage;
        sql.exec('CREATE TABLE IF NOT EXISTS calls (word TEXT)');
        sql.exec('INSERT INTO calls VALUES (?)', '${word}');
        return sql.exec('SELECT word FROM calls').toArray().map((row) => row.word).join(' ');
      }
    }
    export default {
      async fetch(request, env) {
        return new Response('${word}: ' + (await env.COUNTER.getByName('one').add()));
      },
    };`,
    { bindings: [BINDING], exports: EXPORTS, ...upload },
  );
const plain = (exports = {}) => uploadForm(`export default { fetch: () => new Response('plain') };`, { exports });

/** The stub with a Worker `tiny` that has objects. */
async function startCounting(): Promise<Cloudflare> {
  const cloudflare = await start();
  await cloudflare.call('PUT', TINY, counting('a'));
  await cloudflare.call('POST', `${TINY}/subdomain`, { enabled: true });
  return cloudflare;
}

const idsOf = ({ state }: Cloudflare) => state.scripts.get('tiny')?.versions.map(({ id }) => id) ?? [];
const share = (version_id: string | undefined, percentage: number) => ({ version_id, percentage });
const visit = async (cloudflare: Cloudflare, version = '') => {
  const headers = { 'Cloudflare-Workers-Version-Overrides': `tiny="${version}"` };
  return (await cloudflare.visit(SITE, { headers })).body;
};

it('the stub of Cloudflare creates the namespace of a class, whose objects keep their data and get the code of each version', async () => {
  const cloudflare = await startCounting();
  expect([await visit(cloudflare), await visit(cloudflare)]).toEqual(['a: a', 'a: a a']);
  const namespace = { name: 'tiny_Counter', script: 'tiny', class: 'Counter', use_sqlite: true };
  const { result, result_info } = await cloudflare.call('GET', `${A}/workers/durable_objects/namespaces`);
  expect([result, result_info]).toMatchObject([[namespace], { total_count: 1 }]);

  expect(await cloudflare.call('PUT', TINY, counting('b'))).toMatchObject({ status: 200 });
  expect(await visit(cloudflare)).toBe('b: a a b');
  const [first] = idsOf(cloudflare);
  const back = { versions: [share(first, 100)] };
  expect(await cloudflare.call('POST', `${TINY}/deployments`, back)).toMatchObject({ status: 200 });
  expect(await visit(cloudflare)).toBe('a: a a b a');
  expect(cloudflare.state.objectNamespaces).toHaveLength(1);

  // Another Worker has its own.
  const other = `${A}/workers/scripts/other`;
  await cloudflare.call('PUT', other, counting('c'));
  await cloudflare.call('POST', `${other}/subdomain`, { enabled: true });
  expect((await cloudflare.visit('https://other.example.workers.dev')).body).toBe('c: c');
  expect(cloudflare.state.objectNamespaces.map(({ name }) => name)).toEqual(['tiny_Counter', 'other_Counter']);
});

it('the stub of Cloudflare gives two versions that share the requests the same objects, with the code of the larger share', async () => {
  const cloudflare = await startCounting();
  expect(await visit(cloudflare)).toBe('a: a');
  expect(await cloudflare.call('POST', `${TINY}/versions`, counting('b'))).toMatchObject({ status: 200 });
  const [a = '', b = ''] = idsOf(cloudflare);
  const split = { versions: [share(b, 10), share(a, 90)] };
  expect(await cloudflare.call('POST', `${TINY}/deployments`, split)).toMatchObject({ status: 200 });
  expect([await visit(cloudflare, b), await visit(cloudflare, a)]).toEqual(['b: a a', 'a: a a a']);
  expect(await cloudflare.call('POST', `${TINY}/deployments`, { versions: [share(b, 100)] })).toMatchObject({
    status: 200,
  });
  expect(await visit(cloudflare)).toBe('b: a a a b');
});

const missing = (scenario: string) => ({
  status: 400,
  errors: [{ code: 100_402, meta: { details: [{ class: 'Counter', scenario, message: expect.any(String) }] } }],
});

it('the stub of Cloudflare refuses what Cloudflare refuses', async () => {
  const cloudflare = await start();
  const upload = (form: FormData) => cloudflare.call('PUT', TINY, form);
  const stage = (form: FormData) => cloudflare.call('POST', `${TINY}/versions`, form);
  const deploy = (...versions: readonly object[]) => cloudflare.call('POST', `${TINY}/deployments`, { versions });
  expect(await upload(counting('a', { exports: {} }))).toMatchObject({ status: 400, errors: [{ code: 10061 }] });
  expect(await upload(plain(EXPORTS))).toMatchObject(missing('config_references_nonexistent_class'));
  expect([...cloudflare.state.scripts.keys()]).toEqual([]);

  await upload(plain());
  expect(await stage(counting('a'))).toMatchObject({ status: 400, errors: [{ code: 100_406 }] });
  // A class without a binding can be staged: its namespace is created once the version gets all requests.
  expect(await stage(counting('a', { bindings: [] }))).toMatchObject({ status: 200 });
  const [before, staged] = idsOf(cloudflare);
  expect(cloudflare.state.objectNamespaces).toEqual([]);
  expect(await deploy(share(staged, 10), share(before, 90))).toMatchObject({ errors: [{ code: 100_405 }] });
  expect(await deploy(share(staged, 100))).toMatchObject({ status: 200 });
  expect(cloudflare.state.objectNamespaces).toMatchObject([{ class: 'Counter' }]);

  expect(await deploy(share(before, 100))).toMatchObject(missing('orphaned_provisioned_namespace'));
  expect(await upload(plain())).toMatchObject(missing('orphaned_provisioned_namespace'));
  expect(cloudflare.state.scripts.get('tiny')?.deployments[0]?.versions).toEqual([share(staged, 100)]);
  expect(idsOf(cloudflare)).toEqual([before, staged]);
});
