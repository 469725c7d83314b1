import { html } from 'hono/html';
import { operationAsCode, withCode } from './code.tsx';
import type { Changelog, Entry } from '../changelog/entries.ts';
import { urnOf } from './names.ts';
import { foldShared } from './shared-changes.ts';

/**
 * The releases of a changelog as RSS 2.0 (https://www.rssboard.org/rss-specification), one item for each release.
 * Escaping for HTML is also right for XML.
 *
 * @param origin the origin of the service, for links and the feed's own address
 */
export async function writeFeed({ releases }: Pick<Changelog, 'releases'>, origin: string): Promise<string> {
  const page = `${origin}/changelog`;
  const newest = Math.max(...releases.map(({ date }) => Date.parse(date)));
  const items = releases.map(async (release) => {
    const { version, date, entries } = release;
    const breaks = entries.some(({ breaking }) => breaking);
    return html`
    <item>
      <title>${`Terse ${version}${breaks ? ' (breaking)' : ''}`}</title>
      <link>${page}#v${version}</link>
      <guid isPermaLink="false">${urnOf(release)}</guid>
      <pubDate>${new Date(date).toUTCString()}</pubDate>
      <description>${legible(await readerHtml(entries))}</description>
    </item>`;
  });
  const feed = await html`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>Terse changelog</title>
    <link>${page}</link>
    <description>What changes in the API of the short-link service Terse</description>
    <language>en</language>
    <lastBuildDate>${new Date(newest).toUTCString()}</lastBuildDate>
    <atom:link href="${page}.rss" rel="self" type="application/rss+xml" />${await Promise.all(items)}
  </channel>
</rss>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${String(feed)}`;
}

// Feed readers read a description as HTML, so HTML is escaped once more.
async function readerHtml(entries: readonly Entry[]): Promise<string> {
  return String(await html`${<Entries entries={entries} />}`);
}

function Entries(release: { entries: readonly Entry[] }) {
  const { shared, entries } = foldShared(release.entries);
  return (
    <ul>
      {shared.map(({ what, breaking, reason, operations }) => (
        <li>
          Changed in {operations.length} operations: {withCode(what)}
          {breaking && <strong> (breaking)</strong>}
          {reason && `: ${reason}`}
          <ul>
            {operations.map((operation) => (
              <li>{operationAsCode(operation)}</li>
            ))}
          </ul>
        </li>
      ))}
      {entries.map(({ kind, method, path, breaking, note, changes }) => (
        <li>
          {WORDS[kind]} {operationAsCode({ method, path })}
          {breaking && <strong> (breaking)</strong>}
          {note && <p>{note}</p>}
          {changes.length > 0 && (
            <ul>
              {changes.map(({ what, breaking, reason }) => (
                <li>
                  {withCode(what)}
                  {breaking && <strong> (breaking)</strong>}
                  {reason && `: ${reason}`}
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  );
}

const WORDS: Readonly<Record<Entry['kind'], string>> = {
  added: 'Added',
  removed: 'Removed',
  deprecated: 'Deprecated',
  changed: 'Changed',
};

// The characters that a document may hold (XML 1.0, section 2.2); others are not allowed even as references.
function legible(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
