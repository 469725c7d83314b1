import type { LinkState, ManagedLink } from '../../../links/managed-link.ts';
import type { Unhealthy } from '../../../links/health/unhealthy.ts';
import { Badge } from '../../kit/notice.tsx';
import { useWords, type PageWords, type PlainKey } from '../../words.tsx';
import { displayHost } from '../display-url.ts';

const KINDS = { active: 'success', expired: 'info', disabled: 'info', deleted: 'danger' } as const;

/** The states of links in words. */
export const STATE_WORDS = {
  active: 'linkPage.active',
  expired: 'linkPage.expired',
  disabled: 'linkPage.disabled',
  deleted: 'linkPage.deleted',
} as const satisfies Readonly<Record<LinkState, PlainKey>>;

/** Says that a link does not redirect before its custom domain is verified. */
export function WaitingBadge({ link: { waitsFor, state } }: { link: Pick<ManagedLink, 'waitsFor' | 'state'> }) {
  const { text } = useWords();
  if (waitsFor === null || state === 'deleted') return null;
  return <Badge kind="warning">{text('linkPage.waitsFor', { host: displayHost(waitsFor) })}</Badge>;
}

/** Says that a destination of a link no longer works, and since when. */
export function UnhealthyBadge({ link: { unhealthy }, timeZone }: { link: ManagedLink; timeZone: string }) {
  const words = useWords();
  if (unhealthy === null) return null;
  const { since, url } = unhealthy;
  const reason = wordsOf(words, unhealthy);
  return (
    <span title={words.text('linkPage.unhealthySince', { reason, time: words.instant(since, timeZone), url })}>
      <Badge kind="danger">{words.text('linkPage.unhealthy', { reason })}</Badge>
    </span>
  );
}

const REASONS = {
  no_such_name: 'linkPage.noHost',
  tls: 'linkPage.notSecure',
  connection: 'linkPage.noResponse',
} as const;

/** Why a destination is unhealthy, in a few words. */
export const wordsOf = ({ text }: PageWords, { reason, status }: Unhealthy): string =>
  reason === 'status' ? text('linkPage.badStatus', { status: String(status) }) : text(REASONS[reason]);

/** The state of a link: active, or why not. */
export function StateBadge({ state }: { state: LinkState }) {
  return <Badge kind={KINDS[state]}>{useWords().text(STATE_WORDS[state])}</Badge>;
}
