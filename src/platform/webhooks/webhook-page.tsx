import type { Child } from 'hono/jsx';
import type { Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { Time, timeIn } from '../kit/time.tsx';
import { Destination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
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
  const words = useWords();
  const { text } = words;
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
        crumb={{ href: clientPath(client, 'webhooks'), label: text('webhooks.title') }}
      />
      <Section id="state" title={text('webhooks.state')} hint={text('webhooks.stateHint')}>
        <State webhook={webhook} timeZone={timeZone} />
        <Facts
          facts={[
            { term: text('webhooks.created'), value: at(webhook.createdAt) },
            { term: text('webhooks.lastChanged'), value: at(webhook.updatedAt) },
          ]}
        />
        <Actions>
          <form method="post" action={`${path}/${isDisabled ? 'enable' : 'disable'}`}>
            <Button kind={isDisabled ? 'primary' : 'quiet'}>
              {text(isDisabled ? 'webhooks.enable' : 'webhooks.disable')}
            </Button>
          </form>
          {!isDisabled && (
            <form method="post" action={`${path}/test`}>
              <Button kind="quiet">{text('webhooks.test')}</Button>
            </form>
          )}
        </Actions>
      </Section>
      {deliveries}
      <FieldsSection form={form} action={path} {...offered} />
      <Section id="secret" title={text('kit.secret')} hint={text('webhooks.secretOnce')}>
        {webhook.formerSecretEndsAt !== null && (
          <p>{words.content('webhooks.previousSigns', timeIn(words, webhook.formerSecretEndsAt, timeZone))}</p>
        )}
        <Actions>
          <ButtonLink href={`${path}/roll`} confirms>
            {text('webhooks.rollSecret')}
          </ButtonLink>
        </Actions>
      </Section>
      <Section id="deletion" title={text('kit.delete')} hint={text('webhooks.deleteHint')}>
        <Actions>
          <ButtonLink href={`${path}/delete`} kind="danger" confirms>
            {text('webhooks.delete')}
          </ButtonLink>
        </Actions>
      </Section>
    </>
  );
}

/** The form that changes a webhook. */
export function FieldsSection({ form, action, ...offered }: Offered & { form: FormState; action: string }) {
  const { text } = useWords();
  return (
    <Section id="fields" title={text('webhooks.settings')} hint={text('webhooks.settingsHint')}>
      <Form form={form} action={action}>
        <WebhookFields form={form} {...offered} />
        <Actions>
          <Button>{text('kit.save')}</Button>
        </Actions>
      </Form>
    </Section>
  );
}
