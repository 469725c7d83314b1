import * as z from 'zod';
import type { Actor } from '../accounts/access.ts';
import { normalizeBounded, MAX_UNITS_OF_CHARACTER } from '../text/nfc.ts';
import type { Database } from '../database/database.ts';
import { lazy } from '../isolate/lazy.ts';
import { CONTROLS } from '../input/validation.ts';
import { changeClient } from './change-client.ts';

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

/** Renames the actor's client; '' removes the name. Throws what `changeClient` throws. */
export async function renameClient(db: Database, actor: Actor, name: string): Promise<void> {
  await changeClient(db, actor, {
    action: 'client.renamed',
    value: name,
    isChanged: `coalesce(c.name, '') <> ?8`,
    set: `name = nullif(?8, '')`,
    name: `nullif(?8, '')`,
    details: `json_object('former_name', ${NAME_OF_CLIENT})`,
  });
}
