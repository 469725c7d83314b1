import type { MailDomain } from '../../accounts/providers/mail-domains.ts';
import type { Provider } from '../../accounts/providers/provider.ts';
import { isolated } from '../bidi.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Field, Form, TextArea } from '../kit/form.tsx';
import { Badge } from '../kit/notice.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { MailDomains } from './mail-domains.tsx';

/** The settings of the provider of a workspace. */
export function ProviderPage({
  client,
  provider,
  form,
  redirectUri,
  address,
  domains,
  domainForm,
}: {
  client: OwnClient;
  provider: Provider | null;
  form: FormState;
  redirectUri: string;
  /** Where its people sign in. */
  address: string;
  domains: readonly MailDomain[];
  domainForm: FormState;
}) {
  const { text } = useWords();
  const settings = clientPath(client, 'settings/sign-in');
  return (
    <>
      <PageHeader
        title={text('providers.title')}
        lead={text('providers.lead')}
        crumb={{ href: clientPath(client, 'settings'), label: text('workspace.title') }}
      />
      <Section id="register" title={text('providers.register')} hint={text('providers.registerHint')}>
        <CopyField id="redirect-uri" label={text('providers.redirectUri')} value={redirectUri} wide />
      </Section>
      <Section id="provider" title={text('providers.provider')} hint={text('providers.providerHint')}>
        <ProviderForm {...{ provider, form }} action={settings} />
      </Section>
      {provider && <State {...{ provider, settings, address }} />}
      {provider && <MailDomains {...{ domains, settings }} form={domainForm} />}
      {provider && <Removal settings={settings} />}
    </>
  );
}

function ProviderForm({ provider, form, action }: { provider: Provider | null; form: FormState; action: string }) {
  const { text, content } = useWords();
  const hasSecret = provider !== null && provider.secret !== null;
  return (
    <Form form={form} action={action}>
      <Field form={form} name="name" label={text('kit.name')} hint={text('providers.nameHint')} />
      <Field
        form={form}
        name="issuer"
        label={text('providers.issuer')}
        hint={text('providers.issuerHint')}
        type="url"
        placeholder="https://"
        code
      />
      <Field
        form={form}
        name="client_id"
        label={text('providers.application')}
        hint={content('providers.applicationHint', {})}
        spellcheck={false}
        code
      />
      <Field
        form={form}
        name="secret"
        label={text('providers.secret')}
        hint={text(hasSecret ? 'providers.secretKept' : 'providers.secretHint')}
        type="password"
        autocomplete="off"
        optional={hasSecret}
      />
      <Field
        form={form}
        name="scope"
        label={text('providers.scope')}
        hint={text('providers.scopeHint')}
        value="openid email profile"
        spellcheck={false}
        code
      />
      <TextArea
        form={form}
        name="roles"
        label={text('providers.roles')}
        hint={text('providers.rolesHint')}
        rows={3}
        optional
        code
      />
      <Actions>
        <Button>{text('providers.save')}</Button>
      </Actions>
    </Form>
  );
}

function State({ provider, settings, address }: { provider: Provider; settings: string; address: string }) {
  const { text } = useWords();
  const { isOn } = provider;
  return (
    <>
      <Section id="test" title={text('providers.testStep')} hint={text('providers.testHint')}>
        <Actions>
          <ButtonLink href={`${settings}/test`}>{text('providers.test')}</ButtonLink>
        </Actions>
      </Section>
      <Section id="state" title={text('providers.state')} hint={text('providers.stateHint')}>
        <p>
          <Badge kind={isOn ? 'success' : 'info'}>{text(isOn ? 'providers.on' : 'providers.off')}</Badge>
        </p>
        {isOn && <CopyField id="address" label={text('providers.address')} value={address} wide />}
        {isOn ? (
          <Actions>
            <ButtonLink href={`${settings}/off`} confirms>
              {text('providers.turnOff')}
            </ButtonLink>
          </Actions>
        ) : (
          <Form form={newForm()} action={`${settings}/on`} isKept={false}>
            <Actions>
              <Button kind="quiet">{text('providers.turnOn')}</Button>
            </Actions>
          </Form>
        )}
      </Section>
    </>
  );
}

function Removal({ settings }: { settings: string }) {
  const { text } = useWords();
  return (
    <Section id="removal" title={text('kit.delete')} hint={text('providers.removeHint')}>
      <Actions>
        <ButtonLink href={`${settings}/remove`} kind="danger" confirms>
          {text('providers.remove')}
        </ButtonLink>
      </Actions>
    </Section>
  );
}

/** Asks before a browser is sent to the provider, since a page of scripts may not send it there. */
export function TestPage({ provider, back }: { provider: Provider; back: string }) {
  const { text } = useWords();
  return (
    <div class="confirm">
      <h1>{text('providers.test')}</h1>
      <p>{text('providers.testEffect', { provider: isolated(provider.name) })}</p>
      <Form form={newForm()} isKept={false}>
        <Actions>
          <Button>{text('providers.continue')}</Button>
          <ButtonLink href={back}>{text('kit.cancel')}</ButtonLink>
        </Actions>
      </Form>
    </div>
  );
}
