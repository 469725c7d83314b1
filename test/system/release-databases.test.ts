import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Clicks } from '../../scripts/release-fixture/known.ts';
import { addDays, dayOf } from '../../src/time/day.ts';
import { all, backup, restore } from '../scripts/support/backups.ts';
import { integrityOf } from '../scripts/support/data.ts';
import { makeFolder, until, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, linesOf } from '../scripts/support/project.ts';
import { ask, askForToken, startServer, type Answer, type Server } from '../scripts/support/server.ts';
import { moveClicks } from './support/moved-clicks.ts';
import {
  arrivalAt,
  arrive,
  copyDatabase,
  keepSignedIn,
  keyOf,
  releases,
  upgradeSentence,
  type Arrival,
} from './support/releases.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

interface Grant {
  readonly client_id: string;
  readonly role: string;
}

describe.each(releases)('the database of $version', (release) => {
  const { known } = release;
  const folder = copyProject();
  const persistTo = makeFolder();
  const database = copyDatabase(release, persistTo);
  writeFileSync(join(folder, '.dev.vars'), `TOKEN_KEYS='${known.tokenKeys}'\n`);
  const clients = Object.keys(known.clients);
  const edited = known.links.find(({ state, customDomain }) => state === 'active' && customDomain === null)!;
  const moved = 'https://example.net/moved?after=upgrade';
  let server: Server;
  let upgraded: string[];
  let arrivals: Arrival[];
  let edit: Answer;

  const upgradesIn = (each: Server) => linesOf(each.output()).filter((line) => /database/i.test(line));
  // The Worker logs problems in lines of JSON.
  const problemsIn = (each: Server) => linesOf(each.errors()).filter((line) => line.startsWith('{'));
  const read = async (path: string, client: string) => {
    const { status, body } = await ask(`${server.origin}${path}`, { headers: keyOf(known, client) });
    return { status, body: JSON.parse(body) };
  };
  const whoIs = async (headers: Readonly<Record<string, string>>) => {
    const { status, body } = await ask(`${server.origin}/v1/me`, { headers });
    return { status, body: JSON.parse(body) };
  };
  const clicksIn = ({ humans, bots, previews }: Clicks): Clicks => ({ humans, bots, previews });

  beforeAll(async () => {
    await moveClicks(release, persistTo);
    server = await startServer({ folder, persistTo });
    upgraded = upgradesIn(server);
    arrivals = await Promise.all(
      known.links.map(({ customDomain, slug }) => arrive(server.origin, customDomain, slug)),
    );
    edit = await ask(`${server.origin}/v1/links/${edited.id}`, {
      method: 'PATCH',
      headers: { ...keyOf(known, edited.clientId), 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: moved }),
    });
  });

  it('the database of a former release is upgraded at the first start, which names the migrations', async () => {
    const sentence = await upgradeSentence(release);
    expect(upgraded).toEqual(sentence === null ? [] : [sentence]);
  });

  it('the database of a former release leads the visitors of each link to its destination, or says why not', () => {
    const named = (found: readonly Arrival[]) => known.links.map(({ name }, index) => [name, found[index]]);
    expect(named(arrivals)).toEqual(named(known.links.map(arrivalAt)));
  });

  it('the database of a former release leads visitors by aliases, and on domains as they are set', async () => {
    for (const link of known.links) {
      for (const alias of link.aliases) {
        expect(await arrive(server.origin, link.customDomain, alias)).toEqual(arrivalAt(link));
      }
    }
    for (const { host, status, rootUrl, notFoundUrl } of known.domains) {
      const redirect = (url: string | null): Arrival => (url === null ? [404, undefined] : [302, url]);
      const isServed = status === 'active';
      expect([host, await arrive(server.origin, host, '')]).toEqual([host, redirect(isServed ? rootUrl : null)]);
      expect([host, await arrive(server.origin, host, 'none')]).toEqual([
        host,
        redirect(isServed ? notFoundUrl : null),
      ]);
    }
  });

  it('the database of a former release lets its users sign in with their passwords, each with their roles', async () => {
    for (const { name, password, localId, clients: roles } of known.users) {
      const answer = await askForToken(server.origin, name, password);
      const { local_id, access_token } = JSON.parse(answer.body);
      expect([name, answer.status, local_id]).toEqual([name, 201, localId]);
      const { body } = await whoIs({ Authorization: `Bearer ${access_token}` });
      const found = body.clients.map(({ client_id, role }: Grant) => [client_id, role]);
      expect([name, Object.fromEntries(found)]).toEqual([name, roles]);
      expect((await askForToken(server.origin, name, `${password}!`)).status).toBe(401);
    }
  });

  it('the database of a former release accepts its API keys with their permissions, except those that were revoked', async () => {
    for (const { name, clientId, text, scopes, state } of known.apiKeys) {
      const { status, body } = await whoIs({ 'X-API-Key': text });
      expect([name, clientId, status]).toEqual([name, clientId, state === 'active' ? 200 : 401]);
      if (state !== 'active') continue;
      expect(body.clients).toMatchObject([{ client_id: clientId, ...(scopes && { scopes }) }]);
    }
  });

  it('the database of a former release follows an edited link to its new destination', async () => {
    expect([edit.status, JSON.parse(edit.body)]).toMatchObject([200, { id: edited.id, url: moved }]);
    expect(await arrive(server.origin, null, edited.slug)).toEqual([302, moved]);
  });

  it.each(clients)(
    'the database of a former release shows %s its own links with their history, and nothing of others',
    async (client) => {
      const isListed = ({ clientId, state }: (typeof known.links)[number]) =>
        clientId === client && state !== 'deleted';
      const { body } = await read('/v1/links?limit=100', client);
      expect(body.links.map(({ id }: { id: string }) => id).toSorted()).toEqual(
        known.links
          .filter(isListed)
          .map(({ id }) => id)
          .toSorted(),
      );
      for (const { id, clientId, history, ...link } of known.links) {
        const found = await read(`/v1/links/${id}`, client);
        const past = await read(`/v1/links/${id}/history?limit=100`, client);
        if (clientId !== client) {
          expect([link.name, found.status, past.status]).toEqual([link.name, 404, 404]);
          continue;
        }
        expect(found.body).toMatchObject({
          sec_id: link.secId,
          campaign_name: link.campaignName,
          metadata: link.metadata,
        });
        // A release without a history counted none; a link then has its creation.
        const entries = Math.max(history, 1) + (id === edited.id ? 1 : 0);
        expect([link.name, past.body.history.length]).toEqual([link.name, entries]);
      }
      for (const other of clients.filter((each) => each !== client)) {
        expect((await read(`/v1/stats?client_id=${other}`, client)).status).toBe(403);
      }
    },
  );

  // At the same time, since most of it is a wait for the queue.
  it.concurrent.each(Object.entries(known.clients))(
    'the database of a former release shows %s the known statistics, and counts a new click',
    async (client, sums) => {
      // The journey of a fixture may have lasted over midnight.
      const day = dayOf(Date.parse(known.createdAt));
      const days = `from=${day}&to=${addDays(day, 1)}`;
      const links = known.links.filter(({ clientId }) => clientId === client);
      expect((await read(`/v1/stats?${days}`, client)).body).toMatchObject(sums.clicks);
      for (const [name, clicks] of Object.entries(sums.campaigns)) {
        const { body } = await read(`/v1/campaigns/${encodeURIComponent(name)}/stats?${days}`, client);
        expect([name, clicksIn(body)]).toEqual([name, clicks]);
      }
      for (const link of links) {
        const { body } = await read(`/v1/links/${link.id}`, client);
        expect([link.name, clicksIn(body.clicks)]).toEqual([link.name, link.clicks]);
      }

      const {
        id,
        slug,
        clicks: before,
      } = links.find(({ state, customDomain }) => state === 'active' && !customDomain)!;
      expect((await ask(`${server.origin}/${slug}`, { headers: { 'User-Agent': CHROME } })).status).toBe(302);
      const countedClicks = async () => (await read(`/v1/links/${id}`, client)).body.clicks as Clicks;
      await until('the click is counted', async () => (await countedClicks()).humans > before.humans);
      expect(clicksIn(await countedClicks())).toEqual({ ...before, humans: before.humans + 1 });
    },
  );

  describe('a second start', () => {
    beforeAll(async () => {
      await server.end('SIGTERM');
      expect(problemsIn(server)).toEqual([]);
      keepSignedIn(database);
      server = await startServer({ folder, persistTo });
    });

    it('the database of a former release at a second start is not upgraded again', () => {
      expect(upgradesIn(server)).toEqual([]);
      expect(server.output()).toContain('Your data is unchanged.');
    });

    it('the database of a former release at a second start keeps programs and browsers signed in, and accepts no refresh token twice', async () => {
      const refresh = (token: string) =>
        ask(`${server.origin}/tokens/refresh_token`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ refresh_token: token }).toString(),
        });
      for (const { name, tokens, sessionCookie } of known.users) {
        if (tokens) {
          expect([name, (await refresh(tokens.refreshToken)).status]).toEqual([name, 201]);
          expect([name, (await refresh(tokens.usedRefreshToken)).status]).toEqual([name, 401]);
        }
        if (sessionCookie) {
          const page = await ask(`${server.origin}/platform/account`, { headers: { Cookie: sessionCookie } });
          expect([page.status, page.body.includes(name)]).toEqual([200, true]);
        }
      }
    });
  });

  describe('a backup that is restored elsewhere', () => {
    const [file, elsewhere] = [join(makeFolder(), 'terse.backup'), makeFolder()];
    let tools: Outcome[];
    let rows: ReturnType<typeof all>[];
    let restored: Server;

    beforeAll(async () => {
      await server.end('SIGTERM');
      tools = [await backup(persistTo, file), await restore(elsewhere, file)];
      rows = [all(persistTo), all(elsewhere)];
      restored = await startServer({ folder, persistTo: elsewhere });
    });

    it('the database of a former release in a backup that is restored elsewhere has all rows', () => {
      expect(tools).toMatchObject([
        { code: 0, stderr: '' },
        { code: 0, stderr: '' },
      ]);
      const [before, after] = rows;
      expect(before?.['links']).toHaveLength(known.links.length);
      expect(after).toEqual(before);
    });

    it('the database of a former release in a backup that is restored elsewhere serves the edited link, and lets its users sign in', async () => {
      expect(upgradesIn(restored)).toEqual([]);
      expect(await arrive(restored.origin, null, edited.slug)).toEqual([302, moved]);
      const [{ name, password }] = known.users as [(typeof known.users)[number]];
      expect((await askForToken(restored.origin, name, password)).status).toBe(201);
      await restored.end('SIGTERM');
      expect(integrityOf(elsewhere)).toEqual(['ok']);
    });
  });
});
