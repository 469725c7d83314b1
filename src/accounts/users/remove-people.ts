import type { Database } from '../../database/database.ts';
import * as store from './remove-people-store.ts';

/**
 * Removes the users whom the provider of a client has made and who are nothing but that: without a password or a passkey,
 * another membership, or an identity elsewhere. For the removal of a client whose deletion can no longer be undone. Returns
 * false if some are left for the next run. Throws `store_unavailable`.
 *
 * @param until the instant after which no further slice begins
 */
export async function removePeopleOf(db: Database, clientId: string, until: number): Promise<boolean> {
  for (;;) {
    const [rows] = await db.batch<[store.PersonRow]>([store.selectPeople(clientId)]);
    if (rows.length === 0) return true;
    await db.batch(
      store.deletePeople(
        clientId,
        rows.map(({ user_id: id }) => id),
      ),
    );
    if (rows.length < store.AT_ONCE) return true;
    if (Date.now() >= until) return false;
  }
}
