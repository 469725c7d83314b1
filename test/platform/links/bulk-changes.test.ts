import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { formOfMany, listed, statusesOf } from '../../support/link-lists.ts';
import { cookiesOf, form, openLinks, textOf, type LinksScene } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

/** A form of a change with a value. */
function formOf(action: string, ids: readonly string[], fields: Readonly<Record<string, string>>): RequestInit {
  const init = formOfMany(action, ids, 'q=example');
  for (const [name, value] of Object.entries(fields)) (init.body as URLSearchParams).set(name, value);
  return init;
}

/** Reads the page after a change, and the form that undoes it, if there is one. */
async function pageAfter({ cookie, path }: LinksScene, done: Response) {
  const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
  const page = await textOf(call(path, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
  const notice = /<div class="notice (?:success|warning)" role="status">(.*?)<\/div>/s.exec(page)?.[1] ?? '';
  const edit = /name="edit" value="([^"]+)"/.exec(notice)?.[1];
  const undo = /name="do" value="([^"]+)"/.exec(notice)?.[1];
  return { sentence: notice.replace(/<form.*/s, ''), edit, undo, ids: listed(notice).map(String) };
}

async function valuesOf(column: string, ids: readonly string[]) {
  const rows = new Map((await rowsOf('links')).map((row) => [row['id'], row[column]]));
  return ids.map((id) => rows.get(id));
}

const changesOf = async (id: string) =>
  (await rowsOf('link_history'))
    .filter((row) => row['link_id'] === id && row['n'] !== 1)
    .map((row) => [row['action'], JSON.parse(String(row['changes']))]);

describe('the campaign of selected links', () => {
  it('the campaign of selected links is asked for, set, and undone for each link by itself', async () => {
    const scene = await openLinks();
    const { caller, browse, path } = scene;
    const seeds = [{ campaign_name: 'Spring' }, {}, { campaign_name: 'Fall' }];
    const ids: string[] = [];
    for (const fields of seeds) ids.push((await seedLink(caller, fields)).id);
    const query = ids.map((id) => `id=${id}`).join('&');
    const asked = await textOf(browse(`${path}/selected?do=campaign&${query}`));
    expect(listed(asked)).toEqual(ids);
    expect(asked).toContain('<h1>Set campaign of 3 links?</h1>');
    expect(asked).toContain('name="campaign_name"');

    const done = await browse(`${path}/selected`, formOf('campaign', ids, { campaign_name: 'Fall' }));
    expect([done.status, done.headers.get('Location')]).toEqual([303, `${path}?q=example`]);
    expect(await valuesOf('campaign_name', ids)).toEqual(['Fall', 'Fall', 'Fall']);
    const after = await pageAfter(scene, done);
    expect(after).toEqual({
      sentence: 'The campaign of the links has been changed.',
      undo: 'undo_campaign',
      edit: expect.stringMatching(/^[\da-f-]{36}$/),
      ids: ids.slice(0, 2),
    });

    const undone = await browse(`${path}/selected`, formOf('undo_campaign', after.ids, { edit: after.edit ?? '' }));
    expect(undone.status).toBe(303);
    expect((await pageAfter(scene, undone)).sentence).toBe('The previous campaigns of the links have been restored.');
    expect(await valuesOf('campaign_name', ids)).toEqual(['Spring', null, 'Fall']);
    expect(await changesOf(ids[0] ?? '')).toEqual([
      ['edited', { campaign_name: ['Spring', 'Fall'] }],
      ['edited', { campaign_name: ['Fall', 'Spring'] }],
    ]);
    expect(await changesOf(ids[2] ?? '')).toEqual([]);
    // A second time there is nothing to undo.
    const again = await browse(`${path}/selected`, formOf('undo_campaign', after.ids, { edit: after.edit ?? '' }));
    expect((await pageAfter(scene, again)).sentence).toContain(
      'The change has been undone for no link. 2 links stay as they are because their campaign has been changed in the meantime.',
    );
  });

  it('the campaign of selected links is removed by an empty text, and refused beside its field', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller, { campaign_name: 'Spring' });
    const refused = await browse(`${path}/selected`, formOf('campaign', [id], { campaign_name: 'x'.repeat(129) }));
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(page).toContain('id="fault-campaign_name">This must be at most 128 characters long.');
    expect(listed(page)).toEqual([id]);
    expect(page).toContain('<input type="hidden" name="back" value="q=example"/>');
    expect(await valuesOf('campaign_name', [id])).toEqual(['Spring']);
    await browse(`${path}/selected`, formOf('campaign', [id], { campaign_name: '' }));
    expect(await valuesOf('campaign_name', [id])).toEqual([null]);
  });

  it('the campaign of selected links stays as it is for links of others, for other edits, and without the id of an edit', async () => {
    const [scene, stranger] = [await openLinks(), await openLinks()];
    const { caller, browse, path } = scene;
    const ids = [(await seedLink(caller)).id, (await seedLink(caller)).id];
    const theirs = (await seedLink(stranger.caller, { campaign_name: 'Theirs' })).id;
    const all = [...ids, theirs];
    const done = await browse(`${path}/selected`, formOf('campaign', all, { campaign_name: 'Ours' }));
    expect(await valuesOf('campaign_name', all)).toEqual(['Ours', 'Ours', 'Theirs']);
    const { edit = '' } = await pageAfter(scene, done);
    await stranger.browse(`${stranger.path}/selected`, formOf('undo_campaign', all, { edit }));
    for (const other of ['undo_expiry', 'enable', 'restore']) {
      await browse(`${path}/selected`, formOf(other, all, { edit }));
      expect(await valuesOf('campaign_name', all)).toEqual(['Ours', 'Ours', 'Theirs']);
    }
    await browse(`${path}/selected`, formOf('undo_campaign', all, { edit: crypto.randomUUID() }));
    expect(await valuesOf('campaign_name', all)).toEqual(['Ours', 'Ours', 'Theirs']);
    await browse(`${path}/selected`, formOf('undo_campaign', all, { edit }));
    expect(await valuesOf('campaign_name', all)).toEqual([null, null, 'Theirs']);
    for (const wrong of ['', 'x', "' OR 1=1"]) {
      const refused = await browse(`${path}/selected`, formOf('undo_campaign', ids, { edit: wrong }));
      expect(refused.status).toBe(404);
    }
    expect((await browse(`${path}/selected?do=undo_campaign&id=${ids[0]}`)).status).toBe(404);
  });
});

describe('the expiry of selected links', () => {
  it('the expiry of selected links is set on the clocks of the user, holds for visitors at once, and is undone', async () => {
    const scene = await openLinks();
    const { caller, browse, path } = scene;
    await browse('/platform/account/time-zone', form({ tz: 'America/New_York' }));
    const ids: string[] = [];
    for (const fields of [{}, { expires_at: '2099-01-01T00:00:00Z' }, { starts_at: '2098-01-01T00:00:00Z' }])
      ids.push((await seedLink(caller, fields)).id);
    const before = await valuesOf('expires_at', ids);
    const asked = await textOf(browse(`${path}/selected?do=expiry&id=${ids[0]}`));
    expect(asked).toContain('Time in America/New York. Links that start later are left out.');
    const past = await browse(`${path}/selected`, formOf('expiry', ids, { expires_at: '2001-01-01T00:00' }));
    expect([past.status, (await past.text()).includes('id="fault-expires_at">This must not be in the past.')]).toEqual([
      400,
      true,
    ]);

    const done = await browse(`${path}/selected`, formOf('expiry', ids, { expires_at: '2097-07-01T09:00' }));
    const at = Date.parse('2097-07-01T13:00:00Z');
    expect(await valuesOf('expires_at', ids)).toEqual([at, at, null]);
    const { edit = '', ids: changed } = await pageAfter(scene, done);
    expect(changed).toEqual(ids.slice(0, 2));
    expect(await changesOf(ids[0] ?? '')).toEqual([['edited', { expires_at: [null, at] }]]);
    await browse(`${path}/selected`, formOf('undo_expiry', changed, { edit }));
    expect(await valuesOf('expires_at', ids)).toEqual(before);
    expect(await textOf(browse(`${path}/${ids[0]}/history`))).toContain('Expires');
  });

  it('the expiry of selected links is removed from links that had expired, which then redirect again', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    await env.DB.prepare('UPDATE links SET expires_at = 1 WHERE id = ?').bind(id).run();
    expect(await statusesOf([id])).toEqual([410]);
    await browse(`${path}/selected`, formOf('expiry', [id], { expires_at: '' }));
    expect(await statusesOf([id])).toEqual([302]);
  });
});
