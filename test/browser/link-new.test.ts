import { describe, expect, it } from 'vitest';
import { follow, inspect, ORIGIN } from './support/browser.ts';
import { CREATE, DESTINATION, make, openLinks } from './support/links.ts';

const HOST = ORIGIN.replace('http://', '');

describe.each([
  ['with scripts', true],
  ['without scripts', false],
])('the form of a new link %s', (_, scripts) => {
  it('the form of a new link has the destination, the slug with its short link, and Create in sight; options are closed', async () => {
    const { page, account, path } = await openLinks(scripts);
    await make(account, { url: 'https://example.com/twice' });
    await make(account, { url: 'https://example.com/twice' });
    await page.goto(`${path}/new`);
    expect(await page.locator('details.option[open]').count()).toBe(0);
    const slug = `new-${account.clientId.slice(-8)}`;
    const said = page.locator('#short-url');
    expect(await said.textContent()).toBe(`The short link will be ${HOST}/… with a generated slug.`);
    await page.getByLabel(DESTINATION).fill('https://example.com/twice');
    await page.getByLabel('Slug').fill(slug);
    if (scripts) {
      await page.getByText(`The short link will be ${HOST}/${slug}.`).waitFor();
      await page.getByRole('link', { name: '2 links lead here already' }).waitFor();
      await inspect(page, 'link-new-same');
    }
    const create = page.getByRole('button', CREATE);
    expect(await create.textContent()).toBe('Create and copy');
    const { y, height } = (await create.boundingBox())!;
    expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height);
    await page.getByLabel('Title', { exact: false }).first().fill('Twice');
    await follow(create);
    expect(await page.getByRole('status').first().textContent()).toContain(
      'The link has been created. Other links lead to the same destination: see its details.',
    );
    await follow(page.getByRole('link', { name: 'Details' }));
    await follow(page.getByRole('link', { name: 'All links to this destination' }));
    expect(await page.locator('.link-row').count()).toBe(3);
    if (scripts) await inspect(page, 'links-to-destination');
  });
});

it.each([
  ['a computer', 1280, 800],
  ['a phone', 390, 844],
  ['a computer at a zoom of 200 percent', 640, 400],
])('the form of a link has Save in sight on %s', async (_, width, height) => {
  const { page, account, path } = await openLinks();
  const id = await make(account);
  await page.setViewportSize({ width, height });
  await page.goto(`${path}/${id}/edit`);
  await page.locator('summary', { hasText: 'Start and end' }).click();
  const save = page.getByRole('button', { name: 'Save', exact: true });
  for (const at of ['start', 'end']) {
    await page.evaluate(`scrollTo(0, ${at === 'start' ? 0 : 'document.body.scrollHeight'})`);
    const { y, height: tall } = (await save.boundingBox())!;
    expect({ at, isInSight: y >= 0 && y + tall <= height }).toEqual({ at, isInSight: true });
  }
});
