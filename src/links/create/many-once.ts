import { authorizeCreator } from '../../accounts/access.ts';
import type { Credential } from '../../accounts/grants.ts';
import { responseOf, packResponse, unpackResponse, type Repeatable } from '../../accounts/stored-responses.ts';
import type { Database } from '../../database/database.ts';
import type { Site } from '../../network/hosts.ts';
import { AppError } from '../../errors.ts';
import type { AdmittedLink } from './admit.ts';
import { credentialFault, linkFault, refuseCredential, type CheckRow } from './create-refusals.ts';
import { insertLinks, type InsertOutcome, type KeptOfLinks } from './create-store.ts';
import {
  drawAgain,
  FIRST_DRAW,
  MAX_ATTEMPTS,
  noFreeId,
  toCreated,
  toDraft,
  type Draw,
  type LinkDraft,
} from './draft.ts';
import { keysOf } from '../slugs/slug.ts';
import { createdResult, type LinkResult, type Results } from './results.ts';
import { namesOf } from '../tags/names.ts';
import { contentOfRecord } from '../record.ts';

/** The kept answer to a list of links, as JSON. */
interface KeptList {
  /** The one client of the credential, or null. */
  readonly client: string | null;
  /** The results as if every valid link had been created, or the text of `packResponse`. */
  readonly answer: readonly LinkResult[] | string;
  /** Why links were not created. `place` counts valid links only. */
  readonly refusals: readonly CheckRow[];
  /** The tags of the links that have some, by id: `answer` has them as they were sent. */
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Inserts some links unless the same request has created one of them within 24 hours. Throws what `createLinks` throws.
 *
 * @param items an error in place of each link that was refused before; its result is kept too
 */
export async function insertManyOnce(
  db: Database,
  credential: Credential,
  items: readonly (AdmittedLink | AppError)[],
  repeat: Repeatable,
  { site, refuse }: Results,
): Promise<readonly LinkResult[]> {
  let draws: readonly Draw[] = [];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const tries = draftAll(items, draws);
    const drafts = tries.filter((item): item is LinkDraft => !(item instanceof AppError));
    const response = tries.map((item) => (item instanceof AppError ? refuse(item) : asMade(item, site)));
    const once = { ...repeat, keptFor: 'list', answer: await packResponse(JSON.stringify(response)) } as const;
    const { outcomes, slugs, kept } = await insertLinks(db, credential, drafts, { once });
    if (kept) return replay(kept, repeat, refuse);
    if (drafts.length === 0) await authorizeCreator(db, credential);
    refuseCredential(outcomes);
    // If an id was taken, no link of the list was created.
    if (!outcomes.includes('id_taken') || outcomes.some(isCreated)) return settle(response, outcomes, refuse);
    draws = drafts.map((draft, place) => drawAgain(draws[place] ?? FIRST_DRAW, draft, slugs.get(place)));
  }
  throw noFreeId();
}

// Those of one list have different slugs: if one were taken by another, it alone would not be created.
function draftAll(items: readonly (AdmittedLink | AppError)[], draws: readonly Draw[]): (LinkDraft | AppError)[] {
  const drawn = new Set(draws.flatMap(({ slug }) => (slug === null ? [] : [keysOf(slug).folded])));
  let place = 0;
  return items.map((item) => {
    if (item instanceof AppError) return item;
    const draw = draws[place++] ?? FIRST_DRAW;
    for (;;) {
      const draft = toDraft(item, draw);
      const key = keysOf(draft.slug).folded;
      if (draft.slugLength !== null && draw.slug === null && drawn.has(key)) continue;
      drawn.add(key);
      return draft;
    }
  });
}

const asMade = (draft: LinkDraft, site: Site) => createdResult(toCreated(draft, draft.clientId ?? ''), site);

const isCreated = (outcome: InsertOutcome) => typeof outcome === 'object' && !(outcome instanceof AppError);

// For two links of one list that got the same id.
const idTaken = () => new AppError('store_unavailable', 'No free id was found for this link. Send it again.');

const leftClient = (clientId: string | null) =>
  new AppError(
    'wrong_client',
    `The credential no longer belongs to the client ${clientId}, for which this request created links.`,
  );

function settle(
  response: readonly LinkResult[],
  outcomes: readonly InsertOutcome[],
  refuse: Results['refuse'],
): readonly LinkResult[] {
  const rest = outcomes.values();
  return response.map((result) => {
    if (result.outcome === 'error') return result;
    const outcome = rest.next().value;
    if (outcome instanceof AppError) return refuse(outcome);
    if (outcome === undefined || outcome === 'id_taken') return refuse(idTaken());
    return { ...result, link: { ...result.link, client_id: outcome.clientId, tags: namesOf(outcome.tags) } };
  });
}

async function replay(
  kept: KeptOfLinks,
  repeat: Repeatable,
  refuse: Results['refuse'],
): Promise<readonly LinkResult[]> {
  const { client, answer: response, refusals, tags = {} }: KeptList = JSON.parse(responseOf(kept, repeat));
  const results: readonly LinkResult[] =
    typeof response === 'string' ? JSON.parse(await unpackResponse(response)) : response;
  const clients = new Set<unknown>(JSON.parse(kept.clients));
  const checkOf = new Map(refusals.map((check) => [check.place, check]));
  let place = 0;
  return results.map((result) => {
    if (result.outcome === 'error') return result;
    const { link } = result;
    const check = checkOf.get(place++);
    const clientId = link.client_id || client;
    if (!check) {
      if (clientId === null || !clients.has(clientId)) throw leftClient(clientId);
      const tagged = tags[link.id];
      return { ...result, link: { ...link, client_id: clientId, ...(tagged && { tags: tagged }) } };
    }
    const refused = {
      ...contentOfRecord(link),
      id: link.id,
      slug: link.slug,
      slugLength: null,
      clientId,
      customDomain: link.custom_domain,
    };
    return refuse(credentialFault(refused, check) ?? linkFault(refused, check) ?? idTaken());
  });
}
