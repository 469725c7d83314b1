import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { formOfMany, listed, statusesOf } from '../../support/link-lists.ts';
import { seedMember } from '../../support/management.ts';
import { pageFieldsOf } from '../../support/page-fields.ts';
import { cookiesOf, form, openBrowser, openLinks, textOf, type LinksScene } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** The undo of a change of many links that were edited in the meantime. */

async function openTwo() {
  const scene = await openLinks();
  const other = await seedMember(scene.caller, 'member');
  const { browse: browseOther } = await openBrowser(other);
  const edit = async (id: string, changes: object) => {
    const headers = { 'X-API-Key': scene.caller.apiKey, 'Content-Type': 'application/json' };
    const answer = await call(`/v1/links/${id}`, { method: 'PATCH', headers, body: JSON.stringify(changes) });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  };
  return { scene, browseOther, edit };
}

/** A form of a change, with its fields. */
function formOf(action: string, ids: readonly string[], fields: Readonly<Record<string, string>> = {}): RequestInit {
  const init = formOfMany(action, ids);
  for (const [name, value] of Object.entries(fields)) (init.body as URLSearchParams).set(name, value);
  return init;
}

/** The notice on the page after a change, and its text. */
async function noticeAfter({ cookie, path }: LinksScene, done: Response) {
  const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
  const page = await textOf(call(path, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
  const [, notice = ''] = /<div class="notice (?:success|warning)" role="status">(.*?)<\/div>/s.exec(page) ?? [];
  const text = notice
    .replace(/<form.*/s, '')
    .replaceAll(/<[^>]+>/g, '')
    .trim();
  return { notice, text };
}

/** Presses Undo in a notice. */
function undo({ browse, path }: LinksScene, notice: string): Promise<Response> {
  const { do: action = '', ...fields } = pageFieldsOf(notice);
  const { id: _, ...others } = fields;
  return browse(`${path}/selected`, formOf(action, listed(notice).map(String), others));
}

async function rowOf(id: string) {
  return (await rowsOf('links')).find((each) => each['id'] === id) ?? {};
}

const tagsOf = async (id: string): Promise<readonly unknown[]> =>
  (
    await env.DB.prepare('SELECT name FROM tags JOIN link_tags ON tag_id = tags.id WHERE link_id = ? ORDER BY folded')
      .bind(id)
      .all<{ name: string }>()
  ).results.map(({ name }) => name);

const seeds = async ({ caller }: LinksScene, number: number, fields: Readonly<Record<string, string>> = {}) => {
  const ids: string[] = [];
  while (ids.length < number) ids.push((await seedLink(caller, fields)).id);
  return ids as [string, string, string, string];
};

describe('the undo of a change of many links', () => {
  it('the undo of a change of many links restores the field also of links that another user has edited in other fields, and leaves those', async () => {
    const { scene, edit } = await openTwo();
    const ids = await seeds(scene, 4, { campaign_name: 'Spring' });
    const [untouched, elsewhere, changed, deleted] = ids;
    const done = await scene.browse(`${scene.path}/selected`, formOf('campaign', ids, { campaign_name: 'Fall' }));
    const { notice } = await noticeAfter(scene, done);
    await edit(elsewhere, { url: 'https://example.com/theirs', title: 'Theirs', tags: ['mine'], disabled: true });
    await edit(changed, { campaign_name: 'Winter' });
    await edit(changed, { campaign_name: 'Fall' });
    await scene.browse(`${scene.path}/selected`, formOf('delete', [deleted]));
    const undone = await undo(scene, notice);
    expect([undone.status, undone.headers.get('Location')]).toEqual([303, expect.stringContaining(scene.path)]);
    const said = await noticeAfter(scene, undone);
    expect(said.text).toBe(
      'The change has been undone for 2 links. 1 link stays as it is because its campaign has been changed in the ' +
        `meantime. 1 link stays as it is because it has been deleted in the meantime. ${changed} ${deleted}`,
    );
    expect(said.notice).toContain(`<a href="${scene.path}/${changed}">${changed}</a>`);
    expect((await rowOf(untouched))['campaign_name']).toBe('Spring');
    expect(await rowOf(elsewhere)).toMatchObject({
      campaign_name: 'Spring',
      url: 'https://example.com/theirs',
      title: 'Theirs',
      disabled_at: expect.any(Number),
    });
    expect(await tagsOf(elsewhere)).toEqual(['mine']);
    expect([(await rowOf(changed))['campaign_name'], (await rowOf(deleted))['campaign_name']]).toEqual([
      'Fall',
      'Fall',
    ]);
    const last = (await rowsOf('link_history')).findLast((row) => row['link_id'] === elsewhere);
    expect([last?.['action'], JSON.parse(String(last?.['changes']))]).toEqual([
      'edited',
      { campaign_name: ['Fall', 'Spring'] },
    ]);
  });

  it('the undo of a status leaves links that have been enabled and disabled again, and enables the others', async () => {
    const { scene, edit } = await openTwo();
    const ids = await seeds(scene, 3);
    const [untouched, again, elsewhere] = ids;
    const { notice } = await noticeAfter(scene, await scene.browse(`${scene.path}/selected`, formOf('disable', ids)));
    await edit(again, { disabled: false });
    await edit(again, { disabled: true });
    await edit(elsewhere, { title: 'Theirs' });
    const said = await noticeAfter(scene, await undo(scene, notice));
    expect(said.text).toBe(
      `The change has been undone for 2 links. 1 link stays as it is because its status has been changed in the meantime. ${again}`,
    );
    expect(await statusesOf([untouched, again, elsewhere])).toEqual([302, 410, 302]);
    expect((await rowOf(elsewhere))['title']).toBe('Theirs');
  });

  it('the undo of a deletion leaves links that have been restored and deleted again', async () => {
    const { scene, browseOther } = await openTwo();
    const ids = await seeds(scene, 2);
    const [untouched, again] = ids;
    const { notice } = await noticeAfter(scene, await scene.browse(`${scene.path}/selected`, formOf('delete', ids)));
    for (const action of ['restore', 'delete']) await browseOther(`${scene.path}/${again}/${action}`, form({}));
    const said = await noticeAfter(scene, await undo(scene, notice));
    expect(said.text).toContain('The change has been undone for 1 link. 1 link stays as it is because its status');
    expect(await statusesOf([untouched, again])).toEqual([302, 410]);
  });

  it('the undo of an expiry leaves a link that starts later now, and says why', async () => {
    const { scene, edit } = await openTwo();
    const [id, other] = await seeds(scene, 2, { expires_at: '2098-01-01T00:00:00Z' });
    const change = formOf('expiry', [id, other], { expires_at: '' });
    const { notice } = await noticeAfter(scene, await scene.browse(`${scene.path}/selected`, change));
    await edit(id, { starts_at: '2098-06-01T00:00:00Z' });
    const said = await noticeAfter(scene, await undo(scene, notice));
    expect(said.text).toBe(
      'The change has been undone for 1 link. 1 link stays as it is because the previous expiry does not fit what has ' +
        `been changed in the meantime. ${id}`,
    );
    expect((await rowOf(id))['expires_at']).toBeNull();
    expect((await rowOf(other))['expires_at']).toBe(Date.parse('2098-01-01T00:00:00Z'));
  });

  it.each([
    ['tag', ['alpha'], ['alpha', 'new'], ['alpha']],
    ['untag', ['alpha', 'new'], ['alpha'], ['alpha', 'new']],
  ])('the undo of a %s keeps other tags that links have got since', async (action, before, after, restored) => {
    const { scene, edit } = await openTwo();
    const [untouched, more, again] = await seeds(scene, 3, { tags: before.join(',') });
    const ids = [untouched, more, again];
    const done = await scene.browse(`${scene.path}/selected`, formOf(action, ids, { tag: 'new' }));
    const { notice } = await noticeAfter(scene, done);
    expect(await Promise.all(ids.map(tagsOf))).toEqual([after, after, after]);
    await edit(more, { tags: [...after, 'zoo'] });
    await edit(again, { tags: before });
    await edit(again, { tags: after });
    const said = await noticeAfter(scene, await undo(scene, notice));
    expect(said.text).toBe(
      `The change has been undone for 2 links. 1 link stays as it is because its tag has been changed in the meantime. ${again}`,
    );
    expect(await Promise.all(ids.map(tagsOf))).toEqual([restored, [...restored, 'zoo'], after]);
  });

  it('the undo of a change of many links is for all who can edit the links, also of what another user has changed', async () => {
    const { scene, browseOther } = await openTwo();
    const ids = await seeds(scene, 2);
    const { notice } = await noticeAfter(scene, await scene.browse(`${scene.path}/selected`, formOf('disable', ids)));
    const stranger = await openLinks();
    await undo(stranger, notice);
    expect(await statusesOf(ids)).toEqual([410, 410]);
    await undo({ ...scene, browse: browseOther }, notice);
    expect(await statusesOf(ids)).toEqual([302, 302]);
  });
});
