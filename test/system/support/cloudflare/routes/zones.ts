import { jsonOf, type Call, type Routes } from '../call.ts';
import { ApiError, pageOf } from '../envelope.ts';
import { createRecord, newId, type Account, type Zone } from '../state.ts';

/** Zones and their DNS records: https://developers.cloudflare.com/api/resources/zones/ */
export const zoneRoutes: Routes = {
  'GET /zones': ({ accounts, query }) => {
    const [name, account] = [query.get('name'), query.get('account.id')];
    const zones = accounts
      .filter(({ id }) => account === null || id === account)
      .flatMap((each) => each.zones.map((zone) => presentZone(each, zone)))
      .filter((zone) => name === null || zone.name === name);
    return pageOf(zones, query, 20);
  },

  'GET /zones/:zone': (call) => {
    const { account, zone } = zoneByPath(call);
    return presentZone(account, zone);
  },

  'GET /zones/:zone/dns_records': (call) => {
    const { records } = zoneByPath(call).zone;
    // The name is also sent as `name.exact`.
    const name = call.query.get('name') ?? call.query.get('name.exact');
    const type = call.query.get('type');
    const isMeant = (record: { name: string; type: string }) =>
      (name === null || record.name === name) && (type === null || record.type === type);
    return pageOf(records.filter(isMeant), call.query, 100);
  },

  'POST /zones/:zone/dns_records': (call) => {
    const { records } = zoneByPath(call).zone;
    const { type, name, content } = jsonOf(call) as { type: string; name: string; content: string };
    const record = createRecord(type, name, content);
    records.push(record);
    return record;
  },

  'DELETE /zones/:zone/dns_records/:record': (call) => {
    const { records } = zoneByPath(call).zone;
    const index = records.findIndex(({ id }) => id === call.params['record']);
    if (index < 0) throw new ApiError(404, 81_044, 'Record does not exist.');
    records.splice(index, 1);
    return { id: call.params['record'] };
  },

  'GET /zones/:zone/workers/routes': (call) => zoneByPath(call).zone.routes,

  'POST /zones/:zone/workers/routes': (call) => {
    const { routes } = zoneByPath(call).zone;
    const { pattern, script } = jsonOf(call) as { pattern: string; script: string };
    // wrangler checks for this first (`publishRoutesFallback`).
    if (routes.some((each) => each.pattern === pattern)) {
      throw new ApiError(409, 10020, 'A route with the same pattern already exists.');
    }
    const route = { id: newId(), pattern, script };
    routes.push(route);
    return route;
  },

  'DELETE /zones/:zone/workers/routes/:route': (call) => {
    const { routes } = zoneByPath(call).zone;
    const index = routes.findIndex(({ id }) => id === call.params['route']);
    if (index >= 0) routes.splice(index, 1);
    return { id: call.params['route'] };
  },
};

/** The zone of a host name. Throws code 10083 (https://github.com/cloudflare/workers-sdk/issues/2906). */
export function zoneOf(
  { zones }: Account,
  hostname: string,
  { zone_id: id, zone_name: name }: { readonly zone_id?: string; readonly zone_name?: string } = {},
): Zone {
  const isMeant = (zone: Zone) => {
    if (id !== undefined) return zone.id === id;
    if (name !== undefined) return zone.name === name;
    return hostname === zone.name || hostname.endsWith(`.${zone.name}`);
  };
  // The longest name wins, since a zone can be below another one.
  const zone = zones.filter(isMeant).toSorted((a, b) => b.name.length - a.name.length)[0];
  if (zone === undefined) throw new ApiError(404, 10083, `workers.api.error.zone_not_found for "${hostname}"`);
  return zone;
}

function zoneByPath({ accounts, params }: Call): { account: Account; zone: Zone } {
  for (const account of accounts) {
    const zone = account.zones.find(({ id }) => id === params['zone']);
    if (zone !== undefined) return { account, zone };
  }
  throw new ApiError(
    404,
    7003,
    `Could not route to /zones/${params['zone']}, perhaps your object identifier is invalid?`,
  );
}

function presentZone({ id, name }: Account, zone: Zone) {
  return {
    id: zone.id,
    name: zone.name,
    status: zone.status,
    paused: false,
    type: 'full',
    account: { id, name },
    name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
  };
}
