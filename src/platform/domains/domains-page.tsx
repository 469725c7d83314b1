import type { Session } from '../../accounts/sessions/session.ts';
import type { Domain } from '../../domains/domain.ts';
import { StatusBadge } from './domain-status.tsx';
import { Host } from './host.tsx';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Checkbox } from '../kit/boxes.tsx';
import { Field, Form } from '../kit/form.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
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
  const add = client.role === 'owner' && (
    <ButtonLink href={path} kind="primary">
      Add a domain
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        lead="Create short links on your own domain."
        actions={domains.length > 0 ? add : undefined}
      />
      {domains.length === 0 ? (
        <EmptyState title="No domains yet" action={client.role === 'owner' && <FirstDomain path={path} />}>
          {client.role === 'owner'
            ? 'Add a domain that you own, such as go.example.com, and set two DNS records. Then you can create links on it.'
            : 'Only owners can add a domain. Ask an owner of this workspace.'}
        </EmptyState>
      ) : (
        <div class="panel">
          <Table caption="Domains" columns={columnsOf(client, session.timeZone)} rows={domains} />
        </div>
      )}
    </>
  );
}

function columnsOf(client: OwnClient, timeZone: string): readonly Column<Domain>[] {
  return [
    {
      label: 'Host',
      cell: ({ id, host }) => (
        <a href={clientPath(client, `domains/${id}`)}>
          <Host host={host} />
        </a>
      ),
    },
    { label: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      label: 'Last checked',
      cell: ({ checkedAt }) => (checkedAt === null ? 'Never' : <Time at={checkedAt} timeZone={timeZone} />),
    },
    { label: 'Added', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
  ];
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
      <PageHeader title="Add a domain" crumb={{ href: domains, label: 'Domains' }} />
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
