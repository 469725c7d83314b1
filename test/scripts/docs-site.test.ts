import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newAddressOf } from '../../browser/docs/old-addresses.js';
import { indexOf } from '../../browser/docs-search.js';
import { GUIDES } from '../../scripts/docs/contents.ts';
import { addressesOf, resourcesOf, type ApiDocument } from '../../scripts/docs/reference/document.ts';
import { writeSite } from '../../scripts/docs/site.tsx';
import { fragmentsOf } from './support/fragments.ts';
import { readPage } from './support/pages.ts';
import { ROOT } from './support/project.ts';

/** The files that scripts/docs.mjs writes for the pages below /docs. */

const read = (path: string) => readFileSync(join(ROOT, 'public', path), 'utf8');

/** The texts of all pages by address. */
const pages: ReadonlyMap<string, string> = new Map(
  [
    'docs.html',
    ...readdirSync(join(ROOT, 'public/docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
  ]
    .filter((name) => name.endsWith('.html') && name !== 'docs/try.html')
    .map((name) => [`/${name.replace('.html', '')}`, read(name)] as const),
);
const document = JSON.parse(read('assets/openapi.json')) as ApiDocument;
const resources = resourcesOf(document);
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const decoded = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the pages of the docs', () => {
  it.each([...pages.keys()])('a page of the docs has no style and no script but by their addresses: %s', (path) => {
    expect(pages.get(path)).not.toMatch(/<style|<script(?![^>]* src="\/assets\/)|\sstyle=|\son\w+=/);
  });

  it('the pages of the docs take at most 150 KB each', () => {
    const large = [...pages].filter(([, text]) => Buffer.byteLength(text) > 150_000);
    expect(large.map(([path]) => path)).toEqual([]);
    expect(pages.size).toBeGreaterThan(30);
  });

  it('the pages of the docs lead to pages and headings that exist', () => {
    const broken = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/ href="(\/docs[^"]*|#[^"]*)"/g)].flatMap(([, href = '']) => {
        const [page = '', fragment] = (href.startsWith('#') ? path + href : decoded(href)).split('#');
        // The client reads its address itself, and the files of pictures are beside the pages.
        if (page === '/docs/try') return [];
        const target = pages.get(page);
        return target === undefined || (fragment !== undefined && !idsOf(target).includes(fragment))
          ? [`${path}: ${href}`]
          : [];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('the pages of the docs have no id twice', () => {
    const twice = [...pages].flatMap(([path, text]) =>
      idsOf(text)
        .filter((id, index, ids) => ids.indexOf(id) !== index)
        .map((id) => `${path}#${id}`),
    );
    expect(twice).toEqual([]);
  });

  it('the pages of the docs have a title, one first heading and a description each', () => {
    for (const [path, text] of pages) {
      expect([path, text.split('<h1').length]).toEqual([path, 2]);
      expect([path, /<title>([^<]+) · Terse</.exec(text)?.[1]]).toEqual([path, expect.stringMatching(/\w/)]);
      expect([path, /name="description" content="([^"]*)"/.exec(text)?.[1]?.length]).toEqual([
        path,
        expect.any(Number),
      ]);
    }
    const titles = [...pages.values()].map((text) => /<title>([^<]+)</.exec(text)?.[1]);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('the pages of the docs keep those for operators apart', () => {
    const text = pages.get('/docs') ?? '';
    const [users = '', operators = ''] = text.split('<div class="apart">');
    for (const name of ['links', 'analytics', 'import', 'domains', 'webhooks', 'mcp', 'cli', 'api', 'quickstart'])
      expect(users).toContain(`href="/docs/${name}"`);
    for (const name of ['self-hosting', 'operations', 'on-one-machine', 'performance', 'figures'])
      expect([users.includes(`href="/docs/${name}"`), operators.includes(`href="/docs/${name}"`)]).toEqual([
        false,
        true,
      ]);
  });
});

describe('a guide', () => {
  it.each(GUIDES.map(({ file }) => file))('a guide has the headings of its file, at the same anchors: %s', (file) => {
    const ids = new Set(idsOf(pages.get(`/docs/${file}`) ?? ''));
    const [, ...fragments] = fragmentsOf(`docs/${file}.md`);
    expect(fragments.length).toBeGreaterThan(0);
    expect(fragments.filter((fragment) => !ids.has(fragment))).toEqual([]);
  });

  it.each(GUIDES.map(({ file }) => file))('a guide says in its first paragraph whom it is for: %s', (file) => {
    expect(readPage(`docs/${file}.md`)).toMatch(/^# .+\n\n(?:For |How |What |Where )/);
  });

  it('a guide has a page for each file in docs/', () => {
    const files = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    expect(GUIDES.map(({ file }) => `${file}.md`).toSorted()).toEqual(
      files.filter((name) => name !== 'design.md').toSorted(),
    );
  });

  it('a guide names a file of the repository as text', () => {
    expect(pages.get('/docs/mcp')).toContain('<code>docs/decisions/mcp.md</code>');
    expect(pages.get('/docs/mcp')).not.toContain('href="decisions');
  });

  it('a guide leads from the name of an operation to the reference', () => {
    expect(pages.get('/docs/domains')).toContain(
      '<a href="/docs/api/domains#add-domain"><code>POST /v1/domains</code></a>',
    );
  });
});

describe('the reference', () => {
  it.each(resources.map(({ name }) => name))(
    'the reference has every field, error and example of the operations: %s',
    (name) => {
      const { path, endpoints } = resources.find((resource) => resource.name === name)!;
      const text = decoded(pages.get(path) ?? '');
      expect(endpoints.length).toBeGreaterThan(0);
      for (const { method, path: of, operation } of endpoints) {
        const id = addressesOf(resources).get(`${method} ${of}`)?.split('#')[1];
        const section = text.split(`<section class="operation" id="${id}">`)[1]?.split('</section>')[0] ?? '';
        expect(section).toContain(operation.summary);
        for (const { name: parameter } of operation.parameters ?? [])
          expect(section).toContain(`<code>${parameter}</code>`);
        for (const field of fieldsOf(operation.requestBody?.content))
          expect([of, section.includes(`<code>${field}</code>`)]).toEqual([of, true]);
        for (const [status, { 'x-error-codes': codes = [] }] of Object.entries(operation.responses)) {
          expect(section).toContain(`<code>${status}</code>`);
          for (const code of codes) expect(section).toContain(`href="/docs/errors#${code}"`);
        }
        for (const language of ['curl', 'ts', 'py']) expect(section).toContain(`<pre class="${language}"`);
        expect(section).toContain(`href="/docs/try#tag/${path.split('/').at(-1)}/${method}${of}"`);
      }
    },
  );

  it('the reference is where the addresses of the former viewer lead, also those that have moved', () => {
    for (const { path, endpoints } of resources) {
      const resource = path.split('/').at(-1) ?? '';
      const former = ['campaigns', 'import-and-export', 'qr-codes'].includes(resource)
        ? [resource, 'managing-links']
        : [resource];
      for (const tag of former)
        for (const { method, path: of } of endpoints) {
          const [page = '', id = ''] = newAddressOf(`#tag/${tag}/${method}${encodeURI(of)}`)?.split('#') ?? [];
          expect([page, idsOf(pages.get(page) ?? '').includes(id)]).toEqual([path, true]);
        }
      expect(newAddressOf(`#tag/${resource}`)).toBe(path);
    }
    expect(newAddressOf('#model/ManagedLink')).toBe('/docs/api');
    expect(newAddressOf('#description/introduction')).toBe('/docs/api');
    for (const hash of ['', '#guides', '#%', '#tag/../x']) expect(newAddressOf(hash)).toBe(null);
  });

  function fieldsOf(types: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>> = {}) {
    const { schema } = types['application/json'] ?? Object.values(types)[0] ?? {};
    const name = schema?.$ref?.split('/').at(-1);
    return Object.keys(document.components.schemas[name ?? '']?.properties ?? {});
  }
});

describe('the search', () => {
  const search = indexOf(JSON.parse(read('assets/docs-index.json')));
  const paths = (words: string) => search(words).map(({ path }) => path);

  it.each([
    ['password', '/docs/links#password'],
    ['passwrod', '/docs/links#password'],
    ['qr', '/docs/links#qr-codes'],
    ['create short', '/docs/api/links#create-link'],
    ['slug_taken', '/docs/errors#slug_taken'],
    ['verify signature', '/docs/webhooks#verify-the-signature'],
    ['createLink', '/docs/api/links#create-link'],
  ])('the search finds %s at %s', (words, path) => {
    expect(paths(words)).toContain(path);
  });

  it('the search finds nothing for words that no section has', () => {
    expect(paths('zxqvbnm')).toEqual([]);
    expect(paths('password zxqvbnm')).toEqual([]);
  });

  it('the search leads to places that exist', () => {
    const sections = JSON.parse(read('assets/docs-index.json')) as [string, string, string, string][];
    const broken = sections.filter(([path]) => {
      const [page = '', id] = path.split('#');
      return !pages.has(page) || (id !== undefined && !idsOf(pages.get(page) ?? '').includes(id));
    });
    expect(broken.map(([path]) => path)).toEqual([]);
  });
});

it('a site whose origin is known has it in canonical addresses, cards and commands', async () => {
  const guides = Object.fromEntries(GUIDES.map(({ file }) => [`${file}.md`, readPage(`docs/${file}.md`)]));
  const files = await writeSite({ guides, document, origin: 'https://go.acme.example' });
  const text = files['docs/links.html'] ?? '';
  expect(text).toContain('<link rel="canonical" href="https://go.acme.example/docs/links"/>');
  expect(text).toMatch(/property="og:image" content="https:\/\/go\.acme\.example\/assets\/card\.\w+\.png"/);
  expect(files['docs/api/links.html']).toContain('curl https://go.acme.example/v1/links');
  expect(files['docs/quickstart.html']).not.toContain('localhost:8787/v1');
});

it('the files of the docs are small', () => {
  const gzipped = (name: string) => gzipSync(read(name)).length;
  expect(Buffer.byteLength(read('assets/docs.css'))).toBeLessThan(40_000);
  expect(gzipped('assets/docs.js')).toBeLessThan(3_000);
  expect(gzipped('assets/docs-search.js')).toBeLessThan(8_000);
  expect(gzipped('assets/docs-index.json')).toBeLessThan(110_000);
});
