import { readFileSync } from 'node:fs';
import { LEG_NAMES } from './legs.ts';
import { CONNECTIONS } from './streams.ts';
import type { Cores } from './cores.ts';
import { UNLOADED_GOAL, type RoundFigures } from './figures.ts';
import { goalText, isMet, metText } from './goal.ts';
import type { MemoryResult, MemoryUse } from './memory.ts';
import type { BenchOptions } from './options.ts';
import { PRICE_NOTE } from './prices.ts';
import { FLOOD_NOTE } from './ratios.ts';
import type { Growth, GrowthResult } from './scenarios.ts';
import { ENTRY_GOAL, START_UP_GOAL, type SizeResult } from './size.ts';
import type { Summary } from './statistics.ts';
import { table } from './table.ts';

/** The figures as text. */

const { devDependencies }: { devDependencies: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);

/** The versions of the tools behind the figures, by name. */
export const TOOLS: Readonly<Record<string, string>> = {
  node: process.versions.node,
  miniflare: devDependencies['miniflare'] ?? '',
  autocannon: devDependencies['autocannon'] ?? '',
};

export function describeSettings({ rounds, seconds }: BenchOptions, cores: Cores | null): string {
  const pinning = cores
    ? 'server and load on one core each'
    : 'server and load NOT on one core each: this machine has no taskset, or one core only';
  return [
    `${rounds} rounds of ${seconds} s a leg, ${CONNECTIONS} connections, ${pinning}; medians, and least to most, of the rounds`,
    Object.entries(TOOLS)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  ].join('\n');
}

export function describeRounds({ ratios, legs, unloadedMs, clicks }: RoundFigures): string {
  const unloaded = { name: 'unloaded p50', what: 'hot redirect above the empty Worker, ms', ...UNLOADED_GOAL };
  const members = [...ratios, { ...unloaded, value: unloadedMs.difference }];
  return [
    table([
      ['member', 'median', 'spread', 'goal', 'met', 'what'],
      ...members.map(({ name, what, value, ...goal }) => [
        name,
        value.median.toFixed(2),
        spread(value, 2),
        goalText(goal),
        metText(goal, value.median),
        what,
      ]),
    ]),
    FLOOD_NOTE,
    table([
      ['leg', 'requests/s', 'spread', 'CPU us a request', 'spread', 'core taken by load'],
      ...LEG_NAMES.map((name) => {
        const { perSecond, cpuMicroseconds, loadBusy } = legs[name];
        return [
          name,
          perSecond.median.toFixed(0),
          spread(perSecond, 0),
          cpuMicroseconds.median.toFixed(1),
          spread(cpuMicroseconds, 1),
          loadBusy.median.toFixed(2),
        ];
      }),
    ]),
    `unloaded p50, one connection, 100 requests/s: empty Worker ${unloadedMs.empty.median.toFixed(2)} ms, ` +
      `hot redirect ${unloadedMs.hot.median.toFixed(2)} ms`,
    `clicks: ${clicks.answered} redirects answered, ${clicks.counted} counted; up to ${clicks.abandonedAtMost} more ` +
      `may have been answered as legs ended: ${clicks.isExact ? 'none lost, none counted twice, within this range' : 'NOT EXACT'}`,
  ].join('\n\n');
}

export function describeGrowth({ growth, clicks }: GrowthResult): string {
  return [
    ...growth.map(describeUse),
    ...growth.map(describeCost),
    PRICE_NOTE,
    'visitors are a thousand; a link with more visitors in an hour has more marks, which are folded with its clicks',
    'clicks include their part of the fold that follows; at full speed there are more clicks in a fold than here',
    'CPU includes the local stores and objects, which Cloudflare does not bill as CPU: it is an upper bound',
    `clicks: ${clicks.answered} redirects answered, ${clicks.counted} counted`,
  ].join('\n\n');
}

function describeUse({ links, scenarios }: Growth): string {
  const head = ['KV reads', 'KV writes', 'D1 calls', 'D1 queries', 'rows read', 'rows written', 'queue operations'];
  const objects = ['object requests', 'object rows read', 'object rows written', 'object ms'];
  return table([
    [`each, with ${links} links`, ...head, 'clicks/message', 'consumer runs', ...objects, 'CPU ms'],
    ...scenarios.map(({ what, each }) => [
      what,
      ...[each.kvReads, each.kvWrites, each.roundTrips, each.queries, each.rowsRead, each.rowsWritten].map(each4),
      each4(each.queueOperations),
      each.messages > 0 ? (1 / each.messages).toFixed(1) : '-',
      ...[each.consumerRuns, each.objectRequests, each.objectRowsRead, each.objectRowsWritten].map(each4),
      each.objectMilliseconds.toFixed(3),
      each.cpuMs.toFixed(3),
    ]),
  ]);
}

function describeCost({ links, scenarios }: Growth): string {
  return table([
    [`a million, with ${links} links`, 'requests', 'CPU', 'KV', 'D1', 'queue', 'objects', 'total', 'goal', 'met'],
    ...scenarios.map(({ what, costOfMillion: cost, goal }) => [
      what,
      ...[cost.requests, cost.cpu, cost.kv, cost.d1, cost.queue, cost.objects, cost.total].map(dollars),
      goal ? goalText(goal) : '',
      goal ? (isMet(goal, cost.total) ? 'yes' : 'no') : '',
    ]),
  ]);
}

const kib = (bytes: number): string => (bytes / 1024).toFixed(1);

export function describeSize({ entry, all, ...startUp }: SizeResult): string {
  return [
    `the entry loads: ${kib(entry.minified)} KiB minified, ${kib(entry.gzipped)} KiB gzipped ` +
      `(goal ${goalText(ENTRY_GOAL)} KiB: ${isMet(ENTRY_GOAL, entry.gzipped / 1024) ? 'yes' : 'no'})`,
    `all modules: ${kib(all.minified)} KiB minified, ${kib(all.gzipped)} KiB gzipped`,
    `start-up: ${milliseconds(startUp.startUpCpuMs)} of CPU (goal ${goalText(START_UP_GOAL)} ms: ` +
      `${isMet(START_UP_GOAL, startUp.startUpCpuMs.median) ? 'yes' : 'no'}), of which ` +
      `${milliseconds(startUp.startUpScriptMs)} in JavaScript; ${milliseconds(startUp.startUpMs)} with idling`,
  ].join('\n');
}

export function describeMemory({ before, each, random, again }: MemoryResult): string {
  return table([
    ['memory, MiB', 'heap of the isolate', 'workerd with its local stores'],
    ['before', ...usedMebibytes(before)],
    ['after 50,000 links were each followed once', ...usedMebibytes(each)],
    ['after 100,000 redirects over them', ...usedMebibytes(random)],
    ['after 100,000 more', ...usedMebibytes(again)],
  ]);
}

function spread({ min, max }: Summary, digits: number): string {
  return `${min.toFixed(digits)} to ${max.toFixed(digits)}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(3)}`;
}

function milliseconds({ median }: Summary): string {
  return `${median.toFixed(1)} ms`;
}

function usedMebibytes({ heapBytes, residentBytes }: MemoryUse): string[] {
  return [heapBytes, residentBytes].map((bytes) => (bytes / 1024 / 1024).toFixed(1));
}

function each4(count: number): string {
  return count.toFixed(4);
}
