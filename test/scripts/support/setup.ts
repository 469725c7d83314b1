import { afterAll, aroundEach } from 'vitest';
import { cleanUp } from './processes.ts';
import { runInScope } from './scope.ts';

// The next file runs in this process too, and a tool that was called in it may have set TMPDIR.
const env = { ...process.env };
afterAll(() => {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name];
  Object.assign(process.env, env);
});

aroundEach((runTest, { signal }) => runInScope(signal, runTest));
afterAll(cleanUp);
