import type { Key } from '../../accounts/keys/keys.ts';
import type { OwnClient } from '../env.ts';
import { isolated } from '../bidi.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CodeBlock, CopyField } from '../kit/copy.tsx';
import { CheckboxGroup } from '../kit/boxes.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { Notice } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';

/** The pages that ask for a key's secret and show it. */

const SCOPES = [
  { value: 'links:write', label: 'links:write', hint: 'Create, edit, delete and import links.' },
  { value: 'links:read', label: 'links:read', hint: 'Read and export links, with their history and QR codes.' },
  { value: 'stats:read', label: 'stats:read', hint: 'Read click statistics.' },
];

export function NewKeyPage({ form, client, timeZone }: { form: FormState; client: OwnClient; timeZone: string }) {
  const keys = clientPath(client, 'keys');
  return (
    <>
      <PageHeader
        title="New API key"
        lead={`Programs use it to access the links of ${isolated(client.name)}.`}
        crumb={{ href: keys, label: 'API keys' }}
      />
      <Section id="key" title="Key" hint="Its secret is shown once, on the next page.">
        <Form form={form} action={`${keys}/new`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <Field
            form={form}
            name="name"
            label="Name"
            hint="Shown in the list of keys: for example the program, or the machine it runs on."
            autocomplete="off"
            autofocus
          />
          <CheckboxGroup form={form} name="scopes" label="Permissions" options={SCOPES} />
          <Field
            form={form}
            name="expires_at"
            label="Expires"
            type="datetime-local"
            hint={`Time in ${timeZone.replaceAll('_', ' ')}. If empty, the key does not expire.`}
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
        lead={action === 'created' ? 'The key has been created.' : 'The key has a new secret.'}
        crumb={{ href: clientPath(client, 'keys'), label: 'API keys' }}
      />
      <Notice kind="warning">Copy the secret now. It is shown only once and cannot be recovered.</Notice>
      <Section id="secret" title="Secret" hint="Store it where your program stores its passwords.">
        <CopyField id="api-key" label="API key" value={text} wide />
        {key.formerSecretEndsAt !== null && (
          <p>
            The previous secret works until <Time at={key.formerSecretEndsAt} timeZone={timeZone} />.
          </p>
        )}
        <Actions>
          <ButtonLink href={clientPath(client, 'keys')}>Done</ButtonLink>
        </Actions>
      </Section>
      {key.scopes.includes('links:write') && (
        <Section id="try" title="Try it" hint="Creates a short link with this key.">
          <CodeBlock id="curl" label="curl" code={curl} />
        </Section>
      )}
    </>
  );
}
