import type { Goal } from '../goal.ts';
import { intervalOf, type Interval } from '../pairs/interval.ts';
import { cpuSecondsOf, idle } from '../usage.ts';
import type { Visited } from './requests.ts';

/** The CPU of an export, in milliseconds a link. */
export interface FileFigures {
  readonly exportMs: Interval;
}

export const EXPORT_GOAL: Goal = { most: 0.05 };

/** So many exports are measured together, since the operating system counts CPU in hundredths of a second. */
const EXPORTS = 5;

export async function measureFiles(
  { origin, pid, apiKey }: Visited,
  times: number,
  say: (progress: string) => void,
): Promise<FileFigures> {
  const exported = async (): Promise<number> => {
    const response = await fetch(`${origin}/v1/links/export?format=csv`, { headers: { 'X-API-Key': apiKey } });
    const text = await response.text();
    if (!response.ok) throw new Error(`The export returned ${response.status}: ${text}`);
    // After its head.
    return text.trimEnd().split('\n').length - 1;
  };
  await exported();
  const values: number[] = [];
  for (let time = 1; time <= times; time++) {
    say(`export: ${time} of ${times}`);
    await idle(pid);
    const before = cpuSecondsOf(pid);
    let links = 0;
    for (let each = 0; each < EXPORTS; each++) links += await exported();
    values.push(((cpuSecondsOf(pid) - before) * 1000) / links);
  }
  return { exportMs: intervalOf(values) };
}
