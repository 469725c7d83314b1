import { expect, it } from 'vitest';
import { mutantsOf, type Kind } from '../../../scripts/mutants/mutate.ts';
import { describeResults, type Fate, type Result } from '../../../scripts/mutants/report.ts';

const TEXT = 'export const isLarge = (size: number) =>\n  size > 10;\n';

function result(file: string, kind: Kind, fate: Fate, tests: number): Result {
  const mutant = mutantsOf(file, TEXT).find((each) => each.kind === kind)!;
  return { mutant, fate, tests };
}

it('the report of mutants counts by room, and shows each mutant that survived, and those that timed out apart', () => {
  const results = [
    result('src/links/size.ts', 'comparison', 'survived', 3),
    result('src/links/size.ts', 'constant', 'killed', 3),
    result('src/errors.ts', 'return', 'survived', 0),
    result('src/api/size.ts', 'constant', 'killed', 1),
    result('src/api/size.ts', 'return', 'timed out', 2),
    result('src/api/size.ts', 'comparison', 'killed by its types', 2),
  ];
  expect(describeResults(results, () => TEXT)).toBe(
    `
room       killed   survived  timed out
(none)          0          1          0
api             2          0          1
links           1          1          0
all             3          2          1

src/links/size.ts:2 (comparison; executed by 3 test files)
-   size > 10;
+   size <= 10;

src/errors.ts:2 (return; no test executes it)
-   size > 10;
+   !(size > 10);

Timed out:

src/api/size.ts:2 (return; executed by 2 test files)
-   size > 10;
+   !(size > 10);

60.0% of the mutants that did not time out were killed, 1 of them by the type check alone.`.slice(1),
  );
});
