import { ApiError } from './envelope.ts';
import type { Exports } from './object-state.ts';
import { newId, type Account, type Binding, type Module, type Script, type Version } from './state.ts';

/**
 * What Cloudflare does with the classes that a version exports:
 * https://developers.cloudflare.com/durable-objects/reference/durable-objects-migrations/. The codes are those that
 * wrangler knows (`packages/deploy-helpers/src/deploy/helpers/error-codes.ts`).
 */
export interface Reconciliation {
  readonly created: readonly string[];
  readonly updated: readonly [];
  readonly deleted: readonly [];
  readonly renamed: readonly [];
  readonly transferred: readonly [];
  readonly transfer_pending: readonly [];
  readonly warnings: readonly [];
  readonly info: readonly [];
  readonly removable_entries: readonly [];
}

/** The classes of a version's Durable Objects, sorted. */
export function classesOf(exports: Exports): string[] {
  const unknown = Object.entries(exports).find(([, { type, state = 'created' }]) => !isKnown(type, state));
  if (unknown !== undefined) throw new Error(`The stub does not know the export ${JSON.stringify(unknown)}.`);
  return Object.keys(exports).sort();
}

const isKnown = (type: string, state: string) => type === 'durable-object' && state === 'created';

const namespacesOf = ({ objectNamespaces }: Account, name: string) =>
  objectNamespaces.filter(({ script }) => script === name);

/**
 * Checks the bindings of an upload to the Worker's own classes. Throws code 10061 for a class that is not declared, and
 * 100406 for one whose namespace the upload of a version does not create.
 */
export function checkObjectBindings(
  account: Account,
  name: string,
  bindings: readonly Binding[],
  exports: Exports,
  isDeployed: boolean,
): void {
  const existing = new Set(namespacesOf(account, name).map((namespace) => namespace.class));
  const declared = classesOf(exports);
  for (const { type, class_name: wanted } of bindings) {
    if (type !== 'durable_object_namespace' || existing.has(String(wanted))) continue;
    if (!declared.includes(String(wanted))) {
      // https://github.com/cloudflare/workers-sdk/issues/10246
      const what = `Cannot create binding for class '${String(wanted)}' because it is not currently configured to implement Durable Objects.`;
      throw new ApiError(400, 10061, what);
    }
    if (!isDeployed) {
      const what = `A Durable Object binding references the class '${String(wanted)}', which is declared in \`exports\` but not yet provisioned.`;
      throw new ApiError(400, 100_406, what);
    }
  }
}

/** Throws code 100405 if versions that share the requests have other classes. */
export function checkSameExports(versions: readonly Version[]): void {
  if (new Set(versions.map(({ exports }) => classesOf(exports).join())).size <= 1) return;
  throw new ApiError(
    400,
    100_405,
    'All versions in a multi-version deployment must declare identical `exports`. Deploy the version that changes `exports` at 100% first, then split traffic.',
  );
}

/**
 * Creates the namespaces of new classes. Throws code 100402 if the code lacks a declared class, or if a namespace would
 * lose its class, which is also how a rollback across a new class is refused.
 */
export function reconcile(
  account: Account,
  { name }: Pick<Script, 'name'>,
  { exports, modules }: Pick<Version, 'exports' | 'modules'>,
): Reconciliation {
  const declared = classesOf(exports);
  const existing = namespacesOf(account, name).map((namespace) => namespace.class);
  const faults = [
    ...declared.filter((each) => !isExported(modules, each)).map((each) => faultOf(each, ...NOT_IN_CODE)),
    ...existing.filter((each) => !declared.includes(each)).map((each) => faultOf(each, ...ORPHANED)),
  ];
  if (faults.length > 0) throw new ApiError(400, 100_402, 'Durable Object exports reconciliation failed', faults);
  const created = declared.filter((each) => !existing.includes(each));
  for (const each of created) {
    account.objectNamespaces.push({
      id: newId(),
      name: `${name}_${each}`,
      script: name,
      class: each,
      use_sqlite: true,
    });
  }
  return { ...NOTHING, created };
}

const NOT_IN_CODE = ['config_references_nonexistent_class', 'is declared, but not exported by the code'] as const;
const ORPHANED = ['orphaned_provisioned_namespace', 'has a namespace, but no entry of `exports` declares it'] as const;

const faultOf = (name: string, scenario: string, what: string) => ({
  class: name,
  scenario,
  message: `Class '${name}' ${what}.`,
});

/** True if the main module exports a name, as far as the code of a bundler goes. */
function isExported([main]: readonly Module[], name: string): boolean {
  const source = main?.content.toString() ?? '';
  return new RegExp(String.raw`export\s*(?:class ${name}\b|\{[^}]*\b${name}\s*[,}])`).test(source);
}

const NOTHING: Omit<Reconciliation, 'created'> = {
  updated: [],
  deleted: [],
  renamed: [],
  transferred: [],
  transfer_pending: [],
  warnings: [],
  info: [],
  removable_entries: [],
};
