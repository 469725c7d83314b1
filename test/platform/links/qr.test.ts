import { describe, expect, it } from 'vitest';
import { openPagesOfLink } from '../../support/link-pages.ts';
import { openLinks, placeOf, textOf } from '../../support/platform.ts';
import { pngLogo, rgbaOf, scanPng, SVG_LOGO } from '../../support/qr.ts';
import { faultOf, fileOf, hrefOf, png, send, svg } from '../../support/qr-pages.ts';
import { ORIGIN } from '../../support/service.ts';

describe('a logo', () => {
  it.each([
    ['with opacity', {}],
    ['without', { channels: 3 }],
    ['in grey', { channels: 1 }],
    ['in grey with opacity', { channels: 2 }],
    ['with a palette', { palette: true }],
    ['of 16 bits', { depth: 16 as const }],
    ['of the largest size', { side: 1024 }],
  ])('a logo in PNG %s is in the middle of both files', async (_, kind) => {
    const { id, browse, path } = await openPagesOfLink();
    const page = await textOf(send(browse, path, { size: '512', logo: png(pngLogo(kind)) }));
    const file = fileOf(page, 'image/png')!;
    expect(scanPng(file)).toBe(`https://terse.test/${id}?via=qr`);
    const { width, rgba } = rgbaOf(file);
    const middle = 4 * (Math.floor(width / 2) * width + Math.floor(width / 2));
    const isGrey = 'channels' in kind && kind.channels < 3;
    // In grey with opacity its second value is the opacity.
    const opacity = isGrey && kind.channels === 2 ? 30 / 255 : 1;
    const colour = isGrey ? [200, 200, 200] : [200, 30, 60];
    const painted = colour.map((value) => Math.round(value * opacity + 255 * (1 - opacity)));
    expect(rgba.slice(middle, middle + 3)).toEqual(new Uint8ClampedArray(painted));
    const drawn = Buffer.from(fileOf(page, 'image/svg+xml')!).toString();
    expect(drawn).toMatch(
      /<image x="[\d.]+" y="[\d.]+" width="\d+" height="\d+" href="data:image\/png;base64,[^"]+"\/><\/svg>\n$/,
    );
    expect(page).toContain(`download="qr-${id}.svg"`);
    expect(page).toContain(`download="qr-${id}.png"`);
  });

  it('a logo in SVG is in the SVG as an image, and the page says that there is no PNG', async () => {
    const { browse, path } = await openPagesOfLink();
    const page = await textOf(send(browse, path, { logo: svg() }));
    const drawn = Buffer.from(fileOf(page, 'image/svg+xml')!).toString();
    expect(drawn).toContain(`href="data:image/svg+xml;base64,${btoa(SVG_LOGO)}"/></svg>`);
    expect(drawn).not.toContain('<circle');
    expect(fileOf(page, 'image/png')).toBeNull();
    expect(page).toContain('A code with an SVG logo has no PNG.');
  });

  it('a logo in PNG and a text in letters without an outline have no PNG either', async () => {
    const { browse, path } = await openPagesOfLink();
    const page = await textOf(send(browse, path, { logo: png(), text: 'メニュー', frame: 'round' }));
    expect(Buffer.from(fileOf(page, 'image/svg+xml')!).toString()).toContain('>メニュー</text>');
    expect(fileOf(page, 'image/png')).toBeNull();
    expect(page).toContain('A PNG cannot have these letters.');
    expect(page).toContain('value="メニュー"');
  });

  it('a frame too near to the code is refused beside the quiet zone, in the language of the page', async () => {
    const { browse, path } = await openPagesOfLink();
    const query = 'frame=square&margin=1&text=Hallo';
    const response = await browse(`${path}/qr?${query}`, { headers: { 'Accept-Language': 'de' } });
    const page = await response.text();
    expect([response.status, faultOf(page, 'margin')]).toEqual([
      400,
      'Innerhalb eines Rahmens muss der Rand mindestens 2 Module breit sein.',
    ]);
    expect(page).toContain('value="Hallo"');
  });

  it.each([
    [{ colour: '#ffffff', background: '#000000' }, 'colour', 'Der Code (#ffffff) ist heller als'],
    [{ colour: '#c0c0c0' }, 'colour', 'Der Kontrast beträgt 24 % und muss mindestens 60 %'],
    [{ logo: new File([new Uint8Array(70_000)], 'logo.png') }, 'logo', 'Die Datei ist größer als 64 KiB.'],
    [{ logo: new File(['text'], 'logo.png') }, 'logo', 'Die Datei ist weder PNG noch SVG.'],
    [{ logo: png(pngLogo().slice(0, 60)) }, 'logo', 'Das PNG ist beschädigt.'],
    [{ logo: png(pngLogo({ side: 1025, channels: 1 })) }, 'logo', 'Das PNG hat 1025 × 1025 Pixel.'],
  ])('an error of a code is in the language of the page: %o', async (fields, name, sentence) => {
    const { browse, path } = await openPagesOfLink();
    const inGerman: typeof browse = (to, init) =>
      browse(to, { ...init, headers: { Origin: ORIGIN, 'Accept-Language': 'de' } });
    const page = await textOf(send(inGerman, path, { logo: png(), ...fields }));
    expect(faultOf(page, name).replaceAll('\u00a0', ' ')).toContain(sentence);
  });

  it('a logo is kept in the page while its settings are changed, and removed by a link', async () => {
    const { browse, path } = await openPagesOfLink();
    const first = await textOf(send(browse, path, { logo: png() }));
    const [, kept = ''] = /name="kept_logo" value="([^"]+)"/.exec(first) ?? [];
    const second = await textOf(send(browse, path, { kept_logo: kept, colour: '#0000ff', logo: new File([], '') }));
    expect(second).toContain('value="#0000ff"');
    expect(Buffer.from(fileOf(second, 'image/svg+xml')!).toString()).toContain('fill="#0000ff"');
    expect(hrefOf(second, 'Remove the logo')).toBe(
      `${path}/qr?size=512&margin=4&level=H&colour=0000ff&background=ffffff&logo=false`,
    );
  });

  it('a logo stays in the page if other settings are refused', async () => {
    const { browse, path } = await openPagesOfLink();
    const refused = await send(browse, path, { logo: png(), colour: '#ffffff' });
    const page = await refused.text();
    expect([refused.status, faultOf(page, 'colour')]).toEqual([400, expect.stringContaining('contrast is 0%')]);
    expect(page).toContain(`name="kept_logo" value="${Buffer.from(pngLogo()).toString('base64')}"`);
    expect(hrefOf(page, 'Remove the logo')).toBe(`${path}/qr`);
  });

  it('a logo of a PNG has nothing but what draws it', async () => {
    const { browse, path } = await openPagesOfLink();
    const clean = pngLogo();
    const text = withChunk(clean, 'tEXt', Buffer.from('Author\0ann'));
    const page = await textOf(send(browse, path, { logo: png(text) }));
    expect(page).toContain(`name="kept_logo" value="${Buffer.from(clean).toString('base64')}"`);
  });

  const PIXEL = pngLogo({ side: 1 });
  it.each<[string, () => File, string]>([
    ['no file', () => new File([], ''), 'neither a PNG nor an SVG'],
    ['text', () => svg('hello'), 'neither a PNG nor an SVG'],
    ['a JPEG', () => png(new Uint8Array([0xff, 0xd8, 0xff, 0xe0])), 'neither a PNG nor an SVG'],
    ['bad UTF-8', () => png(new Uint8Array([0x3c, 0x73, 0x76, 0x67, 0x20, 0xff])), 'neither a PNG nor an SVG'],
    ['more than 64 KiB', () => svg(SVG_LOGO.replace('</svg>', `${' '.repeat(65_536)}</svg>`)), 'larger than 64 KiB'],
    ['a damaged PNG', () => png(PIXEL.slice(0, -20)), 'damaged'],
    ['a PNG with a wrong sum', () => png(PIXEL.with(PIXEL.length - 20, PIXEL.at(-20)! ^ 1)), 'damaged'],
    ['too many pixels', () => png(pngLogo({ side: 1025, channels: 1 })), '1025 × 1025 pixels'],
    ['a PNG that inflates beyond its size', () => png(bomb()), 'damaged'],
    ['a script', () => svg(withIn('<script>alert(1)</script>')), 'has a script'],
    ['a script of another namespace', () => svg(withIn('<s:script>alert(1)</s:script>')), 'has a script'],
    ['an event handler', () => svg(withIn('<g onload="alert(1)"/>')), 'an event handler'],
    ['HTML', () => svg(withIn('<foreignObject/>')), 'content other than a drawing'],
    ['entities', () => svg(`<!DOCTYPE svg [<!ENTITY a "b">]>${SVG_LOGO}`), 'neither a PNG nor an SVG'],
    ['an entity further down', () => svg(withIn('<!DOCTYPE x>')), 'a DOCTYPE'],
    ['a reference', () => svg(withIn('<image href="https://evil.example/a.png"/>')), 'a reference to another file'],
    [
      'a reference without quotes',
      () => svg(withIn('<use xlink:href=//evil.example/>')),
      'a reference to another file',
    ],
    ['a style from elsewhere', () => svg(withIn('<style>@import "//evil.example"</style>')), 'a reference'],
    ['a fill from elsewhere', () => svg(withIn('<g fill="url(https://evil.example/#a)"/>')), 'a reference'],
    ['no size', () => svg('<svg xmlns="http://www.w3.org/2000/svg"></svg>'), 'has no viewBox'],
    ['no end', () => svg(SVG_LOGO.slice(0, -6)), 'not complete'],
  ])('a logo that is %s is refused beside its field', async (_, logo, complaint) => {
    const { browse, path } = await openPagesOfLink();
    const response = await send(browse, path, { logo: logo(), colour: '#0000ff' });
    const page = await response.text();
    expect([response.status, faultOf(page, 'logo')]).toEqual([400, expect.stringContaining(complaint)]);
    expect(page).toContain('value="#0000ff"');
  });

  it('a logo is refused at a level that does not restore what it covers', async () => {
    const { browse, path } = await openPagesOfLink();
    for (const level of ['L', 'M', 'Q']) {
      const response = await send(browse, path, { level, logo: png() });
      const page = await response.text();
      expect([response.status, fileOf(page, 'image/svg+xml')]).toEqual([400, null]);
      expect(page).toContain('A logo covers a part of the code, which only error correction H restores. Choose H.');
    }
  });
});

describe('the tab of the QR code', () => {
  it.each([
    ['colour=c0c0c0', 'colour', 'the contrast is 24%'],
    ['colour=ffffff&background=000000', 'colour', 'Swap the colours.'],
    ['colour=red', 'colour', 'six hexadecimal digits'],
    ['margin=17', 'margin', 'from 0 to 16'],
  ])('the tab of the QR code refuses ?%s and says what to do', async (query, name, complaint) => {
    const { browse, path } = await openPagesOfLink();
    const response = await browse(`${path}/qr?${query}`);
    const page = await response.text();
    expect([response.status, faultOf(page, name)]).toEqual([400, expect.stringContaining(complaint)]);
    expect(page).toContain('No code with these settings');
    expect(page).not.toContain('<img src="/platform');
  });

  it('the tab of the QR code takes and keeps no logo for a link of another workspace or a deleted one', async () => {
    const [own, other] = [await openPagesOfLink(), await openLinks()];
    expect((await send(other.browse, own.path, { logo: png() })).status).toBe(404);
    expect((await send(other.browse, `${other.path}/${own.id}`, { logo: png() })).status).toBe(404);
    await own.browse(`${own.path}/delete`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { Origin: ORIGIN },
    });
    expect(placeOf(await send(own.browse, own.path, { logo: png() }))).toEqual([303, own.path]);
  });
});

const withIn = (markup: string) => SVG_LOGO.replace('<circle', `${markup}<circle`);

/** A PNG with one more chunk after the first one. */
function withChunk(file: Uint8Array<ArrayBuffer>, name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new DataView(new ArrayBuffer(4));
  head.setUint32(0, data.length);
  const chunk = Buffer.concat([new Uint8Array(head.buffer), Buffer.from(name), data, Buffer.alloc(4)]);
  return new Uint8Array(Buffer.concat([file.subarray(0, 33), chunk, file.subarray(33)]));
}

/** A PNG of one pixel by its header, with the data of a million. */
function bomb(): Uint8Array<ArrayBuffer> {
  const large = pngLogo({ side: 1024 });
  const small = pngLogo({ side: 1 });
  return new Uint8Array(Buffer.concat([small.subarray(0, 33), large.subarray(33)]));
}
