import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FLOWS } from '../../scripts/trace/flows.ts';
import { pageWith, traceAll } from '../../scripts/trace.ts';
import { ROOT, runTool } from '../scripts/support/project.ts';

it('the table of the architecture has the files and hops of each flow: npm run trace -- --write', async () => {
  expect(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8')).toBe(pageWith(await traceAll(FLOWS)));
});

it('a flow that is traced alone has the size of the table, and prints its way', async () => {
  const { code, stdout, stderr } = await runTool(['scripts/trace.ts', 'GET /v1/links/{id}/stats']);
  expect([code, stderr]).toEqual([0, '']);
  const [, files, hops] =
    /^GET \/v1\/links\/\{id\}\/stats: (\d+) files, (\d+) hops, \d+ calls \(at most 45 files, 120 hops\)$/m.exec(
      stdout,
    ) ?? [];
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const [row] = page.match(/^\| `GET \/v1\/links\/\{id\}\/stats` .*$/m) ?? [];
  expect(
    row
      ?.split('|')
      .map((cell) => cell.trim())
      .slice(2, 4),
  ).toEqual([files, hops]);
  const way = stdout.slice(stdout.indexOf('The way\n'), stdout.indexOf('\n\nThe same function'));
  expect(way.split('\n')).toHaveLength(Number(hops) + 2);
  expect(way).toMatch(/^The way\n +0 +app +app\/app\.ts +fetch\n +1 /);
});

it('a request with a body to another path is traced too', async () => {
  const { code, stdout, stderr } = await runTool(['scripts/trace.ts', 'POST /v1/tags', '{"name":"{id}"}']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^POST \/v1\/tags: \d+ files, \d+ hops, \d+ calls\n[^]* api\/tags\.ts +in tagsApi.*\n[^]* createTag/,
  );
});

it('a path that is no flow, and a request that fails, end with a sentence', async () => {
  expect(await runTool(['scripts/trace.ts', 'nothing'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^"nothing" is no flow: /),
  });
  expect(await runTool(['scripts/trace.ts', '--write', 'hot redirect'])).toMatchObject({
    code: 2,
    stderr: '"--write" writes the table of all flows.\n',
  });
  const { code, stderr } = await runTool(['scripts/trace.ts', 'GET /v1/nothing']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^GET \/v1\/nothing returned 404: \{.*\}\n$/)]);
});
