import * as z from 'zod';
import { isAuditKind } from '../../accounts/audit/actions.ts';
import type { AuditEntry } from '../../accounts/audit/list-audit.ts';
import { lazy } from '../../isolate/lazy.ts';
import { isolated } from '../bidi.ts';
import { nameInstant } from '../kit/time.tsx';
import { displayHost } from '../links/display-url.ts';

/** Entries of the audit log in plain words. */

const details = lazy(() => z.record(z.string(), z.unknown()).catch({}));

/** An entry as a sentence, whose subject is the user who made the change. */
export function sentenceOf(entry: AuditEntry, timeZone: string): string {
  const isOperator = entry.credential.kind === OPERATOR;
  const sentence =
    (isOperator ? OPERATOR_SENTENCES[entry.action] : undefined) ??
    SENTENCES[entry.action] ??
    usualSentence(entry.action);
  const who = nameOfAuthor(entry);
  const what = nameOfSubject(entry);
  if (!sentence) return `${who}: ${entry.action} ${what}`;
  return `${who} ${sentence(what, details().parse(entry.details), timeZone)}`;
}

function nameOfAuthor({ by, credential }: AuditEntry): string {
  if (by.name !== null) return isolated(by.name);
  if (by.userId !== null) return 'A former user';
  return credential.kind === OPERATOR ? 'The operator' : 'The service';
}

const OPERATOR = 'operator';

// A user who has deleted their account has no name.
function nameOfSubject({ subject: { kind, id, name } }: AuditEntry): string {
  if (name === null && kind === 'member') return FORMER_USER;
  return isolated(READABLE[kind]?.(name ?? id) ?? name ?? id);
}

/** The form in which the names of such things are shown. */
const READABLE: Readonly<Record<string, (name: string) => string>> = {
  domain: displayHost,
  host: displayHost,
  webhook: displayHost,
};

const FORMER_USER = 'a former user';

/** The kind of credential that was used. */
export function meansOf({ credential: { kind } }: AuditEntry): string {
  return MEANS[kind] ?? kind;
}

const MEANS: Readonly<Record<string, string>> = {
  session: 'Browser session',
  access_token: 'Access token',
  api_token: 'api_token',
  api_key: 'API key',
  invite: 'Invite link',
  reset: 'Reset link',
  service: 'Automatic',
  [OPERATOR]: 'Operator',
};

/** The sentence of an action that has none of its own, such as `tag.deleted`; undefined for one that is not known. */
function usualSentence(action: string): Sentence | undefined {
  const [kind, done = ''] = action.split('.');
  if (!isAuditKind(kind) || !USUAL.has(done)) return undefined;
  const thing = kind.replaceAll('_', ' ');
  if (done === 'renamed')
    return (what, { former_name }) => `renamed the ${thing} “${textOf(former_name)}” to “${what}”.`;
  return (what) => `${done} the ${thing} “${what}”.`;
}

const USUAL: ReadonlySet<string> = new Set(['created', 'changed', 'renamed', 'deleted']);

type Details = z.output<ReturnType<typeof details>>;
type Sentence = (what: string, details: Details, timeZone: string) => string;

const numberOf = (value: unknown) => (typeof value === 'number' ? String(value) : '');
const textOf = (value: unknown) => (typeof value === 'string' ? isolated(value) : '');
const thing = (of: unknown) => (of === 'campaign' ? 'campaign' : 'link');
const listOf = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
const WEBHOOK_FIELDS: Readonly<Record<string, string>> = { url: 'URL', campaign_name: 'campaign' };
const asRole = (value: unknown) => (value === 'owner' ? 'an owner' : 'a member');
const ofLogo = (done: unknown, whose: string) =>
  done === 'kept'
    ? `kept a logo for the QR codes of ${whose}.`
    : `${done === 'removed' ? 'removed' : 'changed'} the logo of the QR codes of ${whose}.`;

/** The sentences for what the operator does, which differ from those for users under the same name. */
const OPERATOR_SENTENCES: Readonly<Record<string, Sentence>> = {
  'member.joined': (what, { role }) => `added ${what} as ${asRole(role)}.`,
  'member.password_reset': (what) => `set a new password for ${what}.`,
};

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'key.created': (what, { scopes, expires_at }, timeZone) => {
    const may = Array.isArray(scopes) ? ` with the permissions ${scopes.join(', ')}` : '';
    const until =
      typeof expires_at === 'string' ? `, which expires on ${nameInstant(Date.parse(expires_at), timeZone)}` : '';
    return `created the API key “${what}”${may}${until}.`;
  },
  'key.renamed': (what, { former_name }) => `renamed the API key “${textOf(former_name)}” to “${what}”.`,
  'key.rolled': (what) => `rolled the API key “${what}”.`,
  'key.revoked': (what, { former_holder: holder }) =>
    `revoked the API key “${what}”${typeof holder === 'string' ? ` of ${isolated(holder)}` : ''}.`,
  'key.adopted': (what, { former_holder: holder }) =>
    `took over the API key “${what}” from ${textOf(holder) || FORMER_USER}, who knows its secret until the key is rolled.`,
  'member.joined': (_, { role }) => `joined as ${asRole(role)}.`,
  'member.role_changed': (what, { role }) => `changed the role of ${what} to ${role === 'owner' ? 'owner' : 'member'}.`,
  'member.removed': (what) => `removed ${what}.`,
  'member.reset_link_made': (what) => `created a password reset link for ${what}.`,
  'member.password_reset': () => 'chose a new password with a reset link.',
  'member.disabled': (what) => `disabled the account of ${what}.`,
  'member.enabled': (what) => `enabled the account of ${what} again.`,
  'invite.created': (_, { role }) => `created an invite for ${asRole(role)}.`,
  'invite.revoked': (_, { role }) => `revoked an invite for ${asRole(role)}.`,
  'domain.added': (what) => `added the domain ${what}.`,
  'domain.changed': (
    what,
    { logo, case_sensitive: isSensitive, tolerant, slug_length: length, app_links: appLinks },
  ) => {
    if (logo !== undefined) return ofLogo(logo, what);
    const changes = [
      ...(isSensitive === undefined
        ? []
        : [`the slugs of ${what} to case-${isSensitive === true ? '' : 'in'}sensitive`]),
      ...(tolerant === undefined ? [] : [`${what} to ${tolerant === true ? '' : 'not '}ignore added punctuation`]),
      ...(length === undefined ? [] : [`generated slugs of ${what} to ${numberOf(length)} characters`]),
    ];
    if (appLinks !== undefined) changes.push(changes.length > 0 ? 'its app links' : `the app links of ${what}`);
    return `changed ${changes.join(', and ') || `the root URL or the not-found URL of ${what}`}.`;
  },
  'domain.verified': (what) => `verified the domain ${what}.`,
  'domain.taken_over': (what) => `moved the domain ${what} to another workspace, which has verified it.`,
  'domain.lost': (what) => `could not verify the domain ${what} any longer: no new links can be created on it.`,
  'domain.recovered': (what) => `verified the domain ${what} again.`,
  'client.renamed': (what, { former_name }) => `renamed the workspace “${textOf(former_name)}” to “${what}”.`,
  'client.deleted': () => 'deleted the workspace.',
  'client.restored': () => 'restored the workspace.',
  'client.imported': () => 'imported links from a file.',
  'client.data_restored': () => 'restored all data of the service from a backup.',
  'client.checks_on': () => 'turned on the checks of destinations.',
  'client.checks_off': () => 'turned off the checks of destinations.',
  'client.changed': (_, { logo, slug_length: length }) =>
    logo === undefined ? `changed generated slugs to ${numberOf(length)} characters.` : ofLogo(logo, 'the workspace'),
  'host.blocked': (what) => `blocked the host ${what}: links to it no longer redirect.`,
  'host.unblocked': (what) => `unblocked the host ${what}: links to it redirect again.`,
  'share.created': (what, { of }) => `created the public statistics page of the ${thing(of)} “${what}”.`,
  'share.changed': (what, { of }) =>
    `changed the password of the public statistics page of the ${thing(of)} “${what}”.`,
  'share.revoked': (what, { of }) => `revoked the public statistics page of the ${thing(of)} “${what}”.`,
  'webhook.created': (what, { events }) =>
    `created a webhook to ${what}${Array.isArray(events) ? `, for ${events.join(', ')}` : ''}.`,
  'webhook.changed': (what, { changed, disabled }) => {
    const fields = Array.isArray(changed) ? changed.filter((field) => field !== 'disabled') : [];
    const isTurned = Array.isArray(changed) && changed.length > fields.length;
    if (isTurned && fields.length === 0) return `${disabled === true ? 'disabled' : 'enabled'} the webhook to ${what}.`;
    const turned = isTurned ? `, and ${disabled === true ? 'disabled' : 'enabled'} it` : '';
    return `changed the ${listOf(fields.map((field) => WEBHOOK_FIELDS[field] ?? field))} of the webhook to ${what}${turned}.`;
  },
  'webhook.rolled': (what) => `rolled the secret of the webhook to ${what}.`,
  'webhook.deleted': (what) => `deleted the webhook to ${what}.`,
  'webhook.disabled': (what, { by }) =>
    `disabled the webhook to ${what}, ${by === 'gone' ? 'since its server responded with the status 410' : 'since no delivery succeeded for five days'}.`,
  'domain.removed': (what, { links_deleted }) =>
    `removed the domain ${what}${links_deleted === true ? ' with its links' : ''}.`,
};
