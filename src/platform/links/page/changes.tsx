import { Hono, type Context } from 'hono';
import { AppError } from '../../../errors.ts';
import { editMany } from '../../../links/edit/edit-many.ts';
import type { ManyAction } from '../../../links/edit/many-rules.ts';
import { editLink, restoreTarget } from '../../../links/edit/edit.ts';
import { getManagedLink } from '../../../links/edit/get-link.ts';
import { listChoices } from '../../../links/list/choices.ts';
import { listPresets } from '../../../links/presets/presets.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import type { PlatformEnv } from '../../env.ts';
import { seeOther, type Flash } from '../../flash.ts';
import { newForm, readFields, submit, type FormState } from '../../forms/form.ts';
import { inClient, signedIn } from '../../guard.ts';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { clientPath, ownPath } from '../../nav.ts';
import { page, type PageHead } from '../../page.tsx';
import { COMPOSER_STYLES } from '../form/composer.tsx';
import { allFaultsOf, withoutList } from '../form/all-faults.ts';
import { EditPage } from '../form/edit-page.tsx';
import { differingFields, editValuesOf, readEdit } from '../form/fields.ts';
import { FROM_TAB } from './link-frame.tsx';
import { linkOf } from './link.tsx';
import { formAfterAction, readLinkForm, withoutPassword } from '../form/link-form.ts';
import { displayUrl } from '../display-url.ts';
import { linkPath } from '../paths.ts';
import { inputAt } from '../routes/draft.ts';
import { becomingOf, livePartsOf } from '../form/live-parts.tsx';
import { editedSlugFaultOf, notingDeleted, withSlugFault } from '../form/slug-fault.ts';
import { linkToolsOf } from '../../../http/link-tools.ts';

const LINK = '/platform/c/:client/links/:id';

/** The changes of one link. */
export function linkChangePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  pages.get(`${LINK}/edit`, signedIn, inClient, async (c) => {
    const link = refuseDeleted(await linkOf(c));
    return respondWithEdit(c, link, newForm(editValuesOf(c.var.words, link, c.var.session.timeZone)));
  });

  pages.post(`${LINK}/edit`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    const { db, actor, client, session, site } = c.var;
    const { timeZone } = session;
    const link = refuseDeleted(await linkOf(c));
    const changed = await formAfterAction(c, fields);
    if (changed) return respondWithEdit(c, link, changed.form, { status: changed.status });
    const holds = (revision: number) => String(revision) === fields['revision'];
    const { verb: save, deletedOwner } = notingDeleted(async () => {
      const change = readEdit(fields, link, { words: c.var.words, site, timeZone });
      return editLink(linkToolsOf(c), actor, link.id, change, holds);
    });
    const faultOfSlug = () => editedSlugFaultOf(c, link, fields);
    const sent = await withSlugFault(c, await submit(c, fields, save, {}, inputAt), faultOfSlug);
    if (sent.ok) return seeOther(c, linkPath(client, link.id, 'details'), 'link-saved');
    // A user who saves again after this has seen the other user's changes.
    const now = sent.status === 412 ? await getManagedLink(db, actor, link.id) : null;
    const values = now ? { ...fields, revision: String(now.revision) } : fields;
    const others = now ? differingFields(c.var.words, fields, now, timeZone) : [];
    // The page says itself what others have changed.
    const complaint = others.length > 0 ? null : sent.form.complaint;
    const form = withoutPassword(c.var.words, { ...sent.form, values, complaint });
    return respondWithEdit(c, link, form, { status: sent.status, others, deleted: deletedOwner() });
  });

  // The faults that the form's script shows beside the fields while they are changed.
  pages.post(`${LINK}/check`, signedIn, inClient, async (c) => {
    const fields = await readLinkForm(c);
    // No form is shown.
    c.set('sent', undefined);
    const { session, site, words } = c.var;
    const { timeZone } = session;
    const link = refuseDeleted(await linkOf(c));
    const shown = editValuesOf(words, link, timeZone);
    const check = async (typed: typeof fields) => readEdit(typed, link, { words, site, timeZone });
    const neutral = (typed: typeof fields, name: string) =>
      withoutList(typed, name) ?? { ...typed, [name]: shown[name] ?? '' };
    const own = await allFaultsOf(c, fields, check, neutral);
    const slug = await editedSlugFaultOf(c, link, fields);
    const faults = { ...(slug !== null && { slug }), ...own };
    return c.json({ faults, parts: await livePartsOf(c, { ...newForm(fields), faults }, link) });
  });

  for (const [action, flash] of SWITCHES) {
    pages.post(`${LINK}/${action}`, signedIn, inClient, (c) => switchLink(c, action, flash));
  }

  pages.get(`${LINK}/delete`, signedIn, inClient, async (c) => {
    const { client, site, words } = c.var;
    const { text } = words;
    const link = refuseDeleted(await linkOf(c));
    return page(
      c,
      { title: text('linkPage.deleteTitle'), narrow: true },
      <ConfirmPage
        title={text('linkPage.deleteThis')}
        label={text('linkPage.deleteLink')}
        back={linkPath(client, link.id)}
      >
        <p class="broken">{text('linkPage.deleteEffect', { link: displayUrl(shortUrlOf(link, site)) })}</p>
      </ConfirmPage>,
    );
  });

  pages.post(`${LINK}/history/:n/put-back`, signedIn, inClient, async (c) => {
    const { actor, client, site } = c.var;
    const [id, n] = [c.req.param('id'), c.req.param('n')];
    if (!/^[1-9]\d{0,8}$/.test(n)) throw new AppError('not_found', 'Page not found.');
    await restoreTarget(linkToolsOf(c), actor, site, { id, n: Number(n) });
    return seeOther(c, linkPath(client, id, 'history'), 'target-back');
  });

  pages.get(`${LINK}/aliases/:alias/remove`, signedIn, inClient, async (c) => {
    const link = refuseDeleted(await linkOf(c));
    const alias = link.aliases.find((slug) => slug === c.req.param('alias'));
    if (alias === undefined) throw noSuchAlias();
    const { client, site, words } = c.var;
    const { text } = words;
    return page(
      c,
      { title: text('linkPage.removeTitle'), narrow: true },
      <ConfirmPage
        title={text('linkPage.removeAliasThis')}
        label={text('linkPage.removeAlias')}
        back={linkPath(client, link.id, 'details')}
      >
        <p class="broken">
          {text('linkPage.removeEffect', { link: displayUrl(shortUrlOf({ ...link, slug: alias }, site)) })}
        </p>
      </ConfirmPage>,
    );
  });

  pages.post(`${LINK}/aliases/:alias/remove`, signedIn, inClient, async (c) => {
    const link = refuseDeleted(await linkOf(c));
    const kept = link.aliases.filter((slug) => slug !== c.req.param('alias'));
    if (kept.length === link.aliases.length) throw noSuchAlias();
    await editLink(linkToolsOf(c), c.var.actor, link.id, { aliases: kept }, (revision) => revision === link.revision);
    return seeOther(c, linkPath(c.var.client, link.id, 'details'), 'alias-removed');
  });

  return pages;
}

async function respondWithEdit(
  c: Context<PlatformEnv>,
  link: ManagedLink,
  form: FormState,
  {
    status = 200,
    others = [],
    deleted = null,
  }: {
    readonly status?: PageHead['status'];
    readonly others?: ReturnType<typeof differingFields>;
    readonly deleted?: string | null;
  } = {},
) {
  const { db, actor, client, session } = c.var;
  const [offered, templates, becoming] = await Promise.all([
    listChoices(db, actor),
    listPresets(db, actor, 'utm'),
    becomingOf(c, form, link),
  ]);
  const content = (
    <EditPage {...{ client, link, form, offered, templates, becoming, others, deleted }} timeZone={session.timeZone} />
  );
  return page(c, { title: c.var.words.text('linkPage.editTitle'), status, styles: COMPOSER_STYLES }, content);
}

const SWITCHES = [
  ['disable', 'link-disabled'],
  ['enable', 'link-enabled'],
  ['delete', 'link-deleted'],
  ['restore', 'link-restored'],
] as const satisfies [ManyAction, Flash][];

async function switchLink(c: Context<PlatformEnv>, action: ManyAction, flash: Flash): Promise<Response> {
  const { client, site } = c.var;
  const { [FROM_TAB]: from } = await readFields(c);
  const link = await linkOf(c);
  const editId = crypto.randomUUID();
  const changed = await editMany(linkToolsOf(c), c.var.actor, [link.id], action, { editId });
  const back = from === undefined ? linkPath(client, link.id) : ownPath(from, site.requestUrl);
  const to = action === 'delete' ? clientPath(client, 'links') : back;
  return seeOther(c, to, changed.length > 0 ? flash : 'links-unchanged', [editId, ...changed]);
}

// A deleted link cannot be changed: its page says what can be done.
function refuseDeleted<Link extends { readonly state: string }>(link: Link): Link {
  if (link.state !== 'deleted') return link;
  throw new AppError('link_deleted', 'The link is deleted. Restore it before you change it.');
}

function noSuchAlias(): AppError {
  return new AppError('not_found', 'This link does not have this alias.');
}
