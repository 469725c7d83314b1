import { Hono, type Context } from 'hono';
import { listDomains } from '../../domains/domains.ts';
import { readQuery } from '../../http/query.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { refuseNewTargets } from '../../targets/new-targets.ts';
import { targetPolicyOf } from '../../http/target-policy.ts';
import { authorizeCreator } from '../../accounts/access.ts';
import { protect } from '../../links/lock/protect.ts';
import { createLink } from '../../links/create/create.ts';
import { dryRunCreate } from '../../links/create/dry-run.ts';
import { destinationsOf } from '../../links/destinations.ts';
import { contentOfInput } from '../../links/fields/content.ts';
import type { Link } from '../../links/link.ts';
import { listCampaignNames } from '../../links/list/campaigns.ts';
import { forgetAbsent } from '../../links/redirect/resolve.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, submit, type FormState } from '../form.ts';
import { inClient, signedIn } from '../guard.ts';
import { clientPath } from '../nav.ts';
import { page, type PageHead } from '../page.tsx';
import { readNewLink, targetOf, type FormContext } from './fields.ts';
import { formAfterAction, readLinkForm, withoutPassword } from './link-form.ts';
import { NewLinkPage } from './new-page.tsx';
import { linkPath } from './paths.ts';
import { QUICK_NAMES } from './quick-create.tsx';
import { inputAt } from './routes/draft.ts';

const LINKS = '/platform/c/:client/links';

/** Creating a link. */
export function newLinkPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINKS}/new`, signedIn, inClient, (c) => {
    const query = readQuery(c);
    return answerForm(c, newForm(Object.fromEntries(QUICK_NAMES.map((name) => [name, query[name] ?? '']))));
  });

  pages.post(`${LINKS}/new`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    const changed = formAfterAction(fields);
    if (changed) return answerForm(c, changed);
    return answerCreate(c, fields, (link) => seeOther(c, linkPath(c.var.client, link.id), 'link-made'));
  });

  // The line above the list of links.
  pages.post(LINKS, signedIn, inClient, async (c) => {
    const seeInList = ({ id }: Link) =>
      seeOther(c, `${clientPath(c.var.client, 'links')}?created=${id}`, 'link-made-on-top');
    return answerCreate(c, await readLinkForm(c), seeInList);
  });

  // The faults that the form's script shows beside the fields while they are filled in.
  pages.post(`${LINKS}/check`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    const { db, actor } = c.var;
    const check = async () => dryRunCreate(db, actor, readNewLink(fields, formContextOf(c)));
    const sent = await submit(c, fields, check, {}, inputAt);
    const hasUtm = Object.entries(fields).some(([name, text]) => name.startsWith('utm_') && text !== '');
    const target = sent.ok && hasUtm ? targetOf(fields) : '';
    return c.json({ faults: sent.ok ? {} : sent.form.faults, target });
  });

  return pages;
}

/** Creates a link, or shows the form with its faults. */
async function answerCreate(
  c: Context<PlatformEnv>,
  fields: Readonly<Record<string, string>>,
  answer: (link: Link) => Response,
): Promise<Response> {
  const { db, actor } = c.var;
  const create = async () => {
    const input = readNewLink(fields, formContextOf(c));
    await limitRate(c, 'create', actor.credential);
    const destinations = destinationsOf(contentOfInput(input));
    await refuseNewTargets(db, actor.credential, targetPolicyOf(c), destinations);
    const authorize = () => authorizeCreator(db, actor.credential);
    const hashing = { queue: c.var.services.hashing, authorize };
    const link = await createLink(db, actor.credential, await protect(hashing, input));
    forgetAbsent(c.var.services.memory, [link]);
    return link;
  };
  const sent = await submit(c, fields, create, {}, inputAt);
  return sent.ok ? answer(sent.value) : answerForm(c, withoutPassword(sent.form), sent.status);
}

function formContextOf(c: Context<PlatformEnv>): FormContext {
  return { clientId: c.var.client.id, site: c.var.site, timeZone: c.var.session.timeZone };
}

async function answerForm(c: Context<PlatformEnv>, form: FormState, status: PageHead['status'] = 200) {
  const { db, actor, client, session, site } = c.var;
  const [{ domains }, campaigns] = await Promise.all([listDomains(db, actor), listCampaignNames(db, actor)]);
  return page(
    c,
    { title: 'Create link', status },
    <NewLinkPage
      {...{ client, form, campaigns }}
      timeZone={session.timeZone}
      serviceHost={(site.publicUrl ?? site.requestUrl).host}
      hosts={domains.filter(({ status }) => status === 'active').map(({ host }) => host)}
    />,
  );
}
