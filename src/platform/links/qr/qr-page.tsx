import type { Child, PropsWithChildren } from 'hono/jsx';
import { newForm, type FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Field, Form, Hidden, Select } from '../../kit/form.tsx';
import { EmptyState } from '../../kit/notice.tsx';
import { WithSummary } from '../../kit/summary.tsx';
import { useWords } from '../../words.tsx';
import { LinkFrame, type OfLink } from '../page/link-frame.tsx';
import { displayHost } from '../display-url.ts';
import { linkPath } from '../paths.ts';
import { LogoField, RemoveLogo } from './logo-form.tsx';
import { Code, type Drawn } from './qr-code.tsx';
import {
  frameOptions,
  GROUND,
  groundOptions,
  HAS_LOGO,
  KEPT_LOGO,
  levelOptions,
  logoOptions,
  marginOptions,
  markerOptions,
  qrAddress,
  sizeOptions,
  styleOptions,
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
  const { text } = useWords();
  const path = linkPath(of.client, of.link.id, 'qr');
  return (
    <LinkFrame {...of} tab="qr">
      <div class="qr-tab">
        <section class="panel qr" aria-labelledby="qr">
          <h2 class="unseen" id="qr">
            {text('qr.title')}
          </h2>
          {drawn === null ? (
            <EmptyState title={text('qr.none')}>{text('qr.noneHint')}</EmptyState>
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
              title={text('qr.settings')}
              hint={text(isOfDomain ? 'qr.logoHereOfDomain' : 'qr.logoHere')}
            >
              <Form form={form} action={path} multipart isKept={false} redraws>
                <Hidden name={KEPT_LOGO} value={logo} />
                <Settings form={form} level={<FixedLevel />} />
                <LogoField form={form} label={text('qr.anotherLogo')} optional />
                <Actions>
                  <Show />
                  {!isOfDomain && (
                    <Button kind="quiet" name="do" value="keep">
                      {text('qr.keepLogo')}
                    </Button>
                  )}
                  <ButtonLink href={drawn ? qrAddress(of, drawn.options, 'qr') : path}>
                    {text('qr.removeLogo')}
                  </ButtonLink>
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
    <Button kind="quiet">{useWords().text('qr.show')}</Button>
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
  const words = useWords();
  const { text } = words;
  const { logo, ...faults } = form.faults;
  const ofLogo = { ...newForm(form.values), ...(logo !== undefined && { faults: { logo } }) };
  const others = { ...form, faults, ...(logo !== undefined && { complaint: null }) };
  return (
    <>
      <Part id="settings" title={text('qr.settings')} hint={text('qr.settingsHint')}>
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
                    label={text('qr.level')}
                    options={levelOptions(words)}
                    value="M"
                    hint={text('qr.levelHint')}
                  />
                )
              }
            />
            {keeps && <Select form={others} name={HAS_LOGO} label={text('qr.logo')} options={logoOptions(words)} />}
            <Show />
          </WithSummary>
        </form>
      </Part>
      <Part
        id="logo"
        title={text('qr.logo')}
        hint={
          host !== null
            ? text('qr.logoOfDomain', { host: displayHost(host) })
            : text(keeps ? 'qr.logoKept' : 'qr.logoNotKept')
        }
      >
        <Form form={ofLogo} action={path} multipart isKept={false}>
          {SENT_WITH_LOGO.map(
            (name) => form.values[name] !== undefined && <Hidden name={name} value={form.values[name]} />,
          )}
          <FixedLevel />
          <LogoField form={ofLogo} label={text('qr.logoFile')} />
          <Actions>
            <Button kind="quiet">{text(keeps ? 'qr.tryLogo' : 'qr.addLogo')}</Button>
          </Actions>
        </Form>
        {keeps && host === null && <RemoveLogo href={`${path}/remove-logo`} />}
      </Part>
    </>
  );
}

const SENT_WITH_LOGO = ['colour', GROUND, 'background', 'dots', 'corners', 'frame', 'text', 'margin', 'size', 'marker'];

// Only this level restores what a logo covers.
const FixedLevel = () => <Hidden name="level" value="H" />;

function Settings({ form, level }: { form: FormState; level: Child }) {
  const words = useWords();
  const { text } = words;
  return (
    <div class="pairs qr-settings">
      <Field
        form={form}
        name="colour"
        type="color"
        label={text('qr.colour')}
        value="#000000"
        hint={text('qr.colourHint')}
      />
      <Field
        form={form}
        name="background"
        type="color"
        label={text('qr.background')}
        value="#ffffff"
        hint={text('qr.backgroundHint')}
      />
      <Select form={form} name="dots" label={text('qr.dots')} options={styleOptions(words)} value="square" />
      <Select form={form} name="corners" label={text('qr.corners')} options={styleOptions(words)} value="square" />
      <Select form={form} name="frame" label={text('qr.frame')} options={frameOptions(words)} value="none" />
      <Field form={form} name="text" label={text('qr.text')} value="" hint={text('qr.textHint')} />
      <Select
        form={form}
        name={GROUND}
        label={text('qr.ground')}
        options={groundOptions(words)}
        value="colour"
        hint={text('qr.groundHint')}
      />
      <Select
        form={form}
        name="margin"
        label={text('qr.margin')}
        options={marginOptions(words)}
        value="4"
        hint={text('qr.marginHint')}
      />
      {level}
      <Select form={form} name="size" label={text('qr.size')} options={sizeOptions(words)} value="1024" />
      <Select
        form={form}
        name="marker"
        label={text('qr.marker')}
        options={markerOptions(words)}
        value="true"
        hint={text('qr.markerHint')}
      />
    </div>
  );
}
