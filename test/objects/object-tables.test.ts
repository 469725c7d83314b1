import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { hasTables, readNumber, upgradeTables, type ObjectStorage } from '../../src/objects/object-tables.ts';

const FIRST = 'CREATE TABLE things (name TEXT PRIMARY KEY) STRICT; INSERT INTO things (name) VALUES (1);';
const SECOND = 'ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 7;';

/** Runs in an object that stores nothing yet. */
const inObject = <T>(work: (storage: ObjectStorage) => T): Promise<T> =>
  runInDurableObject(env.LIMITS.getByName(crypto.randomUUID()), (_object, { storage }) => work(storage));

const thingsIn = ({ sql }: ObjectStorage) => [...sql.exec('SELECT * FROM things')];

it('brings tables from any version to the newest, and to that only once', async () => {
  for (const first of [[], [FIRST], [FIRST, SECOND]]) {
    const [before, after] = await inObject((storage) => {
      if (first.length > 0) upgradeTables(storage, first);
      const had = hasTables(storage.sql);
      for (let time = 0; time < 2; time++) upgradeTables(storage, [FIRST, SECOND]);
      return [had, { things: thingsIn(storage), version: readNumber(storage.sql, 'schema') }];
    });
    expect(before).toBe(first.length > 0);
    expect(after).toEqual({ things: [{ name: '1', size: 7 }], version: 2 });
  }
});

it('leaves tables as they were if a step fails', async () => {
  const found = await inObject((storage) => {
    upgradeTables(storage, [FIRST]);
    expect(() => upgradeTables(storage, [FIRST, SECOND, 'DROP TABLE unknown'])).toThrow('no such table: unknown');
    return { things: thingsIn(storage), version: readNumber(storage.sql, 'schema') };
  });
  expect(found).toEqual({ things: [{ name: '1' }], version: 1 });
});

it('leaves tables of a newer version as they are', async () => {
  const found = await inObject((storage) => {
    upgradeTables(storage, [FIRST, SECOND]);
    upgradeTables(storage, [FIRST]);
    return { things: thingsIn(storage), version: readNumber(storage.sql, 'schema') };
  });
  expect(found).toEqual({ things: [{ name: '1', size: 7 }], version: 2 });
});
