import type { Site } from '../../hosts.ts';
import { faultsOf, type AppError } from '../../errors.ts';
import { namesWith } from '../../links/fields/shapes.ts';
import type { ImportedLink } from '../../links/import/import-row.ts';
import type { ImportResult } from '../../links/import/import.ts';
import { shortUrlOf } from '../../links/short-url.ts';
import type { OwnClient } from '../env.ts';
import { newForm, type FormState } from '../form.ts';
import { Actions, Button, ButtonLink } from '../kit/button.tsx';
import { FileField, Form, Hidden } from '../kit/form.tsx';
import { Badge, EmptyState, Notice } from '../kit/notice.tsx';
import { formatCount } from '../kit/numbers.ts';
import { PageHeader, Section } from '../kit/section.tsx';
import { Table, type Column } from '../kit/table.tsx';
import { clientPath } from '../nav.ts';
import { shown } from './shown.ts';

/** The page for importing and exporting files. */
export function FilesPage({ client, form }: { client: OwnClient; form: FormState }) {
  const path = clientPath(client, 'links');
  return (
    <>
      <PageHeader title="Import or export" lead="Import links from a file, or export all links of this workspace." />
      <Section
        id="import"
        title="Import"
        hint="You see a preview of each row first. Nothing is created until you confirm."
      >
        <Form form={form} action={`${path}/import`} isKept={false} multipart>
          <FileField
            form={form}
            name="file"
            label="File"
            accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
            hint="CSV or NDJSON in UTF-8, up to 2 MiB and 5,000 rows; up to 10 MiB with the API."
          />
          <p class="quiet">
            The first line of a CSV file names the columns: <code>url</code>, and optionally{' '}
            {namesWith('row').flatMap((name) => (name === 'url' ? [] : [<code>{name}</code>, ', ']))}
            in any order. You can import an exported file without changes.
          </p>
          <Actions>
            <Button>Check the file</Button>
          </Actions>
        </Form>
      </Section>
      <Section id="export" title="Export" hint="All links except deleted ones, newest first.">
        <Actions>
          <ButtonLink href={`${path}/export.csv`}>Download CSV</ButtonLink>
          <ButtonLink href={`${path}/export.ndjson`}>Download NDJSON</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}

const MAX_SHOWN = 200;

/** A row of a file, and its outcome. */
export interface ImportedRow {
  /** As a spreadsheet counts: the header is row 1. */
  readonly row: number;
  readonly source: ImportedLink | AppError;
  readonly result: ImportResult;
}

/** The outcomes of the rows of a file, and the button that runs the import. */
export function ImportPage({
  client,
  name,
  rows,
  carried,
  site,
}: {
  client: OwnClient;
  name: string;
  rows: readonly ImportedRow[];
  /** The file, in the fields of the next form. */
  carried: { readonly format: string; readonly content: string };
  site: Site;
}) {
  const path = clientPath(client, 'links');
  const count = (status: ImportResult['status']) => rows.filter(({ result }) => result.status === status).length;
  const [created, unchanged, errors] = [count('created'), count('unchanged'), count('error')];
  // Rows with faults come first.
  const sorted = [
    ...rows.filter(({ result }) => result.status === 'error'),
    ...rows.filter(({ result }) => result.status !== 'error'),
  ];
  return (
    <>
      <PageHeader title="Check the import" lead={`Preview of the rows of ${name === '' ? 'the file' : name}.`} />
      {rows.length === 0 ? (
        <EmptyState
          title="The file has no rows"
          action={<ButtonLink href={`${path}/files`}>Choose another</ButtonLink>}
        >
          The file contains no rows below the column names.
        </EmptyState>
      ) : (
        <div class="panel">
          <dl class="totals">
            <div>
              <dt>To be created</dt>
              <dd>{formatCount(created)}</dd>
            </div>
            <div>
              <dt>Already exist</dt>
              <dd>{formatCount(unchanged)}</dd>
            </div>
            <div>
              <dt>Errors</dt>
              <dd>{formatCount(errors)}</dd>
            </div>
          </dl>
          {errors > 0 && (
            <Notice kind="danger">
              Rows with errors are not imported. Fix them and check the file again, or import the other rows.
            </Notice>
          )}
          <Form form={newForm()} action={`${path}/import/run`} isKept={false} multipart>
            <Hidden name="format" value={carried.format} />
            <Hidden name="content" value={carried.content} />
            <Actions>
              {created > 0 && (
                <Button>{created === 1 ? 'Import 1 link' : `Import ${formatCount(created)} links`}</Button>
              )}
              <ButtonLink href={`${path}/files`}>{created > 0 ? 'Cancel' : 'Choose another file'}</ButtonLink>
            </Actions>
          </Form>
          <Table caption="Rows of the file" columns={columnsOf(site)} rows={sorted.slice(0, MAX_SHOWN)} />
          {rows.length > MAX_SHOWN && (
            <p class="quiet">
              {formatCount(rows.length - MAX_SHOWN)} more rows are not shown. Rows with errors are listed first.
            </p>
          )}
        </div>
      )}
    </>
  );
}

function columnsOf(site: Site): readonly Column<ImportedRow>[] {
  return [
    { label: 'Row', cell: ({ row }) => formatCount(row) },
    {
      label: 'Result',
      cell: ({ result: { status } }) => {
        if (status === 'error') return <Badge kind="danger">Error</Badge>;
        if (status === 'unchanged') return <Badge>Already exists</Badge>;
        return <Badge kind="success">To be created</Badge>;
      },
    },
    {
      label: 'Link or error',
      isWide: true,
      cell: ({ source, result }) => {
        if (result.status === 'error') return complaintOf(result.error);
        // A link that does not exist yet has no address yet.
        if (!result.link) return 'url' in source && <span class="broken">{source.url}</span>;
        return <span class="broken">{shown(shortUrlOf(result.link, site))}</span>;
      },
    },
  ];
}

function complaintOf(error: AppError): string {
  const faults = faultsOf(error);
  return faults.length > 1 ? faults.map(({ detail }) => detail).join(' ') : error.message;
}
