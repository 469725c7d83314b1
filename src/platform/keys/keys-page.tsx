import type { Key } from '../../accounts/keys/keys.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { Site } from '../../network/hosts.ts';
import type { ManagedLink } from '../../links/managed-link.ts';
import { shortUrlOf } from '../../links/slugs/short-url.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Badge, EmptyState, Notice } from '../kit/notice.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
import { displayUrl } from '../links/display-url.ts';
import { linkPath } from '../links/paths.ts';
import { clientPath } from '../nav.ts';
import { curlCreate } from './curl.ts';

type Pages = Parameters<typeof Pager>[0];

interface Viewed {
  readonly client: OwnClient;
  readonly session: Session;
  readonly pages: Pages;
}

/** True if a key is neither revoked nor expired. */
export const isWorking = ({ revokedAt, expiresAt }: Key): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > Date.now());

/** True if a key works with a secret that a removed member knows. */
const isKnownToFormer = (key: Key): boolean => key.adoptedAt !== null && isWorking(key);

/** @param origin that of the service, for programs */
export function KeysPage({ keys, client, session, pages, origin }: Viewed & { keys: readonly Key[]; origin: string }) {
  const newKey = clientPath(client, 'keys/new');
  const isOwner = client.role === 'owner';
  return (
    <>
      <PageHeader
        title="API keys"
        lead={
          isOwner
            ? 'Programs use API keys to create and edit links.'
            : 'The keys that you created. Owners see all keys.'
        }
        actions={
          keys.length > 0 && (
            <ButtonLink href={newKey} kind="primary">
              Create API key
            </ButtonLink>
          )
        }
      />
      {keys.some(isKnownToFormer) && (
        <Notice kind="warning">
          Former members still know the secrets of keys that were taken over from them.{' '}
          <a href={clientPath(client, 'keys/adopted')}>Replace the keys</a>
        </Notice>
      )}
      {keys.length === 0 ? (
        <EmptyState
          title="No API keys yet"
          action={
            <ButtonLink href={newKey} kind="primary">
              Create API key
            </ButtonLink>
          }
        >
          A program sends its key in the X-API-Key header of each request. Create one key per program, so that you can
          revoke each separately.
        </EmptyState>
      ) : (
        <div class="panel">
          <Table caption="API keys" columns={columnsOf(client, session.timeZone)} rows={keys} />
        </div>
      )}
      <Pager {...pages} />
      <Section id="client" title="Workspace" hint="Programs send this ID to the API, as client_id.">
        <CopyField id="client-id" label="Workspace ID" value={client.id} />
      </Section>
      <Section
        id="first-link"
        title="Create links with the API"
        hint="Replace API_KEY with an API key of this workspace."
      >
        <CodeBlock
          id="curl"
          label="curl"
          code={curlCreate(origin, { client_id: client.id, url: 'https://example.com/page' })}
        />
      </Section>
    </>
  );
}

function columnsOf(client: OwnClient, timeZone: string): readonly Column<Key>[] {
  return [
    {
      label: 'Name',
      cell: (key) => (
        <>
          <a href={clientPath(client, `keys/${key.id}`)}>
            <bdi>{key.name}</bdi>
          </a>{' '}
          <StateBadge keyShown={key} />
        </>
      ),
    },
    { label: 'Permissions', cell: ({ scopes }) => <span class="quiet">{scopes.join(', ')}</span> },
    { label: 'Created by', cell: ({ createdBy }) => <bdi>{createdBy}</bdi> },
    {
      label: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} timeZone={timeZone} />),
    },
    {
      label: 'Expires',
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} timeZone={timeZone} />),
    },
  ];
}

function StateBadge({ keyShown: key }: { keyShown: Key }) {
  if (key.revokedAt !== null) return <Badge kind="danger">Revoked</Badge>;
  if (!isWorking(key)) return <Badge kind="warning">Expired</Badge>;
  return key.adoptedAt === null ? null : <Badge kind="warning">Known to a former member</Badge>;
}

export function KeyPage({
  keyShown: key,
  links,
  client,
  session: { timeZone },
  site,
  form,
  pages,
}: Viewed & { keyShown: Key; links: readonly ManagedLink[]; site: Site; form: FormState }) {
  const path = clientPath(client, `keys/${key.id}`);
  const at = (instant: number | null) => (instant === null ? 'Never' : <Time at={instant} timeZone={timeZone} />);
  return (
    <>
      <PageHeader
        title={key.name}
        lead={<StateBadge keyShown={key} />}
        crumb={{ href: clientPath(client, 'keys'), label: 'API keys' }}
      />
      {isKnownToFormer(key) && (
        <Notice kind="warning">
          This key was taken over from a member who has been removed, and who still knows its secret. Roll the key, and
          end its previous secret.
        </Notice>
      )}
      <Section
        id="about"
        title="Key"
        hint="The secret was shown only once. The last use is updated at most once an hour."
      >
        <Facts
          facts={[
            { term: 'Prefix', value: <code>{`tk_${key.id}_`}</code> },
            { term: 'Permissions', value: key.scopes.join(', ') },
            { term: 'Created', value: at(key.createdAt) },
            { term: 'Created by', value: <bdi>{key.createdBy}</bdi> },
            { term: 'Last used', value: at(key.lastUsedAt) },
            { term: 'Expires', value: at(key.expiresAt) },
            ...(key.revokedAt === null ? [] : [{ term: 'Revoked', value: at(key.revokedAt) }]),
            ...(key.adoptedAt === null ? [] : [{ term: 'Taken over', value: at(key.adoptedAt) }]),
            ...(key.formerSecretEndsAt === null
              ? []
              : [{ term: 'Previous secret works until', value: at(key.formerSecretEndsAt) }]),
          ]}
        />
      </Section>
      <Section id="links" title="Links created with this key" hint="Newest first, without deleted links.">
        {links.length === 0 ? (
          <p class="quiet">
            {pages.next === null
              ? 'No links have been created with this key yet.'
              : 'No matches among the newest links. Continue on the next page.'}
          </p>
        ) : (
          <Table caption="Links created with this key" columns={linkColumns(client, site, timeZone)} rows={links} />
        )}
        <Pager {...pages} />
      </Section>
      <Section id="name" title="Name" hint="Shown in the list of keys.">
        <Form form={form} action={path}>
          <Field form={form} name="name" label="Name" autocomplete="off" />
          <Actions>
            <Button kind="quiet">Rename</Button>
          </Actions>
        </Form>
      </Section>
      {key.revokedAt === null && (
        <Section
          id="end"
          title="Secret"
          hint="Rolling creates a new secret; the current one works for 24 more hours. Revoking the key stops it at once."
        >
          <Actions>
            {isWorking(key) && (
              <ButtonLink href={`${path}/roll`} confirms>
                Roll key
              </ButtonLink>
            )}
            <ButtonLink href={`${path}/revoke`} kind="danger" confirms>
              Revoke key
            </ButtonLink>
          </Actions>
        </Section>
      )}
    </>
  );
}

function linkColumns(client: OwnClient, site: Site, timeZone: string): readonly Column<ManagedLink>[] {
  return [
    {
      label: 'Short link',
      cell: (link) => <a href={linkPath(client, link.id)}>{displayUrl(shortUrlOf(link, site))}</a>,
    },
    {
      label: 'Leads to',
      cell: ({ url }) => (
        <span class="clip" dir="ltr" title={url}>
          <Destination href={url} />
        </span>
      ),
    },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
  ];
}
