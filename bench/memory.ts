import { startService } from './contestant.ts';
import type { Cores } from './cores.ts';
import { CONNECTIONS } from './streams.ts';
import { pathsOf, range, seedLinks } from './links.ts';
import type { LoadTasks } from './load.ts';
import { RpcChild } from './child-rpc.ts';
import { settled, workerdBytesOf } from './usage.ts';
import type { Sandbox } from './sandbox.ts';

const LINKS = 50_000;
const REDIRECTS = 100_000;

/** The memory in use at one time, in bytes. */
export interface MemoryUse {
  /** Of Terse's isolate, after a garbage collection. */
  readonly heapBytes: number;
  /** Of the whole workerd, which also contains the stores. */
  readonly residentBytes: number;
}

export interface MemoryResult {
  readonly before: MemoryUse;
  /** After each of 50,000 links was followed once. */
  readonly each: MemoryUse;
  /** After 100,000 redirects over them in random order. */
  readonly random: MemoryUse;
  /** After another 100,000. */
  readonly again: MemoryUse;
}

/** Follows many links in a Terse whose memory entries do not expire, so that its memory is filled to its bounds. */
export async function measureMemory(
  sandbox: Sandbox,
  cores: Cores | null,
  say: (progress: string) => void,
): Promise<MemoryResult> {
  say(`following ${LINKS} links`);
  const entry = { name: 'terse for memory', main: 'src/index.ts', vars: { MEMORY_SECONDS: '3600' }, isInspected: true };
  const service = await startService(sandbox, entry, cores?.server ?? []);
  const load = new RpcChild<LoadTasks>(sandbox, 'bench/load.ts', cores?.load ?? []);
  await seedLinks(service.db, 0, LINKS);
  const look = async (): Promise<MemoryUse> => {
    // First, since inspecting the heap takes memory itself.
    const residentBytes = workerdBytesOf(service.pid);
    return { heapBytes: await service.heapBytes(), residentBytes };
  };
  const follow = async (links: readonly number[]) => {
    const stream = { paths: pathsOf(links), connections: CONNECTIONS, status: 302 };
    await load.ask('drive', { origin: service.origin, streams: [stream] });
    await settled(service.pid);
    return look();
  };
  return {
    before: await look(),
    each: await follow(range(0, LINKS)),
    random: await follow(randomLinks()),
    again: await follow(randomLinks()),
  };
}

function randomLinks(): number[] {
  return Array.from({ length: REDIRECTS }, () => Math.floor(Math.random() * LINKS));
}
