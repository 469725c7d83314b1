import type { Key } from '../../accounts/keys.ts';
import type { OwnClient } from '../env.ts';
import type { FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { CheckboxGroup, Field, Form, Hidden } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

/** The pages that ask for a key's secret and show it. */

const SCOPES = [
  { value: 'links:write', label: 'links:write', hint: 'Make links, and change, delete and import them.' },
  { value: 'links:read', label: 'links:read', hint: 'See links, their history and QR codes, and export them.' },
  { value: 'stats:read', label: 'stats:read', hint: 'See clicks.' },
];

export function NewKeyPage({ form, client, timeZone }: { form: FormState; client: OwnClient; timeZone: string }) {
  const keys = clientPath(client, 'keys');
  return (
    <>
      <PageHeader
        title="New API key"
        lead={`For programs that work for ${client.id}.`}
        crumb={{ href: keys, label: 'API keys' }}
      />
      <Section id="key" title="Key" hint="Its secret is shown once, on the next page.">
        <Form form={form} action={`${keys}/new`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <Field
            form={form}
            name="name"
            label="Name"
            hint="What it is called in lists: the program, or the machine it runs on."
            autocomplete="off"
          />
          <CheckboxGroup form={form} name="scopes" label="What it may do" options={SCOPES} />
          <Field
            form={form}
            name="expires_at"
            label="Expires"
            type="datetime-local"
            hint={`On the clocks of ${timeZone.replaceAll('_', ' ')}. Left empty, it does not expire.`}
            optional
          />
          <Actions>
            <Button>Create key</Button>
            <ButtonLink href={keys}>Cancel</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

export function SecretPage({
  apiKey: key,
  text,
  action,
  client,
  origin,
  timeZone,
}: {
  apiKey: Key;
  text: string;
  action: 'created' | 'rolled';
  client: OwnClient;
  origin: string;
  timeZone: string;
}) {
  const curl = [
    `curl ${origin}/v1/links \\`,
    `  -H 'X-API-Key: ${text}' \\`,
    `  -F client_id=${client.id} \\`,
    '  -F url=https://example.com/page',
  ].join('\n');
  return (
    <>
      <PageHeader
        title={key.name}
        lead={action === 'created' ? 'The key is made.' : 'The key has a new secret.'}
        crumb={{ href: clientPath(client, 'keys'), label: 'API keys' }}
      />
      <Notice kind="warning">Copy the secret now. It is shown this once, and nobody can bring it back.</Notice>
      <Section id="secret" title="Secret" hint="Keep it where your program keeps its passwords.">
        <CopyField id="api-key" label="API key" value={text} wide />
        {key.formerSecretEndsAt !== null && (
          <p>
            The former secret works until <Time at={key.formerSecretEndsAt} timeZone={timeZone} />.
          </p>
        )}
        <Actions>
          <ButtonLink href={clientPath(client, 'keys')}>Done</ButtonLink>
        </Actions>
      </Section>
      {key.scopes.includes('links:write') && (
        <Section id="try" title="Try it" hint="Makes a short link with this key.">
          <CodeBlock id="curl" label="curl" code={curl} />
        </Section>
      )}
    </>
  );
}

/** The answer to a form that was sent before. */
export function AlreadySentPage({ apiKey: key, client }: { apiKey: Key; client: OwnClient }) {
  const path = clientPath(client, `keys/${key.id}`);
  return (
    <div class="confirm">
      <h1>Already made</h1>
      <p>
        This form has been sent before. The secret that it made for the key{' '}
        <strong>
          <bdi>{key.name}</bdi>
        </strong>{' '}
        was shown once then, and cannot be shown again.
      </p>
      <p>If you have not copied it, roll the key for a new secret, or revoke it.</p>
      <Actions>
        {key.revokedAt === null && <ButtonLink href={`${path}/roll`}>Roll key</ButtonLink>}
        {key.revokedAt === null && <ButtonLink href={`${path}/revoke`}>Revoke key</ButtonLink>}
        <ButtonLink href={path}>To the key</ButtonLink>
      </Actions>
    </div>
  );
}
