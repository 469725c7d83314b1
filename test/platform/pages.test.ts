import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { RecentSignIns } from '../../src/accounts/sessions/recent-sign-ins.ts';
import { parseConfig } from '../../src/config/config.ts';
import { DatabaseWatch } from '../../src/database/database-watch.ts';
import { AppLinkMemory } from '../../src/domains/app-link-memory.ts';
import { NO_QUEUE } from '../../src/events/notify.ts';
import { BoundedMap } from '../../src/isolate/bounded-map.ts';
import { RecentlySeen } from '../../src/isolate/recently-seen.ts';
import { Tallies } from '../../src/isolate/tallies.ts';
import { WorkQueue } from '../../src/isolate/work-queue.ts';
import { openLinkMemory } from '../../src/links/redirect/resolve.ts';
import { HostWaits } from '../../src/network/host-waits.ts';
import { createPlatform } from '../../src/platform/app.ts';
import { openKeyRing } from '../../src/tokens/keys.ts';
import { FUZZED_PAGES, NOT_FUZZED } from '../support/fuzz-every-page.ts';
import { PAGE_NAMES } from '../support/pages.ts';

const newMemory = () => ({ discovered: new BoundedMap<string, never>(1), keys: new BoundedMap<string, never>(1) });

describe('the pages of the tests', () => {
  it('the pages of the tests are those that the platform serves', async () => {
    const config = parseConfig({ ...env });
    const never = () => Promise.reject(new Error('no page is asked for'));
    const parts = await createPlatform({
      config,
      keyRing: openKeyRing(config.tokenKeys),
      verifyToken: never,
      verifyOAuthToken: never,
      recentSignIns: new RecentSignIns(),
      hashing: new WorkQueue(1),
      tallies: new Tallies(),
      openedStatistics: new WeakMap(),
      watch: new DatabaseWatch(0),
      memory: openLinkMemory(0),
      appLinkMemory: new AppLinkMemory(0),
      keyUses: new RecentlySeen(),
      verifyOperator: never,
      proofSources: { resolve: never, resolveAddresses: never, probe: never, checkResolver: never },
      targetFilter: null,
      eventQueueOf: () => NO_QUEUE,
      verifyAssertion: null,
      hostWaits: new HostWaits(),
      customHostnames: null,
      providers: { ofWorkspaces: newMemory(), own: newMemory() },
    }).loadParts();
    const routes = parts.flatMap((part) => part.routes);
    const pages = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(pages)].toSorted()).toEqual(PAGE_NAMES.toSorted());
  });

  it('the pages of the tests are sent hostile forms too', () => {
    const patterns = FUZZED_PAGES.map(({ method, path }) => `${method} ${path}`);
    const isFuzzed = (name: string) => {
      const pattern = new RegExp(`^${name.replace(/[.]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`);
      return patterns.some((each) => pattern.test(each));
    };
    expect(PAGE_NAMES.filter((name) => !isFuzzed(name)).toSorted()).toEqual([...NOT_FUZZED].toSorted());
  });
});
