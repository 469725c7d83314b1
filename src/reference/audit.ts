import * as z from 'zod';
import { LIST_QUERY, OWNER, PAGE } from './acting.ts';
import { KEY_ID, OWNER_ID, SIGN_IN_ID } from './examples.ts';
import { cursor, instant } from './link-schemas.ts';
import type { Endpoint } from './operation.ts';
import { output } from './schema.ts';

const entry = () =>
  z.strictObject({
    id: z.string(),
    at: instant(),
    action: z.string().meta({ description: 'Such as `key.created`; new ones may be added' }),
    subject: z.strictObject({ kind: z.string(), id: z.string(), name: z.string().nullable() }),
    details: z.record(z.string(), z.unknown()).nullable().meta({ description: 'More of the change, if there is more' }),
    by: z
      .strictObject({ local_id: z.string().nullable(), name: z.string().nullable() })
      .meta({ description: 'Nobody, where the service did it by itself' }),
    credential: z
      .strictObject({ kind: z.string(), id: z.string().nullable() })
      .meta({ description: 'The sign-in, the key or the invite by which it was done' }),
  });

export const auditEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/v1/audit',
    operationId: 'listAudit',
    tag: 'Audit log',
    summary: 'List the changes of keys, members, invites and domains, the newest first',
    description: 'Entries are kept for a year.',
    takes: ['bearer'],
    headers: ['X-Request-Id'],
    query: LIST_QUERY,
    answers: {
      200: {
        description: 'A page of entries',
        schema: output('AuditLog', () => z.strictObject({ entries: z.array(entry()), cursor: cursor() })),
        example: {
          entries: [
            {
              id: '9a0b1c2d3e4f5061',
              at: '2026-03-01T12:00:00.000Z',
              action: 'key.created',
              subject: { kind: 'key', id: KEY_ID, name: 'build server' },
              details: { scopes: ['links:read', 'links:write', 'stats:read'], expires_at: null },
              by: { local_id: OWNER_ID, name: 'ann' },
              credential: { kind: 'access_token', id: SIGN_IN_ID },
            },
          ],
          cursor: null,
        },
      },
    },
    codes: [...OWNER, ...PAGE, 'store_unavailable'],
  },
];
