import ts from 'typescript-5';

/** The functions of a source file, by which is recorded what a test executes. */

interface FunctionRange {
  readonly start: number;
  readonly end: number;
  readonly body: ts.ConciseBody;
}

/** All functions with a body, in the order of the text. */
export function functionsOf(source: ts.SourceFile): FunctionRange[] {
  const found: FunctionRange[] = [];
  const visit = (node: ts.Node): void => {
    const body = ts.isFunctionLike(node) && 'body' in node ? node.body : undefined;
    if (body) found.push({ start: node.getStart(source), end: node.end, body });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The index of the innermost function around a place; null if there is none. */
export function functionAt(functions: readonly FunctionRange[], at: number): number | null {
  // An inner function comes after the one that it is in.
  const index = functions.findLastIndex(({ start, end }) => start <= at && at < end);
  return index === -1 ? null : index;
}

/**
 * The text of a source file whose functions say that they were called: each adds `FILE#INDEX` to the set of the name
 * `global` in `globalThis`. Its lines stay what they are.
 */
export function instrumented(source: ts.SourceFile, global: string): string {
  const insertions = functionsOf(source).flatMap(({ body }, index) => {
    const call = `globalThis.${global}?.add(${JSON.stringify(`${source.fileName}#${index}`)})`;
    if (ts.isBlock(body)) return [{ at: body.getStart(source) + 1, text: ` ${call};` }];
    return [
      { at: body.getStart(source), text: `(${call}, ` },
      { at: body.end, text: ')' },
    ];
  });
  let text = source.text;
  // From the end, so that offsets stay valid; at one place, what ends an inner function comes first.
  for (const { at, text: inserted } of insertions.toSorted((one, other) => other.at - one.at)) {
    text = `${text.slice(0, at)}${inserted}${text.slice(at)}`;
  }
  return text;
}
