import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { ROOT } from '../../scripts/support/project.ts';
import { isInShare } from '../../support/share.ts';
import { faultsOf, RULES_OF_COLOURS } from './axe.ts';
import { launchChromium } from './chromium.ts';
import { expectLayout } from './layout.ts';
import { smallFieldsOf } from './measured.ts';
import type { Account } from './seed.ts';
import { smallTargetsOf } from './targets.ts';

export type { Locator, Page } from 'playwright-core';

/** Windows of the run's one Chromium, and checks of their pages. */

export const ORIGIN = inject('serviceOrigin');

// A start of Chromium takes longer than many files, which share this process but no modules.
const shared = globalThis as { chromiumOfTests?: Promise<Browser> };
const browser = await (shared.chromiumOfTests ??= launchChromium(inject('chromiumPath')));

/**
 * The titles of all tabs at a path, as the browser has them: of some that a click opened with Control, Playwright does not
 * report the page.
 */
export async function titlesOf(path: string): Promise<string[]> {
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  await session.detach();
  return targetInfos.filter(({ url }) => url === `${ORIGIN}${path}`).map(({ title }) => title);
}

const SCREENSHOTS = join(ROOT, '.screenshots');

// A busy machine may take its time.
const STEP_MS = 60_000;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** One width between each two breaks of the style sheets, and the narrowest phone; every page is checked at more of them. */
const OTHERS = [1024, 720, 320];

/**
 * Opens a window with cookies of its own; paths are those of the service. The test fails if a page in it logs an error,
 * throws one, breaks its Content-Security-Policy, or asks another host for anything.
 *
 * @param scripts whether scripts run
 * @param userAgent what the browser says that it is
 * @param elsewhere the origin of another site that a page may lead to
 * @param app the URL of an app that a page may open
 * @param locale the language of the browser (BCP 47); by default its own
 */
export async function openWindow({
  scripts = true,
  userAgent = FIREFOX,
  elsewhere = '',
  app = '',
  locale = '',
} = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: ORIGIN,
    viewport: WIDE,
    javaScriptEnabled: scripts,
    reducedMotion: 'reduce',
    // An address of its own, so that no test uses up another's attempts.
    extraHTTPHeaders: { 'CF-Connecting-IP': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` },
    userAgent,
    ...(locale !== '' && { locale }),
  });
  context.setDefaultTimeout(STEP_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ORIGIN });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`));
  page.on('request', (request) => {
    const isElsewhere =
      (elsewhere !== '' && request.url().startsWith(`${elsewhere}/`)) || (app !== '' && request.url() === app);
    if (!isElsewhere && !request.url().startsWith(`${ORIGIN}/`)) problems.push(`asked elsewhere: ${request.url()}`);
  });
  page.on('console', (message) => {
    const isWarning = message.type() === 'error' || message.type() === 'warning';
    if (isWarning && !isPageStatus(message.text(), message.location().url)) problems.push(message.text());
  });
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('refused by the policy:', event.violatedDirective))`,
  );
  onTestFinished(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });
  return page;
}

// A page that is answered with 4xx is logged as a resource that could not be loaded, and a stream that redirects to the
// sign-in as one of another type. What a page asks for must be there.
function isPageStatus(text: string, url: string): boolean {
  const isOfService = url.startsWith(`${ORIGIN}/`) && !url.startsWith(`${ORIGIN}/assets/`);
  return /^(Failed to load resource|EventSource's response)/.test(text) && isOfService;
}

/** Opens a window to take pictures in, of some size and with so many pixels of the screen in one of CSS. */
export async function openPictureWindow(
  viewport: { readonly width: number; readonly height: number },
  deviceScaleFactor: number,
): Promise<Page> {
  const context = await browser.newContext({ baseURL: ORIGIN, viewport, deviceScaleFactor, reducedMotion: 'reduce' });
  context.setDefaultTimeout(STEP_MS);
  onTestFinished(() => context.close());
  return context.newPage();
}

/** What a user signs in with. */
export type SignIn = Pick<Account, 'userName' | 'password'>;

/** Signs in by one request, and opens no page. */
export async function signIn(page: Page, { userName, password }: SignIn): Promise<void> {
  const form = { name: userName, password, next: '/platform' };
  const answer = await page.request.post('/platform/sign-in', { form, headers: { Origin: ORIGIN }, maxRedirects: 0 });
  expect([answer.status(), answer.headers()['location']]).toEqual([303, '/platform']);
}

/** Clicks a link or a button that leads to another page, and waits until it is there, with a reload or without. */
export async function follow(link: Locator): Promise<void> {
  await leave(link.page(), () => link.click());
}

/** Does what leads to another page, and waits until it is there. */
export async function leave(page: Page, work: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent('framenavigated'), work()]);
  await page.waitForLoadState('load');
  await page.locator('main[aria-busy]').waitFor({ state: 'detached' });
}

/** Clicks a button that copies a text, checks that it says so to everyone, and gives the text. */
export async function copyBy(button: Locator): Promise<string> {
  const page = button.page();
  // Time stops, since two seconds later neither says so.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await button.click();
  const buttons = page.locator('[data-copy]');
  await buttons
    .filter({ hasText: /^Copied$/ })
    .or(buttons.filter({ has: page.locator('use[href$="#check"]') }))
    .waitFor();
  // What screen readers say of it.
  expect(await page.locator('[aria-live=polite]').textContent()).toBe('Copied');
  await page.clock.resume();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** A menu of the header, closed or open, by what it shows. */
export function menuOf(page: Page, text: string): Locator {
  return page.locator('summary', { hasText: text });
}

/**
 * Checks a page on a wide screen in light and dark, and on a phone: axe finds nothing, nothing is broken, on the phone
 * nothing is typed in less than 16 pixels, where iOS zooms, nor too small to be touched. Nothing is broken at other widths
 * either, which a share of the runs checks, as it checks the dark.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const isWhole = isInShare(name);
  for (const [look, colorScheme, viewport] of [
    ['light', 'light', WIDE],
    ['dark', 'dark', WIDE],
    ['phone', 'light', PHONE],
  ] as const) {
    // Dark, only colours differ, and those of every component are checked on the page of the kit.
    if (look === 'dark' && !isWhole) continue;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    await keepScreenshot(page, `${name}-${look}`);
    // Dark, only colours differ.
    const faults = await faultsOf(page, look === 'dark' ? RULES_OF_COLOURS : undefined);
    expect({ name, look, faults }).toEqual({ name, look, faults: [] });
    if (look !== 'dark') await expectLayout(page, { name, look });
    if (viewport !== PHONE) continue;
    expect({ name, small: await smallFieldsOf(page) }).toEqual({ name, small: [] });
    expect({ name, small: await smallTargetsOf(page) }).toEqual({ name, small: [] });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (isWhole) await fitsEverywhere(page, name, OTHERS);
  else await page.setViewportSize(WIDE);
}

/** Wide and narrow screens, and a wide one at twice its size. */
const WIDTHS = [1440, 1024, 768, 720, 705, 600, 390, 320];

/** Checks a page at every width, or at some: nothing is broken. */
export async function fitsEverywhere(page: Page, name: string, widths: readonly number[] = WIDTHS): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await expectLayout(page, { name, width });
    for (const colorScheme of process.env['SCREENSHOTS'] === 'all' ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await keepScreenshot(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}

/** The size of text that a user has chosen, in pixels; lengths and widths in `rem` follow it. */
const LARGE_TEXT = 20;
const TEXT = 16;

/** Checks a page whose user has chosen larger text, on a tablet and on a phone: nothing is broken. */
export async function fitsLargeText(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const setSize = (standard: number) => session.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
  await setSize(LARGE_TEXT);
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectLayout(page, { name, width, text: LARGE_TEXT });
  }
  await setSize(TEXT);
  await session.detach();
  await page.setViewportSize(WIDE);
}

/** Checks a page on a phone: nothing is too small to be touched. */
export async function fitsFingers(page: Page, name: string): Promise<void> {
  await page.setViewportSize(PHONE);
  expect({ name, small: await smallTargetsOf(page) }).toEqual({ name, small: [] });
  await page.setViewportSize(WIDE);
}

/** Checks a page in dark, where only colours differ, as a test of the style sheets shows: axe finds nothing. */
export async function fitsDark(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  expect({ name, faults: await faultsOf(page, RULES_OF_COLOURS) }).toEqual({ name, faults: [] });
  await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * Leaves a screenshot in .screenshots/ with `SCREENSHOTS=on`, for people. With `SCREENSHOTS=all` those of every width are
 * left too.
 */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true, animations: 'disabled' });
}

/** How far the parts of a page have moved since it was opened, in hundredths. Source: https://web.dev/articles/cls */
export function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((done) => {
    new PerformanceObserver((list) => done(Math.floor(list.getEntries().reduce((sum, { value }) => sum + value, 0) * 100)))
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => done(0), 200);
  })`);
}
