import type { Credential } from '../accounts/grants.ts';
import { answerOf, type Repeatable } from '../accounts/kept-answers.ts';
import type { Database } from '../database.ts';
import type { Site } from '../domains/host.ts';
import { AppError } from '../errors.ts';
import { credentialFault, linkFault, type CheckRow, type LinkDraft } from './create-refusals.ts';
import { insertLinks, type InsertOutcome, type KeptOfLinks } from './create-store.ts';
import { judgeMaker, MAX_ATTEMPTS, noFreeId, refuseCredential, toDraft } from './create.ts';
import type { NewLink } from './input.ts';
import { newlyManaged } from './managed.ts';
import { toManagedRecord, type ManagedRecord } from './record.ts';

/** What a list is told of one of its links. */
export type ManyResult = MadeResult | RefusedResult;

interface MadeResult {
  readonly outcome: 'created';
  readonly status: 201;
  readonly link: ManagedRecord;
}

/** What is told of a link that was not made. */
export interface RefusedResult {
  readonly outcome: 'error';
  readonly status: number;
  readonly error: string;
}

/** A create of a list of links, as it may come again. */
export interface LinksRequest extends Repeatable {
  readonly site: Site;
  readonly tell: (error: AppError) => RefusedResult;
}

/** What is kept of a list of links, as JSON. */
interface KeptList {
  /** The one client of the credential, or null. */
  readonly client: string | null;
  /** As if all had been made whose own faults were none. */
  readonly answer: readonly ManyResult[];
  /** Of those that were not made, by their places among these. */
  readonly refusals: readonly CheckRow[];
}

/**
 * Makes some links unless the same request has made one of them within 24 hours; otherwise as `createManyLinks`. Also throws
 * `idempotency_key_reused`, and `wrong_client` where the answer is of a client that the credential has no more.
 *
 * @param items a fault for each link that cannot be made, whose answer is kept too
 */
export async function createManyLinksOnce(
  db: Database,
  credential: Credential,
  items: readonly (NewLink | AppError)[],
  { site, tell, ...repeat }: LinksRequest,
): Promise<readonly ManyResult[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const tries = items.map((item) => (item instanceof AppError ? item : toDraft(item)));
    const drafts = tries.filter((item): item is LinkDraft => !(item instanceof AppError));
    const answer = tries.map((item) => (item instanceof AppError ? tell(item) : asMade(item, site)));
    const once = { ...repeat, keptFor: 'list', answer: JSON.stringify(answer) } as const;
    const { outcomes, kept } = await insertLinks(db, credential, drafts, { once });
    if (kept) return retell(kept, repeat, tell);
    if (drafts.length === 0) await judgeMaker(db, credential);
    refuseCredential(outcomes);
    // Where an id was taken, nothing at all was made.
    if (!outcomes.includes('id_taken') || outcomes.some(isMade)) return settle(answer, outcomes, tell);
  }
  throw noFreeId();
}

const asMade = (draft: LinkDraft, site: Site): ManyResult => ({
  outcome: 'created',
  status: 201,
  link: toManagedRecord(newlyManaged({ ...draft, clientId: draft.clientId ?? '' }), site),
});

const isMade = (outcome: InsertOutcome) => typeof outcome === 'object' && !(outcome instanceof AppError);

// Two links of one list, of whose ids one is taken, by the other.
const idTaken = () => new AppError('store_unavailable', 'No free id was found for this link. Send it again.');

const leftClient = (clientId: string | null) =>
  new AppError(
    'wrong_client',
    `The credential no longer belongs to the client ${clientId}, for which this made links.`,
  );

function settle(
  answer: readonly ManyResult[],
  outcomes: readonly InsertOutcome[],
  tell: LinksRequest['tell'],
): readonly ManyResult[] {
  const rest = outcomes.values();
  return answer.map((result) => {
    if (result.outcome === 'error') return result;
    const outcome = rest.next().value;
    if (outcome instanceof AppError) return tell(outcome);
    if (outcome === undefined || outcome === 'id_taken') return tell(idTaken());
    return { ...result, link: { ...result.link, client_id: outcome.clientId } };
  });
}

function retell(kept: KeptOfLinks, repeat: Repeatable, tell: LinksRequest['tell']): readonly ManyResult[] {
  const { client, answer, refusals }: KeptList = JSON.parse(answerOf(kept, repeat));
  const clients = new Set<unknown>(JSON.parse(kept.clients));
  const checkOf = new Map(refusals.map((check) => [check.place, check]));
  let place = 0;
  return answer.map((result) => {
    if (result.outcome === 'error') return result;
    const { link } = result;
    const check = checkOf.get(place++);
    const clientId = link.client_id || client;
    if (!check) {
      if (clientId === null || !clients.has(clientId)) throw leftClient(clientId);
      return { ...result, link: { ...link, client_id: clientId } };
    }
    const refused = { id: link.id, slug: link.slug, clientId, customDomain: link.custom_domain };
    return tell(credentialFault(refused, check) ?? linkFault(refused, check) ?? idTaken());
  });
}
