import type { Child } from 'hono/jsx';
import { fieldOf, linkFields } from '../../links/fields/table.ts';
import type { HistoryEntry } from '../../links/edit/history.ts';
import type { ManagedLink } from '../../links/managed.ts';
import { Button } from '../kit/button.tsx';
import { Badge } from '../kit/notice.tsx';
import { Pager } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';

const ACTIONS: Readonly<Record<string, string>> = {
  created: 'Created',
  edited: 'Changed',
  deleted: 'Deleted',
  restored: 'Restored',
};

/** The changes of a link, the newest first. */
export function History({
  history,
  cursor,
  isOlder,
  link,
  path,
  days,
  timeZone,
}: {
  history: readonly HistoryEntry[];
  cursor: string | null;
  isOlder: boolean;
  link: ManagedLink;
  path: string;
  /** The number of days of the page's clicks, which links keep. */
  days: number;
  timeZone: string;
}) {
  const page = `${path}?days=${days}`;
  return (
    <>
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
            <ul>{changesOf(entry, timeZone)}</ul>
            <RestoreTarget {...{ entry, link, path }} />
          </li>
        ))}
      </ol>
      <Pager
        next={cursor === null ? null : `${page}&older=${cursor}#history`}
        first={isOlder ? `${page}#history` : null}
        nextLabel="Older changes"
      />
    </>
  );
}

function RestoreTarget({ entry, link, path }: { entry: HistoryEntry; link: ManagedLink; path: string }) {
  const setsTarget = entry.action === 'created' || 'url' in entry.changes;
  if (!setsTarget) return null;
  if (entry.url === link.url) return <Badge>Current destination</Badge>;
  if (link.state === 'deleted') return null;
  return (
    <form method="post" action={`${path}/history/${entry.n}/put-back`}>
      <Button kind="quiet" small label={`Restore this destination: ${entry.url}`}>
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

function changesOf({ action, url, changes }: HistoryEntry, timeZone: string): Child[] {
  if (action === 'created') return [<Change name={linkFields.url.label} after={url} />];
  return Object.entries(changes).flatMap(([field, [before, after]]) => {
    const name = fieldOf(field)?.label;
    if (name === undefined) return [];
    if (field === 'aliases') return [<Change name="Aliases removed" after={textOf(before)} />];
    const shown = (value: unknown) =>
      typeof value === 'number' ? <Time at={value} timeZone={timeZone} /> : textOf(value);
    return [<Change name={name} before={shown(before)} after={shown(after)} />];
  });
}

function Change({ name, before, after }: { name: string; before?: Child; after: Child }) {
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
      <span class="broken">
        <bdi>{after}</bdi>
      </span>
    </li>
  );
}

function textOf(value: unknown): string {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
