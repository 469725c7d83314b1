import type { SameDestination } from './same-destination.ts';
import { displayUrl } from '../display-url.ts';

/** The parts of the form of a new link that follow what is typed, by their ids. */

export const SHORT_URL = 'short-url';
export const SAME_DESTINATION = 'same-destination';

/** The short link as it will be. */
export function ShortUrl({ host, slug }: { host: string; slug: string }) {
  return (
    <>
      The short link will be{' '}
      <code dir="ltr" class="broken">
        {displayUrl(`https://${host}/${slug}`)}
        {slug === '' && '…'}
      </code>
      {slug === '' && ' with a generated slug'}.
    </>
  );
}

/** Leads to the deleted link that has the typed slug, whose page restores it. */
export function DeletedLink({ href }: { href: string }) {
  return <a href={href}>Open the deleted link to restore it</a>;
}

/** Says that links lead to the destination already, and leads to them. */
export function Same({ same }: { same: SameDestination | null }) {
  if (same === null) return null;
  const { links, hasMore, href } = same;
  return (
    <p class="same">
      <a href={href}>{links === 1 ? '1 link leads' : `${links}${hasMore ? ' or more' : ''} links lead`} here already</a>
    </p>
  );
}
