import ts from 'typescript-5';
import { functionAt, functionsOf } from './functions.ts';

/** Small changes of a source file that a test should notice. */

export const KINDS = ['comparison', 'constant', 'statement', 'condition', 'return'] as const;
export type Kind = (typeof KINDS)[number];

export interface Mutant {
  /** The source file's path in the project. */
  readonly file: string;
  readonly kind: Kind;
  /** From where to where the text is replaced, as offsets. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The number of the line, from 1. */
  readonly line: number;
  /** The innermost function that it is in, by its index in `functionsOf`. Null at the top level of the module. */
  readonly inFunction: number | null;
}

/** The replacements of each comparison: its opposite, and one that differs only where both sides are equal. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['>=', '<='],
  '<=': ['>', '<'],
  '>': ['<=', '>='],
  '>=': ['<', '>'],
};

/** A factor that is at least so large is doubled: a second of 1,001 milliseconds is no fault that anyone sees. */
const LARGE_FACTOR = 10;

const JOINTS: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

type Edit = Pick<Mutant, 'kind' | 'start' | 'end' | 'replacement'>;

/** All mutants of a source file. Types, imports, texts and what only documents a field have none. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = parse(file, text);
  const functions = functionsOf(source);
  const edits: Edit[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || isDocumentation(node)) return;
    edits.push(...editsOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits.map((edit) => ({
    ...edit,
    file,
    line: source.getLineAndCharacterOfPosition(edit.start).line + 1,
    inFunction: functionAt(functions, edit.start),
  }));
}

/** True for what is given to `meta` of a schema, as the API document shows it. */
function isDocumentation(node: ts.Node): boolean {
  const { parent } = node;
  if (parent === undefined || !ts.isCallExpression(parent) || node === parent.expression) return false;
  const { expression } = parent;
  return ts.isPropertyAccessExpression(expression) && expression.name.text === 'meta';
}

/** The text of a file with a mutant. */
export function withMutant(text: string, { start, end, replacement }: Edit): string {
  return `${text.slice(0, start)}${replacement}${text.slice(end)}`;
}

/** The changed lines of a mutant, as a diff has them. */
export function diffOf(text: string, mutant: Edit): string {
  const from = text.lastIndexOf('\n', mutant.start - 1) + 1;
  const to = text.indexOf('\n', mutant.end);
  const changed = withMutant(text, mutant);
  const before = text.slice(from, to === -1 ? undefined : to);
  const after = changed.slice(from, to === -1 ? undefined : to + changed.length - text.length);
  return [...marked('-', before), ...marked('+', after)].join('\n');
}

const marked = (sign: string, lines: string) => lines.split('\n').map((line) => `${sign} ${line}`);

export function parse(file: string, text: string): ts.SourceFile {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
}

function editsOf(node: ts.Node, source: ts.SourceFile): Edit[] {
  const replace = (kind: Kind, replaced: ts.Node, replacement: string): Edit[] => [
    { kind, start: replaced.getStart(source), end: replaced.end, replacement },
  ];
  if (ts.isBinaryExpression(node)) {
    const operator = node.operatorToken.getText(source);
    const others = OTHERS[operator];
    if (others !== undefined) return others.flatMap((other) => replace('comparison', node.operatorToken, other));
    const joint = JOINTS[operator];
    return joint === undefined ? [] : replace('condition', node.operatorToken, joint);
  }
  const constant = otherConstant(node, source);
  if (constant !== null) return replace('constant', node, constant);
  if (isRemovable(node)) return replace('statement', node, ';');
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return negated(node.expression);
  if (ts.isConditionalExpression(node)) return negated(node.condition);
  if (ts.isReturnStatement(node) && node.expression) return returned(node.expression);
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return returned(node.body);
  return [];

  function negated(condition: ts.Expression): Edit[] {
    return replace('condition', condition, `!(${condition.getText(source)})`);
  }

  function returned(value: ts.Expression): Edit[] {
    if (value.kind === ts.SyntaxKind.NullKeyword || value.getText(source) === 'undefined') return [];
    const isTruth = ts.isPrefixUnaryExpression(value) || (ts.isBinaryExpression(value) && isBoolean(value));
    return replace('return', value, isTruth ? `!(${value.getText(source)})` : 'undefined');
  }

  function isBoolean({ operatorToken }: ts.BinaryExpression): boolean {
    const operator = operatorToken.getText(source);
    return operator in OTHERS || operator in JOINTS;
  }
}

function otherConstant(node: ts.Node, source: ts.SourceFile): string | null {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return 'false';
  if (node.kind === ts.SyntaxKind.FalseKeyword) return 'true';
  if (!ts.isNumericLiteral(node)) return null;
  // The name of a field may be a number too.
  const isName = ts.isPropertyAssignment(node.parent) && node.parent.name === node;
  if (isName) return null;
  const number = node.getText(source);
  return isFactor(node) && Number(node.text) >= LARGE_FACTOR ? `(${number} * 2)` : `(${number} + 1)`;
}

const isFactor = ({ parent }: ts.Node): boolean =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AsteriskToken;

/** Calls and assignments whose value is not used, and errors that are thrown. */
function isRemovable(node: ts.Node): boolean {
  if (ts.isThrowStatement(node)) return true;
  if (!ts.isExpressionStatement(node)) return false;
  const { expression } = node;
  const isSuper = ts.isCallExpression(expression) && expression.expression.kind === ts.SyntaxKind.SuperKeyword;
  return !isSuper && !ts.isStringLiteral(expression);
}
