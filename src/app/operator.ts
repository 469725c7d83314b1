import { hashPassword } from '../accounts/users/password.ts';
import { logRequests } from '../operator/log.ts';
import { createOperator } from '../operator/operator.ts';
import type { Core } from '../http/env.ts';
import { servicesOf } from './services.ts';

/** The operator's surface of an isolate. */
export function openOperator(core: Core): ReturnType<typeof createOperator> {
  const { config, memory, appLinkMemory, hashing, watch } = core;
  return createOperator({
    verify: servicesOf(core).verifyOperator,
    log: logRequests(config.accessLog),
    hash: (password) => hashing.take(() => hashPassword(password)),
    forget: () => {
      memory.targets.forgetAll('');
      appLinkMemory.forgetAll();
    },
    watch,
    site: { publicUrl: config.publicUrl, schemes: config.destinationSchemes },
    providers: { serviceProvider: config.serviceProvider, access: config.access },
    placesObjects: !config.clicksDirect,
  });
}
