import { authorizeCreator } from '../../accounts/access.ts';
import type { Credential } from '../../accounts/grants.ts';
import type { RepeatKey } from '../../accounts/stored-responses.ts';
import type { Database } from '../../database/database.ts';
import type { AppError } from '../../errors.ts';
import type { ManagedLink } from '../managed-link.ts';
import { forgetMissing } from '../redirect/resolve.ts';
import { admitLinks, type AdmittedLink, type CreateTools } from './admit.ts';
import { refuseCredential } from './create-refusals.ts';
import { insertLinks } from './create-store.ts';
import { drawAgain, FIRST_DRAW, MAX_ATTEMPTS, noFreeId, toDraft, type Draw } from './draft.ts';
import { fingerprintOfList } from './fingerprint.ts';
import { insertManyOnce } from './many-once.ts';
import { isLink, type NewLinks } from './new-link.ts';
import { createdResult, type LinkResult, type Results } from './results.ts';

/**
 * Creates some links, as `createLink` does one; the error of one does not stop the others. Returns the results in the order
 * of the links. Throws errors of the credential itself: `invalid_credential`, `insufficient_scope`; `busy`;
 * `store_unavailable`; for a request that can be repeated also `idempotency_key_reused`, and `wrong_client` if the kept
 * answer belongs to a client that the credential no longer has.
 *
 * @param repeat set if the request can be repeated: within 24 hours the same request gets the first answer again, if that
 *   has created a link
 */
export async function createLinks(
  tools: CreateTools,
  credential: Credential,
  { links, sent }: NewLinks,
  results: Results,
  repeat: RepeatKey | null,
): Promise<readonly LinkResult[]> {
  const admitted = await admitLinks(tools, credential, links);
  const inserted = admitted.filter(isLink);
  const response = repeat
    ? await insertManyOnce(tools.db, credential, admitted, { ...repeat, fingerprint: fingerprintOfList(sent) }, results)
    : await insertMany(tools.db, credential, admitted, inserted, results);
  forgetMissing(
    tools.memory,
    response.flatMap((result) =>
      result.outcome === 'created' && result.link.slug !== result.link.id
        ? [{ slug: result.link.slug, customDomain: result.link.custom_domain }]
        : [],
    ),
  );
  return response;
}

async function insertMany(
  db: Database,
  credential: Credential,
  admitted: readonly (AdmittedLink | AppError)[],
  links: readonly AdmittedLink[],
  { site, refuse }: Results,
): Promise<LinkResult[]> {
  if (links.length === 0) await authorizeCreator(db, credential);
  const outcomeOf = await insertAll(db, credential, links);
  refuseCredential([...outcomeOf.values()]);
  return admitted.map((item) => {
    const outcome = isLink(item) ? outcomeOf.get(item)! : item;
    return isLink(outcome) ? createdResult(outcome, site) : refuse(outcome);
  });
}

// A link whose new id was taken gets another one.
async function insertAll(
  db: Database,
  credential: Credential,
  links: readonly AdmittedLink[],
): Promise<ReadonlyMap<AdmittedLink, ManagedLink | AppError>> {
  const outcomeOf = new Map<AdmittedLink, ManagedLink | AppError>();
  const drawOf = new Map<AdmittedLink, Draw>();
  for (let attempt = 1; outcomeOf.size < links.length; attempt++) {
    if (attempt > MAX_ATTEMPTS) throw noFreeId();
    const open = links.filter((link) => !outcomeOf.has(link));
    const drafts = open.map((link) => toDraft(link, drawOf.get(link)));
    const { outcomes, slugs } = await insertLinks(db, credential, drafts);
    for (const [index, outcome] of outcomes.entries()) {
      const link = open[index]!;
      if (outcome !== 'id_taken') outcomeOf.set(link, outcome);
      else drawOf.set(link, drawAgain(drawOf.get(link) ?? FIRST_DRAW, drafts[index]!, slugs.get(index)));
    }
  }
  return outcomeOf;
}
