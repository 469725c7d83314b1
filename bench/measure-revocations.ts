import { setTimeout } from 'node:timers/promises';
import { addUser, createKey } from '../src/accounts/operator.ts';
import { blockHost } from '../src/targets/blocklist.ts';
import type { Isolates } from './isolates.ts';

/** The time for which an isolate keeps responding with the old state after another isolate has changed a link. */

const CHANGES = ['disabled', 'deleted', 'retargeted', 'blocked'] as const;
type Change = (typeof CHANGES)[number];

/** The knowledge that the responding isolate has of the link when it is changed. */
export const SITUATIONS = {
  changing: 'it wrote the change',
  remembering: 'it remembers the link',
  cached: 'it has the link from KV, and KV has the new state',
  uncompared: 'KV still has the old state, and it has not compared KV with D1 recently',
  compared: 'KV still has the old state, and it has just compared KV with D1',
} as const;
export type Situation = keyof typeof SITUATIONS;

export interface Measured {
  readonly change: Change;
  readonly situation: Situation;
  /** From the answer that confirmed the change to the last old answer; 0 if there was none. */
  readonly oldForMs: number;
  /** The number of old responses. */
  readonly oldAnswers: number;
}

const CLIENT_ID = 'bench';
const POLL_MS = 50;
/** The time for which requests continue after the first new response: no old one may follow. */
const WATCH_AFTER_MS = 1500;

/**
 * Measures all changes in these situations at the same time, each on a link of its own. Throws if an old answer follows
 * a new one, or comes later than `timeoutMs`.
 */
export async function measureRevocations(
  isolates: Isolates,
  situations: readonly Situation[],
  timeoutMs: number,
): Promise<readonly Measured[]> {
  await addUser(isolates.db, { name: 'bench', password: 'bench', clientId: CLIENT_ID });
  const key = await createKey(isolates.db, CLIENT_ID, 'bench');
  if (key === null) throw new Error('the account was not created');
  const wanted = situations.flatMap((situation) => CHANGES.map((change) => ({ change, situation })));
  // A block is made by the operator's tool, not by an isolate, and is never written to KV directly.
  const measured = wanted.filter(
    ({ change, situation }) => !(change === 'blocked' && /^(changing|cached)$/.test(situation)),
  );
  return Promise.all(measured.map((each) => measure(isolates, key.text, each, timeoutMs)));
}

async function measure(
  isolates: Isolates,
  apiKey: string,
  { change, situation }: Pick<Measured, 'change' | 'situation'>,
  timeoutMs: number,
): Promise<Measured> {
  const { one, other, kv } = isolates;
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
  const host = `${change}-${situation}.example`;
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${one}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return response;
  };
  const made = await ask('POST', '/v1/links', { url: `https://${host}/old`, client_id: CLIENT_ID });
  const { id } = JSON.parse(((await made.json()) as { result: string }).result) as { id: string };
  const follow = async () => {
    const response = await fetch(`${situation === 'changing' ? one : other}/${id}`, {
      method: 'HEAD',
      redirect: 'manual',
    });
    return `${response.status} ${response.headers.get('Location') ?? ''}`;
  };
  // An edit is written through to KV.
  if (situation === 'cached' || situation === 'compared')
    await ask('PATCH', `/v1/links/${id}`, { campaign_name: 'hot' });
  const before = await follow();
  if (before !== `302 https://${host}/old`) throw new Error(`the link led to ${before}`);
  // The comparison with the database happens soon after the answer, and would find the change.
  if (situation === 'cached' || situation === 'compared') await setTimeout(2000);
  const entry = await kv.get(`/${id}`);

  if (change === 'disabled') await ask('PATCH', `/v1/links/${id}`, { disabled: true });
  else if (change === 'deleted') await ask('DELETE', `/v1/links/${id}`);
  else if (change === 'retargeted') await ask('PATCH', `/v1/links/${id}`, { url: `https://${host}/new` });
  else await blockHost(isolates.db, host);
  const changedAt = performance.now();
  if (situation === 'uncompared' || situation === 'compared') await kv.put(`/${id}`, entry ?? entryOf(id, host));

  let [oldForMs, oldResponses] = [0, 0];
  for (let newAt: number | null = null; newAt === null || performance.now() - newAt < WATCH_AFTER_MS;) {
    const response = await follow();
    const now = performance.now();
    if (response !== before) {
      newAt ??= now;
    } else {
      if (newAt !== null) throw new Error(`${change}, ${situation}: the old response came back`);
      [oldForMs, oldResponses] = [now - changedAt, oldResponses + 1];
      if (oldForMs > timeoutMs)
        throw new Error(`${change}, ${situation}: the old response is still served after ${timeoutMs} ms`);
    }
    await setTimeout(POLL_MS);
  }
  return { change, situation, oldForMs, oldAnswers: oldResponses };
}

// The entry that a delayed isolate would write.
function entryOf(id: string, host: string): string {
  const url = `https://${host}/old`;
  return JSON.stringify({
    linkId: id,
    clientId: CLIENT_ID,
    campaignName: null,
    url,
    ending: null,
    extras: null,
    expiresAt: null,
    revision: 1,
  });
}
