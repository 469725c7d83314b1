import type { LinkContent } from './fields/content.ts';
import type { VisitorContent } from './fields/visitors.ts';

/** A short link as its owner sees it. Instants are milliseconds since the epoch. */
export interface Link extends LinkContent {
  readonly id: string;
  readonly slug: string;
  /** The custom domain of its address, or null for the service's own host. */
  readonly customDomain: string | null;
  readonly clientId: string;
  readonly createdAt: number;
}

/** Why a link answers no more: for good, until its owner says otherwise, or while the operator has its host blocked. */
export type Ending = 'deleted' | 'disabled' | 'blocked';

/** All that a redirect needs to know of a link; what memory and KV hold. */
export interface Target extends VisitorContent {
  readonly linkId: string;
  /** The client that its clicks are counted for. */
  readonly clientId: string;
  readonly ending: Ending | null;
  /** Grows with every edit: of two states of a link, the higher is the newer. */
  readonly revision: number;
}

/** What an address without a link leads to: where the owner of its domain says, if anywhere. */
export interface NoTarget {
  readonly notFoundUrl: string | null;
}

/** Where a visitor comes in: a slug on a custom domain, or on the service's own host (''). */
export interface Address {
  readonly host: string;
  readonly slug: string;
}

/** What an edit changes; what is absent stays, and null clears. Instants are milliseconds since the epoch. */
export type LinkChange = { readonly [Name in keyof LinkContent]?: LinkContent[Name] | undefined } & {
  readonly slug?: string | undefined;
  readonly disabled?: boolean | undefined;
  /** Those of the link's aliases that stay. */
  readonly aliases?: readonly string[] | undefined;
};
