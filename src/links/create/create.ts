import { authorizeCreator } from '../../accounts/access.ts';
import type { Credential } from '../../accounts/grants.ts';
import type { Database, Statement } from '../../database/database.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { LinkDraft } from './create-refusals.ts';
import { insertLinks } from './create-store.ts';
import { contentOfInput } from '../fields/content.ts';
import type { ProtectedLink } from '../input.ts';
import type { Link } from '../link.ts';
import { newId } from '../slug.ts';

/**
 * Creates a link in one round trip to the database. Throws `own_host`, `blocked_host`, `invalid_credential`,
 * `missing_field`, `wrong_client`, `insufficient_scope`, `invalid_expires_at`, `unknown_domain`, `slug_taken`,
 * `store_unavailable`.
 *
 * @param beside a statement at the end of the same batch
 */
export async function createLink(
  db: Database,
  credential: Credential,
  input: ProtectedLink,
  beside?: (link: LinkDraft) => Statement,
): Promise<Link> {
  const [outcome] = await insertAll(db, credential, [input], beside);
  if (outcome instanceof AppError) throw outcome;
  if (!outcome) throw new TypeError('a create has one outcome');
  return outcome;
}

/**
 * Creates some links in one round trip; the error of one does not stop the others. Returns the outcomes in the order of
 * the links. Throws errors of the credential itself: `invalid_credential`, `insufficient_scope`; and
 * `store_unavailable`.
 */
export async function createManyLinks(
  db: Database,
  credential: Credential,
  inputs: readonly ProtectedLink[],
): Promise<(Link | AppError)[]> {
  if (inputs.length === 0) await authorizeCreator(db, credential);
  const created = await insertAll(db, credential, inputs);
  refuseCredential(created);
  return created;
}

/** Throws the error of the credential itself, if a link was refused because of it. */
export function refuseCredential(outcomes: readonly unknown[]): void {
  const refusal = outcomes.find((item) => item instanceof AppError && CREDENTIAL_FAULTS.has(item.code));
  if (refusal) throw refusal;
}

const CREDENTIAL_FAULTS: ReadonlySet<ErrorCode> = new Set(['invalid_credential', 'insufficient_scope']);

async function insertAll(
  db: Database,
  credential: Credential,
  inputs: readonly ProtectedLink[],
  beside?: (link: LinkDraft) => Statement,
): Promise<(Link | AppError)[]> {
  const results = new Map<number, Link | AppError>();
  for (let attempt = 1; results.size < inputs.length; attempt++) {
    if (attempt > MAX_ATTEMPTS) throw noFreeId();
    const open = [...inputs.entries()].filter(([index]) => !results.has(index));
    const drafts = open.map(([, input]) => toDraft(input));
    const { outcomes } = await insertLinks(db, credential, drafts, { beside: beside ? drafts.map(beside) : [] });
    for (const [turn, [index]] of open.entries()) {
      const outcome = outcomes[turn];
      if (outcome === undefined) throw new TypeError('each link has an outcome');
      if (outcome !== 'id_taken') results.set(index, outcome);
    }
  }
  return inputs.map((_, index) => results.get(index)!);
}

/** The draft of a new link, with a new id. */
export function toDraft(input: ProtectedLink): LinkDraft {
  const id = newId();
  const content = contentOfInput(input);
  return {
    id,
    slug: input.slug ?? id,
    customDomain: input.custom_domain ?? null,
    clientId: input.client_id ?? null,
    createdAt: Date.now(),
    ...content,
    secId: content.secId ?? newId(),
    passwordHash: input.passwordHash,
  };
}

/** How many new ids a create tries. */
export const MAX_ATTEMPTS = 5;

export function noFreeId(): TypeError {
  return new TypeError(`${MAX_ATTEMPTS} fresh ids in a row were taken`);
}
