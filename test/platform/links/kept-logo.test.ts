import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { LEVELS } from '../../../src/links/qr/options.ts';
import { auditOf } from '../../support/domains.ts';
import { openPagesOfLink } from '../../support/link-pages.ts';
import { form, placeOf, textOf } from '../../support/platform.ts';
import { pngLogo, rgbaOf, scanPng, SVG_LOGO } from '../../support/qr.ts';
import { faultOf, hrefOf, png, send, svg } from '../../support/qr-pages.ts';
import { call } from '../../support/service.ts';

const clientOf = (path: string) => path.split('/')[3]!;
const rowsOf = async (path: string) =>
  (await env.DB.prepare('SELECT domain, type, file FROM logos WHERE client_id = ?').bind(clientOf(path)).all()).results;

describe('a logo that a workspace keeps', () => {
  it('a logo that a workspace keeps is in the code of each of its links at once, and in both files', async () => {
    const { id, browse, path } = await openPagesOfLink();
    const kept = await send(browse, path, { do: 'keep', logo: png(), colour: '#0000ff', size: '512' });
    expect(placeOf(kept)).toEqual([
      303,
      `${path}/qr?size=512&margin=4&level=H&colour=0000ff&background=ffffff&logo=true`,
    ]);
    expect(await rowsOf(path)).toEqual([
      { domain: '', type: 'image/png', file: Buffer.from(pngLogo()).toString('base64') },
    ]);
    const page = await textOf(browse(`${path}/qr`));
    expect(page).toContain(`src="${path}/qr.svg?size=1024&amp;margin=4&amp;level=H`);
    expect(page).not.toContain('base64');
    const file = await (await browse(hrefOf(page, 'Download PNG'))).arrayBuffer();
    expect(scanPng(file)).toBe(`https://terse.test/${id}?via=qr`);
    const { width, rgba } = rgbaOf(file);
    const middle = 4 * (Math.floor(width / 2) * width + Math.floor(width / 2));
    expect(Array.from(rgba.subarray(middle, middle + 3))).toEqual([200, 30, 60]);
    expect(await textOf(browse(hrefOf(page, 'Download SVG')))).toContain('href="data:image/png;base64,');
    const print = await textOf(browse(hrefOf(page, 'Print')));
    expect(print).toContain('logo=true');
  });

  it('a logo that a workspace keeps is shown in its settings, and removed there', async () => {
    const { browse, path } = await openPagesOfLink();
    const settings = `/platform/c/${clientOf(path)}/settings`;
    expect(await textOf(browse(settings))).toContain('No logo is kept. Keep one on the QR page of a link.');
    await send(browse, path, { do: 'keep', logo: png() });
    const page = await textOf(browse(settings));
    expect(page).toContain(`src="data:image/png;base64,${Buffer.from(pngLogo()).toString('base64')}"`);
    const question = hrefOf(page, 'Remove the logo');
    expect(await textOf(browse(question))).toContain('Remove the logo?');
    expect(placeOf(await browse(question, form({})))).toEqual([303, settings]);
    expect(await rowsOf(path)).toEqual([]);
  });

  it.each(LEVELS)(
    'a logo that a workspace keeps is not in a code that is asked for without it, at level %s',
    async (level) => {
      const { id, browse, path } = await openPagesOfLink();
      await send(browse, path, { do: 'keep', logo: png() });
      const page = await textOf(browse(`${path}/qr?has_logo=false&level=${level}`));
      expect(hrefOf(page, 'Download SVG')).toBe(
        `${path}/qr.svg?size=1024&margin=4&level=${level}&colour=000000&background=ffffff&download=true`,
      );
      expect(await textOf(browse(hrefOf(page, 'Download SVG')))).not.toContain('<image');
      const file = await (await browse(hrefOf(page, 'Download PNG'))).arrayBuffer();
      expect(scanPng(file)).toBe(`https://terse.test/${id}?via=qr`);
    },
  );

  it('a code with the logo that a workspace keeps has level H, also if another one is asked for', async () => {
    const { browse, path } = await openPagesOfLink();
    await send(browse, path, { do: 'keep', logo: png() });
    const page = await textOf(browse(`${path}/qr?has_logo=true&level=L`));
    expect(hrefOf(page, 'Download SVG')).toBe(
      `${path}/qr.svg?size=1024&margin=4&level=H&colour=000000&background=ffffff&logo=true&download=true`,
    );
    expect(await textOf(browse(hrefOf(page, 'Download SVG')))).toContain('<image');
  });

  it('a logo that a workspace keeps as an SVG is in SVG files alone', async () => {
    const { browse, path } = await openPagesOfLink();
    await send(browse, path, { do: 'keep', logo: svg() });
    const page = await textOf(browse(`${path}/qr`));
    expect(page).toContain('A code with an SVG logo has no PNG.');
    expect(await textOf(browse(`${path}/qr.svg?logo=true&level=H`))).toContain(btoa(SVG_LOGO));
    expect((await browse(`${path}/qr.png?logo=true&level=H`)).status).toBe(400);
  });

  it('a logo that a workspace keeps is replaced by another one, and removed', async () => {
    const { browse, path } = await openPagesOfLink();
    await send(browse, path, { do: 'keep', logo: png() });
    await send(browse, path, { do: 'keep', logo: svg() });
    expect(await rowsOf(path)).toEqual([{ domain: '', type: 'image/svg+xml', file: btoa(SVG_LOGO) }]);
    const question = hrefOf(await textOf(browse(`${path}/qr`)), 'Remove the logo');
    const asked = await textOf(browse(question));
    expect(asked).toContain('Remove the logo?');
    expect(asked).toContain('cannot be undone');
    expect(await rowsOf(path)).toHaveLength(1);
    expect(placeOf(await browse(question, form({})))).toEqual([303, `${path}/qr`]);
    expect(await rowsOf(path)).toEqual([]);
    const page = await textOf(browse(`${path}/qr`));
    expect(hrefOf(page, 'Download SVG')).not.toContain('logo');
    const refused = await browse(`${path}/qr?logo=true`);
    expect([refused.status, faultOf(await refused.text(), 'logo')]).toEqual([
      400,
      expect.stringContaining('No logo is kept.'),
    ]);
  });

  it('a logo that is refused is not kept, nor is one beside other settings that are', async () => {
    const { browse, path } = await openPagesOfLink();
    expect((await send(browse, path, { do: 'keep', logo: svg('hello') })).status).toBe(400);
    expect((await send(browse, path, { do: 'keep', logo: png(), colour: '#ffffff' })).status).toBe(400);
    expect(await rowsOf(path)).toEqual([]);
  });

  it('a logo that a workspace keeps is neither seen nor changed from another workspace', async () => {
    const [own, other] = [await openPagesOfLink(), await openPagesOfLink()];
    await send(own.browse, own.path, { do: 'keep', logo: png() });
    expect(await textOf(other.browse(`${other.path}/qr`))).not.toContain('logo=true');
    const mixed = `/platform/c/${clientOf(other.path)}/links/${own.id}`;
    for (const path of [own.path, mixed]) {
      expect((await send(other.browse, path, { do: 'keep', logo: svg() })).status).toBe(404);
      expect((await other.browse(`${path}/qr/remove-logo`)).status).toBe(404);
      expect((await other.browse(`${path}/qr/remove-logo`, form({}))).status).toBe(404);
    }
    expect(await rowsOf(own.path)).toHaveLength(1);
    expect(await rowsOf(other.path)).toEqual([]);
    expect(await auditOf(other.caller)).toEqual([]);
  });

  it('the audit log has an entry for a logo that is kept, changed and removed, and none for one that is not there', async () => {
    const { browse, path, caller } = await openPagesOfLink();
    await browse(`${path}/qr/remove-logo`, form({}));
    expect(await auditOf(caller)).toEqual([]);
    const entries = new Set<unknown>();
    for (const logo of ['kept', 'changed', 'removed']) {
      await (logo === 'removed'
        ? browse(`${path}/qr/remove-logo`, form({}))
        : send(browse, path, { do: 'keep', logo: logo === 'kept' ? png() : svg() }));
      entries.add(logo);
      const logged = await auditOf(caller);
      expect([logged.length, new Set(logged.map(({ details }) => details.logo))]).toEqual([entries.size, entries]);
    }
    expect(await auditOf(caller)).toContainEqual({
      action: 'client.changed',
      id: caller.clientId,
      name: null,
      details: { logo: 'removed' },
    });
    const log = await textOf(browse(`/platform/c/${caller.clientId}/audit`));
    for (const sentence of [
      'kept a logo for the QR codes of the workspace.',
      'changed the logo of the QR codes of the workspace.',
      'removed the logo of the QR codes of the workspace.',
    ])
      expect(log).toContain(sentence);
  });
});

describe('the API', () => {
  it('the API draws the logo that a client keeps only if asked for it, at level H', async () => {
    const { id, caller, browse, path } = await openPagesOfLink();
    const headers = { 'X-API-Key': caller.apiKey };
    const draw = (query: string) => call(`/v1/links/${id}/qr.${query}`, { headers });
    const missing = await draw('svg?logo=true&level=H');
    expect([missing.status, await missing.json()]).toEqual([
      400,
      { result: 'Failed', error: expect.stringMatching(/^invalid_logo: No logo is kept\./) },
    ]);
    const before = await (await draw('svg?level=H')).text();
    await send(browse, path, { do: 'keep', logo: png() });
    expect(await (await draw('svg?level=H')).text()).toBe(before);
    expect(await (await draw('svg?level=H&logo=true')).text()).toContain('<image ');
    expect(scanPng(await (await draw('png?level=H&logo=true')).arrayBuffer())).toBe(`https://terse.test/${id}?via=qr`);
    const low = await draw('png?logo=true');
    expect([low.status, await low.json()]).toEqual([
      400,
      { result: 'Failed', error: expect.stringMatching(/^invalid_level: .*Choose H\.$/) },
    ]);
    await send(browse, path, { do: 'keep', logo: svg() });
    const vector = await draw('png?level=H&logo=true');
    expect([vector.status, await vector.json()]).toEqual([
      400,
      { result: 'Failed', error: expect.stringMatching(/^invalid_logo: The logo that is kept is an SVG/) },
    ]);
  });
});
