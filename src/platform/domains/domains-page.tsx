import type { Session } from '../../accounts/session.ts';
import type { Domain } from '../../domains/domain.ts';
import { StatusBadge } from './domain-status.tsx';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Checkbox, Field, Form } from '../kit/form.tsx';
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
  const add = client.role === 'owner' && (
    <ButtonLink href={clientPath(client, 'domains/new')} kind="primary">
      Add a domain
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Domains"
        lead="Short links on a host of your own."
        actions={domains.length > 0 ? add : undefined}
      />
      {domains.length === 0 ? (
        <EmptyState title="No domains yet" action={add}>
          {client.role === 'owner'
            ? 'Add a host that you have, such as go.example.com, set two DNS records, and links can be made on it.'
            : 'An owner of the client can add one.'}
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
    { label: 'Host', cell: ({ id, host }) => <a href={clientPath(client, `domains/${id}`)}>{host}</a> },
    { label: 'State', cell: ({ status }) => <StatusBadge status={status} /> },
    {
      label: 'Last looked at',
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
        hint="Where the bare host leads. Left empty, it is a small page that says that there is nothing."
      />
      <Field
        {...shared}
        name="not_found_url"
        label="Not-found URL"
        hint="Where an unknown slug leads. Left empty, it is such a page, too."
      />
    </>
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
        hint="A host of yours that answers nothing else. The next page says which DNS records it needs."
      >
        <Form form={form} action={`${domains}/new`}>
          <Field
            form={form}
            name="host"
            label="Host"
            placeholder="go.example.com"
            autocomplete="off"
            inputmode="url"
            spellcheck={false}
            code
          />
          <UrlFields form={form} />
          <Checkbox
            name="case_sensitive"
            label="Case-sensitive slugs"
            hint="/Sale and /sale can be two links. This cannot be changed once the domain has a link."
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
