import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/reference/document.ts';
import { makeFolder, runProcess, strangersEnv, type Outcome } from './support/processes.ts';
import { copyProject, NODE, printedOnce, ROOT, runTool } from './support/project.ts';
import { startServer, type Server } from './support/server.ts';

/** What an OpenAPI linter has to say against a document, as an error or otherwise. */
async function lint(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ severity, ruleId, location }) => `${severity}: ${ruleId} at ${location[0]?.pointer}`);
}

describe('the API document', () => {
  it('is found good by a linter, which misses refusals only where there are none', async () => {
    const of = (path: string) => `#/paths/~1${path.replaceAll('/', '~1')}/get/responses`;
    expect((await lint(openApiDocument())).toSorted()).toEqual(
      [
        `warn: operation-2xx-response at ${of('{slug}')}`,
        ...['.well-known/jwks.json', '.well-known/terse-domain', 'openapi.json', 'changelog', 'changelog.rss'].map(
          (path) => `warn: operation-4xx-response at ${of(path)}`,
        ),
      ].toSorted(),
    );
  });

  it('would be found bad with a credential that it does not describe', async () => {
    const get = { operationId: 'x', security: [{ nothing: [] }], responses: {} };
    const problems = await lint({ ...openApiDocument(), paths: { '/x': { get } } });
    expect(problems).toContain('error: security-defined at #/paths/~1x/get/security/0/nothing');
  });
});

describe('the types of a client', () => {
  it('are those of the API document', async () => {
    expect(await runTool(['scripts/types.ts', '--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a program that is written by these types', () => {
  const folder = copyProject();
  let server: Server;

  beforeAll(async () => {
    server = await startServer({ folder, persistTo: makeFolder() });
  });

  const tsc = (...files: string[]): Promise<Outcome> => {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'];
    const language = ['--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node'];
    const args = [join(ROOT, 'node_modules/.bin/tsc'), '--ignoreConfig', ...options, ...language, ...files];
    return runProcess(NODE, args, { cwd: folder, env: strangersEnv() });
  };

  it('compiles', async () => {
    expect(await tsc('client/journey.ts')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('would not compile with a path that there is not, or without a field that is required', async () => {
    const program = `import createClient from 'openapi-fetch';
      import type { paths } from './terse.d.ts';
      const terse = createClient<paths>();
      await terse.GET('/v1/nothing');
      await terse.POST('/v1/links', { body: { url: 'https://example.com/' } });
      export {};
    `;
    writeFileSync(join(folder, 'client/wrong.ts'), program);
    const { code, stdout } = await tsc('client/wrong.ts');
    expect(code).not.toBe(0);
    expect([...stdout.matchAll(/^client\/wrong\.ts\((\d+),/gm)].map(([, line]) => line)).toEqual(['4', '5']);
  });

  it('goes the whole journey: token, link, redirect, info, statistics', async () => {
    const password = printedOnce(server.output(), 'password');
    const args = ['client/journey.ts', server.origin, 'admin', password, 'default'];
    const { code, stdout, stderr } = await runProcess(NODE, args, { cwd: folder, env: strangersEnv() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      made: 'https://example.com/',
      followed: [302, 'https://example.com/'],
      clicks: 30,
      stats: 30,
    });
  });
});
