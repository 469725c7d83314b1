import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { D1_FOLDER, DATABASE_NAME, STATISTICS_FOLDER } from '../../../scripts/stored-database.ts';

/**
 * Every row of every table that is kept in a folder, for tests that say that nothing has changed.
 *
 * @param bigInts whether integers are given as such, since a number holds them up to 2^53 only
 */
export function rowsIn(persistTo: string, { bigInts = false } = {}): Record<string, unknown[]> {
  return inDatabase(persistTo, (database) => {
    // Tables that begin with an underscore are of D1, and count its openings. The record of migrations has the time of
    // each, and a table of SQLite its last number. The operator's log has each command, refused ones too, and the audit
    // log of each client each restore.
    const others = `'d1_migrations', 'sqlite_sequence', 'operator_log'`;
    const isOurs = `type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\' AND name NOT IN (${others})`;
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE ${isOurs} ORDER BY name`).all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const kept = name === 'audit_entries' ? `WHERE action <> 'client.data_restored'` : '';
        const rows = database.prepare(`SELECT * FROM "${String(name)}" ${kept}`);
        rows.setReadBigInts(bigInts);
        return [String(name), rows.all()];
      }),
    );
  });
}

/** Checks the database in a folder with SQLite; `['ok']` where that is nothing. */
export function integrityOf(persistTo: string): unknown[] {
  return inDatabase(persistTo, (database) => [
    ...database.prepare('PRAGMA integrity_check').all().flatMap(Object.values),
    ...database.prepare('PRAGMA foreign_key_check').all(),
  ]);
}

/** Every row of every table of the click statistics that are kept in a folder, by the file of the client's object. */
export function statisticsIn(persistTo: string): Record<string, Record<string, unknown[]>> {
  const folder = join(persistTo, STATISTICS_FOLDER);
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => DATABASE_NAME.test(name)) : [];
  return Object.fromEntries(files.toSorted().map((name) => [name, inFile(join(folder, name), readRows)]));
}

function readRows(database: DatabaseSync): Record<string, unknown[]> {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all();
  const names = tables.map(({ name }) => String(name)).filter((name) => !name.startsWith('_cf_'));
  // An object that was erased or restored remembers when, so that no older read says that there are no webhooks.
  const kept = (name: string) => (name === 'state' ? `WHERE name <> 'click_webhooks_at'` : '');
  return Object.fromEntries(
    names.map((name) => [name, database.prepare(`SELECT * FROM "${name}" ${kept(name)}`).all()]),
  );
}

function inDatabase<T>(persistTo: string, look: (database: DatabaseSync) => T): T {
  const folder = join(persistTo, D1_FOLDER);
  const [file, ...more] = readdirSync(folder).filter((name) => DATABASE_NAME.test(name));
  if (file === undefined || more.length > 0) throw new Error(`not one database in ${folder}`);
  return inFile(join(folder, file), look);
}

function inFile<T>(file: string, look: (database: DatabaseSync) => T): T {
  // Not read-only: SQLite then cannot open a database whose log is being removed by a process that ends.
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    database.exec('PRAGMA query_only = ON');
    return look(database);
  } finally {
    database.close();
  }
}
