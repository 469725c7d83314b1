import { Hono, type Context } from 'hono';
import type { ErrorStatus } from '../../errors.ts';
import { parseFields } from '../../input/validation.ts';
import {
  demandFields,
  demandProvider,
  endProviderDemand,
  getProviderDemand,
  listStopped,
} from '../../workspaces/required-provider.ts';
import { setUnconfirmedDays, unconfirmedFields } from '../../workspaces/unconfirmed-days.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, inClient, ownersOnly, signedIn } from '../guard.ts';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { DEMAND, DemandPage } from './provider-demand.tsx';

const PAGE = `/platform/c/:client/${DEMAND}`;

/** The pages on which owners demand that a provider opens their workspace alone. */
export function providerDemandPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${PAGE}/*`, signedIn, inClient, ownersOnly, freshlyConfirmed);

  pages.get(PAGE, (c) => respondWithDemand(c));

  pages.post(PAGE, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session } = c.var;
    const demand = () => demandProvider(db, actor, session, parseFields(demandFields(), fields).emergency_owner);
    const sent = await submit(c, fields, demand);
    if (!sent.ok) return respondWithDemand(c, sent.form, sent.status);
    return seeOther(c, clientPath(client, 'settings'), 'provider-required');
  });

  pages.post(`${PAGE}/end`, async (c) => {
    const { db, actor, client, session } = c.var;
    await endProviderDemand(db, actor, session);
    return seeOther(c, clientPath(client, 'settings'), 'provider-not-required');
  });

  pages.post(`${PAGE}/days`, async (c) => {
    const fields = await readFields(c);
    const { db, actor, client, session } = c.var;
    const { unconfirmed_days: days } = parseFields(unconfirmedFields(), fields);
    await setUnconfirmedDays(db, actor, session, days === 'never' ? null : Number(days));
    return seeOther(c, clientPath(client, 'settings'), 'unconfirmed-days-changed');
  });

  return pages;
}

async function respondWithDemand(
  c: Context<PlatformEnv>,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  const { db, actor, client, words } = c.var;
  const [demand, stopped] = await Promise.all([getProviderDemand(db, actor), listStopped(db, actor)]);
  // The settings say that a sign-in with the provider comes first.
  if (demand.offered === null) return seeOther(c, `${clientPath(client, 'settings')}#provider`);
  return page(
    c,
    { title: words.text('requiredProvider.title'), status, styles: SETTINGS_STYLES },
    <DemandPage {...{ client, demand, stopped, form }} provider={demand.offered} />,
  );
}
