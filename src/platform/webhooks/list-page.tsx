import type { Session } from '../../accounts/sessions/session.ts';
import { MAX_WEBHOOKS, type Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form, Hidden } from '../kit/form.tsx';
import { RelativeTime } from '../kit/relative-time.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { Destination } from '../links/destination.tsx';
import { shownWhole } from '../links/display-url.ts';
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
  const isFull = webhooks.length >= MAX_WEBHOOKS;
  return (
    <SettingsList
      title="Webhooks"
      lead="Send events about links, domains and keys to your own servers."
      action={isFull ? null : { href: clientPath(client, 'webhooks/new'), label: 'Create webhook' }}
      settings={webhooks.map((webhook) => webhookSetting(webhook, client, timeZone))}
      empty={{
        title: 'No webhooks yet',
        text: 'A webhook sends an HTTPS request to your server when something happens, such as a click or a new link, so that your server need not ask.',
      }}
    />
  );
}

function webhookSetting(webhook: Webhook, client: OwnClient, timeZone: string): Setting {
  const { id, url, description, events, createdAt } = webhook;
  const href = clientPath(client, `webhooks/${id}`);
  return {
    href,
    name: <Destination href={url} whole />,
    title: shownWhole(url),
    state: <StateBadge webhook={webhook} />,
    facts: [
      ...(description === '' ? [] : [<bdi>{description}</bdi>]),
      events.join(', '),
      <>
        Created <RelativeTime at={createdAt} timeZone={timeZone} />
      </>,
    ],
    acts: [
      { icon: 'history', label: 'Deliveries', href: `${href}#deliveries` },
      { icon: 'pencil', label: 'Edit', href: `${href}#fields` },
      { icon: 'refresh-cw', label: 'Roll secret', href: `${href}/roll`, confirms: true },
      { icon: 'trash-2', label: 'Delete', href: `${href}/delete`, confirms: true },
    ],
  };
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
      <NewWebhookSection form={form} webhooks={webhooks} {...offered} />
    </>
  );
}

/** The form of a new webhook. @param webhooks the path of the list */
export function NewWebhookSection({ form, webhooks, ...offered }: Offered & { form: FormState; webhooks: string }) {
  return (
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
  );
}
