import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { TAG_COLOURS } from '../../../src/links/tags/names.ts';
import { deliver, packOf } from '../../support/clicks.ts';
import { seedCaller } from '../../support/forms.ts';
import { manyLinks } from '../../support/link-lists.ts';
import { form, openBrowser, placeOf, textOf } from '../../support/platform.ts';
import { seedLink } from '../../support/seed.ts';
import { hrefOf, peopleOf } from '../../support/statistics-page.ts';

async function open() {
  const caller = await seedCaller();
  const { browse } = await openBrowser(caller);
  const path = `/platform/c/${caller.clientId}/tags`;
  const idOf = async (name: string) =>
    env.DB.prepare('SELECT id FROM tags WHERE client_id = ? AND name = ?').bind(caller.clientId, name).first('id');
  return { caller, browse, path, idOf };
}

const tagsOf = async (clientId: string) => {
  const found = env.DB.prepare('SELECT name, colour FROM tags WHERE client_id = ? ORDER BY folded').bind(clientId);
  return (await found.all<{ name: string; colour: string }>()).results.map(({ name, colour }) => [name, colour]);
};

describe('the tags of a workspace', () => {
  it('the tags of a workspace are listed with their colour and their links, and one can be created', async () => {
    const { caller, browse, path, idOf } = await open();
    expect(await textOf(browse(path))).toContain('No tags yet');
    expect(placeOf(await browse(`${path}/new`, form({ name: 'אביב <b>', colour: 'teal' })))).toEqual([303, path]);
    expect((await browse(`${path}/new`, form({ name: 'By its name', colour: '' }))).status).toBe(303);
    await seedLink(caller, { tags: 'By its name' });
    const page = await textOf(browse(path));
    expect(page).toContain(`href="${path}/${String(await idOf('אביב <b>'))}"`);
    expect(page).toContain('<span class="dot dot-teal" aria-hidden="true"></span><bdi>אביב &lt;b&gt;</bdi>');
    const links = await textOf(browse(hrefOf(page, '1 link with the tag By its name')));
    expect(links).toContain('1 link</p>');
    expect((await tagsOf(caller.clientId))[1]).toEqual(['אביב <b>', 'teal']);
  });

  it('the tags of a workspace have pages that say the next step while there are no links, and while there are no clicks', async () => {
    const { caller, browse, path, idOf } = await open();
    await browse(`${path}/new`, form({ name: 'Autumn', colour: '' }));
    const links = `/platform/c/${caller.clientId}/links`;
    const tagPage = `${path}/${String(await idOf('Autumn'))}`;
    const empty = await textOf(browse(tagPage));
    expect(empty).toContain('Select links in the list, and give them this tag.');
    expect(empty).toContain(`href="${links}">Select links</a>`);
    await seedLink(caller, { tags: 'Autumn' });
    const waiting = await textOf(browse(tagPage));
    expect(waiting).toContain('Share the short links that have this tag.');
    expect(waiting).toContain(`href="${links}?tag=Autumn">Show links</a>`);
  });

  it.each([
    [{ name: '' }, 400, 'required'],
    [{ name: 'a,b' }, 400, 'comma'],
    [{ name: 'x'.repeat(200) }, 400, '50 characters'],
    [{ name: 'ONE' }, 409, 'already exists'],
    [{ name: 'two', colour: 'pink' }, 400, 'must be one of'],
  ])('the tags of a workspace are not created with %j', async (fields, status, sentence) => {
    const { caller, browse, path } = await open();
    await browse(`${path}/new`, form({ name: 'one' }));
    const refused = await browse(`${path}/new`, form(fields));
    const page = await refused.text();
    expect([refused.status, page.includes(sentence)]).toEqual([status, true]);
    expect(page).toContain(`value="${fields.name}"`);
    expect(await tagsOf(caller.clientId)).toHaveLength(1);
  });

  it('the tags of a workspace are offered by the filters of the list, whose rows show their colours, as the page of a link does', async () => {
    const { caller, browse, path } = await open();
    await browse(`${path}/new`, form({ name: 'Summer', colour: 'purple' }));
    const { id } = await seedLink(caller, { tags: 'Summer' });
    const page = await textOf(browse(`/platform/c/${caller.clientId}/links/${id}`));
    expect(page).toContain('<span class="dot dot-purple" aria-hidden="true"></span>Summer</a>');
    const list = await textOf(browse(`/platform/c/${caller.clientId}/links`));
    expect(list).toContain('<datalist id="tags"><option value="Summer"></option></datalist>');
    expect(list).toContain('<span class="dot dot-purple" aria-hidden="true"></span><span class="cut">Summer</span>');
    expect(hrefOf(await textOf(browse(path)), 'Tags')).toBe(path);
    expect(await textOf(browse(`/platform/c/${caller.clientId}/links?tag=summer`))).toContain('1 link</p>');
  });
});

describe('the page of a tag', () => {
  it('the page of a tag has the clicks on the links that have it now, also former ones, and leads to them', async () => {
    const { caller, browse, path, idOf } = await open();
    const [one, other] = [await seedLink(caller, { tags: 'a, b' }), await seedLink(caller, { tags: 'b' })];
    await deliver([packOf(one, 3), packOf(other, 4)]);
    const [a, b] = [await idOf('a'), await idOf('b')].map(String);
    expect(peopleOf(await textOf(browse(`${path}/${a}`)))).toBe(3);
    const page = await textOf(browse(`${path}/${b}?card=links`));
    expect(peopleOf(page)).toBe(7);
    expect(page).toContain(`links/${one.id}`);
    expect(await textOf(browse(hrefOf(page, '2 links')))).toContain('2 links</p>');
    expect(peopleOf(await textOf(browse(`${path}/${b}?link=${one.id}`)))).toBe(3);
    const csv = await browse(`${path}/${b}?csv=link`);
    expect((await csv.text()).split('\r\n').slice(1, 3).toSorted()).toEqual(
      [`"${one.id}",3,3,0,0`, `"${other.id}",4,4,0,0`].toSorted(),
    );
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(one.id).run();
    expect(peopleOf(await textOf(browse(`${path}/${b}`)))).toBe(4);
    expect((await browse(`${path}/${a}`)).status).toBe(200);
  });

  it('the page of a tag counts the newest 1,000 links of more, and says so', async () => {
    const { caller, browse, path, idOf } = await open();
    await seedLink(caller, { tags: 'many' });
    await manyLinks(caller, 1001, (index) => `https://example.com/${index}`);
    const id = String(await idOf('many'));
    await env.DB.prepare(
      `INSERT INTO link_tags SELECT id, ?1, created_at FROM links WHERE client_id = ?2 AND id LIKE 'many%'`,
    )
      .bind(id, caller.clientId)
      .run();
    const response = await browse(`${path}/${id}`);
    expect([response.status, (await response.text()).includes('of which the newest 1,000 are counted')]).toEqual([
      200,
      true,
    ]);
  });

  it('the page of a tag renames it, changes its colour, and deletes it after a confirmation with the number of its links', async () => {
    const { caller, browse, path, idOf } = await open();
    const link = await seedLink(caller, { tags: 'a' });
    await browse(`${path}/new`, form({ name: 'taken' }));
    const id = String(await idOf('a'));
    for (const colour of TAG_COLOURS) {
      expect(placeOf(await browse(`${path}/${id}`, form({ name: 'b', colour })))).toEqual([303, `${path}/${id}`]);
      expect(await textOf(browse(`${path}/${id}`))).toContain(`dot dot-${colour}`);
    }
    expect(await tagsOf(caller.clientId)).toEqual([
      ['b', 'purple'],
      ['taken', expect.any(String)],
    ]);
    const refused = await browse(`${path}/${id}`, form({ name: 'TAKEN', colour: 'red' }));
    expect([refused.status, (await refused.text()).includes('value="TAKEN"')]).toEqual([409, true]);
    expect(await textOf(browse(`${path}/${id}/delete`))).toContain('is removed from 1 link.');
    expect(placeOf(await browse(`${path}/${id}/delete`, form({})))).toEqual([303, path]);
    expect((await browse(`${path}/${id}`)).status).toBe(404);
    const left = env.DB.prepare('SELECT count(*) AS count FROM link_tags WHERE link_id = ?').bind(link.id);
    expect(await left.first('count')).toBe(0);
  });

  it('the page of a tag is not there in another workspace, and its forms change nothing of it', async () => {
    const [{ browse, path }, stranger] = [await open(), await open()];
    await stranger.browse(`${stranger.path}/new`, form({ name: 'Theirs', colour: 'red' }));
    const id = String(await stranger.idOf('Theirs'));
    for (const at of [`${path}/${id}`, `${stranger.path}/${id}`, `${stranger.path}/new`]) {
      expect((await browse(at)).status).toBe(404);
      expect((await browse(at, form({ name: 'Ours', colour: 'blue' }))).status).toBe(404);
    }
    for (const at of [`${path}/${id}/delete`, `${stranger.path}/${id}/delete`]) {
      expect((await browse(at)).status).toBe(404);
      expect((await browse(at, form({}))).status).toBe(404);
    }
    expect(await tagsOf(stranger.caller.clientId)).toEqual([['Theirs', 'red']]);
  });
});
