import * as z from 'zod';
import type { AuditEntry } from '../../accounts/audit/list-audit.ts';
import { lazy } from '../../isolate/lazy.ts';
import { isolated } from '../bidi.ts';
import { displayHost } from '../links/display-url.ts';
import { personName } from '../person-name.ts';
import type { PageWords, PlainKey } from '../words.tsx';
import { sentenceFor, type Change } from './audit-changes.ts';

/** Entries of the audit log in plain words. */

const details = lazy(() => z.record(z.string(), z.unknown()).catch({}));

/** An entry as a sentence, whose subject is the user who made the change. */
export function sentenceOf(words: PageWords, entry: AuditEntry, timeZone: string): string {
  const { action, credential, subject } = entry;
  const change: Change = {
    who: nameOfAuthor(words, entry),
    what: nameOfSubject(words, entry),
    former: subject.kind === 'member' && subject.name === null ? 'yes' : 'no',
    details: details().parse(entry.details),
    timeOf: (at) => words.instant(at, timeZone),
  };
  return (
    sentenceFor(words, action, change, credential.kind === OPERATOR) ??
    words.text('audit.unknown', { ...change, action })
  );
}

function nameOfAuthor(words: PageWords, { by, given, credential }: AuditEntry): string {
  const { text } = words;
  if (by.name !== null) return isolated(personName(words, by.name, given.by));
  if (by.userId !== null) return text('audit.byFormerUser');
  return text(credential.kind === OPERATOR ? 'audit.byOperator' : 'audit.byService');
}

const OPERATOR = 'operator';

const nameOfSubject = (words: PageWords, { subject: { kind, id, name }, given }: AuditEntry): string =>
  isolated(personName(words, READABLE[kind]?.(name ?? id) ?? name ?? id, given.subject));

/** The form in which the names of such things are shown. */
const READABLE: Readonly<Record<string, (name: string) => string>> = {
  domain: displayHost,
  host: displayHost,
  webhook: displayHost,
};

/** The kind of credential that was used. */
export function meansOf({ text }: PageWords, { credential: { kind } }: AuditEntry): string {
  const means = MEANS[kind];
  return means === undefined ? kind : text(means);
}

const MEANS: Readonly<Record<string, PlainKey>> = {
  session: 'audit.session',
  access_token: 'audit.accessToken',
  api_key: 'audit.apiKey',
  oauth: 'audit.application',
  invite: 'audit.inviteLink',
  reset: 'audit.resetLink',
  provider: 'audit.provider',
  service: 'audit.automatic',
  [OPERATOR]: 'audit.operator',
};
