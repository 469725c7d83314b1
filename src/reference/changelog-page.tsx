import { lazy } from '../isolate/lazy.ts';
import { operationAsCode, withCode } from './code.tsx';
import type { Changelog, Entry, Release } from '../changelog/entries.ts';
import { foldShared, type SharedChange } from './shared-changes.ts';

const day = lazy(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }));

/** The changes of the API, release by release. */
export function ChangelogPage({ unreleased, releases }: Changelog) {
  return (
    <>
      <h1>Changelog</h1>
      <p class="lead">
        Changes to the API. A breaking change comes with a new major version; removing something that an earlier version
        has marked as deprecated is not a breaking change. Also available <a href="/changelog.rss">as a feed</a>.
      </p>
      {unreleased.length > 0 && (
        <section class="release" id="unreleased">
          <h2>Unreleased</h2>
          <Entries entries={unreleased} />
        </section>
      )}
      {releases.map((release) => (
        <ReleaseSection release={release} />
      ))}
    </>
  );
}

function ReleaseSection({ release: { version, date, entries } }: { release: Release }) {
  return (
    <section class="release" id={`v${version}`}>
      <h2>
        <a href={`#v${version}`}>{version}</a>
      </h2>
      <p class="quiet">
        <time datetime={date}>{day().format(new Date(date))}</time>
      </p>
      <Entries entries={entries} />
    </section>
  );
}

function Entries(release: { entries: readonly Entry[] }) {
  const { shared, entries } = foldShared(release.entries);
  return (
    <ul class="entries">
      {shared.map((change) => (
        <Shared {...change} />
      ))}
      {entries.map((entry) => (
        <li>
          <p class="entry">
            <span class={entry.breaking ? 'badge danger' : 'badge'}>{entry.kind}</span>
            <code>
              {entry.method} {entry.path}
            </code>
            {entry.breaking && <strong class="breaking">breaking</strong>}
          </p>
          {entry.note && <p class="quiet">{entry.note}</p>}
          {entry.changes.length > 0 && <Changes {...entry} />}
        </li>
      ))}
    </ul>
  );
}

function Shared({ what, breaking, reason, operations }: SharedChange) {
  return (
    <li>
      <p class="entry">
        <span class={breaking ? 'badge danger' : 'badge'}>changed</span>
        <span class="what">{withCode(what)}</span>
        {breaking && <strong class="breaking">breaking</strong>}
      </p>
      {reason && <p class="quiet">{reason}</p>}
      <details>
        <summary>{operations.length} operations</summary>
        <ul class="changes">
          {operations.map((operation) => (
            <li>{operationAsCode(operation)}</li>
          ))}
        </ul>
      </details>
    </li>
  );
}

// Long lists are folded, unless something in them breaks.
const SHORT = 6;

function Changes({ changes, breaking }: Pick<Entry, 'changes' | 'breaking'>) {
  const list = (
    <ul class="changes">
      {changes.map(({ what, breaking, reason }) => (
        <li>
          {withCode(what)}
          {breaking && <strong class="breaking"> breaking</strong>}
          {reason && <span class="quiet"> {reason}</span>}
        </li>
      ))}
    </ul>
  );
  if (breaking || changes.length <= SHORT) return list;
  return (
    <details>
      <summary>{changes.length} changes</summary>
      {list}
    </details>
  );
}
