import type { Child, PropsWithChildren } from 'hono/jsx';
import { newForm, type FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Field, Form, Hidden, Select } from '../../kit/form.tsx';
import { EmptyState } from '../../kit/notice.tsx';
import { WithSummary } from '../../kit/summary.tsx';
import { LinkFrame, type OfLink } from '../page/link-frame.tsx';
import { displayHost } from '../display-url.ts';
import { linkPath } from '../paths.ts';
import { LogoField, RemoveLogo } from './logo-form.tsx';
import { Code, type Drawn } from './qr-code.tsx';
import {
  GROUND,
  GROUND_OPTIONS,
  HAS_LOGO,
  KEPT_LOGO,
  LEVEL_OPTIONS,
  LOGO_OPTIONS,
  MARGIN_OPTIONS,
  MARKER_OPTIONS,
  qrAddress,
  SIZE_OPTIONS,
  STYLE_OPTIONS,
} from './qr-settings.ts';

/**
 * The QR code of a link, with the settings of the form.
 *
 * @param drawn null if the settings have a fault
 * @param logo that was sent with the form, in base64; null without one
 * @param keeps true if a logo is kept for it
 * @param isOfDomain true if that is the logo of its domain
 */
export function QrPage({
  form,
  drawn,
  logo,
  keeps,
  isOfDomain,
  ...of
}: OfLink & { form: FormState; drawn: Drawn | null; logo: string | null; keeps: boolean; isOfDomain: boolean }) {
  const path = linkPath(of.client, of.link.id, 'qr');
  return (
    <LinkFrame {...of} tab="qr">
      <div class="qr-tab">
        <section class="panel qr" aria-labelledby="qr">
          <h2 class="unseen" id="qr">
            QR code
          </h2>
          {drawn === null ? (
            <EmptyState title="No code with these settings">Fix the error, and show the code again.</EmptyState>
          ) : (
            <Code {...of} drawn={drawn} isSent={logo !== null} />
          )}
        </section>
        <div class="qr-parts">
          {logo === null ? (
            <OfAddress {...{ form, path, keeps }} host={isOfDomain ? of.link.customDomain : null} />
          ) : (
            <Part
              id="settings"
              title="Settings"
              hint={
                isOfDomain
                  ? 'The logo is on this page only, since the domain has a logo of its own.'
                  : 'The logo is on this page only, until you keep it for the codes of all links.'
              }
            >
              <Form form={form} action={path} multipart isKept={false} redraws>
                <Hidden name={KEPT_LOGO} value={logo} />
                <Settings form={form} level={<FixedLevel />} />
                <LogoField form={form} label="Another logo" />
                <Actions>
                  <Show />
                  {!isOfDomain && (
                    <Button kind="quiet" name="do" value="keep">
                      Keep this logo
                    </Button>
                  )}
                  <ButtonLink href={drawn ? qrAddress(of, drawn.options, 'qr') : path}>Remove the logo</ButtonLink>
                </Actions>
              </Form>
            </Part>
          )}
        </div>
      </div>
    </LinkFrame>
  );
}

/** A part of the tab beside the code, with its title above it. */
const Part = ({ id, title, hint, children }: PropsWithChildren<{ id: string; title: string; hint: string }>) => (
  <section class="panel" aria-labelledby={id}>
    <div>
      <h2 id={id}>{title}</h2>
      <p class="quiet">{hint}</p>
    </div>
    {children}
  </section>
);

/** Where scripts run, the code follows its settings by itself. */
const Show = () => (
  <div class="qr-show">
    <Button kind="quiet">Show the code</Button>
  </div>
);

/**
 * The settings of the address, and the logo that is kept, or can be sent.
 *
 * @param host the domain that has a logo of its own, or null
 */
function OfAddress({
  form,
  path,
  keeps,
  host,
}: {
  form: FormState;
  path: string;
  keeps: boolean;
  host: string | null;
}) {
  const { logo, ...faults } = form.faults;
  const ofLogo = { ...newForm(form.values), ...(logo !== undefined && { faults: { logo } }) };
  const others = { ...form, faults, ...(logo !== undefined && { complaint: null }) };
  return (
    <>
      <Part id="settings" title="Settings" hint="They are in the address of this page, so you can keep it.">
        <form class="form" method="get" action={path} novalidate data-redraws="">
          <WithSummary form={others}>
            <Settings
              form={others}
              level={
                form.values[HAS_LOGO] === 'true' ? (
                  <FixedLevel />
                ) : (
                  <Select
                    form={others}
                    name="level"
                    label="Error level"
                    options={LEVEL_OPTIONS}
                    value="M"
                    hint={LEVEL_HINT}
                  />
                )
              }
            />
            {keeps && <Select form={others} name={HAS_LOGO} label="Logo" options={LOGO_OPTIONS} />}
            <Show />
          </WithSummary>
        </form>
      </Part>
      <Part
        id="logo"
        title="Logo"
        hint={
          host !== null
            ? `The domain ${displayHost(host)} has a logo of its own, which its page keeps for the codes of its links.`
            : keeps
              ? 'A logo is kept for the codes of all links of this workspace.'
              : 'In the middle of the code. It is not stored unless you keep it.'
        }
      >
        <Form form={ofLogo} action={path} multipart isKept={false}>
          {SENT_WITH_LOGO.map(
            (name) => form.values[name] !== undefined && <Hidden name={name} value={form.values[name]} />,
          )}
          <FixedLevel />
          <LogoField form={ofLogo} label="File" />
          <Actions>
            <Button kind="quiet">{keeps ? 'Try another logo' : 'Add the logo'}</Button>
          </Actions>
        </Form>
        {keeps && host === null && <RemoveLogo href={`${path}/remove-logo`} />}
      </Part>
    </>
  );
}

const SENT_WITH_LOGO = ['colour', GROUND, 'background', 'dots', 'corners', 'margin', 'size', 'marker'];

const LEVEL_HINT = 'How much of the code may be dirty or damaged. A higher level has smaller modules.';

// Only this level restores what a logo covers.
const FixedLevel = () => <Hidden name="level" value="H" />;

function Settings({ form, level }: { form: FormState; level: Child }) {
  return (
    <div class="pairs qr-settings">
      <Field
        form={form}
        name="colour"
        type="color"
        label="Colour of the code"
        value="#000000"
        hint="Dark: many scanners cannot read a light code on a dark background."
      />
      <Field
        form={form}
        name="background"
        type="color"
        label="Background colour"
        value="#ffffff"
        hint="Much lighter than the code."
      />
      <Select form={form} name="dots" label="Dots" options={STYLE_OPTIONS} value="square" />
      <Select form={form} name="corners" label="Corners" options={STYLE_OPTIONS} value="square" />
      <Select
        form={form}
        name={GROUND}
        label="Background"
        options={GROUND_OPTIONS}
        value="colour"
        hint="Put a transparent code on white, or on a very light colour."
      />
      <Select
        form={form}
        name="margin"
        label="Quiet zone"
        options={MARGIN_OPTIONS}
        value="4"
        hint="Scanners need 4. With fewer, leave the rest free around the code, as light as the background."
      />
      {level}
      <Select form={form} name="size" label="Size of the PNG" options={SIZE_OPTIONS} value="1024" />
      <Select
        form={form}
        name="marker"
        label="Count as QR code"
        options={MARKER_OPTIONS}
        value="true"
        hint="The code ends in ?via=qr, which click statistics read and no destination gets."
      />
    </div>
  );
}
