import type { Site } from '../../../network/hosts.ts';
import type { FileRow, ImportedLink } from '../../../links/import/import-row.ts';
import type { ImportResult } from '../../../links/import/import.ts';
import { notesOf } from '../../../links/import/row-notes.ts';
import { shortUrlOf } from '../../../links/slugs/short-url.ts';
import { Badge } from '../../kit/notice.tsx';
import { Said } from '../../kit/summary.tsx';
import { Table } from '../../kit/table.tsx';
import { useWords, type Sentence } from '../../words.tsx';
import { Destination } from '../destination.tsx';
import { displayUrl, withReadableHosts } from '../display-url.ts';
import { complaintsOf } from './import-words.ts';

/** The most rows of a file that a page shows. */
const MAX_SHOWN = 200;

/** A row of a file, and its outcome. */
export interface ImportedRow extends FileRow {
  readonly result: ImportResult;
}

/** The outcomes of the rows of a file before it is imported: errors first, then rows with notes, then the others. */
export function PreviewRows({ rows, site }: { rows: readonly ImportedRow[]; site: Site }) {
  const { text, count } = useWords();
  const rank = ({ result, notes }: ImportedRow) => (result.status === 'error' ? 0 : notes.length > 0 ? 1 : 2);
  const sorted = rows.toSorted((one, other) => rank(one) - rank(other));
  return (
    <>
      <Table
        caption={text('imports.fileRows')}
        columns={[
          { label: text('imports.row'), cell: ({ number }) => count(number) },
          { label: text('imports.result'), cell: ({ result }) => <Outcome {...result} /> },
          { label: text('imports.linkOrError'), isWide: true, cell: (row) => <LinkOrError row={row} site={site} /> },
        ]}
        rows={sorted.slice(0, MAX_SHOWN)}
      />
      {rows.length > MAX_SHOWN && <p class="quiet">{text('imports.moreRows', { rows: rows.length - MAX_SHOWN })}</p>}
    </>
  );
}

function Outcome({ status }: Pick<ImportResult, 'status'>) {
  const { text } = useWords();
  if (status === 'error') return <Badge kind="danger">{text('imports.error')}</Badge>;
  if (status === 'unchanged') return <Badge>{text('imports.alreadyExists')}</Badge>;
  return <Badge kind="success">{text('imports.toBeCreated')}</Badge>;
}

function LinkOrError({ row, site }: { row: ImportedRow; site: Site }) {
  const words = useWords();
  const { content, result } = row;
  if (result.status === 'error') return <Sentences of={complaintsOf(words, result.error)} />;
  const notes = notesOf(row);
  return (
    <div class="stacked">
      {result.link ? (
        <span class="broken">{displayUrl(shortUrlOf(result.link, site))}</span>
      ) : (
        'url' in content && <NewLink link={content} site={site} />
      )}
      {notes.length > 0 && (
        <span class="hint">
          <Sentences of={notes.map((note) => words.said(withReadableHosts(note)))} />
        </span>
      )}
    </div>
  );
}

function Sentences({ of: sentences }: { of: readonly Sentence[] }) {
  return (
    <>
      {sentences.map((sentence, index) => (
        <>
          {index > 0 && ' '}
          <Said {...{ sentence }} />
        </>
      ))}
    </>
  );
}

function NewLink({ link: { slug, customDomain, url }, site }: { link: ImportedLink; site: Site }) {
  const { content } = useWords();
  const shown = displayUrl(shortUrlOf({ slug: slug ?? '', customDomain }, site));
  return (
    <>
      <span class="broken">
        {slug === null
          ? content('imports.generatedSlug', { url: shown, quiet: (inside) => <span class="quiet">{inside}</span> })
          : shown}
      </span>
      <span class="hint broken" dir="ltr" title={url}>
        <Destination href={url} whole />
      </span>
    </>
  );
}
