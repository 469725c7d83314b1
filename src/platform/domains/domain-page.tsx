import type { Session } from '../../accounts/sessions/session.ts';
import type { SetUp } from '../../domains/custom-hostnames.ts';
import { txtRecordOf, type Domain, type DomainWithAppLinks } from '../../domains/domain.ts';
import type { Proof } from '../../domains/check-proof.ts';
import { AppLinksSection } from './domain-app-links.tsx';
import { DomainClickStatistics, type DomainClicks } from './domain-clicks.tsx';
import { LogoSection, type DomainLogo } from './domain-logo.tsx';
import { StatusBadge } from './domain-status.tsx';
import { Host } from './host.tsx';
import { UrlsForm, UrlsSection } from './domain-forms.tsx';
import { Record, Setup } from './setup.tsx';
import { SlugsSection } from './slugs-section.tsx';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Notice } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
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
  logoForm,
  logo,
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
  /** The form for the logo, if it was sent. */
  logoForm: FormState | undefined;
  /** The logo of its own. */
  logo: DomainLogo;
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
      {result === 'unresolved' && <Unresolved />}
      {domain.status !== 'active' && (
        <Setup
          {...{ domain, target, setUp }}
          proof={typeof result === 'object' ? result.proof : null}
          verifyPath={isOwner ? `${path}/verify` : null}
        />
      )}
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
        {isOwner && domain.status === 'active' && (
          <form method="post" action={`${path}/verify`}>
            <Button kind="quiet">Check again</Button>
          </form>
        )}
      </Section>
      {domain.status === 'active' && (
        <Section
          id="dns"
          title="DNS records"
          hint="What the domain has at its DNS provider. Both are checked every day."
        >
          <Record type="TXT" {...txtRecordOf(domain)} />
          <Record type="CNAME" name={domain.host} value={target} />
        </Section>
      )}
      <UrlsSection>
        {isOwner ? (
          <UrlsForm form={form} action={path} />
        ) : (
          <Facts
            facts={[
              { term: 'Root URL', value: <FallbackUrl url={domain.rootUrl} /> },
              { term: 'Not-found URL', value: <FallbackUrl url={domain.notFoundUrl} /> },
            ]}
          />
        )}
      </UrlsSection>
      <SlugsSection {...{ domain, isOwner }} form={slugsForm} action={`${path}/slugs`} />
      <AppLinksSection {...{ domain, isOwner }} form={appLinksForm} action={`${path}/app-links`} />
      <LogoSection {...{ domain, isOwner, logo }} form={logoForm} action={`${path}/logo`} />
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
    return 'Lost: verification failed three days in a row. Existing links keep working; no new links can be created until its records are found again.';
  }
  if (status === 'pending') {
    return verifiedAt === null
      ? 'Pending: no links can be created on it yet. Imported links wait for it. Add the two DNS records above.'
      : 'Pending: another workspace has verified this domain and uses it now. To use it here again, set the new TXT value above.';
  }
  if (verifiedAt === null) return 'Active: added by the operator of the service, without verification.';
  return failures > 0
    ? 'Active, but the last daily check failed. After three failed checks in a row, no new links can be created on it.'
    : 'Active: links can be created on it.';
}

function Unresolved() {
  return (
    <Notice kind="warning" stack>
      <h2>The domain could not be checked</h2>
      <p>DNS is temporarily unavailable. Nothing has changed. Try again in a minute.</p>
    </Notice>
  );
}
