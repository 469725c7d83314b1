import type { Webhook } from '../../webhooks/webhook.ts';
import { Badge } from '../kit/notice.tsx';
import { Time } from '../kit/time.tsx';

/** A badge with the state of a webhook. */

export function StateBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.disabledAt !== null) return <Badge kind={isByOwner(webhook) ? 'warning' : 'danger'}>Disabled</Badge>;
  const isFailing = webhook.failingSince !== null || webhook.portFault !== null;
  return isFailing ? <Badge kind="warning">Failing</Badge> : <Badge kind="success">Active</Badge>;
}

/** The state in a sentence or two. */
export function State({ webhook, timeZone }: { webhook: Webhook; timeZone: string }) {
  const { disabledAt, disabledBy, failingSince, portFault } = webhook;
  if (disabledAt !== null) {
    return (
      <p>
        Disabled on <Time at={disabledAt} timeZone={timeZone} />
        {isByOwner(webhook) ? '' : REASONS[disabledBy ?? 'failures']}. What happens meanwhile is not sent later.
      </p>
    );
  }
  if (portFault !== null) {
    return <p>Events are not sent: its URL {portFault}. After five days of failures the webhook is disabled.</p>;
  }
  if (failingSince === null) return <p>Events are sent.</p>;
  return (
    <p>
      Deliveries have failed since <Time at={failingSince} timeZone={timeZone} />. After five days of failures the
      webhook is disabled.
    </p>
  );
}

const isByOwner = ({ disabledBy }: Webhook) => disabledBy === 'owner' || disabledBy === null;

const REASONS = {
  owner: '',
  gone: ', since its server responded with the status 410',
  failures: ', since no delivery succeeded for five days',
};
