import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Every row of every table that is kept in a folder, for tests that say that nothing has changed. */
export function rowsIn(persistTo: string): Record<string, unknown[]> {
  const folder = join(persistTo, 'v3/d1/miniflare-D1DatabaseObject');
  const [file, ...more] = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name));
  if (file === undefined || more.length > 0) throw new Error(`not one database in ${folder}`);
  const database = new DatabaseSync(join(folder, file), { readOnly: true });
  try {
    // Those that begin with an underscore are D1's own, and count its openings.
    const isOurs = `type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'`;
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE ${isOurs}`).all();
    return Object.fromEntries(
      tables.map(({ name }) => [String(name), database.prepare(`SELECT * FROM "${String(name)}"`).all()]),
    );
  } finally {
    database.close();
  }
}
