import type { LinkState } from '../../links/managed.ts';
import { Badge } from '../kit/notice.tsx';

const KINDS = { active: 'success', expired: 'info', disabled: 'info', deleted: 'danger' } as const;
const WORDS = { active: 'Active', expired: 'Expired', disabled: 'Disabled', deleted: 'Deleted' } as const;

/** The state of a link: active, or why not. */
export function StateBadge({ state }: { state: LinkState }) {
  return <Badge kind={KINDS[state]}>{WORDS[state]}</Badge>;
}
