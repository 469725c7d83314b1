import { html, raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { assetPath } from '../../src/http/assets.ts';
import { Card } from '../../src/http/card.tsx';
import { Brand, Head, SkipLink } from '../../src/http/frame.tsx';
import { FOR_OPERATORS, FOR_USERS, pathOfGuide, type GuideEntry } from './contents.ts';
import type { Heading } from './markdown.ts';

/** The frame of the pages below /docs: header with search, navigation, sheet, and what is on the page. */

/** A link of the navigation. */
interface Entry {
  readonly path: string;
  readonly label: string;
}

export interface Page {
  readonly path: string;
  readonly title: string;
  /** For search engines and messengers. */
  readonly description: string;
  readonly content: Child;
  readonly headings: readonly Heading[];
}

export interface Site {
  readonly origin: string | null;
  /** The pages of the reference, one for each resource. */
  readonly resources: readonly Entry[];
}

const TOP: readonly Entry[] = [
  { path: '/docs', label: 'Docs' },
  { path: '/docs/api', label: 'API' },
  { path: '/changelog', label: 'Changelog' },
  { path: '/platform', label: 'Sign in' },
];

/** Writes a page. */
export async function writePage(page: Page, site: Site): Promise<string> {
  const title = `${page.title} · Terse`;
  const text = (
    <html lang="en">
      <Head title={title} styles={['docs.css']}>
        <Card title={title} description={page.description} pathname={page.path} origin={site.origin} />
        <script type="module" src={assetPath('docs.js')}></script>
      </Head>
      <body>
        <SkipLink />
        <Header path={page.path} />
        <div class="layout">
          <Navigation path={page.path} resources={site.resources} />
          <main id="main" class="sheet" tabindex={-1}>
            <article class={page.headings.length > 2 ? 'text' : 'text wide'}>
              {page.content}
              <Neighbours path={page.path} resources={site.resources} />
            </article>
            {page.headings.length > 2 && <OnThisPage headings={page.headings} />}
          </main>
        </div>
      </body>
    </html>
  );
  return `${String(await html`<!doctype html>${text}`)}\n`;
}

function Header({ path }: { path: string }) {
  const area = isReference(path) ? '/docs/api' : '/docs';
  return (
    <header class="top">
      <Brand href="/" />
      <form
        class="find"
        role="search"
        action="/docs"
        data-script={assetPath('docs-search.js')}
        data-index="/assets/docs-index.json"
      >
        <label class="unseen" for="find">
          Search the docs
        </label>
        <input id="find" type="search" placeholder="Search the docs" autocomplete="off" aria-describedby="found" />
        <div id="found" class="found" aria-live="polite" hidden></div>
      </form>
      <nav aria-label="Pages">
        <ul>
          {TOP.map(({ path, label }) => (
            <li>
              <a href={path} aria-current={path === area ? 'true' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

const isReference = (path: string) => path.startsWith('/docs/api') || path === ERRORS.path;

const entryOf = ({ file, label }: GuideEntry): Entry => ({ path: pathOfGuide(file), label });

function Navigation({ path, resources }: { path: string; resources: readonly Entry[] }) {
  const operators = FOR_OPERATORS.guides.map(entryOf);
  return (
    <nav class="side" aria-label="Docs">
      <details open>
        <summary>All pages</summary>
        {FOR_USERS.map(({ name, guides }) => (
          <Entries name={name} entries={guides.map(entryOf)} path={path} />
        ))}
        <Entries
          name="Reference"
          entries={
            isReference(path)
              ? [...resources, ERRORS]
              : [{ path: '/docs/api#resources', label: 'All resources' }, ERRORS]
          }
          path={path}
        />
        <div class="apart">
          <Entries name={FOR_OPERATORS.name} entries={operators} path={path} />
        </div>
      </details>
    </nav>
  );
}

const ERRORS: Entry = { path: '/docs/errors', label: 'Errors' };

function Entries({ name, entries, path }: { name: string; entries: readonly Entry[]; path: string }) {
  return (
    <>
      <h2>{name}</h2>
      <ul>
        {entries.map((entry) => (
          <li>
            <a href={entry.path} aria-current={entry.path === path ? 'page' : undefined}>
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function OnThisPage({ headings }: { headings: readonly Heading[] }) {
  return (
    <nav class="toc" aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        {headings.map(({ id, text, depth }) => (
          <li class={depth === 2 ? undefined : 'deeper'}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Links to the pages before and after, in the order of the navigation. */
function Neighbours({ path, resources }: { path: string; resources: readonly Entry[] }) {
  const lists = [
    FOR_USERS.flatMap(({ guides }) => guides.map(entryOf)),
    [...resources, ERRORS],
    FOR_OPERATORS.guides.map(entryOf),
  ];
  const list = lists.find((entries) => entries.some((entry) => entry.path === path)) ?? [];
  const index = list.findIndex((entry) => entry.path === path);
  const [before, after] = [list[index - 1], list[index + 1]];
  if (index === -1) return <></>;
  return (
    <nav class="neighbours" aria-label="Pages before and after">
      {before && (
        <a rel="prev" href={before.path}>
          <small>Before</small> {before.label}
        </a>
      )}
      {after && (
        <a rel="next" href={after.path}>
          <small>Next</small> {after.label}
        </a>
      )}
    </nav>
  );
}

/** HTML that is written already. */
export const written = (text: string) => raw(text);
