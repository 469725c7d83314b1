import { expect, it } from 'vitest';
import { integrityOf } from './support/data.ts';
import { makeFolder } from './support/processes.ts';
import { copyProject, NODE, printedOnce } from './support/project.ts';
import { askForToken, makeLink, startServer, type LinkRecord, type Tokens } from './support/server.ts';

/** How often the service is killed; `npm run bench:crash` asks for more. */
const CRASHES = Number(process.env['CRASHES'] ?? '5');
const LINKS_A_CRASH = 40;
const MAKERS = 4;
const PATIENCE_MS = 60_000 + CRASHES * 60_000;

/** What the service has said yes to, whatever has become of it since. */
interface Promised {
  readonly links: LinkRecord[];
  readonly keys: string[];
  readonly signIns: (Tokens & { readonly refresh_token: string })[];
}

interface Account {
  readonly password: string;
  readonly apiKey: string;
}

/** Sends load until the service ends: links made and followed, people who sign in, keys made. Calls back after each link. */
async function load(origin: string, account: Account, promised: Promised, afterLink: () => void): Promise<void> {
  const untilItEnds = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await work();
      } catch (error) {
        // No answer is no promise. An answer that refuses is none that a crash explains.
        if (error instanceof TypeError) return;
        throw error;
      }
    }
  };
  const make = async () => {
    const url = `https://example.com/${crypto.randomUUID()}`;
    promised.links.push(await makeLink(origin, account.apiKey, { url, client_id: 'default' }));
    afterLink();
    const any = promised.links.at(Math.floor(Math.random() * promised.links.length));
    if (any) await follow(origin, any);
  };
  const signIn = async () => {
    const { status, body } = await askForToken(origin, 'admin', account.password).catch(noAnswer);
    if (status !== 201) throw new Error(`sign-in answered ${status} ${body}`);
    const tokens = JSON.parse(body) as Promised['signIns'][number];
    promised.signIns.push(tokens);
    const made = await fetch(`${origin}/v1/keys`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens.access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'crash', scopes: ['links:read'] }),
    });
    const { key } = (await made.json()) as { key: string };
    promised.keys.push(key);
  };
  await Promise.all([...Array.from({ length: MAKERS }, () => untilItEnds(make)), untilItEnds(signIn)]);
}

function noAnswer(cause: unknown): never {
  throw new TypeError('the service has ended', { cause });
}

async function follow(origin: string, { id, url }: LinkRecord): Promise<void> {
  const { status, headers } = await fetch(`${origin}/${id}`, { redirect: 'manual' });
  expect([id, status, headers.get('Location')]).toEqual([id, 302, url]);
}

/** Expects that all that was promised is so. */
async function expectKept(origin: string, { links, keys, signIns }: Promised): Promise<void> {
  for (const link of links) await follow(origin, link);
  const list = async (headers: Record<string, string>) =>
    (await fetch(`${origin}/v1/links?limit=1`, { headers })).status;
  for (const key of keys) expect([key, await list({ 'X-API-Key': key })]).toEqual([key, 200]);
  for (const { access_token: token } of signIns) expect(await list({ Authorization: `Bearer ${token}` })).toBe(200);
}

it(`keeps every promise when it is killed ${CRASHES} times under load`, { timeout: PATIENCE_MS }, async () => {
  const [folder, persistTo] = [copyProject(), makeFolder()];
  const command = [NODE, 'scripts/start.ts'] as const;
  const start = () => startServer({ folder, persistTo, command, args: ['--var', 'CREATE_LIMITING:off'] });
  const promised: Promised = { links: [], keys: [], signIns: [] };
  let server = await start();
  const output = server.output();
  const account = { password: printedOnce(output, 'password'), apiKey: printedOnce(output, 'api_key') };
  for (let crash = 1; crash <= CRASHES; crash++) {
    const killed = new Promise<void>((resolve, reject) => {
      let made = 0;
      const afterLink = () => {
        if (++made === LINKS_A_CRASH) server.endAll('SIGKILL').then(resolve, reject);
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
  for (const { refresh_token } of promised.signIns) {
    const body = new URLSearchParams({ refresh_token });
    expect((await fetch(`${server.origin}/tokens/refresh_token`, { method: 'POST', body })).status).toBe(201);
  }
  await server.end('SIGTERM');
  expect(integrityOf(persistTo)).toEqual(['ok']);
});
