import { Hono, type Context } from 'hono';
import { html } from 'hono/html';
import { AppError } from '../../../errors.ts';
import { listDomains } from '../../../domains/domains.ts';
import { readQuery } from '../../../http/query.ts';
import { limitRate } from '../../../http/rate-limits.ts';
import { linkToolsOf } from '../../../http/link-tools.ts';
import { createLink } from '../../../links/create/create.ts';
import { dryRunCreate } from '../../../links/create/dry-run.ts';
import type { Link } from '../../../links/link.ts';
import { listCampaignNames } from '../../../links/list/campaigns.ts';
import { listPresets } from '../../../links/presets/presets.ts';
import { logProblem } from '../../../isolate/log.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther } from '../../flash.ts';
import { newForm, submit, type FormState } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { clientPath } from '../../nav.ts';
import { page, type PageHead } from '../../page.tsx';
import { withScheme } from '../../../links/destinations/with-scheme.ts';
import { readNewLink, targetOf, type FormContext } from './fields.ts';
import { formAfterAction, readLinkForm, withoutPassword } from './link-form.ts';
import { Same, SAME_DESTINATION, SHORT_URL, ShortUrl } from './new-live.tsx';
import { NewLinkPage } from './new-page.tsx';
import { linkPath } from '../paths.ts';
import { QUICK_NAMES } from '../list/quick-create.tsx';
import { findSame } from './same-destination.ts';
import { newSlugFaultOf, withSlugFault } from './slug-fault.ts';
import { inputAt } from '../routes/draft.ts';

const LINKS = '/platform/c/:client/links';

/** Creating a link. */
export function newLinkPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINKS}/new`, signedIn, inClient, async (c) => {
    const query = readQuery(c);
    const typed = QUICK_NAMES.map((name) => [name, query[name] ?? ''] as const);
    const values = Object.fromEntries(typed);
    const fault = await newSlugFaultOf(c, values);
    const isTyped = typed.some(([, text]) => text !== '');
    const faults = fault === null ? {} : { slug: fault };
    return respondWithForm(c, { ...newForm(values), faults, ...(isTyped && { isUnsaved: true }) });
  });

  pages.post(`${LINKS}/new`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    const changed = formAfterAction(fields);
    if (changed) return respondWithForm(c, changed);
    return respondWithCreate(c, fields, async (link) => {
      // The link is created, so a failure of this look-up is no failure of the request.
      const same = await findSame(c, link.url).catch((cause: unknown) => logProblem('same_links_not_counted', cause));
      const flash = !same || same.links === 1 ? 'link-made' : 'link-made-again';
      return seeOther(c, linkPath(c.var.client, link.id), flash);
    });
  });

  // The line above the list of links.
  pages.post(LINKS, signedIn, inClient, async (c) => {
    const seeInList = ({ id }: Link) =>
      seeOther(c, `${clientPath(c.var.client, 'links')}?created=${id}`, 'link-made-on-top');
    return respondWithCreate(c, await readLinkForm(c), seeInList);
  });

  // The faults that the form's script shows beside the fields while they are filled in.
  pages.post(`${LINKS}/check`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    // No form is shown.
    c.set('sent', undefined);
    const { db, actor } = c.var;
    const check = async () => dryRunCreate(db, actor, readNewLink(fields, formContextOf(c)));
    const faultOfSlug = () => newSlugFaultOf(c, fields);
    const sent = await withSlugFault(c, await submit(c, fields, check, {}, inputAt), faultOfSlug);
    const hasUtm = Object.entries(fields).some(([name, text]) => name.startsWith('utm_') && text !== '');
    const target = sent.ok && hasUtm ? targetOf(fields) : '';
    const parts = {
      [SHORT_URL]: shortUrlIn(c, sent.ok ? newForm(fields) : sent.form),
      [SAME_DESTINATION]: <Same same={await sameAs(c, fields)} />,
    };
    const markup = Object.entries(parts).map(async ([id, part]) => [id, await html`${part}`] as const);
    return c.json({
      faults: sent.ok ? {} : sent.form.faults,
      target,
      parts: Object.fromEntries(await Promise.all(markup)),
    });
  });

  return pages;
}

/** Creates a link, or shows the form with its faults. */
async function respondWithCreate(
  c: Context<PlatformEnv>,
  fields: Readonly<Record<string, string>>,
  response: (link: Link) => Response | Promise<Response>,
): Promise<Response> {
  const { credential } = c.var.actor;
  const create = async () => {
    const link = readNewLink(fields, formContextOf(c));
    await limitRate(c, 'create', credential);
    return createLink(linkToolsOf(c), credential, link, (made) => made);
  };
  const sent = await withSlugFault(c, await submit(c, fields, create, {}, inputAt), () => newSlugFaultOf(c, fields));
  return sent.ok ? response(sent.value) : respondWithForm(c, withoutPassword(sent.form), sent.status);
}

/** The links that lead already where a form does; null if it does not say where, or if that is not valid. */
async function sameAs(c: Context<PlatformEnv>, fields: Readonly<Record<string, string>>) {
  const { utm } = Object.groupBy(Object.entries(fields), ([name]) => (name.startsWith('utm_') ? 'utm' : 'other'));
  const hasUtm = utm?.some(([, text]) => text !== '') ?? false;
  try {
    const url = withScheme(fields['url'] ?? '');
    return await findSame(c, hasUtm ? targetOf({ ...fields, url }) : url);
  } catch (error) {
    // UTM parameters that are not valid are said beside their fields.
    if (error instanceof AppError && error.status === 400) return null;
    throw error;
  }
}

/** The short link that a form creates; none if its slug is refused. */
function shortUrlIn(c: Context<PlatformEnv>, { values, faults }: FormState) {
  if (faults['slug'] !== undefined || faults['custom_domain'] !== undefined) return null;
  return <ShortUrl host={values['custom_domain'] || serviceHostOf(c)} slug={values['slug'] ?? ''} />;
}

const serviceHostOf = ({ var: { site } }: Context<PlatformEnv>) => (site.publicUrl ?? site.requestUrl).host;

function formContextOf(c: Context<PlatformEnv>): FormContext {
  return { clientId: c.var.client.id, site: c.var.site, timeZone: c.var.session.timeZone };
}

async function respondWithForm(c: Context<PlatformEnv>, form: FormState, status: PageHead['status'] = 200) {
  const { db, actor, client, session } = c.var;
  const [{ domains }, campaigns, templates, same] = await Promise.all([
    listDomains(db, actor),
    listCampaignNames(db, actor),
    listPresets(db, actor, 'utm'),
    sameAs(c, form.values),
  ]);
  return page(
    c,
    { title: 'Create link', status },
    <NewLinkPage
      {...{ client, form, campaigns, templates, same }}
      timeZone={session.timeZone}
      serviceHost={serviceHostOf(c)}
      shortUrl={shortUrlIn(c, form)}
      hosts={domains.filter(({ status }) => status === 'active').map(({ host }) => host)}
    />,
  );
}
