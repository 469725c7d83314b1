import { MAX_LINKS_COUNTED } from '../../links/list/most-counted.ts';
import { useWords, type PageWords } from '../words.tsx';

/** The number of links of a tag or a campaign, in words. */
export function countLinks({ text }: PageWords, links: number): string {
  return links >= MAX_LINKS_COUNTED
    ? text('counts.linksOrMore', { count: MAX_LINKS_COUNTED })
    : text('counts.links', { count: links });
}

/**
 * `countLinks` as a number that leads to the list of these links.
 *
 * @param label says for screen readers how many links they are, and what they have
 */
export function CountedLinks({ links, href, label }: { links: number; href: string; label: string }) {
  const { count } = useWords();
  return (
    <a href={href} class="number" aria-label={label}>
      {count(links) + (links >= MAX_LINKS_COUNTED ? '+' : '')}
    </a>
  );
}
