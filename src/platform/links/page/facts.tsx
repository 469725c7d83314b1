import type { Child } from 'hono/jsx';
import { STORED_NAMES, textOf, type StoredName } from '../../../links/fields/content.ts';
import type { LinkField } from '../../../links/fields/field.ts';
import { linkFields } from '../../../links/fields/table.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { formatCount } from '../../kit/numbers.ts';
import { Time } from '../../kit/time.tsx';
import { useWords } from '../../words.tsx';
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

/** The facts of a link: those that are set, those for developers, and the fields that have nothing yet. */
export function factsOf(shown: Shown): {
  readonly facts: readonly Fact[];
  readonly forDevelopers: readonly Fact[];
  readonly unset: readonly { readonly name: StoredName | 'password'; readonly label: string }[];
} {
  const { link, timeZone } = shown;
  const { label: password } = linkFields.password;
  const factOf = (name: StoredName): Fact => ({
    term: linkFields[name].label,
    value: <FieldValue {...shown} name={name} />,
  });
  const [developers, others] = [FOR_DEVELOPERS, STORED_NAMES.filter((name) => !FOR_DEVELOPERS.includes(name))];
  const offered = [...others, ...developers].filter((name) => name !== 'imported_clicks' && !isSet(name, link));
  return {
    facts: [
      ...others.filter((name) => isSet(name, link)).map(factOf),
      ...(link.hasPassword ? [{ term: password, value: 'Set' }] : []),
      {
        term: linkFields.custom_domain.label,
        value: link.customDomain === null ? 'Default domain' : displayHost(link.customDomain),
      },
      { term: 'Created', value: <Time at={link.createdAt} timeZone={timeZone} /> },
      { term: 'Last updated', value: <Time at={link.updatedAt} timeZone={timeZone} /> },
    ],
    forDevelopers: [
      { term: 'ID', value: <code>{link.id}</code> },
      ...developers.filter((name) => isSet(name, link)).map(factOf),
    ],
    unset: [
      ...offered.map((name) => ({ name, label: linkFields[name].label })),
      ...(link.hasPassword ? [] : [{ name: 'password' as const, label: password }]),
    ],
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
  const { stored, absence, input }: LinkField = linkFields[name];
  const text = textOf(name, link);
  if (name === 'inspectable' && link.inspectable !== false) {
    if (link.hasPassword || link.maxClicks !== null) return <>Not with a password or a click limit</>;
    if (isOpen(link)) return <InspectUrl {...shown} />;
  }
  if (input?.kind === 'choice') return <>{choiceOf(input, text)}</>;
  if (text === null) return absence === undefined ? <span class="quiet">None</span> : <>{absence}</>;
  const parts = PART_NAMES.find((part) => part === name);
  if (parts !== undefined) return <Lines lines={wordsOf(words, parts, storedParts(link))} />;
  if (name === 'max_clicks') return <>{limitOf(Number(text), shown.clicksLeft ?? null)}</>;
  if (name === 'imported_clicks') return <>{formatCount(Number(text))}</>;
  if (stored === 'instant') return <Time at={Date.parse(text)} timeZone={timeZone} />;
  if (isUrl(name)) return <NamedDestination href={text} />;
  if (input?.isCode) return <code>{text}</code>;
  return input?.kind === 'lines' ? <span class="lines">{text}</span> : <>{text}</>;
}

/** The words for a choice; null is the absence of a value. */
export function choiceOf({ choices = {}, choiceIfAbsent = '' }: NonNullable<LinkField['input']>, text: string | null) {
  return choices[text ?? choiceIfAbsent] ?? text ?? '';
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

const clicks = (count: number) => (count === 1 ? '1 click' : `${formatCount(count)} clicks`);

function limitOf(max: number, left: number | null): string {
  return left === null ? clicks(max) : `${clicks(max)}, ${formatCount(left)} left`;
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
