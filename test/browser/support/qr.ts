import { decode } from 'fast-png';
import jsQR from 'jsqr';
import { expect } from 'vitest';
import type { Locator, Page } from './browser.ts';

/** The pictures of QR codes on a page. */

/** Waits until a picture is loaded: a page that takes the place of another one is shown without waiting for its pictures. */
export async function waitForPicture(image: Locator): Promise<void> {
  const isLoaded = (img: { complete: boolean; naturalWidth: number }) => img.complete && img.naturalWidth > 0;
  await expect.poll(() => image.evaluate(isLoaded)).toBe(true);
}

/** Reads a picture in a page, as it is painted, like a scanner. */
export async function scan(page: Page, selector: string): Promise<string | undefined> {
  await waitForPicture(page.locator(selector));
  const { width, height, data, channels } = decode(await page.locator(selector).screenshot());
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) rgba.set(data.subarray(channels * at, channels * at + 3), 4 * at);
  return jsQR(rgba, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

/** A parameter of the address. */
export const paramOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
