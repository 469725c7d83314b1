import type { Child } from 'hono/jsx';
import type { Session } from '../../accounts/sessions/session.ts';
import type { SetUp } from '../../domains/custom-hostnames.ts';
import { txtRecordOf, type Domain, type DomainWithAppLinks } from '../../domains/domain.ts';
import type { Proof } from '../../domains/check-proof.ts';
import { AppLinksSection } from './domain-app-links.tsx';
import { DomainClickStatistics, type DomainClicks } from './domain-clicks.tsx';
import { StatusBadge } from './domain-status.tsx';
import { Host } from './host.tsx';
import { UrlFields } from './domains-page.tsx';
import { SlugsSection } from './slugs-section.tsx';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Form } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
import { displayHost } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';

/** The results of verifying a domain just now. */
export interface VerifyResult {
  readonly domain: Domain;
  readonly proof: Proof;
  readonly setUp: SetUp;
}

export function DomainPage({
  domain,
  client,
  session: { timeZone },
  result,
  target,
  setUp,
  form,
  slugsForm,
  appLinksForm,
  clicks,
}: {
  domain: DomainWithAppLinks;
  client: OwnClient;
  session: Session;
  /** `unresolved` if DNS was temporarily unavailable. */
  result: VerifyResult | 'unresolved' | undefined;
  /** The host name that the domain must be an alias of. */
  target: string;
  setUp: SetUp;
  form: FormState;
  /** The form for the spelling of slugs, if it was sent. */
  slugsForm: FormState | undefined;
  /** The form for app links, if it was sent. */
  appLinksForm: FormState | undefined;
  clicks: DomainClicks | null;
}) {
  const path = clientPath(client, `domains/${domain.id}`);
  const isOwner = client.role === 'owner';
  const at = (instant: number | null) => (instant === null ? 'Never' : <Time at={instant} timeZone={timeZone} />);
  return (
    <>
      <PageHeader
        title={<Host host={domain.host} />}
        lead={<StatusBadge status={domain.status} />}
        crumb={{ href: clientPath(client, 'domains'), label: 'Domains' }}
      />
      {result === 'unresolved' ? <Unresolved /> : result && <Findings result={result} target={target} />}
      {clicks && <DomainClickStatistics {...{ client, clicks }} />}
      <Section id="state" title="Status" hint="The TXT record and the host are checked again every day.">
        <p>{stateOf(domain)}</p>
        <Facts
          facts={[
            { term: 'Last verified', value: at(domain.verifiedAt) },
            { term: 'Last checked', value: at(domain.checkedAt) },
            { term: 'Added', value: at(domain.createdAt) },
          ]}
        />
        {isOwner && (
          <form method="post" action={`${path}/verify`}>
            <Button kind={domain.status === 'active' ? 'quiet' : 'primary'}>
              {domain.status === 'active' ? 'Check again' : 'Verify'}
            </Button>
          </form>
        )}
      </Section>
      <Section
        id="dns"
        title="DNS records"
        hint="Add these records at your DNS provider. New records can take up to an hour to become visible."
      >
        <DnsRecords domain={domain} target={target} />
        <HostAdvice host={domain.host} setUp={setUp} />
      </Section>
      <Section
        id="urls"
        title="Fallback URLs"
        hint="Where visitors are redirected if the URL has no slug or an unknown one."
      >
        {isOwner ? (
          <Form form={form} action={path}>
            <UrlFields form={form} />
            <Actions>
              <Button kind="quiet">Save</Button>
            </Actions>
          </Form>
        ) : (
          <Facts
            facts={[
              { term: 'Root URL', value: <FallbackUrl url={domain.rootUrl} /> },
              { term: 'Not-found URL', value: <FallbackUrl url={domain.notFoundUrl} /> },
            ]}
          />
        )}
      </Section>
      <SlugsSection {...{ domain, isOwner }} form={slugsForm} action={`${path}/slugs`} />
      <AppLinksSection {...{ domain, isOwner }} form={appLinksForm} action={`${path}/app-links`} />
      {isOwner && (
        <Section id="removal" title="Remove" hint="Its links stop working.">
          <Actions>
            <ButtonLink href={`${path}/remove`} kind="danger" confirms>
              Remove domain
            </ButtonLink>
          </Actions>
        </Section>
      )}
    </>
  );
}

function FallbackUrl({ url }: { url: string | null }) {
  if (url === null) return <>None</>;
  return (
    <a href={url} dir="ltr" title={url}>
      <Destination href={url} whole />
    </a>
  );
}

function stateOf({ status, verifiedAt, failures }: Domain): string {
  if (status === 'lost') {
    return 'Lost: verification failed three days in a row. Existing links keep working; no new links can be created until the domain is verified again.';
  }
  if (status === 'pending') {
    return verifiedAt === null
      ? 'Pending: no links can be created on it yet. Imported links wait for it. Add the two DNS records below, then verify the domain.'
      : 'Pending: another workspace has verified this domain and uses it now. To use it here again, set the new TXT value below, then verify the domain.';
  }
  if (verifiedAt === null) return 'Active: added by the operator of the service, without verification.';
  return failures > 0
    ? 'Active, but the last daily check failed. After three failed checks in a row, no new links can be created on it.'
    : 'Active: links can be created on it.';
}

function DnsRecords({ domain, target }: { domain: Domain; target: string }) {
  const txt = txtRecordOf(domain);
  return (
    <>
      <div class="record">
        <h3>TXT: proves that you own the domain</h3>
        <CopyField id="txt-name" label="TXT name" value={txt.name} wide />
        <CopyField id="txt-value" label="TXT value" value={txt.value} wide />
      </div>
      <div class="record">
        <h3>CNAME: sends visitors to this service</h3>
        <CopyField id="cname-name" label="CNAME name" value={domain.host} wide />
        <CopyField id="cname-value" label="CNAME value" value={target} wide />
        <p class="quiet">
          A root domain such as example.com cannot have a CNAME record: use an ALIAS, ANAME or flattened CNAME record
          instead.
        </p>
      </div>
    </>
  );
}

function HostAdvice({ host, setUp }: { host: string; setUp: SetUp }) {
  if (setUp === 'automatic') return null;
  return (
    <p>
      {setUp === 'refused' ? (
        'Cloudflare has not accepted the domain yet. Verify it again to retry.'
      ) : (
        <>
          The operator of this service must also add the domain to the deployment. Ask them to add <code>{host}</code>.
        </>
      )}
    </p>
  );
}

function Unresolved() {
  return (
    <Notice kind="warning" stack>
      <h2>The domain could not be checked</h2>
      <p>DNS is temporarily unavailable. Nothing has changed. Try again in a minute.</p>
    </Notice>
  );
}

function Findings({ result: { domain, proof }, target }: { result: VerifyResult; target: string }) {
  const findings: readonly (readonly [string, string, Child])[] = [
    ['DNS', proof.dns, dnsAdvice(domain, proof)],
    ['Host', proof.http, httpAdvice(domain, proof, target)],
  ];
  return (
    <Notice kind="danger" stack>
      <h2>The domain is not verified</h2>
      <ul>
        {findings.map(([what, finding, advice]) => (
          <li>
            <strong>
              {what}: {finding === 'ok' ? 'ok' : 'failed'}.
            </strong>{' '}
            {advice}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function dnsAdvice(domain: Domain, { dns }: Proof): string {
  const { name, value } = txtRecordOf(domain);
  const missing = `There is no TXT record ${name}. Set it to ${value}; a new record can take up to an hour to become visible.`;
  return {
    ok: 'The TXT record is correct.',
    no_such_name: missing,
    no_record: missing,
    other_value: `The TXT record ${name} has a different value. Set it to ${value}.`,
    server_failure: `The name servers of ${displayHost(domain.host)} returned an error. Check the delegation and DNSSEC of the domain.`,
  }[dns];
}

function httpAdvice({ host }: Domain, { http }: Proof, target: string): string {
  const set = `Set the CNAME record ${host} to ${target}, without a proxy in front of it.`;
  const name = displayHost(host);
  return {
    ok: 'The host points to this service.',
    unreachable: `https://${name} does not respond. ${set} A new certificate can take a few minutes.`,
    redirected: `https://${name} redirects to another address. ${set}`,
    other_service: `https://${name} is served by another service. ${set}`,
    private_address: `${name} resolves to a private IP address. ${set}`,
  }[http];
}
