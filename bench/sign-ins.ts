import { setTimeout } from 'node:timers/promises';
import { addUser, createKey } from '../src/accounts/operator.ts';
import { MIN_PAUSE_MS } from '../src/work-queue.ts';
import { run, UsageError } from '../scripts/cli-error.ts';
import { withProgress } from '../scripts/progress.ts';
import { startIsolates } from './isolates.ts';
import { percentileOf } from './statistics.ts';
import { Sandbox } from './sandbox.ts';

/**
 * `npm run bench:sign-ins`: how long redirects of a hot link take during 60 simultaneous sign-ins, compared with the
 * time of one hash, in about half a minute. Redirects are sent at a fixed rate, without waiting for answers.
 */

const SIGN_INS = 60;
const EVERY_MS = 10;
const QUIET_SECONDS = 5;
const LONE_SIGN_INS = 5;
const CLIENT_ID = 'bench';

let names = 0;

await run(async () => {
  if (process.argv.length > 2) throw new UsageError('npm run bench:sign-ins takes no options.');
  const sandbox = new Sandbox();
  try {
    const isolates = await startIsolates(sandbox, { CREATE_LIMITING: 'off', MEMORY_SECONDS: '3600' });
    await addUser(isolates.db, { name: 'bench', password: 'bench', clientId: CLIENT_ID });
    const key = await createKey(isolates.db, CLIENT_ID, 'bench');
    if (key === null) throw new Error('the account was not created');
    const path = await createLink(isolates.one, key.text);

    const alone: number[] = [];
    const signInAlone = async () => {
      for (let turn = 0; turn < LONE_SIGN_INS; turn++) {
        alone.push((await trySignIn(isolates.one, '192.0.2.1')).took);
        // So that the next hash waits only for the shortest pause.
        await setTimeout(1000);
      }
    };
    await withProgress(() => 'Signing in without load', signInAlone);
    const hashMs = percentileOf(alone, 50) - MIN_PAUSE_MS;
    const quiet = await redirectsDuring(isolates.one, path, setTimeout(QUIET_SECONDS * 1000));

    const began = performance.now();
    const signIns = Promise.all(Array.from({ length: SIGN_INS }, () => trySignIn(isolates.one, '192.0.2.2')));
    const busy = await withProgress(
      () => `Following a link during ${SIGN_INS} sign-ins`,
      () => redirectsDuring(isolates.one, path, signIns),
    );
    const took = (performance.now() - began) / 1000;
    const statuses = Object.entries(Object.groupBy(await signIns, ({ status }) => status));

    console.log(`one hash              ${hashMs.toFixed(0).padStart(6)} ms`);
    for (const [when, times] of Object.entries({ 'without load': quiet, [`with ${SIGN_INS} sign-ins`]: busy })) {
      const [p50, p99, most] = [50, 99, 100].map((share) => percentileOf(times, share).toFixed(0).padStart(6));
      console.log(`redirects ${when.padEnd(16)} p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms, of ${times.length}`);
    }
    console.log(`p99 with sign-ins over one hash: ${(percentileOf(busy, 99) / hashMs).toFixed(2)} (goal: at most 2)`);
    const counts = statuses.map(([status, answers = []]) => `${answers.length} with ${status}`).join(', ');
    console.log(`the sign-ins took ${took.toFixed(1)} s: ${counts}`);
    await isolates.close();
  } finally {
    await sandbox.close();
  }
});

async function createLink(origin: string, apiKey: string): Promise<string> {
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ url: 'https://example.com/', client_id: CLIENT_ID });
  const answer = await fetch(`${origin}/v1/links`, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as { result: string };
  return `/${(JSON.parse(result) as { id: string }).id}`;
}

/** One sign-in with a wrong password, with a new user name. */
async function trySignIn(origin: string, address: string): Promise<{ readonly status: number; readonly took: number }> {
  names += 1;
  const began = performance.now();
  const headers = { Authorization: `Basic ${btoa(`nobody-${names}:guess`)}`, 'CF-Connecting-IP': address };
  const answer = await fetch(`${origin}/tokens/create_token`, { headers });
  await answer.arrayBuffer();
  return { status: answer.status, took: performance.now() - began };
}

/** How long each redirect took, in milliseconds, until some work was done. */
async function redirectsDuring(origin: string, path: string, work: Promise<unknown>): Promise<readonly number[]> {
  const end = new AbortController();
  void work.finally(() => end.abort());
  const follow = async (): Promise<number> => {
    const began = performance.now();
    const answer = await fetch(`${origin}${path}`, { method: 'HEAD', redirect: 'manual' });
    if (answer.status !== 302) throw new Error(`the redirect returned ${answer.status}`);
    return performance.now() - began;
  };
  const sent: Promise<number>[] = [];
  for (const began = performance.now(); !end.signal.aborted;) {
    sent.push(follow());
    await setTimeout(Math.max(0, began + sent.length * EVERY_MS - performance.now()));
  }
  return Promise.all(sent);
}
