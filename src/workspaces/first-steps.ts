import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../accounts/access.ts';
import type { Database, Statement } from '../database/database.ts';

/** The first steps in a new client, which its owners see until all are done, or until one of them dismisses the list. */

/** True if the actor's client has done each step, in SQL under `ACTING`. */
const STEPS = {
  link: `EXISTS (SELECT 1 FROM links WHERE client_id = ${SOLE_CLIENT} AND deleted_at IS NULL)`,
  domain: `EXISTS (SELECT 1 FROM domains WHERE client_id = ${SOLE_CLIENT} AND status <> 'pending')`,
  invite: `(EXISTS (SELECT 1 FROM members WHERE client_id = ${SOLE_CLIENT} AND user_id NOT IN (SELECT user_id FROM acting))
    OR EXISTS (SELECT 1 FROM invites WHERE client_id = ${SOLE_CLIENT} AND accepted_at IS NULL AND revoked_at IS NULL))`,
  key: `EXISTS (SELECT 1 FROM api_keys WHERE client_id = ${SOLE_CLIENT} AND revoked_at IS NULL)`,
} as const;

export type FirstStep = keyof typeof STEPS;

/** Which steps are done. */
export type FirstSteps = Readonly<Record<FirstStep, boolean>>;

const NAMES = Object.keys(STEPS) as FirstStep[];

/**
 * The first steps of the actor's client, in one round trip; null from the time on when all of them are done, which is then
 * remembered, so that it is not asked again. Throws what `authorize` throws.
 */
export async function getFirstSteps(db: Database, actor: Actor): Promise<FirstSteps | null> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, Record<FirstStep, number>, never]>([
    selectAccess(actor, 'members', now),
    {
      sql: `${ACTING} SELECT ${NAMES.map((name) => `${STEPS[name]} AS ${name}`).join(', ')}`,
      params: actingParams(actor, 'members', now),
    },
    { ...endIf(actor, now, Object.values(STEPS).join(' AND ')), canBeLeftOut: true },
  ]);
  authorize(access, actor);
  if (!row || NAMES.every((name) => row[name] === 1)) return null;
  return { link: row.link === 1, domain: row.domain === 1, invite: row.invite === 1, key: row.key === 1 };
}

/** Hides the first steps of the actor's client from now on. Throws what `authorize` throws. */
export async function dismissFirstSteps(db: Database, actor: Actor): Promise<void> {
  const now = Date.now();
  const [access] = await db.batch<[AccessRow, never]>([selectAccess(actor, 'members', now), endIf(actor, now, 'TRUE')]);
  authorize(access, actor);
}

const endIf = (actor: Actor, now: number, condition: string): Statement => ({
  sql: `${ACTING}
    UPDATE clients SET first_steps_ended_at = ?5
    WHERE id = ${SOLE_CLIENT} AND first_steps_ended_at IS NULL AND ${condition}`,
  params: actingParams(actor, 'members', now),
});
