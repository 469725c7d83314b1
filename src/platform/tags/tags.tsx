import { Hono, type Context } from 'hono';
import { findCurrentLinks } from '../../clicks/current-links.ts';
import { foldTag } from '../../links/tags/names.ts';
import {
  changeTag,
  createTag,
  deleteTag,
  getTag,
  listTags,
  newTagFields,
  tagChangeFields,
  type Tag,
} from '../../links/tags/tags.ts';
import { parseFields } from '../../input/validation.ts';
import { breakdownsOfLinks } from '../clicks/cards.ts';
import { readCsv, readStatisticsIfPossible, type Scope } from '../clicks/read-statistics.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { inClient, signedIn } from '../guard.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { pageOf, pagesOf } from '../list.ts';
import { countLinks } from '../links/link-counts.tsx';
import { clientPath } from '../nav.ts';
import { page, type PageHead } from '../page.tsx';
import { tagPath } from './paths.ts';
import { TagPage } from './tag-page.tsx';
import { NEW, NewTagPage, TagsPage } from './tags-page.tsx';
import { STATISTICS_STYLES } from '../clicks/statistics.tsx';

const TAGS = '/platform/c/:client/tags';
const TAG = `${TAGS}/:id`;

/** The tags of a workspace, each with the clicks on its links. */
export function tagPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${TAGS}/*`, signedIn, inClient);

  pages.get(TAGS, async (c) => {
    const { db, actor, client, words } = c.var;
    const { tags, cursor } = await listTags(db, actor, pageOf(c, 'tags'));
    return page(
      c,
      { title: words.text('tags.title'), styles: SETTINGS_STYLES },
      <TagsPage {...{ client, tags }} pages={pagesOf(c, cursor)} />,
    );
  });

  pages.get(`${TAGS}/${NEW}`, (c) => respondWithNew(c, newForm()));

  pages.post(`${TAGS}/${NEW}`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const sent = await submit(c, fields, () => createTag(db, actor, parseFields(newTagFields(), fields)), OF_NAME);
    if (!sent.ok) return respondWithNew(c, sent.form, sent.status);
    return seeOther(c, clientPath(client, 'tags'), 'tag-created');
  });

  pages.get(TAG, async (c) => {
    const tag = await tagOf(c);
    const { scope, hasMore } = await scopeOf(c, tag);
    return (await readCsv(c, scope)) ?? respondWithTag(c, tag, scope, hasMore, newForm({ ...tagValues(tag) }));
  });

  pages.post(TAG, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const tag = await tagOf(c);
    const change = () => changeTag(db, actor, tag.id, parseFields(tagChangeFields(), fields, { emptyIsAbsent: false }));
    const sent = await submit(c, fields, change, OF_NAME);
    if (sent.ok) return seeOther(c, tagPath(client, tag.id), 'tag-saved');
    const { scope, hasMore } = await scopeOf(c, tag);
    return respondWithTag(c, tag, scope, hasMore, sent.form, sent.status);
  });

  pages.get(`${TAG}/delete`, async (c) => {
    const { client, words } = c.var;
    const { text } = words;
    const tag = await tagOf(c);
    return page(
      c,
      { title: text('tags.deleteTitle'), narrow: true },
      <ConfirmPage title={text('tags.deleteThis')} label={text('tags.deleteTag')} back={tagPath(client, tag.id)}>
        <p class="broken">
          {words.content('tags.deleteEffect', { name: tag.name, links: countLinks(words, tag.links) })}
        </p>
      </ConfirmPage>,
    );
  });

  pages.post(`${TAG}/delete`, async (c) => {
    await deleteTag(c.var.db, c.var.actor, c.req.param('id'));
    return seeOther(c, clientPath(c.var.client, 'tags'), 'tag-deleted');
  });

  return pages;
}

const OF_NAME = { tag_taken: 'name', too_many_tags: 'name' } as const;

const tagValues = ({ name, colour }: Tag) => ({ name, colour });

const tagOf = (c: Context<PlatformEnv>): Promise<Tag> => getTag(c.var.db, c.var.actor, c.req.param('id') ?? '');

/** The clicks on the links that have a tag now. */
async function scopeOf(c: Context<PlatformEnv>, tag: Tag): Promise<{ scope: Scope; hasMore: boolean }> {
  const { db, actor, client } = c.var;
  const having = { kind: 'tag', name: foldTag(tag.name) } as const;
  const { names, hasMore } = await findCurrentLinks(db, actor.credential, having, client.id);
  return {
    scope: { subject: { kind: 'links', names }, path: tagPath(client, tag.id), breakdowns: breakdownsOfLinks(names) },
    hasMore,
  };
}

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: PageHead['status'] = 200) {
  const { client, words } = c.var;
  return page(c, { title: words.text('tags.new'), status }, <NewTagPage {...{ client, form }} />);
}

async function respondWithTag(
  c: Context<PlatformEnv>,
  tag: Tag,
  scope: Scope,
  hasMore: boolean,
  form: FormState,
  status: PageHead['status'] = 200,
) {
  const statistics = await readStatisticsIfPossible(c, scope);
  const content = <TagPage {...{ tag, statistics, hasMore, form }} client={c.var.client} />;
  return page(c, { title: tag.name, status, styles: STATISTICS_STYLES }, content);
}
