import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { linkExportQuery, linkImportQuery, qrQuery } from '../http/queries.ts';
import { ACTING, SOLE_CLIENT } from './acting.ts';
import { CLIENT_ID, LINK_ID, NOW, ORIGIN } from './examples.ts';
import { managedLink } from './link-schemas.ts';
import type { Endpoint } from './operation.ts';
import { output } from './schema.ts';

const common = { tag: 'Managing links', takes: ['bearer', 'apiKey'], headers: ['X-Request-Id'] } as const;

const ROW = '{"slug":"autumn","url":"https://example.com/autumn","sec_id":"print"}\n';
const BAD_ROW = '{"slug":"winter","url":"ftp://example.com/winter","sec_id":"print"}\n';
const CSV = 'slug,url,sec_id\r\nautumn,https://example.com/autumn,print\r\nwinter,ftp://example.com/winter,print\r\n';

const rowNumber = () => z.int().min(1).meta({ description: 'Counted from 1, without the header' });

const importResults = () =>
  z.strictObject({
    dry_run: z.boolean(),
    created: z.int(),
    unchanged: z.int(),
    errors: z.int(),
    results: z.array(
      z.union([
        z.strictObject({
          row: rowNumber(),
          status: z.enum(['created', 'unchanged']),
          link: managedLink().optional(),
        }),
        z.strictObject({
          row: rowNumber(),
          status: z.literal('error'),
          error: z.string().meta({ description: '`<code>: <sentence>`' }),
        }),
      ]),
    ),
  });

const QR: readonly ErrorCode[] = [
  ...ACTING,
  'invalid_size',
  'invalid_margin',
  'invalid_level',
  'not_found',
  'store_unavailable',
];
const pathParameters = { id: { description: 'The id of the link', example: LINK_ID } };
const query = { schema: qrQuery, example: { size: 256 } };

export const transferEndpoints: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    path: '/v1/links/export',
    operationId: 'exportLinks',
    summary: 'Get all links as one file',
    description:
      'All links but deleted ones, the newest first, as CSV or as one ManagedLink a line. A failure half-way breaks the ' +
      'connection off: a file that ends as it should is whole.',
    query: { schema: linkExportQuery, example: { format: 'csv' } },
    answers: {
      200: {
        description: 'The file',
        headers: ['Content-Disposition'],
        types: ['text/csv', 'application/x-ndjson'],
        schema: { type: 'string' },
      },
    },
    codes: [...SOLE_CLIENT, 'invalid_format', 'store_unavailable'],
  },
  {
    ...common,
    method: 'post',
    path: '/v1/links/import',
    operationId: 'importLinks',
    summary: 'Make links of the rows of a file',
    description:
      'Up to 5,000 rows and 10 MiB, in UTF-8. CSV begins with a line that names its columns; NDJSON is an object a line. The ' +
      'fields are `url`, and as wanted `slug`, `aliases`, `custom_domain`, `sec_id`, `campaign_name`, `metadata`, ' +
      '`expires_at` and `disabled`; what else an export tells is ignored. A link that is there already is `unchanged`, and ' +
      'a row that is at fault does not keep the others from being imported.',
    query: { schema: linkImportQuery },
    body: { files: { 'text/csv': CSV, 'application/x-ndjson': ROW + BAD_ROW, 'application/ndjson': ROW + BAD_ROW } },
    answers: {
      200: {
        description: 'What became of each row',
        schema: output('ImportResults', importResults),
        example: {
          dry_run: false,
          created: 1,
          unchanged: 0,
          errors: 1,
          results: [
            {
              row: 1,
              status: 'created',
              link: {
                id: 'Wc9pNt7J',
                short_url: `${ORIGIN}/autumn`,
                url: 'https://example.com/autumn',
                client_id: CLIENT_ID,
                sec_id: 'print',
                campaign_name: null,
                custom_domain: null,
                metadata: null,
                created_at: NOW,
                slug: 'autumn',
                aliases: [],
                expires_at: null,
                disabled: false,
                state: 'active',
                updated_at: NOW,
              },
            },
            {
              row: 2,
              status: 'error',
              error: 'invalid_url: url must be an absolute http or https URL, such as https://example.com/page.',
            },
          ],
        },
      },
    },
    codes: [
      ...SOLE_CLIENT,
      'unknown_field',
      'repeated_field',
      'invalid_dry_run',
      'too_many_rows',
      'too_many_requests',
      'store_unavailable',
    ],
  },
  {
    ...common,
    method: 'get',
    path: '/v1/links/{id}/qr.svg',
    operationId: 'drawQrSvg',
    summary: 'Draw a short link as a QR code, in SVG',
    pathParameters,
    query,
    answers: { 200: { description: 'The picture', types: ['image/svg+xml'], schema: { type: 'string' } } },
    codes: QR,
  },
  {
    ...common,
    method: 'get',
    path: '/v1/links/{id}/qr.png',
    operationId: 'drawQrPng',
    summary: 'Draw a short link as a QR code, in PNG',
    description: 'Modules are whole pixels: what is left of the size widens the margin.',
    pathParameters,
    query,
    answers: {
      200: { description: 'The picture', types: ['image/png'], schema: { type: 'string', format: 'binary' } },
    },
    codes: QR,
  },
];
