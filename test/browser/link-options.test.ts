import { describe, expect, it } from 'vitest';
import { follow, inspect, ORIGIN, type Page } from './support/browser.ts';
import { make, openLinks } from './support/links.ts';

const RULES = [
  { name: 'Phones', if: [{ type: 'device', in: ['mobile', 'tablet'] }], url: 'https://example.com/app' },
  {
    name: 'Berlin by day',
    if: [
      { type: 'hours', days: ['mon', 'fri'], from: '09:00', until: '17:00', tz: 'Europe/Berlin' },
      { type: 'query', name: 'ref', in: ['a', 'b, c'], not: true },
      { type: 'date', from: '2027-01-01T00:00:00Z', until: '2027-02-01T00:00:00Z' },
    ],
    url: `https://example.com/${'a-rather-long-path/'.repeat(10)}`,
  },
];
const VARIANTS = [
  { name: 'A', url: 'https://example.com/a', weight: 30 },
  { name: 'B', url: 'https://example.com/b', weight: 70 },
];

/** The id of what has the focus. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id');

const rule = (page: Page, number: number) => page.getByRole('group', { name: `Rule ${number}`, exact: true });

/** Presses the key that presses the button with the focus, and waits until it has done its work. */
async function press(page: Page, scripts: boolean, key: string, focus: string): Promise<void> {
  await (scripts ? page.keyboard.press(key) : Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]));
  await expect.poll(() => focused(page)).toBe(focus);
}

describe.each([
  ['with scripts', true],
  ['with scripts off', false],
])('the rules of a link, %s', (_, scripts) => {
  it('the rules of a link are added, ordered and removed by the keyboard', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account);
    await page.goto(`${path}/${id}/edit`);
    await page.locator('summary', { hasText: 'Comments' }).press('Enter');
    await page.getByLabel('Comments').fill('not lost');
    await page.locator('summary', { hasText: 'Rules' }).press('Enter');
    await page.getByRole('button', { name: 'Add a rule' }).focus();
    await press(page, scripts, 'Enter', 'field-rules.0.name');
    await page.keyboard.type('Austria');
    await rule(page, 1).getByLabel('Destination').fill('https://example.com/at');
    await rule(page, 1).getByLabel('Values').fill('at');
    await page.getByRole('button', { name: 'Add a rule' }).focus();
    await press(page, scripts, 'Enter', 'field-rules.1.name');
    await page.keyboard.type('Phones');
    await rule(page, 2).getByLabel('Destination').fill('https://example.com/app');
    await rule(page, 2).getByLabel('Condition', { exact: true }).selectOption('device');
    await rule(page, 2).getByLabel('Values').fill('mobile');
    await rule(page, 2).getByRole('button', { name: 'Move up: rule 2' }).focus();
    await press(page, scripts, 'Enter', 'rules.0.down');
    await rule(page, 1).getByRole('button', { name: 'Add a condition' }).focus();
    await press(page, scripts, 'Enter', 'field-rules.0.if.1.type');
    await rule(page, 1).getByRole('button', { name: 'Remove condition 2' }).focus();
    await press(page, scripts, 'Enter', 'rules.0.if.add');
    expect(await page.getByLabel('Comments').inputValue()).toBe('not lost');
    // Enter in a field saves the form.
    await Promise.all([page.waitForEvent('load'), page.locator('#field-title').press('Enter')]);
    expect(await page.getByRole('status').textContent()).toBe('The link has been saved.');
    const response = await fetch(`${ORIGIN}/v1/links/${id}`, { headers: { 'X-API-Key': account.apiKey } });
    expect(await response.json()).toMatchObject({
      comments: 'not lost',
      rules: [
        { name: 'Phones', if: [{ type: 'device', in: ['mobile'] }], url: 'https://example.com/app' },
        { name: 'Austria', if: [{ type: 'country', in: ['AT'] }], url: 'https://example.com/at' },
      ],
    });
  });

  it('the rules of a link have other inputs after another type is chosen', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account, { rules: RULES, variants: VARIANTS });
    await page.goto(`${path}/${id}/edit`);
    await page.locator('summary', { hasText: 'Rules' }).click();
    await rule(page, 1).getByLabel('Condition', { exact: true }).selectOption('hours');
    if (!scripts) await follow(page.getByRole('button', { name: 'Update condition 1 of rule 1' }));
    await rule(page, 1).getByLabel('From').fill('22:00');
    await rule(page, 1).getByLabel('Until').fill('06:00');
    expect(await rule(page, 1).getByLabel('Time zone').inputValue()).toBe('UTC');
    await page.locator('summary', { hasText: 'A/B test' }).click();
    expect(await page.getByRole('button', { name: /^Update/ }).count()).toBe(scripts ? 0 : 5);
    const variant = page.getByRole('group', { name: 'Variant A' });
    await variant.getByLabel('Weight').fill('70');
    await variant.getByLabel('Name').focus();
    if (!scripts) await follow(page.getByRole('button', { name: 'Update the shares' }));
    await expect.poll(() => variant.getByRole('status').textContent()).toBe('50%');
    await follow(page.getByRole('button', { name: 'Save' }));
    await page.getByText('from 22:00 until 06:00').first().waitFor();
  });

  it('the rules of a link show an error beside its input, in a part that is open', async () => {
    const { page, account, path } = await openLinks(scripts);
    const id = await make(account, { rules: RULES });
    await page.goto(`${path}/${id}/edit`);
    await page.locator('summary', { hasText: 'Rules' }).click();
    await rule(page, 1).getByLabel('Values').fill('mobile, toaster');
    await follow(page.getByRole('button', { name: 'Save' }));
    await rule(page, 1).getByText('This must be one of mobile, tablet, desktop.').waitFor();
    expect(await rule(page, 1).getByText('This rule has an error.').count()).toBe(1);
    await page
      .getByRole('alert')
      .getByRole('link', { name: /^Rule 1, condition 1, Values/ })
      .click();
    expect(await focused(page)).toBe('field-rules.0.if.0.in');
    expect(await page.locator('details', { hasText: 'Move down' }).getAttribute('open')).toBe('');
    expect(await page.locator('input[name="rules.0.if.0.in"]').inputValue()).toBe(
      scripts ? 'mobile, tablet, toaster' : 'mobile, toaster',
    );
    // What examines a page is a script.
    if (scripts) await inspect(page, 'link-rules-fault');
  });
});

it('shows all options, folded and open', async () => {
  const { page, account, path } = await openLinks();
  await page.goto(`${path}/new`);
  await inspect(page, 'link-options-folded');
  const id = await make(account, {
    rules: RULES,
    variants: VARIANTS,
    starts_at: '2099-01-01T00:00:00Z',
    expires_at: '2100-01-01T00:00:00Z',
    max_clicks: 500,
    password: 'open sesame',
    redirect_status: 301,
    preview: { title: 'Spring sale', description: 'All of it.', image: 'https://example.com/a.png' },
  });
  await page.goto(`${path}/${id}/edit`);
  await inspect(page, 'link-options-open');
  await page.goto(`${path}/${id}`);
  await inspect(page, 'link-options-facts');
});

it('the words of an option are not cut on a phone: they take more lines', async () => {
  const { page, account, path } = await openLinks();
  const id = await make(account, { campaign_name: 'Spring 2026', tags: ['print', 'summer', 'Zürich'] });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${path}/${id}/edit`);
  const state = page.locator('summary', { hasText: 'Campaign and tags' }).locator('.option-state');
  expect(await state.textContent()).toContain('Zürich');
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.option-state, .is-set')]
      .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth || scrollHeight > clientHeight)
      .map(({ textContent }) => textContent)`,
  );
  expect(cut).toEqual([]);
});
