import { describe, expect, it } from 'vitest';
import { copyBy, follow, inspect, leave, ORIGIN } from './support/browser.ts';
import { COUNTED, CREATE, DESTINATION, make, openLinks } from './support/links.ts';

/** Visits a short link. Returns the status and `Location`. */
async function visit(slug: string): Promise<[number, string | null]> {
  const response = await fetch(`${ORIGIN}/${slug}`, { redirect: 'manual' });
  return [response.status, response.headers.get('Location')];
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('links, %s', (_, scripts) => {
  it('links are created with UTM parameters, followed, edited and restored', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `sale-${account.clientId.slice(-8)}`;
    await page.goto(path);
    await follow(page.getByRole('link', { name: 'Create link' }).first());
    await page.locator('#field-url').fill('https://example.com/shop?size=m#top');
    await page.getByLabel('Slug').fill(slug);
    await page.locator('summary', { hasText: 'UTM' }).click();
    await page.getByLabel('Source').fill('news letter');
    await page.getByLabel('Medium').fill('e-mail');
    const target = 'https://example.com/shop?size=m&utm_source=news%20letter&utm_medium=e-mail#top';
    if (scripts) {
      await page.getByText('news letter / e-mail').waitFor();
      await page.locator('.arrival', { hasText: 'utm_medium=e-mail' }).waitFor();
    }
    await leave(page, () => page.getByRole('button', CREATE).click());
    expect(await page.getByRole('status').first().textContent()).toContain('The link has been created.');
    expect(await visit(slug)).toEqual([302, target]);

    // The page below the dialog is the list.
    if (scripts) await follow(page.getByRole('link', { name: `/${slug}` }).first());
    await follow(page.getByRole('link', { name: 'Edit' }).first());
    await page.getByLabel(DESTINATION).fill('https://example.com/elsewhere');
    await page.locator('summary', { hasText: 'Start and end' }).click();
    await page.getByLabel('Expires').fill('2099-12-31T12:00');
    await follow(page.getByRole('button', { name: 'Save' }));
    expect(await visit(slug)).toEqual([302, 'https://example.com/elsewhere']);
    expect(await page.getByText('31 Dec 2099, 12:00 UTC').count()).toBe(1);
    await follow(page.getByRole('link', { name: 'History' }));
    expect(await page.getByText('31 Dec 2099, 12:00 UTC').count()).toBe(1);

    await follow(page.getByRole('button', { name: 'Restore this destination' }));
    expect(await page.getByRole('status').textContent()).toBe('The previous destination has been restored.');
    expect(await visit(slug)).toEqual([302, target]);
  });

  it('links are refused beside the invalid field, and keep what was typed', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `taken-${account.clientId.slice(-8)}`;
    await make(account, { slug });
    await page.goto(`${path}/new`);
    await page.getByLabel(DESTINATION).fill('https://example.com/other');
    await page.getByLabel('Slug').fill(slug);
    const said = page.locator('#fault-slug');
    // Said while it is typed, where scripts run.
    if (!scripts) await follow(page.getByRole('button', CREATE));
    await said.waitFor();
    expect(await said.textContent()).toContain(`The slug ${slug} is already in use`);
    expect(await page.getByLabel('Slug').getAttribute('aria-describedby')).toContain('fault-slug');
    expect(await page.getByLabel(DESTINATION).inputValue()).toBe('https://example.com/other');
    await page.getByLabel('Slug').fill(`${slug}-2`);
    if (scripts) await said.waitFor({ state: 'detached' });
    await follow(page.getByRole('button', CREATE));
    expect((await visit(`${slug}-2`))[0]).toBe(302);
  });

  it('links are deleted many at once, after asking, and that is undone', async () => {
    const { page, account, path } = await openLinks(scripts);
    const ids = [await make(account), await make(account), await make(account)];
    await page.goto(`${path}?q=example`);
    for (const id of ids.slice(0, 2)) await page.getByRole('checkbox', { name: id }).check();
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = scripts ? page.getByRole('dialog', { name: 'Delete 2 links?' }) : page.getByRole('main');
    await follow(question.getByRole('button', { name: 'Delete 2 links' }));
    expect(page.url()).toBe(`${ORIGIN}${path}?q=example`);
    expect((await Promise.all(ids.map(visit))).map(([status]) => status)).toEqual([410, 410, 302]);
    await follow(page.getByRole('button', { name: 'Undo' }));
    expect(await page.getByRole('status').textContent()).toBe('The links have been restored.');
    expect((await Promise.all(ids.map(visit))).map(([status]) => status)).toEqual([302, 302, 302]);
  });

  it('links are disabled, enabled, deleted and restored from their page', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await page.goto(`${path}/${id}`);
    const more = page.locator('.link-menu > summary');
    await more.click();
    await follow(page.getByRole('button', { name: 'Disable' }));
    expect(await visit(id)).toEqual([410, null]);
    await more.click();
    await follow(page.getByRole('button', { name: 'Enable' }));
    expect((await visit(id))[0]).toBe(302);
    await more.click();
    await page.getByRole('link', { name: 'Delete' }).click();
    await follow(page.getByRole('button', { name: 'Delete link' }));
    expect(await visit(id)).toEqual([410, null]);
    await page.goto(`${path}/${id}`);
    await follow(page.getByRole('button', { name: 'Restore' }));
    expect((await visit(id))[0]).toBe(302);
  });

  it('links are imported after a preview of each row', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `row-${account.clientId.slice(-8)}`;
    const csv = `url,slug\nhttps://example.com/1,${slug}\nnowhere,\n`;
    await page.goto(`${path}/files`);
    await page.getByLabel('File').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await follow(page.getByRole('button', { name: 'Check the file' }));
    const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row');
    expect(await rows.count()).toBe(3);
    expect((await visit(slug))[0]).toBe(404);
    await follow(page.getByRole('button', { name: 'Import 1 link' }));
    expect(await page.getByRole('status').textContent()).toContain('Import incomplete: 1 created');
    // The form is not sent again.
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Import or export');
    expect(await page.getByRole('status').count()).toBe(0);
    expect((await visit(slug))[0]).toBe(302);
  });

  it('links have their clicks shown, and their address copied', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await fetch(`${ORIGIN}/${id}`, {
      redirect: 'manual',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    });
    const tables = async () => {
      await page.goto(`/platform/c/${account.clientId}?days=7`);
      return page.getByRole('table', { name: 'Links' }).count();
    };
    await expect.poll(tables, COUNTED).toBe(1);
    await follow(page.getByRole('link', { name: /^Open localhost/ }));
    expect(page.url()).toBe(`${ORIGIN}${path}/${id}`);
    await follow(page.getByRole('link', { name: 'Browsers', exact: true }));
    expect(await page.getByRole('table', { name: 'Browsers' }).getByRole('row').last().textContent()).toBe(
      'Firefox1100 %',
    );
    const copy = page.getByRole('button', { name: /^Copy localhost/ });
    expect(await copy.count()).toBe(scripts ? 1 : 0);
    if (!scripts) return;
    expect(await copyBy(copy)).toBe(`${ORIGIN}/${id}`);
  });
});

it('an edit after that of another user shows both, and is saved only when it is sent again', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.goto(`${path}/${id}/edit`);
  const other = await page.context().newPage();
  await other.goto(`${path}/${id}/edit`);
  await other.locator('summary', { hasText: 'Campaign' }).click();
  await other.getByLabel('Campaign').fill('Theirs');
  await follow(other.getByRole('button', { name: 'Save' }));
  await page.getByLabel(DESTINATION).fill('https://example.com/mine');
  await follow(page.getByRole('button', { name: 'Save' }));
  await page.getByText('Campaign: Theirs').waitFor();
  await inspect(page, 'link-edit-stale');
  expect((await visit(id))[1]).toBe('https://example.com/page');
  await follow(page.getByRole('button', { name: 'Save' }));
  expect((await visit(id))[1]).toBe('https://example.com/mine');
});

it('an edit of one field leaves texts with any line ends as they are', async () => {
  const { page, account, path } = await openLinks();
  const texts = [
    { comments: '\n\nthird line', metadata: '\n{"a":1,\r"b":2}' },
    { comments: '\n', metadata: '{\n"a":1,\r\n"b":2}\r\n' },
  ];
  for (const fields of texts) {
    const id = await make(account, fields);
    await page.goto(`${path}/${id}/edit`);
    await page.locator('summary', { hasText: 'Campaign' }).click();
    await page.getByLabel('Campaign').fill('Spring');
    await follow(page.getByRole('button', { name: 'Save' }));
    const response = await fetch(`${ORIGIN}/v1/links/${id}`, { headers: { 'X-API-Key': account.apiKey } });
    expect(await response.json()).toMatchObject({ ...fields, campaign_name: 'Spring' });
  }
});
