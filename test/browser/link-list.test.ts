import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { copyBy, follow, inspect, ORIGIN, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';
import { onDatabase } from './support/seed.ts';
import { overhangOf } from './support/measured.ts';

const TEXTS = [
  { url: 'https://www.münchen.example/straße/zum/rathaus?quelle=brief', title: 'Rathaus', campaign_name: 'Frühling' },
  {
    url: `https://example.com/${'a-rather-long-path/'.repeat(20)}`,
    title: 't'.repeat(200),
    campaign_name: 'קמפיין ארוך מאוד של האביב בשנת אלפיים עשרים ושש ועוד הרבה מילים',
  },
  { url: 'https://example.com/page' },
];

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The boxes of the parts of each row, by the end of their class. */
function rowsOf(page: Page): Promise<readonly Readonly<Record<'row' | 'name' | 'target' | 'copy', Box>>[]> {
  return page.evaluate(`[...document.querySelectorAll('.link-row')].map((row) => {
    const boxOf = ({ x, y, width, height }) => ({ x, y, width, height });
    const part = (name) => boxOf(row.querySelector(name).getBoundingClientRect());
    return { row: boxOf(row.getBoundingClientRect()), name: part('.row-title'), target: part('.row-sub'), copy: part('.tape') };
  })`);
}

/** Counts the requests of a page, the bytes of its HTML when compressed, and those of its styles as they are. */
async function weigh(page: Page, path: string): Promise<{ requests: number; html: number; styles: number }> {
  const urls: string[] = [];
  const note = (request: { url(): string }) => void urls.push(request.url());
  page.on('request', note);
  await page.goto(path, { waitUntil: 'networkidle' });
  page.off('request', note);
  const html = await page.content();
  const sheets = await Promise.all(
    urls.filter((url) => url.endsWith('.css')).map(async (url) => (await (await fetch(url)).arrayBuffer()).byteLength),
  );
  return { requests: urls.length, html: gzipSync(html).length, styles: sheets.reduce((sum, size) => sum + size, 0) };
}

describe('the list of links', () => {
  it('the list of links has a link column that can be read at every width, and cards of two lines on a phone', async () => {
    const { page, account, path } = await openLinks();
    const slug = `s${'o'.repeat(50)}-${account.clientId.slice(-8)}`;
    await make(account, { ...TEXTS[0], slug });
    for (let i = 0; i < 8; i++) await make(account, TEXTS[i % TEXTS.length]);
    await page.goto(path);
    // 720 pixels are a window of 1440 at a zoom of 200 percent.
    for (const width of [1440, 1024, 820, 720, 705, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const rows = await rowsOf(page);
      expect(rows).toHaveLength(9);
      for (const { row, name, target, copy } of rows) {
        const column = Math.max(copy.width, target.width);
        expect({ width, ok: column >= (width === 390 ? 180 : 15 * 16) }).toEqual({ width, ok: true });
        // Each text is one line, cut at its end.
        expect({ width, name: name.height <= 32, target: target.height <= 32 }).toEqual({
          width,
          name: true,
          target: true,
        });
        expect({ width, inside: name.x >= row.x && target.x + target.width <= row.x + row.width + 1 }).toEqual({
          width,
          inside: true,
        });
      }
      expect({ width, heights: [...new Set(rows.map(({ row }) => row.height))] }).toEqual({
        width,
        heights: [width > 960 ? 68 : 72],
      });
      expect({ width, first: (rows[0]?.row.y ?? 999) <= 220 }).toEqual({ width, first: true });
      expect({ width, overhang: await overhangOf(page) }).toEqual({ width, overhang: 0 });
    }
    await inspect(page, 'link-list');
  });

  it('the list of links keeps link and title together beside many tags, and its rows low', async () => {
    const { page, account, path } = await openLinks();
    const tags = ['a first tag with a long name', 'second', 'third of them', 'fourth', 'fifth'];
    for (let count = 0; count <= tags.length; count++) {
      const fields = { title: `With ${count} tags`, campaign_name: 'A campaign of spring', tags: tags.slice(0, count) };
      await make(account, { ...TEXTS[2], ...(count > 0 && fields) });
    }
    await page.goto(path);
    for (const width of [1440, 1280, 1024, 820, 720, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      for (const { row, name, target } of await rowsOf(page)) {
        expect({ width, high: row.height, torn: target.y - name.y - name.height > 8 }).toEqual({
          width,
          high: width > 960 ? 68 : 72,
          torn: false,
        });
      }
      const seen = await page.locator('.link-row').first().locator('.filed li:visible').allTextContents();
      // What has no room is counted.
      if (width >= 1280) expect({ width, seen }).toEqual({ width, seen: ['A campaign of spring', tags[0], '+4 more'] });
      expect({ width, overhang: await overhangOf(page) }).toEqual({ width, overhang: 0 });
    }
    await inspect(page, 'link-list-tags');
  });

  it('the list of links has no hole in an address that is cut', async () => {
    const { page, account, path } = await openLinks();
    const host = `go.acme-${account.clientId.slice(-8)}.example`;
    await onDatabase((db) =>
      db.batch([
        {
          sql: `INSERT INTO domains (client_id, host, status) VALUES (?1, ?2, 'active')`,
          params: [account.clientId, host],
        },
      ]),
    );
    await make(account, { custom_domain: host });
    await page.goto(path);
    for (const width of [1440, 390, 360, 320]) {
      await page.setViewportSize({ width, height: 844 });
      const [end, start] = await page.evaluate<[number, number]>(`(() => {
        const range = document.createRange();
        return [...document.querySelectorAll('.tape-text > *')].map((part, index) => {
          const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
          range.selectNodeContents(texts.nextNode());
          const { left, right } = range.getBoundingClientRect();
          return index === 0 ? right : left;
        });
      })()`);
      expect({ width, hole: Math.abs(start - end) <= 1 }).toEqual({ width, hole: true });
    }
  });

  it('the list of links has the lock of a password before a short link that is cut, and not over it', async () => {
    const { page, account, path } = await openLinks();
    await make(account, { title: 'Locked', password: 'open sesame' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(path);
    const overlap = await page.evaluate<number>(`(() => {
      const [icon, host] = ['.tape > .icon', '.tape-host'].map((part) => document.querySelector(part).getBoundingClientRect());
      return icon.right - host.left;
    })()`);
    expect(overlap).toBeLessThanOrEqual(0.5);
  });

  it('the list of links is small, and asks for few files', async () => {
    const { page, account, path } = await openLinks();
    for (let i = 0; i < 50; i++) await make(account, { ...TEXTS[2], url: `https://example.com/${i * 7919}/item` });
    const { requests, html, styles } = await weigh(page, path);
    expect(requests).toBeLessThanOrEqual(8);
    expect(html).toBeLessThanOrEqual(25_000);
    expect(styles).toBeLessThanOrEqual(48 * 1024);
    expect((await rowsOf(page)).length).toBe(50);
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = (await rowsOf(page)).map(({ row }) => row.height);
    expect(heights.reduce((sum, height) => sum + height)).toBe(50 * 72);
  });

  describe.each([
    ['with scripts', true],
    ['with scripts off', false],
  ])('%s', (_, scripts) => {
    it('the list of links begins with a field for the first link, which takes what is refused to the whole form', async () => {
      const { page, path } = await openLinks(scripts);
      await page.goto(path);
      const field = page.getByLabel('Where should it lead?');
      await field.fill('nowhere');
      await field.press('Enter');
      await page.locator('#fault-url').waitFor();
      expect(await field.inputValue()).toBe('nowhere');
      await page.goto(path);
      await field.fill('https://example.com/quick');
      await follow(page.getByRole('button', { name: 'Shorten it' }));
      expect(await page.getByRole('status').first().textContent()).toContain('at the top of the list');
      expect(await page.locator('.link-row').first().textContent()).toContain('example.com/quick');
    });

    it('the list of links sets the campaign of selected links, in a bar that stays in sight, and undoes it', async () => {
      const { page, account, path } = await openLinks(scripts);
      for (let i = 0; i < 25; i++) await make(account, { campaign_name: i % 2 ? 'Spring' : 'Fall' });
      await page.goto(path);
      const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ });
      await boxes.nth(0).check();
      await boxes.nth(1).check();
      const button = page.getByRole('button', { name: 'Set campaign' });
      const { y, height } = (await button.boundingBox()) ?? { y: 0, height: 0 };
      expect(y + height).toBeLessThanOrEqual(800);
      if (scripts) await page.getByText('Selected links (2)').waitFor();
      await button.click();
      const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
      await question.getByLabel('Campaign').fill('Summer');
      await follow(question.getByRole('button', { name: 'Set campaign of 2 links' }));
      const chips = async () => (await page.locator('.filed').allTextContents()).slice(0, 3);
      expect(await chips()).toEqual(['Summer', 'Summer', 'Fall']);
      await follow(page.getByRole('button', { name: 'Undo' }));
      expect((await chips()).toSorted()).toEqual(['Fall', 'Fall', 'Spring']);
      await follow(page.locator('.filed a', { hasText: 'Spring' }).first());
      expect(new URL(page.url()).search).toBe('?campaign_name=Spring');
      expect(await page.locator('.count').textContent()).toBe('12 links');
      await follow(page.getByRole('link', { name: /Remove the filter/ }));
      expect(await page.locator('.count').textContent()).toBe('25 links');
    });
  });

  it('the list of links has its views and filters on one line, and the first link below it near the top', async () => {
    const { page, account, path } = await openLinks();
    for (let i = 0; i < 3; i++) await make(account, { title: `Spring ${i}`, tags: ['print'] });
    for (const [width, top] of [
      [1350, 220],
      [1024, 220],
      [720, 220],
      [390, 260],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      for (const query of ['q=spring', 'tag=print', 'sort=clicks']) {
        await page.goto(`${path}?${query}`);
        const first = (await rowsOf(page))[0]?.row.y ?? 999;
        expect({ width, query, first: first <= top }).toEqual({ width, query, first: true });
      }
    }
    // The words of a tab are in its middle, also where it is as high as a finger.
    const middles = await page.evaluate<number>(`(() => {
      const tab = document.querySelector('.views .tabs a');
      const words = document.createRange();
      words.selectNodeContents(tab);
      const middleOf = ({ y, height }) => y + height / 2;
      return middleOf(tab.getBoundingClientRect()) - middleOf(words.getBoundingClientRect());
    })()`);
    expect(Math.abs(middles)).toBeLessThan(1);
  });

  it('the list of links has a menu in each row that copies the short link, and leads to what else can be done', async () => {
    const { page, account, path } = await openLinks();
    const id = await make(account, { title: 'Spring' });
    await page.goto(path);
    const menu = page.locator('.row-menu');
    await menu.locator('summary').click();
    expect(await menu.locator('li').allTextContents()).toEqual([
      'Copy',
      'Edit',
      'QR code',
      'Duplicate',
      'Tag',
      'Share statistics',
      'Disable',
      'Delete',
    ]);
    expect(await copyBy(menu.getByRole('button', { name: 'Copy' }))).toBe(`${ORIGIN}/${id}`);
  });

  it('the list of links selects a range with Shift, and takes it back', async () => {
    const { page, account, path } = await openLinks();
    for (let i = 0; i < 6; i++) await make(account);
    await page.goto(path);
    const boxes = page.locator('.link-row .pick input');
    const checked = () =>
      boxes.evaluateAll((all) => all.map((box) => Number((box as unknown as { checked: boolean }).checked)));
    await boxes.nth(1).click();
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    expect(await checked()).toEqual([0, 1, 1, 1, 1, 0]);
    await page.getByText('Selected links (4)').waitFor();
    await boxes.nth(3).click({ modifiers: ['Shift'] });
    expect(await checked()).toEqual([0, 0, 0, 0, 1, 0]);
    await page.getByRole('button', { name: 'Select none' }).click();
    expect(await checked()).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
