import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery } from 'wrangler';
import { readMigrations } from '../../scripts/migrations/files.ts';
import { DROPS_FORMER_CLICKS } from '../../scripts/migrations/former-clicks.ts';
import {
  checkDatabase,
  findPending,
  migrate,
  migratedSentence,
  type SendSql,
} from '../../scripts/migrations/migrate.ts';
import { splitStatements } from '../../scripts/migrations/statements.ts';
import { SCHEMA_VERSION } from '../../src/database/schema-version.ts';
import { makeFolder } from './support/processes.ts';

/** An empty database in memory, and how `migrate` sends statements to it. */
function openEmpty(...statements: readonly string[]): { database: DatabaseSync; send: SendSql; sent: string[][] } {
  const database = new DatabaseSync(':memory:');
  for (const sql of statements) database.exec(sql);
  const sent: string[][] = [];
  const send: SendSql = async (batch) => {
    sent.push([...batch]);
    database.exec('BEGIN');
    try {
      const rows = batch.map((sql) => database.prepare(sql).all());
      database.exec('COMMIT');
      return rows;
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };
  return { database, send, sent };
}

const migrations = readMigrations();
const firstSql = migrations.flatMap(({ statements }, index) => (index === 0 ? statements : [])).join(';');
const names = migrations.map(({ name }) => name);
/** The migrations before the one that drops the clicks of version 1.2.0. */
const former = migrations.slice(0, names.indexOf(DROPS_FORMER_CLICKS));
const clickedDay = (client: string) => `
  INSERT INTO click_days (client_id, subject, name, day, humans, bots, previews, last_at, hours, countries, referrers,
    browsers, systems, devices, languages)
  VALUES ('${client}', 'client', '', '2026-05-20', 1, 0, 0, 1, '{}', '{}', '{}', '{}', '{}', '{}', '{}')`;
const isWrite = (sql: string) => !/^\s*SELECT/.test(sql);

const rowsOf = (database: DatabaseSync, sql: string) =>
  database
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
const recordedIn = (database: DatabaseSync) => rowsOf(database, 'SELECT id, name FROM d1_migrations ORDER BY id');
const schemaOf = (database: DatabaseSync) =>
  rowsOf(database, 'SELECT type, name, sql FROM sqlite_schema ORDER BY name');

/** The parts of each table and index, in the order of `schema.sql` or not: a column that is added stands last. */
function partsOf(database: DatabaseSync): object {
  const entries = rowsOf(
    database,
    `SELECT type, name, tbl_name, sql FROM sqlite_schema
      WHERE name NOT LIKE 'sqlite_%' AND name <> 'd1_migrations' ORDER BY name`,
  );
  const columns = (name: unknown) => rowsOf(database, `SELECT * FROM pragma_table_xinfo('${String(name)}')`);
  return entries.map((entry) => ({
    ...entry,
    sql: String(entry['sql'])
      .replaceAll(/["`]|\s+/g, ' ')
      .split(/[,()]/)
      .map((part) => part.trim())
      .filter(Boolean)
      .toSorted(),
    columns: columns(entry['name']),
  }));
}

describe('the migrations', () => {
  it('the migrations are split into the statements into which wrangler splits them', () => {
    const trimmed = (statement: string) => statement.replace(/;\s*$/, '');
    for (const { name, statements } of migrations) {
      const sql = readFileSync(join('migrations', name), 'utf8');
      expect([name, statements]).toEqual([name, unstable_splitSqlQuery(sql).map(trimmed)]);
    }
  });

  it('the migrations give what schema.sql says, table by table and index by index', async () => {
    const { database, send } = openEmpty();
    await migrate(send);
    const { database: read } = openEmpty(readFileSync('schema.sql', 'utf8'));
    expect(partsOf(database)).toEqual(partsOf(read));
  });

  it('the migrations are as many as the code of the Worker says', () => {
    expect(SCHEMA_VERSION).toBe(migrations.length);
  });

  it('the migrations are recorded as by wrangler, each in the transaction of its statements', async () => {
    const { database, send, sent } = openEmpty();
    expect(await migrate(send)).toEqual({ isNew: true, applied: names });
    expect(recordedIn(database)).toEqual(names.map((name, index) => ({ id: index + 1, name })));
    const writes = sent.filter((batch) => batch.some(isWrite));
    expect(writes.map((batch) => batch.at(-1))).toEqual(
      names.map((name) => `INSERT INTO "d1_migrations" (name) VALUES ('${name}')`),
    );
  });

  it('the migrations are sent only while they are pending', async () => {
    const { send, sent } = openEmpty();
    await migrate(send);
    sent.length = 0;
    expect(await migrate(send)).toEqual({ isNew: false, applied: [] });
    expect(sent.flat().filter(isWrite)).toEqual([]);
  });

  it('the migrations continue where they were interrupted', async () => {
    const { database, send } = openEmpty();
    let left = 1;
    const stopping: SendSql = async (batch) => {
      if (batch.some(isWrite) && left-- === 0) throw new Error('the line is cut');
      return send(batch);
    };
    await expect(migrate(stopping)).rejects.toThrow('the line is cut');
    expect(recordedIn(database)).toEqual([{ id: 1, name: names[0] }]);
    expect(await migrate(send)).toEqual({ isNew: false, applied: names.slice(1) });
  });

  it('the migrations are applied once by two programs at once', async () => {
    const { database, send } = openEmpty();
    const [one, other] = await Promise.all([migrate(send), migrate(send)]);
    expect([...one.applied, ...other.applied].toSorted()).toEqual(names);
    expect(recordedIn(database).map((row) => row['name'])).toEqual(names);
  });

  it('the migrations are not applied again where a response was lost', async () => {
    const { send } = openEmpty();
    const losing: SendSql = async (batch) => {
      const rows = await send(batch);
      if (batch.some(isWrite)) throw new Error('the answer is lost');
      return rows;
    };
    expect(await migrate(losing)).toMatchObject({ applied: [] });
    expect(await migrate(send)).toEqual({ isNew: false, applied: [] });
  });
});

describe('a database', () => {
  it('a database in which wrangler has only listed migrations is a new one', async () => {
    const { send } = openEmpty(
      'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    );
    expect(await migrate(send)).toEqual({ isNew: true, applied: names });
  });

  it('a database of something else is refused and left alone', async () => {
    const { database, send } = openEmpty('CREATE TABLE posts (id INTEGER)', 'CREATE TABLE authors (id INTEGER)');
    const before = schemaOf(database);
    await expect(migrate(send)).rejects.toThrow(
      'The database has tables that are not those of Terse (posts, authors), and nothing was changed: use an empty database.',
    );
    expect(schemaOf(database)).toEqual(before);
  });

  it('a database of something else with migrations of its own is refused and left alone', async () => {
    const ledger = 'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)';
    for (const name of ['0001_initial.sql', '0001_init.sql']) {
      const { database, send } = openEmpty(
        ledger,
        `INSERT INTO d1_migrations (name) VALUES ('${name}')`,
        'CREATE TABLE posts (id INTEGER)',
      );
      const before = schemaOf(database);
      const sentence = 'The database has tables that are not those of Terse (d1_migrations, posts)';
      await expect(migrate(send)).rejects.toThrow(sentence);
      await expect(findPending(send)).rejects.toThrow(sentence);
      expect(schemaOf(database)).toEqual(before);
    }
  });

  it('a database of a version between releases that lacks a column is refused and left alone', async () => {
    const { database, send } = openEmpty(firstSql.replace('countries TEXT NOT NULL,', ''));
    const before = schemaOf(database);
    await expect(migrate(send)).rejects.toThrow(
      'The database was created by a version between releases, which cannot be upgraded (click_days.countries is ' +
        'missing), and nothing was changed: export its links with that version, and import them into a new database.',
    );
    expect(schemaOf(database)).toEqual(before);
  });

  it('a database of a version between releases with other indexes gets those of this one', async () => {
    const { database, send } = openEmpty(
      firstSql,
      'DROP INDEX links_of_campaign',
      'CREATE INDEX links_of_campaign ON links (client_id, campaign_name)',
      'CREATE INDEX links_by_client ON links (client_id, created_at)',
    );
    expect(await migrate(send)).toEqual({ isNew: false, applied: names });
    const { database: fresh, send: sendToFresh } = openEmpty();
    await migrate(sendToFresh);
    expect(partsOf(database)).toEqual(partsOf(fresh));
  });

  it.each([
    ['0001_initial.sql', ''],
    ['0003_statistics_moves.sql', ''],
    ['0018_kept_packs.sql', `INSERT INTO statistics_moves (client_id, is_moved) VALUES ('acme', 0), ('globex', 1)`],
  ])(
    'a database of %s with clicks that are not moved is refused and left alone, and updated once they are',
    async (last, moves) => {
      const { database, send, sent } = openEmpty();
      await migrate(send, migrations.slice(0, names.indexOf(last) + 1));
      // Neither the clicks of a client that was deleted count, nor a client that was never clicked.
      database.exec(`INSERT INTO clients (id, created_at) VALUES ('acme', 1), ('globex', 1), ('initech', 1)`);
      for (const client of ['acme', 'globex', 'deleted']) database.exec(clickedDay(client));
      database.exec(moves);
      sent.length = 0;
      const who = moves === '' ? 'acme, globex' : 'acme';
      const sentence = `The clicks that version 1.2.0 or an older one has counted are not moved yet (of ${who}), and nothing was changed: run version 1.3.0 (the commit "chore: release 1.3.0"), which moves them, as docs/self-hosting.md says, until this command no longer says so.`;
      for (const work of [migrate, findPending, checkDatabase]) await expect(work(send)).rejects.toThrow(sentence);
      expect(sent.flat().filter(isWrite)).toEqual([]);

      await migrate(send, former);
      database.exec(`INSERT OR REPLACE INTO statistics_moves (client_id, is_moved) VALUES ('acme', 1), ('globex', 1)`);
      expect((await migrate(send)).applied).toEqual(names.slice(former.length));
      expect(rowsOf(database, `SELECT name FROM sqlite_schema WHERE name LIKE '%click%'`)).toEqual([]);
    },
  );

  it('a database whose clicks are counted anew while it is updated keeps all of them', async () => {
    const { database, send } = openEmpty();
    await migrate(send, former);
    database.exec(`INSERT INTO clients (id, created_at) VALUES ('acme', 1)`);
    const counting: SendSql = async (batch) => {
      if (batch.some((sql) => sql.includes('DROP TABLE click_days'))) database.exec(clickedDay('acme'));
      return send(batch);
    };
    const before = schemaOf(database);
    await expect(migrate(counting)).rejects.toThrow('not moved yet (of acme), and nothing was changed');
    expect([schemaOf(database), rowsOf(database, 'SELECT client_id FROM click_days')]).toEqual([
      before,
      [{ client_id: 'acme' }],
    ]);
    // As another program would apply it.
    const dropping = migrations[former.length]?.statements ?? [];
    await expect(send(dropping)).rejects.toThrow('CHECK constraint failed: former_clicks_are_moved');
    expect(schemaOf(database)).toEqual(before);
  });

  it('a database of a newer version is worked with as long as its schema supports this one', async () => {
    const { database, send } = openEmpty();
    await migrate(send);
    database.exec(`INSERT INTO d1_migrations (name) VALUES ('9998_later.sql')`);
    expect(await migrate(send)).toEqual({ isNew: false, applied: [] });
    database.exec(`UPDATE schema_support SET oldest_migration = ${migrations.length + 1}`);
    await expect(migrate(send)).rejects.toThrow(
      'The database is of a newer version of Terse (9998_later), which this version cannot work with, and nothing ' +
        'was changed: use that version.',
    );
  });
});

it('a deploy says which migrations were applied, if any were', () => {
  expect(migratedSentence({ isNew: true, applied: names })).toBe('The database is created.');
  expect(migratedSentence({ isNew: false, applied: ['0001_initial.sql', '0002_more.sql'] })).toBe(
    'The database is upgraded: 0001_initial, 0002_more.',
  );
  expect(migratedSentence({ isNew: false, applied: [] })).toBeNull();
});

it.each([['0002_first.sql'], ['0001_First.sql'], ['0001-first.sql'], ['first.sql']])(
  'refuses a file named %s',
  (name) => {
    const folder = join(makeFolder(), 'migrations');
    mkdirSync(folder);
    writeFileSync(join(folder, name), 'SELECT 1;');
    expect(() => readMigrations(folder)).toThrow(`${join(folder, name)}: the next migration is number 1`);
  },
);

it('splits statements at semicolons that are not in a text, a name, a comment or a trigger', () => {
  const statements = [
    "-- First; then\nINSERT INTO a VALUES ('a;''b', \"c;d\")",
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  UPDATE a SET b = CASE WHEN b = 'end' THEN 1 END;\n  DELETE FROM b; -- end\nEND",
    'SELECT 1',
  ];
  expect(splitStatements(`${statements.join(';\n')};\n-- The end; really.\n`)).toEqual(statements);
  expect(splitStatements(statements.join(';'))).toEqual(statements);
  expect(splitStatements(' \n-- nothing\n')).toEqual([]);
});
