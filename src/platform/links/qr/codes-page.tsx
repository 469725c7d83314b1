import { isSeen } from '../../../text/look-alikes.ts';
import type { OwnClient } from '../../env.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { useWords } from '../../words.tsx';
import { displayUrl } from '../display-url.ts';
import { linkPath } from '../paths.ts';

/** The codes of some links, each with the title and the short URL, in columns that fit A4 and Letter. */
export function CodesPage({
  client,
  back,
  leftOut,
  links,
}: {
  client: OwnClient;
  /** The path of the list that has the links. */
  back: string;
  /** The number of links that are deleted, or too many. */
  leftOut: number;
  links: readonly {
    readonly id: string;
    readonly title: string | null;
    readonly shortUrl: string;
    /** True if a logo is kept for its code. */
    readonly hasLogo: boolean;
  }[];
}) {
  const { text } = useWords();
  return (
    <div class="qr-sheet">
      <div class="for-screen">
        <PageHeader
          title={text('qr.printCodes')}
          actions={
            <>
              <ButtonLink href={back}>{text('qr.backToLinks')}</ButtonLink>
              <button type="button" class="button primary" data-print="" hidden>
                {text('qr.print')}
              </button>
            </>
          }
        />
        <p class="quiet">{text('qr.sheetHint')}</p>
        {leftOut > 0 && <p class="notice warning">{text('qr.leftOut', { count: leftOut })}</p>}
      </div>
      <ul class="qr-sheet-list" aria-label={text('qr.codes')}>
        {links.map(({ id, title, shortUrl, hasLogo }) => (
          <li>
            <img
              src={`${linkPath(client, id, 'qr.svg')}${hasLogo ? '?logo=true&level=H' : ''}`}
              alt={text('qr.codeOf', { url: displayUrl(shortUrl) })}
            />
            {title !== null && isSeen(title) && <b dir="auto">{title}</b>}
            <span dir="ltr">{displayUrl(shortUrl)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
