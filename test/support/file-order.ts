/**
 * Files that take longest, the longest first. In a fresh clone the order would be that of sizes, and a long file that
 * begins last would run alone.
 */
export const LONG = [
  'test/platform/sso/protocol.test.ts',
  'test/api/access.test.ts',
  'test/clicks/send.isolated.test.ts',
  'test/system/deploy-interrupted.test.ts',
  'test/system/deploy-versions.test.ts',
  'test/system/bench.test.ts',
  'test/system/report.test.ts',
  'test/system/deploy-from-empty.test.ts',
  'test/system/restore.test.ts',
  'test/system/release-databases.test.ts',
  'test/system/deploy-objects.test.ts',
  'test/system/stop.test.ts',
  'test/system/lighthouse.test.ts',
  'test/system/shell-blocks.test.ts',
  'test/system/clicks.test.ts',
  'test/system/webhooks.test.ts',
  'test/system/crash.test.ts',
  'test/system/statistics.test.ts',
  'test/system/start-again.test.ts',
  'test/system/cli.test.ts',
  'test/system/import-tool.test.ts',
  'test/system/deploy-mail.test.ts',
  'test/browser/every-page.test.ts',
  'test/browser/same-as-reload.test.ts',
  'test/browser/languages.test.ts',
  'test/browser/kept.test.ts',
  'test/browser/link-qr.test.ts',
  'test/browser/visitor-languages.test.ts',
  'test/http/linear-time.test.ts',
  'test/faults/pages.test.ts',
  'test/faults/api.test.ts',
];

/** The place of a file in that list; all others come after it. */
export function rankOf(path: string): number {
  const rank = LONG.findIndex((file) => path.endsWith(file));
  return rank === -1 ? LONG.length : rank;
}

/**
 * The files of one of several runs, which have all of them between them: the long ones are dealt out first, so that no
 * run gets most of them. The order depends on their paths alone, since the runs do not know of each other.
 *
 * @param index of the run, from 1
 * @param count how many runs there are
 */
export function shardOf<T>(files: readonly T[], pathOf: (file: T) => string, index: number, count: number): T[] {
  const compare = (a: string, b: string) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1);
  return files.toSorted((a, b) => compare(pathOf(a), pathOf(b))).filter((_, place) => place % count === index - 1);
}
