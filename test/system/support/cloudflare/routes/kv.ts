import { jsonOf, type Routes } from '../call.ts';
import { ApiError, pageOf } from '../envelope.ts';
import { newId } from '../state.ts';

/** KV namespaces: https://developers.cloudflare.com/api/resources/kv/subresources/namespaces/ */
export const kvRoutes: Routes = {
  'GET /accounts/:account/storage/kv/namespaces': ({ account, query }) => {
    const sorted = account.namespaces.toSorted((a, b) => a.title.localeCompare(b.title));
    return pageOf(sorted, query, 20);
  },

  'POST /accounts/:account/storage/kv/namespaces': (call) => {
    const { title } = jsonOf(call) as { title?: string };
    // The codes of a missing and of a taken title: https://github.com/alchemy-run/distilled, patches/kv/createNamespace.
    if (title === undefined || title === '') throw new ApiError(400, 10019, 'title is required');
    if (call.account.namespaces.some((each) => each.title === title)) {
      // https://github.com/cloudflare/workers-sdk/issues/13242
      throw new ApiError(400, 10014, 'a namespace with this account ID and title already exists');
    }
    const namespace = { id: newId(), title };
    call.account.namespaces.push(namespace);
    return { ...namespace, supports_url_encoding: true };
  },

  'GET /accounts/:account/storage/kv/namespaces/:namespace': ({ account, params }) => {
    const namespace = account.namespaces.find(({ id }) => id === params['namespace']);
    // https://github.com/alchemy-run/distilled, patches/kv/getNamespace
    if (namespace === undefined) throw new ApiError(404, 10013, 'get namespace: namespace not found');
    return { ...namespace, supports_url_encoding: true };
  },
};
