import { PAGES as WITH_FIELDS, type Page } from './fuzz-pages.ts';
import { PAGES } from './page-table.ts';
import { RESOURCES } from './resources.ts';

/** Every page and form of the platform, for hostile requests. */

/** Operations that end the caller or a secret, or delete what later requests of the caller need. */
export const NOT_FUZZED = new Set([
  'POST /platform/sign-out',
  'POST /platform/account/delete',
  'POST /platform/account/sessions/others/end',
  'POST /platform/c/:client/keys/:id/roll',
  'POST /platform/c/:client/keys/:id/revoke',
  'POST /platform/c/:client/members/:id/remove',
  'POST /platform/c/:client/settings/delete',
  'POST /platform/c/:client/webhooks/:id/delete',
  'POST /platform/c/:client/webhooks/:id/roll',
  ...RESOURCES.map(({ name }) => `POST /platform/c/:client/${name}/:id/delete`),
]);

/** The caller's own ids, by the segment before them. */
const ID_AFTER: Readonly<Record<string, string>> = {
  keys: '{key_id}',
  passwords: '{key_id}',
  domains: '{domain}',
  members: '{user}',
  invites: '{invite_id}',
  links: '{link}',
  webhooks: '{webhook}',
  // Callers have none of these.
  sessions: '{nonce}',
  applications: '{nonce}',
  passkeys: '{nonce}',
  views: '{nonce}',
  'utm-templates': '{nonce}',
  ...Object.fromEntries(RESOURCES.map(({ name }) => [name, `{${name}}`])),
};

const PARAMETERS: Readonly<Record<string, string>> = {
  client: '{client}',
  name: 'Spring',
  alias: '{link}',
  n: '1',
  event: '{nonce}',
  token: '{invite}',
  secret: '{nonce}',
};

/** Fills the parameters of a pattern with the caller's own values. Throws for one that is not known. */
function pathOf(pattern: string): string {
  return pattern.replace(/([\w-]+)\/:(\w+)/g, (_, before: string, name: string) => {
    const value = name === 'id' ? ID_AFTER[before] : PARAMETERS[name];
    if (value === undefined) throw new Error(`no value is known for ${name} of ${pattern}`);
    return `${before}/${value}`;
  });
}

function pageOf(name: string): Page {
  const [method, pattern = ''] = name.split(' ');
  const sent = Object.entries(PAGES[name]?.fields?.() ?? {}).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return { method: method === 'GET' ? 'GET' : 'POST', path: pathOf(pattern), fields: Object.fromEntries(sent) };
}

const listed = new Set(WITH_FIELDS.map(({ method, path }) => `${method} ${path}`));

/** Every page, with the fields that its request has in the data of the examples if none are listed. */
export const FUZZED_PAGES: readonly Page[] = [
  ...WITH_FIELDS,
  ...Object.keys(PAGES)
    .filter((name) => !NOT_FUZZED.has(name))
    .map(pageOf)
    .filter(({ method, path }) => !listed.has(`${method} ${path}`)),
];
