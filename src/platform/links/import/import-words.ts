import { type AppError } from '../../../errors.ts';
import { fieldErrorsOf } from '../../../input/field-errors.ts';
import { fieldOf } from '../../../links/fields/table.ts';
import { besideField } from '../../forms/form.ts';
import type { PageWords, Sentence } from '../../words.tsx';
import { displayHost, withReadableHosts } from '../display-url.ts';
import { isField, labelOf as labelIn } from '../field-words.ts';

/** Sentences about a file as its pages have them: with labels for fields, and lists for the parameters of the API. */

const WITHOUT_HOST = 'Links without a domain in the file become';

/** The label of the list that says where the links of a host go. */
const keepLabel = (host: string): string => `Keep ${displayHost(host)} links as`;

const LABELS: Readonly<Record<string, string>> = {
  short_url: 'Short URL, or its host',
  created_at: 'Created',
  clicks: 'Imported clicks',
};

/** The name of a field of a link. */
const labelOf = (field: string): string => LABELS[field] ?? fieldOf(field)?.label ?? field;

/** The errors of a row, in the language of the page. */
export function complaintsOf(words: PageWords, error: AppError): readonly Sentence[] {
  const faults = fieldErrorsOf(error);
  const sentences = faults.length > 1 ? faults.map(({ detail }) => detail) : [error.message];
  return sentences.map((sentence) => complaintIn(words, sentence));
}

/** An error of a row in the language of the page. */
export function complaintIn(words: PageWords, sentence: string): Sentence {
  const shown = inWords(sentence);
  if (words.language === 'en') return shown;
  const nameOf = (name: string) => (isField(name) ? labelIn(words, name) : name);
  const own = words.said(withReadableHosts(sentence.replace(DIFFERING, (names) => names.replaceAll(/\w+/g, nameOf))));
  if (typeof own === 'string') return own;
  const [, name = '', rest = ''] = /^([a-z_]+)(?:\.[\w.]+)? (.*)$/s.exec(sentence) ?? [];
  const beside = isField(name) ? besideField(words, name, `${name} ${rest}`) : own;
  return typeof beside === 'string' ? `${nameOf(name)}: ${beside}` : { english: shown };
}

/** A sentence of the API in the words of the pages. */
export function inWords(sentence: string): string {
  const cured = CURES.reduce((text, [pattern, cure]) => text.replace(pattern, cure), sentence);
  const named = cured.replaceAll(/(^|\. )([a-z_]+)(?:\.[\w.]+)?(?= )/g, (text, before: string, name: string) =>
    fieldOf(name) || name in LABELS ? `${before}${labelOf(name)}` : text,
  );
  return withReadableHosts(named.replaceAll(NAMES, (word) => (fieldOf(word) ? labelOf(word).toLowerCase() : word)));
}

const DIFFERING = /(?<=differs in )[a-z_, ]+(?=\.$)/;

const place = (_: string, host = '') => ` Choose another domain for them under “${keepLabel(host)}”.`;

const CURES: readonly (readonly [RegExp, (match: string, host?: string) => string])[] = [
  [/ Choose another host for them, such as host=(\S+):shared\./, place],
  [
    /, or choose another host for its links, such as host=(\S+):shared\./,
    (_, host = '') => `, or choose another domain under “${keepLabel(host)}”.`,
  ],
  [
    / on which host the link was\. Choose one: .*$/,
    () => ` on which domain the link was. Choose one under “${WITHOUT_HOST}”.`,
  ],
  [/ Choose a host for it: .*$/, () => ' Choose another domain for it.'],
  [/^custom_domain (?=\S+\.\S)/, () => ''],
  [/^custom_domain cannot be added: host /, () => 'The domain cannot be added: it '],
  [/^custom_domain cannot be added: /, () => 'The domain cannot be added: '],
  // The page asks for the order of dates by itself.
  [
    /, an ISO 8601 (instant such as \S+), or a date in the order .* that dates names/,
    (_, instant) => ` or an ${instant}`,
  ],
  [/set case_sensitive of the domain/, () => 'allow case-sensitive slugs on the domain'],
  [/^slug (?=\S+ is )/, () => 'The slug '],
  [DIFFERING, (names) => names.replaceAll(/\w+/g, (name) => labelOf(name).toLowerCase())],
];

// Words that only names of fields are.
const NAMES = /(?<!["\w/.-])[a-z]+(?:_[a-z]+)+(?!["\w/-])/g;
