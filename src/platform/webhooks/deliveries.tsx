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
import { useWords, type PageWords, type PlainKey } from '../words.tsx';

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
  const words = useWords();
  const { text } = words;
  const path = pathOf(viewed);
  return (
    <Section id="deliveries" title={text('webhooks.deliveries')} hint={text('webhooks.deliveriesHint')}>
      <nav class="tabs" aria-label={text('webhooks.deliveries')}>
        <a href={path} aria-current={isFailedOnly ? undefined : 'page'}>
          {text('webhooks.all')}
        </a>
        <a href={`${path}?show=failed`} aria-current={isFailedOnly ? 'page' : undefined}>
          {text('webhooks.failedOnly')}
        </a>
      </nav>
      {deliveries.length === 0 ? (
        <p class="quiet">{text(isFailedOnly ? 'webhooks.noneFailed' : 'webhooks.noneSent')}</p>
      ) : (
        <Table caption={text('webhooks.deliveries')} columns={columnsOf(words, viewed)} rows={deliveries} />
      )}
      <Pager {...pages} />
      {isFailedOnly && deliveries.length > 0 && viewed.webhook.disabledAt === null && (
        <form method="post" action={`${path}/redeliver`}>
          <label for="field-hours">{text('webhooks.redeliverSince')}</label>
          <select id="field-hours" name="hours">
            {SPANS.map(([hours, label]) => (
              <option value={hours} selected={hours === '24'}>
                {text(label)}
              </option>
            ))}
          </select>
          <Actions>
            <Button kind="quiet">{text('webhooks.redeliverAll')}</Button>
          </Actions>
        </form>
      )}
    </Section>
  );
}

/** The spans of time for which failed deliveries are begun anew: hours, and the key of their name. */
export const SPANS = [
  ['1', 'webhooks.hour'],
  ['24', 'webhooks.hours24'],
  ['168', 'webhooks.days7'],
  ['720', 'webhooks.days30'],
] as const;

function columnsOf({ text }: PageWords, viewed: Viewed): readonly Column<Delivery>[] {
  const { timeZone, webhook } = viewed;
  const path = pathOf(viewed);
  return [
    {
      label: text('webhooks.event'),
      cell: ({ eventId, type }) => <a href={`${path}/deliveries/${eventId}`}>{type}</a>,
    },
    { label: text('webhooks.state'), align: 'whole', cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
    { label: text('webhooks.attempts'), cell: ({ attempts }) => String(attempts) },
    { label: text('webhooks.happened'), cell: ({ happenedAt }) => <Time at={happenedAt} timeZone={timeZone} /> },
    {
      label: text('kit.actions'),
      isActions: true,
      cell: ({ eventId, type, state, attempts }) =>
        webhook.disabledAt === null &&
        (state !== 'pending' || attempts > 0) && (
          <form method="post" action={`${path}/deliveries/${eventId}`}>
            <Button kind="quiet" small label={text('webhooks.redeliverOf', { event: `${type} ${eventId}` })}>
              {text('webhooks.redeliver')}
            </Button>
          </form>
        ),
    },
  ];
}

function DeliveryBadge({ delivery: { state, attempts } }: { delivery: Delivery }) {
  const { text } = useWords();
  if (state === 'delivered') return <Badge kind="success">{text('webhooks.delivered')}</Badge>;
  if (state === 'failed') return <Badge kind="danger">{text('webhooks.failed')}</Badge>;
  return attempts === 0 ? (
    <Badge kind="info">{text('webhooks.waiting')}</Badge>
  ) : (
    <Badge kind="warning">{text('webhooks.willRepeat')}</Badge>
  );
}

export function DeliveryPage({ delivery, ...viewed }: Viewed & { delivery: DeliveryWithAttempts }) {
  const { text } = useWords();
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
      <Section id="delivery" title={text('webhooks.delivery')} hint={text('webhooks.deliveryHint')}>
        <Facts
          facts={[
            { term: text('webhooks.id'), value: <code>{delivery.eventId}</code> },
            { term: text('webhooks.happened'), value: at(delivery.happenedAt) },
            { term: text('webhooks.delivered'), value: at(delivery.deliveredAt) },
            { term: text('webhooks.nextAttempt'), value: at(delivery.nextAttemptAt) },
          ]}
        />
        {webhook.disabledAt === null && (
          <form method="post" action={`${path}/deliveries/${delivery.eventId}`}>
            <Button kind="quiet">{text('webhooks.redeliver')}</Button>
          </form>
        )}
      </Section>
      <Section id="attempts" title={text('webhooks.attempts')} hint={text('webhooks.attemptsHint')}>
        {delivery.log.length === 0 ? (
          <p class="quiet">{text('webhooks.noAttempt')}</p>
        ) : (
          delivery.log.map((attempt) => <AttemptFacts attempt={attempt} timeZone={timeZone} />)
        )}
      </Section>
    </>
  );
}

const REASONS: Readonly<Record<string, PlainKey>> = {
  timeout: 'webhooks.timeout',
  unreachable: 'webhooks.unreachable',
  unreadable_secret: 'webhooks.unreadableSecret',
  refused_port: 'webhooks.refusedPort',
  refused_host: 'webhooks.refusedHost',
};

function AttemptFacts({ attempt, timeZone }: { attempt: Attempt; timeZone: string }) {
  const { text } = useWords();
  const { number, at, milliseconds, status, reason, response } = attempt;
  const key = REASONS[reason ?? ''];
  const failure = key === undefined ? reason : text(key);
  return (
    <div>
      <h3>{text('webhooks.attempt', { number: String(number) })}</h3>
      <Facts
        facts={[
          { term: text('webhooks.sent'), value: <Time at={at} timeZone={timeZone} /> },
          {
            term: text('webhooks.result'),
            value: status === null ? failure : text('webhooks.status', { status: String(status) }),
          },
          { term: text('webhooks.duration'), value: text('webhooks.milliseconds', { count: String(milliseconds) }) },
        ]}
      />
      {response !== '' && (
        <pre tabindex={0} aria-label={text('webhooks.responseTo', { number: String(number) })}>
          <code>{response}</code>
        </pre>
      )}
    </div>
  );
}
