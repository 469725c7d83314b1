import { expect, inject, it } from 'vitest';
import { isInShare } from '../support/share.ts';
import { ORIGIN, type Page } from './support/browser.ts';
import { openFull, pagesFrom, patternOf } from './support/every-page.ts';
import { differencesOf, snapshotOf } from './support/snapshot.ts';

/** Every page that takes the place of another one is as a reload shows it, whatever led to it. */

/** The links of a page that lead to another one: no dialog, as of a new link, no file, no fragment. */
const LINKS = `[...document.querySelectorAll('a[href^="/platform"]:not([data-confirms], [download], [target])')]
  .filter(({ pathname }) => pathname !== document.querySelector('header').dataset.create)`;
const FORMS = `[...document.querySelectorAll('form[method="get"]:not([data-confirms])')]`;
const TYPED = `:is(input:not([type="hidden"]), select, textarea)`;

/** Does something that leads to another page, and says whether that took the place of this one. */
async function lead(page: Page, work: string): Promise<boolean> {
  try {
    const event = await page.evaluate<string>(`new Promise((done) => {
      for (const name of ['navigatesuccess', 'navigateerror'])
        navigation.addEventListener(name, () => done(name), { once: true });
      ${work}
    })`);
    return event === 'navigatesuccess' && (await page.evaluate<boolean>('globalThis.isSameDocument === true'));
  } catch (error) {
    // The page has been loaded as a whole.
    if (String(error).includes('context was destroyed')) return false;
    throw error;
  }
}

async function open(page: Page, href: string): Promise<void> {
  // A page that is loaded as a whole may still be on its way, and interrupts the first attempts.
  const load = () => page.goto(href);
  const again = () => page.waitForLoadState('load').then(load);
  await load().catch(again).catch(again).catch(again);
  await page.evaluate('globalThis.isSameDocument = true');
}

interface Way {
  /** The name of the link, without ids. */
  readonly name: string;
  readonly work: string;
}

/** The parameters that an address has; a card or a period with its value, since each is shown in a way of its own. */
const parametersOf = ({ searchParams }: URL) =>
  [...searchParams]
    .map(([name, value]) => (name === 'card' || name === 'period' ? `${name}=${value}` : name))
    .join('&');

/** The ways that lead from a page elsewhere. */
async function waysFrom(page: Page, pattern: string): Promise<Way[]> {
  const links = await page.evaluate<{ href: string; isHeader: boolean }[]>(
    `${LINKS}.map((link) => ({ href: link.href, isHeader: link.closest('header') !== null }))`,
  );
  const ofLinks = links.map(({ href, isHeader }, index) => {
    const to = new URL(href);
    const from = isHeader ? 'header' : pattern;
    const work = `const link = ${LINKS}[${index}]; link.focus(); link.click();`;
    return { name: `${from} → ${patternOf(to)} ${parametersOf(to)}`, work };
  });
  const controls = await page.evaluate<{ form: number; control: number; name: string; options: number }[]>(
    `${FORMS}.flatMap((form, index) => [...form.querySelectorAll('${TYPED}')].map((control, place) => ({
      form: index, control: place, name: (form.getAttribute('action') ?? '') + ' ' + control.name, options: control.options?.length ?? 0 })))`,
  );
  const ofForms = controls.map(({ form, control, name }) => ({
    name: `${pattern} ${name.replaceAll(/\/c\/[^/ ]+|\/[^/ ]*[A-Z0-9][^/ ]{6,}/g, '')}`,
    work: `const form = ${FORMS}[${form}]; const control = form.querySelectorAll('${TYPED}')[${control}];
      control.closest('details')?.setAttribute('open', ''); control.focus();
      if (control.options) control.selectedIndex = control.options.length - 1;
      else if (control.type === 'checkbox' || control.type === 'radio') control.checked = !control.checked;
      else if (control.type === 'text' || control.type === 'search') control.value = 'a';
      if (control.options && form.matches('[data-live]')) control.dispatchEvent(new Event('change', { bubbles: true }));
      else form.requestSubmit();`,
  }));
  return [...ofLinks, ...ofForms];
}

it('a page that a link, a filter or the history leads to is as a reload shows it', async () => {
  const { page, start } = await openFull();
  const reloading = await page.context().newPage();
  const reloads = new Map<string, string[]>();
  const reload = async (href: string) => {
    const known = reloads.get(href);
    if (known) return known;
    await reloading.goto(href);
    const lines = await snapshotOf(reloading);
    reloads.set(href, lines);
    return lines;
  };
  const differences: object[] = [];
  const compare = async (way: string) => {
    const found = differencesOf(await snapshotOf(page), await reload(page.url()));
    if (found.length > 0) differences.push({ way, found });
  };
  const [patterns, ways, forth] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let compared = 0;
  const waiting = [start];
  for (const next of waiting) {
    const pattern = patternOf(next);
    if (patterns.has(pattern)) continue;
    patterns.add(pattern);
    const response = await page.request.get(next.href);
    if (!response.headers()['content-type']?.startsWith('text/html')) continue;
    await open(page, next.href);
    const here = page.url();
    // It leads to another one.
    if (here !== next.href) {
      waiting.push(new URL(here));
      continue;
    }
    waiting.push(...(await pagesFrom(page)));
    for (const { name, work } of await waysFrom(page, pattern)) {
      if (ways.has(name)) continue;
      ways.add(name);
      if (!isInShare(name)) continue;
      if (!(await lead(page, work)) || page.url() === here) {
        await page.waitForLoadState();
        await open(page, here);
        continue;
      }
      await compare(name);
      // Back leads to the dialog of a new link, over the present page.
      if (pattern.endsWith('/links/new')) {
        compared += 1;
        await open(page, here);
        continue;
      }
      const there = page.url();
      const isBack = await lead(page, 'history.back();');
      await compare(`${name}, and back`);
      compared += 1;
      expect([name, page.url()]).toEqual([name, here]);
      if (!isBack) {
        await open(page, here);
        continue;
      }
      // Forth is the same for all ways to a page.
      const target = patternOf(new URL(there));
      if (forth.has(target)) continue;
      if (await lead(page, 'history.forward();')) {
        forth.add(target);
        await compare(`${name}, back and forth`);
        expect([name, page.url()]).toEqual([name, there]);
        await lead(page, 'history.back();');
      } else await open(page, here);
    }
    expect(differences).toEqual([]);
  }
  // Of a share; all are more than a hundred, and parts differ.
  expect(compared).toBeGreaterThan(100 / inject('share').of / 2);
  expect(ways.size).toBeGreaterThan(100);
  expect(patterns.size).toBeGreaterThan(30);
  expect(start.origin).toBe(ORIGIN);
});
