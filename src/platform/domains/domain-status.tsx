import type { DomainStatus } from '../../domains/domain.ts';
import { Badge } from '../kit/notice.tsx';

const STATUS = {
  pending: { label: 'Pending', kind: 'warning' },
  active: { label: 'Active', kind: 'success' },
  lost: { label: 'Lost', kind: 'danger' },
} as const;

export function StatusBadge({ status }: { status: DomainStatus }) {
  const { label, kind } = STATUS[status];
  return <Badge kind={kind}>{label}</Badge>;
}
