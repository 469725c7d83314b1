import ts from 'typescript-5';

/** A function of the sources. */
export interface TracedFunction {
  /** From the project's folder, such as `src/links/slugs/slug.ts`. */
  readonly file: string;
  /** Such as `createLink` or `Memory.find`; a function without a name of its own is `in` the one that has it. */
  readonly name: string;
}

/** The module that the changed code imports, and its function. */
export const RECORDER = 'terse:recorder';
const ENTER = '$enter';

interface Insertion {
  readonly at: number;
  readonly text: string;
  readonly isEnd: boolean;
}

type WithBody = ts.FunctionLikeDeclaration & { readonly body: ts.ConciseBody };

/**
 * Changes JavaScript so that each of its functions reports each call as its first step. Functions of a module and
 * methods also report what they were called with; a closure does not, since what it returns depends on where it was
 * created.
 *
 * @param add takes the name of a function, and returns its number
 */
export function instrument(code: string, add: (name: string) => number): string {
  const source = ts.createSourceFile('module.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const insertions: Insertion[] = [];
  visit(source);
  return insert(code, insertions) + `\nimport { enter as ${ENTER} } from '${RECORDER}';\n`;

  function visit(node: ts.Node): void {
    if (hasBody(node)) report(node);
    ts.forEachChild(node, visit);
  }

  function report(node: WithBody): void {
    const id = add(nameOf(node));
    const isClosure = functionAround(node) !== undefined;
    if (ts.isArrowFunction(node)) {
      // The parameters stay as they are, with their patterns and defaults.
      const call = isClosure ? `${ENTER}(${id})` : `${ENTER}(${id}, $given)`;
      insertions.push({ at: node.getStart(), text: `(...$given) => (${call}, `, isEnd: false });
      insertions.push({ at: node.getEnd(), text: ')(...$given)', isEnd: true });
      return;
    }
    // A constructor of a derived class has no `this` yet.
    const own = ts.isConstructorDeclaration(node) ? '' : ', this';
    const call = isClosure ? `${ENTER}(${id});` : `${ENTER}(${id}, arguments${own});`;
    insertions.push({ at: node.body.getStart() + 1, text: call, isEnd: false });
  }
}

/** Inserts texts into code. At one place, the last function to begin ends first, and ends come before beginnings. */
function insert(code: string, insertions: readonly Insertion[]): string {
  const ordered = insertions
    .map((each, order) => ({ ...each, order }))
    .toSorted(
      (a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? b.order - a.order : a.order - b.order),
    );
  let out = '';
  let from = 0;
  for (const { at, text } of ordered) {
    out += code.slice(from, at) + text;
    from = at;
  }
  return out + code.slice(from);
}

function hasBody(node: ts.Node): node is WithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
}

function functionAround(node: ts.Node): WithBody | undefined {
  return ts.findAncestor(node.parent, hasBody);
}

function nameOf(node: WithBody): string {
  const { parent } = node;
  if (ts.isClassLike(parent)) {
    const owner = parent.name?.getText() ?? 'class';
    return ts.isConstructorDeclaration(node) ? `new ${owner}` : `${owner}.${node.name?.getText()}`;
  }
  const named = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent : node;
  const own = named.name?.getText();
  if (own !== undefined) return own;
  const outer = ts.findAncestor(parent, (each) => hasBody(each) || ts.isVariableDeclaration(each));
  if (outer === undefined) return 'module';
  const around = hasBody(outer) ? nameOf(outer) : outer.name.getText();
  return around.startsWith('in ') ? around : `in ${around}`;
}
