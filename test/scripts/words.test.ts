import { describe, expect, it } from 'vitest';
import english from '../../src/languages/platform/en.ts';
import { openApiDocument } from '../../scripts/reference/document.ts';
import { avoidedIn, parseWords, proseOf } from '../support/words.ts';
import { commentsOf, declaredNamesOf, sentencesOf, sourcesIn, testNamesOf } from './support/code-texts.ts';
import { PAGES, readPage } from './support/pages.ts';

const WORDS_PAGE = 'docs/contributing/words.md';
const words = parseWords(readPage(WORDS_PAGE));

/** A page without the column "don't say". */
const withoutList = (path: string) =>
  path === WORDS_PAGE ? readPage(path).replaceAll(/^(\| .+? +\| .+? +)\| .+? +\|$/gm, '$1|') : readPage(path);

describe('the word list', () => {
  it('the word list is read from its page, and finds a word in prose but not in code, a name or a quotation', () => {
    expect(words.everywhere.find(({ phrase }) => phrase === 'target')?.say).toBe('destination');
    expect(words.pages.map(({ phrase }) => phrase)).toEqual(
      expect.arrayContaining(['client', 'clients', 'credential']),
    );
    const found = (markdown: string) => avoidedIn(proseOf(markdown), words.everywhere);
    expect(found('The target\nof a link')).toEqual([expect.stringContaining('→ destination')]);
    expect(found('`target`, [a page](docs/target.md), "the target", target_url, `make` ✗')).toEqual([]);
  });

  it.each(PAGES)('the word list is kept by %s', (path) => {
    expect(avoidedIn(proseOf(withoutList(path)), words.everywhere)).toEqual([]);
  });

  it('the word list is kept by the comments of wrangler.toml, which explain the settings', () => {
    const comments = [...readPage('wrangler.toml').matchAll(/^# ?(.*)$/gm)].map(([, text]) => text).join('\n');
    expect(comments.length).toBeGreaterThan(2000);
    expect(avoidedIn(proseOf(comments), words.everywhere)).toEqual([]);
  });

  it('the word list is kept by the descriptions of the API document', () => {
    const texts = descriptionsOf(JSON.parse(JSON.stringify(openApiDocument())));
    expect(texts.length).toBeGreaterThan(400);
    expect(texts.flatMap((text) => avoidedIn(proseOf(text), words.everywhere))).toEqual([]);
  });

  it.each(['src', 'scripts', 'bench', 'cli', 'browser', 'public/assets'])(
    'the word list is kept by the sentences in %s',
    (folder) => {
      const texts = sourcesIn(folder).flatMap(sentencesOf);
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.flatMap((text) => avoidedIn(proseOf(text), words.everywhere))).toEqual([]);
    },
  );

  it('the word list is kept by the pages of the platform, with the words for them alone', () => {
    const texts = Object.values(english).flatMap((group) => Object.values(group));
    expect(texts.length).toBeGreaterThan(1500);
    expect(texts.flatMap((text) => avoidedIn(proseOf(text), words.pages))).toEqual([]);
  });

  it('the word list is kept by the comments of schema.sql', () => {
    const comments = [...readPage('schema.sql').matchAll(/^\s*-- ?(.*)$/gm)].map(([, text]) => text).join('\n');
    expect(comments.length).toBeGreaterThan(2000);
    expect(avoidedIn(proseOf(comments), [...words.everywhere, ...words.comments])).toEqual([]);
  });

  it.each(['.github/ISSUE_TEMPLATE/bug.yml', '.github/ISSUE_TEMPLATE/feature.yml', '.github/pull_request_template.md'])(
    'the word list is kept by %s',
    (path) => {
      expect(avoidedIn(proseOf(readPage(path)), words.everywhere)).toEqual([]);
    },
  );
});

describe('the words for comments and names of tests', () => {
  it('the words for comments and names of tests are read from a comment and from a name, not from code', () => {
    expect(words.comments.map(({ phrase }) => phrase)).toContain('told apart');
    const [comment] = commentsOf('test/scripts/support/code-texts.ts');
    expect(comment).toEqual({
      line: 6,
      isDocstring: true,
      text: expect.stringMatching(/^ ?Texts of source files that people read/),
    });
    expect(testNamesOf('test/scripts/words.test.ts')).toContain('the word list is kept by %s');
  });

  it.each(['src', 'scripts', 'bench', 'cli', 'browser', 'test'])(
    'the words for comments and names of tests are kept by the comments in %s',
    (folder) => {
      const comments = sourcesIn(folder).flatMap((path) => commentsOf(path).map((comment) => ({ path, ...comment })));
      expect(comments.length).toBeGreaterThan(0);
      const found = comments.flatMap(({ path, line, text }) =>
        avoidedIn(proseOf(text), words.comments).map((hit) => `${path}:${line} ${hit}`),
      );
      expect(found).toEqual([]);
    },
  );

  it('the words for comments and names of tests are kept by the names of tests', () => {
    const names = testNames();
    expect(names.length).toBeGreaterThan(3000);
    const found = names.flatMap(({ path, name }) =>
      avoidedIn(proseOf(name), words.comments).map((hit) => `${path} ${hit}`),
    );
    expect(found).toEqual([]);
  });
});

describe('the names of tests', () => {
  it('names of tests do not begin with a word that needs another name before it', () => {
    expect(words.beginnings).toEqual(expect.arrayContaining(['and', 'the same', 'those', 'that', 'is']));
    const found = words.beginnings.flatMap((word) =>
      testNames().filter(({ name }) => begins(word, name.toLowerCase())),
    );
    expect(found).toEqual([]);
  });

  it('names of tests begin in lower case, except for proper names', () => {
    const isLower = (name: string) =>
      !/^[A-Z]/.test(name) || isAcronym(name) || PROPER.some((word) => begins(word, name));
    expect(testNames().filter(({ name }) => !isLower(name))).toEqual([]);
  });
});

const PROPER = ['Back', 'Basic', "Cloudflare's", 'Durable', 'Forwarded'];

/** True for a setting, a header, a method or an abbreviation at the beginning of a name. */
const isAcronym = (name: string) => /^[A-Z][A-Z\d_-]|^[A-Z]\S*-/.test(name);

const begins = (word: string, name: string) => name === word || name.startsWith(`${word} `);

let named: readonly { readonly path: string; readonly name: string }[] | undefined;

/** The names of all tests and their groups, each with its file. */
const testNames = () =>
  (named ??= sourcesIn('test').flatMap((path) => testNamesOf(path).map((name) => ({ path, name }))));

const SOURCES = ['src', 'scripts', 'bench', 'cli', 'browser'];

const allSources = () => SOURCES.flatMap(sourcesIn);

/** Errors of a docstring that begins with a word to avoid there. */
const badBeginningsOf = (text: string) =>
  words.docstrings
    .filter(({ phrase }) => text.trimStart().startsWith(`${phrase} `))
    .map(({ phrase, say }) => `${phrase} → ${say}`);

/** Errors of a comment; "each of which" and its like are plain English. */
const badRelationsOf = (text: string) =>
  avoidedIn(
    proseOf(text).replaceAll(
      /\b(?:all|any|call|each|either|few|first|last|many|most|neither|none|one|ones|several|some) of which\b/g,
      'which',
    ),
    words.sources,
  );

describe('the words for comments and names in sources', () => {
  it('a docstring that begins without its subject is found, and one with its subject is not', () => {
    expect(badBeginningsOf(' Whether a host is one.')).toEqual([expect.stringContaining('Whether → True if')]);
    expect(badBeginningsOf('The same without the path.')).toHaveLength(1);
    expect(badBeginningsOf('True if a host is one, whether or not it has a port.')).toEqual([]);
    expect(badRelationsOf('Rows, of which the first counts.')).toHaveLength(1);
    expect(badRelationsOf('Rows, each of which counts.')).toEqual([]);
  });

  it('the words for the beginning of docstrings are kept', () => {
    const docstrings = allSources().flatMap((path) =>
      commentsOf(path).flatMap(({ line, text, isDocstring }) => (isDocstring ? [{ path, line, text }] : [])),
    );
    expect(docstrings.length).toBeGreaterThan(3000);
    const found = docstrings.flatMap(({ path, line, text }) =>
      badBeginningsOf(text).map((hit) => `${path}:${line} ${hit}`),
    );
    expect(found).toEqual([]);
  });

  it('the words for comments of sources are kept', () => {
    const found = allSources().flatMap((path) =>
      commentsOf(path).flatMap(({ line, text }) => badRelationsOf(text).map((hit) => `${path}:${line} ${hit}`)),
    );
    expect(found).toEqual([]);
  });

  it('what a server sends back is a response in names too', () => {
    // Answers to a question: of a person, or of DNS (RFC 1035).
    const others = new Set([
      'src/network/dns.ts',
      'scripts/edge/certificates.ts',
      'src/platform/links/import/question-page.tsx',
    ]);
    expect(declaredNamesOf('src/network/dns.ts')).toContain('answersOf');
    const paths = allSources().filter((path) => !others.has(path));
    const found = paths.flatMap((path) =>
      [path, ...declaredNamesOf(path)].filter((name) => /answer/i.test(name)).map((name) => `${path} ${name}`),
    );
    expect(found).toEqual([]);
  });
});

/** All summaries and descriptions of a document. */
function descriptionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'summary' || name === 'description') && typeof inner === 'string' ? [inner] : descriptionsOf(inner),
  );
}
