import type { Config } from '../config/config.ts';
import { DatabaseWatch } from '../database/database-watch.ts';
import { AppLinkMemory } from '../domains/app-link-memory.ts';
import type { Core } from '../http/env.ts';
import { WorkQueue } from '../isolate/work-queue.ts';
import { openLinkMemory, type LinkMemory } from '../links/redirect/resolve.ts';

// More than the sign-in attempts of one address in a minute, so that one address cannot fill the queue.
const MAX_WAITING_HASHES = 64;

/** Opens what the redirect and all surfaces of an isolate share. */
export function openCore(config: Config, memory: LinkMemory = openLinkMemory(config.memorySeconds)): Core {
  return {
    config,
    memory,
    watch: new DatabaseWatch(config.restoreCheckSeconds * 1000),
    hashing: new WorkQueue(MAX_WAITING_HASHES),
    appLinkMemory: new AppLinkMemory(config.memorySeconds * 1000),
  };
}
