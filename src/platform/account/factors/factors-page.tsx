import type { Factors, Offer } from '../../../accounts/factors/factors.ts';
import type { Session } from '../../../accounts/sessions/session.ts';
import { BasicUse } from '../basic-use.tsx';
import { isolated } from '../../bidi.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { CodeBlock, CopyField } from '../../kit/copy.tsx';
import { Field, Form, Hidden } from '../../kit/form.tsx';
import { Badge, Notice } from '../../kit/notice.tsx';
import { LeadWithGuide, PageHeader, Section } from '../../kit/section.tsx';
import { Time } from '../../kit/time.tsx';
import { PASSKEYS } from '../../passkeys/paths.ts';
import { useWords } from '../../words.tsx';

/** The pages of a user's own second factors. */

export const FACTORS = '/platform/account/factors';

const useCrumb = () => ({ href: '/platform/account', label: useWords().text('account.title') });

export function FactorsPage({ factors, session }: { factors: Factors; session: Session }) {
  const { text, content, list } = useWords();
  const { appSince, passkeysAreFactor, resetAt, recoveryLeft, recoveryCodes, wrongCodes, demandedBy } = factors;
  return (
    <>
      <PageHeader
        title={text('factors.title')}
        lead={<LeadWithGuide guide="platform#two-step-sign-in">{text('factors.lead')}</LeadWithGuide>}
        crumb={useCrumb()}
      />
      {!session.hasFactor && demandedBy.length > 0 && (
        <Notice kind="warning">
          {text('factors.demanded', { names: list(demandedBy.map(({ name }) => isolated(name))) })}
        </Notice>
      )}
      {resetAt !== null && (
        <Notice kind="warning">
          <p>{content('factors.removedByOperator', { at: () => <Time at={resetAt} timeZone={session.timeZone} /> })}</p>
        </Notice>
      )}
      {wrongCodes > 0 && session.manyWrongCodes === 0 && (
        <Notice kind="warning">{text('factors.wrongCodes', { count: wrongCodes })}</Notice>
      )}
      <Section id="app" title={text('factors.app')} hint={text('factors.appHint')}>
        <p>
          {appSince === null ? (
            text('factors.off')
          ) : (
            <>
              <Badge kind="success">{text('factors.on')}</Badge>{' '}
              {content('factors.since', { at: () => <Time at={appSince} timeZone={session.timeZone} /> })}
            </>
          )}
        </p>
        <Actions>
          {appSince === null ? (
            <ButtonLink href={`${FACTORS}/app`} kind={passkeysAreFactor ? 'quiet' : 'primary'}>
              {text('factors.setUp')}
            </ButtonLink>
          ) : (
            <ButtonLink href={`${FACTORS}/app/remove`} kind="danger" confirms>
              {text('factors.remove')}
            </ButtonLink>
          )}
        </Actions>
      </Section>
      <Section id="passkeys" title={text('passkeys.title')} hint={text('factors.passkeysHint')}>
        <p>
          {passkeysAreFactor ? (
            <>
              <Badge kind="success">{text('factors.on')}</Badge> {text('passkeys.isFactor')}
            </>
          ) : (
            text('factors.passkeysOff')
          )}
        </p>
        <Actions>
          <ButtonLink href={PASSKEYS}>{text('account.passkeys')}</ButtonLink>
        </Actions>
      </Section>
      {session.hasFactor && (
        <Section id="recovery" title={text('factors.recovery')} hint={text('factors.recoveryHint')}>
          {recoveryLeft === 0 ? (
            <Notice kind="warning">{text('factors.noneLeft')}</Notice>
          ) : (
            <p>{text('factors.left', { left: String(recoveryLeft), all: String(recoveryCodes) })}</p>
          )}
          <Actions>
            <ButtonLink href={`${FACTORS}/codes`} confirms>
              {text('factors.renew')}
            </ButtonLink>
          </Actions>
        </Section>
      )}
    </>
  );
}

/** @param picture the QR code, as a data URL */
export function NewAppPage({
  offer,
  picture,
  form,
  basicUsedAt,
  timeZone,
}: {
  offer: Offer;
  picture: string;
  form: FormState;
  /** When a program last signed in with the password, or null. */
  basicUsedAt: number | null;
  timeZone: string;
}) {
  const { text, content } = useWords();
  return (
    <>
      <PageHeader
        title={text('factors.setUpTitle')}
        lead={text('factors.setUpLead')}
        crumb={{ href: FACTORS, label: text('factors.title') }}
      />
      {basicUsedAt !== null && <BasicUse usedAt={basicUsedAt} hasFactor={false} timeZone={timeZone} />}
      <Section id="scan" title={text('factors.scan')} hint={text('factors.scanHint')}>
        <img src={picture} alt={text('factors.codeOf')} width="200" height="200" />
        <p>{content('factors.onThisDevice', { a: (inside) => <a href={offer.url}>{inside}</a> })}</p>
        <CopyField id="seed" label={text('factors.seed')} value={offer.seed} wide />
      </Section>
      <Section id="confirm" title={text('factors.enter')} hint={text('factors.enterHint')}>
        <Form form={form}>
          <Hidden name="sealed" value={offer.sealed} />
          <Field
            form={form}
            name="code"
            label={text('factors.code')}
            inputmode="numeric"
            autocomplete="one-time-code"
            spellcheck={false}
          />
          <Actions>
            <Button>{text('factors.turnOn')}</Button>
            <ButtonLink href={FACTORS}>{text('kit.cancel')}</ButtonLink>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

/**
 * The recovery codes, which are shown once.
 *
 * @param areRenewed true if they replace those that the user had, and a second factor was on before
 */
export function CodesPage({
  codes,
  title,
  areRenewed = false,
}: {
  codes: readonly string[];
  title: string;
  areRenewed?: boolean;
}) {
  const { text } = useWords();
  return (
    <>
      <PageHeader
        title={title}
        lead={text('factors.codesLead')}
        crumb={{ href: FACTORS, label: text('factors.title') }}
      />
      <Notice kind="warning">{text(areRenewed ? 'factors.codesRenewed' : 'factors.codesOnce')}</Notice>
      <Section id="codes" title={text('factors.recovery')} hint={text('factors.codesHint')}>
        <CodeBlock id="recovery-codes" label={text('factors.recovery')} code={codes.join('\n')} />
        <div class="actions for-screen">
          <ButtonLink href={FACTORS} kind="primary">
            {text('kit.done')}
          </ButtonLink>
          <button type="button" class="button quiet" data-print="" hidden>
            {text('qr.print')}
          </button>
        </div>
      </Section>
    </>
  );
}
