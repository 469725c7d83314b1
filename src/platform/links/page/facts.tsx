import type { Child } from 'hono/jsx';
import { STORED_NAMES, textOf, type StoredName } from '../../../links/fields/content.ts';
import type { LinkField } from '../../../links/fields/field.ts';
import { linkFields } from '../../../links/fields/table.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { formatCount } from '../../kit/numbers.ts';
import { Time } from '../../kit/time.tsx';
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

export function factsOf(shown: Shown): { readonly term: string; readonly value: Child }[] {
  const { link, timeZone } = shown;
  const factOf = (name: StoredName) => ({ term: linkFields[name].label, value: <FieldValue {...shown} name={name} /> });
  return [
    factOf('url'),
    { term: 'ID', value: <code>{link.id}</code> },
    ...STORED_NAMES.filter(
      (name) => name !== 'url' && !(name === 'imported_clicks' && link.importedClicks === null),
    ).map(factOf),
    { term: linkFields.password.label, value: link.hasPassword ? 'Set' : <span class="quiet">None</span> },
    {
      term: linkFields.custom_domain.label,
      value: link.customDomain === null ? 'Default domain' : displayHost(link.customDomain),
    },
    { term: 'Created', value: <Time at={link.createdAt} timeZone={timeZone} /> },
    { term: 'Last updated', value: <Time at={link.updatedAt} timeZone={timeZone} /> },
  ];
}

function FieldValue({ name, ...shown }: Shown & { name: StoredName }) {
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
  if (parts !== undefined) return <Lines lines={wordsOf(parts, storedParts(link))} />;
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
