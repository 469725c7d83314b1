import * as z from 'zod';
import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../accounts/access.ts';
import { insertAudit } from '../accounts/audit/write-audit.ts';
import { normalizeBounded, MAX_UNITS_OF_CHARACTER } from '../text/nfc.ts';
import type { Database } from '../database/database.ts';
import { lazy } from '../isolate/lazy.ts';
import { CONTROLS } from '../input/validation.ts';

/** The name of a client for people; its id stays. */

const MAX_CHARACTERS = 64;
const NO_NAME = `must be at most ${MAX_CHARACTERS} characters, without spaces at the start or end`;

/** The name that people see of the client `c`, in SQL. */
export const NAME_OF_CLIENT = 'coalesce(c.name, c.id)';

/** An empty name stands for the id. */
export const nameFields = lazy(() =>
  z.strictObject({
    name: z
      .string()
      .default('')
      .transform((name) => normalizeBounded(name, MAX_CHARACTERS * MAX_UNITS_OF_CHARACTER)?.trim() ?? '\n')
      .pipe(z.string().regex(new RegExp(`^[^${CONTROLS}]{0,${MAX_CHARACTERS}}$`, 'u'), { error: NO_NAME })),
  }),
);

/** Renames the actor's client; '' removes the name. Throws what `authorize` throws. */
export async function renameClient(db: Database, actor: Actor, name: string): Promise<void> {
  const now = Date.now();
  const change = `c.id = ${SOLE_CLIENT} AND coalesce(c.name, '') <> ?8`;
  const params = [...actingParams(actor, 'members', now), name];
  const [access] = await db.batch<[AccessRow, never, never]>([
    selectAccess(actor, 'members', now),
    insertAudit(actor, 'members', now, {
      action: 'client.renamed',
      subjects: `SELECT c.id, c.id, nullif(?8, ''), json_object('former_name', ${NAME_OF_CLIENT}) FROM clients c WHERE ${change}`,
      params: [name],
    }),
    { sql: `${ACTING} UPDATE clients AS c SET name = nullif(?8, '') WHERE ${change}`, params },
  ]);
  authorize(access, actor);
}
