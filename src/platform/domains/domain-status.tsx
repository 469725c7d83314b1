import type { DomainStatus } from '../../domains/domain.ts';
import { Badge } from '../kit/notice.tsx';
import { useWords } from '../words.tsx';

const KINDS = { pending: 'warning', active: 'success', lost: 'danger' } as const;

export function StatusBadge({ status }: { status: DomainStatus }) {
  return <Badge kind={KINDS[status]}>{useWords().text(`domains.${status}`)}</Badge>;
}
