import type { Child } from 'hono/jsx';
import type { Session } from '../../accounts/session.ts';
import type { SetUp } from '../../domains/custom-hostnames.ts';
import { txtRecordOf, type Domain } from '../../domains/domain.ts';
import type { Proof } from '../../domains/check-proof.ts';
import { CaseSection } from './domain-case.tsx';
import { StatusBadge } from './domain-status.tsx';
import { UrlFields } from './domains-page.tsx';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Form } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

/** The results of verifying a domain just now. */
export interface Looked {
  readonly domain: Domain;
  readonly proof: Proof;
  readonly setUp: SetUp;
}

export function DomainPage({
  domain,
  client,
  session: { timeZone },
  looked,
  target,
  setUp,
  form,
  caseForm,
}: {
  domain: Domain;
  client: OwnClient;
  session: Session;
  looked: Looked | undefined;
  /** The host name that the domain must be an alias of. */
  target: string;
  setUp: SetUp;
  form: FormState;
  /** The form for case-sensitive slugs, if it was sent. */
  caseForm: FormState | undefined;
}) {
  const path = clientPath(client, `domains/${domain.id}`);
  const isOwner = client.role === 'owner';
  const at = (instant: number | null) => (instant === null ? 'Never' : <Time at={instant} timeZone={timeZone} />);
  return (
    <>
      <PageHeader
        title={domain.host}
        lead={<StatusBadge status={domain.status} />}
        crumb={{ href: clientPath(client, 'domains'), label: 'Domains' }}
      />
      {looked && <Findings looked={looked} target={target} />}
      <Section id="state" title="State" hint="Both proofs are looked for again every day.">
        <p>{stateOf(domain)}</p>
        <Facts
          facts={[
            { term: 'Last proved', value: at(domain.verifiedAt) },
            { term: 'Last looked at', value: at(domain.checkedAt) },
            { term: 'Added', value: at(domain.createdAt) },
          ]}
        />
        {isOwner && (
          <form method="post" action={`${path}/verify`}>
            <Button kind={domain.status === 'active' ? 'quiet' : 'primary'}>
              {domain.status === 'active' ? 'Look again' : 'Verify'}
            </Button>
          </form>
        )}
      </Section>
      <Section
        id="dns"
        title="DNS records"
        hint="Set them where the DNS of the host is managed. New ones may take an hour to be seen."
      >
        <DnsRecords domain={domain} target={target} />
        <HostAdvice host={domain.host} setUp={setUp} />
      </Section>
      <Section
        id="urls"
        title="Without a link"
        hint="Where the host leads for visitors without a slug, or with one that is none."
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
              { term: 'Root URL', value: urlOf(domain.rootUrl) },
              { term: 'Not-found URL', value: urlOf(domain.notFoundUrl) },
            ]}
          />
        )}
      </Section>
      <CaseSection {...{ domain, isOwner }} form={caseForm} action={`${path}/case`} />
      {isOwner && (
        <Section id="removal" title="Remove" hint="Its links end with it.">
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

const urlOf = (url: string | null) => (url === null ? 'None' : <a href={url}>{url}</a>);

function stateOf({ status, verifiedAt, failures }: Domain): string {
  if (status === 'lost') {
    return 'Lost: three daily checks in a row have not found its proof. Its links go on, and new ones are refused until it is verified again.';
  }
  if (status === 'pending') {
    return verifiedAt === null
      ? 'Pending: it takes no links yet. Set the two DNS records below, then verify it.'
      : 'Pending: another client has proved this host since, and has it now. To have it back, set the new TXT value below, then verify it.';
  }
  if (verifiedAt === null) return 'Active: the operator of the service vouches for it, and it is not checked.';
  return failures > 0
    ? 'Active, but the last daily check has not found its proof. After three in a row it takes no new links.'
    : 'Active: links can be made on it.';
}

function DnsRecords({ domain, target }: { domain: Domain; target: string }) {
  const txt = txtRecordOf(domain);
  return (
    <>
      <div class="record">
        <h3>TXT: says that the host is yours</h3>
        <CopyField id="txt-name" label="TXT name" value={txt.name} wide />
        <CopyField id="txt-value" label="TXT value" value={txt.value} wide />
      </div>
      <div class="record">
        <h3>CNAME: leads visitors here</h3>
        <CopyField id="cname-name" label="CNAME name" value={domain.host} wide />
        <CopyField id="cname-value" label="CNAME value" value={target} wide />
        <p class="quiet">
          A host that can have no CNAME, such as example.com itself, takes an ALIAS, ANAME or flattened CNAME.
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
        'Cloudflare has not taken the host in yet. Verifying asks it again.'
      ) : (
        <>
          The operator of this service has to bind the host too: <code>npm run deploy -- --domain {host}</code>
        </>
      )}
    </p>
  );
}

function Findings({ looked: { domain, proof }, target }: { looked: Looked; target: string }) {
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
  const missing = `There is no TXT record ${name}. Set it to ${value}; it can take an hour until a new record is seen.`;
  return {
    ok: 'The TXT record is there.',
    no_such_name: missing,
    no_record: missing,
    other_value: `The TXT record ${name} has another value. Set it to ${value}.`,
    server_failure: `The name servers of ${domain.host} give no good answer. Check its delegation and DNSSEC.`,
  }[dns];
}

function httpAdvice({ host }: Domain, { http }: Proof, target: string): string {
  const set = `Set the CNAME record ${host} to ${target}, with no proxy of your own before it.`;
  return {
    ok: 'This service answers there.',
    unreachable: `https://${host} does not answer. ${set} A new certificate can take some minutes.`,
    redirected: `https://${host} redirects elsewhere. ${set}`,
    other_service: `Something other than this service answers at https://${host}. ${set}`,
    private_address: `${host} has an address outside the public internet. ${set}`,
  }[http];
}
