import type { Session } from '../../accounts/sessions/session.ts';
import { MAX_WEBHOOKS, type Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form, Hidden } from '../kit/form.tsx';
import { agoIn } from '../kit/relative-time.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { Destination } from '../links/destination.tsx';
import { shownWhole } from '../links/display-url.ts';
import { clientPath } from '../nav.ts';
import { useWords, type PageWords } from '../words.tsx';
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
  const words = useWords();
  const { text } = words;
  const isFull = webhooks.length >= MAX_WEBHOOKS;
  return (
    <SettingsList
      title={text('webhooks.title')}
      lead={text('webhooks.lead')}
      action={isFull ? null : { href: clientPath(client, 'webhooks/new'), label: text('kit.createWebhook') }}
      settings={webhooks.map((webhook) => webhookSetting(words, webhook, client, timeZone))}
      empty={{
        title: text('webhooks.none'),
        text: text('webhooks.noneHint'),
      }}
    />
  );
}

function webhookSetting(words: PageWords, webhook: Webhook, client: OwnClient, timeZone: string): Setting {
  const { text } = words;
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
      words.content('webhooks.createdAgo', agoIn(words, createdAt, timeZone)),
    ],
    acts: [
      { icon: 'history', label: text('webhooks.deliveries'), href: `${href}#deliveries` },
      { icon: 'pencil', label: text('kit.edit'), href: `${href}#fields` },
      { icon: 'refresh-cw', label: text('webhooks.rollSecret'), href: `${href}/roll`, confirms: true },
      { icon: 'trash-2', label: text('kit.delete'), href: `${href}/delete`, confirms: true },
    ],
  };
}

export function NewWebhookPage({ form, client, ...offered }: Offered & { form: FormState; client: OwnClient }) {
  const { text } = useWords();
  const webhooks = clientPath(client, 'webhooks');
  return (
    <>
      <PageHeader
        title={text('webhooks.new')}
        lead={text('webhooks.newLead', { name: isolated(client.name) })}
        crumb={{ href: webhooks, label: text('webhooks.title') }}
      />
      <NewWebhookSection form={form} webhooks={webhooks} {...offered} />
    </>
  );
}

/** The form of a new webhook. @param webhooks the path of the list */
export function NewWebhookSection({ form, webhooks, ...offered }: Offered & { form: FormState; webhooks: string }) {
  const { text } = useWords();
  return (
    <Section id="webhook" title={text('webhooks.webhook')} hint={text('webhooks.newHint')}>
      <Form form={form} action={`${webhooks}/new`}>
        <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
        <WebhookFields form={form} {...offered} isNew />
        <Actions>
          <Button>{text('kit.createWebhook')}</Button>
          <ButtonLink href={webhooks}>{text('kit.cancel')}</ButtonLink>
        </Actions>
      </Form>
    </Section>
  );
}
