import { expect, it } from 'vitest';
import { follow, inspect } from './support/browser.ts';
import { DESTINATION, make, openLinks, seedClicks } from './support/links.ts';

const LONG = `https://example.com/${'a-rather-long-path/'.repeat(100)}`.slice(0, 2000);

it('shows the overview, empty and full', async () => {
  const { page, account } = await openLinks();
  const path = `/platform/c/${account.clientId}`;
  await page.goto(path);
  await inspect(page, 'overview-empty');
  const ids = [
    await make(account),
    await make(account, { url: LONG, slug: `s${'o'.repeat(50)}-${account.clientId.slice(-8)}` }),
    await make(account, { campaign_name: 'Spring' }),
  ];
  seedClicks(account, ids);
  await page.goto(path);
  await page.getByText('Show as a table').click();
  await inspect(page, 'overview-full');
  await page.goto(`${path}?days=90`);
  await inspect(page, 'overview-90');
});

it('shows the list, empty, full, searched and with an error', async () => {
  const { page, account, path } = await openLinks();
  await page.goto(path);
  await inspect(page, 'links-empty');
  await make(account, {
    url: LONG,
    slug: `s${'o'.repeat(50)}-${account.clientId.slice(-8)}`,
    campaign_name: 'x'.repeat(128),
    title: 't'.repeat(200),
  });
  for (const campaign of ['Spring', 'Summer'])
    await make(account, { campaign_name: campaign, title: `${campaign} sale` });
  await page.goto(path);
  await page.getByRole('checkbox').first().check();
  await inspect(page, 'links-full');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').waitFor();
  await inspect(page, 'links-dialog');
  await page.goto(`${path}?q=nothing&state=disabled`);
  await inspect(page, 'links-none');
  await page.goto(`${path}?q=${'x'.repeat(300)}`);
  await inspect(page, 'links-fault');
});

it('shows the pages of one link, with little and with much in it', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.goto(`${path}/${id}`);
  await inspect(page, 'link-new');
  await page.goto(`${path}/${id}/edit`);
  await page.getByLabel(DESTINATION).fill(LONG);
  await page.getByLabel('Slug').fill(`long-${'o'.repeat(50)}-${account.clientId.slice(-8)}`);
  await page.locator('#field-title').fill(`A title of ${'many '.repeat(36)}words`);
  await page.locator('summary', { hasText: 'Comments' }).click();
  await page.getByLabel('Comments').fill(`First line.\n\nThe third is ${'very '.repeat(20)}long.\n${'c'.repeat(300)}`);
  await follow(page.getByRole('button', { name: 'Save' }));
  seedClicks(account, [id]);
  await page.goto(`${path}/${id}`);
  await inspect(page, 'link-full');
  await page.goto(`${path}/${id}/edit`);
  await page.getByLabel(DESTINATION).fill('nothing');
  await page.locator('summary', { hasText: 'For developers' }).click();
  await page.getByLabel('Metadata').fill('{');
  await follow(page.getByRole('button', { name: 'Save' }));
  await inspect(page, 'link-edit-faults');
  await page.goto(`${path}/new`);
  await inspect(page, 'link-create');
  await page.goto(`${path}/files`);
  await inspect(page, 'files');
  const csv = `url,slug\nhttps://example.com/1,\nnowhere,\nhttps://example.com/2,${id}\n`;
  await page.getByLabel('File').setInputFiles({ name: 'my links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await follow(page.getByRole('button', { name: 'Check the file' }));
  await inspect(page, 'import-check');
});

it('prints the list and the page of a link without what can only be pressed', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Spring', tags: ['print'] });
  seedClicks(account, [id]);
  await page.emulateMedia({ media: 'print' });
  const pressed = page.locator('button, .button, .menu > summary, select, [type="search"], .pill[data-idle]');
  for (const [at, shown] of [
    [`${path}?tag=print&sort=clicks`, 'Tag print'],
    [`${path}/${id}`, 'Countries'],
  ] as const) {
    await page.goto(at);
    expect(await page.getByText('Spring', { exact: true }).first().isVisible()).toBe(true);
    expect(await page.locator('main').textContent()).toContain(shown);
    expect(await pressed.filter({ visible: true }).allTextContents()).toEqual([]);
  }
});

it('the main actions of a link are as large as a finger on a phone, in the list, in its menu and on its page', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { title: 'Spring' });
  await page.setViewportSize({ width: 390, height: 844 });
  const smallIn = async (selector: string) => {
    const boxes = await page.locator(selector).filter({ visible: true }).all();
    expect(boxes.length).toBeGreaterThan(1);
    const sizes = await Promise.all(boxes.map((each) => each.boundingBox()));
    return sizes.filter((box) => (box?.width ?? 0) < 43.9 || (box?.height ?? 0) < 43.9);
  };
  await page.goto(path);
  await page.locator('.row-menu > summary').click();
  expect(await smallIn('.row-menu :is(summary, a, button), .nav .create a, .list-top .button')).toEqual([]);
  await page.goto(`${path}/${id}`);
  expect(await smallIn('.link-head :is(.copy-icon, .button, .menu > summary)')).toEqual([]);
});
