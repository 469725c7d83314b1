import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { follow, inspect, ORIGIN, type Page } from './support/browser.ts';
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
    const part = (name) => boxOf(row.querySelector('.link-' + name).getBoundingClientRect());
    return { row: boxOf(row.getBoundingClientRect()), name: part('name'), target: part('target'), copy: part('copy') };
  })`);
}

/** Counts the requests of a page, and their bytes when compressed. */
async function weigh(page: Page, path: string): Promise<{ requests: number; bytes: number }> {
  const urls: string[] = [];
  const note = (request: { url(): string }) => void urls.push(request.url());
  page.on('request', note);
  await page.goto(path, { waitUntil: 'networkidle' });
  page.off('request', note);
  const html = await page.content();
  const files = await Promise.all(
    urls.filter((url) => url.includes('/assets/')).map(async (url) => (await fetch(url)).text()),
  );
  return { requests: urls.length, bytes: [html, ...files].reduce((sum, text) => sum + gzipSync(text).length, 0) };
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
        const column = Math.max(name.width + copy.width, target.width);
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
      const highest = Math.max(...rows.map(({ row }) => row.height));
      expect({ width, highest: highest <= (width === 390 ? 80 : width < 960 ? 104 : 76) }).toEqual({
        width,
        highest: true,
      });
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
        const highest = width < 600 ? 80 : width < 960 ? 104 : 76;
        expect({ width, high: row.height <= highest, torn: target.y - name.y - name.height > 8 }).toEqual({
          width,
          high: true,
          torn: false,
        });
      }
      const last = page.locator('.link-row').first();
      const seen = await last.locator('.chip:visible').allTextContents();
      const more = Number(/(\d+) more/.exec(seen.at(-1) ?? '')?.[1] ?? 0);
      // What is not shown is counted.
      if (width >= 600) expect({ width, all: seen.length - 1 + more }).toEqual({ width, all: 6 });
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
        return [...document.querySelectorAll('.link-name a > *')].map((part, index) => {
          const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
          range.selectNodeContents(texts.nextNode());
          const { left, right } = range.getBoundingClientRect();
          return index === 0 ? right : left;
        });
      })()`);
      expect({ width, hole: Math.abs(start - end) <= 1 }).toEqual({ width, hole: true });
    }
  });

  it('the list of links is small, and asks for few files', async () => {
    const { page, account, path } = await openLinks();
    for (let i = 0; i < 50; i++) await make(account, { ...TEXTS[2], url: `https://example.com/${i * 7919}/item` });
    const { requests, bytes } = await weigh(page, path);
    expect(requests).toBeLessThanOrEqual(8);
    expect(bytes).toBeLessThanOrEqual(25_000);
    expect((await rowsOf(page)).length).toBe(50);
    await page.setViewportSize({ width: 390, height: 844 });
    const heights = (await rowsOf(page)).map(({ row }) => row.height);
    expect(heights.reduce((sum, height) => sum + height)).toBeLessThan(50 * 76);
  });

  describe.each([
    ['with scripts', true],
    ['with scripts off', false],
  ])('%s', (_, scripts) => {
    it('the list of links creates a link in one line, and takes what was typed to the whole form', async () => {
      const { page, account, path } = await openLinks(scripts);
      const slug = `quick-${account.clientId.slice(-8)}`;
      await make(account);
      await page.goto(path);
      const line = page.getByRole('form', { name: 'Create a link' });
      await line.getByLabel('Destination').fill('https://example.com/quick');
      await line.getByLabel('Slug').fill(slug);
      await follow(line.getByRole('button', { name: 'Create' }));
      expect(await page.getByRole('status').first().textContent()).toContain('at the top of the list');
      const first = page.locator('.link-row').first();
      expect(await first.textContent()).toContain(`/${slug}New`);
      expect(await first.getByRole('button', { name: 'Copy' }).count()).toBe(scripts ? 1 : 0);
      expect((await fetch(`${ORIGIN}/${slug}`, { redirect: 'manual' })).headers.get('Location')).toBe(
        'https://example.com/quick',
      );

      await line.getByLabel('Destination').fill('https://example.com/more');
      await follow(line.getByRole('button', { name: 'More options' }));
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Create link');
      expect(await page.getByLabel('Destination').inputValue()).toBe('https://example.com/more');
      await page.goto(path);
      await line.getByLabel('Destination').fill('https://example.com/refused');
      await line.getByLabel('Slug').fill(slug);
      await line.getByLabel('Slug').press('Enter');
      await page.locator('#fault-slug').waitFor();
      expect(await page.getByLabel('Destination').inputValue()).toBe('https://example.com/refused');
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
      if (scripts) await page.getByText('Selected links (2):').waitFor();
      await button.click();
      const question = scripts ? page.getByRole('dialog') : page.getByRole('main');
      await question.getByLabel('Campaign').fill('Summer');
      await follow(question.getByRole('button', { name: 'Set campaign of 2 links' }));
      const chips = async () => (await page.locator('.chip').allTextContents()).slice(0, 3);
      expect(await chips()).toEqual(['Summer', 'Summer', 'Fall']);
      await follow(page.getByRole('button', { name: 'Undo' }));
      expect((await chips()).toSorted()).toEqual(['Fall', 'Fall', 'Spring']);
      await follow(page.locator('.chip', { hasText: 'Spring' }).first());
      expect(new URL(page.url()).search).toBe('?campaign_name=Spring');
      expect(await page.locator('.list-head .count').textContent()).toBe('12 links');
      await follow(page.getByRole('link', { name: /Remove the filter/ }));
      expect(await page.locator('.list-head .count').textContent()).toBe('25 links');
    });
  });
});
