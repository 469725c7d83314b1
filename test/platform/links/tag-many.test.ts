import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { MAX_TAGS_OF_LINK } from '../../../src/links/tags/names.ts';
import { formOfMany, listed } from '../../support/link-lists.ts';
import { cookiesOf, openLinks, textOf, type LinksScene } from '../../support/platform.ts';
import { rowsOf, seedLink } from '../../support/seed.ts';
import { call } from '../../support/service.ts';

function formOf(action: string, ids: readonly string[], tag: string): RequestInit {
  const init = formOfMany(action, ids);
  (init.body as URLSearchParams).set('tag', tag);
  return init;
}

async function noticeAfter({ cookie, path }: LinksScene, done: Response) {
  const flash = cookiesOf(done)['__Host-terse-flash']?.[0];
  const page = await textOf(call(path, { headers: { Cookie: `${cookie}; __Host-terse-flash=${flash}` } }));
  const notice = /<div class="notice success" role="status">(.*?)<\/div>/s.exec(page)?.[1] ?? '';
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(notice)?.[1];
  return {
    sentence: notice.replace(/<form.*/s, ''),
    undo: field('do'),
    tag: field('tag'),
    ids: listed(notice).map(String),
  };
}

async function tagsOf(id: string): Promise<readonly string[]> {
  const found = env.DB.prepare(
    'SELECT name FROM tags JOIN link_tags ON tag_id = tags.id WHERE link_id = ? ORDER BY folded',
  );
  return (await found.bind(id).all<{ name: string }>()).results.map(({ name }) => name);
}

const changesOf = async (id: string) =>
  (await rowsOf('link_history'))
    .filter((row) => row['link_id'] === id && row['n'] !== 1)
    .map((row) => JSON.parse(String(row['changes'])));

describe('a tag for selected links', () => {
  it('a tag for selected links is asked for, created, given to those that lack it, and undone for them only', async () => {
    const scene = await openLinks();
    const { caller, browse, path } = scene;
    const ids = [
      (await seedLink(caller, { tags: 'Zoo, alpha' })).id,
      (await seedLink(caller)).id,
      (await seedLink(caller, { tags: 'Sümmer' })).id,
    ];
    const asked = await textOf(browse(`${path}/selected?do=tag&${ids.map((id) => `id=${id}`).join('&')}`));
    expect(listed(asked)).toEqual(ids);
    expect(asked).toContain('<h1>Tag 3 links?</h1>');
    expect(asked).toContain('<option value="Sümmer">');
    const done = await browse(`${path}/selected`, formOf('tag', ids, ' SÜMMER '));
    expect(done.status).toBe(303);
    expect(await Promise.all(ids.map(tagsOf))).toEqual([['alpha', 'Sümmer', 'Zoo'], ['Sümmer'], ['Sümmer']]);
    const after = await noticeAfter(scene, done);
    expect(after).toEqual({
      sentence: 'The links have the tag now.',
      undo: 'untag',
      tag: ' SÜMMER ',
      ids: ids.slice(0, 2),
    });
    expect(await changesOf(ids[0]!)).toEqual([{ tags: ['["alpha","Zoo"]', '["alpha","Sümmer","Zoo"]'] }]);
    expect(await changesOf(ids[1]!)).toEqual([{ tags: [null, '["Sümmer"]'] }]);
    expect(await changesOf(ids[2]!)).toEqual([]);
    const undone = await browse(`${path}/selected`, formOf('untag', after.ids, after.tag ?? ''));
    expect((await noticeAfter(scene, undone)).undo).toBe('tag');
    expect(await Promise.all(ids.map(tagsOf))).toEqual([['alpha', 'Zoo'], [], ['Sümmer']]);
    const page = await textOf(browse(`${path}/${ids[0]}/history`));
    expect(page).toContain('Sümmer');
  });

  it('a tag for selected links leaves out links that have as many as they can, deleted ones, and those of others', async () => {
    const [scene, stranger] = [await openLinks(), await openLinks()];
    const { caller, browse, path } = scene;
    const full = Array.from({ length: MAX_TAGS_OF_LINK }, (_, index) => `t${index}`).join(',');
    const [link, filled, gone, theirs] = [
      await seedLink(caller),
      await seedLink(caller, { tags: full }),
      await seedLink(caller),
      await seedLink(stranger.caller),
    ];
    await env.DB.prepare('UPDATE links SET deleted_at = 1 WHERE id = ?').bind(gone.id).run();
    const ids = [link, filled, gone, theirs].map(({ id }) => id);
    const done = await browse(`${path}/selected`, formOf('tag', ids, 'new'));
    expect((await noticeAfter(scene, done)).ids).toEqual([link.id]);
    expect((await tagsOf(filled.id)).length).toBe(MAX_TAGS_OF_LINK);
    expect([await tagsOf(gone.id), await tagsOf(theirs.id)]).toEqual([[], []]);
    const again = await browse(`${path}/selected`, formOf('tag', ids, 'new'));
    expect((await noticeAfter(scene, again)).sentence).toContain('Nothing has changed');
  });

  it('a tag for selected links is refused with an invalid name, which stays beside its error', async () => {
    const { caller, browse, path } = await openLinks();
    const { id } = await seedLink(caller);
    for (const tag of ['', 'a,b', 'x'.repeat(200)]) {
      for (const action of ['tag', 'untag']) {
        const refused = await browse(`${path}/selected`, formOf(action, [id], tag));
        expect([refused.status, (await refused.text()).includes(`value="${tag}"`)]).toEqual([400, true]);
      }
    }
    expect(await tagsOf(id)).toEqual([]);
  });
});
