import type { Webhook } from '../../webhooks/webhook.ts';
import { Badge } from '../kit/notice.tsx';
import { timeIn } from '../kit/time.tsx';
import { useWords } from '../words.tsx';

/** A badge with the state of a webhook. */

export function StateBadge({ webhook }: { webhook: Webhook }) {
  const { text } = useWords();
  if (webhook.disabledAt !== null)
    return <Badge kind={isByOwner(webhook) ? 'warning' : 'danger'}>{text('webhooks.disabled')}</Badge>;
  const isFailing = webhook.failingSince !== null || webhook.portFault !== null;
  return isFailing ? (
    <Badge kind="warning">{text('webhooks.failing')}</Badge>
  ) : (
    <Badge kind="success">{text('webhooks.active')}</Badge>
  );
}

/** The state in a sentence or two. */
export function State({ webhook, timeZone }: { webhook: Webhook; timeZone: string }) {
  const { disabledAt, disabledBy, failingSince, portFault, url } = webhook;
  const words = useWords();
  const { text, content } = words;
  if (disabledAt !== null) {
    return <p>{content(DISABLED[disabledBy ?? 'owner'], timeIn(words, disabledAt, timeZone))}</p>;
  }
  if (portFault !== null) return <p>{text('webhooks.portFault', { port: new URL(url).port })}</p>;
  if (failingSince === null) return <p>{text('webhooks.eventsSent')}</p>;
  return <p>{content('webhooks.failingSince', timeIn(words, failingSince, timeZone))}</p>;
}

const isByOwner = ({ disabledBy }: Webhook) => disabledBy === 'owner' || disabledBy === null;

const DISABLED = {
  owner: 'webhooks.disabledByOwner',
  gone: 'webhooks.disabledAsGone',
  failures: 'webhooks.disabledAfterFailures',
} as const;
