import { Hono, type Context } from 'hono';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { parseFields } from '../../input/validation.ts';
import { setChecks } from '../../links/health/setting.ts';
import { findLogoOf, removeLogo } from '../../links/qr/kept-logo.ts';
import { deleteClient, getDeletionConditions, restoreClient } from '../../workspaces/deletion.ts';
import { demandFactors } from '../../workspaces/factor-demand.ts';
import { nameFields, renameClient } from '../../workspaces/name.ts';
import { getProviderDemand } from '../../workspaces/required-provider.ts';
import { getSettings } from '../../workspaces/settings.ts';
import { setSlugLength, slugLengthFields } from '../../workspaces/slug-length.ts';
import type { OwnClient, PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, inClient, ownersOnly, signedIn } from '../guard.ts';
import { RemoveLogoPage } from '../links/qr/logo-form.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { checkFields, factorFields } from './check-fields.ts';
import { DeletePage, WorkspacePage } from './workspace-page.tsx';

const WORKSPACE = '/platform/c/:client/settings';

/** The name and the deletion of a client, for its owners. */
export function workspacePages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();

  // No `inClient` here: the members of a deleted client are suspended. The verb checks whether the user is one of its
  // owners.
  pages.post('/platform/c/:client/restore', signedIn, async (c) => {
    const { db, session, services } = c.var;
    const client = { id: c.req.param('client') };
    const tiers = { memory: services.memory, kv: c.env.LINKS };
    await restoreClient(db, tiers, session.credential, client.id);
    return seeOther(c, clientPath(client), 'workspace-restored');
  });

  pages.use(`${WORKSPACE}/*`, signedIn, inClient, ownersOnly);

  pages.get(WORKSPACE, (c) => respondWithWorkspace(c));

  pages.post(WORKSPACE, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const sent = await submit(c, fields, () => renameClient(db, actor, parseFields(nameFields(), fields).name));
    if (!sent.ok) return respondWithWorkspace(c, sent.form, sent.status);
    return seeOther(c, clientPath(client, 'settings'), 'workspace-renamed');
  });

  pages.post(`${WORKSPACE}/checks`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const sent = await submit(c, fields, async () => {
      const isOn = parseFields(checkFields(), fields).checks === 'on';
      await setChecks(db, actor, isOn);
      return isOn;
    });
    if (!sent.ok) return respondWithWorkspace(c, withName(sent.form, client), sent.status);
    return seeOther(c, clientPath(client, 'settings'), sent.value ? 'checks-on' : 'checks-off');
  });

  pages.post(`${WORKSPACE}/factors`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, session, client } = c.var;
    const sent = await submit(c, fields, async () => {
      const isOn = parseFields(factorFields(), fields).factors === 'on';
      await demandFactors(db, actor, session, isOn);
      return isOn;
    });
    if (!sent.ok) return respondWithWorkspace(c, withName(sent.form, client), sent.status);
    return seeOther(c, clientPath(client, 'settings'), sent.value ? 'factors-demanded' : 'factors-not-demanded');
  });

  pages.post(`${WORKSPACE}/slugs`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client } = c.var;
    const sent = await submit(c, fields, () =>
      setSlugLength(db, actor, parseFields(slugLengthFields(), fields).slug_length),
    );
    if (!sent.ok) return respondWithWorkspace(c, withName(sent.form, client), sent.status);
    return seeOther(c, clientPath(client, 'settings'), 'slug-length-changed');
  });

  pages.get(`${WORKSPACE}/logo/remove`, (c) => {
    const { client, words } = c.var;
    return page(
      c,
      { title: words.text('qr.removeLogo'), narrow: true },
      <RemoveLogoPage back={clientPath(client, 'settings')}>{words.text('qr.removeLogoEffect')}</RemoveLogoPage>,
    );
  });

  pages.post(`${WORKSPACE}/logo/remove`, async (c) => {
    const { db, actor, client } = c.var;
    await removeLogo(db, actor, 'all links');
    return seeOther(c, clientPath(client, 'settings'), 'logo-removed');
  });

  pages.use(`${WORKSPACE}/delete`, freshlyConfirmed);
  pages.get(`${WORKSPACE}/delete`, (c) => respondWithDeletion(c));

  pages.post(`${WORKSPACE}/delete`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, services } = c.var;
    const tiers = { memory: services.memory, kv: c.env.LINKS };
    const sent = await submit(c, fields, () =>
      deleteClient(db, tiers, { ...actor, clientId: client.id }, typedIn(fields)),
    );
    if (!sent.ok) return respondWithDeletion(c, sent.form, sent.status);
    return seeOther(c, clientPath(client));
  });

  return pages;
}

// Each form of the page has its own values.
const withName = (form: FormState, { name }: OwnClient): FormState => ({ ...form, values: { ...form.values, name } });

function typedIn({ name, ...others }: Readonly<Record<string, string>>): string {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new AppError('unknown_field', 'This form has a field that is not known.');
  return (name ?? '').trim();
}

async function respondWithWorkspace(
  c: Context<PlatformEnv>,
  form = newForm({ name: c.var.client.name }),
  status: ErrorStatus | 200 = 200,
) {
  const { db, actor, client, session } = c.var;
  const [conditions, settings, logo, demand] = await Promise.all([
    getDeletionConditions(db, actor),
    getSettings(db, actor),
    findLogoOf(db, actor, { clientId: client.id, host: '' }),
    getProviderDemand(db, actor),
  ]);
  return page(
    c,
    { title: c.var.words.text('workspace.title'), status },
    <WorkspacePage {...{ client, session, conditions, form, settings, logo, demand }} />,
  );
}

async function respondWithDeletion(
  c: Context<PlatformEnv>,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  const { db, actor, client, session } = c.var;
  const conditions = await getDeletionConditions(db, actor);
  return page(
    c,
    { title: c.var.words.text('workspace.deleteTitle'), status, narrow: true },
    <DeletePage {...{ client, session, conditions, form }} />,
  );
}
