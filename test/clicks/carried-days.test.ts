import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Range } from '../../src/statistics/days/subject-days.ts';
import { carryClicks } from '../support/carried-clicks.ts';
import { openLinks } from '../support/platform.ts';
import { replaceInObjects } from '../support/objects.ts';
import { seedLink } from '../support/seed.ts';
import { ask } from '../support/stats.ts';

beforeEach(() => void vi.setSystemTime('2026-05-20T12:00:00Z'));
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

it.each(['ask', 'askByLink', 'recent'] as const)(
  'each question asks an object of version 1.3.0 for the days that were carried to it, which leaves them out otherwise: %s',
  async (method) => {
    const { caller, browse, path } = await openLinks();
    const link = await seedLink(caller, { campaign_name: 'Spring' });
    await carryClicks(link, { days: 2, campaign: 'Spring', humans: 3, bots: 1 });
    const asked = new Set<unknown>();
    replaceInObjects(method, (call) => async (question, ...rest) => {
      asked.add((question as Range).withCarried);
      return call(question, ...rest);
    });
    expect((await ask(caller, `/v1/links/${link.id}`)).body).toMatchObject({
      clicks: { total: 8, humans: 6, bots: 2 },
    });
    expect((await ask(caller, `/v1/stats?by=link&link=${link.id}`)).body).toMatchObject({ total: 8 });
    expect(await (await browse(path)).text()).toContain('<title>6 visits in the last 30 days</title>');
    await browse(path.replace(/\/links$/, '?tz=Asia/Tokyo'));
    expect([...asked]).toEqual([true]);
  },
);
