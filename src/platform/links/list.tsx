import { Hono } from 'hono';
import * as z from 'zod';
import { listDomains } from '../../domains/domains.ts';
import { AppError } from '../../errors.ts';
import { readQuery, readQueryAndLists } from '../../http/query.ts';
import { lazy } from '../../lazy.ts';
import { editMany, MANY_ACTIONS, MAX_MANY, type ManyAction } from '../../links/edit/edit-many.ts';
import { listCampaignNames } from '../../links/list/campaigns.ts';
import { findLinks } from '../../links/list/find-many.ts';
import { listFields } from '../../links/input.ts';
import { listLinks } from '../../links/list/list.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import { parseFields } from '../../validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther, type Flash } from '../flash.ts';
import { newForm, readFieldsAndList, submit } from '../form.ts';
import { inClient, signedIn } from '../guard.ts';
import { clientPath, ownPath } from '../nav.ts';
import { page } from '../page.tsx';
import { readShortUrl } from '../typed-url.ts';
import { ConfirmMany } from './confirm-many.tsx';
import { LinksPage } from './list-page.tsx';
import { typedAddress, withCampaigns } from './typed-filters.ts';
import { editTiersOf } from '../../http/edit-tiers.ts';

const LINKS = '/platform/c/:client/links';

/** The links of a client: finding them, and actions on many of them. */
export function linkListPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(LINKS, signedIn, inClient, async (c) => {
    const query = readQuery(c);
    const { db, actor, client, session, site } = c.var;
    const [ownDomains, ownCampaigns] = [listDomains(db, actor), listCampaignNames(db, actor)];
    const findFor = async () => {
      const { q = '', tag, ...texts } = query;
      const others = { ...texts, ...(tag !== undefined && { tag: [tag] }) };
      // A short URL may be longer than a search text.
      const hosts = readShortUrl(q) === null ? [] : (await ownDomains).domains.map(({ host }) => host);
      const address = typedAddress(query, { site, hosts });
      const { cursor, ...filters } = parseFields(pageFields(), address === null ? { ...others, q: q.trim() } : others);
      const campaigns = filters.campaign_name === undefined ? [] : await ownCampaigns;
      const all = { ...withCampaigns(filters, campaigns), ...(address !== null && { address }) };
      return listLinks(db, actor, all, { limit: PER_PAGE, cursor });
    };
    const [{ domains }, campaigns, found] = await Promise.all([ownDomains, ownCampaigns, submit(c, query, findFor)]);
    const status = found.ok ? 200 : found.status;
    return page(
      c,
      { title: 'Links', status },
      <LinksPage
        {...{ client, site, query, campaigns }}
        timeZone={session.timeZone}
        hosts={domains.map(({ host }) => host)}
        form={found.ok ? newForm(query) : found.form}
        found={found.ok ? found.value : null}
        isShort={found.ok && found.value.links.length < PER_PAGE}
      />,
    );
  });

  pages.get(`${LINKS}/selected`, signedIn, inClient, async (c) => {
    const { db, actor, client, site } = c.var;
    const { fields, lists } = readQueryAndLists(c, ['id']);
    const { do: wanted, back = '' } = fields;
    const action = actionOf(wanted);
    const links = await findLinks(db, actor, (lists['id'] ?? []).slice(0, MAX_MANY));
    if (links.length === 0) return seeOther(c, backTo(client, back), 'links-chosen-none');
    return page(
      c,
      { title: 'Many links', narrow: true },
      <ConfirmMany
        action={action}
        back={backTo(client, back)}
        query={back}
        links={links.map((link) => ({ id: link.id, shortUrl: shortUrlOf(link, site) }))}
      />,
    );
  });

  pages.post(`${LINKS}/selected`, signedIn, inClient, async (c) => {
    const { fields, list: ids } = await readFieldsAndList(c, 'id');
    const [action, back] = [actionOf(fields['do']), fields['back'] ?? ''];
    const { actor, client } = c.var;
    const changed = await editMany(editTiersOf(c), actor, ids, action);
    const flash = changed.length === 0 ? 'links-unchanged' : DONE[action];
    // An undo leads to the page on which it was, which says itself which one that is.
    const to = fields['to'] === undefined ? backTo(client, back) : ownPath(fields['to'], c.var.site.requestUrl);
    return seeOther(c, to, flash, changed);
  });

  return pages;
}

const PER_PAGE = 50;

const pageFields = lazy(() => {
  const { limit: _, ...filterFields } = listFields();
  return z.strictObject(filterFields);
});

function actionOf(word: string | undefined): ManyAction {
  const action = MANY_ACTIONS.find((known) => known === word);
  if (action === undefined) throw new AppError('not_found', 'There is no such page.');
  return action;
}

const DONE: Readonly<Record<ManyAction, Flash>> = {
  disable: 'links-disabled',
  enable: 'links-enabled',
  delete: 'links-deleted',
  restore: 'links-restored',
};

// Back to the list with the same query, which is encoded anew, so that it cannot become anything else.
function backTo(client: { readonly id: string }, query: string): string {
  const params = new URLSearchParams(query).toString();
  return clientPath(client, params === '' ? 'links' : `links?${params}`);
}
