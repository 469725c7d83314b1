import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { generateApiKey } from '../../../src/accounts/keys/api-key.ts';
import { addMember, addUser, createKey } from '../../../src/accounts/operator.ts';
import type { Database } from '../../../src/database/database.ts';
import { lazyDatabase } from '../../scripts/support/open-database.ts';
import { leastCostHash } from '../../support/least-cost.ts';

/** Accounts in the running service's own database, made by the verbs of the operator's tool. Names are new each time. */

export interface Account {
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
  readonly apiKey: string;
}

const open = lazyDatabase(inject('persistTo'));

/** Works on the running service's database, which is opened once for a file: that takes a second. */
export async function onDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  return work(await open());
}

/** Ends the ten minutes for which the sessions of a user count as confirmed. */
export const makeStale = ({ userName }: Pick<Account, 'userName'>) =>
  onDatabase((db) =>
    db.batch([
      {
        sql: `UPDATE token_families SET started_at = started_at - 660000, confirmed_at = NULL
              WHERE user_id = (SELECT id FROM users WHERE name = ?1)`,
        params: [userName],
      },
    ]),
  );

const unique = () => randomBytes(4).toString('hex');

/** A client with an owner and an API key; with `more`, the user belongs to that many further clients. */
export function seedAccount({ more = 0 } = {}): Promise<Account & { readonly moreClientIds: readonly string[] }> {
  return onDatabase(async (db) => {
    const account = { clientId: `acme-${unique()}`, userName: `ann-${unique()}`, password: `pass word ${unique()}` };
    await addUser(db, { ...account, name: account.userName }, leastCostHash);
    const key = await createKey(db, account.clientId, 'seed', null, generateApiKey(), false);
    if (!key) throw new Error('the seed did not take');
    const moreClientIds = Array.from({ length: more }, () => `more-${unique()}`);
    for (const clientId of moreClientIds) await addMember(db, account.userName, clientId);
    return { ...account, apiKey: key.text, moreClientIds };
  });
}
