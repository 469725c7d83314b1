import { afterEach, describe, expect, it, vi } from 'vitest';
import { deliver, packOf } from '../../support/clicks.ts';
import { form, openLinks, textOf, visit } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { countTrips } from '../../support/trips.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Where the link with a text leads. */
const hrefOf = (page: string, text: string) =>
  new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';

describe('the page of a link', () => {
  it('shows the link, its clicks, its history and the commands for it, in four trips', async () => {
    const { caller, browse, path } = await openLinks();
    const link = await seedLink(caller, {
      url: "https://example.com/it's?a=1",
      campaign_name: 'A <b>',
      sec_id: 'print',
    });
    await deliver([packOf(link, 3)]);
    const trips = countTrips();
    const page = await (await browse(`${path}/${link.id}?days=7`)).text();
    expect(trips().d1).toBe(4);
    expect(page).toContain(`<h1>terse.test/${link.id}</h1>`);
    expect(page).toContain('A &lt;b&gt;');
    expect(page).toContain('<dt>People</dt><dd>3</dd>');
    expect(page).toContain(`src="${path}/${link.id}/qr.svg?size=256"`);
    const code = (id: string) =>
      new RegExp(`<code id="${id}">([^<]*)</code>`)
        .exec(page)?.[1]
        ?.replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
    expect(code('curl-stats')).toBe(`curl https://terse.test/v1/links/${link.id}/stats -H 'X-API-Key: API_KEY'`);
    expect(code('curl-info')).toBe(
      `curl https://terse.test/info/${link.id}/${caller.clientId}/print \\\n  -H 'Authorization: Bearer ACCESS_TOKEN'`,
    );
    expect(code('curl-create')).toBe(
      [
        `curl https://terse.test/v1/links -H 'X-API-Key: API_KEY'`,
        `--form-string client_id=${caller.clientId}`,
        String.raw`--form-string 'url=https://example.com/it'\''s?a=1'`,
        '--form-string sec_id=print',
        `--form-string 'campaign_name=A <b>'`,
      ].join(' \\\n  '),
    );
  });

  it('says of a deleted link how to have it back, and offers nothing else', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    expect((await browse(`${path}/${id}/delete`)).status).toBe(200);
    const deleted = await browse(`${path}/${id}/delete`, form({}));
    expect([deleted.status, deleted.headers.get('Location')]).toEqual([303, path]);
    const page = await (await browse(`${path}/${id}`)).text();
    expect(page).toContain(`action="${path}/${id}/restore"`);
    for (const below of ['edit', 'disable', 'delete']) expect(page).not.toContain(`${path}/${id}/${below}"`);
    expect((await browse(`${path}/${id}/edit`)).status).toBe(409);
    expect((await browse(`${path}/${id}/qr.svg`)).status).toBe(410);
    await browse(`${path}/${id}/restore`, form({}));
    expect(await visit(id)).toEqual([302, 'https://example.com/']);
  });

  it('shows a history of many changes a page at a time', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    for (let i = 0; i < 12; i++) {
      await browse(`${path}/${id}/disable`, form({}));
      await browse(`${path}/${id}/enable`, form({}));
    }
    const page = await textOf(browse(`${path}/${id}?days=90`));
    expect(page.match(/class="entry-head"/g)).toHaveLength(20);
    const older = await textOf(browse(hrefOf(page, 'Older changes')));
    expect(older.match(/class="entry-head"/g)).toHaveLength(5);
    expect(older).toContain('aria-current="true">90 days<');
    expect(hrefOf(older, 'Back to the first page')).toBe(`${path}/${id}?period=90d#history`);
  });

  it('gives QR codes to look at and to keep', async () => {
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
