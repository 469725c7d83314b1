import { expect, it } from 'vitest';
import { faultsOf, fitsEverywhere, layoutShiftOf, ORIGIN, type Page } from './support/browser.ts';
import { openFull, pagesFrom, patternOf, TEXTS } from './support/every-page.ts';
import { firstOfQuestion, focusedIn } from './support/focus.ts';
import { make, openLinks, seedClicks } from './support/links.ts';

it('every page that a member can reach has no fault, and fits every screen', async () => {
  const { page, start } = await openFull();
  const seen = new Map<string, URL>();
  const waiting = [start];
  for (const next of waiting) {
    const pattern = patternOf(next);
    if (seen.has(pattern)) continue;
    seen.set(pattern, next);
    const response = await page.request.get(next.href);
    expect([next.pathname, response.status()]).toEqual([next.pathname, 200]);
    // A download, or an image.
    if (!response.headers()['content-type']?.startsWith('text/html')) continue;
    await page.goto(next.href);
    expect([pattern, Math.floor((await layoutShiftOf(page)) * 100)]).toEqual([pattern, 0]);
    const name = pattern.replaceAll('/', ' ').replaceAll('*', '_').trim().replaceAll(' ', '-');
    expect({ pattern, faults: await faultsOf(page) }).toEqual({ pattern, faults: [] });
    const asked = await firstOfQuestion(page);
    if (asked !== null) expect({ pattern, focused: await focusedIn(page) }).toEqual({ pattern, focused: asked });
    await fitsEverywhere(page, `every-${name}`);
    waiting.push(...(await pagesFrom(page)));
  }
  expect([...seen.keys()].length).toBeGreaterThan(30);
});

/** How far what is on the page moves when it arrives up to a place, and the rest once that has been painted. */
function shiftOfPieces(page: Page, html: string, place: number): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const painted = async () => {
      for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
    };
    document.open();
    let shift = 0;
    new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (shift += value)))
      .observe({ type: 'layout-shift' });
    document.write(${JSON.stringify(html.slice(0, place))});
    // Nothing is painted before the style has arrived.
    while (getComputedStyle(document.body).margin !== '0px') await painted();
    await painted();
    document.write(${JSON.stringify(html.slice(place))});
    document.close();
    await painted();
    return Math.floor(shift * 100);
  })()`);
}

const PIECES = 20;

it.each([
  ['the chart', '/platform/c/CLIENT', '<figure class="chart">', '</figure>'],
  ['the header of a link', '/platform/c/CLIENT/links/ID', '<div class="page-header">', '</main>'],
])('%s does not move when it arrives in pieces', async (_what, path, begin, end) => {
  const { page, account } = await openLinks();
  const id = await make(account, TEXTS[2]);
  await seedClicks(account, [id]);
  const url = ORIGIN + path.replace('CLIENT', account.clientId).replace('ID', id);
  await page.goto(url);
  const html = await (await page.request.get(url)).text();
  const first = html.indexOf(begin);
  const length = html.indexOf(end, first) - first;
  const places = Array.from({ length: PIECES }, (_, piece) => first + Math.floor((length * piece) / PIECES));
  const shifts = [];
  for (const place of places) shifts.push(await shiftOfPieces(page, html, place));
  expect(shifts).toEqual(places.map(() => 0));
});
