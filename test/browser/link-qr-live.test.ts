import { describe, expect, it } from 'vitest';
import { pngLogo } from '../support/qr.ts';
import { follow, inspect, ORIGIN, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';
import { paramOf, scan, waitForPicture } from './support/qr.ts';

/** The QR tab where scripts run. */

describe('the QR tab as its settings change', () => {
  async function openTab() {
    const opened = await openLinks();
    const id = await make(opened.account);
    await opened.page.goto(`${opened.path}/${id}/qr`);
    await opened.page.evaluate('globalThis.isSameDocument = true');
    return { ...opened, id };
  }
  const colour = (page: Page) => page.getByLabel('Colour of the code');
  const shown = (page: Page) => page.locator('.qr img').getAttribute('src');

  it('the QR tab follows its settings in place, one step of the history long, and the field keeps the focus', async () => {
    const { page } = await openTab();
    const steps = await page.evaluate<number>('history.length');
    await page.getByLabel('Margin').focus();
    await page.getByLabel('Margin').selectOption('8');
    await expect.poll(() => shown(page)).toContain('margin=8');
    await page.getByLabel('Size of the PNG').selectOption('2048');
    await expect.poll(() => shown(page)).toContain('size=2048');
    expect([paramOf(page, 'margin'), paramOf(page, 'size')]).toEqual(['8', '2048']);
    expect(await page.getByLabel('Margin').inputValue()).toBe('8');
    expect(await page.locator(':focus').getAttribute('name')).toBe('margin');
    expect(await page.evaluate<number>('history.length')).toBe(steps);
    expect(await page.evaluate('globalThis.isSameDocument')).toBe(true);
    expect(await page.locator('[aria-live=polite]').textContent()).toBe('The code has these settings.');
  });

  it('the QR tab sends one request for many colours in a row, and shows no code that is out of date', async () => {
    const { page } = await openTab();
    const late = Promise.withResolvers<undefined>();
    await page.route('**/qr?*margin=2*', async (route) => {
      await late.promise;
      await route.continue().catch(() => undefined);
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/qr?')) asked.push(request.url());
    });
    await page.getByLabel('Margin').selectOption('2');
    await page.waitForRequest('**/qr?*margin=2*');
    await page.evaluate(`{
      const change = (name, value) => {
        const field = document.querySelector('[name="' + name + '"]');
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      change('margin', '3');
      for (const value of ['#000011', '#000022', '#000033']) change('colour', value);
    }`);
    late.resolve(undefined);
    await expect.poll(() => shown(page)).toContain('colour=000033');
    expect(await shown(page)).toContain('margin=3');
    expect(asked).toHaveLength(2);
    expect(await colour(page).inputValue()).toBe('#000033');
  });

  it('the QR tab says beside the field what it refuses, and keeps the last code until the settings are right', async () => {
    const { page, id } = await openTab();
    await colour(page).fill('#c0c0c0');
    await page.locator('#fault-colour').waitFor();
    expect(await page.locator('#fault-colour').textContent()).toContain('the contrast is 24%');
    expect(await page.locator('[aria-live=polite]').textContent()).toContain('the contrast is 24%');
    expect(await page.locator('.qr').textContent()).toContain('so this is the code before them');
    await waitForPicture(page.locator('.qr img'));
    expect(await page.locator('.qr a').count()).toBe(0);
    expect(paramOf(page, 'colour')).toBe('#c0c0c0');
    await page.getByLabel('Margin').selectOption('2');
    await expect.poll(() => paramOf(page, 'margin')).toBe('2');
    expect(await page.locator('.qr img').count()).toBe(1);
    await inspect(page, 'link-qr-old');
    await colour(page).fill('#101010');
    await expect.poll(() => shown(page)).toContain('colour=101010');
    expect(await page.locator('#fault-colour').count()).toBe(0);
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
  });

  it('the QR tab shows a code in every style that is read', async () => {
    const { page, id } = await openTab();
    await page.getByLabel('Error correction').selectOption('H');
    for (const dots of ['round', 'square']) {
      for (const corners of ['round', 'square']) {
        await page.getByLabel('Dots').selectOption(dots);
        await page.getByLabel('Corners').selectOption(corners);
        await expect.poll(() => [paramOf(page, 'dots'), paramOf(page, 'corners')]).toEqual([dots, corners]);
        await expect.poll(() => scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
        if (dots === 'round' && corners === 'round') await inspect(page, 'link-qr-round');
      }
    }
  });

  it('the QR tab shows a transparent code on white, also in dark', async () => {
    const { page, id } = await openTab();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByLabel('Background', { exact: true }).selectOption('transparent');
    await expect.poll(() => shown(page)).toContain('background=transparent');
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
    await page.reload();
    expect(await page.getByLabel('Background', { exact: true }).inputValue()).toBe('transparent');
  });

  it('the QR tab keeps a logo for the codes of all links, and removes it', async () => {
    const { page, account, path, id } = await openTab();
    const other = await make(account);
    const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pngLogo()) };
    await page.getByLabel('File').setInputFiles(file);
    await follow(page.getByRole('button', { name: 'Add the logo' }));
    await page.getByLabel('Dots').selectOption('round');
    await expect.poll(() => page.getByLabel('Dots').locator('option[selected]').textContent()).toBe('Round');
    await follow(page.getByRole('button', { name: 'Keep this logo' }));
    expect(await shown(page)).toContain('dots=round&logo=true');
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
    await inspect(page, 'link-qr-kept');
    await page.goto(`${path}/${other}/qr`);
    expect(await shown(page)).toContain('logo=true');
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${other}?via=qr`);
    await page.getByRole('combobox', { name: 'Logo' }).selectOption('None');
    await expect.poll(() => shown(page)).not.toContain('logo=true');
    expect(await page.getByLabel('Error correction').inputValue()).toBe('H');
    await page.getByRole('link', { name: 'Remove the logo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('link', { name: 'Remove the logo' }).click();
    await follow(dialog.getByRole('button', { name: 'Remove the logo' }));
    expect(await page.getByRole('combobox', { name: 'Logo' }).count()).toBe(0);
    expect(await shown(page)).not.toContain('logo');
  });

  it('the QR tab says that the service does not respond, and tries again', async () => {
    const { page } = await openTab();
    await page.route('**/qr?*', (route) => route.abort());
    await colour(page).fill('#102030');
    await page.getByRole('alert').waitFor();
    expect(await colour(page).inputValue()).toBe('#102030');
    await page.unroute('**/qr?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => shown(page)).toContain('colour=102030');
  });
});

it('the code stays in view beside its settings on a wide screen, and is above them on a phone', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.goto(`${path}/${id}/qr`);
  const code = page.locator('.qr img');
  const settings = page.getByRole('heading', { name: 'Settings' });
  await page.setViewportSize({ width: 1280, height: 600 });
  expect((await code.boundingBox())!.width).toBeGreaterThan(250);
  await page.getByRole('button', { name: 'Add the logo' }).scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 2000);
  await expect.poll(async () => (await code.boundingBox())!.y).toBeGreaterThanOrEqual(0);
  expect((await settings.boundingBox())!.y).toBeLessThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate('scrollTo(0, 0)');
  expect((await code.boundingBox())!.y).toBeLessThan((await settings.boundingBox())!.y);
});
