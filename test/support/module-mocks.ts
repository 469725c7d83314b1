import { AsyncLocalStorage } from 'node:async_hooks';

// For `await vi.hoisted(() => import('…/module-mocks.ts'))` above a `vi.mock`: the test runner ends a module mock with
// this call, which workerd does not have, and which would only make promises faster.
AsyncLocalStorage.prototype.disable = () => undefined;
