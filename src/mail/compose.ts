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

type Texts = Pick<Letter, 'subject' | 'lead' | 'button' | 'note'> & { readonly path: string };

const LETTERS: Readonly<Record<MailKind, (scene: Scene) => Texts>> = {
  confirm: ({ words: { text }, service, token }) => ({
    subject: text('confirm.subject'),
    lead: text('confirm.lead', { service }),
    button: text('confirm.button'),
    note: text('confirm.note'),
    path: `/platform/account/mail/confirm/${token}`,
  }),
  address_changed: ({ words: { text }, service, row, instant }) => ({
    subject: text('addressChanged.subject'),
    lead: text('addressChanged.lead', { service, at: instant(row.created_at) }),
    button: text('addressChanged.button'),
    note: text('addressChanged.note'),
    path: '/platform/account',
  }),
  invite: ({ words: { text }, service, workspace, row, instant, token }) => ({
    subject: text('invite.subject'),
    lead: workspace === null ? text('invite.leadUnnamed', { service }) : text('invite.lead', { service, workspace }),
    button: text('invite.button'),
    note: text('invite.note', { at: instant(row.expires_at) }),
    path: `/platform/invite/${token}`,
  }),
  reset: ({ words: { text }, service, token }) => ({
    subject: text('reset.subject'),
    lead: text('reset.lead', { service }),
    button: text('reset.button'),
    note: text('reset.note'),
    path: `/platform/reset/${token}`,
  }),
  new_device: ({ words, service, row, instant }) => ({
    subject: words.text('newDevice.subject'),
    lead: words.text('newDevice.lead', { service, at: instant(row.created_at), device: deviceIn(words, row.details) }),
    button: words.text('newDevice.button'),
    note: words.text('newDevice.note'),
    path: '/platform/account/history',
  }),
  password_changed: (scene) => ({
    subject: scene.words.text('passwordChanged.subject'),
    lead: passwordLead(scene),
    button: scene.words.text('passwordChanged.button'),
    note: scene.words.text('passwordChanged.note'),
    path: '/platform/forgot',
  }),
  factors_changed: ({ words: { text }, service, row, instant }) => ({
    subject: text('factorsChanged.subject'),
    lead: text('factorsChanged.lead', { service, at: instant(row.created_at) }),
    button: text('factorsChanged.button'),
    note: text('factorsChanged.note'),
    path: '/platform/account/factors',
  }),
  factors_reset: (scene) => changedByOperator(scene, 'factorsReset', '/platform/account/factors'),
  identity_changed: (scene) => changedByOperator(scene, 'identityChanged', '/platform/account/history'),
  factor_demanded: ({ words: { text }, service, workspace, row, instant }) => {
    const at = instant(dayOf(row));
    return {
      subject: text('factorDemanded.subject'),
      lead:
        workspace === null
          ? text('factorDemanded.leadUnnamed', { service, at })
          : text('factorDemanded.lead', { service, at, workspace }),
      button: text('factorDemanded.button'),
      note: text('factorDemanded.note'),
      path: '/platform/account/factors',
    };
  },
  unconfirmed: ({ words: { text }, service, workspace, row, instant }) => {
    const at = instant(dayOf(row));
    const unnamed = row.client_id === null ? 'unconfirmed.leadAll' : 'unconfirmed.leadUnnamed';
    return {
      subject: text('unconfirmed.subject'),
      lead: workspace === null ? text(unnamed, { service, at }) : text('unconfirmed.lead', { service, at, workspace }),
      button: text('unconfirmed.button'),
      note: text('unconfirmed.note'),
      path: row.client_id === null ? '/platform/sign-in' : `/platform/sso/${encodeURIComponent(row.client_id)}`,
    };
  },
  key_expires: ({ words: { text }, service, workspace, row, instant }) => {
    const at = instant((readDetails(row.details) as { readonly expires_at: number }).expires_at);
    return {
      subject: text('keyExpires.subject'),
      lead:
        workspace === null
          ? text('keyExpires.leadUnnamed', { service, at })
          : text('keyExpires.lead', { service, at, workspace }),
      button: text('keyExpires.button'),
      note: text('keyExpires.note'),
      path: pathOf(row, 'keys'),
    };
  },
  domain_lost: ({ words: { text }, service, workspace, row }) => ({
    subject: text('domainLost.subject'),
    lead:
      workspace === null
        ? text('domainLost.leadUnnamed', { service })
        : text('domainLost.lead', { service, workspace }),
    button: text('domainLost.button'),
    note: text('domainLost.note'),
    path: pathOf(row, 'domains'),
  }),
  webhook_disabled: ({ words: { text }, service, workspace, row }) => ({
    subject: text('webhookDisabled.subject'),
    lead:
      workspace === null
        ? text('webhookDisabled.leadUnnamed', { service })
        : text('webhookDisabled.lead', { service, workspace }),
    button: text('webhookDisabled.button'),
    note: text('webhookDisabled.note'),
    path: pathOf(row, 'webhooks'),
  }),
};

const pathOf = ({ client_id }: MailRow, page: string) => `/platform/c/${encodeURIComponent(client_id ?? '')}/${page}`;

/** @param own where the button leads the person whose account was changed; owners see the audit log */
function changedByOperator(
  { words: { text }, service, workspace, row, instant }: Scene,
  what: 'factorsReset' | 'identityChanged',
  own: string,
): Texts {
  const at = instant(row.created_at);
  const lead =
    workspace === null
      ? text(`${what}.leadUnnamed`, { service, at })
      : text(`${what}.leadMember`, { service, at, workspace });
  const isOwner = row.client_id !== null;
  return {
    subject: text(`${what}.subject`),
    lead: isOwner ? lead : text(`${what}.lead`, { service, at }),
    button: text(isOwner ? `${what}.buttonMember` : `${what}.button`),
    note: text(`${what}.note`),
    path: isOwner ? pathOf(row, 'audit') : own,
  };
}

// The service itself has written them.
const readDetails = (details: string | null): unknown => JSON.parse(details ?? '{}');

/** The instant of what a mail warns of. */
const dayOf = ({ details }: MailRow): number => (readDetails(details) as { readonly at: number }).at;

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
