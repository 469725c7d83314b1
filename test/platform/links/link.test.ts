import { describe, expect, it } from 'vitest';
import { form, openLinks, placeOf, textOf, visit } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';

/** Reads the address of the link with a text. */
const hrefOf = (page: string, text: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

describe('the page of a link', () => {
  it('the page of a link says of a deleted link how to have it back, and offers nothing else', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    expect((await browse(`${path}/${id}/delete`)).status).toBe(200);
    const deleted = await browse(`${path}/${id}/delete`, form({}));
    expect([deleted.status, deleted.headers.get('Location')]).toEqual([303, path]);
    for (const tab of ['', '/details', '/history']) {
      const page = await textOf(browse(`${path}/${id}${tab}`));
      expect(page).toContain(`action="${path}/${id}/restore"`);
      for (const below of ['edit', 'disable', 'delete', 'qr', 'api', 'try'])
        expect(page).not.toContain(`${path}/${id}/${below}"`);
    }
    for (const tab of ['qr', 'api'])
      expect(placeOf(await browse(`${path}/${id}/${tab}`))).toEqual([303, `${path}/${id}`]);
    expect((await browse(`${path}/${id}/edit`)).status).toBe(409);
    expect((await browse(`${path}/${id}/qr.svg`)).status).toBe(410);
    await browse(`${path}/${id}/restore`, form({}));
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
  });

  it('the page of a link shows a history of many changes a page at a time', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    for (let i = 0; i < 12; i++) {
      await browse(`${path}/${id}/disable`, form({}));
      await browse(`${path}/${id}/enable`, form({}));
    }
    const page = await textOf(browse(`${path}/${id}/history`));
    expect(page.match(/class="entry-head"/g)).toHaveLength(20);
    const older = await textOf(browse(hrefOf(page, 'Older changes')));
    expect(older.match(/class="entry-head"/g)).toHaveLength(5);
    expect(hrefOf(older, 'Back to the first page')).toBe(`${path}/${id}/history`);
    // Its former address.
    const former = hrefOf(page, 'Older changes').replace('/history', '');
    expect(placeOf(await browse(former))).toEqual([303, hrefOf(page, 'Older changes')]);
    expect((await browse(`${path}/${id}/history?older=x`)).status).toBe(400);
  });

  it('the page of a link shows QR codes, and gives them as files', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    const seen = await browse(`${path}/${id}/qr.svg`);
    expect([seen.headers.get('Content-Type'), seen.headers.get('Content-Disposition')]).toEqual([
      'image/svg+xml',
      null,
    ]);
    expect(await seen.text()).toContain('<svg');
    const kept = await browse(`${path}/${id}/qr.png?size=1024&download=true`);
    expect([kept.headers.get('Content-Type'), kept.headers.get('Content-Disposition')]).toEqual([
      'image/png',
      `attachment; filename="qr-${id}.png"`,
    ]);
    expect([...new Uint8Array(await kept.arrayBuffer()).slice(1, 4)]).toEqual([...Buffer.from('PNG')]);
    expect((await browse(`${path}/${id}/qr.png?size=1`)).status).toBe(400);
  });
});
