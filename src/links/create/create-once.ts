import type { Credential } from '../../accounts/grants.ts';
import { answerOf, type Repeatable } from '../../accounts/stored-responses.ts';
import type { Database, Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import { toCreated, type LinkDraft } from './create-refusals.ts';
import { insertLinks } from './create-store.ts';
import { MAX_ATTEMPTS, noFreeId, toDraft } from './create.ts';
import type { ProtectedLink } from '../input.ts';
import type { Link } from '../link.ts';
import type { LinkRecord } from '../record.ts';

/** A create of one link that may be repeated. */
export interface LinkRequest<Answer extends LinkRecord> extends Repeatable {
  /** Why the policy refuses a destination: then no link is created, and only a kept answer is returned. */
  readonly refusal: AppError | null;
  readonly answerTo: (link: Link) => Answer;
  /** A statement at the end of the same batch. */
  readonly beside?: (link: LinkDraft) => Statement;
}

/**
 * Creates a link, unless the same request has created one within 24 hours: then returns the first answer again. Throws
 * `idempotency_key_reused` for other content under the same key, and what `createLink` throws.
 */
export async function createLinkOnce<Answer extends LinkRecord>(
  db: Database,
  credential: Credential,
  input: ProtectedLink,
  { refusal, answerTo, beside, ...repeat }: LinkRequest<Answer>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const draft = toDraft(input);
    const answer = answerTo(toCreated(draft, draft.clientId ?? ''));
    const { outcomes, kept } = await insertLinks(db, credential, [draft], {
      once: { ...repeat, keptFor: 'link', answer: JSON.stringify(answer) },
      refusal,
      beside: beside ? [beside(draft)] : [],
    });
    // If the request left out the client, the row names it.
    if (kept) return { ...JSON.parse(answerOf(kept, repeat)), client_id: kept.client_id };
    const [outcome] = outcomes;
    if (outcome instanceof AppError) throw outcome;
    if (outcome === undefined) throw new TypeError('a create has one outcome');
    if (outcome !== 'id_taken') return answerTo(outcome);
  }
  throw noFreeId();
}
