import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { rankOf, shardOf } from './file-order.ts';

/** Begins with the files that take longest, and divides files among runs so that each gets some of them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index, count } = this.ctx.config.shard!;
    return shardOf(files, ({ moduleId }) => moduleId, index, count);
  }
}
