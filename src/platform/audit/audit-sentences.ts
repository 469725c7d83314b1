import * as z from 'zod';
import type { AuditEntry } from '../../accounts/list-audit.ts';
import { isolated } from '../isolated.ts';
import { nameInstant } from '../kit/time.tsx';

/** Entries of the audit log in plain words. */

const details = z.record(z.string(), z.unknown()).catch({});

/** An entry as a sentence, whose subject is the user who made the change. */
export function sentenceOf(entry: AuditEntry, timeZone: string): string {
  const sentence = SENTENCES[entry.action];
  const who =
    entry.by.name === null ? (entry.by.userId === null ? 'The service' : 'A former user') : isolated(entry.by.name);
  const what = isolated(entry.subject.name ?? entry.subject.id);
  if (!sentence) return `${who}: ${entry.action} ${what}`;
  return `${who} ${sentence(what, details.parse(entry.details), timeZone)}`;
}

/** The kind of credential that was used. */
export function meansOf({ credential: { kind } }: AuditEntry): string {
  return MEANS[kind] ?? kind;
}

const MEANS: Readonly<Record<string, string>> = {
  session: 'In a browser',
  access_token: 'By access token',
  api_token: 'By api_token',
  api_key: 'By API key',
  invite: 'By invite link',
  reset: 'By reset link',
  service: 'By itself',
};

type Details = z.output<typeof details>;
type Sentence = (what: string, details: Details, timeZone: string) => string;

const textOf = (value: unknown) => (typeof value === 'string' ? isolated(value) : '');
const asRole = (value: unknown) => (value === 'owner' ? 'an owner' : 'a member');

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'key.created': (what, { scopes, expires_at }, timeZone) => {
    const may = Array.isArray(scopes) ? `, which may do ${scopes.join(', ')}` : '';
    const until = typeof expires_at === 'string' ? ` until ${nameInstant(Date.parse(expires_at), timeZone)}` : '';
    return `made the API key “${what}”${may}${until}.`;
  },
  'key.renamed': (what, { former_name }) => `renamed the API key “${textOf(former_name)}” to “${what}”.`,
  'key.rolled': (what) => `gave the API key “${what}” a new secret.`,
  'key.revoked': (what, { former_holder: holder }) =>
    `revoked the API key “${what}”${typeof holder === 'string' ? ` of ${isolated(holder)}` : ''}.`,
  'key.adopted': (what, { former_holder: holder }) => `took over the API key “${what}” of ${textOf(holder)}.`,
  'member.joined': (_, { role }) => `joined as ${asRole(role)}.`,
  'member.role_changed': (what, { role }) => `made ${what} ${asRole(role)}.`,
  'member.removed': (what) => `removed ${what}.`,
  'member.reset_link_made': (what) => `made a link for ${what} to choose a new password.`,
  'member.password_reset': () => 'chose a new password by a reset link.',
  'invite.created': (_, { role }) => `made an invite for ${asRole(role)}.`,
  'invite.revoked': (_, { role }) => `revoked an invite for ${asRole(role)}.`,
  'domain.added': (what) => `added the domain ${what}.`,
  'domain.changed': (what, { case_sensitive: isSensitive }) =>
    isSensitive === undefined
      ? `changed where ${what} leads without a link.`
      : `made the slugs of ${what} case-${isSensitive === true ? 'sensitive' : 'insensitive'}.`,
  'domain.verified': (what) => `verified the domain ${what}.`,
  'domain.taken_over': (what) => `gave the domain ${what} to another client, who has proved it since.`,
  'domain.lost': (what) => `no longer found the proof of the domain ${what}: it takes no new links.`,
  'domain.recovered': (what) => `found the proof of the domain ${what} again.`,
  'domain.removed': (what, { links_deleted }) =>
    `removed the domain ${what}${links_deleted === true ? ' with its links' : ''}.`,
};
