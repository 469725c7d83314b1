import { expect, inject } from 'vitest';
import { partOfPages } from '../../support/part-of.ts';
import { isInShare } from '../../support/share.ts';
import { faultsOf } from './axe.ts';
import { fitsDark, fitsEverywhere, fitsFingers, fitsLargeText, layoutShiftOf, ORIGIN, type Page } from './browser.ts';
import { pagesFrom, patternOf } from './every-page.ts';
import { firstOfQuestion, focusedIn } from './focus.ts';

/** Opens the pages that others lead to, one of each kind, and checks each one and the dialogs that it opens. */

const PAGES = partOfPages(inject('share'));

/**
 * What a page is one of: its path, and a card or period that it shows. Each other parameter is one kind, whatever the page;
 * null for several parameters, which show nothing that one alone does not.
 */
function kindOf(url: URL): string | null {
  const [only, ...more] = [...url.searchParams];
  const pattern = patternOf(url);
  if (only === undefined) return pattern;
  const [name, value] = only;
  if (more.length > 0) return null;
  return name === 'card' ? `${pattern}?card=${value}` : `?${name}${name === 'period' ? `=${value}` : ''}`;
}

/**
 * Checks a page in light and at some widths, or only at the narrowest in a run with other pages. A share of the runs checks
 * it at every width or those that are given, with larger text and in dark.
 */
export async function checkPage(page: Page, name: string, widths?: readonly number[]): Promise<void> {
  if (!isInShare(name, PAGES)) return fitsEverywhere(page, name, [NARROWEST]);
  expect({ name, faults: await faultsOf(page) }).toEqual({ name, faults: [] });
  if (!isInShare(name)) return fitsEverywhere(page, name, SOME_WIDTHS);
  await fitsEverywhere(page, name, widths);
  await fitsLargeText(page, name);
  await fitsDark(page, name);
}

const NARROWEST = 320;

const nameOf = (kind: string) => `every-${kind.replaceAll(/[^\w-]+/g, '-')}`;

/** The widths of pages and dialogs whose components are checked at every width elsewhere. */
export const SOME_WIDTHS = [1440, 600, NARROWEST];

interface Crawl {
  /** The kinds of the pages match it, except those of the first ones. */
  readonly part?: RegExp;
  readonly widths?: readonly number[];
}

/**
 * Checks all pages that some lead to.
 *
 * @param starts their paths; each is checked, also where several are of one kind
 * @returns the kinds of the pages
 */
export async function crawl(
  page: Page,
  starts: readonly string[],
  { part = /^/, widths }: Crawl = {},
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const opened = new Set<string>();
  const waiting = starts.map((path) => ({ url: new URL(path, ORIGIN), isStart: true }));
  for (const { url, isStart } of waiting) {
    const kind = kindOf(url);
    if (kind === null || (!isStart && (seen.has(kind) || !part.test(kind)))) continue;
    seen.add(kind);
    const response = await page.request.get(url.href);
    expect([url.pathname, response.status()]).toEqual([url.pathname, 200]);
    // A download, or an image.
    if (!response.headers()['content-type']?.startsWith('text/html')) continue;
    await page.goto(url.href);
    expect([kind, await layoutShiftOf(page)]).toEqual([kind, 0]);
    const asked = await firstOfQuestion(page);
    if (asked !== null) expect({ kind, focused: await focusedIn(page) }).toEqual({ kind, focused: asked });
    await checkPage(page, nameOf(kind), widths);
    await fitsFingers(page, nameOf(kind));
    waiting.push(...(await pagesFrom(page)).map((next) => ({ url: next, isStart: false })));
    await checkDialogs(page, opened);
  }
  return seen;
}

/** Checks the dialogs that the links of a page open, each kind once. */
async function checkDialogs(page: Page, opened: Set<string>): Promise<void> {
  const links = page.locator('a[data-confirms]');
  for (const link of await links.all()) {
    const kind = patternOf(new URL((await link.getAttribute('href')) ?? '', page.url()));
    if (opened.has(kind)) continue;
    opened.add(kind);
    // Some are in menus that are closed.
    await link.dispatchEvent('click');
    await checkDialog(page, kind);
  }
}

/** Checks the dialog that opens, and closes it. */
export async function checkDialog(page: Page, kind: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  const name = `${nameOf(kind)}-dialog`;
  expect({ name, faults: await faultsOf(page) }).toEqual({ name, faults: [] });
  await fitsEverywhere(page, name, SOME_WIDTHS);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}
