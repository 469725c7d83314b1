import { describe, expect, it } from 'vitest';
import { compose, shownName } from '../../src/mail/compose.ts';
import type { MailKind } from '../../src/mail/kinds.ts';
import type { MailRow } from '../../src/mail/mail-store.ts';
import { PLATFORM_LANGUAGES } from '../../src/languages/list.ts';

const SERVICE = { name: 'Terse', origin: 'https://terse.test', colour: null };
const AT = Date.UTC(2099, 0, 2, 3, 4);
const HEAD = 'Sent by Terse, terse.test. The mail does not track who reads it.';

const rowOf = (kind: MailKind, fields: Partial<MailRow> = {}): MailRow => ({
  id: 'm',
  kind,
  address: 'ann@mail.example',
  language: null,
  time_zone: null,
  client_id: null,
  client_name: null,
  details: null,
  token_hash: null,
  created_at: AT,
  expires_at: AT,
  tries: 1,
  ...fields,
});

const OF_CLIENT = { client_id: 'acme', client_name: 'Acme & Söhne' };

/** The whole text of each kind in English, without the line about the service. */
const TEXTS: Readonly<Record<string, readonly [row: MailRow, text: string]>> = {
  confirm: [
    rowOf('confirm'),
    `Confirm your address

This address was entered for an account at Terse. Open the link in a browser in which you are signed in to that account.

Confirm the address:
https://terse.test/platform/account/mail/confirm/TOKEN

The link works once, within one hour. If you did not enter the address, do nothing: it gets no other mail.`,
  ],
  address_changed: [
    rowOf('address_changed'),
    `This address is no longer used

Your account at Terse no longer uses this address: it was replaced or removed on 2 January 2099 at 03:04 UTC.

Open your account:
https://terse.test/platform/account

If this was not you, change your password, and sign out other browsers.`,
  ],
  invite: [
    rowOf('invite', OF_CLIENT),
    `An invite to a workspace

You are invited to the workspace Acme & Söhne at Terse.

Open the invite:
https://terse.test/platform/invite/TOKEN

The invite can be accepted once, until 2 January 2099 at 03:04 UTC, by a person who has signed in or creates an account. If you did not expect it, do nothing.`,
  ],
  reset: [
    rowOf('reset'),
    `Choose a new password

A link to choose a new password was requested for your account at Terse.

Choose a new password:
https://terse.test/platform/reset/TOKEN

The link works once, within one hour. It changes no second factor. If you did not request it, do nothing: your password stays the same.`,
  ],
  new_device: [
    rowOf('new_device', {
      time_zone: 'Europe/Berlin',
      details: '{"browser":"Firefox","os":"Linux","country":"FR"}',
    }),
    `A sign-in from a new device

Your account at Terse was signed in to on 2 January 2099 at 04:04 CET from a browser, system or country that is not in the history of its sign-ins: Firefox, Linux, France.

Open the history of sign-ins:
https://terse.test/platform/account/history

If this was not you, change your password, and sign out other browsers.`,
  ],
  password_changed: [
    rowOf('password_changed', { details: '{"by":"session"}' }),
    `Your password was changed

The password of your account at Terse was changed on 2 January 2099 at 03:04 UTC on the page of the account, which signed out all other browsers.

Choose another password:
https://terse.test/platform/forgot

If you do not know of this change, choose another password now.`,
  ],
  'password_changed by a link': [
    rowOf('password_changed', { details: '{"by":"link"}' }),
    `Your password was changed

A link was used on 2 January 2099 at 03:04 UTC to choose a new password for your account at Terse, which signed it out everywhere.

Choose another password:
https://terse.test/platform/forgot

If you do not know of this change, choose another password now.`,
  ],
  'password_changed by the link of an owner': [
    rowOf('password_changed', { ...OF_CLIENT, details: '{"by":"link"}' }),
    `Your password was changed

A link of an owner of the workspace Acme & Söhne was used on 2 January 2099 at 03:04 UTC to choose a new password for your account at Terse, which signed it out everywhere.

Choose another password:
https://terse.test/platform/forgot

If you do not know of this change, choose another password now.`,
  ],
  'password_changed by the operator': [
    rowOf('password_changed', { details: '{"by":"operator"}' }),
    `Your password was changed

The operator of Terse changed the password of your account on 2 January 2099 at 03:04 UTC, which signed it out everywhere.

Choose another password:
https://terse.test/platform/forgot

If you do not know of this change, choose another password now.`,
  ],
  factors_changed: [
    rowOf('factors_changed'),
    `Two-step sign-in was changed

The two-step sign-in or the passkeys of your account at Terse were changed on 2 January 2099 at 03:04 UTC.

Open two-step sign-in:
https://terse.test/platform/account/factors

If this was not you, change your password, and sign out other browsers.`,
  ],
  'factors_reset to the person': [
    rowOf('factors_reset'),
    `Two-step sign-in was turned off

The operator of Terse turned off the two-step sign-in of your account on 2 January 2099 at 03:04 UTC, and signed it out everywhere.

Open two-step sign-in:
https://terse.test/platform/account/factors

If you did not ask for this, write to the operator.`,
  ],
  'factors_reset to an owner': [
    rowOf('factors_reset', OF_CLIENT),
    `Two-step sign-in was turned off

The operator of Terse turned off the two-step sign-in of a member of the workspace Acme & Söhne on 2 January 2099 at 03:04 UTC.

Open the audit log:
https://terse.test/platform/c/acme/audit

If you did not ask for this, write to the operator.`,
  ],
  'identity_changed to the person': [
    rowOf('identity_changed'),
    `The identity of a sign-in was changed

On 2 January 2099 at 03:04 UTC, the operator of Terse changed the identity with which you sign in at your company’s provider. Sessions of the former one were signed out.

Open the history of sign-ins:
https://terse.test/platform/account/history

If you did not ask for this, write to the operator.`,
  ],
  'identity_changed to an owner': [
    rowOf('identity_changed', OF_CLIENT),
    `The identity of a sign-in was changed

On 2 January 2099 at 03:04 UTC, the operator of Terse changed the identity with which a member of the workspace Acme & Söhne signs in at the company’s provider.

Open the audit log:
https://terse.test/platform/c/acme/audit

If you did not ask for this, write to the operator.`,
  ],
  factor_demanded: [
    rowOf('factor_demanded', { ...OF_CLIENT, details: JSON.stringify({ at: AT }) }),
    `Set up two-step sign-in

The workspace Acme & Söhne at Terse demands two-step sign-in of its members from 2 January 2099 at 03:04 UTC, and your account has none.

Set up two-step sign-in:
https://terse.test/platform/account/factors

Without it, from then on neither you nor programs that use your password can open the workspace. API keys keep working.`,
  ],
  unconfirmed: [
    rowOf('unconfirmed', { ...OF_CLIENT, details: JSON.stringify({ at: AT }) }),
    `Sign in with your company

The provider by which your company signs in has not confirmed you for some time. Sign in with it before 2 January 2099 at 03:04 UTC, or your access to the workspace Acme & Söhne at Terse is suspended.

Open the sign-in page:
https://terse.test/platform/sso/acme

API keys, application passwords and connected applications stop with your access. The next sign-in with the provider restores everything.`,
  ],
  'unconfirmed at the provider of the service': [
    rowOf('unconfirmed', { details: JSON.stringify({ at: AT }) }),
    `Sign in with your company

The provider by which your company signs in has not confirmed you for some time. Sign in with it before 2 January 2099 at 03:04 UTC, or your access to your workspaces at Terse is suspended.

Open the sign-in page:
https://terse.test/platform/sign-in

API keys, application passwords and connected applications stop with your access. The next sign-in with the provider restores everything.`,
  ],
  key_expires: [
    rowOf('key_expires', { ...OF_CLIENT, details: JSON.stringify({ expires_at: AT }) }),
    `An API key expires soon

An API key of yours in the workspace Acme & Söhne at Terse expires on 2 January 2099 at 03:04 UTC.

Open the keys:
https://terse.test/platform/c/acme/keys

Programs that use it stop then. Create another key before, and replace the old one.`,
  ],
  domain_lost: [
    rowOf('domain_lost', OF_CLIENT),
    `A domain is lost

The DNS records of a domain of the workspace Acme & Söhne at Terse were no longer found, so that its links have stopped.

Open the domains:
https://terse.test/platform/c/acme/domains

Once the records are there again, verify the domain on its page.`,
  ],
  webhook_disabled: [
    rowOf('webhook_disabled', OF_CLIENT),
    `A webhook is disabled

A webhook of the workspace Acme & Söhne at Terse was disabled, since its receiver failed for too long or responded that it no longer exists.

Open the webhooks:
https://terse.test/platform/c/acme/webhooks

Enable it on its page once the receiver responds again.`,
  ],
};

describe('the text of a mail', () => {
  it.each(Object.entries(TEXTS))('the mail %s has this text, and says the same in HTML', async (_, [row, text]) => {
    const mail = await compose(row, 'TOKEN', SERVICE);
    expect(mail.text).toBe(`${text}\n\n-- \n${HEAD}\n`);
    expect(mail.subject).toBe(text.split('\n')[0]);
    const shown = mail.html
      .replace(/<style>[\s\S]*<\/style>/, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&amp;', '&')
      .replaceAll(/\s+/g, ' ');
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(shown).toContain(line.startsWith('https:') ? line : line.replace(/:$/, ''));
    expect(mail.html).toContain(`href="https://terse.test${/https:\/\/terse\.test(\S*)/.exec(text)?.[1]}"`);
  });

  it('the HTML of a mail loads nothing, is escaped, and has the colour of the operator', async () => {
    const row = rowOf('invite', { client_id: 'a', client_name: '<img src=x>"&\'' });
    const { html, text } = await compose(row, 'TOKEN', { ...SERVICE, colour: '5b21b6', name: '<b>A</b>' });
    expect(html).toContain('the workspace &lt;img src=x&gt;&quot;&amp;&#39; at &lt;b&gt;A&lt;/b&gt;.');
    expect(text).toContain('the workspace <img src=x>"&\' at <b>A</b>.');
    expect(html).toContain('background:#5b21b6');
    expect(html).toContain('prefers-color-scheme:dark');
    expect(html).not.toMatch(/<(?:img|script|link|iframe|object)\b|url\(|@import/i);
  });

  it.each([
    ['x'.repeat(41)],
    ['visit evil.example'],
    ['https://evil'],
    ['//evil'],
    ['www.evil'],
    ['ann@evil'],
    ['two\nlines'],
    ['a\r\nBcc: b'],
    ['turned \u202e round'],
    ['zero\u200bwidth'],
    ['line\u2028end'],
    ['x'.repeat(41)],
  ])('the name %j of a workspace is left out', async (name) => {
    expect(shownName(name)).toBeNull();
    const mail = await compose(rowOf('invite', { client_id: 'a', client_name: name }), 'TOKEN', SERVICE);
    expect(mail.text).toContain('You are invited to a workspace at Terse.');
    expect(`${mail.text}${mail.html}${mail.subject}`).not.toContain(name);
  });

  it.each(['x'.repeat(40), '😀'.repeat(40)])(
    'the name %s of a workspace, which has 40 characters, is shown',
    (name) => {
      expect(shownName(name)).toBe(name);
    },
  );

  it.each([['Acme'], ['Müller & Söhne GmbH'], ['株式会社'], ['A. B'], ['x'.repeat(40)]])(
    'the name %j of a workspace is shown, and never in the subject',
    async (name) => {
      const mail = await compose(rowOf('invite', { client_id: 'a', client_name: name }), 'TOKEN', SERVICE);
      expect(mail.text).toContain(`the workspace ${name} at`);
      expect(mail.subject).not.toContain(name);
    },
  );

  it.each(PLATFORM_LANGUAGES)('each kind of mail is written in %s', async (language) => {
    for (const [row] of Object.values(TEXTS)) {
      const mail = await compose({ ...row, language }, 'TOKEN', SERVICE);
      const english = await compose(row, 'TOKEN', SERVICE);
      expect(mail.html).toContain(`<html lang="${language}">`);
      expect(mail.text === english.text).toBe(language === 'en');
      expect(`${mail.subject}${mail.text}`).not.toMatch(/[{}]/);
      expect(mail.subject).not.toMatch(/[\r\n]/);
    }
  });

  it('a mail is in English where the user has no language, or one of a later version', async () => {
    const english = await compose(rowOf('reset'), 'TOKEN', SERVICE);
    expect(await compose(rowOf('reset', { language: 'xx' }), 'TOKEN', SERVICE)).toEqual(english);
  });
});
