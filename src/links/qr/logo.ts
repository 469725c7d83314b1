import { fieldError } from '../../input/validation.ts';
import type { AppError } from '../../errors.ts';
import { readPng, type Pixels } from './logo-png.ts';
import { checkSvg } from './logo-svg.ts';

/** The picture in the middle of a code. */
export interface Logo {
  readonly type: 'image/png' | 'image/svg+xml';
  /** The file, of a PNG only what draws it. */
  readonly bytes: Uint8Array;
  /** Null for SVG. */
  readonly pixels: Pixels | null;
}

export const MAX_LOGO_BYTES = 64 * 1024;

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Reads a logo, whose kind its bytes decide. Throws `malformed_body`. */
export async function readLogo(bytes: Uint8Array<ArrayBuffer>): Promise<Logo> {
  if (bytes.length > MAX_LOGO_BYTES) throw invalidLogo('The file is larger than 64 KiB. Choose a smaller one.');
  if (SIGNATURE.every((byte, index) => bytes[index] === byte)) {
    const png = await readPng(bytes.subarray(SIGNATURE.length));
    if (typeof png === 'string') throw invalidLogo(png);
    return { type: 'image/png', bytes: new Uint8Array([...SIGNATURE, ...png.bytes]), pixels: png.pixels };
  }
  const complaint = checkSvg(bytes);
  if (complaint !== null) throw invalidLogo(complaint);
  return { type: 'image/svg+xml', bytes, pixels: null };
}

export const invalidLogo = (sentence: string): AppError => fieldError('malformed_body', 'logo', sentence);
