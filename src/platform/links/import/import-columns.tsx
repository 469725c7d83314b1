import type { ColumnReport } from '../../../links/import/formats/reading.ts';
import { Table } from '../../kit/table.tsx';
import { shownWhole, withReadableHosts } from '../display-url.ts';
import { labelOf } from './import-words.ts';

/** The columns of a file, each with what becomes of it. */
export function ColumnsTable({ columns }: { columns: readonly ColumnReport[] }) {
  return (
    <Table
      caption="Columns of the file"
      columns={[
        { label: 'Column', align: 'words', cell: ({ column }) => <bdi>{column}</bdi> },
        {
          label: 'Example',
          cell: ({ example }) =>
            example === '' ? null : <span class="broken">{withReadableHosts(shownWhole(example))}</span>,
        },
        {
          label: 'Becomes',
          align: 'words',
          cell: ({ field }) => (field === null ? <span class="quiet">Left out</span> : labelOf(field)),
        },
        { label: 'Why', cell: ({ reason }) => <span class="quiet">{reason}</span> },
      ]}
      rows={columns}
    />
  );
}
