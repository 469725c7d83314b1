import type { Session } from '../../accounts/sessions/session.ts';
import type { Domain } from '../../domains/domain.ts';
import { FirstDomain } from './domain-forms.tsx';
import { StatusBadge } from './domain-status.tsx';
import { Host } from './host.tsx';
import type { OwnClient } from '../env.ts';
import { RelativeTime } from '../kit/relative-time.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { displayHost } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';
import { useWords, type PageWords } from '../words.tsx';

export function DomainsPage({
  domains,
  client,
  session,
  filter,
}: {
  domains: readonly Domain[];
  client: OwnClient;
  session: Session;
  /** The text that the hosts contain; '' for all. */
  filter: string;
}) {
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'domains/new');
  const isOwner = client.role === 'owner';
  const wanted = filter.toLowerCase();
  const isFound = ({ host }: Domain) => host.includes(wanted) || displayHost(host).includes(wanted);
  return (
    <SettingsList
      title={text('domains.title')}
      lead={text('domains.lead')}
      action={isOwner ? { href: path, label: text('kit.addDomain') } : null}
      settings={domains.filter(isFound).map((domain) => domainSetting(words, domain, client, session))}
      filter={filter}
      empty={{
        title: text('domains.none'),
        text: text(isOwner ? 'domains.noneOwner' : 'domains.noneMember'),
        ...(isOwner && { action: <FirstDomain path={path} /> }),
      }}
    />
  );
}

function domainSetting(
  words: PageWords,
  { id, host, status, checkedAt, createdAt }: Domain,
  client: OwnClient,
  { timeZone }: Session,
): Setting {
  const { text, content } = words;
  const href = clientPath(client, `domains/${id}`);
  const since = (at: number) => ({ age: () => <RelativeTime at={at} timeZone={timeZone} /> });
  return {
    href,
    name: <Host host={host} />,
    title: displayHost(host),
    state: <StatusBadge status={status} />,
    facts: [
      checkedAt === null ? text('domains.neverChecked') : content('domains.checkedAgo', since(checkedAt)),
      content('domains.addedAgo', since(createdAt)),
    ],
    acts: [
      {
        icon: 'eye',
        label: text(status === 'active' ? 'domains.records' : 'domains.setUp'),
        href: `${href}#${status === 'active' ? 'dns' : 'setup'}`,
      },
      ...(client.role === 'owner'
        ? ([
            { icon: 'pencil', label: text('kit.edit'), href: `${href}#urls` },
            { icon: 'trash-2', label: text('domains.remove'), href: `${href}/remove`, confirms: true },
          ] as const)
        : []),
    ],
  };
}
