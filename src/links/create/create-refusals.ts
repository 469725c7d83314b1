import { AppError, type ErrorCode } from '../../errors.ts';
import { IN_THE_PAST } from '../../input/schemas.ts';
import { blockedHost } from '../../targets/blocklist.ts';
import { destinationsOf, fieldOnHost } from '../destinations/destinations.ts';
import { belowOwner, pathInUse } from '../slugs/path-owners.ts';
import { externalIdTaken, slugTaken, SlugOfDeletedLink } from '../edit/edit-refusals.ts';
import { ownHost } from '../../targets/own-hosts.ts';
import type { LinkDraft } from './draft.ts';
import { tooManyTags } from '../tags/limits.ts';

/** The reasons why a link was not created. */

/** A row for each link that was not created. */
export interface CheckRow {
  /** Its index in the list. */
  readonly place: number;
  readonly credential_ok: number;
  /** The number of clients for which the credential may act. */
  readonly clients: number;
  readonly client_ok: number;
  readonly scope_ok: number;
  readonly end_ok: number;
  readonly domain_ok: number;
  readonly target_ok: number;
  readonly host_blocked: number;
  readonly slug_ok: number;
  /** The host of the destination for which it was refused; absent in what earlier versions have kept. */
  readonly refused_host?: string | null;
  /**
   * True if its address is below a link that passes paths on, or it passes paths on and there are links below; absent
   * in what earlier versions have kept.
   */
  readonly is_below?: number;
  readonly is_above?: number;
  /** True if its external id is free; absent in what earlier versions have kept. */
  readonly external_id_ok?: number;
  /** True if the client has room for its new tags; absent in what earlier versions have kept. */
  readonly tags_ok?: number;
  /** The deleted link of the client that has the slug and can be restored; absent in what earlier versions have kept. */
  readonly deleted_owner?: string | null;
  /** The number of characters of a generated slug on its host; absent in what earlier versions have kept. */
  readonly slug_length?: number | null;
}

/** The parts of a link that errors are about. */
interface Refused extends Pick<LinkDraft, 'slug' | 'slugLength' | 'clientId' | 'customDomain'> {
  readonly url: string;
}

/** The error of the credential, which comes before all others; null if there is none. */
export function credentialFault(link: Refused, checks: CheckRow): AppError | null {
  if (!checks.credential_ok) {
    return new AppError(
      'invalid_credential',
      'The credential is revoked, expired or unknown. Use another one, or create a new one.',
    );
  }
  if (link.clientId === null && checks.clients !== 1) return withoutClient(checks.clients);
  if (!checks.client_ok) {
    return new AppError(
      'wrong_client',
      `The credential does not belong to the client ${link.clientId}. Send the client_id that it belongs to.`,
    );
  }
  if (checks.scope_ok) return null;
  return new AppError('insufficient_scope', 'The credential does not have the scope links:write. Use another one.');
}

/**
 * The error of the link; null if only its generated id was taken, so that another id will do.
 *
 * @param refusal why the policy refuses a destination, or null
 */
export function linkFault(link: Refused, checks: CheckRow, refusal: AppError | null = null): AppError | null {
  if (!checks.end_ok) return new AppError('invalid_expires_at', `expires_at ${IN_THE_PAST}.`);
  if (!checks.domain_ok) return unknownDomain(link.customDomain);
  const field = checks.refused_host ? fieldOnHost(destinationsOf(link), checks.refused_host) : 'url';
  if (!checks.target_ok) return ownHost(field);
  if (checks.host_blocked) return refusal ?? blockedHost(field);
  if (checks.is_below) return belowOwner(link.slug);
  if (checks.is_above) return pathInUse(link.slug);
  if (checks.external_id_ok === 0) return externalIdTaken();
  if (!checks.slug_ok && link.slugLength === null)
    return checks.deleted_owner ? new SlugOfDeletedLink(link.slug, checks.deleted_owner) : slugTaken(link.slug);
  return checks.tags_ok === 0 ? tooManyTags() : null;
}

function withoutClient(clients: number): AppError {
  if (clients === 0) {
    return new AppError(
      'wrong_client',
      'The user of this credential does not belong to any client. Ask an owner for an invite.',
    );
  }
  return new AppError(
    'missing_field',
    'client_id is required, since the user of this credential belongs to several clients. GET /v1/me lists them.',
  );
}

export function unknownDomain(host: string | null): AppError {
  return new AppError(
    'unknown_domain',
    `custom_domain ${host} is not one of your active domains. Verify it first, or leave it out.`,
  );
}

/** Throws the error of the credential itself, if a link was refused because of it. */
export function refuseCredential(outcomes: readonly unknown[]): void {
  const refusal = outcomes.find((item) => item instanceof AppError && CREDENTIAL_FAULTS.has(item.code));
  if (refusal) throw refusal;
}

const CREDENTIAL_FAULTS: ReadonlySet<ErrorCode> = new Set(['invalid_credential', 'insufficient_scope']);
