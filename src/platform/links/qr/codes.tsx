import { Hono } from 'hono';
import { readQueryAndLists } from '../../../http/query.ts';
import { findLinks } from '../../../links/list/find-many.ts';
import { findKeptLogos, logoTypeOf } from '../../../links/qr/kept-logo.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther } from '../../flash.ts';
import { inClient, signedIn } from '../../guard.ts';
import { clientPath } from '../../nav.ts';
import { page } from '../../page.tsx';
import { CodesPage } from './codes-page.tsx';
import { QR_STYLES } from './qr-settings.ts';

/** The most codes of a sheet: as many as a page of the list has links. */
const MAX_CODES = 100;

/** The QR codes of some links, to be printed. */
export function codePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get('/platform/c/:client/links/codes', signedIn, inClient, async (c) => {
    const { fields, lists } = readQueryAndLists(c, ['id']);
    const { db, actor, client, site, words } = c.var;
    const ids = lists['id'] ?? [];
    const [found, kept] = await Promise.all([
      findLinks(db, actor, ids.slice(0, MAX_CODES)),
      findKeptLogos(db, actor, client.id),
    ]);
    const links = found.filter(({ state }) => state !== 'deleted');
    const list = clientPath(client, 'links');
    const query = new URLSearchParams(fields['back']).toString();
    const back = query === '' ? list : `${list}?${query}`;
    if (links.length === 0) return seeOther(c, back, 'links-chosen-none');
    return page(
      c,
      { title: words.text('qr.printCodes'), styles: QR_STYLES },
      <CodesPage
        {...{ client, back }}
        leftOut={ids.length - links.length}
        links={links.map((link) => ({
          id: link.id,
          title: link.title,
          shortUrl: shortUrlOf(link, site),
          hasLogo: logoTypeOf(kept, link) !== null,
        }))}
      />,
    );
  });

  return pages;
}
