import { afterEach, describe, expect, it, vi } from 'vitest';
import { APPLE, ASSETS, filesOf, ofBytes } from '../../support/app-links.ts';
import { auditOf, openDomainIsolate, request, rowsOfHost, seedClaim } from '../../support/domains.ts';
import { MULTIPART, multipart, seedCaller, type Caller } from '../../support/forms.ts';
import { seedMember } from '../../support/management.ts';
import { browse as browseWith, form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { ORIGIN } from '../../support/service.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

async function openDomain(caller?: Caller, claimed?: { readonly id: string; readonly host: string }) {
  const owner = caller ?? (await seedCaller());
  const { id, host } = claimed ?? (await seedClaim(owner));
  const { cookie } = await openBrowser(owner);
  const browse = browseWith(cookie, openDomainIsolate());
  return { owner, browse, id, host, page: `/platform/c/${owner.clientId}/domains/${id}` };
}

const [APPLE_TEXT, ASSETS_TEXT] = [JSON.stringify(APPLE), JSON.stringify(ASSETS)];

/** The form as a browser sends it, which writes line feeds as CR LF. */
const sent = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  headers: { Origin: ORIGIN, 'Content-Type': MULTIPART },
  body: multipart(Object.entries(fields).map(([name, value]) => ({ name, value: value.replaceAll('\n', '\r\n') }))),
});

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const isOpen = (page: string) => /<details class="fold"( open="")?>/.exec(page)?.[1] !== undefined;

/** Reads the value of a field of a page. */
function valueOf(page: string, field: string): string | undefined {
  return new RegExp(`<textarea[^>]* name="${field}"[^>]*>\\n([^<]*)</textarea>`).exec(page)?.[1];
}

describe('the app links on the page of a domain', () => {
  it('the app links on the page of a domain are folded while there are none, and say where the files are served', async () => {
    const { browse, page, host } = await openDomain();
    const text = await textOf(browse(page));
    expect(text).toContain('<h2 id="app-links">App links</h2>');
    expect(isOpen(text)).toBe(false);
    expect([valueOf(text, 'apple_app_site_association'), valueOf(text, 'asset_links')]).toEqual(['', '']);
    expect(text).toContain(`https://${host}/.well-known/apple-app-site-association`);
    expect(text).toContain(`https://${host}/.well-known/assetlinks.json`);
    expect(text).toContain(`action="${page}/app-links" enctype="multipart/form-data"`);
  });

  it('the app links on the page of a domain are saved as they were typed, shown again, and deleted by empty fields', async () => {
    const { owner, browse, page, id } = await openDomain();
    const typed = JSON.stringify(APPLE, null, 2);
    const files = { apple_app_site_association: typed, asset_links: ASSETS_TEXT };
    expect(placeOf(await browse(`${page}/app-links`, sent(files)))).toEqual([303, page]);
    expect(await filesOf(id)).toEqual(files);
    const text = await textOf(browse(page));
    expect(isOpen(text)).toBe(true);
    expect(valueOf(text, 'apple_app_site_association')).toBe(escaped(typed));
    expect(valueOf(text, 'asset_links')).toBe(escaped(ASSETS_TEXT));
    expect((await auditOf(owner)).at(-1)).toMatchObject({
      action: 'domain.changed',
      details: { app_links: ['apple_app_site_association', 'asset_links'] },
    });

    const before = await auditOf(owner);
    expect(placeOf(await browse(`${page}/app-links`, sent(files)))).toEqual([303, page]);
    expect(await auditOf(owner)).toEqual(before);
    await browse(`${page}/app-links`, sent({ ...files, apple_app_site_association: '' }));
    expect(await filesOf(id)).toEqual({ asset_links: ASSETS_TEXT });
    await browse(`${page}/app-links`, form({ apple_app_site_association: '', asset_links: '' }));
    expect(await filesOf(id)).toEqual({});
  });

  it.each([
    ['apple_app_site_association', '{"apps":[]}', 'This must be an object with applinks, webcredentials,'],
    ['asset_links', '[{"relation"', 'This must be JSON, such as [{&quot;relation&quot;:'],
    ['asset_links', '</textarea><script>', 'This must be JSON, such as'],
    ['asset_links', ofBytes('asset_links', 128 * 1024 + 1), 'This must be at most 131072 bytes long.'],
  ])(
    'the app links on the page of a domain are refused beside the field %s in the open fold, and nothing that was typed is lost: %#',
    async (field, value, sentence) => {
      const { owner, browse, page, id } = await openDomain();
      await request(owner, `/v1/domains/${id}`, { method: 'PATCH', body: { root_url: 'https://example.com/root' } });
      const files = { apple_app_site_association: APPLE_TEXT, asset_links: ASSETS_TEXT, [field]: value };
      const refused = await browse(`${page}/app-links`, sent(files));
      const text = await refused.text();
      expect([refused.status, text]).toEqual([400, expect.stringContaining(`id="fault-${field}">${sentence}`)]);
      expect(text.match(/class="fault"/g)).toHaveLength(1);
      expect(isOpen(text)).toBe(true);
      for (const [name, typed] of Object.entries(files)) {
        expect(valueOf(text, name)).toBe(escaped(typed).replaceAll('>', '&gt;'));
      }
      // The other forms of the page show what is stored.
      expect(text).toContain('value="https://example.com/root"');
      expect(await filesOf(id)).toEqual({});
    },
  );

  it('the app links on the page of a domain with errors in both files show both', async () => {
    const { browse, page } = await openDomain();
    const text = await textOf(browse(`${page}/app-links`, sent({ apple_app_site_association: 'x', asset_links: 'y' })));
    for (const field of ['apple_app_site_association', 'asset_links']) expect(text).toContain(`id="fault-${field}">`);
  });

  it('the app links on the page of a domain can both be as large as a file may be', async () => {
    const { browse, page, id } = await openDomain();
    const files = {
      apple_app_site_association: ofBytes('apple_app_site_association', 128 * 1024),
      asset_links: ofBytes('asset_links', 128 * 1024),
    };
    expect(placeOf(await browse(`${page}/app-links`, sent(files)))).toEqual([303, page]);
    expect(await filesOf(id)).toEqual(files);
    expect((await browse(`${page}/app-links`, sent({ ...files, asset_links: 'x'.repeat(640 * 1024) }))).status).toBe(
      413,
    );
  });

  it('the app links on the page of a domain stay while other forms of the page are sent or refused', async () => {
    const { browse, page, id, host } = await openDomain();
    await browse(`${page}/app-links`, sent({ apple_app_site_association: APPLE_TEXT, asset_links: '' }));
    await browse(page, form({ root_url: 'https://example.com/', not_found_url: '' }));
    expect(await rowsOfHost(host)).toMatchObject([{ root_url: 'https://example.com/' }]);
    const refused = await textOf(browse(page, form({ root_url: 'x', not_found_url: '' })));
    expect(valueOf(refused, 'apple_app_site_association')).toBe(escaped(APPLE_TEXT));
    expect(await filesOf(id)).toEqual({ apple_app_site_association: APPLE_TEXT });
  });

  it('the app links on the page of a domain are seen by members, who cannot change them', async () => {
    const { owner, browse: browseAsOwner, id, host, page } = await openDomain();
    await browseAsOwner(`${page}/app-links`, sent({ apple_app_site_association: '', asset_links: ASSETS_TEXT }));
    const { browse } = await openDomain(await seedMember(owner), { id, host });
    const text = await textOf(browse(page));
    expect(text).toMatch(/<dt>Apple<\/dt><dd>None<\/dd>/);
    expect(text).toContain(`<a href="https://${host}/.well-known/assetlinks.json">`);
    expect(text).not.toContain('<textarea');
    const refused = await browse(`${page}/app-links`, sent({ asset_links: '' }));
    expect(refused.status).toBe(403);
    expect(await filesOf(id)).toEqual({ asset_links: ASSETS_TEXT });
  });

  it('the app links of another client’s domain are not found', async () => {
    const { id, host } = await openDomain();
    const { browse, page } = await openDomain(await seedCaller(), { id, host });
    expect((await browse(`${page}/app-links`, sent({ asset_links: ASSETS_TEXT }))).status).toBe(404);
    expect(await filesOf(id)).toEqual({});
  });

  it('the app links on the page of a domain lead a reload, or a sign-in in between, back to the domain', async () => {
    const { browse, page } = await openDomain();
    expect(placeOf(await browse(`${page}/app-links`))).toEqual([303, page]);
  });

  it('the app links on the page of a domain are in the audit log in words', async () => {
    const { owner, browse, page, host } = await openDomain();
    await browse(`${page}/app-links`, sent({ asset_links: ASSETS_TEXT }));
    const log = () => textOf(browse(`/platform/c/${owner.clientId}/audit`));
    expect(await log()).toMatch(new RegExp(`changed the app links of [^.]*${host}[^.]*\\.`));
    const body = { case_sensitive: true, asset_links: null };
    await request(owner, page.replace(/.*domains/, '/v1/domains'), { method: 'PATCH', body });
    expect(await log()).toMatch(
      new RegExp(`changed the slugs of [^.]*${host}[^.]* to case-sensitive, and its app links\\.`),
    );
  });
});
