import { Hono, type Context } from 'hono';
import { listDomains } from '../../../domains/domains.ts';
import { AppError } from '../../../errors.ts';
import { readQuery, readQueryAndLists } from '../../../http/query.ts';
import { editMany, MAX_MANY } from '../../../links/edit/edit-many.ts';
import { BULK_ACTIONS, MANY_ACTIONS, type BulkAction, type ManyAction } from '../../../links/edit/many-rules.ts';
import { undoMany } from '../../../links/edit/undo-many.ts';
import type { Undoing } from '../../../links/edit/undo-rules.ts';
import { listCampaignNames } from '../../../links/list/campaigns.ts';
import { listChoices } from '../../../links/list/choices.ts';
import { findLinks } from '../../../links/list/find-many.ts';
import { listRecentLinks, type RecentLinkPage } from '../../../links/list/recent-links.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { ensureTagNamed, listColouredTags } from '../../../links/tags/tags.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther, type Flash } from '../../flash.ts';
import { newForm, readFieldsAndList, submit } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { clientPath, ownPath } from '../../nav.ts';
import { page, type PageHead } from '../../page.tsx';
import { readShortUrl } from '../../forms/typed-url.ts';
import { textDetail, undoneInPart } from '../../undo.ts';
import { ConfirmMany } from './confirm-many.tsx';
import { LinksPage, LIST_STYLES } from './list-page.tsx';
import { parseListQuery } from './list-query.ts';
import { typedUrl } from '../display-url.ts';
import { manyValueOf, UNDONE_FIELD, undoingOf, undoneEditOf } from './many-values.ts';
import { withExternal } from './external-search.ts';
import { typedAddress, withCampaigns } from './typed-filters.ts';
import { linkToolsOf } from '../../../http/link-tools.ts';

const LINKS = '/platform/c/:client/links';

/** The links of a client: finding them, and actions on many of them. */
export function linkListPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LINKS, signedIn, inClient, async (c) => {
    const { created, ...query } = readQuery(c);
    const { db, statistics, actor, client, session, site } = c.var;
    const [ownDomains, ownChoices] = [listDomains(db, actor), listChoices(db, actor)];
    const findFor = async () => {
      const { q = '', tag, ...texts } = query;
      const others = { ...texts, ...(tag !== undefined && { tag: [tag] }) };
      // A short URL may be longer than a search text.
      const hosts = readShortUrl(q) === null ? [] : (await ownDomains).domains.map(({ host }) => host);
      const address = typedAddress(query, { site, hosts });
      const asked = parseListQuery(address === null ? { ...others, q: q.trim() } : others, site);
      const { cursor, limit, sort, ...filters } = asked;
      const campaigns = filters.campaign_name === undefined ? [] : (await ownChoices).campaigns;
      const all = { ...withCampaigns(filters, campaigns), ...(address !== null && { address }) };
      const page = await listRecentLinks({ db, statistics }, actor, all, sort, { limit, cursor });
      const isFirst = cursor === undefined;
      const found = isFirst ? await withExternal({ db, statistics }, actor, page, all) : page;
      return { ...withFirst(found, created), limit };
    };
    const [{ domains }, choices, found] = await Promise.all([ownDomains, ownChoices, submit(c, query, findFor)]);
    const status = found.ok ? 200 : found.status;
    return page(
      c,
      { title: c.var.words.text('linkList.title'), status, styles: LIST_STYLES },
      <LinksPage
        {...{ client, site, query, created, domains, ...choices }}
        timeZone={session.timeZone}
        form={found.ok ? newForm({ ...query, ...(query['url'] && { url: typedUrl(query['url']) }) }) : found.form}
        found={found.ok ? found.value : null}
      />,
    );
  });

  pages.get(`${LINKS}/selected`, signedIn, inClient, async (c) => {
    const { fields, lists } = readQueryAndLists(c, ['id']);
    return askAbout(c, actionOf(fields['do'], BULK_ACTIONS), lists['id'] ?? [], fields['back'] ?? '');
  });

  pages.post(`${LINKS}/selected`, signedIn, inClient, async (c) => {
    const { fields, list: ids } = await readFieldsAndList(c, 'id');
    const [action, back] = [actionOf(fields['do'], MANY_ACTIONS), fields['back'] ?? ''];
    const { actor, session } = c.var;
    const editId = crypto.randomUUID();
    const undoing = undoingOf(action, fields);
    if (undoing !== null) return undoSelected(c, undoing, fields, ids);
    const read = await submit(c, fields, async () => {
      const value = manyValueOf(actionOf(action, BULK_ACTIONS), fields, session.timeZone);
      if (action === 'tag') await ensureTagNamed(c.var.db, actor, fields['tag'] ?? '');
      return value;
    });
    if (!read.ok) return askAbout(c, actionOf(fields['do'], BULK_ACTIONS), ids, back, read.form, read.status);
    const changed = await editMany(linkToolsOf(c), actor, ids, action, { value: read.value, editId });
    const [done, unchanged] = DONE[action];
    return seeOther(c, wayBack(c, fields), changed.length === 0 ? unchanged : done, [
      editId,
      ...tagDetail(action, fields),
      ...changed,
    ]);
  });

  // The line above the list.
  pages.post(LINKS, signedIn, inClient, async (c) => (await import('../../further-pages.ts')).createAboveList(c));

  return pages;
}

async function undoSelected(
  c: Context<PlatformEnv>,
  action: Undoing,
  fields: Readonly<Record<string, string>>,
  ids: readonly string[],
): Promise<Response> {
  const editId = crypto.randomUUID();
  const edit = undoneEditOf(action, fields);
  // The tag may have been deleted since it was taken from the links.
  if (action === 'undo_untag') await ensureTagNamed(c.var.db, c.var.actor, fields['tag'] ?? '');
  const undone = await undoMany(linkToolsOf(c), c.var.actor, ids, action, edit, editId);
  const to = wayBack(c, fields);
  if (undone.left.length > 0) {
    return seeOther(c, to, 'links-undone-in-part', undoneInPart(UNDONE_FIELD[action], undone));
  }
  const [done, unchanged] = DONE[action];
  const details = [editId, ...tagDetail(action, fields), ...undone.restored];
  return seeOther(c, to, undone.restored.length === 0 ? unchanged : done, details);
}

const tagDetail = (action: ManyAction, { tag = '' }: Readonly<Record<string, string>>): readonly string[] =>
  DONE[action][0] === 'links-tagged' || DONE[action][0] === 'links-untagged' ? [textDetail(tag)] : [];

// An undo leads to the page on which it was, which says itself which one that is.
const wayBack = (c: Context<PlatformEnv>, { to, back = '' }: Readonly<Record<string, string>>): string =>
  to === undefined ? backTo(c.var.client, back) : ownPath(to, c.var.site.requestUrl);

async function askAbout(
  c: Context<PlatformEnv>,
  action: BulkAction,
  ids: readonly string[],
  query: string,
  form = newForm(),
  status: PageHead['status'] = 200,
): Promise<Response> {
  const { db, actor, client, session, site } = c.var;
  const [links, campaigns, tags] = await Promise.all([
    findLinks(db, actor, ids.slice(0, MAX_MANY)),
    action === 'campaign' ? listCampaignNames(db, actor) : [],
    action === 'tag' || action === 'untag' ? listColouredTags(db, actor) : [],
  ]);
  const back = backTo(client, query);
  if (links.length === 0) return seeOther(c, back, 'links-chosen-none');
  return page(
    c,
    { title: c.var.words.text('linkList.many'), narrow: true, status, styles: LIST_STYLES },
    <ConfirmMany
      {...{ action, back, query, form, campaigns, tags }}
      timeZone={session.timeZone}
      links={links.map((link) => ({ id: link.id, shortUrl: shortUrlOf(link, site) }))}
    />,
  );
}

/** A page that begins with a link, if it has it: others may have been created since. */
function withFirst(page: RecentLinkPage, id: string | undefined): RecentLinkPage {
  const first = page.links.filter((link) => link.id === id);
  return { ...page, links: [...first, ...page.links.filter((link) => link.id !== id)] };
}

function actionOf<Action extends ManyAction>(word: string | undefined, actions: readonly Action[]): Action {
  const action = actions.find((known) => known === word);
  if (action === undefined) throw new AppError('not_found', 'There is no such page.');
  return action;
}

/** The sentence once links are changed, and the one if none of them is. */
const DONE: Readonly<Record<ManyAction, readonly [done: Flash, unchanged: Flash]>> = {
  disable: ['links-disabled', 'links-unchanged'],
  enable: ['links-enabled', 'links-unchanged'],
  delete: ['links-deleted', 'links-unchanged'],
  restore: ['links-restored', 'links-unchanged'],
  campaign: ['links-campaign', 'links-same'],
  expiry: ['links-expiry', 'links-same'],
  tag: ['links-tagged', 'links-same'],
  untag: ['links-untagged', 'links-same'],
  undo_disable: ['links-enabled', 'links-unchanged'],
  undo_delete: ['links-restored', 'links-unchanged'],
  undo_tag: ['links-untagged', 'links-same'],
  undo_untag: ['links-tagged', 'links-same'],
  undo_campaign: ['links-campaign-undone', 'links-same'],
  undo_expiry: ['links-expiry-undone', 'links-same'],
};

// Back to the list with the same query, which is encoded anew, so that it cannot become anything else.
function backTo(client: { readonly id: string }, query: string): string {
  const params = new URLSearchParams(query).toString();
  return clientPath(client, params === '' ? 'links' : `links?${params}`);
}
