import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { UsageError } from './cli-error.ts';
import { SELECT_COLUMNS, upgradeStatements, type ColumnRow } from './upgrade.ts';
import { faultOf, runWrangler } from './wrangler.ts';

const DATABASE = 'terse';

/**
 * Brings a database up to date: the needed steps of `upgrade.ts`, then schema.sql, in one transaction. Throws a
 * `UsageError` with wrangler's reason.
 *
 * @param where arguments of `wrangler d1 execute`: `--remote`, or `--local` and `--persist-to DIR`
 */
export function deploySchema(where: readonly string[]): void {
  const statements = upgradeStatements(findColumns(where));
  const folder = mkdtempSync(join(tmpdir(), 'terse-'));
  try {
    const file = join(folder, 'schema.sql');
    writeFileSync(file, statements.map((sql) => `${sql};\n`).join('') + readFileSync('schema.sql', 'utf8'));
    execute([...where, '--yes', '--file', file]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const answer = z.tuple([z.object({ results: z.array(z.object({ table: z.string(), column: z.string() })) })]);

function findColumns(where: readonly string[]): readonly ColumnRow[] {
  const [{ results }] = answer.parse(JSON.parse(execute([...where, '--json', '--command', SELECT_COLUMNS])));
  return results;
}

function execute(args: readonly string[]): string {
  const outcome = runWrangler(['d1', 'execute', DATABASE, ...args]);
  if (outcome.status === 0) return outcome.stdout;
  throw new UsageError(
    `The database was not brought up to date, and nothing is deployed: ${faultOf(outcome) ?? 'wrangler did not say why'}. ` +
      'Check "npx wrangler whoami" and "npx wrangler d1 list", then try again.',
  );
}
