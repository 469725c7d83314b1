import type { Session } from '../../accounts/sessions/session.ts';
import { FACTORS } from '../account/factors/factors-page.tsx';
import { isolated } from '../bidi.ts';
import type { OwnClient } from '../env.ts';
import { newForm } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Form, Hidden } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';
import { Time } from '../kit/time.tsx';
import { clientPath } from '../nav.ts';
import { useWords } from '../words.tsx';
import { providerSignInPath } from './provider-sign-in-path.ts';

/** The switch with which owners demand a second factor of all members. */
export function FactorDemand({ client, session }: { client: OwnClient; session: Session }) {
  const { text, content } = useWords();
  const { factorsFrom } = client;
  const isOn = factorsFrom !== null;
  return (
    <Section id="factors" title={text('workspace.factors')} hint={text('workspace.factorsHint')}>
      {!isOn && !session.hasFactor ? (
        <p>{content('workspace.factorsFirst', { a: (inside) => <a href={FACTORS}>{inside}</a> })}</p>
      ) : (
        <Form form={newForm()} action={clientPath(client, 'settings/factors')}>
          <Hidden name="factors" value={isOn ? 'off' : 'on'} />
          <p>
            {isOn
              ? content('workspace.factorsDemanded', {
                  at: () => <Time at={factorsFrom} timeZone={session.timeZone} />,
                })
              : text('workspace.factorsFree')}
          </p>
          <Actions>
            <Button kind="quiet">{text(isOn ? 'workspace.freeFactors' : 'workspace.demandFactors')}</Button>
          </Actions>
        </Form>
      )}
    </Section>
  );
}

/** Warns a member whom the provider has not confirmed for long, before the suspension; shows nothing to others. */
export function ConfirmNotice({ client, session }: { client: OwnClient; session: Session }) {
  const { content } = useWords();
  const { confirmUntil } = client;
  if (confirmUntil === null) return null;
  return (
    <div class="notice warning" role="status">
      <p>
        {content('shell.confirmSoon', {
          workspace: isolated(client.name),
          provider: isolated(confirmUntil.provider),
          at: () => <Time at={confirmUntil.at} timeZone={session.timeZone} />,
          a: (inside) => <a href={providerSignInPath(client)}>{inside}</a>,
        })}
      </p>
    </div>
  );
}

/** Warns a member without a second factor, on each page but those on which it is set up; shows nothing to others. */
export function FactorNotice({ client, session, pathname }: { client: OwnClient; session: Session; pathname: string }) {
  const { content } = useWords();
  const { factorsFrom, meetsFactors } = client;
  if (factorsFrom === null || meetsFactors || pathname.startsWith(FACTORS)) return null;
  const values = { workspace: isolated(client.name), a: (inside: string[]) => <a href={FACTORS}>{inside}</a> };
  return (
    <div class="notice warning" role="status">
      <p>
        {factorsFrom > Date.now()
          ? content('shell.factorsSoon', { ...values, at: () => <Time at={factorsFrom} timeZone={session.timeZone} /> })
          : content('shell.factorsNow', values)}
      </p>
    </div>
  );
}
