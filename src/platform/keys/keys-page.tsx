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
import { agoIn } from '../kit/relative-time.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time, timeIn } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
import { displayUrl } from '../links/display-url.ts';
import { linkPath } from '../links/paths.ts';
import { clientPath } from '../nav.ts';
import { personName } from '../person-name.ts';
import { useWords, type PageWords } from '../words.tsx';
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
  const words = useWords();
  const { text } = words;
  return (
    <>
      <SettingsList
        title={text('keys.title')}
        lead={text(client.role === 'owner' ? 'keys.lead' : 'keys.ownLead')}
        action={{ href: clientPath(client, 'keys/new'), label: text('kit.createKey') }}
        settings={keys.map((key) => keySetting(words, key, client, session))}
        empty={{
          title: text('keys.none'),
          text: text('keys.noneHint'),
        }}
        {...{ filter, pages }}
      >
        {keys.some(isKnownToFormer) && (
          <Notice kind="warning">
            {words.content('keys.formerKnow', {
              a: (inside) => <a href={clientPath(client, 'keys/adopted')}>{inside}</a>,
            })}
          </Notice>
        )}
      </SettingsList>
      <Section id="client" title={text('workspace.title')} hint={text('keys.clientHint')}>
        <CopyField id="client-id" label={text('workspace.id')} value={client.id} />
      </Section>
      <Section id="first-link" title={text('keys.createLinks')} hint={text('keys.createLinksHint')}>
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
export function keySetting(words: PageWords, key: Key, client: OwnClient, { timeZone }: Session): Setting {
  const href = clientPath(client, `keys/${key.id}`);
  const { text, content } = words;
  const ago = (at: number) => agoIn(words, at, timeZone);
  return {
    href,
    name: <bdi>{key.name}</bdi>,
    title: key.name,
    state: <StateBadge keyShown={key} />,
    facts: [
      key.lastUsedAt === null ? text('keys.neverUsed') : content('keys.lastUsedAgo', ago(key.lastUsedAt)),
      key.scopes.join(', '),
      content('kit.createdBy', { createdBy: personName(words, key.createdBy, key.given), ...ago(key.createdAt) }),
      ...(key.adoptedAt === null ? [] : [content('keys.takenOverAgo', ago(key.adoptedAt))]),
      ...(key.expiresAt === null
        ? []
        : [
            content(
              key.expiresAt > Date.now() ? 'kit.expiresAt' : 'keys.expiredAt',
              timeIn(words, key.expiresAt, timeZone),
            ),
          ]),
    ],
    acts: [
      { icon: 'pencil', label: text('kit.rename'), href: `${href}#name` },
      ...(isWorking(key)
        ? [{ icon: 'refresh-cw', label: text('keys.roll'), href: `${href}/roll`, confirms: true } as const]
        : []),
      ...(key.revokedAt === null
        ? [{ icon: 'ban', label: text('kit.revoke'), href: `${href}/revoke`, confirms: true } as const]
        : []),
    ],
  };
}

function StateBadge({ keyShown: key }: { keyShown: Key }) {
  const { text } = useWords();
  if (key.revokedAt !== null) return <Badge kind="danger">{text('keys.revoked')}</Badge>;
  if (!isWorking(key)) return <Badge kind="warning">{text('keys.expired')}</Badge>;
  return key.adoptedAt === null ? (
    <Badge kind="success">{text('keys.active')}</Badge>
  ) : (
    <Badge kind="warning">{text('keys.knownToFormer')}</Badge>
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
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, `keys/${key.id}`);
  const at = (instant: number | null) =>
    instant === null ? text('keys.never') : <Time at={instant} timeZone={timeZone} />;
  return (
    <>
      <PageHeader
        title={key.name}
        lead={<StateBadge keyShown={key} />}
        crumb={{ href: clientPath(client, 'keys'), label: text('keys.title') }}
      />
      {isKnownToFormer(key) && <Notice kind="warning">{text('keys.isKnown')}</Notice>}
      <Section id="about" title={text('keys.key')} hint={text('keys.keyHint')}>
        <Facts
          facts={[
            { term: text('keys.prefix'), value: <code>{`tk_${key.id}_`}</code> },
            { term: text('keys.permissions'), value: key.scopes.join(', ') },
            { term: text('kit.created'), value: at(key.createdAt) },
            { term: text('keys.createdBy'), value: <bdi>{personName(words, key.createdBy, key.given)}</bdi> },
            { term: text('keys.lastUsed'), value: at(key.lastUsedAt) },
            { term: text('keys.expires'), value: at(key.expiresAt) },
            ...(key.revokedAt === null ? [] : [{ term: text('keys.revoked'), value: at(key.revokedAt) }]),
            ...(key.adoptedAt === null ? [] : [{ term: text('keys.takenOver'), value: at(key.adoptedAt) }]),
            ...(key.formerSecretEndsAt === null
              ? []
              : [{ term: text('keys.previousWorksUntil'), value: at(key.formerSecretEndsAt) }]),
          ]}
        />
      </Section>
      <Section id="links" title={text('keys.linksOf')} hint={text('keys.linksOfHint')}>
        {links.length === 0 ? (
          <p class="quiet">{text(pages.next === null ? 'keys.noLinks' : 'keys.noneAmongNewest')}</p>
        ) : (
          <Table caption={text('keys.linksOf')} columns={linkColumns(text, client, site, timeZone)} rows={links} />
        )}
        <Pager {...pages} />
      </Section>
      <NameSection form={form} action={path} />
      {key.revokedAt === null && (
        <Section id="end" title={text('kit.secret')} hint={text('keys.endHint')}>
          <Actions>
            {isWorking(key) && (
              <ButtonLink href={`${path}/roll`} confirms>
                {text('keys.rollKey')}
              </ButtonLink>
            )}
            <ButtonLink href={`${path}/revoke`} kind="danger" confirms>
              {text('keys.revokeKey')}
            </ButtonLink>
          </Actions>
        </Section>
      )}
    </>
  );
}

/** The form that renames a key. */
export function NameSection({ form, action }: { form: FormState; action: string }) {
  const { text } = useWords();
  return (
    <Section id="name" title={text('kit.name')} hint={text('keys.inList')}>
      <Form form={form} action={action}>
        <Field form={form} name="name" label={text('kit.name')} autocomplete="off" />
        <Actions>
          <Button kind="quiet">{text('kit.rename')}</Button>
        </Actions>
      </Form>
    </Section>
  );
}

function linkColumns(
  text: PageWords['text'],
  client: OwnClient,
  site: Site,
  timeZone: string,
): readonly Column<ManagedLink>[] {
  return [
    {
      label: text('keys.shortLink'),
      cell: (link) => <a href={linkPath(client, link.id)}>{displayUrl(shortUrlOf(link, site))}</a>,
    },
    {
      label: text('keys.leadsTo'),
      cell: ({ url }) => (
        <span class="clip" dir="ltr" title={url}>
          <Destination href={url} />
        </span>
      ),
    },
    { label: text('kit.created'), cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
  ];
}
