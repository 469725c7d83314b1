import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder, runProcess, strangersEnv, type Outcome } from '../scripts/support/processes.ts';
import { copyProject, NODE, printedOnce, ROOT } from '../scripts/support/project.ts';
import { startServer, type Server } from '../scripts/support/server.ts';

const CLIENTS = 'test/scripts/clients';
const JOURNEYS = `${CLIENTS}/journeys`;

/** Programs that do the same steps, each with another generated client. */
const PROGRAMS = [
  ['openapi-typescript', 'cli/client/journey.ts'],
  ['@hey-api/openapi-ts', `${JOURNEYS}/hey-api.ts`],
  ['orval, with zod', `${JOURNEYS}/orval.ts`],
] as const;

describe('a program that is written by the document', () => {
  const folder = copyProject();
  let server: Server;

  beforeAll(async () => {
    cpSync(join(ROOT, CLIENTS), join(folder, CLIENTS), { recursive: true });
    server = await startServer({ folder, persistTo: makeFolder() });
    const args = [join(folder, 'public/assets/openapi.json'), join(folder, JOURNEYS), server.origin];
    const made = await runProcess(NODE, [`${CLIENTS}/generate.ts`, ...args], { cwd: folder });
    if (made.code !== 0) throw new Error(made.stderr);
  });

  const tsc = (...files: string[]): Promise<Outcome> => {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'];
    const lib = ['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable', '--types', 'node'];
    const modules = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    const args = [join(ROOT, 'node_modules/.bin/tsc'), '--ignoreConfig', ...options, ...lib, ...modules, ...files];
    return runProcess(NODE, args, { cwd: folder, env: strangersEnv() });
  };

  it('a program that is written by the document compiles strictly together with each generated client', async () => {
    expect(await tsc(...PROGRAMS.map(([, file]) => file))).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('a program that is written by the document would not compile with a path that there is not, or without a field that is required', async () => {
    const program = `import createClient from 'openapi-fetch';
      import type { paths } from './terse.d.ts';
      const terse = createClient<paths>();
      await terse.GET('/v1/nothing');
      await terse.POST('/v1/links', { body: { client_id: 'acme' } });
      export {};
    `;
    writeFileSync(join(folder, 'cli/client/wrong.ts'), program);
    const { code, stdout } = await tsc('cli/client/wrong.ts');
    expect(code).not.toBe(0);
    expect([...stdout.matchAll(/^cli\/client\/wrong\.ts\((\d+),/gm)].map(([, line]) => line)).toEqual(['4', '5']);
  });

  it.each(PROGRAMS)(
    'a program that is written by the document does all steps with %s: create, follow, info, statistics, edit, 412, delete, restore',
    async (_name, file) => {
      const password = printedOnce(server.output(), 'password');
      const args = [file, server.origin, 'admin', password, 'default'];
      const { code, stdout, stderr } = await runProcess(NODE, args, { cwd: folder, env: strangersEnv() });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        made: ['https://example.com/', '{"a":1}'],
        followed: [302, 'https://example.com/'],
        clicks: 30,
        stats: 30,
        edited: null,
        stale: [412, 'precondition_failed'],
        deleted: 204,
        restored: 'active',
      });
    },
  );
});
