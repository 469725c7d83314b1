import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { decode } from 'fast-png';
import jsQR from 'jsqr';
import { describe, expect, it } from 'vitest';
import { pngLogo, scanPng, SVG_LOGO } from '../support/qr.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { follow, inspect, ORIGIN, type Locator, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

const CM_IN_POINTS = 72 / 2.54;

/** Waits until a picture is loaded: a page that takes the place of another one is shown without waiting for its pictures. */
async function waitForPicture(image: Locator): Promise<void> {
  const isLoaded = (img: { complete: boolean; naturalWidth: number }) => img.complete && img.naturalWidth > 0;
  await expect.poll(() => image.evaluate(isLoaded)).toBe(true);
}

/** Reads a picture in a page, as it is painted, like a scanner. */
async function scan(page: Page, selector: string): Promise<string | undefined> {
  await waitForPicture(page.locator(selector));
  const { width, height, data, channels } = decode(await page.locator(selector).screenshot());
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at++) rgba.set(data.subarray(channels * at, channels * at + 3), 4 * at);
  return jsQR(rgba, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

const paramOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** Shows the code with the settings of the form, which it does by itself where scripts run. */
async function show(page: Page, scripts: boolean): Promise<void> {
  const button = page.getByRole('button', { name: 'Show the code' });
  if (scripts) expect(await button.count()).toBe(0);
  else await follow(button);
}

async function download(page: Page, name: string): Promise<{ readonly file: string; readonly bytes: Buffer }> {
  const folder = makeFolder();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  const copy = join(folder, file.suggestedFilename());
  await file.saveAs(copy);
  return { file: file.suggestedFilename(), bytes: readFileSync(copy) };
}

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('the QR tab %s', (_, scripts) => {
  it('the QR tab shows the code in the chosen colours, and saves it in both formats under the slug', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `sale-${account.clientId.slice(-8)}`;
    const id = await make(account, { slug, title: 'Spring sale' });
    await page.goto(`${path}/${id}`);
    await follow(page.getByRole('navigation', { name: 'Pages of the link' }).getByRole('link', { name: 'QR' }));
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${slug}?via=qr`);
    await page.getByLabel('Colour of the code').fill('#1d4f91');
    await page.getByLabel('Error level').selectOption('Q');
    await show(page, scripts);
    await expect.poll(() => paramOf(page, 'colour')).toBe('#1d4f91');
    expect(paramOf(page, 'level')).toBe('Q');
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${slug}?via=qr`);
    const svg = await download(page, 'Download SVG');
    expect([svg.file, svg.bytes.toString().includes('fill="#1d4f91"')]).toEqual([`qr-${slug}.svg`, true]);
    const png = await download(page, 'Download PNG');
    expect([png.file, scanPng(new Uint8Array(png.bytes))]).toEqual([`qr-${slug}.png`, `${ORIGIN}/${slug}?via=qr`]);
    await page.getByLabel('Count as QR code').selectOption('No');
    await show(page, scripts);
    await expect.poll(() => paramOf(page, 'marker')).toBe('false');
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${slug}`);
  });

  it.each([
    ['PNG', 'logo.png', Buffer.from(pngLogo())],
    ['SVG', 'logo.svg', Buffer.from(SVG_LOGO)],
  ])(
    'the QR tab adds a logo in %s, with which the code is read, and nothing in it runs',
    async (kind, name, buffer) => {
      const { page, account, path } = await openLinks(scripts);
      const id = await make(account);
      await page.goto(`${path}/${id}/qr`);
      await page.getByLabel('File').setInputFiles({ name, mimeType: 'image/png', buffer });
      await follow(page.getByRole('button', { name: 'Add the logo' }));
      expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
      const svg = await download(page, 'Download SVG');
      expect([svg.file, svg.bytes.toString().includes('<image ')]).toEqual([`qr-${id}.svg`, true]);
      expect(await page.getByRole('link', { name: 'Download PNG' }).count()).toBe(kind === 'PNG' ? 1 : 0);
      if (kind === 'PNG') {
        const png = await download(page, 'Download PNG');
        expect([png.file, scanPng(new Uint8Array(png.bytes))]).toEqual([`qr-${id}.png`, `${ORIGIN}/${id}?via=qr`]);
      }
      await page.getByLabel('Colour of the code').fill('#600000');
      await show(page, scripts);
      await page.locator('input[type="color"][value="#600000"]').waitFor();
      expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
      await follow(page.getByRole('link', { name: 'Remove the logo' }));
      expect(new URL(page.url()).searchParams.get('colour')).toBe('600000');
    },
  );
});

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
    await page.getByLabel('Quiet zone').focus();
    await page.getByLabel('Quiet zone').selectOption('8');
    await expect.poll(() => shown(page)).toContain('margin=8');
    await page.getByLabel('Size of the PNG').selectOption('2048');
    await expect.poll(() => shown(page)).toContain('size=2048');
    expect([paramOf(page, 'margin'), paramOf(page, 'size')]).toEqual(['8', '2048']);
    expect(await page.getByLabel('Quiet zone').inputValue()).toBe('8');
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
    await page.getByLabel('Quiet zone').selectOption('2');
    await page.waitForRequest('**/qr?*margin=2*');
    await page.getByLabel('Quiet zone').selectOption('3');
    late.resolve(undefined);
    await colour(page).evaluate(`(field) => {
      for (const value of ['#000011', '#000022', '#000033']) {
        field.value = value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }`);
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
    expect(await page.locator('.qr').textContent()).toContain('the code before the settings with the error');
    await waitForPicture(page.locator('.qr img'));
    expect(await page.locator('.qr a').count()).toBe(0);
    expect(paramOf(page, 'colour')).toBe('#c0c0c0');
    await page.getByLabel('Quiet zone').selectOption('2');
    await expect.poll(() => paramOf(page, 'margin')).toBe('2');
    expect(await page.locator('.qr img').count()).toBe(1);
    await inspect(page, 'link-qr-old');
    await colour(page).fill('#101010');
    await expect.poll(() => shown(page)).toContain('colour=101010');
    expect(await page.locator('#fault-colour').count()).toBe(0);
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
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

it.each(['A4', 'Letter'])('prints a link on one page of %s, with a code of five centimetres', async (format) => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: `A title of ${'many '.repeat(36)}words` });
  await page.goto(`${path}/${id}/qr`);
  await follow(page.getByRole('link', { name: 'Print' }));
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true);
  const code = page.getByRole('img', { name: /^QR code of/ });
  await waitForPicture(code);
  const pdf = await page.pdf({ format });
  const text = pdf.toString('latin1');
  expect(text.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  const widths = squaresOf(pdf);
  expect(widths.some((width) => Math.abs(width / CM_IN_POINTS - 5) < 0.02)).toBe(true);
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  const { width, height } = (await code.boundingBox())!;
  expect([width, height].map((length) => Math.round((length / 96) * 2.54 * 100) / 100)).toEqual([5, 5]);
  await page.emulateMedia({ media: null });
  await inspect(page, `link-print-${format}`);
});

it('shows the tabs of a link', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Spring', external_id: 'product-1' });
  for (const tab of ['details', 'qr', 'history', 'api']) {
    await page.goto(`${path}/${id}/${tab}`);
    await inspect(page, `link-tab-${tab}`);
  }
  await page.goto(`${path}/${id}/qr?colour=ffffff&background=000000`);
  expect(await page.locator(':focus').textContent()).toContain('Swap the colours.');
  await inspect(page, 'link-qr-fault');
  await page.goto(`${path}/${id}/qr`);
  await page.getByLabel('File').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
  await follow(page.getByRole('button', { name: 'Add the logo' }));
  expect(await page.locator(':focus').textContent()).toContain('neither a PNG nor an SVG');
  await page.getByLabel('File').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(pngLogo()) });
  await follow(page.getByRole('button', { name: 'Add the logo' }));
  await inspect(page, 'link-qr-logo');
});

/** The widths of the squares that a PDF paints, in points. */
function squaresOf(pdf: Buffer): number[] {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/stream\r?\n/g)].flatMap(({ index, 0: begin }) => {
    const start = index + begin.length;
    const stream = pdf.subarray(start, text.indexOf('endstream', start));
    return squaresIn(inflatedOf(stream));
  });
}

function inflatedOf(stream: Buffer): string {
  try {
    return inflateSync(stream).toString('latin1');
  } catch {
    return '';
  }
}

// The scale is the product of those of all matrices (cm) that hold; q keeps it and Q brings it back.
function squaresIn(content: string): number[] {
  const kept: number[] = [];
  const widths: number[] = [];
  let scale = 1;
  for (const [, numbers = '', operator] of content.matchAll(/((?:-?[\d.]+\s+)*)(cm|q|Q|re)\b/g)) {
    const [a = 0, , width = 0, height = 0] = numbers
      .trim()
      .split(/\s+/)
      .slice(operator === 're' ? -4 : -6)
      .map(Number);
    if (operator === 'q') kept.push(scale);
    else if (operator === 'Q') scale = kept.pop() ?? 1;
    else if (operator === 'cm') scale *= a;
    else if (width === height) widths.push(Math.abs(width * scale));
  }
  return widths;
}
