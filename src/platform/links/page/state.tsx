import type { LinkState, ManagedLink } from '../../../links/managed-link.ts';
import type { Unhealthy } from '../../../links/health/unhealthy.ts';
import { nameInstant } from '../../kit/time.tsx';
import { Badge } from '../../kit/notice.tsx';
import { displayHost } from '../display-url.ts';

const KINDS = { active: 'success', expired: 'info', disabled: 'info', deleted: 'danger' } as const;
const WORDS = { active: 'Active', expired: 'Expired', disabled: 'Disabled', deleted: 'Deleted' } as const;

/** Says that a link does not redirect before its custom domain is verified. */
export function WaitingBadge({ link: { waitsFor, state } }: { link: Pick<ManagedLink, 'waitsFor' | 'state'> }) {
  if (waitsFor === null || state === 'deleted') return null;
  return <Badge kind="warning">Waits for {displayHost(waitsFor)}</Badge>;
}

/** Says that a destination of a link no longer works, and since when. */
export function UnhealthyBadge({ link: { unhealthy }, timeZone }: { link: ManagedLink; timeZone: string }) {
  if (unhealthy === null) return null;
  return (
    <span title={`${wordsOf(unhealthy)} since ${nameInstant(unhealthy.since, timeZone)}: ${unhealthy.url}`}>
      <Badge kind="danger">Unhealthy: {wordsOf(unhealthy)}</Badge>
    </span>
  );
}

const REASONS = { no_such_name: 'no such host', tls: 'no secure connection', connection: 'no response' } as const;

/** Why a destination is unhealthy, in a few words. */
export const wordsOf = ({ reason, status }: Unhealthy): string =>
  reason === 'status' ? `status ${status}` : REASONS[reason];

/** The state of a link: active, or why not. */
export function StateBadge({ state }: { state: LinkState }) {
  return <Badge kind={KINDS[state]}>{WORDS[state]}</Badge>;
}
