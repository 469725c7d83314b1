import { encode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { readLogo } from '../../../src/links/qr/logo.ts';
import { SVG_LOGO } from '../../support/qr.ts';

const DAMAGED = 'The PNG is damaged. Save it again.';

describe('a PNG logo', () => {
  it('a PNG logo has one header, so that its size is what was checked', async () => {
    // A small picture by its first header, four million pixels by its second.
    const large = encode({ width: 2048, height: 2048, depth: 1, channels: 1, data: new Uint8Array(2048 * 256) });
    const small = encode({ width: 1024, height: 1024, depth: 1, channels: 1, data: new Uint8Array(1024 * 128) });
    const file = Buffer.concat([small.subarray(0, HEADER_END), large.subarray(SIGNATURE_END)]);
    expect(await complaintOf(file)).toBe(DAMAGED);
  });

  it.each([
    ['colours', 1, 2],
    ['a palette', 16, 3],
    ['opacity', 4, 6],
  ])('a PNG logo with %s has no depth of %i', async (_, depth, colourType) => {
    const file = encode({ width: 8, height: 8, depth: 8, channels: 4, data: new Uint8Array(8 * 8 * 4) });
    file.set([depth, colourType], DEPTH_AT);
    withSum(file);
    expect(await complaintOf(file)).toBe(DAMAGED);
  });

  it.each([1, 2, 4] as const)('a PNG logo of grey in %i bits is read in all its shades', async (depth) => {
    const most = 2 ** depth - 1;
    const data = new Uint8Array([most << (8 - depth)]);
    const { pixels } = await readLogo(
      new Uint8Array(encode({ width: 8 / depth, height: 1, depth, channels: 1, data })),
    );
    const rest = Array.from({ length: 8 / depth - 1 }, () => [0, 0, 0, 255]).flat();
    expect([...pixels!.rgba]).toEqual([255, 255, 255, 255, ...rest]);
  });
});

describe('an SVG logo', () => {
  it.each([
    ["url('#a')", `<g fill="url('#a')"/>`],
    ['url( #a )', '<g fill="url( #a )"/>'],
    ['space after =', '<use href= "#a"/>'],
    ['a picture in itself', '<image href= "data:image/png;base64,AA=="/>'],
  ])('an SVG logo can refer to itself by %s', async (_, markup) => {
    expect(await complaintOf(svgWith(markup))).toBeNull();
  });

  it.each([
    ['-', '<a-b:script>alert(1)</a-b:script>'],
    ['.', '<a.b:script>alert(1)</a.b:script>'],
    ['a letter of another alphabet', '<é:script>alert(1)</é:script>'],
  ])('an SVG logo has no script, whose prefix has %s', async (_, markup) => {
    expect(await complaintOf(svgWith(markup))).toContain('The SVG has a script');
  });

  it.each(['url("https://evil.example/#a")', "url( '//evil.example' )", 'url()'])(
    'an SVG logo has no %s',
    async (value) => {
      expect(await complaintOf(svgWith(`<style>g{fill:${value}}</style>`))).toContain('a reference to another file');
    },
  );

  it.each([
    ['width before height', 'width="10" height="10"', null],
    ['height before width', "height = '10' width = '10'", null],
    ['a width only', 'width="10"', 'The SVG has no viewBox. Save it with one.'],
  ])('an SVG logo with %s has a size or not', async (_, attributes, complaint) => {
    expect(await complaintOf(new TextEncoder().encode(`<svg ${attributes}></svg>`))).toBe(complaint);
  });

  it('an SVG logo has the size of its root, also after a comment with another size', async () => {
    const file = new TextEncoder().encode('<!-- <svg viewBox="0 0 1 1"> --><svg></svg>');
    expect(await complaintOf(file)).toBe('The SVG has no viewBox. Save it with one.');
  });
});

const SIGNATURE_END = 8;
const HEADER_END = 33;
const DEPTH_AT = 24;

const svgWith = (markup: string) => new TextEncoder().encode(SVG_LOGO.replace('<circle', `${markup}<circle`));

/** Returns the error of a file; null if it has none. */
const complaintOf = (file: Uint8Array): Promise<string | null> =>
  readLogo(new Uint8Array(file)).then(
    () => null,
    (error: Error) => error.message,
  );

/** Puts the checksum of the header where it is. */
function withSum(file: Uint8Array): void {
  let sum = 0xffffffff;
  for (const byte of file.subarray(12, 29)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  new DataView(file.buffer, file.byteOffset).setUint32(29, ~sum >>> 0);
}
