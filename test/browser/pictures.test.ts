import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../scripts/support/project.ts';
import { openPictureWindow, signIn, type Page } from './support/browser.ts';
import { seedShop } from './support/example-shop.ts';

/**
 * The pictures of the product on the front page. `npm run pictures` writes them to public/assets; without PICTURES they
 * are only taken.
 */

const MOST_BYTES = 60 * 1024;
/** As the page shows them: in CSS pixels, and how many of the screen's each has. */
const SIZES = [
  { size: 'wide', width: 1360, height: 694, scale: 1.34 },
  { size: 'phone', width: 390, height: 560, scale: 2 },
] as const;

it('the pictures of the front page are taken in light and dark, each of at most 60 KiB', async () => {
  const account = await seedShop();
  for (const { size, width, height, scale } of SIZES) {
    const page = await openPictureWindow({ width, height }, scale);
    await signIn(page, account);
    for (const [of, path] of [
      ['links', `/platform/c/${account.clientId}/links?sort=clicks`],
      ['overview', `/platform/c/${account.clientId}`],
    ] as const)
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(path);
        await page.evaluate('document.fonts.ready.then(() => true)');
        // The page that the picture advertises has all its numbers.
        for (const total of await page.locator('.totals dd > bdi').allInnerTexts()) expect(total).toMatch(/^[1-9]/);
        const picture = await pictureOf(page, { width, height, deviceScaleFactor: scale, mobile: false });
        expect([of, size, scheme, picture.length <= MOST_BYTES]).toEqual([of, size, scheme, true]);
        if (process.env['PICTURES'] === 'on')
          writeFileSync(join(ROOT, `public/assets/${of}-${size}-${scheme}.webp`), picture);
      }
  }
});

interface Screen {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor: number;
  readonly mobile: boolean;
}

/** What is seen of a page, as WebP: as good as the bytes allow. */
async function pictureOf(page: Page, screen: Screen): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  try {
    // A session of its own knows nothing of the window's pixels: pictures would have one for each of CSS.
    await session.send('Emulation.setDeviceMetricsOverride', screen);
    let picture = Buffer.alloc(0);
    for (const quality of [86, 78, 70, 60, 50, 40]) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
      picture = Buffer.from(data, 'base64');
      if (picture.length <= MOST_BYTES) break;
    }
    return picture;
  } finally {
    await session.detach();
  }
}
