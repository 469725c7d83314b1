import { describe, expect, it } from 'vitest';
import { follow, inspect, ORIGIN } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

const HOST = ORIGIN.replace('http://', '');

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('the form of a new link %s', (_, scripts) => {
  it('the form of a new link has the destination, the slug with its short link, and Create; the rest is folded', async () => {
    const { page, account, path } = await openLinks(scripts);
    await make(account, { url: 'https://example.com/twice' });
    await make(account, { url: 'https://example.com/twice' });
    await page.goto(`${path}/new`);
    expect(await page.locator('details.fold[open]').count()).toBe(0);
    const slug = `new-${account.clientId.slice(-8)}`;
    const said = page.locator('#short-url');
    expect(await said.textContent()).toBe(`The short link will be ${HOST}/… with a generated slug.`);
    await page.getByLabel('Destination', { exact: true }).fill('https://example.com/twice');
    await page.getByLabel('Slug').fill(slug);
    if (scripts) {
      await page.getByText(`The short link will be ${HOST}/${slug}.`).waitFor();
      await page.getByRole('link', { name: '2 links lead here already' }).waitFor();
      await inspect(page, 'link-new-same');
    }
    expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(1);
    await page.locator('summary', { hasText: 'Details' }).click();
    await page.getByLabel('Title').first().fill('Twice');
    expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(2);
    await follow(page.getByRole('button', { name: 'Create link' }).last());
    expect(await page.getByRole('status').first().textContent()).toBe(
      'The link has been created. Other links lead to the same destination: see its details.',
    );
    await follow(page.getByRole('link', { name: 'Details' }));
    await follow(page.getByRole('link', { name: 'All links to this destination' }));
    expect(await page.getByText('3 links', { exact: true }).count()).toBe(1);
    if (scripts) await inspect(page, 'links-to-destination');
  });
});
