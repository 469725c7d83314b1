import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pngLogo, scanPng, SVG_LOGO } from '../support/qr.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { follow, inspect, ORIGIN, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';
import { paramOf, scan, waitForPicture } from './support/qr.ts';

const CM_IN_POINTS = 72 / 2.54;

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
    await page.getByLabel('Error correction').selectOption('Q');
    await show(page, scripts);
    // Each change is drawn by itself.
    await expect.poll(() => ['colour', 'level'].map((name) => paramOf(page, name))).toEqual(['#1d4f91', 'Q']);
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

  it('the QR tab draws a frame and a text, alike in both formats, and keeps them in print', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await page.goto(`${path}/${id}/qr`);
    await page.getByLabel('Frame').selectOption('Round');
    await page.getByLabel('Text beneath the code').fill('Café & bar');
    await page.getByLabel('Background', { exact: true }).selectOption('Transparent');
    await show(page, scripts);
    await expect.poll(() => paramOf(page, 'text')).toBe('Café & bar');
    expect(await scan(page, '.qr img')).toBe(`${ORIGIN}/${id}?via=qr`);
    const svg = (await download(page, 'Download SVG')).bytes.toString('base64');
    const png = (await download(page, 'Download PNG')).bytes.toString('base64');
    const { page: empty } = await openLinks();
    await empty.goto('about:blank');
    // Of all pixels that have any ink; an edge is half a pixel wide.
    const different = await empty.evaluate<number>(`(async () => {
      const [svg, png] = await Promise.all(['svg+xml;base64,${svg}', 'png;base64,${png}'].map(async (data) => {
        const image = new Image();
        image.src = 'data:image/' + data;
        await image.decode();
        return image;
      }));
      // The PNG has whole pixels a module, and what is left of its size around the picture.
      const width = png.naturalWidth;
      const modules = Number(/viewBox="0 0 (\\d+)/.exec(atob(svg.src.split(',')[1]))[1]);
      const scale = Math.floor(width / modules);
      const offset = Math.floor((width - scale * modules) / 2);
      const inked = [svg, png].map((image) => {
        const canvas = new OffscreenCanvas(width, png.naturalHeight).getContext('2d');
        const height = svg.naturalHeight / svg.naturalWidth * scale * modules;
        if (image === png) canvas.drawImage(png, 0, 0);
        else canvas.drawImage(svg, offset, offset, scale * modules, height);
        return canvas.getImageData(0, 0, width, png.naturalHeight).data.filter((_, at) => at % 4 === 3);
      });
      const either = inked[0].filter((opacity, at) => opacity > 127 || inked[1][at] > 127).length;
      return inked[0].filter((opacity, at) => opacity > 127 !== inked[1][at] > 127).length / either;
    })()`);
    expect(different).toBeLessThan(0.02);
    await follow(page.getByRole('link', { name: 'Print' }));
    expect(await scan(page, '.sheet img')).toBe(`${ORIGIN}/${id}?via=qr`);
    expect(await page.locator('.sheet img').getAttribute('src')).toContain('frame=round&text=');
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

it.each([
  ['A4', 21, 29.7],
  ['Letter', 21.59, 27.94],
] as const)('prints the codes of selected links on %s, none of them cut', async (format, width, height) => {
  const { page, account, path } = await openLinks();
  const ids = [];
  for (let i = 0; i < 24; i++) ids.push(await make(account, { title: `Table ${i} of ${'many '.repeat(i)}tables` }));
  await page.goto(path);
  await page.getByLabel('Select all').check();
  await follow(page.getByRole('button', { name: 'Print QR codes' }));
  expect(new URL(page.url()).searchParams.getAll('id')).toHaveLength(24);
  const codes = page.getByRole('img', { name: /^QR code of/ });
  expect(await codes.count()).toBe(24);
  for (const code of await codes.all()) await waitForPicture(code);
  expect(await page.getByRole('button', { name: 'Print', exact: true }).isVisible()).toBe(true);
  const pdf = await page.pdf({ format });
  const text = pdf.toString('latin1');
  expect(text.match(/\/Type\s*\/Page\b(?!s)/g)!.length).toBeGreaterThan(1);
  const whole = squaresOf(pdf).filter((side) => Math.abs(side / CM_IN_POINTS - 3.5) < 0.02);
  expect(whole.length).toBeGreaterThanOrEqual(24);
  // As wide as the paper within its margins, nothing runs over.
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({
    width: Math.floor(((width - 2.4) / 2.54) * 96),
    height: Math.floor((height / 2.54) * 96),
  });
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await scan(page, `img[src*="${ids.at(-1)}"]`)).toBe(`${ORIGIN}/${ids.at(-1)}?via=qr`);
  await page.emulateMedia({ media: null });
  await inspect(page, `link-codes-${format}`);
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
