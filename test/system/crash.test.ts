import { expect, it } from 'vitest';
import { integrityOf } from '../scripts/support/data.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedOnce } from '../scripts/support/project.ts';
import { askForToken, makeLink, startServer, type LinkRecord, type Tokens } from '../scripts/support/server.ts';

/** The number of times that the service is killed; the variable `CRASHES` asks for more. */
const CRASHES = Number(process.env['CRASHES'] ?? '5');
const LINKS_A_CRASH = 40;
const CREATORS = 4;
const OLD = 'https://example.com/old';
const TIMEOUT_MS = 120_000 + CRASHES * 120_000;

/** The requests that got a 200, whatever has become of them since. */
interface Promised {
  readonly links: LinkRecord[];
  /** The texts that a key has been given, the last one last: it and the one before work. */
  readonly keys: string[][];
  readonly signIns: SignIn[];
  /** The links that were deleted. */
  readonly deleted: LinkRecord[];
}

interface SignIn {
  /** The newest. */
  tokens: Tokens & { readonly refresh_token: string };
  /** True if a refresh got no response, so that the caller does not know whether its token is spent. */
  isRefreshing: boolean;
}

interface Account {
  readonly password: string;
  readonly apiKey: string;
}

/**
 * Sends load until the service ends: links made, followed, edited and deleted, people who sign in, tokens refreshed, keys
 * made and rolled.
 *
 * @param afterLink called after each link; says whether the service is being killed
 */
async function load(origin: string, account: Account, promised: Promised, afterLink: () => boolean): Promise<void> {
  let isKilled = false;
  const untilItEnds = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await work();
      } catch (error) {
        // No answer is no promise, nor is what a part of the service says that is killed a moment later than the rest.
        // Before that an answer that refuses is none that a crash explains.
        if (isKilled || error instanceof TypeError) return;
        throw error;
      }
    }
  };
  const make = async () => {
    const url = `https://example.com/${crypto.randomUUID()}`;
    const link = await makeLink(origin, account.apiKey, { url, client_id: 'default' });
    promised.links.push(link);
    isKilled = afterLink() || isKilled;
    const any = promised.links.at(Math.floor(Math.random() * promised.links.length));
    if (any) await follow(origin, any);
  };
  const change = async () => {
    const makeOne = async () => (await makeLink(origin, account.apiKey, { url: OLD, client_id: 'default' })).id;
    const headers = { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' };
    const id = await makeOne();
    const url = `https://example.com/${crypto.randomUUID()}`;
    await send(origin, 'PATCH', `/v1/links/${id}`, headers, { url });
    promised.links.push({ id, url, short_url: '' });
    const gone = await makeOne();
    await send(origin, 'DELETE', `/v1/links/${gone}`, headers);
    promised.deleted.push({ id: gone, url: OLD, short_url: '' });
  };
  const signIn = async () => {
    const { status, body } = await askForToken(origin, 'admin', account.password).catch(noAnswer);
    if (status !== 201) throw new Error(`sign-in answered ${status} ${body}`);
    const kept: SignIn = { tokens: JSON.parse(body), isRefreshing: false };
    promised.signIns.push(kept);
    const headers = { Authorization: `Bearer ${kept.tokens.access_token}`, 'Content-Type': 'application/json' };
    const made = await send(origin, 'POST', '/v1/keys', headers, { name: 'crash', scopes: ['links:read'] });
    const { id, key } = (await made.json()) as { id: string; key: string };
    const texts = [key];
    promised.keys.push(texts);
    const rolled = (await (await send(origin, 'POST', `/v1/keys/${id}/roll`, headers)).json()) as { key: string };
    texts.push(rolled.key);
    for (let turn = 0; turn < 3; turn++) {
      const form = new URLSearchParams({ refresh_token: kept.tokens.refresh_token });
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      kept.isRefreshing = true;
      const refreshed = await send(origin, 'POST', '/tokens/refresh_token', type, form);
      kept.tokens = (await refreshed.json()) as SignIn['tokens'];
      kept.isRefreshing = false;
    }
  };
  await Promise.all([
    ...Array.from({ length: CREATORS }, () => untilItEnds(make)),
    untilItEnds(change),
    untilItEnds(signIn),
  ]);
}

/** Sends a request, which must go well if it is answered at all. */
async function send(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Response> {
  const text = body instanceof URLSearchParams ? String(body) : JSON.stringify(body);
  const answer = await fetch(`${origin}${path}`, { method, headers, ...(body && { body: text }) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
  return answer;
}

function noAnswer(cause: unknown): never {
  throw new TypeError('the service has ended', { cause });
}

async function follow(origin: string, { id, url }: LinkRecord): Promise<void> {
  const { status, headers } = await fetch(`${origin}/${id}`, { redirect: 'manual' });
  expect([id, status, headers.get('Location')]).toEqual([id, 302, url]);
}

/** Expects that all that was promised is so. */
async function expectKept(origin: string, { links, deleted, keys, signIns }: Promised): Promise<void> {
  for (const link of links) await follow(origin, link);
  for (const { id } of deleted) expect([id, (await fetch(`${origin}/${id}`)).status]).toEqual([id, 410]);
  const list = async (headers: Record<string, string>) =>
    (await fetch(`${origin}/v1/links?limit=1`, { headers })).status;
  for (const key of keys.flat()) expect([key, await list({ 'X-API-Key': key })]).toEqual([key, 200]);
  for (const { tokens } of signIns) expect(await list({ Authorization: `Bearer ${tokens.access_token}` })).toBe(200);
}

it(`keeps every promise when it is killed ${CRASHES} times under load`, { timeout: TIMEOUT_MS }, async () => {
  const [folder, persistTo] = [copyProject(), makeFolder()];
  const command = [NODE, 'scripts/start.ts'] as const;
  const start = () => startServer({ folder, persistTo, command, args: ['--var', 'CREATE_LIMITING:off'] });
  const promised: Promised = { links: [], deleted: [], keys: [], signIns: [] };
  let server = await start();
  const output = server.output();
  const account = { password: printedOnce(output, 'password'), apiKey: printedOnce(output, 'api_key') };
  for (let crash = 1; crash <= CRASHES; crash++) {
    const killed = new Promise<void>((resolve, reject) => {
      let made = 0;
      const afterLink = () => {
        if (++made === LINKS_A_CRASH) server.endAll('SIGKILL').then(resolve, reject);
        return made >= LINKS_A_CRASH;
      };
      load(server.origin, account, promised, afterLink).catch(reject);
    });
    await killed;
    expect(integrityOf(persistTo)).toEqual(['ok']);
    server = await start();
    await expectKept(server.origin, promised);
  }
  expect(promised.links.length).toBeGreaterThanOrEqual(CRASHES * LINKS_A_CRASH);
  expect(promised.signIns.length).toBeGreaterThanOrEqual(CRASHES);
  expect(promised.deleted.length).toBeGreaterThanOrEqual(CRASHES);
  expect(promised.keys.filter(({ length }) => length > 1).length).toBeGreaterThan(0);
  for (const { tokens } of promised.signIns.filter(({ isRefreshing }) => !isRefreshing)) {
    const body = new URLSearchParams({ refresh_token: tokens.refresh_token });
    expect((await fetch(`${server.origin}/tokens/refresh_token`, { method: 'POST', body })).status).toBe(201);
  }
  await server.end('SIGTERM');
  expect(integrityOf(persistTo)).toEqual(['ok']);
});
