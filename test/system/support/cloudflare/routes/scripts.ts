import { formOf, jsonOf, scriptOf, sourceOf, type Call, type Routes } from '../call.ts';
import { deployVersion } from '../deployments.ts';
import { ApiError } from '../envelope.ts';
import { checkObjectBindings, reconcile, type Reconciliation } from '../objects.ts';
import type { Runtime } from '../runtime.ts';
import { newId, type Account, type Binding, type Script, type Version } from '../state.ts';
import { addScript, addVersion, bindingsOf, metadataOf, modulesOf } from '../upload.ts';
import { assetsOf } from './assets.ts';

/** Workers: https://developers.cloudflare.com/api/resources/workers/subresources/scripts/ */
export function scriptRoutes(runtime: Runtime): Routes {
  return {
    'GET /accounts/:account/workers/scripts': ({ account }) =>
      [...account.scripts.values()].map((script) => presentScript(script)),

    'PUT /accounts/:account/workers/scripts/:script': async (call) => {
      const { script, version, reconciliation } = await upload(call, runtime, true);
      deployVersion(script, version, version.source, 'upload');
      return {
        ...presentScript(script),
        startup_time_ms: STARTUP_MS,
        ...(reconciliation !== null && { exports_reconciliation: reconciliation }),
      };
    },

    'DELETE /accounts/:account/workers/scripts/:script': (call) => {
      const { name } = scriptOf(call);
      const { scripts, objectNamespaces } = call.account;
      scripts.delete(name);
      objectNamespaces.splice(0, Infinity, ...objectNamespaces.filter(({ script }) => script !== name));
      return null;
    },

    'GET /accounts/:account/workers/services/:script': (call) => {
      const script = call.account.scripts.get(call.params['script'] ?? '');
      // Another code than for scripts; wrangler knows both.
      if (script === undefined) throw new ApiError(404, 10090, 'workers.api.error.service_not_found');
      const environment = { environment: 'production', created_on: script.created_on, script: presentScript(script) };
      return { id: script.name, default_environment: environment, environments: [environment] };
    },

    'GET /accounts/:account/workers/scripts/:script/settings': (call) => {
      const script = scriptOf(call);
      const latest = script.versions.at(-1);
      return {
        ...script.settings,
        bindings: latest?.bindings.map(presentBinding) ?? [],
        compatibility_date: latest?.compatibility_date,
        compatibility_flags: latest?.compatibility_flags,
        usage_model: 'standard',
      };
    },

    'GET /accounts/:account/workers/scripts/:script/script-settings': (call) => scriptOf(call).settings,

    'PATCH /accounts/:account/workers/scripts/:script/script-settings': (call) =>
      Object.assign(scriptOf(call).settings, jsonOf(call) as Partial<Script['settings']>),

    // https://developers.cloudflare.com/api/resources/workers/subresources/beta/subresources/workers/
    'GET /accounts/:account/workers/workers/:script': (call) => {
      const script = scriptOf(call);
      return { id: script.tag, name: script.name, ...script.settings, subdomain: workersDevOf(call.account, script) };
    },
  };
}

/** The time that a Worker takes to start, by the API. */
export const STARTUP_MS = 12;

interface Uploaded {
  readonly script: Script;
  readonly version: Version;
  /** Null if the version is not deployed, or has no Durable Objects. */
  readonly reconciliation: Reconciliation | null;
}

/**
 * Adds the version of an upload, once it has started. Throws code 10021 and the reason if it cannot be started.
 *
 * @param isDeployed whether the version gets all requests, so that the namespaces of its objects are created
 */
export async function upload(call: Call, runtime: Runtime, isDeployed: boolean): Promise<Uploaded> {
  const name = call.params['script'] ?? '';
  const form = await formOf(call);
  const metadata = await metadataOf(form);
  const former = call.account.scripts.get(name);
  const parts = {
    modules: await modulesOf(form, metadata),
    bindings: bindingsOf(call.account, former, metadata),
    assets: assetsOf(call.account, former, metadata),
    exports: metadata.exports ?? {},
    annotations: metadata.annotations ?? {},
    compatibility_date: metadata.compatibility_date,
    compatibility_flags: metadata.compatibility_flags ?? [],
  };
  checkObjectBindings(call.account, name, parts.bindings, parts.exports, isDeployed);
  const script = former ?? addScript(call.account, name, newId());
  const version = addVersion(script, sourceOf(call), parts);
  try {
    await runtime.check(call.account, version);
    const reconciled = isDeployed ? reconcile(call.account, script, version) : null;
    const reconciliation = Object.keys(version.exports).length > 0 ? reconciled : null;
    return { script, version, reconciliation };
  } catch (error) {
    script.versions.pop();
    if (former === undefined) call.account.scripts.delete(name);
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, 10021, reasonOf(error));
  }
}

// workerd's own sentence is in a line of JSON among others.
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /Uncaught .*?(?=\\n|"|$)/.exec(text)?.[0] ?? text;
}

/** A binding as the API shows it: without the value of a secret. */
export function presentBinding({ text, ...binding }: Binding): unknown {
  return binding.type === 'secret_text' ? binding : { ...binding, ...(text !== undefined && { text }) };
}

function presentScript(script: Script) {
  const [current] = script.deployments;
  const latest = script.versions.at(-1);
  return {
    id: script.name,
    tag: script.tag,
    tags: script.settings.tags,
    etag: latest?.id.replaceAll('-', ''),
    deployment_id: latest?.id.replaceAll('-', ''),
    created_on: script.created_on,
    modified_on: current?.created_on ?? script.created_on,
    compatibility_date: latest?.compatibility_date,
    compatibility_flags: latest?.compatibility_flags,
    last_deployed_from: current?.source,
    has_modules: true,
    has_assets: latest?.assets !== null,
    usage_model: 'standard',
    handlers: ['fetch'],
  };
}

function workersDevOf({ subdomain }: Account, { name, workersDev }: Script) {
  if (subdomain === null) return workersDev;
  const url = `https://${name}.${subdomain}.workers.dev`;
  return { ...workersDev, url, preview_url_suffix: `-${name}.${subdomain}.workers.dev` };
}
