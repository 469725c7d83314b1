import type { HistoryEntry } from '../../links/edit/history.ts';
import { STORED_NAMES, textOf } from '../../links/fields/content.ts';
import type { ManagedLink } from '../../links/managed.ts';
import type { Statistics } from '../clicks/read-statistics.ts';
import { ClickStatistics } from '../clicks/statistics.tsx';
import { addressOf } from '../clicks/view.ts';
import { curlCreate, curlGet, curlInfo } from '../keys/curl.ts';
import type { OwnClient } from '../env.ts';
import { newForm } from '../form.ts';
import { Button, ButtonLink } from '../kit/button.tsx';
import { Fold } from '../kit/fold.tsx';
import { CodeBlock, CopyButton } from '../kit/copy.tsx';
import { Badge, Notice } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Table } from '../kit/table.tsx';
import { nameInstant } from '../kit/time.tsx';
import { Destination } from './destination.tsx';
import { factsOf } from './facts.tsx';
import { History } from './history.tsx';
import { shown } from './shown.ts';
import { linkPath } from './paths.ts';
import { StateBadge } from './state.tsx';
import { TryForm } from './try-page.tsx';

interface LinkPageProps {
  readonly client: OwnClient;
  readonly link: ManagedLink;
  readonly shortUrl: string;
  /** Null for a deleted link, which has no click statistics. */
  readonly statistics: Statistics | null;
  readonly history: { readonly history: readonly HistoryEntry[]; readonly cursor: string | null };
  /** Whether the page shows older entries of the history, not the newest. */
  readonly isOlder: boolean;
  /** How many clicks of its limit are left; null without a limit, or if that is not known. */
  readonly clicksLeft: number | null;
  readonly origin: string;
  readonly timeZone: string;
}

/** One link. */
export function LinkPage(props: LinkPageProps) {
  const { client, link, shortUrl, statistics, timeZone, origin } = props;
  const path = linkPath(client, link.id);
  const isDeleted = link.state === 'deleted';
  return (
    <>
      <PageHeader
        title={shown(shortUrl)}
        lead={
          <>
            <StateBadge state={link.state} />{' '}
            {link.state === 'active' && link.startsAt !== null && link.startsAt > Date.now() && (
              <Badge kind="warning">Starts on {nameInstant(link.startsAt, timeZone)}</Badge>
            )}{' '}
            Leads to{' '}
            <a href={link.url} rel="noreferrer" dir="ltr" title={link.url}>
              <Destination href={link.url} whole />
            </a>
          </>
        }
        actions={
          <>
            {!isDeleted && <CopyButton text={shortUrl} label={`Copy ${shown(shortUrl)}`} />}
            {!isDeleted && <ButtonLink href={`${path}/edit`}>Edit</ButtonLink>}
            <Switches link={link} path={path} />
          </>
        }
      />
      {isDeleted && (
        <Notice>
          This link has been deleted. You can restore it within 30 days of its deletion. After that its content is
          removed, and its address stays reserved.
        </Notice>
      )}
      {statistics && (
        <ClickStatistics
          client={client}
          statistics={{ ...statistics, scope: { ...statistics.scope, cards: cardsOf(link, statistics) } }}
          empty={{ text: 'Share the short link. Clicks appear here within seconds.' }}
        />
      )}
      <Section id="details" title="Details">
        <Facts facts={factsOf({ link, shortUrl, timeZone, clicksLeft: props.clicksLeft })} />
      </Section>
      {!isDeleted && (
        <Section id="try" title="Try it" hint="What a visitor gets, and why. Nothing is counted.">
          <Fold label="Choose a visitor" open={false}>
            <TryForm form={newForm()} {...{ path, link, timeZone }} />
          </Fold>
        </Section>
      )}
      {!isDeleted && <QrSection path={path} shortUrl={shortUrl} />}
      {!isDeleted && <Aliases link={link} path={path} />}
      <Section id="history" title="History" hint="All changes to this link. You can restore a previous destination.">
        <History
          {...props.history}
          isOlder={props.isOlder}
          {...{ link, path, timeZone }}
          pageWith={(more) => (statistics ? addressOf(path, statistics.view, more) : withQuery(path, more))}
        />
      </Section>
      {!isDeleted && (
        <Section id="programs" title="Use the API" hint="Replace API_KEY or ACCESS_TOKEN with your own.">
          <CodeBlock id="curl-stats" label="Get its clicks" code={curlGet(`${origin}/v1/links/${link.id}/stats`)} />
          <CodeBlock id="curl-info" label="Get its info" code={curlInfo(origin, link)} />
          <CodeBlock id="curl-create" label="Create it again" code={curlCreate(origin, createFieldsOf(link))} />
        </Section>
      )}
    </>
  );
}

/** All visitors of a link without rules and variants have one destination, unless it had some before. */
function cardsOf({ rules, variants }: ManagedLink, { scope, view }: Statistics): Statistics['scope']['cards'] {
  const isRouted = rules !== null || variants !== null || view.card === 'destinations';
  return scope.cards.filter((card) => card !== 'destinations' || isRouted);
}

function withQuery(path: string, more: Readonly<Record<string, string>>): string {
  const query = String(new URLSearchParams(more));
  return query === '' ? path : `${path}?${query}`;
}

/** The buttons that enable or disable a link. */
function Switches({ link, path }: { link: ManagedLink; path: string }) {
  if (link.state === 'deleted') {
    return (
      <form method="post" action={`${path}/restore`}>
        <Button>Restore</Button>
      </form>
    );
  }
  return (
    <>
      <form method="post" action={`${path}/${link.disabled ? 'enable' : 'disable'}`}>
        <Button kind="quiet">{link.disabled ? 'Enable' : 'Disable'}</Button>
      </form>
      <ButtonLink href={`${path}/delete`} confirms>
        Delete
      </ButtonLink>
    </>
  );
}

function QrSection({ path, shortUrl }: { path: string; shortUrl: string }) {
  return (
    <Section id="qr" title="QR code" hint="Use the SVG for print: it stays sharp at any size.">
      <div class="qr">
        <img src={`${path}/qr.svg?size=256`} alt={`QR code of ${shown(shortUrl)}`} width="160" height="160" />
        <div class="actions">
          <ButtonLink href={`${path}/qr.svg?download=true`}>Download SVG</ButtonLink>
          <ButtonLink href={`${path}/qr.png?size=1024&download=true`}>Download PNG</ButtonLink>
        </div>
      </div>
    </Section>
  );
}

function Aliases({ link, path }: { link: ManagedLink; path: string }) {
  return (
    <Section
      id="aliases"
      title="Aliases"
      hint="Previous slugs that still lead here. Changing the slug adds the old one to this list."
    >
      {link.aliases.length === 0 ? (
        <p class="quiet">No aliases.</p>
      ) : (
        <Table
          caption="Aliases"
          rows={link.aliases}
          columns={[
            { label: 'Alias', isWide: true, cell: (alias) => <code class="broken">{alias}</code> },
            {
              label: 'Actions',
              isActions: true,
              cell: (alias) => (
                <ButtonLink
                  href={`${path}/aliases/${encodeURIComponent(alias)}/remove`}
                  label={`Remove the alias ${alias}`}
                  small
                  confirms
                >
                  Remove
                </ButtonLink>
              ),
            },
          ]}
        />
      )}
    </Section>
  );
}

function createFieldsOf(link: ManagedLink): Record<string, string | null> {
  return {
    client_id: link.clientId,
    url: link.url,
    slug: link.slug === link.id ? null : link.slug,
    custom_domain: link.customDomain,
    ...Object.fromEntries(STORED_NAMES.map((name) => [name, textOf(name, link)])),
  };
}
