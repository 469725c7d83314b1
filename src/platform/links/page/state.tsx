import type { LinkState, ManagedLink } from '../../../links/managed-link.ts';
import { Badge } from '../../kit/notice.tsx';
import { displayHost } from '../display-url.ts';

const KINDS = { active: 'success', expired: 'info', disabled: 'info', deleted: 'danger' } as const;
const WORDS = { active: 'Active', expired: 'Expired', disabled: 'Disabled', deleted: 'Deleted' } as const;

/** Says that a link does not redirect before its custom domain is verified. */
export function WaitingBadge({ link: { waitsFor, state } }: { link: Pick<ManagedLink, 'waitsFor' | 'state'> }) {
  if (waitsFor === null || state === 'deleted') return null;
  return <Badge kind="warning">Waits for {displayHost(waitsFor)}</Badge>;
}

/** The state of a link: active, or why not. */
export function StateBadge({ state }: { state: LinkState }) {
  return <Badge kind={KINDS[state]}>{WORDS[state]}</Badge>;
}
