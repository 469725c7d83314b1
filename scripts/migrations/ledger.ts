/**
 * The table in which applied migrations are recorded: that of `wrangler d1 migrations`, which lists the same state.
 * Source: https://developers.cloudflare.com/d1/reference/migrations/
 */

export const LEDGER = 'd1_migrations';

export const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS "${LEDGER}"(
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;

export const SELECT_APPLIED = `SELECT name FROM "${LEDGER}" ORDER BY id`;

/** Records a migration. Fails if it is recorded already, and with it the transaction. */
export const record = (name: string): string => `INSERT INTO "${LEDGER}" (name) VALUES ('${name}')`;
