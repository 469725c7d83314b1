import type { Domain } from '../../domains/domain.ts';
import type { LogoFile } from '../../links/qr/kept-logo.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';
import { displayHost } from '../links/display-url.ts';
import { KeptLogo, LogoField, RemoveLogo } from '../links/qr/logo-form.tsx';
import { useWords } from '../words.tsx';

export type DomainLogo = LogoFile | null;

/** The logo of a domain's own QR codes, and for owners a form to keep another one. */
export function LogoSection({
  domain: { host },
  isOwner,
  logo,
  form = newForm(),
  action,
}: {
  domain: Domain;
  isOwner: boolean;
  logo: DomainLogo;
  /** The form that was sent. */
  form: FormState | undefined;
  action: string;
}) {
  const { text } = useWords();
  return (
    <Section id="logo" title={text('domains.logo')} hint={text('domains.logoHint')}>
      {logo === null ? (
        <p>{text('domains.noLogo')}</p>
      ) : (
        <KeptLogo logo={logo} alt={text('domains.logoOf', { host: displayHost(host) })} />
      )}
      {isOwner && (
        <Form form={form} action={action} multipart isKept={false}>
          <LogoField form={form} label={text('domains.logoFile')} />
          <Actions>
            <Button kind="quiet">{text(logo === null ? 'domains.keepLogo' : 'domains.replaceLogo')}</Button>
          </Actions>
        </Form>
      )}
      {isOwner && logo !== null && <RemoveLogo href={`${action}/remove`} />}
    </Section>
  );
}
