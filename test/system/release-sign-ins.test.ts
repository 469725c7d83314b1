import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject } from '../scripts/support/project.ts';
import { ask, askForToken, startServer, type Answer, type Server } from '../scripts/support/server.ts';
import { startReleaseWorker } from './support/release-worker.ts';
import { copyDatabase, keyOf, newestRelease } from './support/releases.ts';

/**
 * An upgrade while people and programs are signed in: what the newest release gave them a moment before. Then its code
 * again, on a database in which a user has a second factor that it does not know.
 */

const release = newestRelease();
const { known } = release;
const [user] = known.users as [(typeof known.users)[number]];
const [clientId] = Object.keys(user.clients) as [string];

interface Tokens {
  readonly access_token: string;
  readonly api_token: string;
  readonly refresh_token: string;
}

const signInByBasic = (origin: string) => askForToken(origin, user.name, user.password);

const signInByForm = (origin: string) =>
  ask(`${origin}/platform/sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin },
    body: new URLSearchParams({ name: user.name, password: user.password }).toString(),
  });

const refresh = (origin: string, token: string) =>
  ask(`${origin}/tokens/refresh_token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ refresh_token: token }).toString(),
  });

const cookieOf = ({ headers }: Answer): string => String(headers['set-cookie']).split(';', 1)[0] ?? '';

const persistTo = makeFolder();
const database = copyDatabase(release, persistTo);
let server: Server;
let tokens: Tokens;
let other: Tokens;
let cookie: string;

beforeAll(async () => {
  const former = await startReleaseWorker(release, persistTo);
  const [byBasic, again, byForm] = [
    await signInByBasic(former.origin),
    await signInByBasic(former.origin),
    await signInByForm(former.origin),
  ];
  await former.end();
  expect([byBasic.status, again.status, byForm.status]).toEqual([201, 201, 303]);
  [tokens, other, cookie] = [JSON.parse(byBasic.body), JSON.parse(again.body), cookieOf(byForm)];
  const folder = copyProject();
  writeFileSync(join(folder, '.dev.vars'), `TOKEN_KEYS='${known.tokenKeys}'\n`);
  server = await startServer({ folder, persistTo });
});
afterAll(() => server.end('SIGTERM'));

it('a token, an api_token, a key, a browser and a refresh token of the release before work after the upgrade', async () => {
  const { origin } = server;
  expect(server.output()).toMatch(/The database is upgraded: .*0029_second_factors/);
  const bearer = { Authorization: `Bearer ${tokens.access_token}` };
  expect((await ask(`${origin}/tokens/token_info`, { headers: bearer })).status).toBe(200);
  for (const headers of [bearer, { 'X-API-Key': tokens.api_token }, keyOf(known, clientId)]) {
    const { status, body } = await ask(`${origin}/v1/links?client_id=${clientId}`, { headers });
    expect([status, JSON.parse(body).links.length > 0]).toEqual([200, true]);
  }
  // The token of a user without a second factor keeps the rights of a person.
  const mine = await ask(`${origin}/v1/me`, { headers: bearer });
  expect(JSON.parse(mine.body).clients).toMatchObject([{ client_id: clientId, role: user.clients[clientId] }]);

  const page = await ask(`${origin}/platform/account`, { headers: { Cookie: cookie } });
  expect([page.status, page.body.includes(user.name)]).toEqual([200, true]);
  const renewed = await refresh(origin, tokens.refresh_token);
  expect(renewed.status).toBe(201);
  const headers = { Authorization: `Bearer ${JSON.parse(renewed.body).access_token}` };
  expect((await ask(`${origin}/tokens/token_info`, { headers })).status).toBe(200);
});

it('the code of the release before refuses all sign-ins, once a user can have a second factor', async () => {
  await server.end('SIGTERM');
  const rows = new DatabaseSync(database);
  rows.prepare('UPDATE users SET factor_since = 1 WHERE name = ?').run(user.name);
  const supported = rows.prepare('SELECT oldest_migration FROM schema_support').get();
  rows.close();
  // Code that knows no second factor, released or not, is older than its migration.
  expect(supported?.['oldest_migration']).toBeGreaterThanOrEqual(29);
  const former = await startReleaseWorker(release, persistTo);
  try {
    const answers = [
      await signInByBasic(former.origin),
      await refresh(former.origin, other.refresh_token),
      await signInByForm(former.origin),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, headers['set-cookie']]).toEqual([503, undefined]);
      expect(body).toContain('a version that is older than its database');
      expect(body).not.toContain('access_token');
    }
  } finally {
    await former.end();
  }
});
