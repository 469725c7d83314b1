import { env } from 'cloudflare:workers';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { readLogo } from '../../../src/links/qr/logo.ts';
import { FRAMES, LEVELS, STYLES, TRANSPARENT, type QrOptions } from '../../../src/links/qr/options.ts';
import { drawQrPng, drawQrSvg } from '../../../src/links/qr/qr.ts';
import { readLetters } from '../../../src/links/qr/letters.ts';
import { pngLogo, rgbaOf, scanPng, scanPngOtherwise } from '../../support/qr.ts';
import { shareOf } from '../../support/share.ts';

/** Two centimetres at 300 dots an inch. */
const SIZE = 236;
const SHORT_URL = 'https://links.the-name-of-a-company.example/spring-sale-2026-newsletter-june';
const OPTIONS: QrOptions = {
  size: SIZE,
  margin: 4,
  level: 'H',
  colour: '#000000',
  background: '#ffffff',
  dots: 'square',
  corners: 'square',
  frame: 'none',
  text: '',
  marker: true,
  logo: false,
};
const GROUNDS = [
  ['#000000', '#ffffff'],
  ['#000000', TRANSPARENT],
  // The lightest code, and the darkest background.
  ['#666666', '#ffffff'],
  ['#666666', TRANSPARENT],
  ['#000000', '#999999'],
  ['#b00020', '#fff5cc'],
] as const;
const LETTERS = await readLetters(env.ASSETS, new URL('https://terse.test'));

const COMBINATIONS = STYLES.flatMap((dots) => STYLES.map((corners) => ({ dots, corners })));

/** What two readers read, and what each of them should. */
const readBoth = (png: Uint8Array) => [scanPng(png), scanPngOtherwise(png)];
const BOTH = [`${SHORT_URL}?via=qr`, `${SHORT_URL}?via=qr`];

describe('the styles of a QR code', () => {
  it.each(shareOf(COMBINATIONS))(
    'a QR code with a logo is read by two readers at two centimetres with $dots dots and $corners corners',
    async (style) => {
      const logo = await readLogo(pngLogo());
      for (const [colour, background] of GROUNDS) {
        for (const margin of [0, 2, 4]) {
          const options = { ...OPTIONS, ...style, colour, background, margin };
          const read = readBoth(await drawQrPng(SHORT_URL, options, { logo }));
          expect({ colour, background, margin, read }).toEqual({ colour, background, margin, read: BOTH });
        }
      }
    },
  );

  it.each(shareOf(COMBINATIONS))(
    'a QR code is read by two readers at every level with $dots dots and $corners corners',
    async (style) => {
      for (const level of LEVELS) {
        for (const [colour, background] of GROUNDS) {
          const read = readBoth(await drawQrPng(SHORT_URL, { ...OPTIONS, ...style, level, colour, background }));
          expect({ level, colour, background, read }).toEqual({ level, colour, background, read: BOTH });
        }
      }
    },
  );

  it.each(shareOf(COMBINATIONS.flatMap((style) => FRAMES.map((frame) => ({ ...style, frame })))))(
    'a QR code with a text and a logo is read by two readers at two centimetres with $dots dots, $corners corners and frame $frame',
    async (style) => {
      const logo = await readLogo(pngLogo());
      for (const [colour, background] of GROUNDS) {
        for (const [text, margin] of [
          ['SCAN ME', 2],
          ['SCAN ME', 4],
          ['Öffnungszeiten ansehen', 2],
        ] as const) {
          const options = { ...OPTIONS, ...style, colour, background, margin, text };
          const read = readBoth(await drawQrPng(SHORT_URL, options, { logo, letters: LETTERS }));
          expect({ colour, background, margin, text, read }).toEqual({ colour, background, margin, text, read: BOTH });
        }
      }
    },
  );

  it.each(shareOf(FRAMES.flatMap((frame) => ['', 'Scan me'].map((text) => ({ frame, text })))))(
    'a QR code is read by two readers at every level and in every style with frame $frame and the text "$text"',
    async (around) => {
      for (const level of LEVELS) {
        for (const style of COMBINATIONS) {
          const options = { ...OPTIONS, ...style, ...around, level, margin: 2 };
          const read = readBoth(await drawQrPng(SHORT_URL, options, { letters: LETTERS }));
          expect({ level, ...style, read }).toEqual({ level, ...style, read: BOTH });
        }
      }
    },
  );

  it.each([
    ...COMBINATIONS.map((style) => ({ ...style, frame: 'none' as const, margin: 0 })),
    ...STYLES.map((frame) => ({ dots: 'round' as const, corners: 'square' as const, frame, margin: 2 })),
  ])('a QR code is alike in both formats with $dots dots, $corners corners and frame $frame', async (style) => {
    // A pixel of the PNG is a twentieth of a module.
    const svg = await drawQrSvg(SHORT_URL, { ...OPTIONS, ...style });
    const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
    const { width, rgba } = rgbaOf(await drawQrPng(SHORT_URL, { ...OPTIONS, ...style, size: side * 20 }));
    expect(width).toBe(side * 20);
    const boxes = boxesIn(svg);
    for (let at = 0; at < 4000; at++) {
      const [x, y] = [(at * 37) % width, (at * 101) % width];
      const isDark = boxes.filter((box) => has(box, (x + 0.5) / 20, (y + 0.5) / 20)).length % 2 === 1;
      expect([x, y, rgba[4 * (y * width + x)]]).toEqual([x, y, isDark ? 0 : 255]);
    }
  });

  it('a QR code in square style is drawn as runs of modules alone', async () => {
    expect(await drawQrSvg(SHORT_URL, OPTIONS)).toMatch(
      /^<svg [^>]+ shape-rendering="crispEdges"><path fill="#ffffff" d="[^"]+"\/><path fill="#000000" d="(?:M\d+ \d+h\d+v1h-\d+z)+"\/><\/svg>\n$/,
    );
  });

  it('a transparent QR code has no background in either format, and one bit a pixel', async () => {
    const options = { ...OPTIONS, background: TRANSPARENT, colour: '#1d4f91' };
    expect((await drawQrSvg(SHORT_URL, options)).match(/fill="[^"]+"/g)).toEqual(['fill="#1d4f91"']);
    const { depth, channels, palette } = decode(await drawQrPng(SHORT_URL, options));
    expect({ depth, channels, palette }).toEqual({
      depth: 1,
      channels: 1,
      palette: [
        [255, 255, 255, 0],
        [29, 79, 145, 255],
      ],
    });
  });

  it('a transparent QR code keeps the opacity of its logo', async () => {
    const logo = await readLogo(pngLogo({ channels: 2 }));
    const png = decode(await drawQrPng(SHORT_URL, { ...OPTIONS, background: TRANSPARENT }, { logo }));
    const middle = 4 * ((SIZE / 2) * SIZE + SIZE / 2);
    expect(Array.from(png.data.subarray(middle, middle + 4))).toEqual([200, 200, 200, 30]);
    expect(png.data[3]).toBe(0);
  });

  it('a transparent QR code is compared with white', async () => {
    const light = drawQrPng(SHORT_URL, { ...OPTIONS, background: TRANSPARENT, colour: '#c0c0c0' });
    await expect(light).rejects.toMatchObject({ code: 'invalid_colour', message: expect.stringContaining('24%') });
  });
});

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius: number;
}

/** Reads the outlines of an SVG after its background. */
function boxesIn(svg: string): Box[] {
  const paths = [...svg.matchAll(/ d="([^"]+)"/g)].slice(1).map(([, path = '']) => path);
  return paths.flatMap((path) =>
    path.split(/(?=M)/).map((outline) => {
      const numbers = [...outline.matchAll(/-?[\d.]+/g)].map(Number);
      const [left = 0, top = 0, first = 0, second = 0] = numbers;
      if (!outline.includes('a')) return { x: left, y: top, width: first, height: second, radius: 0 };
      const isCircle = /^M[^a-z]+a/.test(outline);
      const radius = isCircle ? first : second;
      const width = isCircle ? 2 * radius : first + 2 * radius;
      return { x: left - radius, y: top, width, height: width, radius };
    }),
  );
}

/** True if a point is in a box. */
function has({ x, y, width, height, radius }: Box, atX: number, atY: number): boolean {
  if (atX < x || atX > x + width || atY < y || atY > y + height) return false;
  const across = Math.max(x + radius - atX, atX - (x + width - radius), 0);
  const down = Math.max(y + radius - atY, atY - (y + height - radius), 0);
  return Math.hypot(across, down) <= radius || across === 0 || down === 0;
}
