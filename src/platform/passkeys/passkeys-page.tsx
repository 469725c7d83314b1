import type { OwnPasskeys, Passkey } from '../../accounts/passkeys/passkeys.ts';
import type { RelyingParty } from '../../accounts/passkeys/relying-party.ts';
import type { Session } from '../../accounts/sessions/session.ts';
import type { Site } from '../../network/hosts.ts';
import type { FormState } from '../forms/form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { Field, Form } from '../kit/form.tsx';
import { Badge, Notice } from '../kit/notice.tsx';
import { PasskeyButton } from '../kit/passkey-button.tsx';
import { agoIn } from '../kit/relative-time.tsx';
import { LeadWithGuide, PageHeader, Section } from '../kit/section.tsx';
import { SettingsList, type Setting } from '../kit/settings-list.tsx';
import { useWords, type PageWords } from '../words.tsx';
import { PASSKEYS } from './paths.ts';

export function PasskeysPage({
  own: { passkeys, areFactor },
  session,
  site,
  rp,
}: {
  own: OwnPasskeys;
  session: Session;
  site: Site;
  /** Null where none can be added. */
  rp: RelyingParty | null;
}) {
  const words = useWords();
  const { text, content } = words;
  const isMoved = rp !== null && passkeys.length > 0 && !passkeys.some(({ host }) => host === rp.id);
  return (
    <>
      <SettingsList
        title={text('passkeys.title')}
        lead={<LeadWithGuide guide="platform#passkeys">{text('passkeys.lead')}</LeadWithGuide>}
        crumb={{ href: '/platform/account', label: text('account.title') }}
        action={rp && { href: `${PASSKEYS}/new`, label: text('passkeys.add') }}
        settings={passkeys.map((passkey) => passkeySetting(words, passkey, session, rp))}
        empty={{ title: text('passkeys.none'), text: text('passkeys.noneHint') }}
      >
        {rp === null && (
          <Notice kind="warning">
            {text(site.publicUrl === null ? 'passkeys.noPublicUrl' : 'passkeys.otherHost')}
          </Notice>
        )}
        {isMoved && <Notice kind="warning">{content('passkeys.moved', { host: rp.id })}</Notice>}
      </SettingsList>
      {passkeys.length > 0 && (
        <Section id="factor" title={text('passkeys.factor')} hint={text('passkeys.factorHint')}>
          <p>
            {text(areFactor ? 'passkeys.isFactor' : session.hasFactor ? 'passkeys.isBesideApp' : 'passkeys.isNoFactor')}
          </p>
          <Actions>
            <ButtonLink href={`${PASSKEYS}/factor`} confirms>
              {text(areFactor ? 'passkeys.endFactor' : 'passkeys.beginFactor')}
            </ButtonLink>
          </Actions>
        </Section>
      )}
    </>
  );
}

function passkeySetting(
  words: PageWords,
  { id, name, host, createdAt, lastUsedAt }: Passkey,
  { timeZone }: Session,
  rp: RelyingParty | null,
): Setting {
  const { text, content } = words;
  return {
    name: <bdi>{name}</bdi>,
    title: name,
    state: rp !== null && host !== rp.id && <Badge kind="warning">{text('passkeys.ofFormerHost')}</Badge>,
    facts: [
      lastUsedAt === null
        ? text('passkeys.neverUsed')
        : content('passkeys.lastUsed', agoIn(words, lastUsedAt, timeZone)),
      content('passkeys.added', agoIn(words, createdAt, timeZone)),
      <bdi dir="ltr">{host}</bdi>,
    ],
    acts: [
      { icon: 'pencil', label: text('passkeys.rename'), href: `${PASSKEYS}/${id}/rename` },
      { icon: 'trash-2', label: text('passkeys.remove'), href: `${PASSKEYS}/${id}/remove`, confirms: true },
    ],
  };
}

const crumbIn = ({ text }: PageWords) => ({ href: PASSKEYS, label: text('passkeys.title') });

export function NewPasskeyPage({ form, options, rp }: { form: FormState; options: object; rp: RelyingParty }) {
  const words = useWords();
  const { text, content } = words;
  return (
    <>
      <PageHeader
        title={text('passkeys.new')}
        lead={content('passkeys.newLead', { host: rp.id })}
        crumb={crumbIn(words)}
      />
      <Section id="passkey" title={text('passkeys.passkey')} hint={text('passkeys.newHint')}>
        <Form form={form} action={`${PASSKEYS}/new`}>
          <NameField form={form} />
          <Actions>
            <PasskeyButton options={{ create: options }}>{text('passkeys.add')}</PasskeyButton>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

export function RenamePage({ id, name, form }: { id: string; name: string; form: FormState }) {
  const words = useWords();
  const { text } = words;
  return (
    <>
      <PageHeader title={text('passkeys.rename')} lead={<bdi>{name}</bdi>} crumb={crumbIn(words)} />
      <Section id="name" title={text('kit.name')}>
        <Form form={form} action={`${PASSKEYS}/${id}/rename`}>
          <NameField form={form} />
          <Actions>
            <Button>{text('kit.save')}</Button>
          </Actions>
        </Form>
      </Section>
    </>
  );
}

function NameField({ form }: { form: FormState }) {
  const { text } = useWords();
  return <Field form={form} name="name" label={text('kit.name')} hint={text('passkeys.nameHint')} autocomplete="off" />;
}
