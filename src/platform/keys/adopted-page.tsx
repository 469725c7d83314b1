import type { Key } from '../../accounts/keys/keys.ts';
import type { OwnClient } from '../env.ts';
import { isolated } from '../bidi.ts';
import { ButtonLink } from '../kit/button.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Table } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

/** The keys whose secrets former members still know, with what to do about each. */
export function AdoptedPage({ keys, client, timeZone }: { keys: readonly Key[]; client: OwnClient; timeZone: string }) {
  return (
    <>
      <PageHeader
        title="Keys of former members"
        lead="These keys were taken over from members who have been removed, and who still know the secrets. Roll each key, and end its previous secret at once, or as soon as your programs have the new one."
        crumb={{ href: clientPath(client, 'keys'), label: 'API keys' }}
      />
      {keys.length === 0 ? (
        <p class="quiet">No former member knows the secret of a key.</p>
      ) : (
        <div class="panel">
          <Table
            caption="Keys of former members"
            rows={keys}
            columns={[
              {
                label: 'Name',
                cell: ({ id, name }) => (
                  <a href={clientPath(client, `keys/${id}`)}>
                    <bdi>{name}</bdi>
                  </a>
                ),
              },
              { label: 'Taken over', cell: ({ adoptedAt }) => <Time at={adoptedAt ?? 0} timeZone={timeZone} /> },
              { label: 'Actions', isActions: true, cell: (key) => <Replacements {...{ client }} keyShown={key} /> },
            ]}
          />
        </div>
      )}
    </>
  );
}

function Replacements({ keyShown: { id, name }, client }: { keyShown: Key; client: OwnClient }) {
  const path = clientPath(client, `keys/${id}`);
  return (
    <>
      <ButtonLink href={`${path}/roll`} label={`Roll ${isolated(name)}`} small confirms>
        Roll
      </ButtonLink>{' '}
      <ButtonLink href={`${path}/revoke`} label={`Revoke ${isolated(name)}`} small confirms>
        Revoke
      </ButtonLink>
    </>
  );
}
