import type { ColumnReport } from '../../../links/import/formats/reading.ts';
import { textOf } from '../../../links/import/formats/values.ts';
import { Table } from '../../kit/table.tsx';
import { shownWhole, withReadableHosts } from '../display-url.ts';
import { reasonOf } from './column-words.ts';
import { labelOf } from './import-words.ts';

const MAX_EXAMPLE = 100;

/** The columns of a file, each with what becomes of it. @param isOwn true for an export of this service */
export function ColumnsTable({ columns, isOwn }: { columns: readonly ColumnReport[]; isOwn: boolean }) {
  return (
    <Table
      caption="Columns of the file"
      columns={[
        { label: 'Column', align: 'words', cell: ({ column }) => <bdi>{column}</bdi> },
        {
          label: 'Example',
          cell: ({ example }) => <Example text={[example].flat().map(textOf).join(', ').slice(0, MAX_EXAMPLE)} />,
        },
        {
          label: 'Becomes',
          align: 'words',
          cell: ({ field }) => (field === null ? <span class="quiet">Left out</span> : labelOf(field)),
        },
        { label: 'Why', cell: (column) => <span class="quiet">{reasonOf(column, isOwn)}</span> },
      ]}
      rows={columns}
    />
  );
}

const Example = ({ text }: { text: string }) =>
  text === '' ? null : <span class="broken">{withReadableHosts(shownWhole(text))}</span>;
