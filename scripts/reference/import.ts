import * as z from 'zod';
import { FILE_FIELD } from '../../src/http/file-part.ts';
import { MULTIPART } from '../../src/http/form.ts';
import { linkImportQuery } from '../../src/http/transfer-queries.ts';
import { namesWith } from '../../src/links/fields/shapes.ts';
import { FILE_KINDS } from '../../src/links/import/file-kinds.ts';
import { SERVICES } from '../../src/links/import/formats/table.ts';
import { SOLE_CLIENT } from './acting.ts';
import { CLIENT_ID, NEW_STATE, NOW, ORIGIN } from './examples.ts';
import { domain } from './domain-schemas.ts';
import { faultsOfOne } from './field-fault.ts';
import { managedLink, whole } from './link-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { input, output } from './schema.ts';

// The empty first line gives the rows the same numbers as in the CSV.
const NDJSON =
  '\n{"slug":"autumn","url":"https://example.com/autumn","sec_id":"print"}\n' +
  '{"slug":"winter","url":"/winter","sec_id":"print"}\n';
const CSV = 'slug,url,sec_id\r\nautumn,https://example.com/autumn,print\r\nwinter,/winter,print\r\n';

// Rows of JSON are counted without a header.
const JSON_LIST = `{"data":[${NDJSON.trim().split('\n').join(',')}]}`;

const OPTIONAL = namesWith('row')
  .filter((name) => name !== 'url')
  .map((name) => `\`${name}\``)
  .join(', ');

const FILES = Object.fromEntries(
  Object.entries(FILE_KINDS).map(([type, format]) => [type, { csv: CSV, ndjson: NDJSON, json: JSON_LIST }[format]]),
);

const importForm = input('ImportForm', () =>
  z.strictObject({
    [FILE_FIELD]: z.string().meta({ description: 'The file; the name of its field may differ', format: 'binary' }),
  }),
);

const rowNumber = () =>
  z.int().min(1).meta({
    description:
      'The number of the row, counted from 1 as in a spreadsheet or an editor: the header of a CSV is row 1, and empty rows count; in JSON the place in the list',
  });

const importedRow = output('ImportedRow', () =>
  z.strictObject({
    row: rowNumber(),
    status: z
      .enum(['created', 'unchanged'])
      .meta({ description: 'created: the link was created; unchanged: an equal link existed already' }),
    notes: z
      .array(z.string())
      .optional()
      .meta({ description: 'What is not kept of the row, or is not as before; absent if there is nothing to say' }),
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

const importedFormat = output('ImportedFormat', () =>
  z.strictObject({
    id: z.string().meta({ description: 'A value of `from`; `mapped` if the request maps the columns' }),
    name: z.string().meta({ description: 'The name of the service that has written the file' }),
    by: z
      .enum(['recognised', 'chosen', 'mapped'])
      .meta({ description: 'recognised: by the columns; chosen: by `from`; mapped: by `map_url` and others' }),
  }),
);

const importedColumn = output('ImportedColumn', () =>
  z.strictObject({
    column: z.string().meta({ description: 'The name of the column in the file' }),
    field: z.string().nullable().meta({ description: 'The field of a link that it becomes; null if it is not kept' }),
  }),
);

const importedHost = output('ImportedHost', () =>
  z.strictObject({
    host: z.string().meta({ description: 'The host of short URLs in the file' }),
    rows: z.int().min(1).meta({ description: 'How many rows name it' }),
  }),
);

const waitedFor = output('WaitedForDomain', () =>
  z.strictObject({
    host: z.string().meta({ description: 'The host name of the domain' }),
    is_new: z.boolean().meta({ description: 'Whether this import adds the domain, or would in a dry run' }),
    domain: domain()
      .nullable()
      .meta({ description: 'Null if a dry run would add it, and for keys and api_tokens, which cannot see domains' }),
  }),
);

const skippedRow = output('SkippedRow', () =>
  z.strictObject({
    row: rowNumber(),
    reason: z.string().meta({ description: 'Why no link is created' }),
  }),
);

const importResults = () =>
  z.strictObject({
    dry_run: z.boolean().meta({ description: 'Whether this was a dry run, which changes nothing' }),
    created: whole('How many links were created'),
    unchanged: whole('How many links existed already'),
    errors: whole('How many rows have errors'),
    format: importedFormat().meta({ description: 'The format that was recognised or chosen' }),
    columns: z.array(importedColumn()).meta({ description: 'The columns of the file, up to 64' }),
    notes: z.array(z.string()).meta({ description: 'What is not kept of the whole file, and how its dates were read' }),
    hosts: z
      .array(importedHost())
      .meta({ description: 'The hosts that the file names for its links, up to 100, those with the most links first' }),
    pending_domains: z
      .array(waitedFor())
      .meta({ description: 'The domains of the file that are not verified yet: its links wait for them' }),
    skipped: z
      .array(skippedRow())
      .meta({ description: 'The rows of which no link is created, since it was deleted where it comes from' }),
    results: z
      .array(z.discriminatedUnion('status', [importedRow(), refusedRow()]))
      .meta({ description: 'One result for each row, in the order of the file' }),
  });

/** `POST /v1/links/import`. */
export const importLinks: Endpoint = {
  tag: 'Import and export',
  takes: ['bearer', 'apiKey'],
  headers: ['X-Request-Id'],
  method: 'post',
  path: '/v1/links/import',
  operationId: 'importLinks',
  summary: 'Create links from the rows of a file',
  description:
    'Up to 5,000 rows of at most 64 KiB, and 10 MiB in all, in UTF-8 unless `charset`, the ' +
    'Content-Type or a byte order mark says otherwise. CSV begins with a case-insensitive header, and separates ' +
    'cells by comma, semicolon, tab or `|`; NDJSON has one object a line, and JSON a list of objects. A text with a URL in ' +
    `each line is read as a list of URLs. The exports of ${SERVICES} are recognised by their columns. Otherwise the ` +
    'fields are `url`, and optionally ' +
    `${OPTIONAL}; the other fields of an ` +
    'export are ignored, except `created_at`. In NDJSON metadata may be a JSON value, and null counts as absent. A link that exists already is `unchanged`. Rows with errors do not stop the others from being ' +
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
        format: { id: 'terse', name: 'Terse', by: 'recognised' },
        columns: ['slug', 'url', 'sec_id'].map((name) => ({ column: name, field: name })),
        notes: [],
        hosts: [],
        pending_domains: [],
        skipped: [],
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
              ...NEW_STATE,
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
    'invalid_charset',
    'too_long',
    'too_many_rows',
    'too_many_requests',
    'store_unavailable',
  ],
};
