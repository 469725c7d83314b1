import type { Session } from '../../accounts/sessions/session.ts';
import type { ProviderDemand, StoppedMember } from '../../workspaces/required-provider.ts';
import { UNCONFIRMED_DAYS } from '../../workspaces/unconfirmed-days.ts';
import { FACTORS } from '../account/factors/factors-page.tsx';
import { isolated } from '../bidi.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { RadioGroup } from '../kit/boxes.tsx';
import { Form, Select } from '../kit/form.tsx';
import { PageHeader, Section } from '../kit/section.tsx';
import { SettingRows } from '../kit/settings-list.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { personName } from '../person-name.ts';
import { useWords, type PageWords } from '../words.tsx';
import { providerSignInPath } from './provider-sign-in-path.ts';

/** The path of the page on which owners demand a provider, after the client's. */
export const DEMAND = 'settings/provider';

/** The part of the settings that says which sign-ins open the workspace; nothing without a provider. */
export function ProviderDemandSection({
  client,
  session,
  demand,
}: {
  client: OwnClient;
  session: Session;
  demand: ProviderDemand;
}) {
  const words = useWords();
  const { text, content } = words;
  const { required, offered, hasProvider } = demand;
  if (required === null && offered === null && !hasProvider) return null;
  const page = clientPath(client, DEMAND);
  const a = (inside: string[]) => <a href={providerSignInPath(client)}>{inside}</a>;
  return (
    <Section id="provider" title={text('requiredProvider.title')} hint={text('requiredProvider.hint')}>
      {required === null ? (
        <p>{text('requiredProvider.free')}</p>
      ) : (
        <>
          <p>
            {content('requiredProvider.required', {
              provider: isolated(required.provider),
              at: () => <Time at={required.since} timeZone={session.timeZone} />,
            })}
          </p>
          <p>
            {required.emergencyOwner === null
              ? text('requiredProvider.noEmergency')
              : content('requiredProvider.emergencyIs', { name: nameOf(words, required.emergencyOwner) })}
          </p>
        </>
      )}
      {offered === null && <p>{content('requiredProvider.signInFirst', { a })}</p>}
      {offered !== null && (
        <Actions>
          <ButtonLink href={page} confirms>
            {required === null
              ? text('requiredProvider.require', { provider: isolated(offered) })
              : text('requiredProvider.change')}
          </ButtonLink>
        </Actions>
      )}
      {required !== null && (
        <Form form={newForm()} action={`${page}/end`} isKept={false}>
          <Actions>
            <Button kind="quiet">{text('requiredProvider.stop')}</Button>
          </Actions>
        </Form>
      )}
    </Section>
  );
}

/** The part of the settings with the days after which members are suspended whom the provider has not confirmed. */
export function UnconfirmedDaysSection({
  client,
  demand: { hasProvider, unconfirmedDays },
}: {
  client: OwnClient;
  demand: ProviderDemand;
}) {
  const { text } = useWords();
  if (!hasProvider) return null;
  const form = newForm({ unconfirmed_days: unconfirmedDays === null ? 'never' : String(unconfirmedDays) });
  return (
    <Section id="unconfirmed" title={text('requiredProvider.days')} hint={text('requiredProvider.daysHint')}>
      <Form form={form} action={clientPath(client, `${DEMAND}/days`)} isKept={false}>
        <Select
          form={form}
          name="unconfirmed_days"
          label={text('requiredProvider.daysLabel')}
          options={[
            ...UNCONFIRMED_DAYS.map((days) => ({
              value: String(days),
              label: text('requiredProvider.afterDays', { days }),
            })),
            { value: 'never', label: text('requiredProvider.never') },
          ]}
        />
        <Actions>
          <Button kind="quiet">{text('kit.save')}</Button>
        </Actions>
      </Form>
    </Section>
  );
}

const nameOf = (words: PageWords, { name, given }: ProviderDemand['candidates'][number]): string =>
  personName(words, name, given);

const toFactors = (inside: string[]) => <a href={FACTORS}>{inside}</a>;

/** The page that says what stops, and asks for the owner for emergencies. */
export function DemandPage({
  client,
  provider,
  demand,
  stopped,
  form,
}: {
  client: OwnClient;
  /** The name of the session's provider. */
  provider: string;
  demand: ProviderDemand;
  stopped: readonly StoppedMember[];
  form: FormState;
}) {
  const words = useWords();
  const { text, content } = words;
  const shown = isolated(provider);
  const settings = clientPath(client, 'settings');
  return (
    <>
      <PageHeader
        title={text('requiredProvider.requireThis', { provider: shown })}
        lead={text('requiredProvider.effect', { provider: shown })}
        crumb={{ href: settings, label: text('workspace.title') }}
      />
      <Section
        id="stops"
        title={text('requiredProvider.stops')}
        hint={text('requiredProvider.stopsHint', { provider: shown })}
      >
        {stopped.length === 0 ? (
          <p>{text('requiredProvider.stopsNothing', { provider: shown })}</p>
        ) : (
          <SettingRows
            label={text('requiredProvider.stops')}
            settings={stopped.map(({ hasIdentity, passwords, applications, programs, ...member }) => ({
              href: clientPath(client, `members/${member.userId}`),
              name: <bdi>{nameOf(words, member)}</bdi>,
              title: nameOf(words, member),
              facts: [
                ...(hasIdentity ? [] : [text('requiredProvider.noIdentity', { provider: shown })]),
                ...(passwords > 0 ? [text('requiredProvider.passwords', { count: passwords })] : []),
                ...(applications > 0 ? [text('requiredProvider.applications', { count: applications })] : []),
                ...(programs > 0 ? [text('requiredProvider.programs', { count: programs })] : []),
              ],
              acts: [],
            }))}
          />
        )}
      </Section>
      <Section id="emergency" title={text('requiredProvider.emergency')} hint={text('requiredProvider.emergencyHint')}>
        {demand.candidates.length === 0 ? (
          <p>{content('requiredProvider.noCandidates', { a: toFactors })}</p>
        ) : (
          <Form form={form} action={clientPath(client, DEMAND)}>
            <RadioGroup
              form={form}
              name="emergency_owner"
              label={text('requiredProvider.emergency')}
              value={demand.required?.emergencyOwner?.userId ?? ''}
              options={demand.candidates.map((owner) => ({
                value: owner.userId,
                label: isolated(nameOf(words, owner)),
              }))}
            />
            <Actions>
              <Button kind="danger">{text('requiredProvider.require', { provider: shown })}</Button>
              <ButtonLink href={settings}>{text('kit.cancel')}</ButtonLink>
            </Actions>
          </Form>
        )}
      </Section>
    </>
  );
}
