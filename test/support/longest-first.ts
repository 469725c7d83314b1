import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, the longest first. In a fresh clone the order would be that of sizes, and a long file that
 * begins last would run alone.
 */
const LONG = [
  'test/api/access.test.ts',
  'test/scripts/account.test.ts',
  'test/clicks/send.isolated.test.ts',
  'test/system/bench.test.ts',
  'test/system/deploy-interrupted.test.ts',
  'test/system/deploy-versions.test.ts',
  'test/system/restore.test.ts',
  'test/system/release-databases.test.ts',
  'test/system/deploy-from-empty.test.ts',
  'test/system/deploy-objects.test.ts',
  'test/system/clicks.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = LONG.findIndex((file) => moduleId.endsWith(file));
      return rank === -1 ? LONG.length : rank;
    };
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
