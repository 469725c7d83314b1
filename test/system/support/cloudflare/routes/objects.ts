import type { Routes } from '../call.ts';
import { pageOf } from '../envelope.ts';

/** Durable Objects: https://developers.cloudflare.com/api/resources/durable_objects/subresources/namespaces/ */
export const objectRoutes: Routes = {
  'GET /accounts/:account/workers/durable_objects/namespaces': ({ account, query }) =>
    pageOf(account.objectNamespaces, query, 20),
};
