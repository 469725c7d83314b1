import { hostsOf } from '../destinations.ts';
import { newId } from '../slug.ts';
import type { AdmittedLink } from './admit.ts';
import type { LinkDraft } from './create-refusals.ts';

/** How many new ids a create tries. */
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
