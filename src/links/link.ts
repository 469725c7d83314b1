import type { LinkContent } from './fields/content.ts';
import type { Extras } from './redirect/extras.ts';
import type { Prefix } from './redirect/slug-path.ts';
import type { VisitorContent } from './fields/visitors.ts';

/** A short link as its owner sees it. Instants are milliseconds since the epoch. */
export interface Link extends LinkContent {
  readonly id: string;
  readonly slug: string;
  /** The custom domain of its address, or null for the service's own host. */
  readonly customDomain: string | null;
  readonly clientId: string;
  readonly createdAt: number;
  readonly hasPassword: boolean;
}

/** Why a link no longer redirects: it was deleted, its owner has disabled it, or the operator has blocked its host. */
export type Ending = 'deleted' | 'disabled' | 'blocked';

/** The part of a link that a redirect needs, as memory and KV hold it. */
export interface Target extends VisitorContent {
  readonly linkId: string;
  /** The client for which its clicks are counted. */
  readonly clientId: string;
  readonly ending: Ending | null;
  /** Null for a plain link, which leads all visitors to `url`. */
  readonly extras: Extras | null;
  /** Grows with every edit: of two states of a link, the higher is the newer. */
  readonly revision: number;
}

/** A link at a path. */
export interface FoundTarget {
  /** As it is stored. */
  readonly slug: string;
  readonly target: Target;
  /** The beginning of the path that is the slug; null if all of it is. */
  readonly prefix: Prefix | null;
}

/** The result for an address without a link: where its domain redirects, or null. */
export interface NoTarget {
  readonly notFoundUrl: string | null;
  /** True if the domain trims no paths, so that nothing is known of what this one would be without its ends. */
  readonly isUntrimmed?: true;
}

/** The address of a request: a slug on a custom domain, or on the service's own host (''). */
export interface Address {
  readonly host: string;
  readonly slug: string;
}

/**
 * The changes of an edit; an absent field stays unchanged, and null clears it. Instants are milliseconds since the
 * epoch.
 */
export type LinkChange = { readonly [Name in keyof LinkContent]?: LinkContent[Name] | undefined } & {
  readonly slug?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** A new password as a text; null removes it. */
  readonly password?: string | null | undefined;
  /** The aliases of the link that stay. */
  readonly aliases?: readonly string[] | undefined;
};
