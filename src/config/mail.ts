import { ConfigError, readOrigin, readText, readUrl, type Settings } from './setting-values.ts';

/** The way in which mails are sent: `MAIL_FROM`, and the binding `MAIL` or `MAIL_URL` with the secret `MAIL_TOKEN`. */
export interface MailSettings {
  /** The address that they come from. */
  readonly from: string;
  /** The HTTP API that sends them; null for the binding. */
  readonly api: { readonly url: URL; readonly token: string } | null;
  /** The origin of their links. */
  readonly origin: URL;
}

/** Reads how mails are sent; null without `PUBLIC_URL`, since a link in a mail must lead to this service. */
export function readMail(settings: Settings, publicUrl: URL | null): MailSettings | null {
  const from = readText(settings, 'MAIL_FROM');
  if (from.length > 254 || (from !== '' && !/^[\w.+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(from)))
    throw new ConfigError('MAIL_FROM must be the address that mails come from, such as links@example.com.');
  const url = readUrl(
    settings,
    'MAIL_URL',
    'the http or https URL of an API of mail, such as https://api.resend.com/emails',
  );
  const token = readText(settings, 'MAIL_TOKEN');
  if (!/^[!-~]*$/.test(token)) throw new ConfigError('MAIL_TOKEN must be the token of the API of mail, on one line.');
  if (url !== null && from === '') throw new ConfigError('MAIL_FROM must be set, as MAIL_URL is.');
  const local = readOrigin(settings, 'MAIL_ORIGIN');
  const origin = publicUrl ?? local;
  const hasBinding = typeof settings['MAIL'] === 'object' && settings['MAIL'] !== null;
  if (from === '' || origin === null || (url === null && !hasBinding)) return null;
  return { from, api: url && { url, token }, origin };
}
