import { describe, expect, it } from 'vitest';
import { fault, parse } from './support/settings.ts';

const FROM = { MAIL_FROM: 'links@example.com' };
const PUBLIC = { PUBLIC_URL: 'https://go.example.com' };
const API = { MAIL_URL: 'https://mail.example.com/emails', MAIL_TOKEN: 'secret' };

describe('the settings of mail', () => {
  it('mail is off without an address, without a way out, and without PUBLIC_URL', () => {
    expect(parse({ ...PUBLIC }).mail).toBeNull();
    expect(parse({ ...PUBLIC, ...FROM }).mail).toBeNull();
    expect(parse({ ...FROM, ...API }).mail).toBeNull();
    expect(parse({ ...PUBLIC, MAIL: {} }).mail).toBeNull();
  });

  it('mail leaves by an API, or else by the binding, and its links lead to PUBLIC_URL', () => {
    const api = { url: new URL(API.MAIL_URL), token: 'secret' };
    const origin = new URL('https://go.example.com/');
    expect(parse({ ...PUBLIC, ...FROM, ...API }).mail).toEqual({ from: FROM.MAIL_FROM, api, origin });
    expect(parse({ ...PUBLIC, ...FROM, ...API, MAIL: {} }).mail?.api).toEqual(api);
    expect(parse({ ...PUBLIC, ...FROM, MAIL: {} }).mail).toEqual({ from: FROM.MAIL_FROM, api: null, origin });
    const local = { MAIL_ORIGIN: 'http://localhost:8787' };
    expect(parse({ ...FROM, ...API, ...local }).mail?.origin.origin).toBe('http://localhost:8787');
    expect(parse({ ...PUBLIC, ...FROM, ...API, ...local }).mail?.origin.origin).toBe('https://go.example.com');
  });

  it.each([
    'links',
    'a@b c',
    'A <a@b.example>',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example,c@d.example',
    '@b.example',
  ])('MAIL_FROM refuses %j', (text) => {
    expect(fault({ MAIL_FROM: text })).toBe(
      'MAIL_FROM must be the address that mails come from, such as links@example.com.',
    );
  });

  it('a URL of an API needs an address, and is http or https; a token is on one line', () => {
    expect(fault({ ...PUBLIC, ...API })).toBe('MAIL_FROM must be set, as MAIL_URL is.');
    expect(fault({ ...FROM, MAIL_URL: 'smtp://mail.example.com' })).toBe(
      'MAIL_URL must be the http or https URL of an API of mail, such as https://api.resend.com/emails.',
    );
    expect(fault({ ...FROM, ...API, MAIL_TOKEN: 'a\r\nX: b' })).toBe(
      'MAIL_TOKEN must be the token of the API of mail, on one line.',
    );
  });
});
