import { jsonOf, scriptOf, sourceOf, type Call, type Routes } from '../call.ts';
import { checkShares, deploy } from '../deployments.ts';
import { ApiError } from '../envelope.ts';
import { checkSameExports, reconcile } from '../objects.ts';
import type { Runtime } from '../runtime.ts';
import { versionOf, type Account, type Deployment, type Script, type Share, type Version } from '../state.ts';
import { EMAIL, USER_ID } from './accounts.ts';
import { presentBinding, STARTUP_MS, upload } from './scripts.ts';

/** Versions and deployments: https://developers.cloudflare.com/api/resources/workers/subresources/scripts/ */
export function versionRoutes(runtime: Runtime): Routes {
  const path = '/accounts/:account/workers/scripts/:script';
  return {
    // Newest first.
    [`GET ${path}/versions`]: (call) => ({ items: scriptOf(call).versions.map(presentSummary).toReversed() }),

    // The Worker must exist: a first version is uploaded by PUT of the script.
    [`POST ${path}/versions`]: async (call) => {
      scriptOf(call);
      const { version } = await upload(call, runtime, false);
      return { ...presentVersion(version), startup_time_ms: STARTUP_MS };
    },

    [`GET ${path}/versions/:version`]: (call) => {
      const id = call.params['version'];
      const version = scriptOf(call).versions.find((each) => each.id === id);
      if (version === undefined) throw new ApiError(404, 100_146, `Version ${id} not found.`);
      return presentVersion(version);
    },

    [`GET ${path}/deployments`]: (call) => ({
      deployments: scriptOf(call).deployments.slice(0, LISTED).map(presentDeployment),
    }),

    [`POST ${path}/deployments`]: (call) => {
      const script = scriptOf(call);
      const { versions = [], annotations = {} } = jsonOf(call) as DeploymentBody;
      checkShares(script, versions, call.query.get('force') === 'true');
      checkObjects(call.account, script, versions);
      return presentDeployment(deploy(script, versions, sourceOf(call), { ...annotations, ...triggerOf(call) }));
    },
  };
}

// The classes of a version are reconciled once it is deployed.
function checkObjects(account: Account, script: Script, shares: readonly Share[]): void {
  const versions = shares.map(({ version_id: id }) => versionOf(script, id));
  checkSameExports(versions);
  for (const version of versions) reconcile(account, script, version);
}

// The API lists the newest ones only.
const LISTED = 10;

interface DeploymentBody {
  readonly versions?: readonly Share[];
  readonly annotations?: Readonly<Record<string, string>>;
}

function triggerOf(call: Call): Record<string, string> {
  return { 'workers/triggered_by': sourceOf(call) === 'wrangler' ? 'deployment' : 'api' };
}

function presentSummary({ id, number, annotations, created_on, source, ...version }: Version) {
  return {
    id,
    number,
    annotations,
    metadata: {
      author_id: USER_ID,
      author_email: EMAIL,
      source,
      created_on,
      modified_on: created_on,
      has_preview: false,
    },
    resources: {
      script: { etag: id.replaceAll('-', ''), handlers: ['fetch'], last_deployed_from: source },
      script_runtime: {
        compatibility_date: version.compatibility_date,
        compatibility_flags: version.compatibility_flags,
        usage_model: 'standard',
      },
    },
  };
}

function presentVersion(version: Version) {
  const { resources, ...summary } = presentSummary(version);
  return { ...summary, resources: { ...resources, bindings: version.bindings.map(presentBinding) } };
}

function presentDeployment(deployment: Deployment) {
  return { ...deployment, author_email: EMAIL };
}
