import { Hono, type Context } from 'hono';
import {
  addMailDomain,
  listMailDomains,
  removeMailDomain,
  verifyMailDomain,
} from '../../accounts/providers/mail-domains.ts';
import type { Provider } from '../../accounts/providers/provider.ts';
import { rulesText } from '../../accounts/providers/roles.ts';
import {
  getProvider,
  providerFields,
  saveProvider,
  turnProviderOff,
  turnProviderOn,
  type SettingsTools,
} from '../../accounts/providers/settings.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { pathOfProvider } from '../../http/paths.ts';
import { callbackOf, originOf } from '../../http/provider-tools.ts';
import { limitRate } from '../../http/rate-limits.ts';
import { parseFields } from '../../input/validation.ts';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, submit, type FormState } from '../forms/form.ts';
import { freshlyConfirmed, inClient, ownersOnly, signedIn } from '../guard.ts';
import { ConfirmPage } from '../kit/confirm.tsx';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { ProviderPage, TestPage } from './settings-page.tsx';
import { leadToProviders, sendToProvider } from './sso.tsx';

const SETTINGS = '/platform/c/:client/settings/sign-in';

/** The provider with which a workspace's people sign in, for its owners. */
export function providerPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${SETTINGS}/*`, signedIn, inClient, ownersOnly, freshlyConfirmed);

  pages.get(SETTINGS, async (c) => respondWithProvider(c));

  pages.post(SETTINGS, async (c) => {
    const fields = await readFields(c);
    const sent = await submit(c, fields, () => saveProvider(toolsOf(c), parseFields(providerFields(), fields)));
    if (!sent.ok) return respondWithProvider(c, sent.form, sent.status);
    return seeOther(c, pathOf(c), 'provider-saved');
  });

  pages.get(`${SETTINGS}/test`, async (c) => {
    const provider = await providerOf(c);
    leadToProviders(c);
    return page(
      c,
      { title: c.var.words.text('providers.test'), narrow: true, isStatic: true },
      <TestPage provider={provider} back={pathOf(c)} />,
    );
  });

  pages.post(`${SETTINGS}/test`, async (c) => {
    await readFields(c);
    await limitRate(c, 'lookup', c.var.session.credential);
    const provider = await providerOf(c);
    const { familyId: session } = c.var.session.credential;
    return sendToProvider(c, provider, { purpose: 'test', next: pathOf(c), session });
  });

  pages.post(`${SETTINGS}/on`, async (c) => {
    await readFields(c);
    await turnProviderOn(toolsOf(c));
    return seeOther(c, pathOf(c), 'provider-on');
  });

  pages.post(`${SETTINGS}/domains`, async (c) => {
    const fields = await readFields(c);
    const sent = await submit(c, fields, () => addMailDomain(toolsOf(c), fields['domain'] ?? ''));
    if (!sent.ok) return respondWithProvider(c, undefined, sent.status, sent.form);
    return seeOther(c, pathOf(c), 'mail-domain-added');
  });

  pages.post(`${SETTINGS}/domains/verify`, async (c) => {
    const fields = await readFields(c);
    await limitRate(c, 'verification', c.var.session.credential);
    const { resolve } = c.var.services.proofSources;
    const sent = await submit(c, fields, () => verifyMailDomain(toolsOf(c), resolve, fields['domain'] ?? ''));
    if (!sent.ok) return respondWithProvider(c, undefined, sent.status, { ...sent.form, values: {} });
    return seeOther(c, pathOf(c), sent.value ? 'mail-domain-verified' : 'mail-domain-not-found');
  });

  pages.post(`${SETTINGS}/domains/remove`, async (c) => {
    const { domain = '' } = await readFields(c);
    await removeMailDomain(toolsOf(c), domain);
    return seeOther(c, pathOf(c), 'mail-domain-removed');
  });

  for (const [path, isRemoved] of [
    ['off', false],
    ['remove', true],
  ] as const) {
    pages.get(`${SETTINGS}/${path}`, async (c) => respondWithQuestion(c, isRemoved));

    pages.post(`${SETTINGS}/${path}`, async (c) => {
      const fields = await readFields(c);
      const sent = await submit(c, fields, () => turnProviderOff(toolsOf(c), isRemoved));
      if (!sent.ok) return respondWithQuestion(c, isRemoved, sent.form, sent.status);
      return seeOther(c, pathOf(c), isRemoved ? 'provider-removed' : 'provider-off');
    });
  }

  return pages;
}

const pathOf = (c: Context<PlatformEnv>) => clientPath(c.var.client, 'settings/sign-in');

const toolsOf = (c: Context<PlatformEnv>): SettingsTools => ({
  db: c.var.db,
  keys: c.var.services.config.webhookKeys,
  actor: { ...c.var.actor, clientId: c.var.client.id },
  session: c.var.session,
});

async function providerOf(c: Context<PlatformEnv>): Promise<Provider> {
  const provider = await getProvider(c.var.db, { ...c.var.actor, clientId: c.var.client.id });
  if (provider === null) throw new AppError('not_found', 'There is no such page.');
  return provider;
}

async function respondWithProvider(
  c: Context<PlatformEnv>,
  form?: FormState,
  status: ErrorStatus | 200 = 200,
  domainForm: FormState = newForm(),
) {
  const { client, words, actor, db } = c.var;
  const own = { clientId: client.id };
  const [provider, domains] = await Promise.all([getProvider(db, { ...actor, ...own }), listMailDomains(db, actor)]);
  return page(
    c,
    { title: words.text('providers.title'), status },
    <ProviderPage
      {...{ client, provider, domains }}
      form={form ?? newForm(provider === null ? {} : valuesOf(provider))}
      redirectUri={callbackOf(c, own)}
      domainForm={domainForm}
      address={`${originOf(c)}${pathOfProvider(own)}`}
    />,
  );
}

const valuesOf = ({ name, issuer, application, scope, rules }: Provider) => ({
  name,
  issuer,
  client_id: application,
  scope,
  roles: rulesText(rules),
});

async function respondWithQuestion(
  c: Context<PlatformEnv>,
  isRemoved: boolean,
  form: FormState = newForm(),
  status: ErrorStatus | 200 = 200,
) {
  await providerOf(c);
  const { text } = c.var.words;
  const title = text(isRemoved ? 'providers.removeThis' : 'providers.turnOffThis');
  return page(
    c,
    { title, narrow: true, status },
    <ConfirmPage
      title={title}
      label={text(isRemoved ? 'providers.remove' : 'providers.turnOff')}
      back={pathOf(c)}
      form={form}
    >
      <p>{text(isRemoved ? 'providers.removeEffect' : 'providers.turnOffEffect')}</p>
    </ConfirmPage>,
  );
}
