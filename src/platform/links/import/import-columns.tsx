import type { ColumnReport } from '../../../links/import/formats/reading.ts';
import { textOf } from '../../../links/import/formats/values.ts';
import { Table } from '../../kit/table.tsx';
import { shownWhole, withReadableHosts } from '../display-url.ts';
import { useWords } from '../../words.tsx';
import { fieldName, reasonOf } from './column-words.ts';

const MAX_EXAMPLE = 100;

/** The columns of a file, each with what becomes of it. @param isOwn true for an export of this service */
export function ColumnsTable({ columns, isOwn }: { columns: readonly ColumnReport[]; isOwn: boolean }) {
  const words = useWords();
  const { text } = words;
  return (
    <Table
      caption={text('imports.fileColumns')}
      columns={[
        { label: text('imports.column'), align: 'words', cell: ({ column }) => <bdi>{column}</bdi> },
        {
          label: text('imports.example'),
          cell: ({ example }) => <Example text={[example].flat().map(textOf).join(', ').slice(0, MAX_EXAMPLE)} />,
        },
        {
          label: text('imports.becomes'),
          align: 'words',
          cell: ({ field }) =>
            field === null ? <span class="quiet">{text('imports.leftOut')}</span> : fieldName(words, field),
        },
        { label: text('imports.why'), cell: (column) => <span class="quiet">{text(reasonOf(column, isOwn))}</span> },
      ]}
      rows={columns}
    />
  );
}

const Example = ({ text }: { text: string }) =>
  text === '' ? null : <span class="broken">{withReadableHosts(shownWhole(text))}</span>;
