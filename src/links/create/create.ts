import type { Credential } from '../../accounts/grants.ts';
import { responseOf, type Repeatable, type RepeatKey } from '../../accounts/stored-responses.ts';
import type { Statement } from '../../database/database.ts';
import { AppError } from '../../errors.ts';
import type { ManagedLink } from '../managed-link.ts';
import { forgetMissing } from '../redirect/resolve.ts';
import { admitLinks, type CreateTools } from './admit.ts';
import { insertLinks } from './create-store.ts';
import { drawAgain, FIRST_DRAW, MAX_ATTEMPTS, noFreeId, toCreated, toDraft, type LinkDraft } from './draft.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { NewLink } from './new-link.ts';

/** The options of a create besides its link. */
interface CreateOptions {
  /**
   * Set if the request can be repeated: within 24 hours the same request gets the first answer again, and creates nothing.
   * `answerType` is the media type of the answer if it is not the usual one.
   */
  readonly repeat?: (RepeatKey & { readonly answerType?: string | undefined }) | null;
  /** True if the credential is authorised already. */
  readonly isAuthorized?: boolean;
  /** A statement at the end of the same batch; `repeat` is the request, if it can be repeated. */
  readonly beside?: (link: LinkDraft, repeat: Repeatable | null) => Statement;
}

/**
 * Creates a link: authorises, applies the policy, hashes the password, writes, records the event, and lets this isolate
 * find the link at once. One round trip to the database, and one more before what costs something. Returns the answer.
 * Throws `own_host`, `blocked_host`, `invalid_credential`, `missing_field`, `wrong_client`, `insufficient_scope`,
 * `invalid_expires_at`, `unknown_domain`, `slug_taken`, `busy`, `store_unavailable`, and `idempotency_key_reused` for other
 * content under the key of an earlier request.
 *
 * @param responseTo the response to the request, which must be JSON if the request can be repeated; with `reuse` in the
 * request, an active link with the same content is answered with instead of a new one
 */
export async function createLink<Result>(
  tools: CreateTools,
  credential: Credential,
  link: NewLink,
  responseTo: (link: ManagedLink, isReused: boolean) => Result,
  { repeat = null, isAuthorized = false, beside }: CreateOptions = {},
): Promise<Result> {
  // Most links cost nothing before they are written.
  const isFree = tools.targetPolicy === null && link.input.password == null;
  const [admitted] = isFree ? [] : await admitLinks(tools, credential, [link], isAuthorized);
  const refusal = admitted instanceof AppError ? admitted : null;
  // A repeated request gets its first answer, even if its destination is refused by now.
  if (refusal !== null && repeat === null) throw refusal;
  const ready = admitted === undefined || admitted instanceof AppError ? { ...link, passwordHash: null } : admitted;
  const repeatable = repeat && { ...repeat, fingerprint: fingerprintOf(link.input, repeat.answerType) };
  let draw = FIRST_DRAW;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const draft = toDraft(ready, draw);
    const response = () => JSON.stringify(responseTo(toCreated(draft, draft.clientId ?? ''), false));
    const { outcomes, slugs, kept, reused } = await insertLinks(tools.db, credential, [draft], {
      ...(repeatable && { once: { ...repeatable, keptFor: 'link', answer: response() } }),
      refusal,
      wanted: link.input.reuse === true ? ready.content : null,
      beside: beside ? [beside(draft, repeatable)] : [],
    });
    // If the request left out the client, the row names it.
    if (kept && repeatable) return { ...JSON.parse(responseOf(kept, repeatable)), client_id: kept.client_id };
    if (reused) return responseTo(reused, true);
    const [outcome] = outcomes;
    if (outcome instanceof AppError) throw outcome;
    if (outcome === undefined || outcome === 'id_taken') {
      draw = drawAgain(draw, draft, slugs.get(0));
      continue;
    }
    // An id cannot have been requested before.
    if (outcome.slug !== outcome.id) forgetMissing(tools.memory, [outcome]);
    return responseTo(outcome, false);
  }
  throw noFreeId();
}
