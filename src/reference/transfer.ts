import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { FILE_FIELD } from '../http/file-part.ts';
import { MULTIPART } from '../http/form.ts';
import { linkExportQuery, linkImportQuery, qrQuery } from '../http/queries.ts';
import { namesWith } from '../links/fields/shapes.ts';
import { FILE_KINDS } from '../links/import/import-file.ts';
import { ACTING, SOLE_CLIENT } from './acting.ts';
import { CLIENT_ID, LINK_ID, NOW, ORIGIN, UNSET_FIELDS } from './examples.ts';
import { faultsOfOne } from './field-fault.ts';
import { managedLink, whole } from './link-schemas.ts';
import type { Endpoint } from './operation.ts';
import { input, output } from './schema.ts';

const common = { tag: 'Managing links', takes: ['bearer', 'apiKey'], headers: ['X-Request-Id'] } as const;

// The empty first line gives the rows the same numbers as in the CSV.
const NDJSON =
  '\n{"slug":"autumn","url":"https://example.com/autumn","sec_id":"print"}\n' +
  '{"slug":"winter","url":"ftp://example.com/winter","sec_id":"print"}\n';
const CSV = 'slug,url,sec_id\r\nautumn,https://example.com/autumn,print\r\nwinter,ftp://example.com/winter,print\r\n';

const OPTIONAL = namesWith('row')
  .filter((name) => name !== 'url')
  .map((name) => `\`${name}\``)
  .join(', ');

const FILES = Object.fromEntries(
  Object.entries(FILE_KINDS).map(([type, format]) => [type, format === 'csv' ? CSV : NDJSON]),
);

const importForm = input('ImportForm', () =>
  z.strictObject({
    [FILE_FIELD]: z.string().meta({ description: 'The file; the name of its field may differ', format: 'binary' }),
  }),
);

const rowNumber = () =>
  z.int().min(1).meta({
    description:
      'The number of the row, counted from 1 as in a spreadsheet or an editor: the header of a CSV is row 1, and empty rows count',
  });

const importedRow = output('ImportedRow', () =>
  z.strictObject({
    row: rowNumber(),
    status: z
      .enum(['created', 'unchanged'])
      .meta({ description: 'created: the link was created; unchanged: an equal link existed already' }),
    link: managedLink().optional().meta({ description: 'The link; absent if a dry run would create it' }),
  }),
);

const refusedRow = output('RefusedRow', () =>
  z.strictObject({
    row: rowNumber(),
    status: z.literal('error').meta({ description: 'The row has an error, and no link was created' }),
    error: z.string().meta({ description: '`<code>: <sentence>`' }),
    errors: faultsOfOne(),
  }),
);

const importResults = () =>
  z.strictObject({
    dry_run: z.boolean().meta({ description: 'Whether this was a dry run, which changes nothing' }),
    created: whole('How many links were created'),
    unchanged: whole('How many links existed already'),
    errors: whole('How many rows have errors'),
    results: z
      .array(z.discriminatedUnion('status', [importedRow(), refusedRow()]))
      .meta({ description: 'One result for each row, in the order of the file' }),
  });

const QR: readonly ErrorCode[] = [
  ...ACTING,
  'invalid_size',
  'invalid_margin',
  'invalid_level',
  'invalid_colour',
  'invalid_background',
  'not_found',
  'gone',
  'store_unavailable',
];
const pathParameters = { id: { description: 'The id of the link', example: LINK_ID } };
const query = { schema: qrQuery(), example: { size: 256 } };

export const transferEndpoints: readonly Endpoint[] = [
  {
    ...common,
    method: 'get',
    path: '/v1/links/export',
    operationId: 'exportLinks',
    summary: 'Export all links as one file',
    description:
      'All links except deleted ones, newest first, as CSV or as one ManagedLink a line. After an error the connection is ' +
      'aborted: a response that ends normally is complete.',
    query: { schema: linkExportQuery(), example: { format: 'csv' } },
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
    summary: 'Create links from the rows of a file',
    description:
      'Up to 5,000 rows of at most 64 KiB, and 10 MiB in all, in UTF-8. CSV begins with a header, in any case, and separates ' +
      'cells by comma, semicolon or tab; NDJSON has one object a line. The fields are `url`, and optionally ' +
      `${OPTIONAL}; the other fields of an ` +
      'export are ignored. In NDJSON metadata may be a JSON value, and null counts as absent. A link that exists already is `unchanged`. Rows with errors do not stop the others from being ' +
      'imported.',
    query: { schema: linkImportQuery() },
    body: { files: FILES, inForm: { type: MULTIPART, field: FILE_FIELD, schema: importForm } },
    answers: {
      200: {
        description: 'The result of each row',
        schema: output('ImportResults', importResults),
        example: {
          dry_run: false,
          created: 1,
          unchanged: 0,
          errors: 1,
          results: [
            {
              row: 2,
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
                ...UNSET_FIELDS,
                disabled: false,
                state: 'active',
                updated_at: NOW,
              },
            },
            {
              row: 3,
              status: 'error',
              error: 'invalid_url: url must be an absolute http or https URL, such as https://example.com/page.',
              errors: [
                {
                  field: 'url',
                  detail: 'url must be an absolute http or https URL, such as https://example.com/page.',
                },
              ],
            },
          ],
        },
      },
    },
    codes: [
      'invalid_idempotency_key',
      ...SOLE_CLIENT,
      'missing_field',
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
    description: 'A vector image, which stays sharp at every size.',
    pathParameters,
    query,
    answers: { 200: { description: 'The image', types: ['image/svg+xml'], schema: { type: 'string' } } },
    codes: QR,
  },
  {
    ...common,
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
