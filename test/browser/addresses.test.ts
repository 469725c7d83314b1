import { describe, expect, it } from 'vitest';
import { follow, type Page, menuOf, leave } from './support/browser.ts';
import { make, openLinks, seedClicks } from './support/links.ts';

/** The address after a form that leads to one has been sent: only what was filled in or chosen is in it. */

const emptyIn = (page: Page) => [...new URL(page.url()).searchParams].filter(([, value]) => value === '');

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('%s', (_, scripts) => {
  it('a search has only its text in the address, and its filters later', async () => {
    const { page, account, path } = await openLinks(scripts);
    for (let i = 0; i < 3; i++) await make(account, { title: 'Spring sale', campaign_name: 'Spring' });
    await page.goto(path);
    await page.getByRole('searchbox').fill('sale');
    await leave(page, () => page.getByRole('searchbox').press('Enter'));
    expect(new URL(page.url()).search).toBe('?q=sale');
    await menuOf(page, 'Campaign').click();
    await page.getByRole('combobox', { name: 'Campaign' }).fill('Spring');
    await leave(page, () => page.getByRole('combobox', { name: 'Campaign' }).press('Enter'));
    expect(new URL(page.url()).search).toBe('?q=sale&campaign_name=Spring');
    expect(await page.locator('.link-row').count()).toBe(3);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').press('Enter');
    await page.waitForURL((url) => url.search === '?campaign_name=Spring');
    await menuOf(page, 'Newest').click();
    await follow(page.getByRole('link', { name: 'Last click' }));
    expect(emptyIn(page)).toEqual([]);
  });

  it.each([
    ['', 'Choose days', 'Show'],
    ['/links/ID/try', null, 'Try it'],
    ['/campaigns/Spring/rename', null, 'Continue'],
  ])('the form of %s leaves out what is empty', async (below, fold, button) => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account, { campaign_name: 'Spring' });
    seedClicks(account, [id]);
    await page.goto(path.replace(/\/links$/, below.replace('ID', id)));
    if (fold !== null) await page.locator('summary', { hasText: fold }).click();
    const name = page.getByLabel('New name');
    if (below.endsWith('rename')) await name.fill('');
    await follow(page.getByRole('button', { name: button, exact: true }));
    expect(page.url()).toContain('?');
    expect(emptyIn(page)).toEqual([]);
    if (below.endsWith('rename')) expect(await page.locator('#fault-name').count()).toBe(1);
  });
});
