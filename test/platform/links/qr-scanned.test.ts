import { describe, expect, it } from 'vitest';
import { LEVELS } from '../../../src/links/qr/options.ts';
import { MARGINS, SIZES } from '../../../src/platform/links/qr/qr-settings.ts';
import { openPagesOfLink } from '../../support/link-pages.ts';
import { openLinks, textOf } from '../../support/platform.ts';
import { scanPng } from '../../support/qr.ts';
import { fileOf, hrefOf, png, send } from '../../support/qr-pages.ts';
import { seedDomain, seedLink } from '../../support/seed.ts';
import { shareOf } from '../../support/share.ts';

const COLOURS = [
  ['#000000', '#ffffff'],
  // The lightest code, and the darkest background.
  ['#666666', '#ffffff'],
  ['#000000', '#999999'],
  ['#b00020', '#fff5cc'],
  ['#0000ff', '#ffff00'],
  ['#005000', '#ffe0f0'],
] as const;
const EDGES = [MARGINS[0]!, 1, 4, MARGINS.at(-1)!];

describe('the reading of a QR code', () => {
  it.each(shareOf(LEVELS))('a QR code is read at level %s with every quiet zone and in all colours', async (level) => {
    const { id, browse, path } = await openPagesOfLink();
    for (const margin of EDGES) {
      for (const [colour, background] of COLOURS) {
        const query = new URLSearchParams({ level, margin: String(margin), colour, background, size: '512' });
        const page = await browse(`${path}/qr?${String(query)}`);
        expect(page.status).toBe(200);
        const file = await browse(hrefOf(await page.text(), 'Download PNG'));
        const read = scanPng(await file.arrayBuffer());
        expect({ level, margin, colour, background, read }).toEqual({
          level,
          margin,
          colour,
          background,
          read: `https://terse.test/${id}?via=qr`,
        });
      }
    }
  });

  it('a QR code is read with a logo, with every quiet zone and in all colours', async () => {
    const { id, browse, path } = await openPagesOfLink();
    for (const margin of EDGES) {
      for (const [colour, background] of COLOURS) {
        const fields = { margin: String(margin), colour, background, size: '512', logo: png() };
        const page = await textOf(send(browse, path, fields));
        const read = scanPng(fileOf(page, 'image/png')!);
        expect({ margin, colour, background, read }).toEqual({
          margin,
          colour,
          background,
          read: `https://terse.test/${id}?via=qr`,
        });
      }
    }
  });

  it.each(shareOf(SIZES))(
    'a QR code of the longest short links is read in %i pixels, with and without a logo',
    async (size) => {
      const { caller, browse, path: links } = await openLinks();
      const host = await seedDomain(
        caller,
        `${'long-name.'.repeat(20)}${caller.clientId
          .slice(-4)
          .toLowerCase()
          .replace(/[^a-z0-9]/g, 'x')}.example`,
      );
      const link = await seedLink(caller, { custom_domain: host, slug: 'ほ'.repeat(64) });
      for (const margin of ['0', '10']) {
        const query = `level=H&margin=${margin}&size=${size}`;
        const file = await browse(`${links}/${link.id}/qr.png?${query}`);
        expect([margin, scanPng(await file.arrayBuffer())]).toEqual([margin, `${link.short_url}?via=qr`]);
        const page = await textOf(send(browse, `${links}/${link.id}`, { margin, size: String(size), logo: png() }));
        expect([margin, scanPng(fileOf(page, 'image/png')!)]).toEqual([margin, `${link.short_url}?via=qr`]);
      }
    },
  );
});
