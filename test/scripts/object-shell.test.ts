import { build } from 'esbuild';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOCAL_MINIFLARE } from '../../scripts/local-miniflare.ts';
import { ROOT } from './support/project.ts';

/** An object behind a shell; the text of its path is what a request calls, and its name that of the object. */
const WORKER = `
  import { objectShell } from './src/objects/object-shell.ts';

  let loads = 0;
  class Body {
    #storage; #calls = 0;
    constructor(ctx) { this.#storage = ctx.storage; }
    async call() { return [++this.#calls, loads]; }
    async plan() { await this.#storage.setAlarm(Date.now()); return 'planned'; }
    async came() { return (await this.#storage.get('came')) ?? null; }
    async fail() { throw new Error('the body refuses'); }
    async alarm() { await this.#storage.put('came', loads > 0); }
  }
  export class Counted extends objectShell({ call: true, plan: true, came: true, fail: true }, async (ctx) => {
    await scheduler.wait(20);
    loads += 1;
    if (ctx.id.name === 'broken' && loads === 1) throw new Error('the module cannot be loaded');
    return new Body(ctx);
  }) {}

  export default {
    async fetch(request, env) {
      const [, name, method] = new URL(request.url).pathname.split('/');
      const ask = () => env.OBJECTS.getByName(name)[method]().catch((cause) => cause.message);
      const times = Number(new URL(request.url).searchParams.get('times') ?? 1);
      return Response.json(await Promise.all(Array.from({ length: times }, ask)));
    },
  };
`;

let contents = '';

beforeAll(async () => {
  const built = await build({
    stdin: { contents: WORKER, resolveDir: ROOT, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    external: ['cloudflare:*'],
  });
  contents = built.outputFiles[0]?.text ?? '';
});

const started: Miniflare[] = [];
afterAll(async () => void (await Promise.all(started.map((miniflare) => miniflare.dispose()))));

/** Starts a workerd that has no object yet, and returns what asks it. */
function start(): (path: string) => Promise<unknown> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      ...LOCAL_MINIFLARE,
      log: new Log(LogLevel.NONE),
      workers: [
        {
          name: 'shells',
          compatibilityDate: '2026-10-01',
          modules: [{ type: 'ESModule', path: 'worker.js', contents }],
          durableObjects: { OBJECTS: { className: 'Counted', useSQLite: true } },
        },
      ],
    }),
  );
  started.push(miniflare);
  return async (path) => {
    const response = await miniflare.dispatchFetch(`http://localhost/${path}`);
    return response.json();
  };
}

it('answers the first calls of an object, which come at the same moment, by one body', async () => {
  const ask = start();
  const answers = (await ask('one/call?times=5')) as [number, number][];
  expect(answers.map(([call]) => call).toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
  expect(answers.map(([, loads]) => loads)).toEqual([1, 1, 1, 1, 1]);
  expect(await ask('one/call')).toEqual([[6, 1]]);
});

it('passes on what the body throws, and alarms', async () => {
  const ask = start();
  expect(await ask('one/fail')).toEqual(['the body refuses']);
  expect(await ask('one/plan')).toEqual(['planned']);
  await expect.poll(() => ask('one/came')).toEqual([true]);
});

it('fails the calls of an object whose code cannot be loaded, and tries again for the next one', async () => {
  const ask = start();
  expect(await ask('broken/call')).toEqual(['the module cannot be loaded']);
  expect(await ask('broken/call')).toEqual([[1, 2]]);
});
