import {
  ACTING,
  actingParams,
  authorize,
  selectAccess,
  SOLE_CLIENT,
  type AccessRow,
  type Actor,
} from '../../accounts/access.ts';
import type { KeyScope } from '../../accounts/scopes.ts';
import type { ClickSources } from '../../clicks/days.ts';
import type { LinkClicks } from '../../clicks/link-clicks.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { fieldError } from '../../input/validation.ts';
import { createLink } from '../create/create.ts';
import { refuseTypingErrors } from '../destinations/destinations.ts';
import { refuseNewRules } from '../fields/combinations.ts';
import type { NewLink } from '../create/new-link.ts';
import type { LinkChange } from '../link.ts';
import type { ManagedLink } from '../managed-link.ts';
import { noSuchLink, stale } from './edit-refusals.ts';
import type { LinkTools } from '../tools.ts';
import { editLink, type Precondition } from './edit.ts';
import { getLink } from './get-link.ts';

/** Links by the ids that they have in the systems of their owners. */

/** A new link with an external id, or what the link with this id is to become. */
interface PutLink extends NewLink {
  readonly externalId: string;
}

interface FoundLink {
  readonly id: string;
  readonly host: string | null;
  readonly revision: number;
  readonly deleted_at: number | null;
}

// Another request can create, change or remove the link between two steps.
const MAX_TRIES = 5;

/**
 * Gets the link with an external id, with its clicks, a deleted one included while it can be restored. Throws
 * `not_found`, `store_unavailable`, and what `authorize` throws.
 */
export async function getLinkByExternalId(
  sources: ClickSources,
  actor: Actor,
  externalId: string,
): Promise<{ readonly link: ManagedLink; readonly clicks: LinkClicks }> {
  const { found } = await find(sources.db, actor, 'links:read', externalId);
  if (found === null) throw noSuchLink();
  return getLink(sources, actor, found.id);
}

/**
 * Creates a link with an external id, or changes the link that has it to what is sent. The unique index decides which of
 * several requests creates the link; the others change it. Throws `invalid_custom_domain`, `link_deleted`,
 * `precondition_failed`, `edit_conflict`, and what `createLink` and `editLink` throw.
 *
 * @param isPasswordRemoved whether an existing link loses its password; one that is absent stays
 */
export async function putLink(
  tools: LinkTools,
  actor: Actor,
  link: PutLink,
  { isPasswordRemoved, holds }: { readonly isPasswordRemoved: boolean; readonly holds?: Precondition | undefined },
): Promise<{ readonly link: ManagedLink; readonly isNew: boolean }> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const { found, clientId } = await find(tools.db, actor, 'links:write', link.externalId);
    if (holds && (found === null || !holds(found.revision))) throw stale();
    try {
      if (found === null) return { link: await create(tools, actor, link, clientId), isNew: true };
      refuseOther(found, link);
      const change = changeOf(link, isPasswordRemoved);
      const isAsFound = (revision: number) => revision === found.revision;
      return { link: await editLink(tools, actor, found.id, change, isAsFound), isNew: false };
    } catch (error) {
      const overtakenBy = found === null ? OVERTAKEN_CREATE : OVERTAKEN_EDIT;
      if (!(error instanceof AppError) || !overtakenBy.has(error.code)) throw error;
    }
  }
  throw new AppError('edit_conflict', 'Other requests are changing this link at the same time. Try again in a moment.');
}

const OVERTAKEN_CREATE: ReadonlySet<string> = new Set(['external_id_taken']);
const OVERTAKEN_EDIT: ReadonlySet<string> = new Set(['precondition_failed', 'not_found']);

async function find(db: Database, actor: Actor, permission: KeyScope, externalId: string) {
  const now = Date.now();
  const params = actingParams(actor, permission, now);
  const [access, [found], [client]] = await db.batch<[AccessRow, FoundLink, { readonly id: string | null }]>([
    selectAccess(actor, permission, now),
    {
      sql: `${ACTING}
        SELECT l.id, d.host, l.revision, l.deleted_at FROM links l LEFT JOIN domains d ON d.id = l.domain_id
        WHERE l.client_id = ${SOLE_CLIENT} AND l.external_id = ?8`,
      params: [...params, externalId],
    },
    { sql: `${ACTING} SELECT ${SOLE_CLIENT} AS id`, params },
  ]);
  authorize(access, actor);
  return { found: found ?? null, clientId: client?.id ?? '' };
}

async function create(tools: LinkTools, { credential }: Actor, link: PutLink, clientId: string): Promise<ManagedLink> {
  refuseNewRules(link.content);
  refuseTypingErrors(link.destinations, tools.schemes);
  const ofClient = { ...link, input: { ...link.input, client_id: clientId } };
  return createLink(tools, credential, ofClient, (link) => link, { isAuthorized: true });
}

function refuseOther({ id, host, deleted_at: deletedAt }: FoundLink, { input }: PutLink): void {
  if (deletedAt !== null) {
    throw new AppError(
      'link_deleted',
      `The link with this external_id is deleted. Restore it first: POST /v1/links/${id}/restore.`,
    );
  }
  if (host === (input.custom_domain ?? null)) return;
  const cure = host === null ? 'Leave custom_domain out' : `Send custom_domain ${host}`;
  const sentence = `The domain of a link cannot be changed. ${cure}, or create another link.`;
  throw fieldError('invalid_custom_domain', 'custom_domain', sentence);
}

// The slug and the secondary id of a link are generated if they are left out, so then they stay.
function changeOf({ input, content: { secId, ...content } }: PutLink, isPasswordRemoved: boolean): LinkChange {
  return {
    ...content,
    ...(secId !== null && { secId }),
    slug: input.slug ?? undefined,
    password: input.password ?? (isPasswordRemoved ? null : undefined),
  };
}
