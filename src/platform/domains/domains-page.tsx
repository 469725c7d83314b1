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
  const path = clientPath(client, 'domains/new');
  const isOwner = client.role === 'owner';
  const wanted = filter.toLowerCase();
  const isFound = ({ host }: Domain) => host.includes(wanted) || displayHost(host).includes(wanted);
  return (
    <SettingsList
      title="Domains"
      lead="Create short links on your own domain."
      action={isOwner ? { href: path, label: 'Add domain' } : null}
      settings={domains.filter(isFound).map((domain) => domainSetting(domain, client, session))}
      filter={filter}
      empty={{
        title: 'No domains yet',
        text: isOwner
          ? 'Add a domain that you own, such as go.example.com, and set two DNS records. Then you can create links on it.'
          : 'Only owners can add a domain. Ask an owner of this workspace.',
        ...(isOwner && { action: <FirstDomain path={path} /> }),
      }}
    />
  );
}

function domainSetting(
  { id, host, status, checkedAt, createdAt }: Domain,
  client: OwnClient,
  { timeZone }: Session,
): Setting {
  const href = clientPath(client, `domains/${id}`);
  const age = (at: number) => <RelativeTime at={at} timeZone={timeZone} />;
  return {
    href,
    name: <Host host={host} />,
    title: displayHost(host),
    state: <StatusBadge status={status} />,
    facts: [checkedAt === null ? 'Never checked' : <>Last checked {age(checkedAt)}</>, <>Added {age(createdAt)}</>],
    acts: [
      {
        icon: 'eye',
        label: status === 'active' ? 'DNS records' : 'Set up',
        href: `${href}#${status === 'active' ? 'dns' : 'setup'}`,
      },
      ...(client.role === 'owner'
        ? ([
            { icon: 'pencil', label: 'Edit', href: `${href}#urls` },
            { icon: 'trash-2', label: 'Remove', href: `${href}/remove`, confirms: true },
          ] as const)
        : []),
    ],
  };
}
