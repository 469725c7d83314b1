import { describe, expect, it } from 'vitest';
import { openLinks, placeOf, textOf } from '../../support/platform.ts';
import { png, send } from '../../support/qr-pages.ts';
import { seedLink } from '../../support/seed.ts';

const sheetOf = (path: string, ids: readonly string[]) =>
  `${path}/codes?${new URLSearchParams(ids.map((id) => ['id', id])).toString()}`;
const codesIn = (page: string) => [...page.matchAll(/<img src="([^"]+qr\.svg[^"]*)"/g)].map(([, src]) => src);

describe('the sheet of QR codes', () => {
  it('the sheet of QR codes has the code, the title and the short URL of each selected link, in their order', async () => {
    const { caller, browse, path } = await openLinks();
    const links = [];
    for (const title of ['Menu <1>', 'Poster']) links.push(await seedLink(caller, { title }));
    const page = await textOf(browse(sheetOf(path, [links[1]!.id, links[0]!.id])));
    expect(codesIn(page)).toEqual([`${path}/${links[1]!.id}/qr.svg`, `${path}/${links[0]!.id}/qr.svg`]);
    expect(page).toContain('Menu &lt;1&gt;');
    expect(page).toContain(`>terse.test/${links[0]!.id}<`);
    expect((await browse(codesIn(page)[0]!)).headers.get('Content-Type')).toBe('image/svg+xml');
  });

  it('the sheet of QR codes has the logo that the workspace keeps', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    await send(browse, `${path}/${id}`, { do: 'keep', logo: png() });
    const [code] = codesIn(await textOf(browse(sheetOf(path, [id]))));
    expect(code).toBe(`${path}/${id}/qr.svg?logo=true&amp;level=H`);
    expect(await textOf(browse(code!.replace('&amp;', '&')))).toContain('<image ');
  });

  it('the sheet of QR codes leaves out deleted links and those of another workspace, and says so', async () => {
    const [own, other] = [await openLinks(), await openLinks()];
    const { id } = await seedLink(own.caller);
    const deleted = await seedLink(own.caller);
    await own.browse(`${own.path}/${deleted.id}/delete`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { Origin: 'https://terse.test' },
    });
    const theirs = await seedLink(other.caller);
    const page = await textOf(own.browse(sheetOf(own.path, [id, deleted.id, theirs.id])));
    expect(codesIn(page)).toEqual([`${own.path}/${id}/qr.svg`]);
    expect(page).toContain('Left out: 2.');
    expect(placeOf(await own.browse(sheetOf(own.path, [theirs.id])))).toEqual([303, own.path]);
    expect(placeOf(await own.browse(`${own.path}/codes?back=q%3Da`))).toEqual([303, `${own.path}?q=a`]);
    expect((await other.browse(sheetOf(own.path, [id]))).status).toBe(404);
  });

  it('the sheet of QR codes has 100 codes at most', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const page = await textOf(browse(sheetOf(path, [...Array<string>(100).fill('66666666'), id])));
    expect(codesIn(page)).toEqual([]);
  });
});
