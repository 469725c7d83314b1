import { decode } from 'fast-png';
import jsQR from 'jsqr';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { env } from 'cloudflare:workers';
import { scanPng, scanPngOtherwise } from '../support/qr.ts';
import { openManager, type Manager } from '../support/manage.ts';
import { seedDomain, seedTenant } from '../support/seed.ts';
import { call } from '../support/service.ts';
import { countTrips } from '../support/trips.ts';

afterEach(() => vi.restoreAllMocks());

const open = async () => openManager(await seedTenant());
const fetchQr = ({ key }: Manager, id: string, rest: string) => call(`/v1/links/${id}/qr.${rest}`, { headers: key });

const longSlug = () => `${'x'.repeat(50)}-${crypto.randomUUID().slice(0, 8)}`;

/** A picture in shades of grey, a byte for each pixel. */
interface Picture {
  readonly width: number;
  readonly pixels: readonly number[];
}

function readPng(bytes: ArrayBuffer): Picture {
  const { width, height, data, depth, channels } = decode(bytes, { checkCrc: true });
  expect([height, depth, channels]).toEqual([width, 1, 1]);
  const bytesPerLine = Math.ceil(width / 8);
  const isWhite = (x: number, y: number) => ((data[y * bytesPerLine + (x >> 3)]! >> (7 - (x & 7))) & 1) === 1;
  const pixels = Array.from({ length: width * width }, (_, i) => (isWhite(i % width, Math.floor(i / width)) ? 255 : 0));
  return { width, pixels };
}

/** Paints the SVG, four pixels a module: a white ground, and bars upon it. */
function readSvg(svg: string): Picture & { readonly size: string; readonly modules: number } {
  const [, size = '', modules = ''] =
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="(\d+)" height="\1" viewBox="0 0 (\d+) \2"/.exec(svg) ?? [];
  const [width, scale] = [Number(modules) * 4, 4];
  const pixels = Array<number>(width * width).fill(255);
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let dy = 0; dy < scale; dy++) {
      const from = (Number(y) * scale + dy) * width + Number(x) * scale;
      pixels.fill(0, from, from + Number(length) * scale);
    }
  }
  return { width, pixels, size, modules: Number(modules) };
}

/** Reads a picture as a scanner does. */
function scan({ width, pixels }: Picture): string | undefined {
  const rgba = Uint8ClampedArray.from(pixels.flatMap((shade) => [shade, shade, shade, 255]));
  return jsQR(rgba, width, width)?.data;
}

/** The number of lines at the top that are white from side to side. */
const marginOf = ({ width, pixels }: Picture) => Math.floor(pixels.indexOf(0) / width);

describe('the QR code of a link', () => {
  it('the QR code of a link reads as its short_url, as PNG and as SVG', async () => {
    const manager = await open();
    const id = await manager.make({ slug: `s-${crypto.randomUUID().slice(0, 8)}` });
    const { short_url: shortUrl } = await manager.read(id);

    const png = await fetchQr(manager, id, 'png');
    expect(png.status).toBe(200);
    expect(Object.fromEntries(png.headers)).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
    const picture = readPng(await png.arrayBuffer());
    expect(picture.width).toBe(512);
    expect(scan(picture)).toBe(`${shortUrl}?via=qr`);

    const svg = await fetchQr(manager, id, 'svg');
    expect(svg.status).toBe(200);
    expect(Object.fromEntries(svg.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const drawing = readSvg(await svg.text());
    expect(drawing.size).toBe('512');
    expect(scan(drawing)).toBe(`${shortUrl}?via=qr`);
  });

  it.each(['L', 'M', 'Q', 'H'])(
    'the QR code of a link reads as its short_url at level %s, on a custom domain and in any script',
    async (level) => {
      const manager = await open();
      const host = await seedDomain(manager.tenant);
      const id = await manager.make({ custom_domain: host, slug: 'größe-ほ' });
      const { short_url: shortUrl } = await manager.read(id);
      expect(shortUrl).toBe(`https://${host}/${encodeURIComponent('größe-ほ')}`);
      const png = await fetchQr(manager, id, `png?level=${level}&size=600`);
      expect(scan(readPng(await png.arrayBuffer()))).toBe(`${shortUrl}?via=qr`);
      expect(scan(readSvg(await (await fetchQr(manager, id, `svg?level=${level}`)).text()))).toBe(`${shortUrl}?via=qr`);
    },
  );

  it('the QR code of a link has no marker with marker=false, in both formats', async () => {
    const manager = await open();
    const id = await manager.make();
    const { short_url: shortUrl } = await manager.read(id);
    for (const [marker, expected] of [
      ['false', shortUrl],
      ['true', `${shortUrl}?via=qr`],
    ]) {
      const png = await fetchQr(manager, id, `png?marker=${marker}`);
      expect(scan(readPng(await png.arrayBuffer()))).toBe(expected);
      expect(scan(readSvg(await (await fetchQr(manager, id, `svg?marker=${marker}`)).text()))).toBe(expected);
    }
    const refused = await fetchQr(manager, id, 'svg?marker=no');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { result: 'Failed', error: 'invalid_marker: marker must be true or false.' },
    ]);
  });

  it('the QR code of a link has round dots and corners, and no background, if asked for', async () => {
    const manager = await open();
    const id = await manager.make();
    const { short_url: shortUrl } = await manager.read(id);
    const query = 'dots=round&corners=round&background=transparent';
    const png = await (await fetchQr(manager, id, `png?${query}`)).arrayBuffer();
    expect([scanPng(png), scanPngOtherwise(png)]).toEqual([`${shortUrl}?via=qr`, `${shortUrl}?via=qr`]);
    const svg = await (await fetchQr(manager, id, `svg?${query}`)).text();
    expect(new Set(svg.match(/fill="[^"]+"/g))).toEqual(new Set(['fill="#000000"']));
    expect(svg).toContain('a0.5 0.5 0 1 1 0 1');
  });

  it('the QR code of a link has more modules the more may be damaged', async () => {
    const manager = await open();
    const id = await manager.make({ slug: longSlug() });
    const widths = [];
    // One after the other: requests that load the module of the encoders at once would share what only one may use.
    for (const level of ['L', 'M', 'Q', 'H']) {
      const svg = await fetchQr(manager, id, `svg?margin=0&level=${level}`);
      widths.push(readSvg(await svg.text()).modules);
    }
    expect(widths).toEqual([...new Set(widths)].sort((a, b) => a - b));
  });

  it('the QR code of a link is as large as asked for, and its margin as wide', async () => {
    const manager = await open();
    const id = await manager.make();
    for (const size of [64, 301, 2048]) {
      const picture = readPng(await (await fetchQr(manager, id, `png?size=${size}&margin=2`)).arrayBuffer());
      expect(picture.width).toBe(size);
    }
    const modules = readSvg(await (await fetchQr(manager, id, 'svg?margin=0')).text()).modules;
    for (const margin of [0, 4, 16]) {
      const width = modules + 2 * margin;
      const picture = readPng(
        await (await fetchQr(manager, id, `png?size=${width * 3}&margin=${margin}`)).arrayBuffer(),
      );
      expect(marginOf(picture)).toBe(margin * 3);
      const drawing = readSvg(await (await fetchQr(manager, id, `svg?margin=${margin}`)).text());
      expect([drawing.modules, marginOf(drawing)]).toEqual([width, margin * 4]);
    }
  });

  it.each([
    ['size=63', 'invalid_size: size must be a whole number from 64 to 2048.'],
    ['size=2049', 'invalid_size: size must be a whole number from 64 to 2048.'],
    ['size=1e3', 'invalid_size: size must be a whole number from 64 to 2048.'],
    ['size=-64', 'invalid_size: size must be a whole number from 64 to 2048.'],
    ['margin=17', 'invalid_margin: margin must be a whole number from 0 to 16.'],
    ['margin=x', 'invalid_margin: margin must be a whole number from 0 to 16.'],
    ['level=X', 'invalid_level: level must be L, M, Q or H.'],
    ['level=l', 'invalid_level: level must be L, M, Q or H.'],
    ['size=64&size=65', 'repeated_field: The parameter "size" is given more than once.'],
    ['ink=red', 'unknown_field: There is no field "ink" here. Leave it out.'],
    ['colour=red', 'invalid_colour: colour must be a colour as six hexadecimal digits, such as 1d4f91.'],
    [
      'background=%23fff',
      'invalid_background: background must be a colour as six hexadecimal digits, such as 1d4f91, or transparent.',
    ],
    ['colour=transparent', 'invalid_colour: colour must be a colour as six hexadecimal digits, such as 1d4f91.'],
    ['dots=circle', 'invalid_dots: dots must be square or round.'],
    ['frame=circle', 'invalid_frame: frame must be none, square or round.'],
    ['frame=round&margin=1', 'invalid_margin: Within a frame, the margin has to be 2 modules or more.'],
    [`text=${'x'.repeat(25)}`, 'too_long: text must be at most 24 characters long.'],
    ['text=a%0Ab', 'invalid_text: text must not contain control characters.'],
    ['text=%20%E2%80%8B', 'invalid_text: text must not be empty: leave it out.'],
    [
      'colour=c0c0c0',
      'invalid_colour: Scanners may confuse the code (#c0c0c0) with the background (#ffffff): the contrast is 24%, and has to be 60% or more. Choose a darker colour for the code or a lighter one for the background.',
    ],
    [
      'colour=ffffff&background=000000',
      'invalid_colour: The code (#ffffff) is lighter than the background (#000000), and many scanners read only a dark code on a light background. Swap the colours.',
    ],
  ])('the QR code of a link is refused with ?%s', async (query, error) => {
    const manager = await open();
    const id = await manager.make();
    for (const format of ['svg', 'png']) {
      const response = await fetchQr(manager, id, `${format}?${query}`);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ result: 'Failed', error });
    }
  });

  it('the QR code of a link has a frame and a text, and is higher than it is wide', async () => {
    const manager = await open();
    const id = await manager.make();
    const query = 'frame=round&text=Caf%C3%A9%20%26%20bar&size=512';
    const png = await (await fetchQr(manager, id, `png?${query}`)).arrayBuffer();
    const { width, height } = decode(png);
    expect([width, height > 512 && height < 640]).toEqual([512, true]);
    expect(scanPng(png)).toBe(`https://terse.test/${id}?via=qr`);
    const svg = await (await fetchQr(manager, id, `svg?${query}`)).text();
    expect(svg).toMatch(/^<svg [^>]+ width="512" height="5\d\d" viewBox="0 0 (\d+) \d+"/);
    // The letters are outlines, so that a printer needs no font.
    expect(svg).not.toContain('<text');
    expect(svg.match(/<path /g)).toHaveLength(4);
  });

  it('a text in letters without an outline is a text of the SVG, escaped, and no PNG is drawn', async () => {
    const manager = await open();
    const id = await manager.make();
    const query = `text=${encodeURIComponent('メニュー</text><script>&')}`;
    const svg = await (await fetchQr(manager, id, `svg?${query}`)).text();
    expect(svg).toMatch(/<text fill="#000000" [^>]+>メニュー&#60;\/text&#62;&#60;script&#62;&#38;<\/text><\/svg>\n$/);
    const png = await fetchQr(manager, id, `png?${query}`);
    expect([png.status, await png.json()]).toEqual([
      400,
      {
        result: 'Failed',
        error: 'invalid_text: A PNG cannot have these letters. Draw the code as SVG, or use Latin letters.',
      },
    ]);
  });

  it('the QR code of a link is refused as a PNG too small for its modules', async () => {
    const manager = await open();
    const id = await manager.make({ slug: longSlug() });
    const response = await fetchQr(manager, id, 'png?size=64&level=H&margin=16');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      result: 'Failed',
      error: expect.stringMatching(
        /^invalid_size: size must be at least \d+ for this link, with this margin and level\.$/,
      ),
    });
    expect((await fetchQr(manager, id, 'svg?size=64&level=H&margin=16')).status).toBe(200);
  });

  it('the QR code of a link is drawn for a disabled link, and not found for another client’s or an unknown one', async () => {
    const [manager, other] = [await open(), await open()];
    const id = await manager.make();
    await manager.ask('PATCH', `/v1/links/${id}`, { disabled: true });
    expect((await fetchQr(manager, id, 'svg')).status).toBe(200);
    for (const response of [
      await fetchQr(other, id, 'svg'),
      await fetchQr(other, id, 'png'),
      await fetchQr(manager, '66666666', 'png'),
    ]) {
      expect(response.status).toBe(404);
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(await response.json()).toEqual({
        result: 'Failed',
        error: 'not_found: There is no link with this id that you can access.',
      });
    }
  });

  it('the QR code of a link costs one trip, and no error is sent as an image', async () => {
    const manager = await open();
    const id = await manager.make();
    const trips = await countTrips();
    await fetchQr(manager, id, 'png');
    expect(trips()).toEqual({ d1: 1, kvReads: 0, kvWrites: 0 });
    vi.spyOn(env.DB, 'batch').mockRejectedValue(new Error('D1 is away'));
    expect((await fetchQr(manager, id, 'png')).status).toBe(503);
  });
});
