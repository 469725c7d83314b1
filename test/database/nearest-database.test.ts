import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdQueue } from '../support/clicks.ts';
import { countQueries } from '../support/d1.ts';
import { answerNearest, OLD, openReplica, seedReplicated, responseSummary, updateLink } from '../support/replica.ts';
import { seedLink, seedTenant } from '../support/seed.ts';
import { openIsolate } from '../support/service.ts';

const NEW = 'https://example.com/new';

beforeEach(() => void holdQueue());
afterEach(() => void vi.restoreAllMocks());

describe('the nearest copy of the database', () => {
  it('the nearest copy of the database is asked once for a cold redirect, for the link and for a restore, and the primary is not', async () => {
    const { path, asked } = await seedReplicated();
    const [sessions, queries] = [vi.spyOn(env.DB, 'withSession'), await countQueries()];
    expect(await responseSummary(openIsolate(), path)).toBe(`302 ${OLD}`);
    expect(sessions.mock.calls).toEqual([['first-unconstrained']]);
    expect(queries()).toEqual({ primary: 0, nearest: 1 });
    expect(asked).toEqual([[expect.stringContaining('FROM restores'), expect.stringContaining('FROM addresses')]]);
  });

  it('the nearest copy of the database gets a session for each query, so that none waits until a replica has what another one saw', async () => {
    const { path } = await seedReplicated();
    const sessions = vi.spyOn(env.DB, 'withSession');
    const isolate = openIsolate({ MEMORY_SECONDS: '0' });
    await responseSummary(isolate, path);
    await responseSummary(isolate, path);
    expect(sessions.mock.calls).toEqual([['first-unconstrained'], ['first-unconstrained']]);
  });

  it('the nearest copy of the database needs no confirmation if it is the primary, whether a link is found or not', async () => {
    const link = await seedLink(await seedTenant());
    const queries = await countQueries();
    expect(await responseSummary(openIsolate(), `/${link.id}`)).toBe('302 https://example.com/');
    expect(await responseSummary(openIsolate(), '/nosuchid')).toBe('404');
    expect(queries()).toEqual({ primary: 0, nearest: 2 });
  });

  it('the nearest copy of the database counts as a replica if its response does not say that it is the primary', async () => {
    answerNearest(async (_, ask) =>
      (await ask()).map(({ meta, ...result }) => ({
        ...result,
        meta: { ...meta, served_by_primary: undefined } as never,
      })),
    );
    const queries = await countQueries();
    expect(await responseSummary(openIsolate(), '/nosuchid')).toBe('404');
    expect(queries()).toEqual({ primary: 1, nearest: 1 });
  });
});

describe('a replica', () => {
  const SHA = '0'.repeat(64);
  const beginRestore = () => env.DB.prepare('INSERT INTO restores VALUES (1, ?, 1, 0, 0)').bind(SHA).run();
  const endRestore = () => env.DB.prepare('DELETE FROM restores').run();

  it('a replica that has the middle of a restore is not used after it, since it may lack the blocked hosts', async () => {
    const link = await seedLink(await seedTenant(), { url: OLD });
    vi.spyOn(console, 'error').mockReturnValue();
    const asked = openReplica();
    await beginRestore();
    expect(await responseSummary(openIsolate(), `/${link.id}`)).toBe('503');
    expect(asked).toHaveLength(1);
    await endRestore();
    await updateLink(link.id, `url = '${NEW}'`);
    // The replica stands where it was: in the middle.
    answerNearest(async () => {
      throw new Error('D1_ERROR: integer overflow');
    });
    expect(await responseSummary(openIsolate(), `/${link.id}`)).toBe(`302 ${NEW}`);
  });

  it('a replica leaves the check for a restore and for a newer database to the primary', async () => {
    const { path } = await seedReplicated();
    vi.spyOn(console, 'error').mockReturnValue();
    const isolate = openIsolate({ RESTORE_CHECK_SECONDS: '5' });
    expect(await responseSummary(isolate, path)).toBe(`302 ${OLD}`);
    await beginRestore();
    // Had the answer of the replica counted as a check, this would be 404 for five seconds.
    expect(await responseSummary(isolate, '/nosuchid')).toBe('503');
    await endRestore();
  });

  it.each([
    ['lacks the last migration', 'D1_ERROR: no such column: forward_path: SQLITE_ERROR'],
    ['is out of reach', 'D1_ERROR: Network connection lost.'],
  ])('a replica that %s costs a trip, not a response, and is logged', async (_what, message) => {
    const link = await seedLink(await seedTenant(), { url: OLD });
    const log = vi.spyOn(console, 'error').mockReturnValue();
    answerNearest(async () => {
      throw new Error(message);
    });
    expect(await responseSummary(openIsolate(), `/${link.id}`)).toBe(`302 ${OLD}`);
    expect(await responseSummary(openIsolate(), '/nosuchid')).toBe('404');
    expect(log.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      expect.objectContaining({ event: 'nearest_database_failed', detail: `Error: ${message}` }),
      expect.objectContaining({ event: 'nearest_database_failed' }),
    ]);
  });
});
