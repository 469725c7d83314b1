import type { Session } from '../../accounts/sessions/session.ts';
import { MAX_WEBHOOKS, type Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form, Hidden } from '../kit/form.tsx';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';
import { WebhookFields, type Offered } from './fields.tsx';
import { StateBadge } from './state.tsx';

/** The webhooks of a workspace. */
export function WebhooksPage({
  webhooks,
  client,
  session: { timeZone },
}: {
  webhooks: readonly Webhook[];
  client: OwnClient;
  session: Session;
}) {
  const create = (
    <ButtonLink href={clientPath(client, 'webhooks/new')} kind="primary">
      Create webhook
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Webhooks"
        lead="Send events about links, domains and keys to your own servers."
        actions={webhooks.length > 0 && webhooks.length < MAX_WEBHOOKS && create}
      />
      {webhooks.length === 0 ? (
        <EmptyState title="No webhooks yet" action={create}>
          A webhook sends an HTTPS request to your server when something happens, such as a click or a new link, so that
          your server need not ask.
        </EmptyState>
      ) : (
        <div class="panel">
          <Table caption="Webhooks" columns={columnsOf(client, timeZone)} rows={webhooks} />
        </div>
      )}
    </>
  );
}

function columnsOf(client: OwnClient, timeZone: string): readonly Column<Webhook>[] {
  return [
    {
      label: 'URL',
      isWide: true,
      cell: ({ id, url }) => (
        <a class="cut" dir="ltr" title={url} href={clientPath(client, `webhooks/${id}`)}>
          <Destination href={url} whole />
        </a>
      ),
    },
    { label: 'State', align: 'whole', cell: (webhook) => <StateBadge webhook={webhook} /> },
    // An empty cell takes no line on a phone.
    { label: 'Description', cell: ({ description }) => (description === '' ? null : <bdi>{description}</bdi>) },
    { label: 'Events', cell: ({ events }) => <span class="quiet">{events.join(', ')}</span> },
    { label: 'Created', cell: ({ createdAt }) => <Time at={createdAt} timeZone={timeZone} /> },
  ];
}

export function NewWebhookPage({ form, client, ...offered }: Offered & { form: FormState; client: OwnClient }) {
  const webhooks = clientPath(client, 'webhooks');
  return (
    <>
      <PageHeader
        title="New webhook"
        lead={`Sends the events of ${isolated(client.name)} to your server.`}
        crumb={{ href: webhooks, label: 'Webhooks' }}
      />
      <Section id="webhook" title="Webhook" hint="The secret that signs its requests is shown once, on the next page.">
        <Form form={form} action={`${webhooks}/new`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <WebhookFields form={form} {...offered} />
          <Actions>
            <Button>Create webhook</Button>
            <ButtonLink href={webhooks}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}
