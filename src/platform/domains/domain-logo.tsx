import type { Domain } from '../../domains/domain.ts';
import type { findDomainLogo } from '../../links/qr/kept-logo.ts';
import { newForm, type FormState } from '../forms/form.ts';
import { Actions, Button } from '../kit/button.tsx';
import { Form } from '../kit/form.tsx';
import { Section } from '../kit/section.tsx';
import { displayHost } from '../links/display-url.ts';
import { LogoField, RemoveLogo } from '../links/qr/logo-form.tsx';

export type DomainLogo = Awaited<ReturnType<typeof findDomainLogo>>;

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
  return (
    <Section id="logo" title="Logo" hint="In the middle of the QR codes of links on this domain.">
      {logo === null ? (
        <p>None of its own. The codes have the logo of the workspace, if one is kept.</p>
      ) : (
        <img
          class="domain-logo"
          src={`data:${logo.type};base64,${logo.file}`}
          alt={`Logo of ${displayHost(host)}`}
          width="96"
          height="96"
        />
      )}
      {isOwner && (
        <Form form={form} action={action} multipart isKept={false}>
          <LogoField form={form} label="File" />
          <Actions>
            <Button kind="quiet">{logo === null ? 'Keep this logo' : 'Replace the logo'}</Button>
          </Actions>
        </Form>
      )}
      {isOwner && logo !== null && <RemoveLogo href={`${action}/remove`} />}
    </Section>
  );
}
