import { expect, it } from 'vitest';
import type { Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

/** Edges that a person sees at once: what ends in one line, stays on one line, and fills its row. */

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The boxes of all elements of a selector, rounded. */
const boxesOf = (page: Page, selector: string) =>
  page.evaluate<Box[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return Object.fromEntries(Object.entries({ left, right, top, bottom }).map(([edge, at]) => [edge, Math.round(at)]));
    })`,
  );

it('the cards of a page of settings end where the lines above them end', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  for (const at of [`/platform/c/${account.clientId}/settings`, '/platform/account', `${path}/${id}/details`])
    for (const width of [1600, 1350, 768]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(at);
      const [cards, lines] = [await boxesOf(page, '.section > .panel'), await boxesOf(page, '.section')];
      expect({ at, width, ends: new Set(cards.map(({ right }) => right)) }).toEqual({
        at,
        width,
        ends: new Set(lines.map(({ right }) => right)),
      });
    }
});
