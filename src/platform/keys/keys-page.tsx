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
import { Badge, Notice } from '../kit/notice.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
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
export function KeysPage({
  keys,
  client,
  session,
  filter,
  pages,
  origin,
}: Viewed & { keys: readonly Key[]; filter: string; origin: string }) {
  return (
    <>
      <SettingsList
        title="API keys"
        lead={
          client.role === 'owner'
            ? 'Programs use API keys to create and edit links.'
            : 'The keys that you created. Owners see all keys.'
        }
        action={{ href: clientPath(client, 'keys/new'), label: 'Create API key' }}
        settings={keys.map((key) => keySetting(key, client, session))}
        empty={{
          title: 'No API keys yet',
          text: 'A program sends its key in the X-API-Key header of each request. Create one key per program, so that you can revoke each separately.',
        }}
        {...{ filter, pages }}
      >
        {keys.some(isKnownToFormer) && (
          <Notice kind="warning">
            Former members still know the secrets of keys that were taken over from them.{' '}
            <a href={clientPath(client, 'keys/adopted')}>Replace the keys</a>
          </Notice>
        )}
      </SettingsList>
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

/** A key in a list. */
export function keySetting(key: Key, client: OwnClient, { timeZone }: Session): Setting {
  const href = clientPath(client, `keys/${key.id}`);
  const age = (at: number) => <RelativeTime at={at} timeZone={timeZone} />;
  return {
    href,
    name: <bdi>{key.name}</bdi>,
    title: key.name,
    state: <StateBadge keyShown={key} />,
    facts: [
      key.lastUsedAt === null ? 'Never used' : <>Last used {age(key.lastUsedAt)}</>,
      key.scopes.join(', '),
      <>
        Created {age(key.createdAt)} by <bdi>{key.createdBy}</bdi>
      </>,
      ...(key.adoptedAt === null ? [] : [<>Taken over {age(key.adoptedAt)}</>]),
      ...(key.expiresAt === null
        ? []
        : [
            <>
              {key.expiresAt > Date.now() ? 'Expires' : 'Expired'} <Time at={key.expiresAt} timeZone={timeZone} />
            </>,
          ]),
    ],
    acts: [
      { icon: 'pencil', label: 'Rename', href: `${href}#name` },
      ...(isWorking(key) ? [{ icon: 'refresh-cw', label: 'Roll', href: `${href}/roll`, confirms: true } as const] : []),
      ...(key.revokedAt === null
        ? [{ icon: 'ban', label: 'Revoke', href: `${href}/revoke`, confirms: true } as const]
        : []),
    ],
  };
}

function StateBadge({ keyShown: key }: { keyShown: Key }) {
  if (key.revokedAt !== null) return <Badge kind="danger">Revoked</Badge>;
  if (!isWorking(key)) return <Badge kind="warning">Expired</Badge>;
  return key.adoptedAt === null ? (
    <Badge kind="success">Active</Badge>
  ) : (
    <Badge kind="warning">Known to a former member</Badge>
  );
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
      <NameSection form={form} action={path} />
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

/** The form that renames a key. */
export function NameSection({ form, action }: { form: FormState; action: string }) {
  return (
    <Section id="name" title="Name" hint="Shown in the list of keys.">
      <Form form={form} action={action}>
        <Field form={form} name="name" label="Name" autocomplete="off" />
        <Actions>
          <Button kind="quiet">Rename</Button>
        </Actions>
      </Form>
    </Section>
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
