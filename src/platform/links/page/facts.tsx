import type { Child } from 'hono/jsx';
import { STORED_NAMES, textOf, type StoredName } from '../../../links/fields/content.ts';
import type { LinkField } from '../../../links/fields/field.ts';
import { linkFields, type FieldName } from '../../../links/fields/table.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { Time } from '../../kit/time.tsx';
import { useWords, type PageWords } from '../../words.tsx';
import { choicesOf, labelOf } from '../field-words.ts';
import { isUrl, NamedDestination } from '../destination.tsx';
import { wordsOf } from '../routes-in-words.ts';
import { PART_NAMES, storedParts } from '../form/parts.ts';
import { displayUrl, displayHost } from '../display-url.ts';

/** The facts about a link on its page. */

interface Shown {
  readonly link: ManagedLink;
  readonly shortUrl: string;
  readonly timeZone: string;
  /** The number of clicks of the limit that are left, as far as that is known. */
  readonly clicksLeft?: number | null;
}

interface Fact {
  readonly term: string;
  readonly value: Child;
}

/** A field that has nothing yet. */
export interface UnsetField {
  readonly name: StoredName | 'password';
  readonly label: string;
}

/** The facts of a link: those that are set, those for developers, and of both the fields that have nothing yet. */
export function factsOf(
  words: PageWords,
  shown: Shown,
): {
  readonly facts: readonly Fact[];
  readonly forDevelopers: readonly Fact[];
  readonly unset: readonly UnsetField[];
  readonly unsetForDevelopers: readonly UnsetField[];
} {
  const { text } = words;
  const { link, timeZone } = shown;
  const password = labelOf(words, 'password');
  const factOf = (name: StoredName): Fact => ({
    term: labelOf(words, name),
    value: <FieldValue {...shown} name={name} />,
  });
  const [developers, others] = [FOR_DEVELOPERS, STORED_NAMES.filter((name) => !FOR_DEVELOPERS.includes(name))];
  const unsetOf = (names: readonly StoredName[]): UnsetField[] =>
    names
      .filter((name) => name !== 'imported_clicks' && !isSet(name, link))
      .map((name) => ({ name, label: labelOf(words, name) }));
  return {
    facts: [
      ...others.filter((name) => isSet(name, link)).map(factOf),
      ...(link.hasPassword ? [{ term: password, value: text('linkPage.set') }] : []),
      {
        term: labelOf(words, 'custom_domain'),
        value: link.customDomain === null ? text('linkPage.defaultDomain') : displayHost(link.customDomain),
      },
      { term: text('linkPage.createdAt'), value: <Time at={link.createdAt} timeZone={timeZone} /> },
      { term: text('linkPage.updatedAt'), value: <Time at={link.updatedAt} timeZone={timeZone} /> },
    ],
    forDevelopers: [
      { term: text('linkPage.id'), value: <code>{link.id}</code> },
      ...developers.filter((name) => isSet(name, link)).map(factOf),
    ],
    unset: [...unsetOf(others), ...(link.hasPassword ? [] : [{ name: 'password' as const, label: password }])],
    unsetForDevelopers: unsetOf(developers),
  };
}

const FOR_DEVELOPERS: readonly StoredName[] = ['sec_id', 'external_id', 'metadata'];

/** True if a field has a value that its owner chose, as far as the value says that. */
function isSet(name: StoredName, link: ManagedLink): boolean {
  const text = textOf(name, link);
  const { input }: LinkField = linkFields[name];
  // What visitors can do with it, which many do not expect.
  if (name === 'inspectable') return link.inspectable !== false;
  return text !== null && text !== 'false' && text !== input?.choiceIfAbsent;
}

function FieldValue({ name, ...shown }: Shown & { name: StoredName }) {
  const words = useWords();
  const { link, timeZone } = shown;
  const { stored, input }: LinkField = linkFields[name];
  const text = textOf(name, link);
  if (name === 'inspectable' && link.inspectable !== false) {
    if (link.hasPassword || link.maxClicks !== null) return <>{words.text('linkPage.notInspectable')}</>;
    if (isOpen(link)) return <InspectUrl {...shown} />;
  }
  if (input?.kind === 'choice') return <>{choiceOf(words, name, text)}</>;
  if (text === null) return <span class="quiet">{words.text('linkPage.none')}</span>;
  const parts = PART_NAMES.find((part) => part === name);
  if (parts !== undefined) return <Lines lines={wordsOf(words, parts, storedParts(link))} />;
  if (name === 'max_clicks') return <>{limitOf(words, Number(text), shown.clicksLeft ?? null)}</>;
  if (name === 'imported_clicks') return <>{words.count(Number(text))}</>;
  if (stored === 'instant') return <Time at={Date.parse(text)} timeZone={timeZone} />;
  if (isUrl(name)) return <NamedDestination href={text} />;
  if (input?.isCode) return <code>{text}</code>;
  return input?.kind === 'lines' ? <span class="lines">{text}</span> : <>{text}</>;
}

/** The words for a choice; null is the absence of a value. */
export function choiceOf(words: PageWords, name: FieldName, text: string | null): string {
  const { input }: LinkField = linkFields[name];
  return choicesOf(words, name)[text ?? input?.choiceIfAbsent ?? ''] ?? text ?? '';
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul class="fact-lines">
      {lines.map((line) => (
        <li>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

function limitOf({ text }: PageWords, max: number, left: number | null): string {
  return left === null ? text('linkPage.limit', { max }) : text('linkPage.limitLeft', { max, left });
}

function isOpen({ startsAt, state }: ManagedLink): boolean {
  return state === 'active' && (startsAt === null || startsAt <= Date.now());
}

function InspectUrl({ shortUrl }: Shown) {
  return (
    <a class="broken" href={`${shortUrl}+`} rel="noreferrer">
      {displayUrl(shortUrl)}+
    </a>
  );
}
