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
import { useWords, type PlainKey } from '../words.tsx';

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
  const { text } = useWords();
  const path = clientPath(client, `domains/${domain.id}`);
  const isOwner = client.role === 'owner';
  const at = (instant: number | null) =>
    instant === null ? text('domains.never') : <Time at={instant} timeZone={timeZone} />;
  return (
    <>
      <PageHeader
        title={<Host host={domain.host} />}
        lead={<StatusBadge status={domain.status} />}
        crumb={{ href: clientPath(client, 'domains'), label: text('domains.title') }}
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
      <Section id="state" title={text('domains.status')} hint={text('domains.statusHint')}>
        <p>{text(stateOf(domain))}</p>
        <Facts
          facts={[
            { term: text('domains.lastVerified'), value: at(domain.verifiedAt) },
            { term: text('domains.lastChecked'), value: at(domain.checkedAt) },
            { term: text('domains.added'), value: at(domain.createdAt) },
          ]}
        />
        {isOwner && domain.status === 'active' && (
          <form method="post" action={`${path}/verify`}>
            <Button kind="quiet">{text('domains.checkAgain')}</Button>
          </form>
        )}
      </Section>
      {domain.status === 'active' && (
        <Section id="dns" title={text('domains.records')} hint={text('domains.recordsHint')}>
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
              { term: text('domains.rootUrl'), value: <FallbackUrl url={domain.rootUrl} /> },
              { term: text('domains.notFoundUrl'), value: <FallbackUrl url={domain.notFoundUrl} /> },
            ]}
          />
        )}
      </UrlsSection>
      <SlugsSection {...{ domain, isOwner }} form={slugsForm} action={`${path}/slugs`} />
      <AppLinksSection {...{ domain, isOwner }} form={appLinksForm} action={`${path}/app-links`} />
      <LogoSection {...{ domain, isOwner, logo }} form={logoForm} action={`${path}/logo`} />
      {isOwner && (
        <Section id="removal" title={text('domains.remove')} hint={text('domains.removeHint')}>
          <Actions>
            <ButtonLink href={`${path}/remove`} kind="danger" confirms>
              {text('domains.removeDomain')}
            </ButtonLink>
          </Actions>
        </Section>
      )}
    </>
  );
}

function FallbackUrl({ url }: { url: string | null }) {
  const { text } = useWords();
  if (url === null) return <>{text('domains.noUrl')}</>;
  return (
    <a href={url} dir="ltr" title={url}>
      <Destination href={url} whole />
    </a>
  );
}

function stateOf({ status, verifiedAt, failures }: Domain): PlainKey {
  if (status === 'lost') return 'domains.isLost';
  if (status === 'pending') return verifiedAt === null ? 'domains.isPending' : 'domains.isTaken';
  if (verifiedAt === null) return 'domains.isActiveByOperator';
  return failures > 0 ? 'domains.isFailing' : 'domains.isActive';
}

function Unresolved() {
  const { text } = useWords();
  return (
    <Notice kind="warning" stack>
      <h2>{text('domains.unresolved')}</h2>
      <p>{text('domains.unresolvedHint')}</p>
    </Notice>
  );
}
