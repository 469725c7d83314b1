import type { FileColumn } from '../../../links/import/file-columns.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Form, Hidden, Select } from '../../kit/form.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { MAP, type Carried } from './import-form.ts';
import { CarriedFile, CheckFile, MAP_OPTIONS, nameOf, SaidBefore } from './import-parts.tsx';
import { shownWhole, withReadableHosts } from '../display-url.ts';

/** The page on which the columns of a file are mapped. */
export function MapPage({
  client,
  carried,
  columns,
  fields,
  form,
}: {
  client: OwnClient;
  carried: Carried;
  columns: readonly FileColumn[];
  /** The choices of the user for the file until now. */
  fields: Readonly<Record<string, string>>;
  form: FormState;
}) {
  const path = clientPath(client, 'links');
  return (
    <>
      <PageHeader
        title="Map the columns"
        lead={`The format of ${nameOf(carried)} was not recognised. Choose what its columns become.`}
      />
      <div class="panel">
        <Form form={form} action={`${path}/import`} isKept={false} multipart>
          <CarriedFile {...carried} />
          <SaidBefore fields={fields} except={(name) => name === 'from' || name.startsWith('column_')} />
          <Hidden name="from" value={MAP} />
          {columns.map(({ name, example, field }, index) => (
            <Select
              form={form}
              name={`column_${index}`}
              label={name}
              value={field ?? ''}
              options={MAP_OPTIONS}
              hint={example === '' ? 'Empty in the first row.' : `First row: ${withReadableHosts(shownWhole(example))}`}
            />
          ))}
          <CheckFile client={client} />
        </Form>
      </div>
    </>
  );
}
