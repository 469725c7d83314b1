import * as z from 'zod';
import { ACTING, ACTOR_QUERY, LIST_QUERY, PAGE } from './acting.ts';
import { LINK_ID, MANAGED_LINK, NOW } from './examples.ts';
import { cursor, instant, managedLink, whole } from './link-schemas.ts';
import { EDIT, ifMatch, linkId, managing } from './links.ts';
import type { Endpoint } from './endpoint.ts';
import { output } from './schema.ts';

const value = () => z.union([z.string(), z.array(z.string()), z.null()]);

const change = output('FieldChange', () =>
  z.strictObject({
    from: value().meta({ description: 'The value before; null if it was empty' }),
    to: value().meta({ description: 'The value after; null if it is empty' }),
  }),
);

const author = output('LinkAuthor', () =>
  z.strictObject({
    user: z.string().nullable().meta({ description: 'The name of the user; null if the user no longer exists' }),
    key_id: z.string().nullable().meta({ description: 'The id of the API key; null if none was used' }),
  }),
);

const historyEntry = output('HistoryEntry', () =>
  z.strictObject({
    n: whole('The number of the entry; 1 is the creation of the link'),
    at: instant('The time of the change'),
    action: z.string().meta({ description: 'created, edited, deleted or restored' }),
    by: author().meta({ description: 'The user or the key that changed the link' }),
    url: z.string().meta({ description: 'The destination after the change' }),
    changes: z.record(z.string(), change()).meta({ description: 'The changed fields' }),
  }),
);

const history = () =>
  z.strictObject({
    history: z.array(historyEntry()).meta({ description: 'The changes, newest first' }),
    cursor: cursor(),
  });

export const historyEndpoints: readonly Endpoint[] = [
  {
    ...managing,
    method: 'get',
    path: '/v1/links/{id}/history',
    operationId: 'listLinkHistory',
    summary: 'List the changes to a link, newest first',
    description: 'Who created, changed, deleted or restored the link, when, and which fields were changed.',
    pathParameters: { id: linkId },
    query: LIST_QUERY,
    answers: {
      200: {
        description: 'A page of changes',
        schema: output('LinkHistory', history),
        example: {
          history: [
            {
              n: 2,
              at: MANAGED_LINK.updated_at,
              action: 'edited',
              by: { user: 'ann', key_id: null },
              url: MANAGED_LINK.url,
              changes: {
                slug: { from: LINK_ID, to: 'spring-sale' },
                url: { from: 'https://example.com/page', to: MANAGED_LINK.url },
              },
            },
            {
              n: 1,
              at: MANAGED_LINK.created_at,
              action: 'created',
              by: { user: 'ann', key_id: null },
              url: 'https://example.com/page',
              changes: {},
            },
          ],
          cursor: null,
        },
      },
    },
    codes: [...ACTING, ...PAGE, 'not_found', 'store_unavailable'],
  },
  {
    ...managing,
    method: 'post',
    path: '/v1/links/{id}/history/{n}/restore',
    operationId: 'restoreLinkTarget',
    summary: 'Restore a previous destination of a link',
    description: 'The destination is checked by the current rules.',
    pathParameters: {
      id: linkId,
      n: { description: 'The number of the entry in the history', schema: z.int().min(1), example: 1 },
    },
    query: ACTOR_QUERY,
    requestHeaders: ifMatch(),
    answers: {
      200: {
        description: 'The link as it is now',
        headers: ['ETag'],
        schema: managedLink,
        example: { ...MANAGED_LINK, url: 'https://example.com/page', updated_at: NOW },
      },
    },
    codes: [...EDIT, 'link_deleted', 'too_long', 'invalid_url', 'own_host', 'blocked_host'],
  },
];
