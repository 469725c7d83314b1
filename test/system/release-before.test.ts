import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateDatabase, withDatabase } from '../../scripts/database.ts';
import { buildWorker, startServer } from '../../scripts/server.ts';
import { findOldestMigration } from '../../scripts/migrations/migrate.ts';
import { createStateFolder } from '../../scripts/state.ts';
import { SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { freePort, makeFolder, until, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, linesOf, runNpm } from '../scripts/support/project.ts';
import { ask, askForToken, makeLink } from '../scripts/support/server.ts';
import { moveClicks } from './support/moved-clicks.ts';
import { startReleaseWorker, type ReleaseWorker } from './support/release-worker.ts';
import {
  arrivalAt,
  arrive,
  copyDatabase,
  keyOf,
  newestRelease,
  releasesWithWorker,
  schemaOf,
  type Release,
} from './support/releases.ts';

/**
 * Code and schema of two versions: while a release is deployed, and after a rollback, the code of the release before
 * works on the new schema, unless a migration says that it only redirects. So does that of former releases whose Workers
 * are kept.
 */
const oldest = await findOldestMigration();
const [supported, unsupported] = [true, false].map((isSupported) =>
  releasesWithWorker.filter((release) => schemaOf(release) >= oldest === isSupported),
) as [Release[], Release[]];

/** The part of a release that a test uses: one of its links, the API key of that link's client, and a user. */
function worldOf({ known }: Release) {
  const link = known.links.find(({ state, customDomain }) => state === 'active' && customDomain === null)!;
  const [user] = known.users as [(typeof known.users)[number]];
  return { known, link, clientId: link.clientId, key: keyOf(known, link.clientId), user };
}

type World = ReturnType<typeof worldOf>;

/** A folder with the database of a release, brought up to date, and then changed by `sql`. */
async function upgradedState(release: Release, sql: readonly string[] = []): Promise<string> {
  const persistTo = makeFolder();
  copyDatabase(release, persistTo);
  await moveClicks(release, persistTo);
  await withDatabase(persistTo, async (db) => {
    await migrateDatabase(db);
    if (sql.length > 0) await db.batch(sql.map((text) => ({ sql: text, params: [] })));
  });
  return persistTo;
}

const edit = (origin: string, { link, key }: World, url: string) =>
  ask(`${origin}/v1/links/${link.id}`, {
    method: 'PATCH',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url }),
  });

const create = (origin: string, { clientId, key }: World) =>
  ask(`${origin}/v1/links`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ client_id: clientId, url: 'https://example.com/' }).toString(),
  });

const signIn = (origin: string, { user }: World) => askForToken(origin, user.name, user.password);

const OPENS_APP = 'myapp://open/offer';

/** Copies a link, as one that opens an app, with a page for visitors without it. */
const toApp = ({ link }: World) => [
  `INSERT INTO links (id, slug, client_id, created_at, updated_at, revision, domain_id, sec_id, url, fallback)
    SELECT 'toTheApp', 'toTheApp', client_id, created_at, updated_at, 1, domain_id, sec_id, '${OPENS_APP}', 'https://example.com/app'
    FROM links WHERE id = '${link.id}'`,
  `INSERT INTO addresses (domain_id, folded, slug, link_id) VALUES ('', 'totheapp', 'toTheApp', 'toTheApp')`,
];

describe.each(unsupported)('the Worker of $version, on a database that it cannot write to', (release) => {
  const world = worldOf(release);
  let worker: ReleaseWorker;

  beforeAll(async () => {
    worker = await startReleaseWorker(release, await upgradedState(release, toApp(world)));
  });
  afterAll(() => worker.end());

  it('the Worker of a release that a migration has left behind leads visitors to the destinations', async () => {
    for (const each of world.known.links) {
      const arrival = await arrive(worker.origin, each.customDomain, each.slug);
      expect([each.name, ...arrival]).toEqual([each.name, ...arrivalAt(each)]);
    }
  });

  it('the Worker of a release that knows no other schemes leads all visitors to an app, from each store', async () => {
    // The second look-up of an isolate fills KV, and the next ones read it or memory.
    for (let visits = 0; visits < 4; visits++) {
      expect(await arrive(worker.origin, null, 'toTheApp')).toEqual([302, OPENS_APP]);
    }
  });

  it('the Worker of a release that a migration has left behind changes nothing, and says why, if it can know', async () => {
    // Version 1.1.0 knows of no such migration.
    const refused = schemaOf(release) === 0 ? [] : [create, edit, signIn];
    for (const send of refused) {
      const { status, body } = await send(worker.origin, world, 'https://example.com/never');
      expect([status, body]).toEqual([503, expect.stringContaining('a version that is older than its database')]);
    }
    expect(await arrive(worker.origin, null, world.link.slug)).toEqual(arrivalAt(world.link));
  });
});

describe.each(supported)('the Worker of $version, on the database of this version', (release) => {
  const world = worldOf(release);
  const { known, link, clientId, key, user } = world;
  let worker: ReleaseWorker;

  beforeAll(async () => {
    worker = await startReleaseWorker(release, await upgradedState(release));
  });
  afterAll(async () => {
    await worker.end();
    // Nothing failed in the background either.
    expect(worker.problems()).toEqual([]);
  });

  it('the Worker of a former release leads visitors to the destinations', async () => {
    for (const each of known.links) {
      const arrival = await arrive(worker.origin, each.customDomain, each.slug);
      expect([each.name, ...arrival]).toEqual([each.name, ...arrivalAt(each)]);
    }
  });

  it('the Worker of a former release creates links, and follows them', async () => {
    const url = 'https://example.com/by-the-release-before';
    const made = await makeLink(worker.origin, key['X-API-Key'], { client_id: clientId, url });
    expect(await arrive(worker.origin, null, made.id)).toEqual([302, url]);
  });

  it('the Worker of a former release edits links, and follows them to the new destination', async () => {
    const url = 'https://example.com/edited-by-the-release-before';
    const edited = await edit(worker.origin, world, url);
    expect([edited.status, JSON.parse(edited.body)]).toMatchObject([200, { id: link.id, url }]);
    expect(await arrive(worker.origin, null, link.slug)).toEqual([302, url]);
  });

  it('the Worker of a former release gives a token for a password, which works', async () => {
    const answer = await askForToken(worker.origin, user.name, user.password);
    expect(answer.status).toBe(201);
    const { access_token, local_id } = JSON.parse(answer.body);
    expect(local_id).toBe(user.localId);
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await ask(`${worker.origin}/tokens/token_info`, { headers })).status).toBe(200);
    expect((await ask(`${worker.origin}/v1/links/${link.id}`, { headers })).status).toBe(200);
  });

  it('the Worker of a former release signs a browser in, and shows it the links', async () => {
    const path = `/platform/c/${clientId}/links`;
    const answer = await ask(`${worker.origin}/platform/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: worker.origin },
      body: new URLSearchParams({ name: user.name, password: user.password, next: path }).toString(),
    });
    expect(answer).toMatchObject({ status: 303, headers: { location: path } });
    const [cookie = ''] = (answer.headers['set-cookie'] as string[]).map((each) => each.split(';', 1)[0]);
    const page = await ask(`${worker.origin}${path}`, { headers: { Cookie: cookie } });
    expect(page.status).toBe(200);
    expect(page.body).toContain(`/${link.slug}`);
  });

  it('the Worker of a former release counts a click, and responds to questions about statistics', async () => {
    const headers = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0' };
    const humans = async (): Promise<number> => {
      const { status, body } = await ask(`${worker.origin}/v1/links/${link.id}`, { headers: key });
      expect(status).toBe(200);
      return JSON.parse(body).clicks.humans;
    };
    const before = await humans();
    expect((await ask(`${worker.origin}/${link.slug}`, { headers })).status).toBe(302);
    await until('the click is counted', async () => (await humans()) === before + 1);
    const stats = await ask(`${worker.origin}/v1/stats?by=browser`, { headers: key });
    expect([stats.status, JSON.parse(stats.body).rows]).toMatchObject([
      200,
      expect.arrayContaining([expect.objectContaining({ key: 'Firefox' })]),
    ]);
  });

  it('the Worker of a former release cleans up daily, and leaves what is in use', async () => {
    expect(await worker.runDaily()).toBe('ok');
    expect((await edit(worker.origin, world, 'https://example.com/cleaned')).status).toBe(200);
    expect(await arrive(worker.origin, null, link.slug)).toEqual([302, 'https://example.com/cleaned']);
  });
});

describe('this version, on a schema that only newer code can write to', () => {
  const release = newestRelease();
  const world = worldOf(release);
  const { known, link, key, user } = world;
  const newer = [
    `INSERT INTO d1_migrations (name) VALUES ('9999_contract.sql')`,
    `UPDATE schema_support SET oldest_migration = 9999`,
  ];
  let refusal: Outcome;
  let origin: string;
  let end = async () => {};

  beforeAll(async () => {
    const persistTo = await upgradedState(release, newer);
    const port = await freePort();
    refusal = await runNpm(copyProject(), ['start', '--', '--port', String(port), '--persist-to', persistTo]);
    const server = await startServer({
      port,
      host: 'localhost',
      stateFolder: createStateFolder(persistTo),
      module: await buildWorker(join(makeFolder(), 'worker')),
      vars: { TOKEN_KEYS: known.tokenKeys },
      stopping: new AbortController().signal,
    });
    origin = `http://localhost:${port}`;
    end = () => server.dispose();
  });
  afterAll(() => end());

  it('this version on a schema that only newer code can write to is not started by "npm start"', () => {
    expect(SCHEMA_VERSION).toBeLessThan(9999);
    expect(refusal.code).toBe(2);
    expect(linesOf(refusal.stderr)).toContain(
      'The database is of a newer version of Terse (9999_contract), which this version cannot work with, and nothing was ' +
        'changed: use that version.',
    );
  });

  it('this version on a schema that only newer code can write to still redirects and shows links', async () => {
    expect(await arrive(origin, null, link.slug)).toEqual(arrivalAt(link));
    const shown = await ask(`${origin}/v1/links/${link.id}`, { headers: key });
    expect([shown.status, JSON.parse(shown.body).url]).toEqual([200, link.url]);
  });

  it.each([
    ['creates', () => create(origin, world)],
    ['edits', () => edit(origin, world, 'https://example.com/never')],
    ['sign-ins', () => askForToken(origin, user.name, user.password)],
  ])('this version on a schema that only newer code can write to responds to %s with a sentence', async (_, send) => {
    const { status, headers, body } = await send();
    expect([status, headers['retry-after'], JSON.parse(body)]).toEqual([
      503,
      '60',
      {
        result: 'Failed',
        error:
          'store_unavailable: Nothing can be changed at the moment, since the service runs a version that is older than ' +
          'its database. Links still redirect. Try again in a few minutes.',
      },
    ]);
    expect(await arrive(origin, null, link.slug)).toEqual(arrivalAt(link));
  });
});
