import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { seedCaller } from '../../support/forms.ts';
import { browse, cookiesOf, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { db } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** The paths of the navigation beside a page. */
const navigationIn = (page: string) =>
  [...(/<nav class="nav".*?<\/nav>/s.exec(page)?.[0] ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => href);

describe('the account page', () => {
  it('the account page has the navigation of the only workspace, and sets no cookie for that', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const home = `/platform/c/${caller.clientId}`;
    const overview = await browse(home);
    expect(cookiesOf(overview)).not.toHaveProperty('__Host-terse-workspace');
    const account = await textOf(browse('/platform/account'));
    expect(navigationIn(account)).toEqual(navigationIn(await overview.text()));
    expect(navigationIn(account)).toContain(`${home}/links`);
    expect(navigationIn(await textOf(browse('/platform/account/delete')))).toContain(`${home}/links`);
  });

  it('the account page has the navigation of the workspace that was opened last, to which the first page leads too', async () => {
    const [caller, other] = [await seedCaller(), await seedCaller()];
    await addMember(db, caller.userName, other.clientId, 'member');
    const { cookie, browse: open } = await openBrowser(caller);
    for (const clientId of [other.clientId, caller.clientId]) {
      const home = `/platform/c/${clientId}`;
      const kept = cookiesOf(await open(`${home}/links`))['__Host-terse-workspace'];
      expect(kept?.slice(0, 1)).toEqual([clientId]);
      const later = browse(`${cookie}; __Host-terse-workspace=${clientId}`);
      expect(navigationIn(await textOf(later('/platform/account')))).toContain(`${home}/links`);
      expect(placeOf(await later('/platform'))).toEqual([303, home]);
      expect(cookiesOf(await later(home))).not.toHaveProperty('__Host-terse-workspace');
    }
    const strange = browse(`${cookie}; __Host-terse-workspace=no-such-workspace`);
    expect(navigationIn(await textOf(strange('/platform/account')))).not.toEqual([]);
  });

  it('the account page of a user without a workspace has no navigation', async () => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    await db.batch([{ sql: 'DELETE FROM members WHERE user_id = ?1', params: [caller.userId] }]);
    const page = await browse('/platform/account');
    expect([page.status, navigationIn(await page.text())]).toEqual([200, []]);
  });
});

it.each(['', '/factors', '/factors/app', '/passkeys', '/passwords', '/applications', '/history'])(
  'the page /platform/account%s has the navigation of the workspace',
  async (path) => {
    const caller = await seedCaller();
    const { browse } = await openBrowser(caller);
    const page = await (await browse(`/platform/account${path}`)).text();
    expect(page).toContain(`href="/platform/c/${caller.clientId}/links"`);
  },
);

it.each([
  ['factors', 'platform', 'two-step-sign-in'],
  ['passkeys', 'platform', 'passkeys'],
  ['passwords', 'api', 'authentication'],
  ['applications', 'mcp', 'by-oauth'],
])('the page of %s leads to its guide, and back to the account', async (path, guide, section) => {
  const { browse: open } = await openBrowser(await seedCaller());
  const page = await textOf(open(`/platform/account/${path}`));
  expect(page).toContain(`<a href="/docs/${guide}#${section}">Docs</a>`);
  expect(page).toContain('<p class="crumb"><a href="/platform/account">Account</a></p>');
  expect(await textOf(call(`/docs/${guide}`))).toContain(`id="${section}"`);
});
