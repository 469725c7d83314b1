import type { Child } from 'hono/jsx';
import type { LinkField } from '../../../links/fields/field.ts';
import type { Preview } from '../../../links/fields/preview.ts';
import { FIELD_NAMES, linkFields, type FieldName } from '../../../links/fields/table.ts';
import type { HistoryEntry } from '../../../links/edit/history.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { Button } from '../../kit/button.tsx';
import { Badge } from '../../kit/notice.tsx';
import { Time, timeIn } from '../../kit/time.tsx';
import { personName } from '../../person-name.ts';
import { useWords, type PageWords, type PlainKey } from '../../words.tsx';
import { changedRules, changedVariants } from './changed-routes.ts';
import { destinationText, isUrl, NamedDestination } from '../destination.tsx';
import { labelOf } from '../field-words.ts';
import { choiceOf } from './facts.tsx';
import { PREVIEW_PARTS } from '../form/parts.ts';

const ACTIONS: Readonly<Record<string, PlainKey>> = {
  created: 'linkPage.wasCreated',
  edited: 'linkPage.wasChanged',
  deleted: 'linkPage.wasDeleted',
  restored: 'linkPage.wasRestored',
};

/** The changes of a link, newest first. */
export function History({
  history,
  link,
  path,
  timeZone,
}: {
  history: readonly HistoryEntry[];
  link: ManagedLink;
  /** The path of the link's page. */
  path: string;
  timeZone: string;
}) {
  const words = useWords();
  return (
    <ol class="history">
      {history.map((entry) => (
        <li>
          <div class="entry-head">
            <strong>{titleOf(words, entry)}</strong>
            <span class="quiet">{whenAndWho(words, entry, timeZone)}</span>
          </div>
          <ul>{changesOf(words, entry, timeZone)}</ul>
          <RestoreTarget {...{ entry, link, path }} />
        </li>
      ))}
    </ol>
  );
}

function whenAndWho(words: PageWords, { at, userName, given, keyId }: HistoryEntry, timeZone: string): Child {
  const time = timeIn(words, at, timeZone);
  if (userName === null) return words.content(keyId === null ? 'linkPage.at' : 'linkPage.atWithKey', time);
  const shown = { ...time, userName: personName(words, userName, given) };
  return words.content(keyId === null ? 'linkPage.atBy' : 'linkPage.atByWithKey', shown);
}

function RestoreTarget({ entry, link, path }: { entry: HistoryEntry; link: ManagedLink; path: string }) {
  const { text } = useWords();
  const setsTarget = entry.action === 'created' || 'url' in entry.changes;
  if (!setsTarget) return null;
  if (entry.url === link.url) return <Badge>{text('linkPage.currentTarget')}</Badge>;
  if (link.state === 'deleted') return null;
  return (
    <form method="post" action={`${path}/history/${entry.n}/put-back`}>
      <Button kind="quiet" small label={text('linkPage.restoreThisTarget', { url: destinationText(entry.url) })}>
        {text('linkPage.restoreTarget')}
      </Button>
    </form>
  );
}

function titleOf({ text }: PageWords, { action, changes }: HistoryEntry): string {
  const disabled = changes['disabled_at'];
  if (disabled && Object.keys(changes).length === 1) {
    return text(disabled[1] === null ? 'linkPage.wasEnabled' : 'linkPage.wasDisabled');
  }
  const key = ACTIONS[action];
  return key === undefined ? action : text(key);
}

function changesOf(words: PageWords, { action, url, changes }: HistoryEntry, timeZone: string): Child[] {
  if (action === 'created') return [<Change name={labelOf(words, 'url')} after={<NamedDestination href={url} />} />];
  return Object.entries(changes).flatMap(([name, [before, after]]) => {
    const field = FIELD_NAMES.find((known) => known === name);
    if (field === undefined) return [];
    const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
    if (special) return special(words, before, after);
    const shown = (value: unknown) =>
      isUrl(name) && typeof value === 'string' ? (
        <NamedDestination href={value} />
      ) : (
        valueOf(words, field, value, timeZone)
      );
    return [<Change name={labelOf(words, field)} before={shown(before)} after={shown(after)} />];
  });
}

/** The changes of fields that are more than one value each. */
const SPECIAL: Readonly<Record<string, (words: PageWords, before: unknown, after: unknown) => Child[]>> = {
  aliases: (words, before) => [<Change name={words.text('linkPage.aliasesRemoved')} after={textOf(words, before)} />],
  password: ({ text }, had, has) => [<Change name={text(passwordChange(had, has))} />],
  rules: (words, before, after) => changedRules(words, listOf(before), listOf(after)).map(sentence),
  variants: (words, before, after) => changedVariants(words, listOf(before), listOf(after)).map(sentence),
  preview: (words, before, after) => {
    const [former, present]: Preview[] = [before, after].map((text) =>
      JSON.parse(typeof text === 'string' ? text : '{}'),
    );
    return PREVIEW_PARTS.filter((part) => former?.[part] !== present?.[part]).map((part) => (
      <Change
        name={words.text(OF_PREVIEW[part])}
        before={previewText(words, part, former)}
        after={previewText(words, part, present)}
      />
    ));
  },
};

const passwordChange = (had: unknown, has: unknown): PlainKey =>
  has === false ? 'linkPage.passwordRemoved' : had ? 'linkPage.passwordChanged' : 'linkPage.passwordSet';

const OF_PREVIEW: Readonly<Record<(typeof PREVIEW_PARTS)[number], PlainKey>> = {
  title: 'linkPage.previewTitle',
  description: 'linkPage.previewDescription',
  image: 'linkPage.previewImage',
};

function previewText(words: PageWords, part: keyof Preview, preview: Preview | undefined): Child {
  const text = preview?.[part];
  return part === 'image' && text !== undefined ? <NamedDestination href={text} /> : textOf(words, text ?? null);
}

const listOf = (text: unknown) => JSON.parse(typeof text === 'string' ? text : '[]');

const sentence = (text: string) => (
  <li class="clamp">
    <span class="broken">{text}</span>
  </li>
);

/** A value as a column of the history has it. */
function valueOf(words: PageWords, name: FieldName, value: unknown, timeZone: string): Child {
  const { stored, input }: LinkField = linkFields[name];
  if (input?.kind === 'choice') {
    const text = stored === 'flag' && value !== null ? String(value === 1) : textOf(words, value);
    return choiceOf(words, name, value === null ? null : text);
  }
  if (typeof value !== 'number') return textOf(words, value);
  return stored === 'instant' ? <Time at={value} timeZone={timeZone} /> : words.count(value);
}

function Change({ name, before, after }: { name: string; before?: Child; after?: Child }) {
  return (
    <li class="clamp">
      <span class="quiet">{name}</span>{' '}
      {before !== undefined && (
        <>
          <del>
            <bdi>{before}</bdi>
          </del>{' '}
          <span class="way" aria-hidden="true">
            →
          </span>{' '}
        </>
      )}
      {after !== undefined && (
        <span class="broken">
          <bdi>{after}</bdi>
        </span>
      )}
    </li>
  );
}

function textOf({ text }: PageWords, value: unknown): string {
  if (value === null) return text('linkPage.noValue');
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
