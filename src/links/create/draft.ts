import { hostsOf } from '../destinations/destinations.ts';
import type { Link } from '../link.ts';
import type { ManagedLink } from '../managed-link.ts';
import { GENERATED_ID, newId, newSlug } from '../slugs/slug.ts';
import type { AdmittedLink } from './admit.ts';

/** A link to be created; without a client, it is for the one client of the credential. */
export interface LinkDraft extends Omit<Link, 'clientId' | 'hasPassword'> {
  readonly clientId: string | null;
  readonly passwordHash: string | null;
  /** The hosts of its destinations, as `hostsOf` gives them. */
  readonly targetHosts: readonly string[];
  /** The number of characters that a generated slug is expected to have on its host; null if the slug is chosen. */
  readonly slugLength: number | null;
}

/** A created link, without what is stored only. */
export function toCreated(draft: LinkDraft, clientId: string): ManagedLink {
  const { passwordHash, targetHosts: _, slugLength: _length, ...link } = draft;
  const { createdAt, maxClicks } = link;
  return {
    ...link,
    clientId,
    hasPassword: passwordHash !== null,
    aliases: [],
    disabled: false,
    state: 'active',
    waitsFor: null,
    updatedAt: createdAt,
    revision: createdAt,
    limitedAt: maxClicks === null ? null : createdAt,
    unhealthy: null,
  };
}

/** The number of new ids, or of generated slugs, that a link tries. */
export const MAX_ATTEMPTS = 8;

/** The facts that earlier drafts of a link have found out. */
export interface Draw {
  /** The number of characters of generated slugs, which only the database knows. */
  readonly length: number;
  /** The number of its generated slugs that were taken. */
  readonly taken: number;
  /** The generated slug that was free, although the link was not created. */
  readonly slug: string | null;
}

export const FIRST_DRAW: Draw = { length: GENERATED_ID.length, taken: 0, slug: null };

/** The generated slug of a link that was not created. */
export interface SlugState {
  /** The number of characters of generated slugs on the host of the link. */
  readonly length: number;
  readonly isTaken: boolean;
}

/**
 * The facts after a draft that was not created.
 *
 * @param state null for a chosen slug, or if the database did not say it
 */
export function drawAgain({ length, taken }: Draw, { id, slug }: LinkDraft, state: SlugState | null = null): Draw {
  if (state === null) return { length, taken, slug: null };
  if (state.length !== length) return { length: state.length, taken, slug: null };
  return state.isTaken ? { length, taken: taken + 1, slug: null } : { length, taken, slug: slug === id ? null : slug };
}

export function noFreeId(): TypeError {
  return new TypeError(`${MAX_ATTEMPTS} fresh ids in a row were taken`);
}

/** The draft of a new link, with a new id, and with a new slug if none is chosen. */
export function toDraft(
  { input, content, destinations, passwordHash }: AdmittedLink,
  { length, taken, slug }: Draw = FIRST_DRAW,
): LinkDraft {
  const id = newId();
  return {
    id,
    slug: input.slug ?? slug ?? newSlug(id, length, taken),
    slugLength: input.slug === undefined ? length : null,
    customDomain: input.custom_domain ?? null,
    clientId: input.client_id ?? null,
    createdAt: Date.now(),
    ...content,
    secId: content.secId ?? newId(),
    passwordHash,
    targetHosts: hostsOf(destinations),
  };
}
