import { expect } from 'vitest';
import { withDatabase } from '../../../scripts/database.ts';
import { migrate } from '../../../scripts/migrations/migrate.ts';
import { readMigrations } from '../../../scripts/migrations/files.ts';
import type { Database } from '../../../src/database/database.ts';
import { until } from '../../scripts/support/processes.ts';
import { ask } from '../../scripts/support/server.ts';
import { startReleaseWorker } from './release-worker.ts';
import { clickMover, isMoved, keyOf, schemaOf, type Release } from './releases.ts';

/** The upgrade of releases whose clicks are in their databases, by way of the one that moves them to the objects. */

/** The migrations of the release that moves clicks. */
export const migrationsOfMover = readMigrations().slice(0, schemaOf(clickMover));

/** Brings a database to the schema of the release that moves clicks. */
export const migrateToMover = (db: Database) =>
  migrate((statements) => db.batch(statements.map((sql) => ({ sql, params: [] }))), migrationsOfMover);

/** Has the clicks of a release, whose data is in a folder, moved; nothing is left to do for a later release. */
export async function moveClicks(release: Release, persistTo: string): Promise<void> {
  if (isMoved(release)) return;
  await withDatabase(persistTo, migrateToMover);
  const worker = await startReleaseWorker(clickMover, persistTo);
  await moveClicksAt(worker.origin, release);
  await worker.end();
  expect(worker.problems()).toEqual([]);
}

/** Moves the clicks of all clients of a release where that version serves its data: a list by clicks waits for it. */
export async function moveClicksAt(origin: string, { known }: Release, send: Send = ask): Promise<void> {
  for (const client of Object.keys(known.clients)) {
    const list = () => send(`${origin}/v1/links?sort=clicks`, { headers: keyOf(known, client) });
    await until(`the clicks of ${client} are moved`, async () => (await list()).status === 200);
  }
}

type Send = (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => Promise<{ status: number }>;
