import { newNonce } from '../../src/secrets/random-secrets.ts';
import { STORED_NAMES } from '../../src/links/fields/content.ts';
import { APP_LINKS } from '../../scripts/reference/domain-schemas.ts';
import { PART_NAMES } from '../../src/platform/links/form/parts.ts';
import * as example from '../../scripts/reference/examples.ts';
import { PASSWORD } from './example-rows.ts';
import { OAUTH_PAGES } from './oauth-pages.ts';
import { ok, posted, type Fields, type Page } from './page.ts';
import { PROVIDER_PAGES } from './provider-pages.ts';
import { RESOURCES } from './resources.ts';
import { WEBHOOK_PAGES } from './webhook-pages.ts';

/** Every page and form of the platform with what its request sends. */

const CLIENT = '/platform/c/:client';
const [KEYS, DOMAINS, MEMBERS, LINKS] = ['keys', 'domains', 'members', 'links'].map((room) => `${CLIENT}/${room}`);
const CAMPAIGNS = `${CLIENT}/campaigns`;
const LINK = `${LINKS}/:id`;
export const RESET_TOKEN = 'r'.repeat(43);
export const SHARE_SECRET = 's'.repeat(43);
/** The id of an application password. */
export const APPLICATION_PASSWORD_ID = 'aP4sW0rDiD12';
export const NEW_PASSWORD = 'battery staple horse';
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
const IMPORT_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const NOTHING_BEFORE = { rows_before: '0', rows: '0', unchanged: '0', failed: '0' };
const DELETED = { id: example.DELETED_LINK_ID };

const twice = { new_password: NEW_PASSWORD, new_password_again: NEW_PASSWORD };
const file = () => ({ file: new File([`url\n${example.NEW_LINK.url}?file\n`], 'links.csv') });
const withNonce = (fields: Fields) => () => ({ ...fields, nonce: newNonce() });

const EDIT = {
  ...Object.fromEntries(
    STORED_NAMES.filter((name) => !PART_NAMES.some((part) => part === name)).map((name) => [name, '']),
  ),
  rules: '0',
  variants: '0',
  url: 'https://example.com/edited',
  slug: 'spring-sale',
  sec_id: example.SEC_ID,
  revision: '2',
};

export const PAGES: Readonly<Record<string, Page>> = {
  'GET /platform': { status: 303 },
  'GET /platform/sign-in': { status: 303 },
  'POST /platform/sign-in': posted({ name: 'ann', password: PASSWORD }, { isSignedOut: true }),
  'POST /platform/sign-out': posted(),
  // Else it asks no store.
  'GET /platform/sign-in/passkey': { ...ok, query: 'former=1' },
  'GET /platform/account/passkeys': ok,
  'GET /platform/account/passkeys/new': ok,
  // What a passkey signs is bound to a session.
  'POST /platform/account/passkeys/new': posted({ name: 'phone', passkey_response: '{}' }, { status: 400 }),
  'GET /platform/account/passkeys/factor': ok,
  'POST /platform/account/passkeys/factor': posted({ use: 'on' }),
  'GET /platform/account/passkeys/:id/rename': ok,
  'POST /platform/account/passkeys/:id/rename': posted({ name: 'phone' }),
  'GET /platform/account/passkeys/:id/remove': ok,
  'POST /platform/account/passkeys/:id/remove': posted(),
  'GET /platform/account': ok,
  'POST /platform/account/time-zone': posted({ tz: 'Europe/Berlin' }),
  'POST /platform/account/language': posted({ language: 'en' }),
  'POST /platform/account/password': posted({ current_password: PASSWORD, ...twice }),
  'GET /platform/account/sessions/others/end': ok,
  'POST /platform/account/sessions/others/end': posted(),
  'GET /platform/account/sessions/:id/end': ok,
  'POST /platform/account/sessions/:id/end': posted(),
  'GET /platform/account/history': ok,
  'GET /platform/account/passwords': ok,
  'GET /platform/account/passwords/new': ok,
  'POST /platform/account/passwords/new': { status: 201, fields: withNonce({ name: 'new' }) },
  // The session of the tests is none of a provider.
  'POST /platform/account/passwords/keep': posted({ application_password: 'ap_aaaaaaaaaaaa_' }, { status: 400 }),
  'GET /platform/account/passwords/:id/revoke': ok,
  'POST /platform/account/passwords/:id/revoke': posted(),
  'GET /platform/account/export.json': ok,
  'GET /platform/account/delete': ok,
  'POST /platform/account/delete': { ...posted({ name: 'ann', current_password: PASSWORD }), deleted: true },
  'GET /platform/account/mail': ok,
  'POST /platform/account/mail': posted({ address: 'new@mail.example' }),
  'GET /platform/account/mail/remove': ok,
  'POST /platform/account/mail/remove': posted(),
  'GET /platform/account/mail/confirm/:token': ok,
  'POST /platform/account/mail/confirm/:token': posted(),
  'GET /platform/account/factors': ok,
  'GET /platform/account/factors/app': ok,
  // Only the code of an app is taken.
  'POST /platform/account/factors/app': posted({ sealed: '', code: '000000' }, { status: 400 }),
  'GET /platform/account/factors/app/remove': ok,
  'POST /platform/account/factors/app/remove': posted(),
  'GET /platform/account/factors/codes': ok,
  'POST /platform/account/factors/codes': posted(),
  'GET /platform/confirm': ok,
  'GET /platform/confirm/passkey': ok,
  'POST /platform/confirm': posted({ current_password: PASSWORD }),
  ...OAUTH_PAGES,
  [`GET ${CAMPAIGNS}`]: ok,
  [`GET ${CAMPAIGNS}/:name`]: ok,
  [`GET ${CAMPAIGNS}/:name/rename`]: ok,
  [`POST ${CAMPAIGNS}/:name/rename`]: posted({ name: 'renamed' }),
  [`POST ${CAMPAIGNS}/:name/unmerge`]: posted({ edit: '0'.repeat(36) }),
  [`GET ${KEYS}`]: ok,
  [`GET ${KEYS}/new`]: ok,
  [`POST ${KEYS}/new`]: { status: 201, fields: withNonce({ name: 'new', scopes: 'links:read' }) },
  [`GET ${KEYS}/:id`]: ok,
  [`POST ${KEYS}/:id`]: posted({ name: 'renamed' }),
  [`GET ${KEYS}/adopted`]: ok,
  [`GET ${KEYS}/:id/roll`]: ok,
  [`POST ${KEYS}/:id/roll`]: { status: 200, fields: withNonce({}) },
  [`GET ${KEYS}/:id/revoke`]: ok,
  [`POST ${KEYS}/:id/revoke`]: posted(),
  [`GET ${DOMAINS}`]: ok,
  [`GET ${DOMAINS}/new`]: ok,
  [`POST ${DOMAINS}/new`]: posted({ host: 'new.acme.example' }),
  [`GET ${DOMAINS}/:id`]: ok,
  [`POST ${DOMAINS}/:id`]: posted({ root_url: 'https://acme.example/new' }),
  [`POST ${DOMAINS}/:id/verify`]: posted(),
  [`GET ${DOMAINS}/:id/verify`]: { status: 303 },
  [`POST ${DOMAINS}/:id/slugs`]: posted({ case_sensitive: 'true' }),
  [`GET ${DOMAINS}/:id/slugs`]: { status: 303 },
  [`POST ${DOMAINS}/:id/app-links`]: posted({ ...APP_LINKS, asset_links: '' }),
  [`GET ${DOMAINS}/:id/app-links`]: { status: 303 },
  [`POST ${DOMAINS}/:id/logo`]: posted({}, { fields: () => ({ logo: new File([LOGO], 'logo.svg') }) }),
  [`GET ${DOMAINS}/:id/logo`]: { status: 303 },
  [`GET ${DOMAINS}/:id/logo/remove`]: ok,
  [`POST ${DOMAINS}/:id/logo/remove`]: posted(),
  [`GET ${DOMAINS}/:id/remove`]: ok,
  [`POST ${DOMAINS}/:id/remove`]: posted({ force: 'on' }),
  [`GET ${MEMBERS}`]: ok,
  [`GET ${MEMBERS}/invite`]: ok,
  [`POST ${MEMBERS}/invite`]: { status: 201, fields: withNonce({ role: 'member' }) },
  [`GET ${MEMBERS}/invites/:id/revoke`]: ok,
  [`POST ${MEMBERS}/invites/:id/revoke`]: posted(),
  [`GET ${MEMBERS}/:id`]: ok,
  [`POST ${MEMBERS}/:id`]: posted({ role: 'owner' }),
  [`GET ${MEMBERS}/:id/remove`]: ok,
  [`POST ${MEMBERS}/:id/remove`]: posted({ keys: 'revoke' }),
  [`POST ${MEMBERS}/:id/lift`]: posted(),
  [`GET ${MEMBERS}/:id/reset`]: ok,
  [`POST ${MEMBERS}/:id/reset`]: posted({}, { status: 201 }),
  ...WEBHOOK_PAGES,
  [`GET ${CLIENT}/audit`]: ok,
  ...Object.assign({}, ...RESOURCES.map(({ pages }) => pages)),
  ...Object.fromEntries(
    [LINK, `${CAMPAIGNS}/:name`, CLIENT].flatMap((path) => [
      [`GET ${path}/share`, ok],
      [`POST ${path}/share`, posted({ password: '' })],
      [`GET ${path}/share/password`, { status: 303 }],
      [`POST ${path}/share/password`, posted({ password: 'open sesame' })],
      [`GET ${path}/share/revoke`, ok],
      [`POST ${path}/share/revoke`, posted()],
    ]),
  ),
  'GET /platform/shared/:secret': { status: 200, isSignedOut: true },
  'POST /platform/shared/:secret': posted({ password: 'open sesame' }, { isSignedOut: true }),
  [`GET ${CLIENT}/settings`]: ok,
  [`POST ${CLIENT}/settings`]: posted({ name: 'Acme & Söhne' }),
  [`POST ${CLIENT}/settings/checks`]: posted({ checks: 'on' }),
  [`POST ${CLIENT}/settings/factors`]: posted({ factors: 'off' }),
  // Only a session of a provider has the page itself.
  [`GET ${CLIENT}/settings/provider`]: { status: 303 },
  [`POST ${CLIENT}/settings/provider`]: posted({ emergency_owner: 'x' }),
  [`POST ${CLIENT}/settings/provider/end`]: posted(),
  [`POST ${CLIENT}/settings/provider/days`]: posted({ unconfirmed_days: '30' }),
  [`GET ${CLIENT}/settings/logo/remove`]: ok,
  [`POST ${CLIENT}/settings/logo/remove`]: posted(),
  [`POST ${CLIENT}/settings/slugs`]: posted({ slug_length: '9' }),
  ...PROVIDER_PAGES,
  [`GET ${CLIENT}/settings/delete`]: ok,
  [`POST ${CLIENT}/settings/delete`]: posted({ name: example.CLIENT_ID }),
  [`POST ${CLIENT}/first-steps`]: posted(),
  [`POST ${CLIENT}/restore`]: { ...posted(), deleted: true },
  // For local runs alone: the tests' own is none.
  'GET /platform/kit': { status: 404, isSignedOut: true, asksNothing: true },
  'GET /platform/invite/:token': { status: 200, isSignedOut: true },
  'POST /platform/invite/:token': posted({ name: 'carl', password: NEW_PASSWORD }, { isSignedOut: true }),
  'GET /platform/forgot': { status: 200, isSignedOut: true, asksNothing: true },
  'POST /platform/forgot': posted({ name: 'ann' }, { isSignedOut: true, status: 200, asksNothing: true }),
  'GET /platform/reset/:token': { status: 200, isSignedOut: true },
  'POST /platform/reset/:token': posted(twice, { isSignedOut: true }),
  [`GET ${CLIENT}`]: ok,
  [`GET ${CLIENT}/live`]: ok,
  [`GET ${CLIENT}/live/stream`]: ok,
  [`GET ${LINKS}`]: ok,
  [`POST ${LINKS}`]: posted({ url: `${example.NEW_LINK.url}?line` }),
  [`GET ${LINKS}/selected`]: { status: 200, query: `do=disable&id=${example.LINK_ID}` },
  [`POST ${LINKS}/selected`]: posted({ do: 'disable', id: example.LINK_ID }),
  [`GET ${LINKS}/codes`]: { status: 200, query: `id=${example.LINK_ID}` },
  [`GET ${LINKS}/new`]: ok,
  [`POST ${LINKS}/new`]: posted({ url: example.NEW_LINK.url }),
  [`POST ${LINKS}/check`]: posted({ url: example.NEW_LINK.url }, { status: 200 }),
  [`GET ${LINKS}/files`]: ok,
  [`GET ${LINKS}/export.csv`]: ok,
  [`GET ${LINKS}/export.ndjson`]: ok,
  [`POST ${LINKS}/import`]: { status: 200, fields: file },
  [`POST ${LINKS}/import/run`]: {
    status: 303,
    fields: () => ({ format: 'csv', content: btoa(`url\n${example.NEW_LINK.url}?file\n`), file: new Blob([]) }),
  },
  [`POST ${LINKS}/import/piece`]: {
    status: 200,
    fields: () => ({ ...file(), format: 'csv', checked: '', import_id: IMPORT_ID, ...NOTHING_BEFORE, is_last: 'true' }),
  },
  [`GET ${LINKS}/views/new`]: { status: 200, query: 'state=expired' },
  [`POST ${LINKS}/views/new`]: posted({ name: 'Expired', query: 'state=expired' }),
  [`GET ${LINKS}/views/:id`]: ok,
  [`POST ${LINKS}/views/:id`]: posted({ name: 'Renamed' }),
  [`GET ${LINKS}/views/:id/delete`]: ok,
  [`POST ${LINKS}/views/:id/delete`]: posted(),
  [`GET ${LINKS}/utm-templates`]: ok,
  [`GET ${LINKS}/utm-templates/new`]: ok,
  [`POST ${LINKS}/utm-templates/new`]: posted({ name: 'Autumn', utm_source: 'newsletter' }),
  [`GET ${LINKS}/utm-templates/:id`]: ok,
  [`POST ${LINKS}/utm-templates/:id`]: posted({ name: 'Renamed', utm_source: 'newsletter' }),
  [`GET ${LINKS}/utm-templates/:id/delete`]: ok,
  [`POST ${LINKS}/utm-templates/:id/delete`]: posted(),
  [`GET ${LINK}`]: ok,
  [`GET ${LINK}/details`]: ok,
  [`GET ${LINK}/history`]: ok,
  [`GET ${LINK}/api`]: ok,
  [`GET ${LINK}/try`]: { status: 200, query: 'agent=iphone&country=de' },
  [`GET ${LINK}/edit`]: ok,
  [`POST ${LINK}/edit`]: posted(EDIT),
  [`POST ${LINK}/check`]: posted(EDIT, { status: 200 }),
  [`POST ${LINK}/disable`]: posted(),
  [`POST ${LINK}/enable`]: posted(),
  [`POST ${LINK}/delete`]: posted(),
  [`POST ${LINK}/restore`]: posted({}, { path: DELETED }),
  [`GET ${LINK}/delete`]: ok,
  [`POST ${LINK}/history/:n/put-back`]: posted(),
  [`GET ${LINK}/aliases/:alias/remove`]: ok,
  [`POST ${LINK}/aliases/:alias/remove`]: posted(),
  [`GET ${LINK}/qr`]: ok,
  [`POST ${LINK}/qr`]: { status: 200, fields: () => ({ level: 'H', logo: new File([LOGO], 'logo.svg') }) },
  [`GET ${LINK}/qr/remove-logo`]: ok,
  [`POST ${LINK}/qr/remove-logo`]: posted(),
  [`GET ${LINK}/print`]: ok,
  [`GET ${LINK}/qr.svg`]: ok,
  [`GET ${LINK}/qr.png`]: ok,
};
