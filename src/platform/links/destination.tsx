import { fieldOf } from '../../links/fields/table.ts';
import { Isolated, isolatedText } from './bidi-text.tsx';
import { shownUrl, shownWhole } from './display-url.ts';

// The rest would be cut by every screen, and links with long URLs would make a list heavy.
const MAX_SHOWN = 200;

/**
 * A destination as people read it; the element around it has the encoded URL as its title.
 *
 * @param whole whether it is shown with its scheme and in all its length
 */
export function Destination({ href, whole = false }: { href: string; whole?: boolean }) {
  const { host, rest } = shownUrl(href);
  const isCut = !whole && rest.length > MAX_SHOWN;
  return (
    <>
      {whole && href.startsWith('https:') && 'https://'}
      <Isolated text={host} />
      <Isolated text={isCut ? `${rest.slice(0, MAX_SHOWN)}…` : rest} />
    </>
  );
}

/** A destination as people read it, within a sentence that is a text. */
export const destinationText = (href: string): string => isolatedText(shownWhole(href));

/** True if a field of a link is a URL to which it leads. */
export const isUrl = (name: string): boolean => name === 'url' || fieldOf(name)?.input?.kind === 'url';

/** A destination that nothing around it says in its encoded form, and that leads nowhere. */
export function NamedDestination({ href }: { href: string }) {
  return (
    <span dir="ltr" title={href}>
      <Destination href={href} whole />
    </span>
  );
}
