import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { experimental_readRawConfig } from 'wrangler';
import { readMigrations } from '../../../scripts/migrations/files.ts';
import { LEDGER } from '../../../scripts/migrations/ledger.ts';
import { versionsIn } from '../../../scripts/release-fixture/kept.ts';
import type { Known, KnownLink } from '../../../scripts/release-fixture/known.ts';
import { STATISTICS_FOLDER } from '../../../scripts/stored-database.ts';
import { makeFolder } from '../../scripts/support/processes.ts';
import { ROOT } from '../../scripts/support/project.ts';
import { DAY_MS } from '../../../src/time/day.ts';
import { ask } from '../../scripts/support/server.ts';

/** The fixtures of releases: what a release wrote into its database, and how visitors find that there. */

const FOLDER = join(ROOT, 'test/releases');
const DATABASE = 'database.sqlite';
const STATISTICS = 'statistics';
const SETTINGS = 'wrangler.toml';

export interface Release {
  readonly version: string;
  /** The folder of its fixture. */
  readonly folder: string;
  readonly known: Known;
}

/** All releases that have a fixture, oldest first. */
export const releases: readonly Release[] = versionsIn(FOLDER).map((version) => openRelease(join(FOLDER, version)));

/** The release that moves the clicks of those before it, which are upgraded by way of it. */
export const clickMover: Release = releases.find(({ version }) => version === '1.3.0')!;

/** True if the clicks of a release are not in its database. */
export const isMoved = (release: Release): boolean => releases.indexOf(release) >= releases.indexOf(clickMover);

/** The fixture in a folder. */
export function openRelease(folder: string): Release {
  const known: Known = JSON.parse(readFileSync(join(folder, 'known.json'), 'utf8'));
  return { version: known.version, folder, known };
}

/** The releases whose Worker is kept, oldest first: `test/releases/kept-workers.json` says why. */
export const releasesWithWorker = releases.filter(({ folder }) => existsSync(join(folder, SETTINGS)));

/**
 * Copies the database of a release, and the statistics that it has beside it, to where `npm start -- --persist-to`
 * reads them. Returns the path of the database.
 */
export function copyDatabase({ folder, known }: Release, persistTo: string): string {
  const file = join(persistTo, known.databasePath);
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(folder, DATABASE), file);
  const statistics = join(folder, STATISTICS);
  if (existsSync(statistics)) cpSync(statistics, join(persistTo, STATISTICS_FOLDER), { recursive: true });
  return file;
}

/** Moves the sign-ins of a database to the present, since they last 30 days, and the release may be older. */
export function keepSignedIn(file: string): void {
  const now = Date.now();
  const database = new DatabaseSync(file);
  database.prepare('UPDATE token_families SET started_at = ?, ends_at = ?').run(now, now + 30 * DAY_MS);
  database.prepare('UPDATE sessions SET seen_at = ?').run(now);
  database.close();
}

/**
 * The sentence with which a start upgrades the database of a release, once its clicks are moved; null if it has all
 * migrations.
 */
export async function upgradeSentence(release: Release): Promise<string | null> {
  const applied = appliedTo(isMoved(release) ? release : clickMover);
  const pending = readMigrations()
    .map(({ name }) => name)
    .filter((name) => !applied.has(name));
  if (pending.length === 0) return null;
  return `The database is upgraded: ${pending.map((name) => name.replace(/\.sql$/, '')).join(', ')}.`;
}

/** The message with which `npm run deploy` of a release uploads a version. */
export function versionMessage(release: Release): string {
  return `Terse ${release.version}, schema ${schemaOf(release)}`;
}

/** The number of the newest migration that a release knows; 0 if it is from before their record. */
export const schemaOf = (release: Release): number => appliedTo(release).size;

/** The migrations that the database of a release has; none if that is from before their record. */
function appliedTo({ folder }: Release): ReadonlySet<unknown> {
  const database = new DatabaseSync(join(folder, DATABASE), { readOnly: true });
  const isNumbered = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(LEDGER) !== undefined;
  const rows = isNumbered ? database.prepare(`SELECT name FROM ${LEDGER}`).all() : [];
  database.close();
  return new Set(rows.map(({ name }) => name));
}

/** The newest release, whose Worker is always kept. */
export function newestRelease(): Release {
  const newest = releasesWithWorker.at(-1);
  if (newest === undefined) throw new Error(`no release in ${FOLDER} has a Worker: npm run release:fixture`);
  return newest;
}

/** The last release without a class of Durable Objects, of those whose Worker is kept. */
export function lastReleaseWithout(className: string): Release {
  const last = releasesWithWorker.findLast((release) => !classesOf(release).includes(className));
  if (last === undefined) throw new Error(`every Worker in ${FOLDER} has the class ${className}`);
  return last;
}

/** The classes of Durable Objects of a release whose Worker is kept. */
export const classesOf = ({ folder }: Release): string[] => classesIn(join(folder, SETTINGS));

/** The classes of Durable Objects in a wrangler.toml. */
export function classesIn(config: string): string[] {
  const { rawConfig } = experimental_readRawConfig({ config });
  return Object.keys(rawConfig.exports ?? {});
}

/** A new folder with the Worker of a release, its wrangler.toml and the present files of `public/`. */
export function unpackWorker({ folder }: Release): { readonly module: string; readonly config: string } {
  const unpacked = makeFolder();
  const [module, config] = [join(unpacked, 'worker.mjs'), join(unpacked, SETTINGS)];
  const compressed = join(folder, 'worker.mjs.gz');
  const text = existsSync(compressed) ? gunzipSync(readFileSync(compressed)) : readFileSync(join(folder, 'worker.mjs'));
  writeFileSync(module, text);
  copyFileSync(join(folder, SETTINGS), config);
  symlinkSync(join(ROOT, 'public'), join(unpacked, 'public'));
  return { module, config };
}

/** The response to a visitor, as the status and the header `Location`. */
export type Arrival = readonly [status: number, location: string | undefined];

/** Follows an address like a browser that loads a page in advance, which does not count as a click. */
export async function arrive(origin: string, host: string | null, slug: string): Promise<Arrival> {
  const headers = { 'Sec-Purpose': 'prefetch', ...(host !== null && { Host: host }) };
  const answer = await ask(`${origin}/${encodeURIComponent(slug)}`, { headers });
  return [answer.status, answer.headers['location'] as string | undefined];
}

/** Computes what a visitor of a known link should get. */
export function arrivalAt({ state, url }: KnownLink): Arrival {
  if (state === 'active') return [302, url];
  return [state === 'blocked' ? 403 : 410, undefined];
}

/** The API key of a client with all permissions of its time. */
export function keyOf({ apiKeys }: Known, client: string): { readonly 'X-API-Key': string } {
  const key = apiKeys.find(({ clientId, scopes, state }) => clientId === client && !scopes && state === 'active');
  if (key === undefined) throw new Error(`known.json has no API key of ${client} with all permissions`);
  return { 'X-API-Key': key.text };
}
