import { html } from 'hono/html';
import type { Changelog, Entry } from './entries.ts';
import { titleOf, urnOf } from './names.ts';

/**
 * The releases of a changelog as RSS 2.0 (https://www.rssboard.org/rss-specification), one item for each entry. What
 * escapes HTML escapes XML just as well.
 *
 * @param origin where the service is, for links and the feed's own address
 */
export async function writeFeed({ releases }: Pick<Changelog, 'releases'>, origin: string): Promise<string> {
  const page = `${origin}/changelog`;
  const newest = Math.max(...releases.map(({ date }) => Date.parse(date)));
  const items = releases.flatMap(({ version, date, entries }) =>
    entries.map(
      async (entry) =>
        html`
    <item>
      <title>${legible(`${version}: ${titleOf(entry)}${entry.breaking ? ' (breaking)' : ''}`)}</title>
      <link>${page}#v${version}</link>
      <guid isPermaLink="false">${urnOf({ version }, entry)}</guid>
      <pubDate>${new Date(date).toUTCString()}</pubDate>
      <description>${legible(await readerHtml(entry))}</description>
    </item>`,
    ),
  );
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

// Readers take a description for HTML: what is HTML already is escaped once more.
async function readerHtml(entry: Entry): Promise<string> {
  return String(await html`${<Description {...entry} />}`);
}

function Description({ breaking, note, changes }: Entry) {
  return (
    <>
      <p>{breaking ? 'This breaks programs that use it.' : 'This breaks no program.'}</p>
      {note && <p>{note}</p>}
      {changes.length > 0 && (
        <ul>
          {changes.map(({ what, breaking, reason }) => (
            <li>
              {what}
              {breaking && ' (breaking)'}
              {reason && `: ${reason}`}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

// The characters that a document may hold (XML 1.0, section 2.2); the others not even as references.
function legible(text: string): string {
  return text.toWellFormed().replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
