import type { PropsWithChildren } from 'hono/jsx';
import type { FormState } from '../../forms/form.ts';
import { Actions, ButtonLink } from '../../kit/button.tsx';
import { ConfirmPage } from '../../kit/confirm.tsx';
import { FileField } from '../../kit/file-field.tsx';

/** The logo of QR codes, as forms take it and pages remove it: that of all links, and those of domains. */

export const LogoField = ({ form, label }: { form: FormState; label: string }) => (
  <FileField
    form={form}
    name="logo"
    label={label}
    accept="image/png,image/svg+xml"
    optional={label !== 'File'}
    hint="A PNG of at most 1024 × 1024 pixels, or an SVG, of at most 64 KiB. The code then has error level H. With an SVG logo it can be downloaded as SVG only."
  />
);

/** Leads to a `RemoveLogoPage`. */
export const RemoveLogo = ({ href }: { href: string }) => (
  <Actions>
    <ButtonLink href={href} kind="danger" confirms>
      Remove the logo
    </ButtonLink>
  </Actions>
);

/** Asks before a logo is removed; its children say which codes have it. */
export const RemoveLogoPage = ({ back, children }: PropsWithChildren<{ back: string }>) => (
  <ConfirmPage title="Remove the logo?" label="Remove the logo" back={back}>
    <p>{children} This cannot be undone, but you can keep the file again.</p>
  </ConfirmPage>
);
