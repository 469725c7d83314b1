import { useWords } from '../../words.tsx';
import type { SameDestination } from './same-destination.ts';
import { displayUrl } from '../display-url.ts';

/** The parts of the form of a new link that follow what is typed, by their ids. */

export const SHORT_URL = 'short-url';
export const SAME_DESTINATION = 'same-destination';

/** The short link as it will be. */
export function ShortUrl({ host, slug }: { host: string; slug: string }) {
  const { content } = useWords();
  return (
    <>
      {content(slug === '' ? 'linkForm.willBeGenerated' : 'linkForm.willBe', {
        url: displayUrl(`https://${host}/${slug}`),
        link: (inside: string[]) => (
          <code dir="ltr" class="broken">
            {inside}
          </code>
        ),
      })}
    </>
  );
}

/** Leads to the deleted link that has the typed slug, whose page restores it. */
export function DeletedLink({ href }: { href: string }) {
  return <a href={href}>{useWords().text('linkForm.openDeleted')}</a>;
}

/** Says that links lead to the destination already, and leads to them. */
export function Same({ same }: { same: SameDestination | null }) {
  const { text } = useWords();
  if (same === null) return null;
  const { links: count, hasMore, href } = same;
  return (
    <p class="same">
      <a href={href}>{text(hasMore ? 'linkForm.leadHereOrMore' : 'linkForm.leadHere', { count })}</a>
    </p>
  );
}
