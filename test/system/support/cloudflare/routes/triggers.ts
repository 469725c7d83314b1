import { jsonOf, scriptOf, type Call, type Routes } from '../call.ts';
import { ApiError } from '../envelope.ts';
import { newId, now } from '../state.ts';
import { zoneOf } from './zones.ts';

/** The triggers of a Worker, except custom domains: its workers.dev address, its cron expressions, its routes. */
export const triggerRoutes: Routes = {
  'GET /accounts/:account/workers/subdomain': ({ account }) => {
    // wrangler knows this code (`getWorkersDevSubdomain`).
    if (account.subdomain === null) throw new ApiError(404, 10007, 'There is no workers.dev subdomain yet.');
    return { subdomain: account.subdomain };
  },

  'PUT /accounts/:account/workers/subdomain': (call) => {
    const { subdomain = '' } = jsonOf(call) as { subdomain?: string };
    if (isTaken(call, subdomain)) throw new ApiError(409, 10031, 'Subdomain is unavailable.');
    call.account.subdomain = subdomain;
    return { subdomain };
  },

  // Whether a subdomain is free: code 10032 says so (`registerSubdomain` of wrangler).
  'GET /accounts/:account/workers/subdomains/:subdomain': (call) => {
    if (isTaken(call, call.params['subdomain'] ?? '')) throw new ApiError(409, 10031, 'Subdomain is unavailable.');
    throw new ApiError(404, 10032, 'Subdomain is available.');
  },

  'GET /accounts/:account/workers/scripts/:script/subdomain': (call) => scriptOf(call).workersDev,

  'POST /accounts/:account/workers/scripts/:script/subdomain': (call) => {
    const body = jsonOf(call) as { enabled: boolean; previews_enabled?: boolean };
    const script = scriptOf(call);
    script.workersDev = { enabled: body.enabled, previews_enabled: body.previews_enabled ?? body.enabled };
    return script.workersDev;
  },

  'GET /accounts/:account/workers/scripts/:script/schedules': (call) => presentSchedules(scriptOf(call).schedules),

  'PUT /accounts/:account/workers/scripts/:script/schedules': (call) => {
    const script = scriptOf(call);
    script.schedules = (jsonOf(call) as { cron: string }[]).map(({ cron }) => cron);
    return presentSchedules(script.schedules);
  },

  // Replaces all routes of the Worker.
  'PUT /accounts/:account/workers/scripts/:script/routes': (call) => {
    const { name } = scriptOf(call);
    const wanted = jsonOf(call) as { pattern: string; zone_id?: string; zone_name?: string }[];
    for (const { routes } of call.account.zones) {
      for (const route of routes.filter(({ script }) => script === name)) routes.splice(routes.indexOf(route), 1);
    }
    return wanted.map(({ pattern, ...where }) => {
      const host = pattern.replace(/\/.*/, '');
      zoneOf(call.account, host, where).routes.push({ id: newId(), pattern, script: name });
      return pattern;
    });
  },
};

function isTaken({ account, accounts }: Call, subdomain: string): boolean {
  return accounts.some((each) => each !== account && each.subdomain === subdomain);
}

function presentSchedules(schedules: readonly string[]) {
  return { schedules: schedules.map((cron) => ({ cron, created_on: now(), modified_on: now() })) };
}
