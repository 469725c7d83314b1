import { ApiError } from './envelope.ts';
import type { Exports } from './object-state.ts';
import {
  newUuid,
  now,
  type Account,
  type Binding,
  type Module,
  type Script,
  type Source,
  type Version,
} from './state.ts';

/**
 * The form by which a version of a Worker is uploaded:
 * https://developers.cloudflare.com/workers/configuration/multipart-upload-metadata/
 */
export interface Metadata {
  readonly main_module?: string;
  readonly bindings?: readonly Binding[];
  readonly exports?: Exports;
  readonly keep_bindings?: readonly string[];
  readonly keep_assets?: boolean;
  readonly assets?: { readonly jwt: string; readonly config?: Readonly<Record<string, unknown>> };
  readonly compatibility_date?: string;
  readonly compatibility_flags?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
}

/** Reads the metadata of an upload. Throws code 10021 if they are missing or are not JSON. */
export async function metadataOf(form: FormData): Promise<Metadata> {
  const field: unknown = form.get('metadata');
  try {
    return JSON.parse(field instanceof Blob ? await field.text() : String(field)) as Metadata;
  } catch {
    throw new ApiError(400, 10021, 'Uncaught Error: the part "metadata" is missing or is not JSON');
  }
}

/** The modules of an upload, the main one first. Source maps are left out, since the stub shows no stack traces. */
export async function modulesOf(form: FormData, { main_module: main }: Metadata): Promise<Module[]> {
  const files = [...form].flatMap(([name, value]: [string, unknown]) =>
    name !== 'metadata' && value instanceof File && value.type !== 'application/source-map' ? [{ name, value }] : [],
  );
  const modules = await Promise.all(
    files.map(async ({ name, value }) => ({
      name,
      type: value.type,
      content: Buffer.from(await value.arrayBuffer()),
    })),
  );
  if (!modules.some(({ name }) => name === main)) {
    throw new ApiError(400, 10021, `No such module "${main}"`);
  }
  return modules.toSorted((a, b) => Number(b.name === main) - Number(a.name === main));
}

/** The bindings of a new version: those of the upload, and those that it inherits from the latest version. */
export function bindingsOf(account: Account, script: Script | undefined, metadata: Metadata): Binding[] {
  const former = script?.versions.at(-1)?.bindings ?? [];
  const given = (metadata.bindings ?? []).map((binding) => {
    if (binding.type !== 'inherit') return binding;
    const kept = former.find(({ name }) => name === binding.name);
    // wrangler knows this code and this beginning (`handleMissingSecretsError`).
    if (kept === undefined) {
      throw new ApiError(400, 10057, `inherit binding '${binding.name}' is invalid, there is no such binding`);
    }
    return kept;
  });
  const names = new Set(given.map(({ name }) => name));
  const kept = former.filter(({ name, type }) => !names.has(name) && metadata.keep_bindings?.includes(type));
  for (const binding of given) check(account, binding);
  return [...given, ...kept];
}

// The codes are from https://github.com/alchemy-run/distilled/pull/365, which got them from the API.
function check({ namespaces, databases, queues }: Account, { name, type, ...binding }: Binding): void {
  const { namespace_id: namespace, id, queue_name: queue } = binding;
  if (type === 'kv_namespace' && !namespaces.some((each) => each.id === namespace)) {
    throw new ApiError(400, 10041, `KV namespace '${String(namespace)}' not found.`);
  }
  if (type === 'd1' && !databases.some(({ uuid }) => uuid === id)) {
    throw new ApiError(400, 10181, `D1 binding '${name}' references database '${String(id)}' which was not found.`);
  }
  if (type === 'queue' && !queues.some(({ queue_name }) => queue_name === queue)) {
    throw new ApiError(400, 11000, `Queue '${String(queue)}' was not found.`);
  }
  if (!KNOWN_TYPES.has(type)) throw new Error(`The stub does not know bindings of the type ${type}.`);
}

const KNOWN_TYPES = new Set([
  'assets',
  'd1',
  'durable_object_namespace',
  'json',
  'kv_namespace',
  'plain_text',
  'queue',
  'ratelimit',
  'secret_text',
  'send_email',
  'version_metadata',
]);

/** The parts that a new version has of its own; the rest it gets when it is added. */
type VersionParts = Pick<
  Version,
  'modules' | 'bindings' | 'exports' | 'assets' | 'annotations' | 'compatibility_date' | 'compatibility_flags'
>;

/** Adds a version to a Worker. */
export function addVersion(script: Script, source: Source, parts: VersionParts): Version {
  const version: Version = {
    ...parts,
    id: newUuid(),
    number: script.versions.length + 1,
    created_on: now(),
    source,
  };
  script.versions.push(version);
  return version;
}

/** Adds a Worker without versions to an account. */
export function addScript(account: Account, name: string, tag: string): Script {
  const script: Script = {
    name,
    tag,
    created_on: now(),
    versions: [],
    deployments: [],
    workersDev: { enabled: false, previews_enabled: false },
    schedules: [],
    settings: { logpush: false, observability: { enabled: false }, tags: [], tail_consumers: [] },
  };
  account.scripts.set(name, script);
  return script;
}
