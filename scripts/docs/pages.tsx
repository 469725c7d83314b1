import { ErrorsPage } from './errors-page.tsx';
import { ALL_CODES, meaningOf } from '../../src/reference/code-meanings.ts';
import { FOR_OPERATORS, FOR_USERS, GUIDES, pathOfGuide } from './contents.ts';
import { written, type Page } from './frame.tsx';
import type { Guide, Section } from './markdown.ts';
import type { Resource } from './reference/document.ts';
import { Operations } from './reference/operations.tsx';

/** The first page of the docs: all guides, each with what it is for. */
export function indexPage(guides: ReadonlyMap<string, Guide>): Page {
  const groups = [...FOR_USERS, FOR_OPERATORS];
  return {
    path: '/docs',
    title: 'Docs',
    description: 'Guides to short links, statistics, domains and imports, and the reference of the API.',
    headings: [],
    content: (
      <>
        <h1>Docs</h1>
        <p class="lead">
          How to shorten, share and measure links: on the pages, from a terminal and in your own programs. New here?
          Begin with the <a href="/docs/quickstart">quickstart</a>.
        </p>
        {groups.map(({ name, guides: entries }) => (
          <section class={name === FOR_OPERATORS.name ? 'group apart' : 'group'}>
            <h2>{name}</h2>
            <ul class="cards">
              {entries.map(({ file, gives }) => (
                <li>
                  <a href={pathOfGuide(file)}>{guides.get(file)?.title}</a>
                  <p>{gives}</p>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </>
    ),
  };
}

export function guidePage({ file, path, title, html, headings }: Guide): Page {
  return {
    path,
    title,
    description: GUIDES.find((guide) => guide.file === file)?.gives ?? title,
    headings: headings.filter(({ depth }) => depth <= 3),
    content: (
      <>
        <h1>{title}</h1>
        {written(html)}
      </>
    ),
  };
}

/** The first page of the reference: the resources, then the guide to the API. */
export function apiPage(guide: Guide, resources: readonly Resource[]): Page {
  const page = guidePage(guide);
  // After its first paragraphs.
  const start = Math.max(0, guide.html.indexOf('<h2'));
  return {
    ...page,
    headings: [{ id: 'resources', text: 'Resources', depth: 2 }, ...page.headings],
    content: (
      <>
        <h1>{guide.title}</h1>
        {written(guide.html.slice(0, start))}
        <section class="group">
          <h2 id="resources">
            <a class="anchor" href="#resources">
              Resources
            </a>
          </h2>
          <ul class="cards columns">
            {resources.map(({ name, description, path, endpoints }) => (
              <li>
                <a href={path}>{name}</a>
                <p>{description}.</p>
                <Operations endpoints={endpoints} path={path} />
              </li>
            ))}
          </ul>
        </section>
        {written(guide.html.slice(start))}
      </>
    ),
  };
}

/** The page with the meaning of each error code. */
export function errorsPage(): Page {
  return {
    path: '/docs/errors',
    title: 'Errors',
    description: 'The meaning of every error code of the API, by status.',
    headings: [],
    content: (
      <div class="errors">
        <ErrorsPage />
      </div>
    ),
  };
}

/** The codes of errors, for the search. */
export const errorSections = (): readonly Section[] =>
  ALL_CODES.map((code) => ({ path: `/docs/errors#${code}`, page: 'Errors', title: code, text: meaningOf(code) }));

/** The page that is shown at an address without a page. */
export function notFoundPage(): Page {
  return {
    path: '/docs/not-found',
    title: 'No such page',
    description: 'The docs have no page at this address.',
    headings: [],
    content: (
      <>
        <h1>No such page</h1>
        <p class="lead">
          The docs have no page at this address. All pages are in the navigation, and on{' '}
          <a href="/docs">the first page</a> of the docs.
        </p>
      </>
    ),
  };
}
