import * as z from 'zod';
import type { Actor } from '../accounts/access.ts';
import type { Database } from '../database/database.ts';
import { lazy } from '../isolate/lazy.ts';
import { SHARED_SLUG_LENGTHS } from '../links/slugs/slug.ts';
import { changeClient } from './change-client.ts';

/** The number of characters of the generated slugs of a client on the service's own host. */

const { least, most } = SHARED_SLUG_LENGTHS;
const WRONG_LENGTH = { error: `must be a whole number from ${least} to ${most}` };

export const slugLengthFields = lazy(() =>
  z.strictObject({
    slug_length: z
      .string(WRONG_LENGTH)
      .regex(/^\d{1,2}$/, WRONG_LENGTH)
      .transform(Number)
      .pipe(z.number().min(least, WRONG_LENGTH).max(most, WRONG_LENGTH)),
  }),
);

/** Changes the length for links that are created from now on. Throws what `changeClient` throws. */
export async function setSlugLength(db: Database, actor: Actor, length: number): Promise<void> {
  await changeClient(db, actor, {
    action: 'client.changed',
    value: length,
    isChanged: 'c.slug_length <> ?8',
    set: 'slug_length = ?8',
    name: 'c.name',
    details: `json_object('slug_length', ?8)`,
  });
}
