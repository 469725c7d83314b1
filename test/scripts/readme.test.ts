import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTING_NAMES } from '../../src/config.ts';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { OLD_ANSWER_SECONDS } from '../../src/links/old-answers.ts';
import { PATIENCE_MS } from '../../src/patience.ts';
import { openApiDocument } from '../../src/reference/document.ts';
import { parse } from './support/settings.ts';
import { ROOT } from './support/project.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

const sentences = readme.replaceAll('\n', ' ');

/** The cells of the table row that begins with a cell. */
const rowOf = (first: string) => readme.split('\n').find((line) => line.startsWith(`| ${first} `)) ?? '';

it('lists every error code, beside its status, and no other', () => {
  const listed = [...new Set(Object.values(STATUS_BY_CODE))].flatMap((status) =>
    [...rowOf(String(status)).matchAll(/`(\w+)`/g)].map(([, code]) => [code, status]),
  );
  expect(Object.fromEntries(listed)).toEqual(STATUS_BY_CODE);
});

it.each(SETTING_NAMES)('explains the setting %s', (name) => {
  expect(rowOf(`\`${name}\``)).not.toBe('');
});

it('names each endpoint once', () => {
  const cells = [...readme.matchAll(/^\| (`(?:GET|PATCH|POST)`?.*?) +\|/gm)].map(([, cell]) => cell);
  expect(cells.length).toBeGreaterThan(30);
  expect(cells).toEqual([...new Set(cells)]);
});

describe('the times that the README states', () => {
  const seconds = (name: keyof typeof PATIENCE_MS) => `${PATIENCE_MS[name] / 1000} s`;

  it.each<[of: string, told: string]>([
    ['KV', `KV after ${seconds('kvRead')} (${seconds('kvWrite')} for writes)`],
    ['a rate limiter', `a rate limiter after ${seconds('limiter')}`],
    [
      'D1',
      `D1 after ${seconds('redirectDatabase')} for a redirect, ${seconds('database')} for an endpoint or a page and ` +
        `${seconds('backgroundDatabase')} for the consumer and the clean-up`,
    ],
    ['clicks', `queue and D1 after ${seconds('clicks')} for clicks`],
    ['DNS', `DNS and customers' hosts after ${seconds('domainProof')}`],
    ['Cloudflare', `Cloudflare's own API after ${seconds('customHostnames')}`],
    ['health', `does not answer within ${seconds('health')} is named in a 503`],
    [
      'the filtering resolver',
      `If it does not answer within ${seconds('targetFilter')} for all hosts of a request, the link is made.`,
    ],
  ])('for %s are those of the code', (_of, told) => {
    expect(sentences).toContain(told);
  });

  it('until an old answer has died are those of the code, and of the API document', () => {
    const { kvCache, kvPropagation, check } = OLD_ANSWER_SECONDS;
    const { memorySeconds } = parse({});
    expect(sentences).toContain(
      `at most \`MEMORY_SECONDS\` (${memorySeconds}) + ${kvCache} s (KV's own cache) + ${kvPropagation} s (KV's propagation: ` +
        `"60 seconds or more") + ${check} s (a link served from KV is compared with D1 after the answer`,
    );
    const ours = kvCache + kvPropagation + check;
    expect(sentences).toContain(`: ${memorySeconds + ours} seconds, about three minutes`);
    expect(sentences).toContain(`| \`MEMORY_SECONDS\` + ${ours} s `);
    expect(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')).toContain(`\nMEMORY_SECONDS = "${memorySeconds}"\n`);
    expect(JSON.stringify(openApiDocument())).toContain(
      `\`MEMORY_SECONDS\` (${memorySeconds} unless the operator has set another value) and ${ours} seconds`,
    );
  });
});
