import { AsyncLocalStorage } from 'node:async_hooks';

// For `await vi.hoisted(() => import('…/module-mocks.ts'))` above a `vi.mock`: the test runner ends a module mock with
// this call. workerd does not have it, and it only makes promises faster.
AsyncLocalStorage.prototype.disable = () => undefined;
