import { AppError } from '../errors.ts';
import { IN_THE_PAST } from '../validation.ts';
import { blockedHost } from './blocklist.ts';
import { slugTaken } from './edit.ts';
import { ownHost } from './input.ts';
import type { Link } from './link.ts';

/** Why a link was not made. */

/** A row for each link that was not made. */
export interface CheckRow {
  /** Its place in the list. */
  readonly place: number;
  readonly credential_ok: number;
  /** How many clients the credential has. */
  readonly clients: number;
  readonly client_ok: number;
  readonly scope_ok: number;
  readonly end_ok: number;
  readonly domain_ok: number;
  readonly target_ok: number;
  readonly host_blocked: number;
  readonly slug_ok: number;
}

/** A link as it is to be; without a client, it is for the one that the credential has. */
export type LinkDraft = Omit<Link, 'clientId'> & { readonly clientId: string | null };

/** What a refusal has to know of a link. */
export type Refused = Pick<LinkDraft, 'id' | 'slug' | 'clientId' | 'customDomain'>;

/** What is wrong with the credential, which comes before all else; null where nothing is. */
export function credentialFault(link: Refused, checks: CheckRow): AppError | null {
  if (!checks.credential_ok) {
    return new AppError(
      'invalid_credential',
      'The credential is revoked, expired or unknown. Use another, or make a new one.',
    );
  }
  if (link.clientId === null && checks.clients !== 1) return withoutClient(checks.clients);
  if (!checks.client_ok) {
    return new AppError(
      'wrong_client',
      `The credential does not belong to the client ${link.clientId}. Name its own client_id.`,
    );
  }
  if (checks.scope_ok) return null;
  return new AppError('insufficient_scope', 'This API key has not the scope links:write. Use another key.');
}

/** What is wrong with the link; null where its id was taken alone, so that another will do. */
export function linkFault(link: Refused, checks: CheckRow): AppError | null {
  if (!checks.end_ok) return new AppError('invalid_expires_at', `expires_at ${IN_THE_PAST}.`);
  if (!checks.domain_ok) return unknownDomain(link.customDomain);
  if (!checks.target_ok) return ownHost();
  if (checks.host_blocked) return blockedHost();
  // A slug that nobody chose is the id.
  return checks.slug_ok || link.slug === link.id ? null : slugTaken(link.slug);
}

function withoutClient(clients: number): AppError {
  if (clients === 0) {
    return new AppError(
      'wrong_client',
      'The user of this credential belongs to no client. Ask an owner of one for an invite.',
    );
  }
  return new AppError(
    'missing_field',
    'client_id is required of a user of several clients: send that of the client the link is for. GET /v1/me lists them.',
  );
}

export function unknownDomain(host: string | null): AppError {
  return new AppError('unknown_domain', `custom_domain ${host} is not an active domain of this client.`);
}
