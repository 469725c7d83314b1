import { authorize, selectAccess, type AccessRow, type Actor } from '../../accounts/access.ts';
import type { Database } from '../../database/database.ts';
import { STATUS_BY_CODE } from '../../errors.ts';
import { noSuchLink } from '../edit/edit-refusals.ts';
import { afterEndOf, givenTo, redirectionOf, stopOf, type RichTarget, type Stop } from '../redirect/decide.ts';
import { slugOfPath } from '../redirect/slug-path.ts';
import { trimmedSlug } from '../redirect/tolerance.ts';
import { toTarget } from '../redirect/target-store.ts';
import type { Destination } from '../routes/choose.ts';
import { explainChoice, type ExplainedRule } from '../routes/explain.ts';
import { VisitorFacts } from '../routes/visitor.ts';
import type { PreviewVisit } from './preview-visit.ts';
import { selectVisited, type VisitedRow } from './visited-store.ts';

/** Why a visit gets its response, the first reason that holds. */
export const REASONS = [
  'domain',
  'path',
  'deleted',
  'disabled',
  'not_started',
  'expired',
  'password',
  'preview',
  'limit',
  'blocked',
  'ask_first',
  'fallback',
  'redirect',
] as const;

/** The outcome for a visitor. */
interface Outcome {
  readonly status: number;
  /** Null without a redirect. */
  readonly location: string | null;
  readonly reason: (typeof REASONS)[number];
}

/** The outcome for a visitor, and why. */
export interface ResolvedVisit extends Outcome {
  /** True if the visitor is redirected only while the link has clicks left. */
  readonly takesClick: boolean;
  /** The destination that the rules and variants choose, even if something else comes first. */
  readonly destination: Destination;
  readonly rules: readonly ExplainedRule[];
  /** The known facts about the visitor. */
  readonly visitor: VisitorFacts;
}

/**
 * Says what a visitor with these properties gets by GET, and why. One round trip; nothing is counted, and no click of a
 * limited link is taken. Throws `not_found`, `store_unavailable`, and what `authorize` throws.
 */
export async function resolveVisit(
  db: Database,
  actor: Actor,
  id: string,
  visit: PreviewVisit,
): Promise<ResolvedVisit> {
  const now = Date.now();
  const [access, [row]] = await db.batch<[AccessRow, VisitedRow]>([
    selectAccess(actor, 'links:read', now),
    selectVisited(actor, id, now),
  ]);
  authorize(access, actor, { several: true });
  if (row === undefined) throw noSuchLink();
  const plain = toTarget(row);
  const target = { ...plain, extras: plain.extras ?? {} };
  const search = searchOf(visit);
  const visitor = new VisitorFacts({
    country: visit.country ?? visit.region?.slice(0, 2) ?? null,
    regionCode: visit.region?.slice(3) ?? null,
    continent: null,
    referrer: visit.referrer ?? null,
    userAgent: visit.user_agent ?? null,
    languages: visit.language ?? null,
    address: visit.address ?? null,
    search,
    at: visit.at ?? now,
  });
  const { url, extras } = target;
  const { rules = [], variants = [] } = extras;
  const { chosen, rules: explained } = explainChoice({ linkId: id, url, rules, variants }, visitor);
  const outcome = outcomeOf({ row, target, visitor, path: pathOf(row, visit, extras.forwardPath === true), search });
  const isClick = outcome.reason === 'redirect' || outcome.reason === 'fallback';
  const takesClick = isClick && extras.maxClicks !== undefined;
  return { ...outcome, takesClick, destination: chosen, rules: explained, visitor };
}

interface Visited {
  readonly row: VisitedRow;
  readonly target: RichTarget;
  readonly visitor: VisitorFacts;
  readonly path: RequestPath;
  readonly search: string;
}

function outcomeOf({ row, target, visitor, path, search }: Visited): Outcome {
  const { extras } = target;
  // Another domain may serve the host, with other links.
  if (row.domain_status === 'pending') return absent('domain');
  if (path.rest === undefined) return elsewhere(row, path);
  const stop = stopOf(target, visitor.at);
  if (stop !== null) return stopped(stop, row, target);
  // A page with a form.
  if (extras.passwordAt !== undefined) return page('password');
  const given = givenTo(target, visitor);
  if (given !== 'redirect') return page(given === 'preview' ? 'preview' : 'limit');
  const redirection = redirectionOf(target, visitor, { rest: path.rest, search: () => search });
  if (redirection === 'blocked') return { status: STATUS_BY_CODE.link_blocked, location: null, reason: 'blocked' };
  if (redirection === 'path') return absent('path');
  if (extras.askFirst === true) return page('ask_first');
  if (redirection.app !== undefined && visitor.kind === 'human') return page('fallback');
  return { status: extras.redirectStatus ?? FOUND, location: redirection.location, reason: 'redirect' };
}

const FOUND = 302;

function stopped(stop: Stop, row: VisitedRow, target: RichTarget): Outcome {
  if (stop === 'not_started') return absent(stop, row.not_found_url);
  const after = stop === 'expired' ? afterEndOf(target) : null;
  if (after === null) return { status: STATUS_BY_CODE.gone, location: null, reason: stop };
  if (after === 'blocked') return { status: STATUS_BY_CODE.link_blocked, location: null, reason: stop };
  return { status: FOUND, location: after.url, reason: stop };
}

const page = (reason: Outcome['reason']): Outcome => ({ status: 200, location: null, reason });

/** @param notFoundUrl where the domain redirects instead, or null */
function absent(reason: Outcome['reason'], notFoundUrl: string | null = null): Outcome {
  return { status: notFoundUrl === null ? STATUS_BY_CODE.not_found : FOUND, location: notFoundUrl, reason };
}

/** The answer at another address, if there is no link. */
function elsewhere({ host, tolerant, not_found_url: url }: VisitedRow, { pathname }: RequestPath): Outcome {
  const isSlug =
    host !== null && (slugOfPath(pathname, host) !== null || (tolerant !== 0 && trimmedSlug(pathname, host) !== null));
  return absent('path', isSlug ? url : null);
}

interface RequestPath {
  /** Percent-encoded, with its slash. */
  readonly pathname: string;
  /** The path after the slug, null if nothing follows it, undefined if the link has no such address. */
  readonly rest: string | null | undefined;
}

// Only its path and its query are used.
const HERE = 'https://visit.invalid';

/** As the URL of a request has it. */
function pathOf({ slug, host, tolerant }: VisitedRow, { path = '' }: PreviewVisit, forwardsPath: boolean): RequestPath {
  const pathnameOf = (behind: string) => Object.assign(new URL(HERE), { pathname: `/${slug}/${behind}` }).pathname;
  const [base, pathname] = [pathnameOf(''), pathnameOf(path.startsWith('/') ? path.slice(1) : path)];
  const isBelow = pathname.startsWith(base) && !pathname.includes('//');
  // One slash at the end of a path is ignored.
  const rest = pathname.slice(base.length) || null;
  if (isBelow && (rest === null || forwardsPath)) return { pathname, rest };
  const isTrimmed = tolerant !== 0 && trimmedSlug(pathname, host ?? '') === slug;
  return { pathname, rest: isTrimmed ? null : undefined };
}

/** As the URL of a request has it. */
function searchOf({ query = '' }: PreviewVisit): string {
  return new URL(query.startsWith('?') ? query : `?${query}`, HERE).search;
}
