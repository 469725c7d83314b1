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
import { timeIn } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { scopesIn } from './scopes.ts';

/** The pages that ask for a key's secret and show it. */

export function NewKeyPage({ form, client, timeZone }: { form: FormState; client: OwnClient; timeZone: string }) {
  const words = useWords();
  const { text } = words;
  const keys = clientPath(client, 'keys');
  return (
    <>
      <PageHeader
        title={text('keys.new')}
        lead={text('keys.newLead', { name: isolated(client.name) })}
        crumb={{ href: keys, label: text('keys.title') }}
      />
      <Section id="key" title={text('keys.key')} hint={text('keys.newHint')}>
        <Form form={form} action={`${keys}/new`}>
          <Hidden name="nonce" value={form.values['nonce'] ?? ''} />
          <Field
            form={form}
            name="name"
            label={text('kit.name')}
            hint={text('keys.nameHint')}
            autocomplete="off"
            autofocus
          />
          <CheckboxGroup form={form} name="scopes" label={text('keys.permissions')} options={scopesIn(words)} />
          <Field
            form={form}
            name="expires_at"
            label={text('keys.expires')}
            type="datetime-local"
            hint={text('keys.expiresHint', { zone: timeZone.replaceAll('_', ' ') })}
            optional
          />
          <Actions>
            <Button>{text('keys.create')}</Button>
            <ButtonLink href={keys}>{text('kit.cancel')}</ButtonLink>
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
  const words = useWords();
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
        lead={words.text(action === 'created' ? 'keys.created' : 'keys.rolled')}
        crumb={{ href: clientPath(client, 'keys'), label: words.text('keys.title') }}
      />
      <Notice kind="warning">{words.text('kit.copySecret')}</Notice>
      <Section id="secret" title={words.text('kit.secret')} hint={words.text('keys.secretHint')}>
        <CopyField id="api-key" label={words.text('keys.apiKey')} value={text} wide />
        {key.formerSecretEndsAt !== null && (
          <p>{words.content('keys.previousUntil', timeIn(words, key.formerSecretEndsAt, timeZone))}</p>
        )}
        <Actions>
          <ButtonLink href={clientPath(client, 'keys')}>{words.text('kit.done')}</ButtonLink>
        </Actions>
      </Section>
      {key.scopes.includes('links:write') && (
        <Section id="try" title={words.text('keys.tryIt')} hint={words.text('keys.tryItHint')}>
          <CodeBlock id="curl" label="curl" code={curl} />
        </Section>
      )}
    </>
  );
}
