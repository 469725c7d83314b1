import type { Attempt, Delivery, DeliveryWithAttempts } from '../../webhooks/delivery/log.ts';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Badge } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { NamedDestination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';

/** The deliveries of a webhook, as its page and pages of their own show them. */

interface Viewed {
  readonly webhook: Webhook;
  readonly client: OwnClient;
  readonly timeZone: string;
}

const pathOf = ({ client, webhook }: Viewed) => clientPath(client, `webhooks/${webhook.id}`);

export function DeliveriesSection({
  deliveries,
  isFailedOnly,
  pages,
  ...viewed
}: Viewed & {
  deliveries: readonly Delivery[];
  isFailedOnly: boolean;
  pages: Parameters<typeof Pager>[0];
}) {
  const path = pathOf(viewed);
  return (
    <Section id="deliveries" title="Deliveries" hint="Of the last 30 days, newest first.">
      <nav class="tabs" aria-label="Deliveries">
        <a href={path} aria-current={isFailedOnly ? undefined : 'page'}>
          All
        </a>
        <a href={`${path}?show=failed`} aria-current={isFailedOnly ? 'page' : undefined}>
          Failed
        </a>
      </nav>
      {deliveries.length === 0 ? (
        <p class="quiet">{isFailedOnly ? 'No delivery has failed.' : 'Nothing has been sent yet.'}</p>
      ) : (
        <Table caption="Deliveries" columns={columnsOf(viewed)} rows={deliveries} />
      )}
      <Pager {...pages} />
      {isFailedOnly && deliveries.length > 0 && viewed.webhook.disabledAt === null && (
        <form method="post" action={`${path}/redeliver`}>
          <label for="field-hours">Redeliver all that failed in the last</label>
          <select id="field-hours" name="hours">
            {SPANS.map(([hours, label]) => (
              <option value={hours} selected={hours === '24'}>
                {label}
              </option>
            ))}
          </select>
          <Actions>
            <Button kind="quiet">Redeliver all</Button>
          </Actions>
        </form>
      )}
    </Section>
  );
}

/** The spans of time for which failed deliveries are begun anew: hours, and their name. */
export const SPANS = [
  ['1', 'hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
] as const;

function columnsOf(viewed: Viewed): readonly Column<Delivery>[] {
  const { timeZone, webhook } = viewed;
  const path = pathOf(viewed);
  return [
    {
      label: 'Event',
      cell: ({ eventId, type }) => <a href={`${path}/deliveries/${eventId}`}>{type}</a>,
    },
    { label: 'State', align: 'whole', cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
    { label: 'Attempts', cell: ({ attempts }) => String(attempts) },
    { label: 'Happened', cell: ({ happenedAt }) => <Time at={happenedAt} timeZone={timeZone} /> },
    {
      label: 'Actions',
      isActions: true,
      cell: ({ eventId, type, state, attempts }) =>
        webhook.disabledAt === null &&
        (state !== 'pending' || attempts > 0) && (
          <form method="post" action={`${path}/deliveries/${eventId}`}>
            <Button kind="quiet" small label={`Redeliver ${type} ${eventId}`}>
              Redeliver
            </Button>
          </form>
        ),
    },
  ];
}

function DeliveryBadge({ delivery: { state, attempts } }: { delivery: Delivery }) {
  if (state === 'delivered') return <Badge kind="success">Delivered</Badge>;
  if (state === 'failed') return <Badge kind="danger">Failed</Badge>;
  return <Badge kind={attempts === 0 ? 'info' : 'warning'}>{attempts === 0 ? 'Waiting' : 'Will be repeated'}</Badge>;
}

export function DeliveryPage({ delivery, ...viewed }: Viewed & { delivery: DeliveryWithAttempts }) {
  const { timeZone, webhook } = viewed;
  const path = pathOf(viewed);
  const at = (instant: number | null) => (instant === null ? '–' : <Time at={instant} timeZone={timeZone} />);
  return (
    <>
      <PageHeader
        title={delivery.type}
        lead={<DeliveryBadge delivery={delivery} />}
        crumb={{ href: path, label: <NamedDestination href={webhook.url} /> }}
      />
      <Section id="delivery" title="Delivery" hint="Each attempt has the same id in the header webhook-id.">
        <Facts
          facts={[
            { term: 'Id', value: <code>{delivery.eventId}</code> },
            { term: 'Happened', value: at(delivery.happenedAt) },
            { term: 'Delivered', value: at(delivery.deliveredAt) },
            { term: 'Next attempt', value: at(delivery.nextAttemptAt) },
          ]}
        />
        {webhook.disabledAt === null && (
          <form method="post" action={`${path}/deliveries/${delivery.eventId}`}>
            <Button kind="quiet">Redeliver</Button>
          </form>
        )}
      </Section>
      <Section id="attempts" title="Attempts" hint="With the beginning of each response, up to 1 KiB.">
        {delivery.log.length === 0 ? (
          <p class="quiet">There was no attempt yet.</p>
        ) : (
          delivery.log.map((attempt) => <AttemptFacts attempt={attempt} timeZone={timeZone} />)
        )}
      </Section>
    </>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  timeout: 'No response within 15 seconds',
  unreachable: 'The server could not be reached',
  unreadable_secret: 'Not sent: the service cannot decrypt the secret of this webhook. Roll the secret.',
  refused_port: 'Not sent: no events are sent to this port. Change the URL of the webhook.',
  refused_host: 'Not sent: DNS has no public address for the host, or the host is one of this service',
};

function AttemptFacts({ attempt, timeZone }: { attempt: Attempt; timeZone: string }) {
  const { number, at, milliseconds, status, reason, response } = attempt;
  return (
    <div>
      <h3>Attempt {number}</h3>
      <Facts
        facts={[
          { term: 'Sent', value: <Time at={at} timeZone={timeZone} /> },
          { term: 'Result', value: status === null ? (REASONS[reason ?? ''] ?? reason) : `Status ${status}` },
          { term: 'Time', value: `${milliseconds} ms` },
        ]}
      />
      {response !== '' && (
        <pre tabindex={0} aria-label={`Response to attempt ${number}`}>
          <code>{response}</code>
        </pre>
      )}
    </div>
  );
}
