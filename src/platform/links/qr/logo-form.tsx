import type { PropsWithChildren } from 'hono/jsx';
import type { LogoFile } from '../../../links/qr/kept-logo.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, ButtonLink } from '../../kit/button.tsx';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { FileField } from '../../kit/file-field.tsx';
import { useWords } from '../../words.tsx';

/** The logo of QR codes, as forms take it and pages remove it: that of all links, and those of domains. */

export const LogoField = ({ form, label, ...rest }: { form: FormState; label: string; optional?: boolean }) => (
  <FileField
    form={form}
    name="logo"
    label={label}
    accept="image/png,image/svg+xml"
    hint={useWords().text('qr.logoFileHint')}
    {...rest}
  />
);

/** A logo that is kept, on a light ground, as in a code. */
export const KeptLogo = ({ logo: { type, file }, alt }: { logo: LogoFile; alt: string }) => (
  <img class="kept-logo" src={`data:${type};base64,${file}`} alt={alt} width="96" height="96" />
);

/** Leads to a `RemoveLogoPage`. */
export const RemoveLogo = ({ href }: { href: string }) => (
  <Actions>
    <ButtonLink href={href} kind="danger" confirms>
      {useWords().text('qr.removeLogo')}
    </ButtonLink>
  </Actions>
);

/** Asks before a logo is removed; its children say which codes have it, and that it cannot be undone. */
export const RemoveLogoPage = ({ back, children }: PropsWithChildren<{ back: string }>) => {
  const { text } = useWords();
  return (
    <ConfirmPage title={text('qr.removeLogoThis')} label={text('qr.removeLogo')} back={back}>
      <p>{children}</p>
    </ConfirmPage>
  );
};
