import { txtRecordOf } from '../../../domains/domain.ts';
import type { WaitedFor } from '../../../domains/file-domains.ts';
import type { OwnClient } from '../../env.ts';
import { Notice } from '../../kit/notice.tsx';
import { clientPath } from '../../nav.ts';
import { useWords } from '../../words.tsx';
import { displayHost } from '../display-url.ts';

/** The domains for which the links of a file wait, and what to do for each. */
export function PendingDomains({ client, pending }: { client: OwnClient; pending: readonly WaitedFor[] }) {
  const { text } = useWords();
  if (pending.length === 0) return null;
  return (
    <Notice kind="warning" stack>
      <h2>{text('imports.waitingTitle')}</h2>
      <p>{text('imports.waiting')}</p>
      <ul>
        {pending.map((each) => (
          <li>
            <PendingDomain {...each} client={client} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function PendingDomain({ client, host: encoded, domain }: WaitedFor & { client: OwnClient }) {
  const { content } = useWords();
  const host = displayHost(encoded);
  if (domain === null) return <>{content('imports.waitsForImport', { host })}</>;
  return (
    <>
      {content('imports.waitsForRecord', {
        ...txtRecordOf(domain),
        host,
        a: (inside) => <a href={clientPath(client, `domains/${domain.id}`)}>{inside}</a>,
      })}
    </>
  );
}
