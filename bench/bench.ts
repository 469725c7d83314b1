import { writeFileSync } from 'node:fs';
import { run } from '../scripts/cli-error.ts';
import { measureBounds } from './bounds/measure.ts';
import { describeBounds } from './bounds/report.ts';
import { measureConnected } from './connected/measure.ts';
import { describeConnected } from './connected/report.ts';
import { measureDensity } from './consumers/density.ts';
import { measureConsumers } from './consumers/measure.ts';
import { describeConsumers, describeDensity } from './consumers/report.ts';
import { findCores } from './cores.ts';
import { measureFloor } from './floor/measure.ts';
import { describeFloor } from './floor/report.ts';
import { figuresOf } from './figures.ts';
import { toJson } from './json.ts';
import { measureFirst } from './first/measure.ts';
import { describeFirst } from './first/report.ts';
import { measureKinds } from './kinds/measure.ts';
import { describeKinds } from './kinds/report.ts';
import { measureLimits } from './limits/measure.ts';
import { describeLimits } from './limits/report.ts';
import { measureMemory } from './memory.ts';
import { readOptions } from './options.ts';
import { measureOthers } from './others/measure.ts';
import { describeOthers } from './others/report.ts';
import { measurePairs } from './pairs/measure.ts';
import { describePairs } from './pairs/report.ts';
import { describeGrowth, describeMemory, describeRounds, describeSettings, describeSize, TOOLS } from './report.ts';
import { runRounds } from './rounds.ts';
import { countScenarios } from './scenarios.ts';
import { measureSize } from './size.ts';
import { measureStatistics } from './statistics-object/measure.ts';
import { describeStatistics } from './statistics-object/report.ts';
import { Sandbox } from './sandbox.ts';
import { CONNECTIONS } from './streams.ts';

/**
 * `npm run bench`: measures Terse, built as for a deploy, beside Workers that do the least possible in its place
 * (floors), each in a process of its own with the same workerd and settings; and its use of its stores, the cost of
 * that, its size and its memory. `--json FILE`, `--rounds N`, `--seconds N`, `--only PART`, `--beside COMMIT`. Whether
 * goals are met is only printed, since machines are shared; the exit code reports clicks that were not counted.
 */
await run(async () => {
  const options = readOptions(process.argv.slice(2));
  const cores = findCores();
  const sandbox = new Sandbox();
  const figures: Record<string, unknown> = {
    settings: { ...options, connections: CONNECTIONS, pinned: cores !== null, tools: TOOLS },
  };
  let isExact = true;
  try {
    print(describeSettings(options, cores));
    if (options.parts.includes('ratios')) {
      const { rounds, clicks } = await runRounds(sandbox, { ...options, cores, say });
      const { ratios, ...others } = figuresOf(rounds, clicks);
      print(describeRounds({ ratios, ...others }));
      for (const { name, value } of ratios) figures[name] = value.median;
      Object.assign(figures, { ratios, ...others, rounds });
      isExact &&= clicks.isExact;
      await sandbox.endAll();
    }
    if (options.parts.includes('floor')) {
      const floor = await measureFloor(sandbox, { ...options, cores, say });
      print(describeFloor(floor));
      Object.assign(figures, { floor });
      await sandbox.endAll();
    }
    if (options.parts.includes('kinds')) {
      const kinds = await measureKinds(sandbox, { ...options, cores, say });
      print(describeKinds(kinds));
      Object.assign(figures, { kinds });
    }
    if (options.parts.includes('others')) {
      const others = await measureOthers(sandbox, { ...options, cores, say });
      print(describeOthers(others));
      Object.assign(figures, { others });
      await sandbox.endAll();
    }
    if (options.parts.includes('bounds')) {
      const bounds = await measureBounds(sandbox, { ...options, cores, say });
      print(describeBounds(bounds));
      Object.assign(figures, { bounds });
    }
    if (options.parts.includes('pairs')) {
      const pairs = await measurePairs(sandbox, { ...options, cores, say });
      print(describePairs(pairs));
      Object.assign(figures, { pairs });
      await sandbox.endAll();
    }
    if (options.parts.includes('connected')) {
      const connected = await measureConnected(sandbox, { ...options, cores, say });
      print(describeConnected(connected));
      Object.assign(figures, { connected });
    }
    if (options.parts.includes('counts')) {
      const result = await countScenarios(sandbox, cores, say);
      print(describeGrowth(result));
      Object.assign(figures, { growth: result });
      isExact &&= result.clicks.answered === result.clicks.counted;
      await sandbox.endAll();
    }
    if (options.parts.includes('size')) {
      const size = await measureSize(sandbox, { ...options, say });
      print(describeSize(size));
      Object.assign(figures, { size });
    }
    if (options.parts.includes('statistics')) {
      const statistics = await measureStatistics(sandbox, say);
      print(describeStatistics(statistics));
      const consumers = await measureConsumers(sandbox, { ...options, cores, say });
      print(describeConsumers(consumers));
      await sandbox.endAll();
      const densities = await measureDensity(sandbox, say);
      print(describeDensity(densities));
      Object.assign(figures, { statistics, consumers, densities });
      await sandbox.endAll();
    }
    if (options.parts.includes('limits')) {
      const limits = await measureLimits(sandbox, { ...options, cores, say });
      print(describeLimits(limits));
      Object.assign(figures, { limits });
      await sandbox.endAll();
    }
    if (options.parts.includes('memory')) {
      const memory = await measureMemory(sandbox, cores, say);
      print(describeMemory(memory));
      Object.assign(figures, { memory });
    }
    if (options.parts.includes('first')) {
      const first = await measureFirst(sandbox, { ...options, beside: options.firstBeside, cores, say });
      print(describeFirst(first));
      Object.assign(figures, { first });
    }
  } finally {
    await sandbox.close();
  }
  if (options.json !== null) writeFileSync(options.json, toJson(figures));
  if (!isExact) {
    console.error('Clicks were lost or counted twice: the figures above are not valid.');
    process.exitCode = 1;
  }
});

function say(progress: string): void {
  console.error(progress);
}

function print(text: string): void {
  console.log(`${text}\n`);
}
