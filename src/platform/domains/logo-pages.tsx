import type { Context, Hono } from 'hono';
import { getDomain } from '../../domains/domains.ts';
import { removeLogo } from '../../links/qr/kept-logo.ts';
import { MAX_LOGO_BYTES } from '../../links/qr/logo.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { readFieldsAndFile } from '../forms/form.ts';
import { ownersOnly } from '../guard.ts';
import { displayHost } from '../links/display-url.ts';
import { RemoveLogoPage } from '../links/qr/logo-form.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';

const REMOVE = '/platform/c/:client/domains/:id/logo/remove';

/** Reads the file of the form for a logo; no bytes if none was chosen. */
export async function readLogoBytes(c: Context<PlatformEnv>): Promise<Uint8Array<ArrayBuffer>> {
  // The rest is for the boundaries of the form.
  const { file } = await readFieldsAndFile(c, 'logo', MAX_LOGO_BYTES + 64 * 1024);
  return new Uint8Array(file ? await file.arrayBuffer() : []);
}

/** Adds the question before the logo of a domain is removed. */
export function addLogoRemoval(pages: Hono<PlatformEnv>): void {
  pages.get(REMOVE, ownersOnly, async (c) => {
    const { db, actor, client, words } = c.var;
    const { id, host } = await getDomain(db, actor, c.req.param('id'));
    return page(
      c,
      { title: words.text('domains.removeLogo'), narrow: true },
      <RemoveLogoPage back={clientPath(client, `domains/${id}`)}>
        {words.content('domains.removeLogoEffect', {
          host: displayHost(host),
          broken: (inside) => <bdi class="broken">{inside}</bdi>,
        })}
      </RemoveLogoPage>,
    );
  });

  pages.post(REMOVE, ownersOnly, async (c) => {
    const { db, actor, client } = c.var;
    const { id } = await getDomain(db, actor, c.req.param('id'));
    await removeLogo(db, actor, { domainId: id });
    return seeOther(c, clientPath(client, `domains/${id}`), 'logo-removed');
  });
}
