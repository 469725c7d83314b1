import { Hono, type Context } from 'hono';
import type { Child } from 'hono/jsx';
import { AppError } from '../../../errors.ts';
import { listDomains } from '../../../domains/domains.ts';
import { readQuery } from '../../../http/query.ts';
import { limitRate } from '../../../http/rate-limits.ts';
import { linkToolsOf } from '../../../http/link-tools.ts';
import { createLink } from '../../../links/create/create.ts';
import { dryRunCreate } from '../../../links/create/dry-run.ts';
import type { Link } from '../../../links/link.ts';
import { listChoices } from '../../../links/list/choices.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { listPresets } from '../../../links/presets/presets.ts';
import { logProblem } from '../../../isolate/log.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther, type Flash } from '../../flash.ts';
import { SHORT_URL as SHORT_URL_HEADER } from '../../forms/by-script.ts';
import { newForm, submit, type FormState } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { clientPath } from '../../nav.ts';
import { page, type PageHead } from '../../page.tsx';
import { withScheme } from '../../../links/destinations/with-scheme.ts';
import { allFaultsOf, withoutList } from './all-faults.ts';
import { copyOf } from './copy-of.tsx';
import { ANOTHER, readNewLink, targetOf, type FormContext } from './fields.ts';
import { formAfterAction, readLinkForm, withoutPassword } from './link-form.ts';
import { becomingOf, livePartsOf } from './live-parts.tsx';
import { DeletedLink, Same, SAME_DESTINATION, SHORT_URL, ShortUrl } from './new-live.tsx';
import { COMPOSER_STYLES } from './composer.tsx';
import { NewLinkPage } from './new-page.tsx';
import { linkPath } from '../paths.ts';
import { findSame } from './same-destination.ts';
import { ANY_URL, newSlugFaultOf, notingDeleted, withSlugFault } from './slug-fault.ts';
import { inputAt } from '../routes/draft.ts';

const LINKS = '/platform/c/:client/links';

/** Creating a link. */
export function newLinkPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINKS}/new`, signedIn, inClient, async (c) => {
    const query = readQuery(c);
    const { from } = query;
    const copy = from === undefined ? null : await copyOf(c, from);
    const typed = TYPED.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const]));
    const values = { ...copy?.values, ...Object.fromEntries(typed) };
    const fault = await newSlugFaultOf(c, values);
    const isTyped = copy !== null || query['url'] !== undefined || query['slug'] !== undefined;
    const faults = fault === null ? {} : { slug: fault };
    const form = { ...newForm(values), faults, ...(isTyped && { isUnsaved: true as const }) };
    return respondWithForm(c, form, { copied: copy?.sentence });
  });

  pages.post(`${LINKS}/new`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    const changed = await formAfterAction(c, fields);
    if (changed) return respondWithForm(c, changed.form, { status: changed.status });
    return respondWithCreate(c, fields, async (link) => {
      // The link is created, so a failure of this look-up is no failure of the request.
      const same = await findSame(c, link.url).catch((cause: unknown) => logProblem('same_links_not_counted', cause));
      const flash = !same || same.links === 1 ? 'link-made' : 'link-made-again';
      const next = fields[ANOTHER] === undefined ? linkPath(c.var.client, link.id) : anotherPath(c, fields);
      return seeCreated(c, link, next, flash);
    });
  });

  // The faults that the form's script shows beside the fields while they are filled in, and what depends on them.
  pages.post(`${LINKS}/check`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    // No form is shown.
    c.set('sent', undefined);
    const { db, actor } = c.var;
    const check = async (typed: typeof fields) => dryRunCreate(db, actor, readNewLink(typed, formContextOf(c)));
    const neutral = (typed: typeof fields, name: string) =>
      withoutList(typed, name) ?? { ...typed, [name]: name === 'url' ? ANY_URL : '' };
    const form = { ...newForm(fields), faults: await allFaultsOf(c, fields, check, neutral) };
    const parts = await livePartsOf(c, form, null, {
      [SHORT_URL]: shortUrlIn(c, form),
      [SAME_DESTINATION]: <Same same={await sameAs(c, fields)} />,
    });
    return c.json({ faults: form.faults, parts });
  });

  return pages;
}

/** The fields that the address of the page can fill in. */
const TYPED = ['url', 'custom_domain', 'slug', 'title', 'campaign_name', 'tags', ANOTHER] as const;

/** The fields that the next link of several has too. */
const KEPT = ['custom_domain', 'campaign_name', 'tags', ANOTHER] as const;

function anotherPath(c: Context<PlatformEnv>, fields: Readonly<Record<string, string>>): string {
  const kept = KEPT.flatMap((name) => (fields[name] ? [[name, fields[name]]] : []));
  return `${clientPath(c.var.client, 'links/new')}?${new URLSearchParams(kept).toString()}`;
}

/** Redirects after a create. A script gets the short link too, which it copies. */
function seeCreated(c: Context<PlatformEnv>, link: Link, path: string, flash: Flash): Response {
  c.header(SHORT_URL_HEADER, shortUrlOf(link, c.var.site));
  return seeOther(c, path, flash);
}

/** Creates the link of the field that an empty list has. */
export async function createAboveList(c: Context<PlatformEnv>): Promise<Response> {
  const seeInList = (link: Link) =>
    seeCreated(c, link, `${clientPath(c.var.client, 'links')}?created=${link.id}`, 'link-made-on-top');
  return respondWithCreate(c, await readLinkForm(c), seeInList);
}

/** Creates a link, or shows the form with its faults. */
async function respondWithCreate(
  c: Context<PlatformEnv>,
  fields: Readonly<Record<string, string>>,
  response: (link: Link) => Response | Promise<Response>,
): Promise<Response> {
  const { credential } = c.var.actor;
  const { verb: create, deletedOwner } = notingDeleted(async () => {
    const link = readNewLink(fields, formContextOf(c));
    await limitRate(c, 'create', credential);
    return createLink(linkToolsOf(c), credential, link, (made) => made);
  });
  const sent = await withSlugFault(c, await submit(c, fields, create, {}, inputAt), () => newSlugFaultOf(c, fields));
  return sent.ok
    ? response(sent.value)
    : respondWithForm(c, withoutPassword(c.var.words, sent.form), { status: sent.status, deleted: deletedOwner() });
}

/** The links that lead already where a form does; null if it does not say where, or if that is not valid. */
async function sameAs(c: Context<PlatformEnv>, fields: Readonly<Record<string, string>>) {
  const { utm } = Object.groupBy(Object.entries(fields), ([name]) => (name.startsWith('utm_') ? 'utm' : 'other'));
  const hasUtm = utm?.some(([, text]) => text !== '') ?? false;
  try {
    const url = withScheme(fields['url'] ?? '', c.var.site.schemes);
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
  return { words: c.var.words, clientId: c.var.client.id, site: c.var.site, timeZone: c.var.session.timeZone };
}

async function respondWithForm(
  c: Context<PlatformEnv>,
  form: FormState,
  {
    status = 200,
    deleted = null,
    copied,
  }: {
    readonly status?: PageHead['status'];
    /** The deleted link that has the slug of the form, by id. */
    readonly deleted?: string | null;
    readonly copied?: Child;
  } = {},
) {
  const { db, actor, client, session } = c.var;
  const [{ domains }, offered, templates, same, becoming] = await Promise.all([
    listDomains(db, actor),
    listChoices(db, actor),
    listPresets(db, actor, 'utm'),
    sameAs(c, form.values),
    becomingOf(c, form, null),
  ]);
  return page(
    c,
    { title: c.var.words.text('linkForm.new'), status, styles: COMPOSER_STYLES },
    <NewLinkPage
      {...{ client, form, offered, templates, same, becoming, copied }}
      timeZone={session.timeZone}
      serviceHost={serviceHostOf(c)}
      shortUrl={deleted === null ? shortUrlIn(c, form) : <DeletedLink href={linkPath(client, deleted)} />}
      hosts={domains.filter(({ status }) => status === 'active').map(({ host }) => host)}
    />,
  );
}
