import { fieldOnHost, newDestinations, refuseTypingErrors } from '../destinations/destinations.ts';
import { hasExtras, STORED_NAMES, toContent, toContentRow, type LinkContent } from '../fields/content.ts';
import { MAX_ALIASES } from '../fields/aliases.ts';
import type { LinkChange } from '../link.ts';
import { actingParams, authorize, type Actor } from '../../accounts/access.ts';
import type { Site } from '../../network/hosts.ts';
import { AppError } from '../../errors.ts';
import { blockedHost } from '../../targets/blocklist.ts';
import { writeEdit, type Content, type Edit } from './edit-store.ts';
import {
  domainRemoved,
  externalIdTaken,
  linkDeleted,
  noSuchLink,
  slugTaken,
  SlugOfDeletedLink,
  stale,
} from './edit-refusals.ts';
import { findManaged, type Found } from './find-managed.ts';
import { ownHost } from '../../targets/own-hosts.ts';
import { parseTarget, refuseUnfitSlug } from '../input.ts';
import { RESTORABLE_MS, toManaged, type ManagedLink, type ManagedRow } from '../managed-link.ts';
import { publishEdit } from './publish.ts';
import { refuseInvalidCombinations } from '../fields/combinations.ts';
import { tooManyTags } from '../tags/limits.ts';
import { foldTag, namesOf, toTagList } from '../tags/names.ts';
import { belowOwner, pathInUse } from '../slugs/path-owners.ts';
import { hashLinkPassword } from '../password/hash-password.ts';
import type { LinkTools } from '../tools.ts';
import type { Destination } from '../../targets/destination.ts';
import { refusalsBy } from '../../targets/policy.ts';

/** True if a link still has the revision that its editor has seen (RFC 9110, `If-Match`). */
export type Precondition = (revision: number) => boolean;

// Of concurrent edits without a condition the last one wins: it reads the link again after the other.
const MAX_TRIES = 5;

/**
 * Changes a link. The next request to this isolate sees the new state. Two round trips. Throws `not_found`,
 * `link_deleted`, `precondition_failed`, `slug_taken`, `too_many_aliases`, `invalid_aliases`, `own_host`,
 * `blocked_host`, and what `authorize` throws.
 */
export function editLink(
  tools: LinkTools,
  actor: Actor,
  id: string,
  change: LinkChange,
  holds?: Precondition,
): Promise<ManagedLink> {
  return edit(
    tools,
    actor,
    id,
    holds,
    'edited',
    (before, now, { spellings }) => {
      if (before.row.deleted_at !== null) throw linkDeleted();
      refuseNewSlug(before.row, change);
      return changedTo(before, spelledAs(spellings, change), now);
    },
    {
      release: (row) => releasedBy(row, change),
      isTyped: true,
      password: change.password,
      tags: change.tags == null ? [] : namesOf(change.tags).map(foldTag),
    },
  );
}

/**
 * Restores the target that a link had after its nth change, if the present rules allow it. Two round trips. Throws
 * `not_found`, `invalid_url`, `too_long`, `own_host`, and what `editLink` throws.
 */
export function restoreTarget(
  tools: LinkTools,
  actor: Actor,
  site: Site,
  { id, n }: { readonly id: string; readonly n: number },
  holds?: Precondition,
): Promise<ManagedLink> {
  return edit(
    tools,
    actor,
    id,
    holds,
    'edited',
    ({ row, content }, _now, { formerUrl }) => {
      if (formerUrl === null) throw new AppError('not_found', 'The history of the link has no such entry.');
      if (row.deleted_at !== null) throw linkDeleted();
      const url = parseTarget(formerUrl, site);
      return { row: { ...row, url }, content: { ...content, url } };
    },
    { former: n },
  );
}

/** Deletes a link for its visitors; within 30 days it can be restored. Deleting it again changes nothing. */
export async function deleteLink(tools: LinkTools, actor: Actor, id: string, holds?: Precondition): Promise<void> {
  await edit(tools, actor, id, holds, 'deleted', ({ row, content }, now) => ({
    row: { ...row, deleted_at: row.deleted_at ?? now },
    content,
  }));
}

/** Restores a deleted link. Throws `not_found` once its 30 days are over, and `domain_removed`. */
export function restoreLink(tools: LinkTools, actor: Actor, id: string, holds?: Precondition): Promise<ManagedLink> {
  return edit(tools, actor, id, holds, 'restored', ({ row, content }, now) => {
    if (row.deleted_at !== null && row.deleted_at <= now - RESTORABLE_MS) throw noSuchLink();
    if (row.domain_removed_at !== null) throw domainRemoved();
    return { row: { ...row, deleted_at: null }, content };
  });
}

/** A state of a link: its row, and the values of its fields. */
interface State<Row extends Content> {
  readonly row: Row;
  readonly content: LinkContent;
}

interface EditOptions {
  /** True if its new destinations were typed, so that they are checked for typing errors. */
  readonly isTyped?: boolean;
  /** The aliases to be released. */
  readonly release?: (row: ManagedRow) => readonly string[];
  /** A new password; null removes it. */
  readonly password?: string | null | undefined;
  /** The entry of the history that `change` needs. */
  readonly former?: number;
  /** The folded names of its tags. */
  readonly tags?: readonly string[];
}

async function edit(
  tools: LinkTools,
  actor: Actor,
  id: string,
  holds: Precondition | undefined,
  action: string,
  change: (before: State<ManagedRow>, now: number, found: Found) => State<Content>,
  { release = () => [], isTyped = false, former: n = 0, password, tags = [] }: EditOptions = {},
): Promise<ManagedLink> {
  let passwordHash: string | null | undefined;
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const now = Date.now();
    const acting = actingParams(actor, 'links:write', now);
    const found = await findManaged(tools.db, acting, id, { n, tags });
    authorize(found.access, actor, { several: true });
    if (found.row === null) throw noSuchLink();
    const before = { row: found.row, content: toContent(found.row) };
    if (holds && !holds(before.row.revision)) throw stale();
    const after = change(before, now, found);
    const released = release(before.row);
    const changes = { ...changesOf(before.row, after.row, released), ...passwordChange(before.row, password) };
    if (Object.keys(changes).length === 0) return toManaged(before.row, now);
    if (hasExtras(after.content)) {
      refuseInvalidCombinations(after.content, before.row.host, new Set(Object.keys(changes)));
    }
    const destinations = newDestinations(after.content, before.content);
    if (isTyped) refuseTypingErrors(destinations, tools.schemes);
    await refuseTargets(tools, destinations);
    passwordHash ??= password == null ? password : await hashLinkPassword(tools.hashing, password);
    const edit = { before: before.row, after: after.row, passwordHash, destinations, released, action, changes, now };
    const outcome = await writeEdit(tools.db, actor, acting, edit);
    if (outcome.row) return publishEdit(tools, edit, outcome.row, now);
    if (outcome.isExternalIdTaken) throw externalIdTaken();
    if (outcome.isSlugTaken)
      throw outcome.deletedOwner === null
        ? slugTaken(after.row.slug)
        : new SlugOfDeletedLink(after.row.slug, outcome.deletedOwner);
    if (!outcome.isRoomForTags) throw tooManyTags();
    if (outcome.isBelowOwner) throw belowOwner(after.row.slug);
    if (outcome.hasBelow) throw pathInUse(after.row.slug);
    if (outcome.ownHost !== null) throw ownHost(fieldOnHost(destinations, outcome.ownHost));
    if (outcome.blockedHost !== null) throw blockedHost(fieldOnHost(destinations, outcome.blockedHost));
    if (holds) throw stale();
  }
  throw new AppError('edit_conflict', 'Other requests are editing this link at the same time. Try again in a moment.');
}

/** Throws `blocked_host`. */
async function refuseTargets({ targetPolicy }: LinkTools, destinations: readonly Destination[]): Promise<void> {
  if (targetPolicy === null || destinations.length === 0) return;
  const refusal = (await refusalsBy(targetPolicy, destinations))(destinations);
  if (refusal) throw refusal;
}

function changedTo(before: State<ManagedRow>, change: LinkChange, now: number): State<Content> {
  const { slug, disabled = before.row.disabled_at !== null } = change;
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const content = { ...before.content, ...given };
  const row = {
    ...toContentRow(content),
    slug: slug ?? before.row.slug,
    disabled_at: disabled ? (before.row.disabled_at ?? now) : null,
    deleted_at: before.row.deleted_at,
  };
  return { row, content };
}

// Tags that exist already keep their spelling.
function spelledAs(spellings: Found['spellings'], change: LinkChange): LinkChange {
  if (change.tags == null) return change;
  return { ...change, tags: toTagList(namesOf(change.tags).map((name) => spellings.get(foldTag(name)) ?? name)) };
}

// A link keeps the slugs that it has, even if they could not be chosen today.
function refuseNewSlug({ slug, host, aliases }: ManagedRow, change: LinkChange): void {
  if (change.slug === undefined || change.slug === slug) return;
  const present: readonly string[] = JSON.parse(aliases);
  if (!present.includes(change.slug)) refuseUnfitSlug(change.slug, host);
}

// A change of the slug keeps the old one as an alias; a list of aliases names the present ones that stay.
function releasedBy(row: ManagedRow, { slug = row.slug, aliases }: LinkChange): readonly string[] {
  const present: readonly string[] = JSON.parse(row.aliases);
  const unknown = aliases?.find((alias) => !present.includes(alias));
  if (unknown !== undefined) {
    throw new AppError('invalid_aliases', 'aliases can only be removed from the list: change slug to add one.');
  }
  const released = aliases === undefined ? [] : present.filter((alias) => !aliases.includes(alias) && alias !== slug);
  const kept = new Set([...present, row.slug].filter((alias) => alias !== slug && !released.includes(alias)));
  if (kept.size > MAX_ALIASES) {
    throw new AppError(
      'too_many_aliases',
      `A link can have at most ${MAX_ALIASES} aliases. Remove one from aliases first.`,
    );
  }
  return released;
}

const COLUMNS = ['slug', ...STORED_NAMES, 'disabled_at', 'deleted_at'] as const satisfies readonly (keyof Content)[];

function changesOf(before: ManagedRow, after: Content, released: readonly string[]): Edit['changes'] {
  const changed = COLUMNS.filter((name) => before[name] !== after[name]);
  return {
    ...Object.fromEntries(changed.map((name) => [name, [before[name], after[name]] as const])),
    ...(released.length > 0 && { aliases: [released, []] as const }),
  };
}

// A password that is set again ends what was unlocked with it, even if it is the same.
function passwordChange({ password_at: at }: ManagedRow, password: string | null | undefined): Edit['changes'] {
  if (password === undefined || (password === null && at === null)) return {};
  return { password: [at !== null, password !== null] };
}
