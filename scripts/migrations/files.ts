import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitStatements } from './statements.ts';

/** One file of the folder `migrations`. */
export interface Migration {
  /** Such as `0001_initial.sql`, as wrangler records it. */
  readonly name: string;
  readonly number: number;
  readonly statements: readonly string[];
}

const FOLDER = 'migrations';
// The name becomes part of a statement, so it has no quotes.
const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** Reads all migrations, in order. Throws if a name is not `NNNN_words.sql`, or if the numbers are not 1, 2, 3 … */
export function readMigrations(folder = FOLDER): readonly Migration[] {
  const names = readdirSync(folder).toSorted();
  return names.map((name, index) => {
    const number = Number(NAME.exec(name)?.[1]);
    if (number !== index + 1) throw new Error(`${join(folder, name)}: the next migration is number ${index + 1}`);
    return { name, number, statements: splitStatements(readFileSync(join(folder, name), 'utf8')) };
  });
}
