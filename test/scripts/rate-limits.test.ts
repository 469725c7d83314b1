import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RATE_LIMITS } from '../../src/http/rate-limits.ts';
import { ROOT } from './support/project.ts';

it.each(Object.values(RATE_LIMITS).flatMap((kind) => Object.values(kind).filter((limit) => typeof limit === 'object')))(
  '$binding allows in each isolate as much by weight as wrangler.toml allows by calls',
  ({ binding, most }) => {
    const settings = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8');
    const [, limit] =
      new RegExp(`name = "${binding}"\\nnamespace_id = "\\d+"\\nsimple = { limit = (\\d+), period = 60 }`).exec(
        settings,
      ) ?? [];
    expect(Number(limit)).toBe(most);
  },
);
