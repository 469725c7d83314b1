import type { Child } from 'hono/jsx';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';
import { WebhookFields, type Offered } from './fields.tsx';
import { State, StateBadge } from './state.tsx';

/** One webhook: its state, its deliveries, its fields and its secret. */
export function WebhookPage({
  webhook,
  client,
  timeZone,
  form,
  deliveries,
  ...offered
}: Offered & { webhook: Webhook; client: OwnClient; timeZone: string; form: FormState; deliveries: Child }) {
  const path = clientPath(client, `webhooks/${webhook.id}`);
  const at = (instant: number) => <Time at={instant} timeZone={timeZone} />;
  const isDisabled = webhook.disabledAt !== null;
  return (
    <>
      <PageHeader
        title={
          <span class="broken" dir="ltr" title={webhook.url}>
            <Destination href={webhook.url} whole />
          </span>
        }
        lead={<StateBadge webhook={webhook} />}
        crumb={{ href: clientPath(client, 'webhooks'), label: 'Webhooks' }}
      />
      <Section id="state" title="State" hint="Failed deliveries are repeated for up to three days.">
        <State webhook={webhook} timeZone={timeZone} />
        <Facts
          facts={[
            { term: 'Created', value: at(webhook.createdAt) },
            { term: 'Last changed', value: at(webhook.updatedAt) },
          ]}
        />
        <Actions>
          <form method="post" action={`${path}/${isDisabled ? 'enable' : 'disable'}`}>
            <Button kind={isDisabled ? 'primary' : 'quiet'}>{isDisabled ? 'Enable' : 'Disable'}</Button>
          </form>
          {!isDisabled && (
            <form method="post" action={`${path}/test`}>
              <Button kind="quiet">Send test event</Button>
            </form>
          )}
        </Actions>
      </Section>
      {deliveries}
      <FieldsSection form={form} action={path} {...offered} />
      <Section
        id="secret"
        title="Secret"
        hint="It was shown only once. After a roll, requests are signed by both secrets for 24 hours."
      >
        {webhook.formerSecretEndsAt !== null && (
          <p>The previous secret signs too until {at(webhook.formerSecretEndsAt)}.</p>
        )}
        <Actions>
          <ButtonLink href={`${path}/roll`} confirms>
            Roll secret
          </ButtonLink>
        </Actions>
      </Section>
      <Section id="deletion" title="Delete" hint="Its deliveries are deleted with it.">
        <Actions>
          <ButtonLink href={`${path}/delete`} kind="danger" confirms>
            Delete webhook
          </ButtonLink>
        </Actions>
      </Section>
    </>
  );
}

/** The form that changes a webhook. */
export function FieldsSection({ form, action, ...offered }: Offered & { form: FormState; action: string }) {
  return (
    <Section id="fields" title="Settings" hint="Changes apply to future events.">
      <Form form={form} action={action}>
        <WebhookFields form={form} {...offered} />
        <Actions>
          <Button>Save</Button>
        </Actions>
      </Form>
    </Section>
  );
}
