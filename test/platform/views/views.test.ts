import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/accounts/operator.ts';
import { seedCaller, type Caller } from '../../support/forms.ts';
import { form, openBrowser } from '../../support/platform.ts';
import { db, seedLink } from '../../support/seed.ts';

/** The views of the list of links that a workspace has saved. */

const stored = async ({ clientId }: Caller) => {
  const rows = await env.DB.prepare('SELECT id, kind, name, content FROM presets WHERE client_id = ? ORDER BY folded')
    .bind(clientId)
    .all<{ id: string; kind: string; name: string; content: string }>();
  return rows.results;
};
const withoutIds = async (caller: Caller) =>
  (await stored(caller)).map(({ kind, name, content }) => ({ kind, name, content }));

async function open() {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const links = `/platform/c/${caller.clientId}/links`;
  const save = (fields: Readonly<Record<string, string>>) => browse(`${links}/views/new`, form(fields));
  return { caller, browse, links, save };
}

/** A workspace with one view, and its path. */
async function openWithView() {
  const opened = await open();
  await seedLink(opened.caller, { campaign_name: 'Spring' });
  await opened.save({ name: 'Spring', query: 'campaign_name=Spring&sort=clicks' });
  const [view] = await stored(opened.caller);
  return { ...opened, path: `${opened.links}/views/${view!.id}` };
}

/** The names, addresses and states of the tabs above a list. */
const tabsIn = (page: string) =>
  [...(page.split('<ul class="tabs">')[1]?.split('</ul>')[0] ?? '').matchAll(/<a href="([^"]*)"([^>]*)>([^<]*)</g)].map(
    ([, href = '', more = '', name]) => [name, href.split('/links')[1], more.includes('aria-current')],
  );

it('views of the list are saved from the filters of the list, shown above it, and opened', async () => {
  const { caller, browse, links, save } = await open();
  await seedLink(caller, { campaign_name: 'Spring' });
  expect(await (await browse(links)).text()).not.toContain('aria-label="Views"');
  const query = 'sort=clicks&cursor=&campaign_name=Spring&q=';
  const list = await (await browse(`${links}?sort=clicks&campaign_name=Spring`)).text();
  expect(list).toContain(`href="${links}/views/new?campaign_name=Spring&amp;sort=clicks"`);
  const asked = await browse(`${links}/views/new?sort=clicks&campaign_name=Spring`);
  expect([asked.status, await asked.text()]).toEqual([
    200,
    expect.stringContaining('name="query" value="campaign_name=Spring&amp;sort=clicks"'),
  ]);
  const saved = await save({ name: ' Spring  sale ', query });
  expect([saved.status, saved.headers.get('Location')]).toEqual([303, `${links}?campaign_name=Spring&sort=clicks`]);
  expect(await withoutIds(caller)).toEqual([
    { kind: 'view', name: 'Spring  sale', content: 'campaign_name=Spring&sort=clicks' },
  ]);
  const page = await (await browse(saved.headers.get('Location') ?? '')).text();
  expect(tabsIn(page)).toEqual([
    ['All links', '', false],
    ['Spring  sale', '?campaign_name=Spring&amp;sort=clicks', true],
  ]);
  expect(page).toContain('>Edit view</a>');
});

it('views of the list are renamed, take other filters, and are deleted after asking', async () => {
  const { caller, browse, links, save, path } = await openWithView();
  const id = path.split('/').at(-1) ?? '';
  expect((await browse(path, form({ name: 'Sale' }))).headers.get('Location')).toBe(
    `${links}?campaign_name=Spring&sort=clicks`,
  );
  expect(await (await browse(`${links}/views/new?state=expired`)).text()).toContain('Replace “Sale”');
  expect((await save({ view: id, name: '', query: 'state=expired' })).status).toBe(303);
  expect(await stored(caller)).toEqual([{ id, kind: 'view', name: 'Sale', content: 'state=expired' }]);
  expect(await (await browse(`${path}/delete`)).text()).toContain('Delete the view Sale?');
  expect((await browse(`${path}/delete`, form({}))).headers.get('Location')).toBe(links);
  expect(await stored(caller)).toEqual([]);
  expect((await browse(path)).status).toBe(404);
});

describe('views that are refused', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['without a name', { name: '', query: 'state=expired' }, 'This is required.'],
    ['with a name of 51 characters', { name: 'x'.repeat(51), query: 'state=expired' }, 'at most 50 characters'],
    ['with an invisible name', { name: '\u200b', query: 'state=expired' }, 'not only invisible ones'],
    ['with a filter that the list does not have', { name: 'A', query: 'colour=red' }, 'colour'],
    ['with a value that the list does not take', { name: 'A', query: 'state=none' }, 'state'],
    ['without filters', { name: 'A', query: '' }, 'Choose a filter'],
    ['with filters of more than 2 KB', { name: 'A', query: `q=${'x'.repeat(2048)}` }, 'too long'],
  ])('views are refused with %s', async (_, fields, sentence) => {
    const { caller, save } = await open();
    const answer = await save(fields);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(sentence)]);
    expect(await stored(caller)).toEqual([]);
  });

  it('views are refused with a name that another one has, in any case', async () => {
    const { caller, browse, save, path } = await openWithView();
    const answer = await save({ name: 'SPRING', query: 'state=expired' });
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('is used already')]);
    await save({ name: 'Other', query: 'state=expired' });
    expect((await browse(path, form({ name: 'other' }))).status).toBe(409);
    expect((await withoutIds(caller)).map(({ name }) => name)).toEqual(['Other', 'Spring']);
  });

  it('views are refused when a workspace has 50', async () => {
    const { caller, save } = await open();
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 50)
       INSERT INTO presets (client_id, kind, name, folded, content, created_at) SELECT ?, 'view', n, n, 'q=a', 1 FROM n`,
    )
      .bind(caller.clientId)
      .run();
    const answer = await save({ name: 'One more', query: 'state=expired' });
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('The limit of 50 is reached')]);
    expect(await stored(caller)).toHaveLength(50);
  });
});

describe('the members who see a view', () => {
  it('views belong to all members of one workspace, and to no other workspace', async () => {
    const { caller, path } = await openWithView();
    const stranger = await open();
    const theirs = path.replace(caller.clientId, stranger.caller.clientId);
    for (const place of [path, theirs]) {
      for (const [at, init] of [
        ['', {}],
        ['', form({ name: 'Mine' })],
        ['/delete', {}],
        ['/delete', form({})],
      ] as const) {
        expect((await stranger.browse(`${place}${at}`, init)).status).toBe(404);
      }
    }
    const replaced = await stranger.save({ view: path.split('/').at(-1) ?? '', name: 'Mine', query: 'state=expired' });
    expect(replaced.status).toBe(404);
    expect(await (await stranger.browse(stranger.links)).text()).not.toContain('Spring');
    expect(await withoutIds(caller)).toEqual([
      { kind: 'view', name: 'Spring', content: 'campaign_name=Spring&sort=clicks' },
    ]);
  });

  it('views can be seen and changed by another member of the workspace', async () => {
    const { caller, path } = await openWithView();
    const member = await seedCaller();
    await addMember(db, member.userName, caller.clientId);
    const { browse } = await openBrowser(member);
    expect((await browse(path, form({ name: 'Ours' }))).status).toBe(303);
    expect((await withoutIds(caller)).map(({ name }) => name)).toEqual(['Ours']);
  });
});
