import { jsonOf, scriptOf, sourceOf, type Call, type Routes } from '../call.ts';
import { deployVersion } from '../deployments.ts';
import { ApiError } from '../envelope.ts';
import { now, type Binding, type Script } from '../state.ts';
import { addVersion } from '../upload.ts';

/** Secrets of Workers: https://developers.cloudflare.com/api/resources/workers/subresources/scripts/subresources/secrets/ */
export const secretRoutes: Routes = {
  'GET /accounts/:account/workers/scripts/:script/secrets': (call) =>
    scriptOf(call)
      .versions.at(-1)
      ?.bindings.filter(({ type }) => type === 'secret_text')
      .map(({ name, type }) => ({ name, type })) ?? [],

  'PUT /accounts/:account/workers/scripts/:script/secrets': (call) => {
    const secret = jsonOf(call) as Secret;
    change(call, { [secret.name]: secret });
    return { name: secret.name, type: 'secret_text' };
  },

  'DELETE /accounts/:account/workers/scripts/:script/secrets/:secret': (call) => {
    const name = call.params['secret'] ?? '';
    const bindings = scriptOf(call).versions.at(-1)?.bindings ?? [];
    // https://github.com/alchemy-run/distilled, patches/workers/getScriptSecret
    if (!bindings.some((each) => each.name === name && each.type === 'secret_text')) {
      throw new ApiError(404, 10056, `Secret ${name} not found.`);
    }
    change(call, { [name]: null });
    return null;
  },

  // A merge patch (RFC 7396): null deletes a secret.
  'PATCH /accounts/:account/workers/scripts/:script/secrets-bulk': (call) => {
    change(call, (jsonOf(call) as { secrets: Record<string, Secret | null> }).secrets);
    return {};
  },

  // Changes secrets in a new version that is not deployed (`wrangler versions secret`).
  'PATCH /accounts/:account/workers/workers/:script/versions/latest': (call) => {
    const { env = {}, annotations = {} } = jsonOf(call) as {
      env?: Record<string, Pick<Secret, 'text'> | null>;
      annotations?: Record<string, string>;
    };
    const version = addChanged(call, scriptOf(call), env, { ...annotations, 'workers/triggered_by': 'secret' });
    return { id: version.id, number: version.number, created_on: now() };
  },
};

interface Secret {
  readonly name: string;
  readonly text: string;
}

/** Changes secrets in a new version, and deploys that. */
function change(call: Call, secrets: Readonly<Record<string, Secret | null>>): void {
  const script = scriptOf(call);
  const [current] = script.deployments;
  const latest = script.versions.at(-1);
  // wrangler knows this code (`VERSION_NOT_DEPLOYED_ERR_CODE`). A deployment with a second version counts as well here,
  // since a new one would end the traffic of both.
  if (current === undefined || current.versions.length > 1 || current.versions[0]?.version_id !== latest?.id) {
    throw new ApiError(
      400,
      10215,
      'The latest version of this Worker is not deployed, so its secrets cannot be edited.',
    );
  }
  const version = addChanged(call, script, secrets, { 'workers/triggered_by': 'secret' });
  deployVersion(script, version, sourceOf(call), 'secret');
}

function addChanged(
  call: Call,
  script: Script,
  secrets: Readonly<Record<string, Pick<Secret, 'text'> | null>>,
  annotations: Readonly<Record<string, string>>,
) {
  const latest = script.versions.at(-1);
  // wrangler knows this code (`NO_VERSIONS_ERR_CODE`).
  if (latest === undefined) throw new ApiError(404, 10222, 'This Worker has no versions.');
  const added = Object.entries(secrets).flatMap<Binding>(([name, secret]) =>
    secret === null ? [] : [{ name, type: 'secret_text', text: secret.text }],
  );
  const kept = latest.bindings.filter(({ name }) => !(name in secrets));
  return addVersion(script, sourceOf(call), { ...latest, annotations, bindings: [...kept, ...added] });
}
