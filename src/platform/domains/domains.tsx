import { Hono, type Context } from 'hono';
import { DOMAIN_CHANGE_RULES, parseDomainChange, parseNewDomain } from '../../domains/input.ts';
import { addHost, changeHost, verifyHost } from '../../domains/hosts.ts';
import { keepDomainLogo } from '../../domains/domain-logo.ts';
import { getDomain, getDomainWithAppLinks, listDomains } from '../../domains/domains.ts';
import { isProved } from '../../domains/check-proof.ts';
import { AppError, type ErrorStatus } from '../../errors.ts';
import { logFailure } from '../../http/failure.ts';
import { domainCircumstances, domainToolsOf } from '../../http/domain-tools.ts';
import type { DomainWithAppLinks } from '../../domains/domain.ts';
import { findLogoOf } from '../../links/qr/kept-logo.ts';
import { readLogo } from '../../links/qr/logo.ts';
import { readDomainClicks, readDomainCsv } from './domain-clicks.tsx';
import { DomainPage, type VerifyResult } from './domain-page.tsx';
import { FormAlone, NewDomainPage, type FormOfDomain } from './domain-forms.tsx';
import { DomainsPage } from './domains-page.tsx';
import { addLogoRemoval, readLogoBytes } from './logo-pages.tsx';
import { addRemoval } from './removal.tsx';
import type { PlatformEnv } from '../env.ts';
import { seeOther } from '../flash.ts';
import { newForm, readFields, readLargeFields, submit, type FormState } from '../forms/form.ts';
import { onItsPage, type SentForm } from '../forms/on-its-page.tsx';
import { freshlyConfirmed, inClient, ownersOnly, signedIn } from '../guard.ts';
import { SETTINGS_STYLES } from '../kit/settings-list.tsx';
import { displayHost, typedUrl } from '../links/display-url.ts';
import { filterOf } from '../list.ts';
import { clientPath } from '../nav.ts';
import { page } from '../page.tsx';
import { hostIn } from '../forms/typed-url.ts';
import { STATISTICS_STYLES } from '../clicks/statistics.tsx';

/** The style sheets of their pages. */
const DOMAIN_STYLES = ['domains.css'] as const;

const DOMAINS = '/platform/c/:client/domains';

/** Custom domains: members see them, owners manage them. */
export function domainPages(): Hono<PlatformEnv> {
  const pages = new Hono<PlatformEnv>();
  pages.use(`${DOMAINS}/*`, signedIn, inClient);

  pages.get(DOMAINS, async (c) => {
    const { db, actor, client, session } = c.var;
    const filter = filterOf(c);
    const { domains } = await listDomains(db, actor);
    const content = <DomainsPage {...{ domains, client, session, filter }} />;
    return page(c, { title: c.var.words.text('domains.title'), styles: SETTINGS_STYLES }, content);
  });

  pages.get(`${DOMAINS}/new`, ownersOnly, (c) => respondWithNew(c, newForm()));

  pages.post(`${DOMAINS}/new`, ownersOnly, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { actor, client, site } = c.var;
    const sent = await submit(c, fields, () =>
      addHost(domainToolsOf(c), actor, parseNewDomain(newDomainOf(fields), site)),
    );
    if (!sent.ok) return respondWithNew(c, sent.form, sent.status);
    return seeOther(c, clientPath(client, `domains/${sent.value.domain.id}`), 'domain-added');
  });

  pages.get(`${DOMAINS}/:id`, async (c) => {
    const domain = await getDomainWithAppLinks(c.var.db, c.var.actor, c.req.param('id'));
    return (await readDomainCsv(c, domain)) ?? respondWithDomain(c, { domain });
  });

  pages.post(`${DOMAINS}/:id`, ownersOnly, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const { actor, client, site } = c.var;
    const id = c.req.param('id');
    const sent = await submit(c, fields, () =>
      changeHost(domainToolsOf(c), actor, id, parseDomainChange(withNulls(fields), site)),
    );
    if (!sent.ok) return respondWithForm(c, 'form', sent);
    return seeOther(c, clientPath(client, `domains/${id}`), 'domain-changed');
  });

  pages.post(`${DOMAINS}/:id/slugs`, ownersOnly, freshlyConfirmed, async (c) => {
    const fields = await readFields(c);
    const id = c.req.param('id');
    const sentFlags = ['case_sensitive', 'tolerant'].filter((name) => fields[name] !== undefined);
    const flags = Object.fromEntries(sentFlags.map((name) => [name, fields[name] === 'true']));
    const { slug_length: typed } = fields;
    const length = typed !== undefined && { slug_length: /^\d{1,2}$/.test(typed) ? Number(typed) : typed };
    const sent = await submit(c, fields, () =>
      changeHost(domainToolsOf(c), c.var.actor, id, parseDomainChange({ ...flags, ...length }, c.var.site)),
    );
    if (!sent.ok) return respondWithForm(c, 'slugsForm', sent);
    return seeOther(c, clientPath(c.var.client, `domains/${id}`), 'domain-changed');
  });

  pages.post(`${DOMAINS}/:id/app-links`, ownersOnly, freshlyConfirmed, async (c) => {
    const fields = await readLargeFields(c, DOMAIN_CHANGE_RULES.maxBytes);
    const id = c.req.param('id');
    // Browsers send each line feed of a text as CR LF.
    const typed = Object.entries(fields).map(([name, text]) => [name, text.replaceAll('\r\n', '\n')]);
    const change = withNulls(Object.fromEntries(typed));
    const sent = await submit(c, fields, () =>
      changeHost(domainToolsOf(c), c.var.actor, id, parseDomainChange(change, c.var.site)),
    );
    if (!sent.ok) return respondWithForm(c, 'appLinksForm', sent);
    return seeOther(c, clientPath(c.var.client, `domains/${id}`), 'domain-changed');
  });

  pages.post(`${DOMAINS}/:id/logo`, ownersOnly, async (c) => {
    const bytes = await readLogoBytes(c);
    const { db, actor, client } = c.var;
    const id = c.req.param('id');
    const sent = await submit(c, { logo: '' }, async () => keepDomainLogo(db, actor, id, await readLogo(bytes)));
    if (!sent.ok) return respondWithDomain(c, { logoForm: sent.form, status: sent.status });
    return seeOther(c, clientPath(client, `domains/${id}`), 'domain-logo-kept');
  });

  addLogoRemoval(pages);

  // The results are shown once, in the answer; if all is well, the domain's own page shows it.
  pages.post(`${DOMAINS}/:id/verify`, ownersOnly, async (c) => {
    const result = await verifyHost(domainToolsOf(c), c.var.actor, c.req.param('id')).catch(unresolved);
    if (result === 'unresolved' || !isProved(result.proof)) return respondWithDomain(c, { result });
    return seeOther(c, clientPath(c.var.client, `domains/${result.domain.id}`), flashOf(result.disabledLinks));
  });

  // A reload, or a sign-in in between, leads here.
  for (const form of ['verify', 'slugs', 'app-links', 'logo']) {
    pages.get(`${DOMAINS}/:id/${form}`, async (c) => {
      const { id } = await getDomain(c.var.db, c.var.actor, c.req.param('id'));
      return seeOther(c, clientPath(c.var.client, `domains/${id}`));
    });
  }

  addRemoval(pages);

  return pages;
}

const flashOf = (disabledLinks: number) => (disabledLinks > 0 ? 'domain-active-in-part' : 'domain-active');

type Texts = Readonly<Record<string, string>>;

const newDomainOf = (fields: Texts) => ({
  ...fields,
  ...(fields['host'] !== undefined && { host: hostIn(fields['host']) }),
  case_sensitive: fields['case_sensitive'] === 'on',
});

// A field that the user has emptied is cleared.
const withNulls = (fields: Texts) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, text === '' ? null : text]));

// DNS is not a part of this service, whose pages work without it.
function unresolved(error: unknown): 'unresolved' {
  if (!(error instanceof AppError) || error.code !== 'resolver_unavailable') throw error;
  logFailure(error);
  return 'unresolved';
}

type DomainContext = Context<PlatformEnv, `${typeof DOMAINS}/:id`>;

function respondWithNew(c: Context<PlatformEnv>, form: FormState, status: ErrorStatus | 200 = 200) {
  return page(
    c,
    { title: c.var.words.text('kit.addDomain'), status },
    <NewDomainPage form={form} client={c.var.client} />,
  );
}

/** Shows one of the forms of a domain's page again. */
function respondWithForm(c: DomainContext, name: FormOfDomain, sent: SentForm) {
  const { text } = c.var.words;
  const list = clientPath(c.var.client, 'domains');
  return onItsPage(c, sent, () => respondWithDomain(c, { [name]: sent.form, status: sent.status }), {
    title: text('domains.domain'),
    list: { href: list, label: text('domains.title') },
    // A button that turns a setting on or off is sent without anything that was typed.
    content: (form) =>
      name === 'slugsForm' && form.values['slug_length'] === undefined ? null : (
        <FormAlone {...{ name, form }} path={`${list}/${c.req.param('id')}`} />
      ),
  });
}

async function respondWithDomain(
  c: DomainContext,
  {
    domain: found,
    form,
    slugsForm,
    appLinksForm,
    logoForm,
    status = 200,
    result,
  }: {
    domain?: DomainWithAppLinks;
    form?: FormState;
    slugsForm?: FormState;
    appLinksForm?: FormState;
    logoForm?: FormState;
    status?: ErrorStatus | 200;
    result?: VerifyResult | 'unresolved';
  } = {},
) {
  const { db, actor, client, session } = c.var;
  const domain = found ?? (await getDomainWithAppLinks(db, actor, c.req.param('id')));
  const [clicks, logo] = await Promise.all([readDomainClicks(c, domain), findLogoOf(db, actor, domain)]);
  const urls = { root_url: typedUrl(domain.rootUrl ?? ''), not_found_url: typedUrl(domain.notFoundUrl ?? '') };
  const content = (
    <DomainPage
      {...{ domain, client, session, result, clicks, slugsForm, appLinksForm, logoForm, logo }}
      {...domainCircumstances(c)}
      {...(typeof result === 'object' && { setUp: result.setUp })}
      form={form ?? newForm(urls)}
    />
  );
  return page(
    c,
    { title: displayHost(domain.host), status, styles: [...DOMAIN_STYLES, ...STATISTICS_STYLES] },
    content,
  );
}
