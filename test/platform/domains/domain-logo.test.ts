import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { auditOf, rowsOfHost, seedMember } from '../../support/domains.ts';
import { seedCaller } from '../../support/forms.ts';
import { form, openBrowser, placeOf, textOf, type Browse } from '../../support/platform.ts';
import { pngLogo, scanPng, SVG_LOGO } from '../../support/qr.ts';
import { faultOf, hrefOf, png, send, svg } from '../../support/qr-pages.ts';
import { seedDomain, seedLink } from '../../support/seed.ts';
import { call, ORIGIN } from '../../support/service.ts';

const PNG = Buffer.from(pngLogo()).toString('base64');
const SVG = btoa(SVG_LOGO);

const logosOf = async (clientId: string) =>
  (await env.DB.prepare('SELECT domain, file FROM logos WHERE client_id = ? ORDER BY domain').bind(clientId).all())
    .results;

function sendLogo(browse: Browse, path: string, logo: File): Promise<Response> {
  const body = new FormData();
  body.set('logo', logo);
  return browse(`${path}/logo`, { method: 'POST', body, headers: { Origin: ORIGIN } });
}

/** Opens the page of a domain, with a link on it and one on the service's own host. */
async function openDomain() {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const host = await seedDomain(caller);
  const [row] = await rowsOfHost(host);
  const workspace = `/platform/c/${caller.clientId}`;
  const [own, shared] = [await seedLink(caller, { custom_domain: host }), await seedLink(caller)];
  const draw = async (link: { id: string }, kind = 'svg') =>
    call(`/v1/links/${link.id}/qr.${kind}?level=H&logo=true`, { headers: { 'X-API-Key': caller.apiKey } });
  return { caller, browse, host, workspace, own, shared, draw, path: `${workspace}/domains/${String(row?.['id'])}` };
}

describe('a logo of a domain', () => {
  it('a logo of a domain is in the codes of its links alone, in place of that of the workspace, on pages and by API', async () => {
    const { caller, browse, host, workspace, own, shared, draw, path } = await openDomain();
    expect(placeOf(await sendLogo(browse, path, png()))).toEqual([303, path]);
    expect(await logosOf(caller.clientId)).toEqual([{ domain: host, file: PNG }]);
    expect(await textOf(browse(path))).toContain(`src="data:image/png;base64,${PNG}"`);
    expect((await draw(shared)).status).toBe(400);
    expect(scanPng(await (await draw(own, 'png')).arrayBuffer())).toBe(`${own.short_url}?via=qr`);

    await send(browse, `${workspace}/links/${shared.id}`, { do: 'keep', logo: svg() });
    for (const [link, file] of [
      [own, PNG],
      [shared, SVG],
    ] as const) {
      const tab = await textOf(browse(`${workspace}/links/${link.id}/qr`));
      const drawn = await textOf(browse(hrefOf(tab, 'Download SVG')));
      expect(drawn).toContain(`base64,${file}`);
      expect(await (await draw(link)).text()).toContain(`base64,${file}`);
    }
    const sheet = await textOf(browse(`${workspace}/links/codes?id=${own.id}&id=${shared.id}`));
    expect(sheet.split('qr.svg?logo=true')).toHaveLength(3);
    const tab = await textOf(browse(`${workspace}/links/${own.id}/qr`));
    expect(tab).toContain('a logo of its own');
    expect(tab).not.toContain('Remove the logo');
  });

  it('a logo of a domain alone is in its codes on a sheet, and in no others', async () => {
    const { browse, workspace, own, shared, path } = await openDomain();
    await sendLogo(browse, path, svg());
    const sheet = await textOf(browse(`${workspace}/links/codes?id=${own.id}&id=${shared.id}`));
    expect(sheet).toContain(`${own.id}/qr.svg?logo=true`);
    expect(sheet).not.toContain(`${shared.id}/qr.svg?logo=true`);
  });

  it('a logo of a domain is removed after a question, and each change is in the audit log', async () => {
    const { caller, browse, host, path } = await openDomain();
    await sendLogo(browse, path, png());
    await sendLogo(browse, path, svg());
    const question = hrefOf(await textOf(browse(path)), 'Remove the logo');
    expect(await textOf(browse(question))).toContain('Remove the logo?');
    expect(await logosOf(caller.clientId)).toEqual([{ domain: host, file: SVG }]);
    expect(placeOf(await browse(question, form({})))).toEqual([303, path]);
    expect(await logosOf(caller.clientId)).toEqual([]);
    await browse(question, form({}));
    const entries = (await auditOf(caller)).filter(({ action }) => action === 'domain.changed');
    expect(new Set(entries.map(({ details }) => details.logo))).toEqual(new Set(['kept', 'changed', 'removed']));
    expect(entries.map(({ name }) => name)).toEqual([host, host, host]);
    const log = (await textOf(browse(`/platform/c/${caller.clientId}/audit`))).replaceAll(/[\u2066-\u2069]/g, '');
    for (const sentence of [
      `kept a logo for the QR codes of ${host}.`,
      `changed the logo of the QR codes of ${host}.`,
      `removed the logo of the QR codes of ${host}.`,
    ])
      expect(log).toContain(sentence);
  });

  it.each([
    ['has a script', svg('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['is too large', svg('x'.repeat(64 * 1024 + 1))],
    ['is empty', svg('')],
  ])('a logo of a domain that %s is refused beside its field', async (_, logo) => {
    const { caller, browse, path } = await openDomain();
    const refused = await sendLogo(browse, path, logo);
    expect([refused.status, faultOf(await refused.text(), 'logo')]).toEqual([400, expect.stringMatching(/./)]);
    expect(await logosOf(caller.clientId)).toEqual([]);
  });

  it('a logo of a domain is deleted with the domain, and that of the workspace stays', async () => {
    const { caller, browse, workspace, shared, path } = await openDomain();
    await send(browse, `${workspace}/links/${shared.id}`, { do: 'keep', logo: svg() });
    await sendLogo(browse, path, png());
    await browse(`${path}/remove`, form({}));
    expect(await logosOf(caller.clientId)).toHaveLength(2);
    await browse(`${path}/remove`, form({ force: 'on' }));
    expect(await logosOf(caller.clientId)).toEqual([{ domain: '', file: SVG }]);
    expect((await sendLogo(browse, path, png())).status).toBe(404);
    expect(await logosOf(caller.clientId)).toHaveLength(1);
  });

  it('a logo of a domain is shown to members, whom the page lets change nothing', async () => {
    const { caller, browse, host, path } = await openDomain();
    await sendLogo(browse, path, png());
    const member = await openBrowser(await seedMember(caller));
    const page = await textOf(member.browse(path));
    expect(page).toContain(`base64,${PNG}"`);
    expect(page).not.toContain('type="file"');
    expect(page).not.toContain('Remove the logo');
    expect((await sendLogo(member.browse, path, svg())).status).toBe(403);
    expect((await member.browse(`${path}/logo/remove`, form({}))).status).toBe(403);
    expect(await logosOf(caller.clientId)).toEqual([{ domain: host, file: PNG }]);
  });

  it('a logo of a domain is neither seen nor changed from another workspace', async () => {
    const [own, other] = [await openDomain(), await openDomain()];
    await sendLogo(own.browse, own.path, png());
    const mixed = `${other.workspace}/domains/${own.path.split('/').at(-1)}`;
    for (const path of [own.path, mixed]) {
      expect((await sendLogo(other.browse, path, svg())).status).toBe(404);
      expect((await other.browse(`${path}/logo/remove`)).status).toBe(404);
      expect((await other.browse(`${path}/logo/remove`, form({}))).status).toBe(404);
    }
    expect((await other.draw(other.own)).status).toBe(400);
    expect(await logosOf(own.caller.clientId)).toEqual([{ domain: own.host, file: PNG }]);
    expect(await logosOf(other.caller.clientId)).toEqual([]);
    expect((await auditOf(other.caller)).filter(({ details }) => details?.logo)).toEqual([]);
  });
});
