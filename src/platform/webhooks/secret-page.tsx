import type { Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import { Actions, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { NamedDestination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';

/** The secret of a webhook, which is shown once. */

// The secret stays in the environment of the server.
const VERIFY = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.TERSE_WEBHOOK_SECRET);

// body is the text of the request, before it is parsed.
// verify throws for a request that was not sent by this service.
const readEvent = (body, headers) => webhook.verify(body, headers);`;

export function SecretPage({
  webhook,
  secret,
  action,
  client,
  timeZone,
}: {
  webhook: Webhook;
  secret: string;
  action: 'created' | 'rolled';
  client: OwnClient;
  timeZone: string;
}) {
  return (
    <>
      <PageHeader
        title={action === 'created' ? 'Webhook created' : 'Secret rolled'}
        lead={<NamedDestination href={webhook.url} />}
        crumb={{ href: clientPath(client, 'webhooks'), label: 'Webhooks' }}
      />
      <Notice kind="warning">Copy the secret now. It is shown only once and cannot be recovered.</Notice>
      <Section id="secret-of-webhook" title="Secret" hint="Store it where your server stores its passwords.">
        <CopyField id="secret" label="Signing secret" value={secret} wide />
        {webhook.formerSecretEndsAt !== null && (
          <p>
            Until <Time at={webhook.formerSecretEndsAt} timeZone={timeZone} /> requests are signed by the previous
            secret too.
          </p>
        )}
        <Actions>
          <ButtonLink href={clientPath(client, `webhooks/${webhook.id}`)}>Done</ButtonLink>
        </Actions>
      </Section>
      <Section
        id="verify"
        title="Verify"
        hint="Your server must check the signature, since everyone can send requests to its URL."
      >
        <CodeBlock id="snippet" label="Node" code={VERIFY} />
        <p class="hint">
          The signatures follow Standard Webhooks 1.0.0, for which there are libraries in many languages.
        </p>
      </Section>
    </>
  );
}
