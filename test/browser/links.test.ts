import { describe, expect, it } from 'vitest';
import { follow, inspect, openWindow, ORIGIN, signIn, type Page } from './support/browser.ts';
import { onDatabase, seedAccount, type Account } from './support/seed.ts';

/** Makes a link over HTTP and gives its id. */
async function make(account: Account, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`${ORIGIN}/v1/links`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/page', client_id: account.clientId, ...fields }),
  });
  const { result } = (await response.json()) as { result: string };
  return (JSON.parse(result) as { id: string }).id;
}

const DAY_MS = 24 * 3600 * 1000;

/** Clicks of some days, as the consumer would have counted them. */
function seedClicks(account: Account, ids: readonly string[], days = 60): Promise<unknown> {
  const row = (subject: string, name: string, day: number, links: object) => {
    const humans = 20 + Math.round(15 * Math.sin(day / 3)) + (day % 7);
    const [bots, previews] = [day % 5, day % 3];
    const split = (values: readonly string[]) =>
      JSON.stringify(Object.fromEntries(values.map((value, i) => [value, Math.ceil(humans / (i + 1))])));
    return {
      sql: `INSERT INTO click_days (client_id, subject, name, day, humans, bots, previews, last_at, hours, countries, referrers,
              browsers, systems, devices, languages, links) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9, ?10, ?11, '{}', ?12, '{}', ?13)`,
      params: [
        account.clientId,
        subject,
        name,
        new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10),
        humans,
        bots,
        previews,
        JSON.stringify({ 'h:0': humans, 'b:0': bots, 'p:0': previews }),
        split(['h:AT', 'h:DE', 'h:US', 'h:', 'b:US', 'h:JP']),
        split(['h:', 'h:news.example', 'h:a-very-long-name-of-a-site-that-sends-visitors.example.org']),
        split(['h:Chrome', 'h:Firefox', 'h:Safari', 'b:']),
        split(['h:mobile', 'h:desktop', 'h:tablet', 'b:']),
        JSON.stringify(links),
      ],
    };
  };
  const links = Object.fromEntries(ids.map((id, i) => [`h:${id}`, 30 - 4 * i]));
  return onDatabase((db) =>
    db.batch(
      Array.from({ length: days }, (_, day) => [
        row('client', '', day, links),
        ...(ids[0] === undefined ? [] : [row('link', ids[0], day, {})]),
      ]).flat(),
    ),
  );
}

async function openLinks(scripts = true): Promise<{ page: Page; account: Account; path: string }> {
  const account = await seedAccount();
  const page = await openWindow({ scripts });
  await signIn(page, account);
  return { page, account, path: `/platform/c/${account.clientId}/links` };
}

/** What a visitor is answered. */
async function visit(slug: string): Promise<[number, string | null]> {
  const response = await fetch(`${ORIGIN}/${slug}`, { redirect: 'manual' });
  return [response.status, response.headers.get('Location')];
}

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
  await seedClicks(account, ids);
  await page.goto(path);
  await page.getByText('Show as a table').click();
  await inspect(page, 'overview-full');
  await page.goto(`${path}?days=90`);
  await inspect(page, 'overview-90');
});

it('shows the list, empty, full, searched and at fault', async () => {
  const { page, account, path } = await openLinks();
  await page.goto(path);
  await inspect(page, 'links-empty');
  await make(account, {
    url: LONG,
    slug: `s${'o'.repeat(50)}-${account.clientId.slice(-8)}`,
    campaign_name: 'x'.repeat(128),
  });
  for (const campaign of ['Spring', 'Summer']) await make(account, { campaign_name: campaign });
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
  await page.getByLabel('Target').fill(LONG);
  await page.getByLabel('Slug').fill(`long-${'o'.repeat(50)}-${account.clientId.slice(-8)}`);
  await follow(page.getByRole('button', { name: 'Save' }));
  await seedClicks(account, [id]);
  await page.goto(`${path}/${id}`);
  await inspect(page, 'link-full');
  await page.goto(`${path}/${id}/edit`);
  await page.getByLabel('Target').fill('nothing');
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

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('links, %s', (_, scripts) => {
  it('are made with UTM parameters, followed, edited and put back', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `sale-${account.clientId.slice(-8)}`;
    await page.goto(path);
    await follow(page.getByRole('link', { name: 'New link' }).first());
    await page.getByLabel('Target').fill('https://example.com/shop?size=m#top');
    await page.getByLabel('Slug').fill(slug);
    await page.getByLabel('Source').fill('news letter');
    await page.getByLabel('Medium').fill('e-mail');
    const target = 'https://example.com/shop?size=m&utm_source=news%20letter&utm_medium=e-mail#top';
    if (scripts) await page.getByText(`Leads to ${target}`).waitFor();
    await follow(page.getByRole('button', { name: 'Make link' }));
    expect(await page.getByRole('status').textContent()).toBe('The link is made.');
    expect(await visit(slug)).toEqual([302, target]);

    await follow(page.getByRole('link', { name: 'Edit' }));
    await page.getByLabel('Target').fill('https://example.com/elsewhere');
    await page.getByLabel('Ends at').fill('2099-12-31T12:00');
    await follow(page.getByRole('button', { name: 'Save' }));
    expect(await visit(slug)).toEqual([302, 'https://example.com/elsewhere']);
    expect(await page.getByText('31 Dec 2099, 12:00 UTC').count()).toBe(2);

    await follow(page.getByRole('button', { name: 'Put this target back' }));
    expect(await page.getByRole('status').textContent()).toBe('The former target is back.');
    expect(await visit(slug)).toEqual([302, target]);
  });

  it('are refused beside the field at fault, with what was typed kept', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `taken-${account.clientId.slice(-8)}`;
    await make(account, { slug });
    await page.goto(`${path}/new`);
    await page.getByLabel('Target').fill('https://example.com/other');
    await page.getByLabel('Slug').fill(slug);
    const said = page.locator('#fault-slug');
    // Said while it is typed, where scripts run.
    if (!scripts) await follow(page.getByRole('button', { name: 'Make link' }));
    await said.waitFor();
    expect(await said.textContent()).toContain(`slug ${slug} is taken`);
    expect(await page.getByLabel('Slug').getAttribute('aria-describedby')).toContain('fault-slug');
    expect(await page.getByLabel('Target').inputValue()).toBe('https://example.com/other');
    await page.getByLabel('Slug').fill(`${slug}-2`);
    if (scripts) await said.waitFor({ state: 'detached' });
    await follow(page.getByRole('button', { name: 'Make link' }));
    expect((await visit(`${slug}-2`))[0]).toBe(302);
  });

  it('are deleted many at once, after asking, and that is undone', async () => {
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
    expect(await page.getByRole('status').textContent()).toBe('The links are restored.');
    expect((await Promise.all(ids.map(visit))).map(([status]) => status)).toEqual([302, 302, 302]);
  });

  it('are disabled, enabled, deleted and restored from their page', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await page.goto(`${path}/${id}`);
    await follow(page.getByRole('button', { name: 'Disable' }));
    expect(await visit(id)).toEqual([410, null]);
    await follow(page.getByRole('button', { name: 'Enable' }));
    expect((await visit(id))[0]).toBe(302);
    await page.getByRole('link', { name: 'Delete' }).click();
    await follow(page.getByRole('button', { name: 'Delete link' }));
    expect(await visit(id)).toEqual([410, null]);
    await page.goto(`${path}/${id}`);
    await follow(page.getByRole('button', { name: 'Restore' }));
    expect((await visit(id))[0]).toBe(302);
  });

  it('are imported after a look at what would become of each row', async () => {
    const { page, account, path } = await openLinks(scripts);
    const slug = `row-${account.clientId.slice(-8)}`;
    const csv = `url,slug\nhttps://example.com/1,${slug}\nnowhere,\n`;
    await page.goto(`${path}/files`);
    await page.getByLabel('File').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await follow(page.getByRole('button', { name: 'Check the file' }));
    expect(await page.getByRole('row').count()).toBe(3);
    expect((await visit(slug))[0]).toBe(404);
    await follow(page.getByRole('button', { name: 'Import 1 link' }));
    expect(await page.getByRole('status').textContent()).toContain('Imported in part: 1 made');
    // The form is not sent again.
    await page.reload();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Import or export');
    expect(await page.getByRole('status').count()).toBe(0);
    expect((await visit(slug))[0]).toBe(302);
  });

  it('have their clicks shown, and their address copied', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await fetch(`${ORIGIN}/${id}`, {
      redirect: 'manual',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    });
    await expect
      .poll(
        async () => {
          await page.goto(`/platform/c/${account.clientId}?days=7`);
          return page.getByRole('table', { name: 'Top links' }).count();
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    await follow(page.getByRole('table', { name: 'Top links' }).getByRole('link'));
    expect(page.url()).toBe(`${ORIGIN}${path}/${id}`);
    expect(await page.getByRole('table', { name: 'Browsers' }).getByRole('row').last().textContent()).toBe(
      'Firefox100',
    );
    const copy = page.getByRole('button', { name: /^Copy localhost/ });
    expect(await copy.count()).toBe(scripts ? 1 : 0);
    if (!scripts) return;
    await copy.click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${ORIGIN}/${id}`);
  });
});

it('an edit on top of somebody else’s is told, and saved only then', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.goto(`${path}/${id}/edit`);
  const other = await page.context().newPage();
  await other.goto(`${path}/${id}/edit`);
  await other.getByLabel('Campaign').fill('Theirs');
  await follow(other.getByRole('button', { name: 'Save' }));
  await page.getByLabel('Target').fill('https://example.com/mine');
  await follow(page.getByRole('button', { name: 'Save' }));
  await page.getByText('Campaign: Theirs').waitFor();
  await inspect(page, 'link-edit-stale');
  expect((await visit(id))[1]).toBe('https://example.com/page');
  await follow(page.getByRole('button', { name: 'Save' }));
  expect((await visit(id))[1]).toBe('https://example.com/mine');
});
