import { isSeen } from '../../../text/look-alikes.ts';
import type { OwnClient } from '../../env.ts';
import { ButtonLink } from '../../kit/button.tsx';
import { PageHeader } from '../../kit/section.tsx';
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
  return (
    <div class="qr-sheet">
      <div class="for-screen">
        <PageHeader
          title="Print QR codes"
          actions={
            <>
              <ButtonLink href={back}>Back to the links</ButtonLink>
              <button type="button" class="button primary" data-print="" hidden>
                Print
              </button>
            </>
          }
        />
        <p class="quiet">Only the codes with their titles and short links are printed, on A4 or Letter.</p>
        {leftOut > 0 && (
          <p class="notice warning">Left out: {leftOut}. A sheet has at most 100 codes, and none of deleted links.</p>
        )}
      </div>
      <ul class="qr-sheet-list" aria-label="QR codes">
        {links.map(({ id, title, shortUrl, hasLogo }) => (
          <li>
            <img
              src={`${linkPath(client, id, 'qr.svg')}${hasLogo ? '?logo=true&level=H' : ''}`}
              alt={`QR code of ${displayUrl(shortUrl)}`}
            />
            {title !== null && isSeen(title) && <b dir="auto">{title}</b>}
            <span dir="ltr">{displayUrl(shortUrl)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
