import { describe, expect, it } from 'vitest';
import { openWindow, signIn, type Page } from './support/browser.ts';
import { seedShop } from './support/example-shop.ts';
import { make, openLinks, seedClicks } from './support/links.ts';
import { onDatabase, seedAccount, type Account } from './support/seed.ts';

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

const addDomain = ({ clientId }: Account) =>
  onDatabase((db) =>
    db.batch([
      {
        sql: `INSERT INTO domains (client_id, host, status) VALUES (?1, 'go.' || ?1 || '.example', 'active')`,
        params: [clientId],
      },
    ]),
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

describe('the list of links', () => {
  it('the list of links begins within 220 pixels on the narrowest phone, and within 260 below a line of views', async () => {
    const { page, account, path } = await openLinks();
    await addDomain(account);
    for (let i = 0; i < 3; i++) await make(account);
    await page.setViewportSize({ width: 320, height: 700 });
    for (const [query, most] of [
      ['', 220],
      ['?sort=clicks', 260],
    ] as const) {
      await page.goto(`${path}${query}`);
      const [row] = await boxesOf(page, '.link-row');
      expect({ query, begins: (row?.top ?? 999) <= most }).toEqual({ query, begins: true });
    }
    await page.getByRole('link', { name: 'Import or export' }).click();
    await page.waitForURL(/\/files$/);
  });

  it('the list of links gives a destination the room of the line of days where no day has visits', async () => {
    const { page, account, path } = await openLinks();
    const url = 'https://example.com/a/long/path/to/somewhere/that/is/cut';
    const ids = [await make(account, { title: 'Visited', url }), await make(account, { title: 'New', url })];
    seedClicks(account, ids.slice(0, 1));
    for (const width of [720, 768, 880]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      const [fades, counts] = [await boxesOf(page, '.link-row .fade'), await boxesOf(page, '.row-clicks')];
      const gaps = fades.map(({ right }, row) => (counts[row]?.left ?? 0) - right);
      expect({ width, gaps: gaps.map((gap) => gap <= 24) }).toEqual({ width, gaps: [true, false] });
    }
  });

  it.each(['en', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP'])(
    'the list of links has headings of one line: %s',
    async (locale) => {
      const account = await seedAccount();
      const page = await openWindow({ locale });
      await signIn(page, account);
      await make(account);
      await page.goto(`/platform/c/${account.clientId}/links`);
      for (const width of [1440, 1280, 1024]) {
        await page.setViewportSize({ width, height: 900 });
        const tall = await page.evaluate(
          `[...document.querySelectorAll('.cols > span')].filter((part) => part.offsetHeight > 24).map((part) => part.textContent)`,
        );
        expect({ width, tall }).toEqual({ width, tall: [] });
      }
    },
  );
});

it('the tabs of a link are one line on the narrowest phone', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${path}/${id}`);
  expect(new Set((await boxesOf(page, '.subnav a')).map(({ top }) => top)).size).toBe(1);
});

it('the words of a button are in its middle on two lines too', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`${path}/${id}/qr`);
  const sides = await page.evaluate<number[]>(`(() => {
    const button = [...document.querySelectorAll('a.button')].find(({ textContent }) => textContent === 'Download SVG');
    const range = document.createRange();
    range.selectNodeContents(button);
    const box = button.getBoundingClientRect();
    return [...range.getClientRects()].map(({ left, right }) => Math.abs(left - box.left - (box.right - right)));
  })()`);
  expect(sides).toHaveLength(2);
  expect(sides.filter((difference) => difference > 2)).toEqual([]);
});

it('a workspace without campaigns has one green button, as lists of settings have', async () => {
  const { page, account } = await openLinks();
  await page.goto(`/platform/c/${account.clientId}/campaigns`);
  expect(await page.locator('main .button.primary').allTextContents()).toEqual(['Create link']);
});

it('the cards of the front page fill each of their rows', async () => {
  const page = await openWindow();
  for (const width of [1350, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const [[all], cards] = [await boxesOf(page, '.trio'), await boxesOf(page, '.trio > article')];
    expect({ width, end: cards.at(-1)?.right }).toEqual({ width, end: all?.right });
  }
});

it('the rows of a card begin in one line, also that of a word that an owner has chosen', async () => {
  const page = await openWindow();
  const account = await seedShop();
  await signIn(page, account);
  await page.goto(`/platform/c/${account.clientId}`);
  const starts = await page.evaluate<number[]>(`(() => {
    const card = [...document.querySelectorAll('.card')].find((each) => each.querySelector('h2, h3').textContent === 'Came by');
    return [...card.querySelectorAll('.row bdi.cut')].map((name) => Math.round(name.getBoundingClientRect().left));
  })()`);
  expect([starts.length, new Set(starts).size]).toEqual([3, 1]);
});

it('the front page has the card and the code beside each other in the middle of a tablet', async () => {
  const page = await openWindow();
  for (const width of [720, 768, 900]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const edges = (await boxesOf(page, '.demo-card, .demo-qr')).flatMap(({ left, right }) => [left, right]);
    const [left = 0, cardEnd = 0, codeStart = 999, right = 0] = edges;
    expect({ width, gap: codeStart - cardEnd <= 24, middle: Math.abs(left - (width - right)) <= 64 }).toEqual({
      width,
      gap: true,
      middle: true,
    });
  }
});
