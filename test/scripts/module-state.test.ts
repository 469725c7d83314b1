import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sourcesIn } from './support/code-texts.ts';
import { ROOT } from './support/project.ts';

/** The state of modules that changes, besides what each file of tests opens anew: counts, and what is built once. */
const KEPT = new Set([
  'src/app/services.ts: opened',
  'src/clicks/send.ts: lostClicks',
  'src/links/create/create-sql.ts: sqlByKind',
  'src/links/create/new-link-schema.ts: bySet',
  'src/links/routes/of-target.ts: compiled',
  'src/isolate/log.ts: counts',
  'src/redirect/refusal.ts: pages',
  'src/operator/backup.ts: lastRead',
  'src/secrets/sealing.ts: IMPORTED',
  'src/time/minute-of-week.ts: spans',
]);

// Collections that begin with their elements are constants.
const EMPTY = String.raw`(?:Weak)?(?:Map|Set)(?:<.*>)?\(\)`;
const BOUNDED = String.raw`(?:BoundedMap|RecentlySeen|Tallies|\w*Memory)\b`;

it('modules of the Worker keep little: what an isolate remembers is opened by the app', () => {
  const found = sourcesIn('src').flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const variables = new RegExp(
      `^(?:export )?(?:let (\\w+)|const (\\w+)(?:: .+)? = new (?:${EMPTY}|${BOUNDED}))`,
      'gm',
    );
    return [...text.matchAll(variables)].map(([, one, other]) => `${path}: ${one ?? other}`);
  });
  expect(new Set(found)).toEqual(KEPT);
});
