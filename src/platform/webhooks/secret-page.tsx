import type { Webhook } from '../../webhooks/webhook.ts';
import type { OwnClient } from '../env.ts';
import { Actions, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { timeIn } from '../kit/time.tsx';
import { NamedDestination } from '../links/destination.tsx';
import { clientPath } from '../nav.ts';
import { useWords, type PageWords } from '../words.tsx';

/** The secret of a webhook, which is shown once. */

// The secret stays in the environment of the server.
const verifyIn = ({ text }: PageWords) => `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.TERSE_WEBHOOK_SECRET);

// ${text('webhooks.verifyBody')}
// ${text('webhooks.verifyThrows')}
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
  const words = useWords();
  const { text } = words;
  return (
    <>
      <PageHeader
        title={text(action === 'created' ? 'webhooks.createdTitle' : 'webhooks.rolledTitle')}
        lead={<NamedDestination href={webhook.url} />}
        crumb={{ href: clientPath(client, 'webhooks'), label: text('webhooks.title') }}
      />
      <Notice kind="warning">{text('kit.copySecret')}</Notice>
      <Section id="secret-of-webhook" title={text('kit.secret')} hint={text('webhooks.secretHint')}>
        <CopyField id="secret" label={text('webhooks.signingSecret')} value={secret} wide />
        {webhook.formerSecretEndsAt !== null && (
          <p>{words.content('webhooks.formerSignsUntil', timeIn(words, webhook.formerSecretEndsAt, timeZone))}</p>
        )}
        <Actions>
          <ButtonLink href={clientPath(client, `webhooks/${webhook.id}`)}>{text('kit.done')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="verify" title={text('webhooks.verify')} hint={text('webhooks.verifyHint')}>
        <CodeBlock id="snippet" label="Node" code={verifyIn(words)} />
        <p class="hint">{text('webhooks.standard')}</p>
      </Section>
    </>
  );
}
