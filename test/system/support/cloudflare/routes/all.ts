import type { Broker } from '../broker.ts';
import type { Routes } from '../call.ts';
import type { Runtime } from '../runtime.ts';
import type { Stores } from '../stores.ts';
import { accountRoutes } from './accounts.ts';
import { assetRoutes } from './assets.ts';
import { consumerRoutes } from './consumers.ts';
import { d1ImportRoutes } from './d1-import.ts';
import { d1Routes } from './d1.ts';
import { domainRoutes } from './domains.ts';
import { kvRoutes } from './kv.ts';
import { objectRoutes } from './objects.ts';
import { queueRoutes } from './queues.ts';
import { scriptRoutes } from './scripts.ts';
import { secretRoutes } from './secrets.ts';
import { triggerRoutes } from './triggers.ts';
import { versionRoutes } from './versions.ts';
import { zoneRoutes } from './zones.ts';

/** All that the API of the stub knows. */
export function allRoutes(stores: Stores, runtime: Runtime, broker: Broker, handshakesToFail: number): Routes {
  return {
    ...accountRoutes,
    ...assetRoutes,
    ...consumerRoutes(broker),
    ...d1ImportRoutes(stores),
    ...d1Routes(stores),
    ...domainRoutes(handshakesToFail),
    ...kvRoutes,
    ...objectRoutes,
    ...queueRoutes(broker),
    ...scriptRoutes(runtime),
    ...secretRoutes,
    ...triggerRoutes,
    ...versionRoutes(runtime),
    ...zoneRoutes,
  };
}
