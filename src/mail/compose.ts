import type { DeviceDetails, MailKind, PasswordChange } from './kinds.ts';
import type { MailRow } from './mail-store.ts';
import { countryIn, instantIn, mailWords, type MailWords } from './mail-words.ts';
import { writeHtml, writeText, type Letter } from './write.ts';

/** The service in the texts of mails. */
export interface Service {
  readonly name: string;
  /** Where links lead to. */
  readonly origin: string;
  /** The colour of the button: six hexadecimal digits, or null for the one of the design. */
  readonly colour: string | null;
}

/** A mail as it is written. */
interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The means by which a text is written. */
interface Scene {
  readonly words: MailWords;
  readonly row: MailRow;
  readonly service: string;
  /** The name of the workspace, or null if a mail does not show it. */
  readonly workspace: string | null;
  /** The token of the link, or ''. */
  readonly token: string;
  readonly instant: (at: number) => string;
}

/**
 * Writes a mail in the language of its person. Of what people have typed it has the name of the workspace alone, and no
 * subject has even that.
 *
 * @param token that of the link, or null
 */
export async function compose(row: MailRow, token: string | null, service: Service): Promise<Composed> {
  const words = await mailWords(row.language);
  const scene: Scene = {
    words,
    row,
    service: service.name,
    workspace: row.client_name === null ? null : shownName(row.client_name),
    token: token ?? '',
    instant: (at) => instantIn(words, at, row.time_zone ?? 'UTC'),
  };
  const { path, ...texts } = LETTERS[row.kind](scene);
  const letter: Letter = {
    ...texts,
    url: `${service.origin}${path}`,
    linkAgain: words.text('mail.linkAgain'),
    footer: words.text('mail.footer', { service: service.name, host: new URL(service.origin).host }),
    language: words.language,
    colour: service.colour,
    service: service.name,
  };
  return { subject: letter.subject, text: writeText(letter), html: writeHtml(letter) };
}

const MAX_NAME = 40;
// What mail programs turn into a link, and what turns the direction of the text around it.
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}@]|:\/\/|\/\/|www\.|[\p{L}\p{N}]\.[\p{L}]{2}/iu;

/** The name of a workspace, or null if it is long, or could be read as an address or a link. */
export const shownName = (name: string): string | null =>
  name.length <= 2 * MAX_NAME && Array.from(name).length <= MAX_NAME && !NOT_SHOWN.test(name) ? name : null;

/** The kinds whose texts have a subject, a button and a note without values. */
type Kind =
  | 'confirm'
  | 'addressChanged'
  | 'reset'
  | 'newDevice'
  | 'passwordChanged'
  | 'factorsChanged'
  | 'factorsReset'
  | 'identityChanged'
  | 'factorDemanded'
  | 'unconfirmed'
  | 'keyExpires'
  | 'domainLost'
  | 'webhookDisabled';

type Texts = Pick<Letter, 'subject' | 'lead' | 'button' | 'note'> & { readonly path: string };

const LETTERS: Readonly<Record<MailKind, (scene: Scene) => Texts>> = {
  confirm: (scene) =>
    letter(
      scene,
      'confirm',
      scene.words.text('confirm.lead', { service: scene.service }),
      `/platform/account/mail/confirm/${scene.token}`,
    ),
  address_changed: (scene) => letter(scene, 'addressChanged', leadOf(scene, 'addressChanged'), '/platform/account'),
  invite: ({ words: { text }, service, workspace, row, instant, token }) => ({
    subject: text('invite.subject'),
    lead: workspace === null ? text('invite.leadUnnamed', { service }) : text('invite.lead', { service, workspace }),
    button: text('invite.button'),
    note: text('invite.note', { at: instant(row.expires_at) }),
    path: `/platform/invite/${token}`,
  }),
  reset: (scene) =>
    letter(
      scene,
      'reset',
      scene.words.text('reset.lead', { service: scene.service }),
      `/platform/reset/${scene.token}`,
    ),
  new_device: (scene) => {
    const { words, service, row, instant } = scene;
    const values = { service, at: instant(row.created_at), device: deviceIn(words, row.details) };
    return letter(scene, 'newDevice', words.text('newDevice.lead', values), '/platform/account/history');
  },
  password_changed: (scene) => letter(scene, 'passwordChanged', passwordLead(scene), '/platform/forgot'),
  factors_changed: (scene) =>
    letter(scene, 'factorsChanged', leadOf(scene, 'factorsChanged'), '/platform/account/factors'),
  factors_reset: (scene) => changedByOperator(scene, 'factorsReset', '/platform/account/factors'),
  identity_changed: (scene) => changedByOperator(scene, 'identityChanged', '/platform/account/history'),
  factor_demanded: (scene) => {
    const { at } = readDetails(scene.row.details) as { readonly at: number };
    return letter(scene, 'factorDemanded', leadAbout(scene, 'factorDemanded', at), '/platform/account/factors');
  },
  unconfirmed: (scene) => {
    const { words, service, row, instant } = scene;
    const { at } = readDetails(row.details) as { readonly at: number };
    return row.client_id === null
      ? letter(
          scene,
          'unconfirmed',
          words.text('unconfirmed.leadAll', { service, at: instant(at) }),
          '/platform/sign-in',
        )
      : letter(
          scene,
          'unconfirmed',
          leadAbout(scene, 'unconfirmed', at),
          `/platform/sso/${encodeURIComponent(row.client_id)}`,
        );
  },
  key_expires: (scene) => {
    const { expires_at: at } = readDetails(scene.row.details) as { readonly expires_at: number };
    return letter(scene, 'keyExpires', leadAbout(scene, 'keyExpires', at), pathOf(scene.row, 'keys'));
  },
  domain_lost: (scene) => letter(scene, 'domainLost', leadAbout(scene, 'domainLost'), pathOf(scene.row, 'domains')),
  webhook_disabled: (scene) =>
    letter(scene, 'webhookDisabled', leadAbout(scene, 'webhookDisabled'), pathOf(scene.row, 'webhooks')),
};

/** A letter by the texts of a kind. */
const letter = ({ words: { text } }: Scene, kind: Kind, lead: string, path: string): Texts => ({
  subject: text(`${kind}.subject`),
  lead,
  button: text(`${kind}.button`),
  note: text(`${kind}.note`),
  path,
});

/** The lead of a mail about the account of its person. */
const leadOf = ({ words: { text }, service, row, instant }: Scene, kind: 'addressChanged' | 'factorsChanged'): string =>
  text(`${kind}.lead`, { service, at: instant(row.created_at) });

/** The lead of a mail about a workspace, whose name it may not show. */
function leadAbout(
  { words: { text }, service, workspace, row, instant }: Scene,
  kind: 'factorDemanded' | 'unconfirmed' | 'keyExpires' | 'domainLost' | 'webhookDisabled',
  happensAt = row.created_at,
): string {
  const at = instant(happensAt);
  return workspace === null
    ? text(`${kind}.leadUnnamed`, { service, at })
    : text(`${kind}.lead`, { service, at, workspace });
}

const pathOf = ({ client_id }: MailRow, page: string) => `/platform/c/${encodeURIComponent(client_id ?? '')}/${page}`;

/** @param own where the button leads the person whose account was changed; owners see the audit log */
function changedByOperator(scene: Scene, kind: 'factorsReset' | 'identityChanged', own: string): Texts {
  const { words, service, workspace, row, instant } = scene;
  const { text } = words;
  const at = instant(row.created_at);
  if (row.client_id === null) return letter(scene, kind, text(`${kind}.lead`, { service, at }), own);
  const lead =
    workspace === null
      ? text(`${kind}.leadUnnamed`, { service, at })
      : text(`${kind}.leadMember`, { service, at, workspace });
  return { ...letter(scene, kind, lead, pathOf(row, 'audit')), button: text(`${kind}.buttonMember`) };
}

// The service itself has written them.
const readDetails = (details: string | null): unknown => JSON.parse(details ?? '{}');

function passwordLead({ words: { text }, service, workspace, row, instant }: Scene): string {
  const at = instant(row.created_at);
  const { by } = readDetails(row.details) as { readonly by: PasswordChange };
  if (by === 'session') return text('passwordChanged.lead', { service, at });
  if (by === 'operator') return text('passwordChanged.leadOperator', { service, at });
  if (row.client_id === null) return text('passwordChanged.leadLink', { service, at });
  return workspace === null
    ? text('passwordChanged.leadUnnamed', { service, at })
    : text('passwordChanged.leadOwner', { service, at, workspace });
}

function deviceIn(words: MailWords, details: string | null): string {
  const { browser, os, country } = readDetails(details) as DeviceDetails;
  const parts = [browser, os, country && countryIn(words, country)].filter((part) => part);
  return parts.length === 0 ? words.text('newDevice.unknown') : parts.join(', ');
}
