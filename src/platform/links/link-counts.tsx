import { MAX_LINKS_COUNTED } from '../../links/list/most-counted.ts';
import { formatCount } from '../kit/numbers.ts';

/** The number of links of a tag or a campaign, in words. */
export function countLinks(links: number): string {
  if (links >= MAX_LINKS_COUNTED) return `${formatCount(MAX_LINKS_COUNTED)} or more links`;
  return links === 1 ? '1 link' : `${formatCount(links)} links`;
}

/**
 * `countLinks` as a number that leads to the list of these links.
 *
 * @param having what the links have, such as `of Spring`, for screen readers
 */
export function CountedLinks({ links, href, having }: { links: number; href: string; having: string }) {
  return (
    <a href={href} class="number" aria-label={`${countLinks(links)} ${having}`}>
      {formatCount(links) + (links >= MAX_LINKS_COUNTED ? '+' : '')}
    </a>
  );
}
