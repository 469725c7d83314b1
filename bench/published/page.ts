import { tableText } from '../../scripts/doc-tables.ts';
import { STALENESS_SECONDS } from '../../src/links/redirect/staleness.ts';
import { SITUATIONS, type Measured, type Situation } from '../measure-revocations.ts';
import { TOOLS } from '../report.ts';
import { expectedShare, KIND_NAMES, KINDS } from './drills.ts';
import type { Machine } from './machine.ts';
import type { readPageOptions } from './options.ts';
import type { RateResult } from './rates.ts';
import type { DrillResult } from './run-drill.ts';

interface Figures {
  readonly machine: Machine;
  readonly options: ReturnType<typeof readPageOptions>;
  readonly isPinned: boolean;
  readonly rates: readonly RateResult[];
  readonly changes: readonly Measured[];
  readonly drills: readonly DrillResult[];
}

/** The page with the figures of one run, as Markdown. */
export function pageOf(figures: Figures): string {
  return [
    '# Figures',
    'For people who compare link shorteners. `npm run bench:report` has written this page in one run; anyone can repeat it.',
    ...settings(figures),
    '## Speed',
    ...speed(figures),
    '## Edits',
    ...edits(figures),
    '## Outages',
    ...outages(figures),
  ]
    .map((block) => (block.startsWith('|') ? block.trimEnd() : wrapped(block)))
    .join('\n\n')
    .concat('\n');
}

function settings({ machine, options, isPinned }: Figures): string[] {
  const { date, processor, cores, memoryGib, load, commit } = machine;
  const rows = [
    ['what', 'value'],
    ['date', date],
    ['commit', `\`${commit}\``],
    ['machine', `${processor}, ${cores} cores, ${memoryGib} GiB; load ${load.toFixed(1)} before the run`],
    ['cores', isPinned ? 'the server on one, the load on another' : 'shared by server and load'],
    ['tools', `Node ${TOOLS['node']}, Miniflare ${TOOLS['miniflare']}, with its workerd and local stores`],
    ['settings', `those of \`wrangler.toml\`; for edits and outages \`MEMORY_SECONDS\` is ${options.memorySeconds}`],
  ];
  return [tableText(rows)];
}

function speed({ rates, options, machine }: Figures): string[] {
  const rows = rates.map(({ name, perSecond, percentilesMs, redirectedPerSecond, wrong, cpuMs, clicks, lateMs }) => [
    name,
    String(perSecond),
    redirectedPerSecond.toFixed(0),
    ...Object.values(percentilesMs).map(ms),
    cpuMs === null ? '' : cpuMs.toFixed(2),
    String(wrong),
    clicks === null ? '' : `${clicks.lost} of ${clicks.of}`,
    ms(lateMs),
  ]);
  const head = ['visits to', 'a second', 'redirected a second', 'p50', 'p95', 'p99', 'p99.9', 'CPU'];
  return [
    `Visits come at a constant rate for ${options.seconds} s, whether earlier ones were answered or not. The time of a ` +
      'visit begins when it was due, so that what waits behind a slow one counts with its whole wait. All times are in ' +
      'milliseconds. CPU is that of a visit, with all work after the response, the local stores and the counting of clicks. ' +
      '"Late" is the p99 of how late the load itself sent a visit, which is in all times.',
    tableText([[...head, 'wrong', 'clicks lost', 'late'], ...rows]),
    'Terse redirects 100 links, for 1,000 visitors. An empty Worker returns one fixed redirect. One `KV.get` is what a ' +
      'shortener does that reads KV at each redirect, as Sink, and one `SELECT` what one does that reads a database, as ' +
      'Shlink; both also record each visit.',
    ...busy(machine),
    ...absent(options.beside.map(({ name }) => name)),
  ];
}

/** The caution for figures of a machine that others used meanwhile. */
function busy({ load, cores }: Machine): string[] {
  if (load <= cores) return [];
  return [
    'Other programs used the machine meanwhile: their share of each time, here and below, is that of the empty Worker and ' +
      'more, and only rows of one rate can be compared.',
  ];
}

/** Other shorteners, and why the bench does not start them. */
const OTHERS = {
  Sink: 'is in no registry: serve what its repository builds, and name it with `--beside NAME=URL@PID`',
  Shlink: 'needs PHP and the packages of Composer, which nothing in this project installs',
};

function absent(beside: readonly string[]): string[] {
  const missing = Object.entries(OTHERS).filter(([name]) => !beside.some((each) => each.startsWith(name)));
  return missing.map(([name, reason]) => `${name} is not in the table. It ${reason}.`);
}

function edits({ changes }: Figures): string[] {
  const seconds = (situation: Situation) => {
    const all = changes.filter((change) => change.situation === situation).map(({ oldForMs }) => oldForMs);
    return all.length === 0 ? [] : [(Math.max(...all) / 1000).toFixed(1)];
  };
  const rows = (Object.keys(SITUATIONS) as Situation[]).flatMap((situation) =>
    seconds(situation).map((value) => [SITUATIONS[situation], value]),
  );
  const { kvCache, kvPropagation } = STALENESS_SECONDS;
  return [
    'The seconds until a second isolate no longer serves the old state of a link that was disabled, deleted, blocked or ' +
      'given another destination. Local KV has no cache and no propagation, which on Cloudflare add up to ' +
      `${kvCache + kvPropagation} s to rows that read KV.`,
    tableText([['the isolate that is asked', 'seconds'], ...rows]),
  ];
}

function outages({ drills, options }: Figures): string[] {
  const { outagePerSecond, outageSeconds } = options;
  return [
    `Each store fails for ${outageSeconds} s under ${outagePerSecond} visits a second. The visits are of four kinds:`,
    tableText([
      ['part', 'of the visits lead to'],
      ...KIND_NAMES.map((kind) => [`${KINDS[kind].percent} %`, KINDS[kind].what]),
    ]),
    'What is expected was written before the first run. Memory serves a link for `MEMORY_SECONDS`, and beyond that only ' +
      'while D1 does not respond; KV has hot links alone.',
    tableText([
      ['outage', 'expected to be right', 'expected p99', 'since'],
      ...drills.map(({ drill }) => [drill.what, percent(expectedShare(drill)), `≤ ${drill.p99Ms} ms`, drill.why]),
    ]),
    'What was seen. Recovery is the time from the end of the outage to the last visit that failed or took more than a ' +
      'second, and the last column how long after the load all clicks were counted:',
    tableText([
      ['outage', 'visits', 'right', 'p99', 'recovery', 'clicks lost', 'counted after'],
      ...drills.map(({ drill, visits, share, p99Ms, recoverySeconds, lost, redirects, countedSeconds }) => [
        drill.what,
        String(visits),
        percent(share),
        `${p99Ms.toFixed(0)} ms`,
        `${recoverySeconds.toFixed(1)} s`,
        `${lost} of ${redirects}`,
        `${countedSeconds.toFixed(0)} s`,
      ]),
    ]),
    ...byKind(drills),
  ];
}

function byKind(drills: readonly DrillResult[]): string[] {
  return [
    'The visits of each kind that were redirected:',
    tableText([
      ['outage', ...KIND_NAMES.map(kindName)],
      ...drills.map(({ drill, byKind: kinds }) => [
        drill.what,
        ...KIND_NAMES.map((kind) => `${kinds[kind].right} of ${kinds[kind].visits}`),
      ]),
    ]),
  ];
}

const kindName = (kind: (typeof KIND_NAMES)[number]): string =>
  ({ hot: 'hot', cached: 'in KV', remembered: 'in memory', cold: 'never followed' })[kind];

const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;

const WIDTH = 120;

function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
