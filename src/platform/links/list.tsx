import { Hono, type Context } from 'hono';
import * as z from 'zod';
import { listDomains } from '../../domains/domains.ts';
import { AppError } from '../../errors.ts';
import { linkListQuery } from '../../http/queries.ts';
import { readQuery, readQueryAndLists } from '../../http/query.ts';
import { lazy } from '../../lazy.ts';
import { editMany, MAX_MANY } from '../../links/edit/edit-many.ts';
import { MANY_ACTIONS, SETTINGS, type ManyAction } from '../../links/edit/many-rules.ts';
import { listCampaignNames } from '../../links/list/campaigns.ts';
import { findLinks } from '../../links/list/find-many.ts';
import { listRecentLinks, type RecentLinkPage } from '../../links/list/recent-links.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { parseFields } from '../../validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther, type Flash } from '../flash.ts';
import { newForm, readFieldsAndList, submit } from '../form.ts';
import { inClient, signedIn } from '../guard.ts';
import { clientPath, ownPath } from '../nav.ts';
import { page, type PageHead } from '../page.tsx';
import { readShortUrl } from '../typed-url.ts';
import { ASKED, ConfirmMany, type Asked } from './confirm-many.tsx';
import { LinksPage } from './list-page.tsx';
import { manyValueOf } from './many-values.ts';
import { typedAddress, withCampaigns } from './typed-filters.ts';
import { editTiersOf } from '../../http/edit-tiers.ts';

const LINKS = '/platform/c/:client/links';

/** The links of a client: finding them, and actions on many of them. */
export function linkListPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LINKS, signedIn, inClient, async (c) => {
    const { created, ...query } = readQuery(c);
    const { db, statistics, actor, client, session, site } = c.var;
    const [ownDomains, ownCampaigns] = [listDomains(db, actor), listCampaignNames(db, actor)];
    const findFor = async () => {
      const { q = '', tag, ...texts } = query;
      const others = { ...texts, ...(tag !== undefined && { tag: [tag] }) };
      // A short URL may be longer than a search text.
      const hosts = readShortUrl(q) === null ? [] : (await ownDomains).domains.map(({ host }) => host);
      const address = typedAddress(query, { site, hosts });
      const asked = parseFields(pageFields(), address === null ? { ...others, q: q.trim() } : others);
      const { cursor, limit, sort, ...filters } = asked;
      const campaigns = filters.campaign_name === undefined ? [] : await ownCampaigns;
      const all = { ...withCampaigns(filters, campaigns), ...(address !== null && { address }) };
      const page = await listRecentLinks({ db, statistics }, actor, all, sort, { limit, cursor });
      return { ...withFirst(page, created), limit };
    };
    const [{ domains }, campaigns, found] = await Promise.all([ownDomains, ownCampaigns, submit(c, query, findFor)]);
    const status = found.ok ? 200 : found.status;
    return page(
      c,
      { title: 'Links', status },
      <LinksPage
        {...{ client, site, query, created, domains, campaigns }}
        timeZone={session.timeZone}
        form={found.ok ? newForm(query) : found.form}
        found={found.ok ? found.value : null}
      />,
    );
  });

  pages.get(`${LINKS}/selected`, signedIn, inClient, async (c) => {
    const { fields, lists } = readQueryAndLists(c, ['id']);
    return askAbout(c, actionOf(fields['do'], ASKED), lists['id'] ?? [], fields['back'] ?? '');
  });

  pages.post(`${LINKS}/selected`, signedIn, inClient, async (c) => {
    const { fields, list: ids } = await readFieldsAndList(c, 'id');
    const [action, back] = [actionOf(fields['do'], MANY_ACTIONS), fields['back'] ?? ''];
    const { actor, client, session } = c.var;
    const editId = crypto.randomUUID();
    const read = await submit(c, fields, async () => manyValueOf(action, fields, session.timeZone));
    if (!read.ok) return askAbout(c, actionOf(fields['do'], ASKED), ids, back, read.form, read.status);
    const changed = await editMany(editTiersOf(c), actor, ids, action, { value: read.value, editId });
    const [done, unchanged] = DONE[action];
    const details = SETTINGS.some((setting) => setting === action) ? [editId, ...changed] : changed;
    // An undo leads to the page on which it was, which says itself which one that is.
    const to = fields['to'] === undefined ? backTo(client, back) : ownPath(fields['to'], c.var.site.requestUrl);
    return seeOther(c, to, changed.length === 0 ? unchanged : done, details);
  });

  return pages;
}

async function askAbout(
  c: Context<PlatformEnv>,
  action: Asked,
  ids: readonly string[],
  query: string,
  form = newForm(),
  status: PageHead['status'] = 200,
): Promise<Response> {
  const { db, actor, client, session, site } = c.var;
  const [links, campaigns] = await Promise.all([
    findLinks(db, actor, ids.slice(0, MAX_MANY)),
    action === 'campaign' ? listCampaignNames(db, actor) : [],
  ]);
  const back = backTo(client, query);
  if (links.length === 0) return seeOther(c, back, 'links-chosen-none');
  return page(
    c,
    { title: 'Many links', narrow: true, status },
    <ConfirmMany
      {...{ action, back, query, form, campaigns }}
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

const pageFields = lazy(() => {
  const { client_id: _, ...shape } = linkListQuery().shape;
  return z.strictObject(shape);
});

function actionOf<Action extends ManyAction>(word: string | undefined, actions: readonly Action[]): Action {
  const action = actions.find((known) => known === word);
  if (action === undefined) throw new AppError('not_found', 'There is no such page.');
  return action;
}

/** What is said once links are changed, and if none of them is. */
const DONE: Readonly<Record<ManyAction, readonly [done: Flash, unchanged: Flash]>> = {
  disable: ['links-disabled', 'links-unchanged'],
  enable: ['links-enabled', 'links-unchanged'],
  delete: ['links-deleted', 'links-unchanged'],
  restore: ['links-restored', 'links-unchanged'],
  campaign: ['links-campaign', 'links-same'],
  expiry: ['links-expiry', 'links-same'],
  undo_campaign: ['links-campaign-undone', 'links-same'],
  undo_expiry: ['links-expiry-undone', 'links-same'],
};

// Back to the list with the same query, which is encoded anew, so that it cannot become anything else.
function backTo(client: { readonly id: string }, query: string): string {
  const params = new URLSearchParams(query).toString();
  return clientPath(client, params === '' ? 'links' : `links?${params}`);
}
