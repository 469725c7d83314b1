import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AUDIT_ACTIONS } from '../../src/accounts/audit/actions.ts';
import { SETTING_NAMES } from '../../src/config/setting-values.ts';
import { STATUS_BY_CODE } from '../../src/errors.ts';
import { STALENESS_SECONDS } from '../../src/links/redirect/staleness.ts';
import { TIMEOUT_MS } from '../../src/bounds/timeouts.ts';
import { ALL_CODES, meaningOf } from '../../src/reference/code-meanings.ts';
import { openApiDocument } from '../../scripts/reference/document.ts';
import { PAGES, pagesWith, readPage } from './support/pages.ts';
import { ROOT } from './support/project.ts';
import { parse } from './support/settings.ts';

const api = readPage('docs/api.md');
const pages = PAGES.map(readPage).join('\n');

it('the page of errors lists every error code in a row of its own, with its status and meaning, and no other', () => {
  const rows = [...api.matchAll(/^\| `(\w+)` +\| (\d{3}) +\| (.*?) +\|$/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(ALL_CODES.map((code) => [code, String(STATUS_BY_CODE[code]), meaningOf(code)]));
});

it.each(SETTING_NAMES)('a page of the documentation explains the setting %s', (name) => {
  expect(pages.split('\n').filter((line) => line.startsWith(`| \`${name}\` `))).toHaveLength(1);
});

it('a page of the documentation lists every operation of the API document in a row of its own, and no other', () => {
  const rows = [...api.matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)].map(([, name]) => name);
  const { paths } = openApiDocument() as { paths: Record<string, object> };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(rows.toSorted()).toEqual(operations.toSorted());
});

it('a page of the documentation lists each kind of subject of the audit log in rows of its own, with all of its actions', () => {
  for (const [kind, actions] of Object.entries(AUDIT_ACTIONS)) {
    const rows = [...readPage('docs/platform.md').matchAll(new RegExp(`^\\| \`${kind}\` +\\| (.*?) +\\|$`, 'gm'))];
    expect(rows.map(([, cell]) => cell).join(', ')).toBe(`\`${actions.join('`, `')}\``);
  }
});

it('each threat of the page about security has a test', () => {
  const tests = [...readPage('docs/security.md').matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path ?? '');
  expect(tests.length).toBeGreaterThan(10);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

describe('the times that the pages state', () => {
  const seconds = (name: keyof typeof TIMEOUT_MS) => `${TIMEOUT_MS[name] / 1000} s`;

  it.each<[of: string, sentence: string]>([
    ['KV', `KV after ${seconds('kvRead')} (${seconds('kvWrite')} for writes)`],
    ['a rate limiter', `a rate limiter after ${seconds('limiter')}`],
    [
      'D1',
      `D1 after ${seconds('redirectDatabase')} for a redirect, ${seconds('database')} for an endpoint or a page and ` +
        `${seconds('backgroundDatabase')} for the consumer and the clean-up`,
    ],
    ['replicas', `the nearest copy of D1 after ${seconds('nearestDatabase')}, in whose place the primary is read`],
    ['clicks', `queue and objects after ${seconds('clicks')} for clicks`],
    ['statistics', `the object with a client's statistics after ${seconds('statistics')} for an endpoint or a page`],
    ['backgroundStatistics', `and ${seconds('backgroundStatistics')} for the consumer, queue`],
    ['linkLimit', `the object of a limited link after ${seconds('linkLimit')}`],
    ['DNS', `DNS and customers' hosts after ${seconds('domainProof')}`],
    ['Cloudflare', `Cloudflare's own API after ${seconds('customHostnames')}`],
    ['health', `does not respond within ${seconds('health')} is named in a 503`],
    [
      'the filtering resolver',
      `If it does not respond within ${seconds('targetFilter')} for all hosts of a request, the link is created.`,
    ],
  ])('the times that the pages state for %s are those of the code', (_of, sentence) => {
    expect(pagesWith(sentence)).toHaveLength(1);
  });

  it('the times that the pages state for the bound on old responses are those of the code and of the API document', () => {
    const { kvCache, kvPropagation, check } = STALENESS_SECONDS;
    const { memorySeconds } = parse({});
    const bound =
      `at most \`MEMORY_SECONDS\` (${memorySeconds}) + ${kvCache} s (KV's own cache) + ${kvPropagation} s (KV's propagation: ` +
      `"60 seconds or more") + ${check} s (a link served from KV is compared with D1 after the response`;
    expect(pagesWith(bound)).toHaveLength(1);
    const ours = kvCache + kvPropagation + check;
    expect(pagesWith(`: ${memorySeconds + ours} seconds, about three minutes`)).toHaveLength(1);
    expect(pagesWith(`| \`MEMORY_SECONDS\` + ${ours} s `)).toHaveLength(1);
    const unless = `the ${memorySeconds + ours} seconds hold unless a replica is more than ${ours} s behind`;
    expect(pagesWith(unless)).toHaveLength(1);
    expect(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')).toContain(`\nMEMORY_SECONDS = "${memorySeconds}"\n`);
    expect(JSON.stringify(openApiDocument())).toContain(
      `\`MEMORY_SECONDS\` (${memorySeconds} unless the operator has set another value) and ${ours} seconds`,
    );
    expect(JSON.stringify(openApiDocument())).toContain(
      `a replica of the database is more than ${ours} seconds behind`,
    );
  });
});
