import type { ErrorCode } from '../../src/errors.ts';
import { linkExportQuery } from '../../src/http/transfer-queries.ts';
import { qrQuery } from '../../src/http/qr-query.ts';
import { ACTING, SOLE_CLIENT } from './acting.ts';
import { LINK_ID } from './examples.ts';
import { importLinks } from './import.ts';
import type { Endpoint } from './endpoint.ts';

const common = { takes: ['bearer', 'apiKey'], headers: ['X-Request-Id'] } as const;

const QR: readonly ErrorCode[] = [...ACTING, 'not_found', 'gone', 'store_unavailable'];
const pathParameters = { id: { description: 'The id of the link', example: LINK_ID } };
const query = { schema: qrQuery(), example: { size: 256 } };

export const transferEndpoints: readonly Endpoint[] = [
  {
    ...common,
    tag: 'Import and export',
    method: 'get',
    path: '/v1/links/export',
    operationId: 'exportLinks',
    summary: 'Export all links as one file',
    description:
      'All links except deleted ones, newest first, as CSV or as one ManagedLink a line, with `clicks_left`. After an ' +
      'error the connection is aborted: a response that ends normally is complete.',
    query: { schema: linkExportQuery(), example: { format: 'csv' } },
    answers: {
      200: {
        description: 'The file',
        headers: ['Content-Disposition'],
        types: ['text/csv', 'application/x-ndjson'],
        schema: { type: 'string' },
      },
    },
    codes: [...SOLE_CLIENT, 'store_unavailable'],
  },
  importLinks,
  {
    ...common,
    tag: 'QR codes',
    method: 'get',
    path: '/v1/links/{id}/qr.svg',
    operationId: 'drawQrSvg',
    summary: 'Draw a short link as a QR code, in SVG',
    description: 'A vector image, which stays sharp at every size.',
    pathParameters,
    query,
    answers: { 200: { description: 'The image', types: ['image/svg+xml'], schema: { type: 'string' } } },
    codes: QR,
  },
  {
    ...common,
    tag: 'QR codes',
    method: 'get',
    path: '/v1/links/{id}/qr.png',
    operationId: 'drawQrPng',
    summary: 'Draw a short link as a QR code, in PNG',
    description: 'Modules are whole pixels; the rest of the size widens the margin.',
    pathParameters,
    query,
    answers: {
      200: { description: 'The image', types: ['image/png'], schema: { type: 'string', format: 'binary' } },
    },
    codes: QR,
  },
];
