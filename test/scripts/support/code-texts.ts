import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript-5';
import { ROOT } from './project.ts';

/** Texts of source files that people read: sentences in strings, comments, and names of tests. */

const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|EXISTS|WHERE|CASE|AS|AND|IS)\b/;

/** The source files below a folder, as paths in the project; without those that are generated. */
export function sourcesIn(folder: string): string[] {
  return (
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|m?js)$/.test(name) && !/\.d\.ts$|scalar|(?:^|\/)(?:dist|node_modules)\//.test(name))
      // Their sentences are data of releases, which do not change.
      .filter((name) => join(folder, name) !== join('scripts/changelog', basename(name)))
      .map((name) => join(folder, name))
  );
}

/**
 * The texts of a source file that a person may read: those of more than one word, and single ones with a capital. SQL
 * and what stands in `<code>` are not read. Where a value comes in, there is an `x`.
 */
export function sentencesOf(path: string): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'code') return;
    const text = textOf(node);
    if (text !== null && !SQL.test(text) && /[a-z][,.:;]? \S|^[A-Z][a-z]+$/.test(text)) texts.push(text);
    ts.forEachChild(node, visit);
  };
  visit(parse(path));
  return texts;
}

interface Comment {
  /** The number of its first line. */
  readonly line: number;
  readonly text: string;
  readonly isDocstring: boolean;
}

const comments = new Map<string, readonly Comment[]>();

/** The comments of a source file. */
export function commentsOf(path: string): readonly Comment[] {
  const known = comments.get(path) ?? readComments(path);
  comments.set(path, known);
  return known;
}

function readComments(path: string): Comment[] {
  const file = parse(path);
  const literals: ts.TextRange[] = [];
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) literals.push({ pos: ts.isJsxText(node) ? node.pos : node.getStart(file), end: node.end });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return commentsOutside(literals, file.text).map(({ index, text }) => ({
    line: file.getLineAndCharacterOfPosition(index).line + 1,
    text: text.replaceAll(/^\s*(?:\/\*\*?|\/\/|\*\/?) ?|\s*\*\/$/gm, ''),
    isDocstring: text.startsWith('/**'),
  }));
}

/** The names of variables, parameters, functions, classes and types that a source file declares; not of properties. */
export function declaredNamesOf(path: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (hasOwnName(node) && ts.isIdentifier(node.name)) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(path));
  return names;
}

const hasOwnName = (node: ts.Node): node is ts.Node & { readonly name: ts.Node } =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isTypeParameterDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ((ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) && node.name !== undefined);

// What looks like a comment anywhere else is one. To ask TypeScript for the comments of each token takes ten times as long.
const isLiteral = (node: ts.Node) =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isJsxText(node);

/** @param literals in the order of the text */
function commentsOutside(literals: readonly ts.TextRange[], text: string) {
  const found: { readonly index: number; readonly text: string }[] = [];
  const pattern = /\/\/.*|\/\*[^]*?\*\//g;
  let next = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index } = match;
    while ((literals[next]?.end ?? Infinity) <= index) next += 1;
    const literal = literals[next];
    if (literal && literal.pos <= index) pattern.lastIndex = literal.end;
    else found.push({ index, text: match[0] });
  }
  return found;
}

const TESTS = new Set(['it', 'test', 'describe']);

/** The names of the tests of a file. Where a value comes in, there is an `x`. */
export function testNamesOf(path: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TESTS.has(calledOf(node.expression))) {
      const [name] = node.arguments;
      const text = name ? textOf(name) : null;
      if (text !== null) names.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(parse(path));
  return names;
}

/** The first name of `it`, `it.each(…)`, `describe.skipIf(…).each(…)`. */
function calledOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) ? calledOf(node.expression) : '';
}

const parsed = new Map<string, ts.SourceFile>();

function parse(path: string): ts.SourceFile {
  const known = parsed.get(path);
  if (known) return known;
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : undefined;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true, kind);
  parsed.set(path, file);
  return file;
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isJsxText(node)) return node.text.trim().replaceAll(/\s+/g, ' ');
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x');
}
