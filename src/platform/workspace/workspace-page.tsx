import type { Session } from '../../accounts/sessions/session.ts';
import type { LogoFile } from '../../links/qr/kept-logo.ts';
import { SHARED_SLUG_LENGTHS } from '../../links/slugs/slug.ts';
import { UNDO_DAYS, type DeletionConditions } from '../../workspaces/deletion.ts';
import type { ProviderDemand } from '../../workspaces/required-provider.ts';
import type { WorkspaceSettings } from '../../workspaces/settings.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { isolated } from '../bidi.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { ConfirmPage, TypedName } from '../kit/confirm.tsx';
import { CopyField } from '../kit/copy.tsx';
import { Field, Form, Hidden } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { KeptLogo, RemoveLogo } from '../links/qr/logo-form.tsx';
import { SlugLengthForm } from '../links/slug-length-form.tsx';
import { clientPath } from '../nav.ts';
import { personName } from '../person-name.ts';
import { useWords } from '../words.tsx';
import { FactorDemand } from './factor-demand.tsx';
import { ProviderDemandSection, UnconfirmedDaysSection } from './provider-demand.tsx';

interface Viewed {
  readonly client: OwnClient;
  readonly session: Session;
  readonly conditions: DeletionConditions;
  readonly form: FormState;
}

/** The settings of a workspace itself. */
export function WorkspacePage({
  client,
  session,
  conditions,
  form,
  settings: { areChecked, slugLength },
  logo,
  demand,
}: Viewed & { settings: WorkspaceSettings; logo: LogoFile | null; demand: ProviderDemand }) {
  const { text } = useWords();
  return (
    <>
      <PageHeader title={text('workspace.title')} />
      <Section id="name" title={text('kit.name')} hint={text('workspace.nameOfHint')}>
        <Form form={form} action={clientPath(client, 'settings')}>
          <Field form={form} name="name" label={text('kit.name')} hint={text('workspace.nameHint')} optional />
          <Actions>
            <Button kind="quiet">{text('workspace.saveName')}</Button>
          </Actions>
        </Form>
        <CopyField id="client-id" label={text('workspace.id')} value={client.id} />
      </Section>
      <Checks {...{ client, areChecked }} />
      <Section id="slugs" title={text('workspace.slugs')} hint={text('workspace.slugsHint', { length: slugLength })}>
        <SlugLengthForm
          lengths={SHARED_SLUG_LENGTHS}
          {...{ slugLength, form }}
          action={clientPath(client, 'settings/slugs')}
        />
      </Section>
      <FactorDemand {...{ client, session }} />
      <Section id="sign-in" title={text('providers.title')} hint={text('providers.lead')}>
        <Actions>
          <ButtonLink href={clientPath(client, 'settings/sign-in')}>
            {text(demand.hasProvider ? 'providers.change' : 'providers.setUp')}
          </ButtonLink>
        </Actions>
      </Section>
      <ProviderDemandSection {...{ client, session, demand }} />
      <UnconfirmedDaysSection {...{ client, demand }} />
      <Section id="logo" title={text('workspace.logo')} hint={text('workspace.logoHint')}>
        {logo === null ? (
          <p>{text('workspace.noLogo')}</p>
        ) : (
          <>
            <KeptLogo logo={logo} alt={text('workspace.logo')} />
            <RemoveLogo href={clientPath(client, 'settings/logo/remove')} />
          </>
        )}
      </Section>
      <OtherWorkspaces {...{ client, session }} />
      <Section id="deletion" title={text('kit.delete')} hint={text('workspace.deleteHint', { days: UNDO_DAYS })}>
        {conditions.otherOwners.length > 0 ? (
          <OtherOwners {...{ client, session, conditions }} />
        ) : (
          <Actions>
            <ButtonLink href={clientPath(client, 'settings/delete')} kind="danger">
              {text('workspace.delete')}
            </ButtonLink>
          </Actions>
        )}
      </Section>
    </>
  );
}

/** The switch for the checks of the destinations of all links. */
function Checks({ client, areChecked }: { client: OwnClient; areChecked: boolean }) {
  const { text } = useWords();
  return (
    <Section id="checks" title={text('workspace.checks')} hint={text('workspace.checksHint')}>
      <Form form={newForm()} action={clientPath(client, 'settings/checks')} isKept={false}>
        <Hidden name="checks" value={areChecked ? 'off' : 'on'} />
        <p>
          {text(areChecked ? 'workspace.checksOn' : 'workspace.checksOff')}{' '}
          {areChecked && <a href={`${clientPath(client, 'links')}?unhealthy=true`}>{text('workspace.unhealthy')}</a>}
        </p>
        <Actions>
          <Button kind="quiet">{text(areChecked ? 'workspace.turnOff' : 'workspace.turnOn')}</Button>
        </Actions>
      </Form>
    </Section>
  );
}

function OtherWorkspaces({ client, session: { clients } }: { client: OwnClient; session: Session }) {
  const { text } = useWords();
  const others = clients.filter(({ id }) => id !== client.id);
  if (others.length === 0) return null;
  return (
    <Section id="others" title={text('workspace.others')} hint={text('workspace.othersHint')}>
      <ul class="plain-list">
        {others.map((other) => (
          <li>
            <a href={clientPath(other)}>
              <bdi>{other.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Who must do what before a workspace with several owners can be deleted, with links to where it is done. */
function OtherOwners({ client, session, conditions: { otherOwners } }: Omit<Viewed, 'form'>) {
  const words = useWords();
  const { text, content } = words;
  const pageOf = (userId: string) => clientPath(client, `members/${userId}`);
  const count = otherOwners.length;
  const a = (inside: string[]) => <a href={pageOf(session.userId)}>{inside}</a>;
  return (
    <div class="prose">
      <p>{text('workspace.onlyLast', { count })}</p>
      <ul class="plain-list">
        {otherOwners.map(({ userId, name, given }) => (
          <li>
            <a href={pageOf(userId)}>
              <bdi>{personName(words, name, given)}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <p>{content('workspace.deleteYourself', { count })}</p>
      <p>{content('workspace.letThem', { count, a })}</p>
    </div>
  );
}

/** Asks for the name of the workspace before it is deleted. */
export function DeletePage({ client, session, conditions, form }: Viewed) {
  const { text, content } = useWords();
  const { name, otherOwners, members, keys } = conditions;
  if (otherOwners.length > 0) {
    return (
      <div class="confirm">
        <h1>{text('workspace.hasOthers')}</h1>
        <OtherOwners {...{ client, session, conditions }} />
        <Actions>
          <ButtonLink href={clientPath(client, 'settings')}>{text('kit.back')}</ButtonLink>
        </Actions>
      </div>
    );
  }
  return (
    <ConfirmPage
      title={text('workspace.deleteThis', { name: isolated(name) })}
      label={text('workspace.delete')}
      back={clientPath(client, 'settings')}
      form={form}
      fields={<TypedName form={form} label={text('workspace.nameOf')} name={name} />}
    >
      <p>{content('workspace.deleteEffect', {})}</p>
      <p>{text('workspace.deleteAccess', { members, keys })}</p>
      <p>{text('workspace.deleteUndo', { days: UNDO_DAYS })}</p>
    </ConfirmPage>
  );
}
