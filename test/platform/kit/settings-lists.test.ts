import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seedClaim } from '../../support/domains.ts';
import { seedCaller } from '../../support/forms.ts';
import { seedKey, seedMember } from '../../support/management.ts';
import { openBrowser, openKeys, textOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { seedWebhookRow } from '../../support/webhook-owners.ts';

/** What the pages of members, keys, webhooks, domains, tags and UTM templates have in common. */

const LONG = 'a name that is much longer than a row '.repeat(3).slice(0, 64);

/** A workspace with a thing of each kind, and the user's browser. */
async function openFull(role: 'owner' | 'member' = 'owner') {
  const owner = await seedCaller();
  const member = await seedMember(owner);
  await seedKey(role === 'owner' ? owner : member, undefined, LONG);
  await seedWebhookRow(owner.clientId, { url: 'https://hooks.example/' });
  const claim = await seedClaim(owner);
  await seedLink(owner, { tags: 'Print <b>' });
  await env.DB.prepare(
    `INSERT INTO presets (id, client_id, kind, name, folded, content, created_at)
     VALUES (?1 || '-utm', ?1, 'utm', 'Spring', 'spring', 'utm_source=news+letter&utm_medium=e-mail', 1)`,
  )
    .bind(owner.clientId)
    .run();
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
  ['tags', 'Tags', 'Create tag', 'tags/new', 'Delete'],
  ['links/utm-templates', 'UTM templates', 'Create UTM template', 'links/utm-templates/new', 'Delete'],
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

it('the lists of settings say which links have a tag, and which parameters a template has', async () => {
  const { browse, path } = await openFull();
  const tags = await textOf(browse(`${path}/tags`));
  expect(tags).toMatch(/<span class="dot dot-\w+" aria-hidden="true"><\/span><bdi>Print &lt;b&gt;<\/bdi>/);
  expect(tags).toContain(`href="${path}/links?tag=Print+%3Cb%3E" aria-label="1 link with the tag Print &lt;b&gt;"`);
  const templates = await textOf(browse(`${path}/links/utm-templates`));
  expect(templates).toContain('Source: <bdi>news letter</bdi> · Medium: <bdi>e-mail</bdi>');
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

describe('a list of settings with many names', () => {
  /** A workspace with sixty further keys. */
  async function openMany() {
    const { caller, browse, keys } = await openKeys();
    const insert = env.DB.prepare(
      `INSERT INTO api_keys (id, client_id, user_id, name, secret_hash, created_at) VALUES (?1 || ?2, ?1, ?3, ?4, 'x', ?2)`,
    );
    const names = Array.from({ length: 60 }, (_, n) => `Schlüssel ${n}.`);
    await env.DB.batch(names.map((name, n) => insert.bind(caller.clientId, n, caller.userId, name)));
    return { browse, keys };
  }
  const namesIn = (page: string) => rowsIn(page).map(({ name }) => name);

  it('a list of settings with many names is filtered by a part of the name in any case, and page by page', async () => {
    const { browse, keys } = await openMany();
    const all = await textOf(browse(keys));
    expect(all).toContain('<span class="setting-count">50+</span>');
    expect(all).toContain('role="search"');
    const some = await textOf(browse(`${keys}?q=SCHL%C3%9CSSEL+5`));
    expect(some).toContain('<span class="setting-count">11</span>');
    expect(some).toContain('name="q" value="SCHLÜSSEL 5"');
    expect(namesIn(some)).toEqual([...Array.from({ length: 10 }, (_, n) => `Schlüssel ${59 - n}.`), 'Schlüssel 5.']);
    const none = await textOf(browse(`${keys}?q=%25`));
    expect(none).toContain('No name contains that text.');
    expect(none).toContain('<a class="button quiet" href="?">Show all</a>');
    const long = await textOf(browse(`${keys}?q=.`));
    const next = (/href="([^"]+)" rel="next"/.exec(long)?.[1] ?? '').replace('&amp;', '&');
    expect(next).toContain('?q=.&cursor=');
    const second = await textOf(browse(next));
    expect(namesIn(second)).toEqual(Array.from({ length: 10 }, (_, n) => `Schlüssel ${9 - n}.`));
    expect(second).toContain(`href="${keys}?q=."`);
    expect((await browse(next.replace('q=.', 'q=5'))).status).toBe(400);
  });

  it('a list of settings with many names filters members by their names, and domains by their hosts', async () => {
    const { browse, path, member, claim } = await openFull();
    const found = await textOf(browse(`${path}/members?q=${member.userName.toUpperCase()}`));
    expect(namesIn(found)).toEqual([member.userName]);
    expect(namesIn(await textOf(browse(`${path}/domains?q=${claim.host.slice(1, 9)}`)))).toEqual([claim.host]);
    expect(namesIn(await textOf(browse(`${path}/domains?q=nothing-has-it`)))).toEqual([]);
  });

  it('a list of settings with few names has no filter', async () => {
    const { browse, path } = await openFull();
    for (const [at] of PAGES) expect(await textOf(browse(`${path}/${at}`))).not.toContain('role="search"');
  });
});
