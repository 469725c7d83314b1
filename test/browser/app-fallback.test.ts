import { describe, expect, it } from 'vitest';
import { fitsDark, fitsEverywhere, fitsFingers, inspect, openWindow, type Page } from './support/browser.ts';
import { make } from './support/links.ts';
import { seedAccount } from './support/seed.ts';
import { startSite } from './support/site.ts';

/** Links to an app, with a page for visitors without it, in a browser. */

const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
const APP = 'tel:+15550100';
const PHONE = { width: 390, height: 844 };

const COMPUTER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

/** Opens a link to an app in a window whose clock may stand still, and which notes where its pages lead. */
async function openLink({ scripts = true, userAgent = ANDROID, isHidden = false, isStopped = true } = {}) {
  const { origin, arrived } = await startSite();
  const page = await openWindow({ scripts, userAgent, elsewhere: origin, app: APP });
  await page.setViewportSize(PHONE);
  await page.addInitScript(
    `globalThis.led = []; navigation.addEventListener('navigate', ({ destination }) => led.push(destination.url));`,
  );
  // The app covers the page as soon as it is opened.
  if (isHidden)
    await page.addInitScript(`navigation.addEventListener('navigate', () => {
      Object.defineProperty(document, 'hidden', { value: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });`);
  const id = await make(await seedAccount(), { url: APP, fallback: `${origin}/goal` });
  if (isStopped) {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 3_600_000);
  }
  // The browser may be on its way to the app before the page is loaded.
  await page.goto(`/${id}`, { waitUntil: 'commit' });
  await page.getByRole('link').last().waitFor();
  return { page, arrived, goal: `${origin}/goal` };
}

const ledTo = async (page: Page) => page.evaluate<string[]>('led');

describe('the page of a link to an app', () => {
  it('the page of a link to an app opens the app on a phone, and continues after 1.5 seconds', async () => {
    const { page, arrived, goal } = await openLink();
    await expect.poll(() => ledTo(page)).toEqual([APP]);
    await page.clock.runFor(1499);
    expect([await ledTo(page), arrived]).toEqual([[APP], []]);
    await page.clock.runFor(1);
    await page.waitForURL(goal);
    expect(arrived).toEqual(['GET /goal from nowhere']);
    // It has taken the place of the page in the history.
    expect(await page.evaluate('history.length')).toBe(2);
  });

  it('the page of a link to an app stays once the app has opened', async () => {
    const { page, arrived } = await openLink({ isHidden: true });
    await page.clock.runFor(60_000);
    expect([await ledTo(page), arrived]).toEqual([[APP], []]);
    expect(await page.getByRole('link').allInnerTexts()).toEqual(['Open the app', 'Continue in the browser']);
  });

  it('the page of a link to an app does nothing by itself on a computer', async () => {
    const { page, goal, arrived } = await openLink({ userAgent: COMPUTER });
    await page.clock.runFor(60_000);
    expect([await ledTo(page), arrived]).toEqual([[], []]);
    await page.getByRole('link', { name: 'Open the app' }).click();
    await expect.poll(() => ledTo(page)).toEqual([APP]);
    await page.getByRole('link', { name: 'Continue in the browser' }).click();
    await page.waitForURL(goal);
  });

  it('the page of a link to an app is readable at every width, in light and dark', async () => {
    const { page } = await openLink({ userAgent: COMPUTER, isStopped: false });
    await inspect(page, 'app-page');
    await fitsEverywhere(page, 'app-page');
    await fitsFingers(page, 'app-page');
    await fitsDark(page, 'app-page');
  });

  it('the page of a link to an app has two buttons with scripts off, on a phone too', async () => {
    const { page, goal, arrived } = await openLink({ scripts: false });
    const [app, fallback] = [
      page.getByRole('link', { name: 'Open the app' }),
      page.getByRole('link', { name: 'Continue' }),
    ];
    expect([await app.getAttribute('href'), await fallback.getAttribute('href')]).toEqual([APP, goal]);
    expect(arrived).toEqual([]);
    await fallback.click();
    await page.waitForURL(goal);
    expect(arrived).toEqual(['GET /goal from nowhere']);
  });
});
