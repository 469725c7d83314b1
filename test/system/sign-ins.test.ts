import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIsolates, type Isolates } from '../../bench/isolates.ts';
import { Sandbox } from '../../bench/sandbox.ts';

/** Sign-ins whose callers go away while they wait: the platform drops everything that their requests have begun. */

const sandbox = new Sandbox();
let isolates: Isolates;

beforeAll(async () => {
  isolates = await startIsolates(sandbox, {});
});
afterAll(async () => {
  await isolates.close();
  await sandbox.close();
});

let names = 0;

/** Tries to sign in; gives the status, or null if the connection was closed. */
function signIn(): { readonly status: Promise<number | null>; readonly breakOff: () => void } {
  names += 1;
  const headers = {
    Authorization: `Basic ${btoa(`nobody-${names}:guess`)}`,
    'CF-Connecting-IP': `192.0.2.${names % 250}`,
  };
  const outgoing = request(`${isolates.one}/tokens/create_token`, { headers, agent: false });
  const status = new Promise<number | null>((resolve) => {
    outgoing.once('response', (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? null);
    });
    outgoing.once('error', () => resolve(null));
    outgoing.end();
  });
  // A reset, since a caller that only stops sending may still read.
  return { status, breakOff: () => outgoing.socket?.resetAndDestroy() };
}

it('a server responds to the callers who stay and to later ones, if every second caller goes away', async () => {
  const tries = Array.from({ length: 12 }, signIn);
  // Once one is answered, the others are waiting.
  await Promise.race(tries.map(({ status }) => status));
  for (const [index, { breakOff }] of tries.entries()) if (index % 2 === 0) breakOff();
  const stayed = tries.filter((_, index) => index % 2 === 1);
  expect(await Promise.all(stayed.map(({ status }) => status))).toEqual(stayed.map(() => 401));
  expect(await Promise.all([signIn(), signIn()].map(({ status }) => status))).toEqual([401, 401]);
});

it('a server is not kept busy by callers that filled the queue and closed their connections', async () => {
  const tries = Array.from({ length: 140 }, signIn);
  // Sign-ins beyond the bound are refused at once; then as many as the bound allows are waiting.
  const refused = tries.map(async ({ status }) =>
    (await status) === 503 ? true : Promise.reject(new Error('not 503')),
  );
  expect(await Promise.any(refused)).toBe(true);
  for (const { breakOff } of tries) breakOff();
  const statuses = await Promise.all(tries.map(({ status }) => status));
  expect(statuses.filter((status) => status === null).length).toBeGreaterThan(32);
  await expect.poll(() => signIn().status, { interval: 200 }).toBe(401);
});
