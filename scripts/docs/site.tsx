import { html } from 'hono/html';
import { assetPath } from '../../src/http/assets.ts';
import { Brand, Head } from '../../src/http/frame.tsx';
import { writePolicies } from './headers.ts';
import { GUIDES } from './contents.ts';
import { writePage, type Page, type Site } from './frame.tsx';
import { readGuide, type Section } from './markdown.ts';
import { apiPage, errorSections, errorsPage, guidePage, indexPage, notFoundPage } from './pages.tsx';
import { addressesOf, kebab, resourcesOf, type ApiDocument, type Resource } from './reference/document.ts';
import { resourcePage } from './reference/resource-page.tsx';

interface Sources {
  /** The texts of `docs/*.md` by name. */
  readonly guides: Readonly<Record<string, string>>;
  readonly document: ApiDocument;
  /** The public origin of the service, if it is known. */
  readonly origin: string | null;
}

/** Shown in examples; the script of the pages replaces it by the origin of the page. */
const EXAMPLE_ORIGIN = 'http://localhost:8787';

/** Writes all files of the docs, by their paths in `public/`. */
export async function writeSite({ guides: texts, document, origin }: Sources): Promise<Record<string, string>> {
  const resources = resourcesOf(document);
  const operations = addressesOf(resources);
  const guides = new Map(
    GUIDES.map(({ file }) => [file, readGuide(texts[`${file}.md`] ?? '', { file, operations, origin })] as const),
  );
  const site: Site = { origin, resources: resources.map(({ path, name }) => ({ path, label: name })) };
  const pages: Page[] = [
    indexPage(guides),
    ...[...guides.values()].map((guide) => (guide.file === 'api' ? apiPage(guide, resources) : guidePage(guide))),
    ...resources.map((resource) => resourcePage(resource, document, origin ?? EXAMPLE_ORIGIN)),
    errorsPage(),
    notFoundPage(),
  ];
  const written = await Promise.all(
    pages.map(async (page) => [`${page.path.slice(1)}.html`, await writePage(page, site)] as const),
  );
  const sections = [
    ...[...guides.values()].flatMap(({ sections: of }) => of),
    ...resources.flatMap(sectionsOf),
    ...errorSections(),
  ];
  return {
    ...Object.fromEntries(written),
    'docs/try.html': await writeTryPage(),
    'assets/docs-index.json': JSON.stringify(sections.map(({ path, page, title, text }) => [path, page, title, text])),
    _headers: writePolicies(),
  };
}

function sectionsOf({ name, path, endpoints }: Resource): Section[] {
  return endpoints.map(({ method, path: of, operation }) => ({
    path: `${path}#${kebab(operation.operationId)}`,
    page: `${name}, API reference`,
    title: operation.summary,
    text: `${method} ${of} ${operation.operationId} ${operation.description ?? ''}`,
  }));
}

/** Scalar's client, which has styles of its own and needs scripts. */
async function writeTryPage(): Promise<string> {
  const page = (
    <html lang="en">
      <Head title="Try a request · Terse" styles={['docs-try.css']}>
        <meta name="robots" content="noindex" />
        <script defer src={assetPath('docs-try.js')}></script>
        <script defer src={assetPath('scalar.js')}></script>
      </Head>
      <body>
        <header class="top">
          <Brand href="/" />
          <a href="/docs/api" data-back>
            Back to the reference
          </a>
        </header>
        <noscript>
          <p class="noscript">
            Requests from this page need scripts. The <a href="/docs/api">reference</a> has an example in curl for each.
          </p>
        </noscript>
        <div id="reference"></div>
      </body>
    </html>
  );
  return `${String(await html`<!doctype html>${page}`)}\n`;
}
