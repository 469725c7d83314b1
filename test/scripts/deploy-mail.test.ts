import { describe, expect, it } from 'vitest';
import { checkMailSettings } from '../../scripts/deploy/mail.ts';
import { environmentOf, readProject } from '../../scripts/deploy/project.ts';

/** The settings of mail that a deploy checks before it changes anything. */

interface Given {
  readonly vars?: Readonly<Record<string, string>>;
  readonly hasBinding?: boolean;
  /** The secrets of the Worker; null without one. */
  readonly secrets?: readonly string[] | null;
  readonly publicUrl?: string;
  readonly environment?: string | null;
}

function check({
  vars = {},
  hasBinding,
  secrets = [],
  publicUrl = 'https://go.example.com',
  environment = null,
}: Given) {
  const shipped = readProject();
  const named = environment === null ? { vars: { ...shipped.vars, ...vars } } : { env: { [environment]: { vars } } };
  const project = { ...shipped, ...named, send_email: hasBinding === true ? [{ name: 'MAIL' }] : [] };
  const worker = secrets && { secrets, vars: {}, classes: [] };
  return checkMailSettings(project, environmentOf(project, environment), { worker }, publicUrl);
}

const FROM = { MAIL_FROM: 'links@example.com' };
const API = { ...FROM, MAIL_URL: 'https://mail.example.com/emails' };

describe('the settings of mail of a deploy', () => {
  it('mail is off as shipped, and is sent by the binding, or by the API, which goes first', () => {
    expect(check({})).toBeNull();
    expect(check({ secrets: null, publicUrl: '' })).toBeNull();
    expect(check({ vars: FROM, hasBinding: true, secrets: null })).toBe('sent by the binding MAIL');
    expect(check({ vars: API, secrets: ['MAIL_TOKEN'] })).toBe('sent by mail.example.com');
    expect(check({ vars: API, hasBinding: true, secrets: ['MAIL_TOKEN'] })).toBe('sent by mail.example.com');
    expect(check({ vars: API, secrets: ['MAIL_TOKEN'], environment: 'staging' })).toBe('sent by mail.example.com');
  });

  it.each<[what: string, given: Given, sentence: string]>([
    [
      'a MAIL_FROM that is no address',
      { vars: { MAIL_FROM: 'links' }, hasBinding: true },
      'MAIL_FROM must be the address that mails come from, such as links@example.com, and nothing was changed: correct it in wrangler.toml.',
    ],
    [
      'a MAIL_URL without MAIL_FROM',
      { vars: { MAIL_URL: API.MAIL_URL }, secrets: ['MAIL_TOKEN'] },
      'MAIL_FROM must be set, as MAIL_URL is, and nothing was changed: correct it in wrangler.toml.',
    ],
    [
      'a MAIL_URL that is none',
      { vars: { ...FROM, MAIL_URL: 'smtp://mail.example.com' } },
      'MAIL_URL must be the http or https URL of an API of mail, such as https://api.resend.com/emails, and nothing was changed: correct it in wrangler.toml.',
    ],
    [
      'the binding without MAIL_FROM',
      { hasBinding: true },
      'wrangler.toml has the binding MAIL, but no MAIL_FROM, and nothing was changed: set MAIL_FROM to the address that mails come from, or remove the binding.',
    ],
    [
      'a MAIL_FROM without a way out',
      { vars: FROM },
      'MAIL_FROM in wrangler.toml is set, but neither the binding MAIL nor MAIL_URL, and nothing was changed: add one of them, as docs/mail.md says, or empty MAIL_FROM.',
    ],
    [
      'mail without PUBLIC_URL',
      { vars: FROM, hasBinding: true, publicUrl: '' },
      'MAIL_FROM in wrangler.toml is set, but the links of mails need PUBLIC_URL, and nothing was changed: add a domain of your own with --domain, or set PUBLIC_URL to the origin of the service.',
    ],
    [
      'a MAIL_URL without the secret',
      { vars: API, environment: 'staging' },
      'MAIL_URL in wrangler.toml is set, but the Worker has no secret MAIL_TOKEN, and nothing was changed: run "npx wrangler secret put MAIL_TOKEN --name terse-staging", then deploy again.',
    ],
    [
      'a MAIL_URL at the first deploy',
      { vars: API, secrets: null },
      'MAIL_URL in wrangler.toml is set, but there is no Worker yet that could have the secret MAIL_TOKEN, and nothing was changed: empty MAIL_FROM and MAIL_URL, deploy, run "npx wrangler secret put MAIL_TOKEN --name terse", then set both and deploy again.',
    ],
    [
      'a token among the vars',
      { vars: { ...API, MAIL_TOKEN: 'x' } },
      'MAIL_TOKEN is in wrangler.toml, which is no place for a secret, and nothing was changed: remove it there, and run "npx wrangler secret put MAIL_TOKEN --name terse".',
    ],
  ])('a deploy refuses %s', (_what, given, sentence) => {
    expect(() => check(given)).toThrow(sentence);
  });
});
