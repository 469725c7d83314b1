import type { Session } from '../../accounts/sessions/session.ts';
import type { Domain } from '../../domains/domain.ts';
import { StatusBadge } from './domain-status.tsx';
import { Host } from './host.tsx';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Checkbox } from '../kit/boxes.tsx';
import { Field, Form } from '../kit/form.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { displayHost } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';

export function DomainsPage({
  domains,
  client,
  session,
}: {
  domains: readonly Domain[];
  client: OwnClient;
  session: Session;
}) {
  const path = clientPath(client, 'domains/new');
  const isOwner = client.role === 'owner';
  return (
    <SettingsList
      title="Domains"
      lead="Create short links on your own domain."
      action={isOwner ? { href: path, label: 'Add domain' } : null}
      settings={domains.map((domain) => domainSetting(domain, client, session))}
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
  const age = (at: number) => <RelativeTime at={at} now={Date.now()} timeZone={timeZone} />;
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

/** Where a host leads without a link; the fields of both forms. */
export function UrlFields({ form }: { form: FormState }) {
  const shared = { form, type: 'url', inputmode: 'url', autocomplete: 'off', optional: true } as const;
  return (
    <>
      <Field
        {...shared}
        name="root_url"
        label="Root URL"
        hint="Where the domain without a slug redirects. If empty, visitors see a 404 page."
      />
      <Field
        {...shared}
        name="not_found_url"
        label="Not-found URL"
        hint="Where unknown slugs redirect. If empty, visitors see a 404 page."
      />
    </>
  );
}

/** The form of the first domain, in the empty list. @param path the path of the whole form */
function FirstDomain({ path }: { path: string }) {
  const form = newForm();
  return (
    <Form form={form} action={path}>
      <HostField form={form} />
      <Actions>
        <Button>Add domain</Button>
        <ButtonLink href={path}>More options</ButtonLink>
      </Actions>
    </Form>
  );
}

function HostField({ form }: { form: FormState }) {
  return (
    <Field
      form={form}
      name="host"
      label="Host"
      placeholder="go.example.com"
      autocomplete="off"
      inputmode="url"
      spellcheck={false}
      autofocus
      code
    />
  );
}

export function NewDomainPage({ form, client }: { form: FormState; client: OwnClient }) {
  const domains = clientPath(client, 'domains');
  return (
    <>
      <PageHeader title="Add domain" crumb={{ href: domains, label: 'Domains' }} />
      <Section
        id="domain"
        title="Domain"
        hint="A domain that no other website uses. The next page shows the DNS records to add."
      >
        <Form form={form} action={`${domains}/new`}>
          <HostField form={form} />
          <UrlFields form={form} />
          <Checkbox
            name="case_sensitive"
            label="Case-sensitive slugs"
            hint="/Sale and /sale can be two links. You cannot change this once the domain has a link."
            checked={form.values['case_sensitive'] === 'on'}
          />
          <Actions>
            <Button>Add domain</Button>
            <ButtonLink href={domains}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}
