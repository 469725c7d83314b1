import type { LinkTotals } from '../../clicks/totals.ts';
import type { ManagedLink } from '../managed-link.ts';
import type { LinkPage } from './link-page.ts';

/** A link of a list, with its clicks. */
export type ClickedLink = ManagedLink & LinkTotals;

export interface ClickedLinkPage extends Omit<LinkPage, 'links'> {
  readonly links: readonly ClickedLink[];
}

/** In which order links are listed: newest first, or those with most clicks, most clicks by people, or the last click. */
export const SORTS = ['created', 'clicks', 'humans', 'last_click'] as const;
export type Sort = (typeof SORTS)[number];
