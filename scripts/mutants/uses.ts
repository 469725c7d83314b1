import ts from 'typescript-5';
import { functionAt, functionsOf } from './functions.ts';
import { parse, type Mutant } from './mutate.ts';

/** The functions that use what a module declares at its top level. */

/** A function by its index in `functionsOf`; null for all of a file. */
export type Place = Pick<Mutant, 'file' | 'inFunction'>;

interface Named {
  readonly file: string;
  readonly name: string;
}

interface Sources {
  readonly textOf: (file: string) => string;
  readonly importers: ReadonlyMap<string, readonly string[]>;
}

/**
 * The places whose tests may notice a mutant. In a function these are the function, and the uses of what modules declare by
 * calling it as they are loaded, which only the first of several test files in a workerd does. At the top level these are
 * the functions that name what it is a part of, in its file and in others that import it; and those that name what is
 * declared with these, and so on. All functions of the file, and of its importers, if it is a part of nothing that has a
 * name.
 */
export function placesOf({ file, inFunction, start }: Omit<Mutant, 'replacement'>, sources: Sources): readonly Place[] {
  const names = namesAround(parse(file, sources.textOf(file)), start).map((name) => ({ file, name }));
  if (inFunction !== null) return [{ file, inFunction }, ...usesOf(names.flatMap(initializedBy(sources)), sources)];
  const found = usesOf(names, sources);
  if (found.length > 0) return found;
  return [file, ...(sources.importers.get(file) ?? [])].map((each) => ({ file: each, inFunction: null }));
}

/** The names whose values modules get by the use of a name as they are loaded. */
const initializedBy =
  ({ textOf, importers }: Sources) =>
  (named: Named): Named[] => {
    const isVisible = isExported(parse(named.file, textOf(named.file)), named.name);
    const users = isVisible ? (importers.get(named.file) ?? []) : [];
    const locals = users.flatMap((file) =>
      localNamesOf(parse(file, textOf(file)), named.name).map((name) => ({ file, name })),
    );
    return [named, ...locals].flatMap(({ file, name }) => {
      const source = parse(file, textOf(file));
      const functions = functionsOf(source);
      const atLoad = identifiersOf(source, name).filter((at) => functionAt(functions, at) === null);
      const declared = new Set(atLoad.flatMap((at) => namesAround(source, at)));
      return [...declared].filter((each) => each !== name).map((each) => ({ file, name: each }));
    });
  };

/** None if a statement without a name uses one of them, which runs when its module is loaded. */
function usesOf(names: readonly Named[], { textOf, importers }: Sources): Place[] {
  const places = new Map<string, Place>();
  const rest = [...names];
  const seen = new Set<string>();
  for (let next; (next = rest.pop());) {
    const { file, name } = next;
    const id = `${file} ${name}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const source = parse(file, textOf(file));
    const functions = functionsOf(source);
    for (const at of identifiersOf(source, name)) {
      const inFunction = functionAt(functions, at);
      if (inFunction !== null) {
        places.set(`${file}#${inFunction}`, { file, inFunction });
        continue;
      }
      const around = namesAround(source, at);
      if (around.length === 0) return [];
      rest.push(...around.map((each) => ({ file, name: each })));
    }
    if (!isExported(source, name)) continue;
    for (const importer of importers.get(file) ?? []) {
      for (const local of localNamesOf(parse(importer, textOf(importer)), name))
        rest.push({ file: importer, name: local });
    }
  }
  return [...places.values()];
}

/** The places where a file names something, except for where it is imported or exported. */
function identifiersOf(source: ts.SourceFile, name: string): number[] {
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isIdentifier(node) && node.text === name) found.push(node.getStart(source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The names under which a file may know a name of a module: that and its own for it. */
function localNamesOf(source: ts.SourceFile, name: string): string[] {
  if (!source.text.includes(name) && !source.text.includes('export *')) return [];
  const others: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) && node.propertyName?.text === name)
      others.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  for (const statement of source.statements)
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) visit(statement);
  return [name, ...others];
}

/** The names that the declaration around a place at the top level declares. */
function namesAround(source: ts.SourceFile, at: number): string[] {
  const isAround = (node: ts.Node) => node.getStart(source) <= at && at < node.end;
  const statement = source.statements.find(isAround);
  return statement === undefined ? [] : namesOf(statement, isAround);
}

function isExported(source: ts.SourceFile, name: string): boolean {
  return source.statements.some((statement) => {
    if (ts.isExportDeclaration(statement)) return !statement.exportClause || statement.getText(source).includes(name);
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    return modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) && namesOf(statement).includes(name);
  });
}

/** The names that a statement declares, or those of some of its declarations. */
function namesOf(statement: ts.Statement, isWanted = (_declaration: ts.Node) => true): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.filter(isWanted).flatMap(({ name }) => boundNamesOf(name));
  const isNamed = ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement) || isType(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
}

const isType = (node: ts.Node): node is ts.TypeAliasDeclaration | ts.InterfaceDeclaration =>
  ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

function boundNamesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNamesOf(element.name) : []));
}
