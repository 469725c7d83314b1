import type { Database } from '../database/database.ts';
import { randomToken } from '../secrets/random-secrets.ts';
import { insertSalts } from './salt-store.ts';

/** The salts of the days that this isolate has seen: read or created once a day. */
export class DailySalts {
  readonly #saltByDay = new Map<string, string>();

  /** Loads the salts of these days. Throws what the database throws. */
  async open(db: Database, days: ReadonlySet<string>): Promise<void> {
    const missing = [...days].filter((day) => !this.#saltByDay.has(day));
    if (missing.length === 0) return;
    const candidates = missing.map((day) => ({ day, salt: randomToken(32) }));
    for (const { day, salt } of await insertSalts(db, candidates)) this.#saltByDay.set(day, salt);
    // Yesterday's clicks may still be in the buffer; older salts are private and no longer needed.
    for (const day of [...this.#saltByDay.keys()].toSorted().slice(0, -2)) this.#saltByDay.delete(day);
  }

  of(day: string): string | null {
    return this.#saltByDay.get(day) ?? null;
  }
}
