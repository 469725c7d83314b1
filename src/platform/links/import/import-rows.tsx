import type { Site } from '../../../network/hosts.ts';
import type { FileRow, ImportedLink } from '../../../links/import/import-row.ts';
import type { ImportResult } from '../../../links/import/import.ts';
import { notesOf } from '../../../links/import/row-notes.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { Badge } from '../../kit/notice.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { Table } from '../../kit/table.tsx';
import { Destination } from '../destination.tsx';
import { displayUrl, withReadableHosts } from '../display-url.ts';
import { complaintOf } from './import-words.ts';

/** The most rows of a file that a page shows. */
const MAX_SHOWN = 200;

/** A row of a file, and its outcome. */
export interface ImportedRow extends FileRow {
  readonly result: ImportResult;
}

/** The outcomes of the rows of a file before it is imported: errors first, then rows with notes, then the others. */
export function PreviewRows({ rows, site }: { rows: readonly ImportedRow[]; site: Site }) {
  const rank = ({ result, notes }: ImportedRow) => (result.status === 'error' ? 0 : notes.length > 0 ? 1 : 2);
  const sorted = rows.toSorted((one, other) => rank(one) - rank(other));
  return (
    <>
      <Table
        caption="Rows of the file"
        columns={[
          { label: 'Row', cell: ({ number }) => formatCount(number) },
          { label: 'Result', cell: ({ result }) => <Outcome {...result} /> },
          { label: 'Link or error', isWide: true, cell: (row) => <LinkOrError row={row} site={site} /> },
        ]}
        rows={sorted.slice(0, MAX_SHOWN)}
      />
      {rows.length > MAX_SHOWN && (
        <p class="quiet">
          {formatCount(rows.length - MAX_SHOWN)} more rows are not shown. Rows with errors are listed first, then those
          with notes.
        </p>
      )}
    </>
  );
}

function Outcome({ status }: Pick<ImportResult, 'status'>) {
  if (status === 'error') return <Badge kind="danger">Error</Badge>;
  if (status === 'unchanged') return <Badge>Already exists</Badge>;
  return <Badge kind="success">To be created</Badge>;
}

function LinkOrError({ row, site }: { row: ImportedRow; site: Site }) {
  const { content, result } = row;
  if (result.status === 'error') return complaintOf(result.error);
  const notes = notesOf(row);
  return (
    <div class="stacked">
      {result.link ? (
        <span class="broken">{displayUrl(shortUrlOf(result.link, site))}</span>
      ) : (
        'url' in content && <NewLink link={content} site={site} />
      )}
      {notes.length > 0 && <span class="hint">{withReadableHosts(notes.join(' '))}</span>}
    </div>
  );
}

function NewLink({ link: { slug, customDomain, url }, site }: { link: ImportedLink; site: Site }) {
  return (
    <>
      <span class="broken">
        {displayUrl(shortUrlOf({ slug: slug ?? '', customDomain }, site))}
        {slug === null && <span class="quiet"> and a generated slug</span>}
      </span>
      <span class="hint broken" dir="ltr" title={url}>
        <Destination href={url} whole />
      </span>
    </>
  );
}
