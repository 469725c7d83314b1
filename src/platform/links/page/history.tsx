import type { Child } from 'hono/jsx';
import type { LinkField } from '../../../links/fields/field.ts';
import type { Preview } from '../../../links/fields/preview.ts';
import { fieldOf, linkFields } from '../../../links/fields/table.ts';
import type { HistoryEntry } from '../../../links/edit/history.ts';
import type { ManagedLink } from '../../../links/managed-link.ts';
import { Button } from '../../kit/button.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Badge } from '../../kit/notice.tsx';
import { Time } from '../../kit/time.tsx';
import { useWords, type PageWords } from '../../words.tsx';
import { changedRules, changedVariants } from './changed-routes.ts';
import { destinationText, isUrl, NamedDestination } from '../destination.tsx';
import { choiceOf } from './facts.tsx';
import { PREVIEW_PARTS } from '../form/parts.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  created: 'Created',
  edited: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
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
            <strong>{titleOf(entry)}</strong>
            <span class="quiet">
              <Time at={entry.at} timeZone={timeZone} />
              {entry.userName !== null && (
                <>
                  {' by '}
                  <bdi>{entry.userName}</bdi>
                </>
              )}
              {entry.keyId !== null && ' with an API key'}
            </span>
          </div>
          <ul>{changesOf(words, entry, timeZone)}</ul>
          <RestoreTarget {...{ entry, link, path }} />
        </li>
      ))}
    </ol>
  );
}

function RestoreTarget({ entry, link, path }: { entry: HistoryEntry; link: ManagedLink; path: string }) {
  const setsTarget = entry.action === 'created' || 'url' in entry.changes;
  if (!setsTarget) return null;
  if (entry.url === link.url) return <Badge>Current destination</Badge>;
  if (link.state === 'deleted') return null;
  return (
    <form method="post" action={`${path}/history/${entry.n}/put-back`}>
      <Button kind="quiet" small label={`Restore this destination: ${destinationText(entry.url)}`}>
        Restore this destination
      </Button>
    </form>
  );
}

function titleOf({ action, changes }: HistoryEntry): string {
  const disabled = changes['disabled_at'];
  if (disabled && Object.keys(changes).length === 1) return disabled[1] === null ? 'Enabled' : 'Disabled';
  return ACTIONS[action] ?? action;
}

function changesOf(words: PageWords, { action, url, changes }: HistoryEntry, timeZone: string): Child[] {
  if (action === 'created') return [<Change name={linkFields.url.label} after={<NamedDestination href={url} />} />];
  return Object.entries(changes).flatMap(([name, [before, after]]) => {
    const field = fieldOf(name);
    if (field === undefined) return [];
    const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
    if (special) return special(before, after, words);
    const shown = (value: unknown) =>
      isUrl(name) && typeof value === 'string' ? <NamedDestination href={value} /> : valueOf(field, value, timeZone);
    return [<Change name={field.label} before={shown(before)} after={shown(after)} />];
  });
}

/** The changes of fields that are more than one value each. */
const SPECIAL: Readonly<Record<string, (before: unknown, after: unknown, words: PageWords) => Child[]>> = {
  aliases: (before) => [<Change name="Aliases removed" after={textOf(before)} />],
  password: (had, has) => [
    <Change name={has === false ? 'Password removed' : had ? 'Password changed' : 'Password set'} />,
  ],
  rules: (before, after, words) => changedRules(words, listOf(before), listOf(after)).map(sentence),
  variants: (before, after) => changedVariants(listOf(before), listOf(after)).map(sentence),
  preview: (before, after) => {
    const [former, present]: Preview[] = [before, after].map((text) =>
      JSON.parse(typeof text === 'string' ? text : '{}'),
    );
    return PREVIEW_PARTS.filter((part) => former?.[part] !== present?.[part]).map((part) => (
      <Change
        name={`${linkFields.preview.label}, ${part}`}
        before={previewText(part, former)}
        after={previewText(part, present)}
      />
    ));
  },
};

function previewText(part: keyof Preview, preview: Preview | undefined): Child {
  const text = preview?.[part];
  return part === 'image' && text !== undefined ? <NamedDestination href={text} /> : (text ?? 'none');
}

const listOf = (text: unknown) => JSON.parse(typeof text === 'string' ? text : '[]');

const sentence = (text: string) => (
  <li class="clamp">
    <span class="broken">{text}</span>
  </li>
);

/** A value as a column of the history has it. */
function valueOf({ stored, input }: LinkField, value: unknown, timeZone: string): Child {
  if (input?.kind === 'choice') {
    const text = stored === 'flag' && value !== null ? String(value === 1) : textOf(value);
    return choiceOf(input, value === null ? null : text);
  }
  if (typeof value !== 'number') return textOf(value);
  return stored === 'instant' ? <Time at={value} timeZone={timeZone} /> : formatCount(value);
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
          <span aria-hidden="true">→</span>{' '}
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

function textOf(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
