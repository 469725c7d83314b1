import { Isolated } from './isolated.tsx';
import { shownUrl } from './shown.ts';

// The rest would be cut by every screen, and links with long URLs would make a list heavy.
const MOST_SHOWN = 200;

/**
 * A destination as people read it; the element around it has the encoded URL as its title.
 *
 * @param whole whether it is shown with its scheme and in all its length
 */
export function Destination({ href, whole = false }: { href: string; whole?: boolean }) {
  const { host, rest } = shownUrl(href);
  const isCut = !whole && rest.length > MOST_SHOWN;
  return (
    <>
      {whole && href.startsWith('https:') && 'https://'}
      <Isolated text={host} />
      <Isolated text={isCut ? `${rest.slice(0, MOST_SHOWN)}…` : rest} />
    </>
  );
}
