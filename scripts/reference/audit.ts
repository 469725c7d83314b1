import * as z from 'zod';
import { AUDIT_KINDS } from '../../src/accounts/audit/actions.ts';
import { LIST_QUERY, OWNER, PAGE } from './acting.ts';
import { KEY_ID, OWNER_ID, SIGN_IN_ID } from './examples.ts';
import { cursor, instant } from './link-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { output } from './schema.ts';

const subject = output('AuditSubject', () =>
  z.strictObject({
    kind: z.string().meta({
      description: `The kind of what was changed: \`${AUDIT_KINDS.join('`, `')}\`; other kinds may be added later`,
    }),
    id: z.string().meta({ description: 'The id of what was changed' }),
    name: z.string().nullable().meta({ description: 'The name of what was changed; null if it has none' }),
  }),
);

const author = output('AuditAuthor', () =>
  z.strictObject({
    local_id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the user; null for a change by the service itself or its operator' }),
    name: z.string().nullable().meta({
      description:
        'The name of the user; null for a change by the service itself or its operator, or by a user who has been deleted',
    }),
  }),
);

const credential = output('AuditCredential', () =>
  z.strictObject({
    kind: z
      .string()
      .meta({ description: 'The kind of credential, such as `access_token`; other kinds may be added later' }),
    id: z
      .string()
      .nullable()
      .meta({ description: 'The id of the sign-in, the key, the invite or the reset link; null if there is none' }),
  }),
);

const entry = output('AuditEntry', () =>
  z.strictObject({
    id: z.string().meta({ description: 'The id of the entry' }),
    at: instant('The time of the change'),
    action: z.string().meta({ description: 'The action, such as `key.created`; other kinds may be added later' }),
    subject: subject().meta({ description: 'What was changed' }),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Details of the change, if there are any' }),
    by: author().meta({ description: 'The user who changed it' }),
    credential: credential().meta({ description: 'The credential that was used' }),
  }),
);

export const auditEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/v1/audit',
    operationId: 'listAudit',
    tag: 'Audit log',
    summary: 'List the changes of a client, newest first',
    description: 'Entries are kept for a year.',
    takes: ['bearer'],
    headers: ['X-Request-Id'],
    query: LIST_QUERY,
    answers: {
      200: {
        description: 'A page of entries',
        schema: output('AuditLog', () =>
          z.strictObject({
            entries: z.array(entry()).meta({ description: 'The changes, newest first' }),
            cursor: cursor(),
          }),
        ),
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
