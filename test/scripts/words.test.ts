import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript-5';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/reference/document.ts';
import { avoidedIn, parseWords, proseOf } from '../support/words.ts';
import { PAGES, readPage } from './support/pages.ts';
import { ROOT } from './support/project.ts';

const WORDS_PAGE = 'docs/contributing/words.md';
const words = parseWords(readPage(WORDS_PAGE));

/** A page without the column "don't say". */
const withoutList = (path: string) =>
  path === WORDS_PAGE ? readPage(path).replaceAll(/^(\| .+? +\| .+? +)\| .+? +\|$/gm, '$1|') : readPage(path);

describe('the word list', () => {
  it('is read from its page, and finds a word in prose but not in code, a name or a quotation', () => {
    expect(words.everywhere.find(({ phrase }) => phrase === 'target')?.say).toBe('destination');
    expect(words.pages.map(({ phrase }) => phrase)).toEqual(['client', 'clients']);
    const found = (markdown: string) => avoidedIn(proseOf(markdown), words.everywhere);
    expect(found('The target\nof a link')).toEqual([expect.stringContaining('→ destination')]);
    expect(found('`target`, [a page](docs/target.md), "the target", target_url, `make` ✗')).toEqual([]);
  });

  it.each(PAGES)('is kept by %s', (path) => {
    expect(avoidedIn(proseOf(withoutList(path)), words.everywhere)).toEqual([]);
  });

  it('is kept by the comments of wrangler.toml, which explain the settings', () => {
    const comments = [...readPage('wrangler.toml').matchAll(/^# ?(.*)$/gm)].map(([, text]) => text).join('\n');
    expect(comments.length).toBeGreaterThan(2000);
    expect(avoidedIn(proseOf(comments), words.everywhere)).toEqual([]);
  });

  it('is kept by the descriptions of the API document', () => {
    const texts = descriptionsOf(JSON.parse(JSON.stringify(openApiDocument())));
    expect(texts.length).toBeGreaterThan(400);
    expect(texts.flatMap((text) => avoidedIn(proseOf(text), words.everywhere))).toEqual([]);
  });

  it.each(['src', 'scripts', 'bench', 'client', 'browser', 'public/assets'])(
    'is kept by the sentences in %s',
    (folder) => {
      const texts = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|m?js)$/.test(name) && !/\.d\.ts$|scalar/.test(name))
        // Their sentences are data of releases, which do not change.
        .filter((name) => join(folder, name) !== join('scripts/changelog', basename(name)))
        .flatMap((name) => sentencesOf(join(folder, name)));
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.flatMap((text) => avoidedIn(proseOf(text), words.everywhere))).toEqual([]);
    },
  );

  it('is kept by the pages of the platform, with the words for them alone', () => {
    const texts = readdirSync(join(ROOT, 'src/platform'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => sentencesOf(join('src/platform', name)));
    expect(texts.length).toBeGreaterThan(400);
    expect(texts.flatMap((text) => avoidedIn(proseOf(text), words.pages))).toEqual([]);
  });
});

/** All summaries and descriptions of a document. */
function descriptionsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    (name === 'summary' || name === 'description') && typeof inner === 'string' ? [inner] : descriptionsOf(inner),
  );
}

const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|EXISTS|WHERE|CASE|AS|AND|IS)\b/;

/**
 * The texts of a source file that a person may read: those of more than one word, and single ones with a capital. SQL
 * and what stands in `<code>` are not read. Where a value comes in, there is an `x`.
 */
function sentencesOf(path: string): string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : undefined;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'code') return;
    const text = textOf(node);
    if (text !== null && !SQL.test(text) && /[a-z][,.:;]? \S|^[A-Z][a-z]+$/.test(text)) texts.push(text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts;
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.trim().replaceAll(/\s+/g, ' ');
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x');
}
