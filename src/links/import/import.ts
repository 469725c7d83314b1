import { authorize, authorizeFirst, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { joinErrors } from '../../input/field-errors.ts';
import { hostnameOf } from '../../network/hosts.ts';
import { blockedHost } from '../../targets/blocklist.ts';
import { unknownDomain } from '../create/create-refusals.ts';
import { MAX_ATTEMPTS } from '../create/draft.ts';
import { externalIdTaken } from '../edit/edit-refusals.ts';
import { differs, failed, taken, type Decision, type ImportResult } from './import-decision.ts';
import { OpenEvent, type ImportPart } from './import-event.ts';
import { Plan } from './import-plan.ts';
import { differencesOf, SAME_TWICE } from './import-row.ts';
import type { Created, Draft, RowState } from './import-step.ts';
import { insertAndRead } from './import-store.ts';
import { openParts, type GivenRow, type OpenRow } from './open-row.ts';
import type { Destination } from '../../targets/destination.ts';
import { ownHost } from '../../targets/own-hosts.ts';
import { belowOwner, pathInUse } from '../slugs/path-owners.ts';
import { fieldOnHost } from '../destinations/destinations.ts';
import { unfit } from '../input.ts';
import type { ManagedLink } from '../managed-link.ts';
import { forgetMissing } from '../redirect/resolve.ts';
import { newId, newSlug } from '../slugs/slug.ts';
import type { LinkTools } from '../tools.ts';
import { refusalsBy, type Refusals } from '../../targets/policy.ts';

export type { ImportResult } from './import-decision.ts';

/**
 * The number of rows that count as one create for the limit of creates: the limit protects the database, which a row
 * costs far less than a create.
 */
export const ROWS_PER_CREATE = 25;

/** The stores of an import, and the policy for the destinations of rows whose links do not exist yet. */
export type ImportTools = Pick<LinkTools, 'db'> & Partial<Pick<LinkTools, 'memory' | 'targetPolicy'>>;

/** The hosts of a file that are no domains of the client yet. */
export interface NewDomains {
  /** The domains that a dry run would add. */
  readonly coming: ReadonlySet<string>;
  /** The domains that are not added, and why. */
  readonly refused: ReadonlyMap<string, AppError>;
}

// How often a row is tried because another request has changed the data in between, or a generated slug was taken.
const MAX_TRIES = MAX_ATTEMPTS;

/**
 * Creates a link for each row that has none: a round trip for every 250 rows, and one more. A row is identified by its
 * host and slug, or without a slug by its content; a link that exists already stays unchanged. If a later trip fails,
 * the links created before stay, and the same rows can be imported again. This isolate finds the links at once. Throws
 * `store_unavailable`, and what `authorize` throws.
 *
 * @param dryRun whether only to report the outcomes
 * @param domains of the file that are not yet those of the client; without it no link waits for a domain
 * @param part for a piece of a file: its import, which has one event for all pieces. `finishImport` ends it
 */
export async function importLinks(
  { db, memory, targetPolicy = null }: ImportTools,
  actor: Actor,
  rows: readonly GivenRow[],
  {
    dryRun,
    domains,
    part,
  }: {
    readonly dryRun: boolean;
    readonly domains?: NewDomains;
    readonly part?: ImportPart;
  },
): Promise<ImportResult[]> {
  const decisions = rows.map(({ content }): Decision =>
    content instanceof AppError ? failed(content) : { status: 'new' },
  );
  const planned = new Plan(rows.some(({ content }) => !(content instanceof AppError) && content.slug === null));
  const parts = openParts(rows);
  const again: OpenRow[][] = [];
  let drafts: Draft[] = [];
  const event = new OpenEvent(part);
  for (let isFirst = true; ; isFirst = false) {
    const asking = parts.next().value ?? again.shift() ?? [];
    if (asking.length === 0 && drafts.length === 0 && !isFirst) break;
    const counted = drafts.length === 0 ? null : event.next(decisions, asking.length === 0);
    const { access, created, states, hasEvent } = await insertAndRead(db, actor, drafts, asking, counted);
    authorize(access, actor);
    // On one machine the database is in the process, and a request that arrives meanwhile would wait for all trips.
    await scheduler.wait(0);
    if (hasEvent) event.noteRecorded();
    for (const draft of drafts) {
      const as = created.get(draft.id);
      decisions[draft.index] = as === undefined ? failed(overtaken()) : { status: 'created', link: toLink(draft, as) };
    }
    const rowsToRetry = drafts.filter(({ id, tries }) => !created.has(id) && tries < MAX_TRIES);
    if (rowsToRetry.length > 0) again.push(rowsToRetry.map(({ tries, ...draft }) => ({ ...draft, tries: tries + 1 })));
    drafts = [];
    if (asking.length === 0) continue;
    if (!dryRun) planned.begin();
    const refusalOf = targetPolicy && (await refusalsBy(targetPolicy, destinationsOfNew(asking, states)));
    for (const [position, open] of asking.entries()) {
      const decision = decide(open, states[position]!, { planned, refusalOf, domains });
      if (decision.status === 'new' && !dryRun) drafts.push(newDraft(open, states[position]!));
      decisions[open.index] = decision;
    }
  }
  await event.end(db, decisions);
  const results = decisions.map((decision) => settle(decision, decisions));
  const onDomains = results.flatMap(createdOnDomain);
  if (memory && onDomains.length > 0) forgetMissing(memory, onDomains);
  return results;
}

// On the service's own host no missing address is remembered.
const createdOnDomain = (result: ImportResult) =>
  result.status === 'created' && result.link && result.link.customDomain !== null ? [result.link] : [];

/**
 * Authorises an import before a large file is read. One round trip. Throws `store_unavailable`, and what `authorize`
 * throws.
 */
export async function authorizeImport(db: Database, actor: Actor): Promise<void> {
  await authorizeFirst(db, actor, 'links:write');
}

/** The destinations of the rows that may become new links. */
function destinationsOfNew(rows: readonly OpenRow[], states: readonly RowState[]): Destination[] {
  return rows.flatMap(({ row, destinations }, position) => {
    const { taken, equal } = states[position]!;
    return taken.length > 0 || equal !== null || row.faults.length > 0 ? [] : destinations;
  });
}

/** The facts on which a decision depends besides the row and the database. */
interface Circumstances {
  readonly planned: Plan;
  readonly refusalOf: Refusals | null;
  readonly domains: NewDomains | undefined;
}

function decide(open: OpenRow, state: RowState, { planned, refusalOf, domains }: Circumstances): Decision {
  const { row, destinations } = open;
  const [first] = state.taken;
  if (first?.link && first.link.slug === row.slug) return compare(open, first.link);
  if (!first && state.equal) return unchanged(open, state.equal);
  const host = row.customDomain ?? '';
  const isComing = domains?.coming.has(host) === true;
  const isPending = isComing || state.isWaiting;
  const faults = first
    ? [taken(first.slug, [first.by], isPending, first.deletedOwner), ...row.faults]
    : [...row.faults];
  const keys = open.claims.map(({ exact, folded }) => (state.isCaseSensitive ? exact : folded));
  if (new Set(keys).size < keys.length) faults.push(unfit('aliases', SAME_TWICE));
  const takes = state.isDomainOk && (domains !== undefined || !state.isWaiting);
  if (!takes && !isComing) faults.push(domains?.refused.get(host) ?? notActive(open, row.customDomain));
  // Its domain may be pending, and serves links later.
  const circle = row.customDomain === null ? undefined : destinations.find(({ url }) => hostnameOf(url) === host);
  if (circle && state.ownHost !== host) faults.push(ownHost(circle.field));
  if (state.ownHost !== null) faults.push(ownHost(fieldOnHost(destinations, state.ownHost)));
  if (state.blockedHost !== null) faults.push(blockedHost(fieldOnHost(destinations, state.blockedHost)));
  if (state.isBelowOwner) faults.push(belowOwner(row.slug ?? ''));
  if (state.hasBelow) faults.push(pathInUse(row.slug ?? ''));
  if (state.isExternalIdTaken) faults.push(externalIdTaken());
  const fault = faults.length > 0 ? joinErrors(faults) : refusalOf?.(destinations);
  if (fault) return failed(fault);
  return planned.take(open, keys, state, isPending);
}

// A link of another host is never put on the service's own host unless the caller says so.
function notActive(open: OpenRow, host: string | null): AppError {
  if (open.host === null) return unknownDomain(host);
  const sentence = `custom_domain ${host} is not one of your active domains. Verify it, or choose another host for its links, such as host=${open.host}:shared.`;
  return new AppError('unknown_domain', sentence);
}

function compare(open: OpenRow, link: ManagedLink): ImportResult {
  const differences = differencesOf(open.row, link);
  return differences.length === 0 ? unchanged(open, link) : failed(differs(link.slug, differences, 'a link of yours'));
}

// The link shares the row's strings, which may be long, so that each is kept once. A row without a sec_id has null.
function unchanged({ content }: OpenRow, link: ManagedLink): ImportResult {
  const { secId, tags, importedClicks, maxClicks } = link;
  return { status: 'unchanged', link: { ...link, ...content, secId, tags, importedClicks, maxClicks } };
}

function settle(decision: Decision, decisions: readonly Decision[]): ImportResult {
  if (decision.status === 'new') return { status: 'created', link: null };
  if (decision.status !== 'follows') return decision;
  const leader = settle(decisions[decision.leader]!, decisions);
  return leader.status === 'error' ? leader : { status: 'unchanged', link: leader.link };
}

function newDraft(open: OpenRow, { slugLength }: RowState): Draft {
  const { secId, createdAt, slug } = open.row;
  const importedAt = Date.now();
  const id = newId();
  return {
    ...open,
    id,
    slug: slug ?? newSlug(id, slugLength, open.tries - 1),
    secId: secId ?? newId(),
    createdAt: createdAt ?? importedAt,
    importedAt,
  };
}

function toLink({ id, slug, secId, createdAt, importedAt, row, content }: Draft, made: Created): ManagedLink {
  const { aliases, customDomain, newDisabled: disabled, newMaxClicks: maxClicks } = row;
  const { clientId, tags, isWaiting } = made;
  return {
    ...content,
    id,
    slug,
    clientId,
    secId,
    tags,
    customDomain,
    createdAt,
    hasPassword: false,
    maxClicks,
    aliases: aliases.toSorted(),
    disabled,
    state: disabled ? 'disabled' : 'active',
    waitsFor: isWaiting ? customDomain : null,
    updatedAt: importedAt,
    revision: importedAt,
    limitedAt: maxClicks === null ? null : importedAt,
    unhealthy: null,
  };
}

function overtaken(): AppError {
  return new AppError(
    'edit_conflict',
    'Other requests are creating links like this one at the same time. Import it again.',
  );
}
