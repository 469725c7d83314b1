import type { Credential } from '../../accounts/grants.ts';
import { expiredSignIn } from '../../accounts/refusals.ts';
import type { ClickSources } from '../../clicks/days.ts';
import { getLinkClicks, type LinkClicks } from '../../clicks/link-clicks.ts';
import type { Database } from '../../database/database.ts';
import { LINK_DELETED } from '../../clicks/permission.ts';
import { AppError } from '../../errors.ts';
import { accessStatement, actingParams, authorize, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { LinkLimits } from '../../link-limit/limits.ts';
import { readClicksLeft } from '../list/clicks-left.ts';
import { noSuchLink } from './edit-refusals.ts';
import { selectManaged } from './find-managed.ts';
import type { Link } from '../link.ts';
import type { TagColour } from '../tags/names.ts';
import { selectColoursOf, type TagColourRow } from '../tags/tag-store.ts';
import { toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';
import { selectLinkForInfo, toLink, type InfoRow } from '../store.ts';

/** The data of a link's owner besides the record. */
interface LinkInfo {
  readonly link: Link;
  readonly clicks: LinkClicks;
}

/**
 * Gets the link that all three ids name. A link of another client is `not_found`, like one that does not exist. For a
 * deleted link the sentence differs, but only for its own client. Throws `invalid_credential`, `not_found`,
 * `store_unavailable`.
 */
export async function getLinkInfo(
  { db, statistics }: ClickSources,
  credential: Credential,
  ids: { readonly id: string; readonly clientId: string; readonly secId: string },
): Promise<LinkInfo> {
  const now = Date.now();
  const [[row]] = await db.batch<[InfoRow]>([selectLinkForInfo(credential, ids, now)]);
  if (!row?.credential_ok) {
    throw expiredSignIn();
  }
  if (row.id === null) throw row.is_deleted ? new AppError('not_found', LINK_DELETED) : linkNotFound();
  const link = toLink(row);
  return { link, clicks: await getLinkClicks(statistics, link, now) };
}

/**
 * Gets one of the actor's links with its clicks, a deleted one included while it can be restored. Throws `not_found`,
 * `store_unavailable`, and what `authorize` throws.
 */
export async function getLink(
  { db, statistics }: ClickSources,
  actor: Actor,
  id: string,
): Promise<{ readonly link: ManagedLink; readonly clicks: LinkClicks }> {
  const now = Date.now();
  const acting = actingParams(actor, 'links:read', now);
  const [access, [row]] = await db.batch<[AccessRow, ManagedRow]>([accessStatement(acting), selectManaged(acting, id)]);
  authorize(access, actor, { several: true });
  if (row === undefined) throw noSuchLink();
  const link = toManaged(row, now);
  return { link, clicks: await getLinkClicks(statistics, link, now) };
}

/**
 * Gets one of the actor's links, a deleted one included while it can be restored. Throws `not_found`, `store_unavailable`,
 * and what `authorize` throws.
 */
export async function getManagedLink(db: Database, actor: Actor, id: string): Promise<ManagedLink> {
  const now = Date.now();
  const acting = actingParams(actor, 'links:read', now);
  const [access, [row]] = await db.batch<[AccessRow, ManagedRow]>([accessStatement(acting), selectManaged(acting, id)]);
  authorize(access, actor, { several: true });
  if (row === undefined) throw noSuchLink();
  return toManaged(row, now);
}

/** `getManagedLink` with the colours of the link's tags, by their names, in the same batch. */
export async function getColouredLink(
  db: Database,
  actor: Actor,
  id: string,
): Promise<{ readonly link: ManagedLink; readonly tagColours: ReadonlyMap<string, TagColour> }> {
  const now = Date.now();
  const acting = actingParams(actor, 'links:read', now);
  const [access, [row], tags] = await db.batch<[AccessRow, ManagedRow, TagColourRow]>([
    accessStatement(acting),
    selectManaged(acting, id),
    selectColoursOf(acting, id),
  ]);
  authorize(access, actor, { several: true });
  if (row === undefined) throw noSuchLink();
  return { link: toManaged(row, now), tagColours: new Map(tags.map(({ name, colour }) => [name, colour])) };
}

/** Like `getManagedLink`, but throws `gone` for a deleted link. */
export async function getLiveLink(db: Database, actor: Actor, id: string): Promise<ManagedLink> {
  const link = await getManagedLink(db, actor, id);
  if (link.state === 'deleted') throw new AppError('gone', LINK_DELETED);
  return link;
}

/** The clicks that one link has left; null without a limit, and if its object does not respond in time. */
export async function getClicksLeft(openLimits: () => LinkLimits, link: ManagedLink): Promise<number | null> {
  if (link.maxClicks === null) return null;
  return (await readClicksLeft(openLimits, [link])).get(link.id) ?? null;
}

function linkNotFound(): AppError {
  return new AppError('not_found', 'There is no link with this id, client_id and sec_id that you can access.');
}
