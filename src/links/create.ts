import { judge, selectAccess, type AccessRow, type Actor } from '../accounts/access.ts';
import type { Credential } from '../accounts/grants.ts';
import type { Database, Statement } from '../database.ts';
import { AppError, type ErrorCode } from '../errors.ts';
import { IN_THE_PAST } from '../validation.ts';
import { blockedHost } from './blocklist.ts';
import { slugTaken } from './edit.ts';
import { ownHost, type NewLink } from './input.ts';
import type { Link } from './link.ts';
import { newId } from './slug.ts';
import { insertLinks, type InsertOutcome, type Once } from './create-store.ts';

const MAX_ATTEMPTS = 5;

/** How a create is to be recognised if it comes again, and what it is answered then. */
export interface Repeatable {
  /** The caller's `Idempotency-Key`. */
  readonly key: string;
  /** A hash of what is asked for. */
  readonly fingerprint: string;
  /** Whether the target is blocked by now: then nothing is made, and only what was answered before is answered. */
  readonly isFiltered: boolean;
  readonly answerTo: (link: Link) => string;
}

/**
 * Makes a link in one round trip to the database. Throws `own_host`, `blocked_host`, `invalid_credential`, `wrong_client`,
 * `insufficient_scope`, `invalid_expires_at`, `unknown_domain`, `slug_taken`, `store_unavailable`.
 *
 * @param beside a statement at the end of the same batch
 */
export async function createLink(
  db: Database,
  credential: Credential,
  input: NewLink,
  beside?: (link: Link) => Statement,
): Promise<Link> {
  const [outcome] = await insertAll(db, credential, [input], beside);
  if (outcome instanceof AppError) throw outcome;
  if (!outcome) throw new TypeError('a create has one outcome');
  return outcome;
}

/**
 * Makes a link unless a create with this key has made one within 24 hours: then the same content is given the first
 * answer again, and other content is `idempotency_key_reused`. Otherwise as `createLink`; gives the answer.
 */
export async function createLinkOnce(
  db: Database,
  credential: Credential,
  input: NewLink,
  { key, fingerprint, isFiltered, answerTo }: Repeatable,
): Promise<string> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const link = toLink(input);
    const once: Once = { key, fingerprint, answer: answerTo(link) };
    const [outcome] = await insertLinks(db, credential, [link], { once, isFiltered });
    if (outcome === 'inserted') return once.answer;
    if (typeof outcome === 'object') {
      if (outcome.fingerprint === fingerprint) return outcome.answer;
      throw new AppError(
        'idempotency_key_reused',
        'This Idempotency-Key has made another link within 24 hours. Use a new key for new content.',
      );
    }
    if (outcome === undefined) throw new TypeError('a create has one outcome');
    if (outcome !== 'id_taken') throw refusalOf(outcome, link);
  }
  throw new TypeError(`${MAX_ATTEMPTS} fresh ids in a row were taken`);
}

/**
 * Makes some links in one round trip; those that cannot be made do not keep the others from it. In their order. Throws what is
 * wrong with the credential itself: `invalid_credential`, `insufficient_scope`; and `store_unavailable`.
 */
export async function createManyLinks(
  db: Database,
  credential: Credential,
  inputs: readonly NewLink[],
): Promise<(Link | AppError)[]> {
  if (inputs.length === 0) await judgeMaker(db, credential);
  const made = await insertAll(db, credential, inputs);
  const refusal = made.find((item) => item instanceof AppError && CREDENTIAL_FAULTS.has(item.code));
  if (refusal) throw refusal;
  return made;
}

/** Judges whether a credential makes links at all. One round trip. Throws `invalid_credential`, `insufficient_scope`. */
export async function judgeMaker(db: Database, credential: Credential): Promise<void> {
  const actor: Actor = { credential, clientId: null };
  const [access] = await db.batch<[AccessRow]>([selectAccess(actor, 'links:write', Date.now())]);
  judge(access, actor, { several: true });
}

const CREDENTIAL_FAULTS: ReadonlySet<ErrorCode> = new Set(['invalid_credential', 'insufficient_scope']);

async function insertAll(
  db: Database,
  credential: Credential,
  inputs: readonly NewLink[],
  beside?: (link: Link) => Statement,
): Promise<(Link | AppError)[]> {
  const results = new Map<number, Link | AppError>();
  for (let attempt = 1; results.size < inputs.length; attempt++) {
    if (attempt > MAX_ATTEMPTS) throw new TypeError(`${MAX_ATTEMPTS} fresh ids in a row were taken`);
    const open = [...inputs.entries()].filter(([index]) => !results.has(index));
    const links = open.map(([, input]) => toLink(input));
    const outcomes = await insertLinks(db, credential, links, { beside: beside ? links.map(beside) : [] });
    for (const [turn, [index]] of open.entries()) {
      const [link, outcome] = [links[turn], outcomes[turn]];
      if (!link || typeof outcome !== 'string') throw new TypeError('each link has an outcome');
      if (outcome !== 'id_taken') results.set(index, outcome === 'inserted' ? link : refusalOf(outcome, link));
    }
  }
  return inputs.map((_, index) => results.get(index)!);
}

function toLink(input: NewLink): Link {
  const id = newId();
  return {
    id,
    slug: input.slug ?? id,
    customDomain: input.custom_domain ?? null,
    url: input.url.href,
    clientId: input.client_id,
    secId: input.sec_id ?? newId(),
    campaignName: input.campaign_name ?? null,
    metadata: input.metadata ?? null,
    createdAt: Date.now(),
    expiresAt: input.expires_at ?? null,
  };
}

type Refusal = Exclude<InsertOutcome, 'inserted' | 'id_taken'>;

function refusalOf(outcome: Refusal, link: Link): AppError {
  return REFUSALS[outcome](link);
}

const REFUSALS: Readonly<Record<Refusal, (link: Link) => AppError>> = {
  invalid_credential: () =>
    new AppError(
      'invalid_credential',
      'The credential is revoked, expired or unknown. Use another, or make a new one.',
    ),
  wrong_client: (link) =>
    new AppError(
      'wrong_client',
      `The credential does not belong to the client ${link.clientId}. Name its own client_id.`,
    ),
  insufficient_scope: () =>
    new AppError('insufficient_scope', 'This API key has not the scope links:write. Use another key.'),
  end_passed: () => new AppError('invalid_expires_at', `expires_at ${IN_THE_PAST}.`),
  unknown_domain: (link) => unknownDomain(link.customDomain),
  own_host: ownHost,
  blocked_host: () => blockedHost(),
  slug_taken: (link) => slugTaken(link.slug),
};

export function unknownDomain(host: string | null): AppError {
  return new AppError('unknown_domain', `custom_domain ${host} is not an active domain of this client.`);
}
