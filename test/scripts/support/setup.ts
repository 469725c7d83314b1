import { afterAll, aroundEach } from 'vitest';
import { cleanUp } from './processes.ts';
import { runInScope } from './scope.ts';

aroundEach((runTest, { signal }) => runInScope(signal, runTest));
afterAll(cleanUp);
