import { decode, encode } from 'fast-png';
import jsQR from 'jsqr';
import decodeQr from 'qr/decode.js';
import { expect } from 'vitest';

/** QR codes, as scanners read them, and logos. */

/** Reads a PNG like a scanner, as it is: dark on light. */
export function scanPng(bytes: ArrayBuffer | Uint8Array): string | undefined {
  const { width, height, rgba } = rgbaOf(bytes);
  return jsQR(rgba, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

/** Reads a PNG as the decoder of another library does. */
export function scanPngOtherwise(bytes: ArrayBuffer | Uint8Array): string | null {
  const { width, height, rgba } = rgbaOf(bytes);
  try {
    return decodeQr({ width, height, data: rgba }, { timeLimit: 1000 });
  } catch {
    return null;
  }
}

/** Reads lines of half blocks like a scanner, which are drawn light on a dark ground. */
export function scanLines(lines: readonly string[]): string | undefined {
  const scale = 4;
  const width = (lines[0] ?? '').length;
  const modules = lines.flatMap((line) => [
    Array.from(line, (block) => block === '▀' || block === '█'),
    Array.from(line, (block) => block === '▄' || block === '█'),
  ]);
  const pixels = new Uint8ClampedArray(width * modules.length * scale * scale * 4).fill(255);
  for (let y = 0; y < modules.length * scale; y++) {
    for (let x = 0; x < width * scale; x++) {
      const isLight = modules[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? false;
      pixels.fill(isLight ? 255 : 0, 4 * (y * width * scale + x), 4 * (y * width * scale + x) + 3);
    }
  }
  return jsQR(pixels, width * scale, modules.length * scale, { inversionAttempts: 'dontInvert' })?.data;
}

/**
 * The pixels of a PNG that this service has drawn: in one bit, or in three or four bytes a pixel. What is transparent is
 * white.
 */
export function rgbaOf(bytes: ArrayBuffer | Uint8Array): {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray;
} {
  const { width, height, data, depth, channels, palette } = decode(bytes, { checkCrc: true });
  expect([
    [1, 1],
    [8, 3],
    [8, 4],
  ]).toContainEqual([depth, channels]);
  const colours = palette ?? [
    [0, 0, 0],
    [255, 255, 255],
  ];
  const bytesPerLine = Math.ceil(width / 8);
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const bit = () => (data[y * bytesPerLine + (x >> 3)]! >> (7 - (x & 7))) & 1;
    const [red = 0, green = 0, blue = 0, opacity = 255] =
      channels === 1 ? colours[bit()]! : data.subarray(channels * at, channels * at + channels);
    const shown = [red, green, blue].map((value) => (value * opacity) / 255 + 255 - opacity);
    rgba.set(shown, 4 * at);
  }
  return { width, height, rgba };
}

/** A logo of one colour in a file of a kind. */
export function pngLogo({
  side = 40,
  channels = 4,
  depth = 8,
  palette = false,
}: { side?: number; channels?: number; depth?: 8 | 16; palette?: boolean } = {}): Uint8Array<ArrayBuffer> {
  const length = side * side * (palette ? 1 : channels);
  const data = depth === 16 ? new Uint16Array(length) : new Uint8Array(length);
  const colour = [200, 30, 60, 255].slice(0, channels).map((value) => (depth === 16 ? value * 257 : value));
  for (let at = 0; at < length; at++) data[at] = palette ? 0 : colour[at % channels]!;
  const indexed = palette ? { channels: 1, palette: [[200, 30, 60]] } : { channels };
  return new Uint8Array(encode({ width: side, height: side, data, depth, ...indexed }));
}

export const SVG_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="#c81e3c"/></svg>';
