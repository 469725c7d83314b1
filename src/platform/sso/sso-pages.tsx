import type { Confirmed } from '../../accounts/providers/ask-provider.ts';
import type { Unbound } from '../../accounts/providers/attempts.ts';
import type { Provider } from '../../accounts/providers/provider.ts';
import type { ProviderFailure } from '../../accounts/providers/provider-error.ts';
import { roleBy } from '../../accounts/providers/roles.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import { isolated } from '../bidi.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { Facts, PageHeader, Section } from '../kit/section.tsx';
import { clientPath } from '../nav.ts';
import { ownName } from '../person-name.ts';
import { ZoneOfBrowser } from '../sign-in/sign-in-form.tsx';
import { useWords } from '../words.tsx';

/** The pages of a sign-in at a provider. */

export function BeginPage({ action, next, purpose }: { action: string; next: string; purpose: 'sign_in' | 'confirm' }) {
  const { text } = useWords();
  return (
    <div class="confirm">
      <div>
        <h1>{text('providers.begin')}</h1>
        <p class="lead">{text(purpose === 'confirm' ? 'confirmIdentity.atProvider' : 'providers.beginLead')}</p>
      </div>
      <Form form={newForm()} action={action} isKept={false}>
        <Hidden name="next" value={next} />
        <Hidden name="purpose" value={purpose} />
        <Ways />
      </Form>
    </div>
  );
}

/** Asks for an address, by whose domain the provider is found. */
export function MailPage({ action, next, form }: { action: string; next: string; form: FormState }) {
  const { text } = useWords();
  return (
    <div class="confirm">
      <div>
        <h1>{text('providers.begin')}</h1>
        <p class="lead">{text('providers.beginLead')}</p>
      </div>
      <Form form={form} action={action} isKept={false}>
        <Hidden name="next" value={next} />
        <Field
          form={form}
          name="email"
          label={text('providers.companyEmail')}
          hint={text('providers.companyEmailHint')}
          autocomplete="email"
          spellcheck={false}
          autofocus
        />
        <Ways />
      </Form>
    </div>
  );
}

const Ways = () => (
  <Actions>
    <Button>{useWords().text('providers.continue')}</Button>
    <OtherWay />
  </Actions>
);

const OtherWay = () => <ButtonLink href="/platform/sign-in">{useWords().text('providers.otherWay')}</ButtonLink>;

/** Where no provider is on, whether the workspace exists or not. */
export function NonePage() {
  const { text } = useWords();
  return (
    <div class="confirm">
      <h1>{text('providers.none')}</h1>
      <p>{text('providers.noneHint')}</p>
      <Actions>
        <OtherWay />
      </Actions>
    </div>
  );
}

interface Failed {
  readonly failure: ProviderFailure;
  /** In English, for who set the provider up. */
  readonly detail: string;
}

/** @param again the page on which the sign-in begins */
export function FailurePage({ failure, detail, again }: Failed & { again: string }) {
  const { text, content } = useWords();
  return (
    <div class="confirm">
      <h1>{text(`providers.${failure}`)}</h1>
      <p>{text(`providers.${failure}Hint`)}</p>
      <p class="quiet">{content('providers.detail', { detail })}</p>
      <Actions>
        <ButtonLink href={again} kind="primary">
          {text('providers.again')}
        </ButtonLink>
        <OtherWay />
      </Actions>
    </div>
  );
}

/** For an owner, who stays signed in and can change the settings. */
export function FailedTestPage({ failure, detail, settings }: Failed & { settings: string }) {
  const { text } = useWords();
  return (
    <div class="confirm">
      <h1>{text(`providers.${failure}`)}</h1>
      <p>{text('providers.testFailed')}</p>
      <p class="quiet">
        <code>{detail}</code>
      </p>
      <Actions>
        <ButtonLink href={settings} kind="primary">
          {text('providers.change')}
        </ButtonLink>
        <ButtonLink href={`${settings}/test`}>{text('providers.again')}</ButtonLink>
      </Actions>
    </div>
  );
}

/** Asks a person at their first sign-in whether they have an account already. */
export function JoinPage({
  provider,
  person,
  session,
  path,
  canJoin,
}: {
  provider: Provider;
  person: Unbound;
  session: Session | null;
  /** The path of the provider here. */
  path: string;
  canJoin: boolean;
}) {
  const words = useWords();
  const { text, content } = words;
  const { clientId, rules } = provider;
  const isMember = clientId === null || session?.clients.some(({ id }) => id === clientId) === true;
  const canBind = session !== null && session.limitedTo === null && isMember;
  const name = person.name ?? person.email ?? person.subject;
  return (
    <div class="confirm">
      <div>
        <h1>{text('providers.join')}</h1>
        <p class="lead">{content('providers.joinLead', { provider: provider.name, name })}</p>
      </div>
      {canJoin && (
        <Form form={newForm()} action={`${path}/join`} isKept={false}>
          <ZoneOfBrowser />
          <Actions>
            <Button kind={canBind ? 'quiet' : 'primary'}>
              {clientId === null ? text('providers.createAccount') : text('signIn.join', { workspace: clientId })}
            </Button>
          </Actions>
        </Form>
      )}
      <p>{text(clientId === null ? 'providers.haveAccountOfService' : 'providers.haveAccount')}</p>
      {canBind ? (
        <Form form={newForm()} action={`${path}/bind`} isKept={false}>
          {rules.length > 0 && <p>{content('providers.bindRole', { provider: provider.name })}</p>}
          <Actions>
            <Button kind={canJoin ? 'primary' : 'quiet'}>
              {text('providers.bind', { userName: isolated(ownName(words, session)) })}
            </Button>
          </Actions>
        </Form>
      ) : session === null ? (
        <Actions>
          <ButtonLink href={`/platform/sign-in?next=${encodeURIComponent(`${path}/join`)}`}>
            {text('providers.signInToBind')}
          </ButtonLink>
        </Actions>
      ) : (
        <p class="quiet">{content('providers.otherAccount', { userName: ownName(words, session) })}</p>
      )}
      {clientId === null && <p class="quiet">{content('signIn.forOperator', { subject: person.subject })}</p>}
    </div>
  );
}

const MAX_VALUE = 500;

/** The claims that came from a provider which an owner tries. */
export function ClaimsPage({
  client,
  provider,
  confirmed,
}: {
  client: OwnClient;
  provider: Provider;
  confirmed: Confirmed;
}) {
  const { text } = useWords();
  const { claims, name, email, subject } = confirmed;
  const role = roleBy(provider.rules, claims);
  const none = text('providers.noClaim');
  const settings = clientPath(client, 'settings/sign-in');
  return (
    <>
      <PageHeader
        title={text('providers.tested')}
        lead={text('providers.testedLead', { provider: isolated(provider.name) })}
        crumb={{ href: settings, label: text('providers.title') }}
      />
      <Section id="person" title={text('providers.person')} hint={text('providers.personHint')}>
        <Facts
          facts={[
            { term: text('kit.name'), value: <bdi>{name ?? none}</bdi> },
            { term: text('providers.email'), value: <bdi dir="ltr">{email ?? none}</bdi> },
            { term: text('providers.subject'), value: <code>{subject}</code> },
            {
              term: text('members.role'),
              value: text(
                role === null ? 'providers.roleByHand' : role === 'owner' ? 'members.owner' : 'members.member',
              ),
            },
          ]}
        />
      </Section>
      <Section id="claims" title={text('providers.claims')} hint={text('providers.claimsHint')}>
        <Facts
          facts={Object.entries(claims).map(([claim, value]) => ({
            term: claim,
            value: (
              <code>
                <bdi dir="ltr">{(JSON.stringify(value) ?? '').slice(0, MAX_VALUE)}</bdi>
              </code>
            ),
          }))}
        />
      </Section>
      <Actions>
        <ButtonLink href={settings}>{text('kit.back')}</ButtonLink>
      </Actions>
    </>
  );
}
