import type { Credential } from '../accounts/grants.ts';
import type { Database } from '../database.ts';
import { AppError } from '../errors.ts';
import { ownHost, type NewLink } from './input.ts';
import type { Link } from './link.ts';
import { newId } from './slug.ts';
import { insertLink } from './store.ts';

const MAX_ATTEMPTS = 5;

/**
 * Makes a link in one round trip to the database. Throws `own_host`, `invalid_credential`, `wrong_client`,
 * `unknown_domain`, `store_unavailable`.
 */
export async function createLink(db: Database, credential: Credential, input: NewLink): Promise<Link> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const id = newId();
    const link: Link = {
      id,
      slug: id,
      customDomain: input.custom_domain ?? null,
      url: input.url.href,
      clientId: input.client_id,
      secId: input.sec_id ?? newId(),
      campaignName: input.campaign_name ?? null,
      metadata: input.metadata ?? null,
      createdAt: Date.now(),
    };
    const outcome = await insertLink(db, credential, link);
    if (outcome === 'inserted') return link;
    if (outcome !== 'taken') throw refusals[outcome](link);
  }
  throw new TypeError(`${MAX_ATTEMPTS} fresh ids in a row were taken`);
}

const refusals = {
  invalid_credential: () =>
    new AppError(
      'invalid_credential',
      'The credential is revoked, expired or unknown. Use another, or make a new one.',
    ),
  wrong_client: (link: Link) =>
    new AppError(
      'wrong_client',
      `The credential does not belong to the client ${link.clientId}. Name its own client_id.`,
    ),
  insufficient_scope: () =>
    new AppError('insufficient_scope', 'This API key has not the scope links:write. Use another key.'),
  unknown_domain: (link: Link) =>
    new AppError('unknown_domain', `custom_domain ${link.customDomain} is not an active domain of this client.`),
  own_host: ownHost,
};
