import * as z from 'zod';
import { clientId, identifier } from '../../src/accounts/users/names.ts';
import { CLICKS, CLIENT_ID, LINK_ID, RECORD, SEC_ID } from './examples.ts';
import { linkInfo, noError } from './link-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { output, refTo } from './schema.ts';

const infoResult = () =>
  z.strictObject({
    error: noError(),
    result: z.string().meta({
      description: 'The record and its clicks, as JSON text',
      contentMediaType: 'application/json',
      contentSchema: refTo(linkInfo),
    }),
  });

export const infoEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/info/{id}/{client_id}/{sec_id}',
    operationId: 'getLinkInfo',
    tag: 'Links',
    summary: 'Get a link and its clicks, by all three ids',
    description:
      'All three ids must match one link of a client that you belong to. Otherwise the error is `not_found`, with status 400.',
    takes: ['bearer'],
    pathParameters: {
      id: { description: 'The id of the link', example: LINK_ID },
      client_id: {
        description: 'Client id of the service customer; neither `.` nor `..`',
        schema: clientId(),
        example: CLIENT_ID,
      },
      sec_id: { description: 'Secondary id; neither `.` nor `..`', schema: identifier(), example: SEC_ID },
    },
    headers: ['X-Request-Id'],
    answers: {
      200: {
        description: 'The record and its clicks',
        schema: output('LinkInfoResult', infoResult),
        example: { result: JSON.stringify({ ...RECORD, clicks: CLICKS }) },
      },
    },
    codes: ['not_found', 'too_many_requests', 'store_unavailable'],
    statusOf: { not_found: 400 },
  },
];
