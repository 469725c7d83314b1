import { hostsOf } from '../destinations/destinations.ts';
import type { Link } from '../link.ts';
import { newId } from '../slugs/slug.ts';
import type { AdmittedLink } from './admit.ts';

/** A link to be created; without a client, it is for the one client of the credential. */
export interface LinkDraft extends Omit<Link, 'clientId' | 'hasPassword'> {
  readonly clientId: string | null;
  readonly passwordHash: string | null;
  /** The hosts of its destinations, as `hostsOf` gives them. */
  readonly targetHosts: readonly string[];
}

/** A created link, without what is stored only. */
export function toCreated(draft: LinkDraft, clientId: string): Link {
  const { passwordHash, targetHosts: _, ...link } = draft;
  return { ...link, clientId, hasPassword: passwordHash !== null };
}

/** The number of new ids that a create tries. */
export const MAX_ATTEMPTS = 5;

export function noFreeId(): TypeError {
  return new TypeError(`${MAX_ATTEMPTS} fresh ids in a row were taken`);
}

/** The draft of a new link, with a new id. */
export function toDraft({ input, content, destinations, passwordHash }: AdmittedLink): LinkDraft {
  const id = newId();
  return {
    id,
    slug: input.slug ?? id,
    customDomain: input.custom_domain ?? null,
    clientId: input.client_id ?? null,
    createdAt: Date.now(),
    ...content,
    secId: content.secId ?? newId(),
    passwordHash,
    targetHosts: hostsOf(destinations),
  };
}
