import { txtRecordOf } from '../../../domains/domain.ts';
import type { WaitedFor } from '../../../domains/file-domains.ts';
import type { OwnClient } from '../../env.ts';
import { Notice } from '../../kit/notice.tsx';
import { clientPath } from '../../nav.ts';
import { displayHost } from '../display-url.ts';

/** The domains for which the links of a file wait, and what to do for each. */
export function PendingDomains({ client, pending }: { client: OwnClient; pending: readonly WaitedFor[] }) {
  if (pending.length === 0) return null;
  return (
    <Notice kind="warning" stack>
      <h2>Links that wait for a domain</h2>
      <p>Links on these domains do not redirect until the domain is verified.</p>
      <ul>
        {pending.map(({ host, domain }) => (
          <li>
            <strong>{displayHost(host)}</strong>:{' '}
            {domain ? <Steps {...{ client, domain }} /> : 'is added by the import. Its page then has the DNS records.'}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Steps({ client, domain }: { client: OwnClient; domain: NonNullable<WaitedFor['domain']> }) {
  const { name, value } = txtRecordOf(domain);
  return (
    <>
      set the TXT record <code>{name}</code> to <code>{value}</code>, then{' '}
      <a href={clientPath(client, `domains/${domain.id}`)}>see all records and verify the domain</a>.
    </>
  );
}
