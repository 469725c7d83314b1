import { describe, expect, it } from 'vitest';
import { EXAMPLE } from '../../src/design/tee.tsx';
import { faultsOf } from './support/axe.ts';
import { copyBy, fitsEverywhere, fitsLargeText, inspect, openWindow, ORIGIN, type Page } from './support/browser.ts';
import { layoutErrorsOf } from './support/layout.ts';

/** The front page, as people see it. */

const HOST = new URL(ORIGIN).host;

/** The short link on the page, and how it compares. */
const shortOf = (page: Page) => page.locator('.tee-stem').first().innerText();

/** The requests of a page from now on, by their paths. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(`${request.method()} ${request.url().replace(ORIGIN, '')}`));
  return paths;
}

it('the front page is whole at every width, in light and dark and with larger text', async () => {
  const page = await openWindow();
  await page.goto('/');
  await inspect(page, 'front');
  await fitsEverywhere(page, 'front', [1350, 675, 390, 320]);
  await fitsLargeText(page, 'front');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await faultsOf(page)]).toEqual([colorScheme, []]);
  }
  expect(await page.locator('h1').allInnerTexts()).toEqual(['Short links\npeople trust.']);
});

it('the front page takes at most 8 requests and 25 KiB of HTML', async () => {
  const page = await openWindow();
  const requests = requestsOf(page);
  const answer = await page.goto('/');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.waitForLoadState('networkidle');
  expect(requests.length).toBeLessThanOrEqual(8);
  expect((await answer?.body())?.length).toBeLessThanOrEqual(25 * 1024);
});

describe('the demonstration of the front page', () => {
  it('the demonstration draws what a typed address becomes, by the keyboard, and sends and stores nothing', async () => {
    const page = await openWindow();
    await page.goto('/');
    await page.waitForLoadState('networkidle');
    const requests = requestsOf(page);
    const field = page.getByLabel('A long address');
    await field.focus();
    await field.fill('shop.acme.example/autumn/blue-jackets?utm_source=poster&secret=1');
    await page.keyboard.press('Enter');
    const short = /^[\w:.]+\/[6-9a-zA-Z]{8}$/;
    const [link = '', count = ''] = (await shortOf(page)).split('\n').filter((line) => line !== '');
    expect(link).toMatch(short);
    expect(link.startsWith(`${HOST}/`)).toBe(true);
    expect(count).toBe(`${link.length} characters instead of 72`);
    expect(await page.getByRole('status').innerText()).toContain(`It becomes ${link}.`);
    expect(await page.locator('[data-card] b').innerText()).toBe('Blue jackets');
    await page.getByRole('img', { name: `QR code of http://${link}` }).waitFor();
    expect(requests).toEqual([expect.stringMatching(/^GET \/assets\/front-qr\.[0-9a-f]{10}\.js$/)]);
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect(await layoutErrorsOf(page)).toEqual([]);
  });

  it('the demonstration says what is no address, and keeps what it has drawn', async () => {
    const page = await openWindow();
    await page.goto('/');
    const before = await shortOf(page);
    await page.getByLabel('A long address').fill('nothing like that');
    await page.getByRole('button', { name: 'Shorten it' }).click();
    expect(await page.getByRole('status').innerText()).toBe(
      'That is no address. Type one such as example.com/a/long/page.',
    );
    expect(await shortOf(page)).toBe(before);
    const field = page.getByLabel('A long address');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('acme.example/tents');
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    expect(await page.getByRole('status').innerText()).toMatch(/^Drawn in your browser/);
  });

  it.each([
    ['acme.example:8443/blue-tents', 'A', 'Blue tents'],
    ['münchen.example/straße/über-uns', 'M', 'Über uns'],
    ['https://www.例え.example/ページ', '例', 'ページ'],
    ['https://www.例え.example/7', '例', 'www.例え.example'],
  ])('the demonstration draws %s as it was typed', async (typed, letter, title) => {
    const page = await openWindow();
    await page.goto('/');
    await page.getByLabel('A long address').fill(typed);
    expect(await page.locator('[data-card] b').innerText()).toBe(title);
    expect(await page.locator('[data-letter]').innerText()).toBe(letter);
  });

  it('the demonstration is a picture of an example without scripts', async () => {
    const page = await openWindow({ scripts: false });
    await page.goto('/');
    expect(await page.getByText(EXAMPLE.url).isVisible()).toBe(true);
    expect(await page.getByLabel('A long address').isVisible()).toBe(false);
    expect(await page.getByRole('img', { name: 'QR code of acme.example/tent' }).isVisible()).toBe(true);
  });
});

it('the commands of the front page are copied', async () => {
  const page = await openWindow();
  await page.goto('/');
  expect(await copyBy(page.getByRole('button', { name: 'Copy: Follow it' }))).toBe(`curl -i ${ORIGIN}/page`);
});
