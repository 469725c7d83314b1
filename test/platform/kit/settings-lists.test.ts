import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seedClaim } from '../../support/domains.ts';
import { seedCaller } from '../../support/forms.ts';
import { seedKey, seedMember } from '../../support/management.ts';
import { openBrowser, textOf } from '../../support/platform.ts';
import { seedWebhookRow } from '../../support/webhook-owners.ts';

/** What the pages of members, keys, webhooks and domains have in common. */

const LONG = 'a name that is much longer than a row '.repeat(3).slice(0, 64);

/** A workspace with a thing of each kind, and the user's browser. */
async function openFull(role: 'owner' | 'member' = 'owner') {
  const owner = await seedCaller();
  const member = await seedMember(owner);
  await seedKey(role === 'owner' ? owner : member, undefined, LONG);
  await seedWebhookRow(owner.clientId, { url: 'https://hooks.example/' });
  const claim = await seedClaim(owner);
  const { browse } = await openBrowser(role === 'owner' ? owner : member);
  return { browse, claim, member, path: `/platform/c/${owner.clientId}` };
}

/** The rows of a page: its name, its badges, its facts, and what its menu offers. */
const rowsIn = (page: string) =>
  [...page.matchAll(/<li class="setting">(.*?)<\/details><\/li>/gs)].map(([, row = '']) => ({
    name: /class="cut"[^>]* title="([^"]*)"/.exec(row)?.[1] ?? '',
    hasFacts: row.includes('<div class="setting-facts cut">'),
    menu: /<span class="unseen">Actions for ([^<]*): </.exec(row)?.[1] ?? '',
    acts: [...row.matchAll(/<a href="([^"]+)"[^>]*><svg.*?<\/svg>([^<]+)/gs)].map(([, href, label]) => [label, href]),
  }));

const PAGES = [
  ['members', 'Members', 'Invite member', 'members/invite', 'Remove'],
  ['keys', 'API keys', 'Create API key', 'keys/new', 'Revoke'],
  ['webhooks', 'Webhooks', 'Create webhook', 'webhooks/new', 'Delete'],
  ['domains', 'Domains', 'Add domain', 'domains/new', 'Remove'],
] as const;

describe.each(PAGES)('the list of settings at %s', (at, title, action, form, end) => {
  it(`the list at ${at} has a heading with the count, a sentence, one action, and rows with menus`, async () => {
    const { browse, path } = await openFull();
    const page = await textOf(browse(`${path}/${at}`));
    const [, count] = new RegExp(`<h1>${title} <span class="setting-count">(\\d+)</span></h1>`).exec(page) ?? [];
    expect(page).toMatch(/<p class="lead">[^<]+\.<\/p>/);
    expect(page.match(/class="button primary"[^>]*>([^<]+)/g)).toEqual([
      expect.stringMatching(new RegExp(`href="${path}/${form}".*>${action}$`)),
    ]);
    const rows = rowsIn(page);
    expect(rows).toHaveLength(Number(count));
    for (const { name, hasFacts, menu, acts } of rows) {
      expect([name, hasFacts, menu]).toEqual([expect.stringMatching(/./), true, name]);
      // Each leads to a page that is there; what ends a thing asks first.
      for (const [label, href = ''] of acts) expect([label, (await browse(href)).status]).toEqual([label, 200]);
    }
    expect(rows.some(({ acts }) => acts.at(-1)?.[0] === end)).toBe(true);
    expect(page).not.toContain('<table');
  });
});

it('the lists of settings offer a member only what a member can do', async () => {
  const { browse, path, claim } = await openFull('member');
  const domains = await textOf(browse(`${path}/domains`));
  expect(domains).not.toContain('Add domain');
  expect(rowsIn(domains)).toMatchObject([{ acts: [['Set up', `${path}/domains/${claim.id}#setup`]] }]);
  const [key] = rowsIn(await textOf(browse(`${path}/keys`)));
  expect(key?.acts.map(([label]) => label)).toEqual(['Rename', 'Roll', 'Revoke']);
});

it('the lists of settings offer of a key that has ended only what can still be done', async () => {
  const { browse, path } = await openFull();
  await env.DB.prepare('UPDATE api_keys SET revoked_at = 1').run();
  const rows = rowsIn(await textOf(browse(`${path}/keys`)));
  expect(rows.map(({ acts }) => acts.map(([label]) => label))).toEqual(rows.map(() => ['Rename']));
});
