import { authorize, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import type { Database } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { deleteLinksOf, selectLeft, type LeftRow, type Slice } from '../links/domain-links-sql.ts';
import { domainNotFound } from './domains.ts';
import { removeDomain, selectForRemoval, type RemovalRow } from './removal-store.ts';

/**
 * The number of addresses of a domain that one round trip handles, and the time after which a request starts no further
 * one.
 */
interface Pace {
  readonly size: number;
  readonly milliseconds: number;
}

// A round trip times out after 8 s, and most clients wait for half a minute.
const PACE: Pace = { size: 2000, milliseconds: 15_000 };

/** The result of a removal. */
interface Removal {
  readonly host: string;
  /** True if another domain serves the host. */
  readonly isServed: boolean;
  /** False if some of its links are left for the next request: the domain stays until the last of them is deleted. */
  readonly isRemoved: boolean;
}

/**
 * Removes a domain; with `force` it first soft-deletes its links, 2,000 a round trip. With fewer links than that, or
 * none, it takes one round trip. Throws `not_found`, and `domain_in_use` if it has links and `force` is false.
 */
export async function dropDomain(
  db: Database,
  actor: Actor,
  id: string,
  { force }: { readonly force: boolean },
  pace: Pace = PACE,
): Promise<Removal> {
  const begunAt = Date.now();
  const first = await removeWith(db, actor, id, { force, from: '', size: pace.size });
  if (first.isRemoved) return first;
  if (!force) {
    throw new AppError(
      'domain_in_use',
      'The domain has links. Delete them first, or send force=true to delete them with it.',
    );
  }
  for (let { left } = first; left !== null;) {
    left = await deleteSlice(db, actor, id, { from: left, size: pace.size });
    // Checked after a slice, so that each request makes progress.
    if (left !== null && Date.now() - begunAt >= pace.milliseconds) return first;
  }
  return removeWith(db, actor, id, { force, from: '', size: pace.size });
}

interface Step extends Slice {
  readonly force: boolean;
}

/** With `force` deletes the first slice of links; then removes the domain, if it has no more links. */
async function removeWith(
  db: Database,
  actor: Actor,
  id: string,
  { force, ...slice }: Step,
): Promise<Removal & { readonly left: string | null }> {
  const now = Date.now();
  const before = [selectAccess(actor, 'domains:write', now), selectForRemoval(actor, id, now)];
  const deletion = force ? deleteLinksOf(id, actor, slice, now) : [];
  const batch = [
    ...before,
    ...deletion,
    selectLeft(id, actor, slice.from, now),
    ...removeDomain(actor, id, force, now),
  ];
  const [access, [row], ...results] = await db.batch<[AccessRow, RemovalRow, ...Partial<LeftRow>[]]>(batch);
  const [lefts, ...removed] = results.slice(deletion.length);
  authorize(access, actor);
  if (!row) throw domainNotFound();
  const isServed = row.is_served_by_another === 1;
  return { host: row.host, isServed, isRemoved: removed.flat().length > 0, left: lefts?.[0]?.folded ?? null };
}

/** Deletes one slice of links, and returns the first address after it. */
async function deleteSlice(db: Database, actor: Actor, id: string, slice: Slice): Promise<string | null> {
  const now = Date.now();
  const batch = [
    selectAccess(actor, 'domains:write', now),
    ...deleteLinksOf(id, actor, slice, now),
    selectLeft(id, actor, slice.from, now),
  ];
  const [access, , , , , , [left]] = await db.batch<[AccessRow, never, never, never, never, never, LeftRow]>(batch);
  authorize(access, actor);
  return left?.folded ?? null;
}
