import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../scripts/free-port.ts';
import { findChromium } from '../browser/support/chromium.ts';
import { makeFolder } from '../scripts/support/processes.ts';
import { copyProject } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';

/**
 * Lighthouse on each public page, on a phone as on a desk. Accessibility and best practice are 100, and weights are
 * counted; its figure for speed depends on the machine, so it is printed only.
 */

/** The pages, each with the most requests and kilobytes that it may load. */
const PAGES = [
  ['/', 8, 250],
  ['/docs', 8, 120],
  ['/docs/links', 8, 150],
  ['/docs/api', 8, 200],
  ['/docs/api/managing-links', 8, 250],
  ['/docs/errors', 8, 150],
  ['/changelog', 8, 300],
  ['/platform/sign-in', 8, 200],
] as const;

let server: Server;
let browser: Browser;
let port: number;

beforeAll(async () => {
  server = await startServer({ folder: copyProject(), persistTo: makeFolder() });
  port = await freePort();
  browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', `--remote-debugging-port=${port}`],
  });
});

afterAll(() => browser?.close());

async function run(path: string, categories: readonly string[], config?: typeof desktopConfig): Promise<Result> {
  const options = {
    port,
    onlyCategories: [...categories],
    // What takes seconds and is in none of the figures: pictures of the page, and one load more.
    disableFullPageScreenshot: true,
    skipAudits: ['bf-cache', 'final-screenshot', 'screenshot-thumbnails'],
    logLevel: 'silent' as const,
  };
  const result = await lighthouse(server.origin + path, options, config);
  return result!.lhr;
}

const scoreOf = ({ categories }: Result, name: string) => Math.round((categories[name]?.score ?? 0) * 100);

function expectFlawless(result: Result): void {
  expect(failuresOf(result)).toEqual([]);
  expect(FLAWLESS.map((name) => scoreOf(result, name))).toEqual([100, 100]);
}

const FLAWLESS = ['accessibility', 'best-practices'];

describe('a public page', () => {
  it.each(PAGES)(
    'a public page on a phone has 100 for accessibility and practice in Lighthouse, and loads little: %s',
    async (path, requests, kilobytes) => {
      const result = await run(path, ['performance', ...FLAWLESS]);
      // The output of tests that pass is not shown otherwise.
      process.stdout.write(`Lighthouse on a phone, ${path}: speed ${scoreOf(result, 'performance')}\n`);
      expectFlawless(result);
      const loaded = requestsOf(result);
      // Named, so that one too many can be found.
      expect(loaded.length > requests ? loaded.map(({ url }) => url) : []).toEqual([]);
      expect(loaded.reduce((sum, { resourceSize = 0 }) => sum + resourceSize, 0)).toBeLessThan(kilobytes * 1024);
    },
  );

  it.each(PAGES)('a public page on a desk has 100 for accessibility and practice in Lighthouse: %s', async (path) => {
    expectFlawless(await run(path, FLAWLESS, desktopConfig));
  });
});

/** The audits that a page does not pass, with what Lighthouse names. */
function failuresOf({ categories, audits }: Result): string[] {
  return FLAWLESS.flatMap((name) =>
    (categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id];
      const isPassed = audit?.score === null || audit?.score === undefined || audit.score >= 1 || weight === 0;
      return isPassed ? [] : [`${id}: ${JSON.stringify(itemsOf(audit)).slice(0, 600)}`];
    }),
  );
}

const requestsOf = ({ audits }: Result) =>
  itemsOf(audits['network-requests']) as readonly { readonly url: string; readonly resourceSize?: number }[];

/** What an audit has found. */
const itemsOf = (audit: Result['audits'][string] | undefined): readonly unknown[] =>
  (audit?.details as { readonly items?: readonly unknown[] } | undefined)?.items ?? [];
