import type { FileColumn } from '../../../links/import/file-columns.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Form, Hidden, Select } from '../../kit/form.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { useWords } from '../../words.tsx';
import { MAP, type Carried } from './import-form.ts';
import { CarriedFile, CheckFile, mapOptions, SaidBefore } from './import-parts.tsx';
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
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'links');
  const { name: file } = carried;
  return (
    <>
      <PageHeader
        title={text('imports.mapTitle')}
        lead={file === '' ? text('imports.mapLeadUnnamed') : text('imports.mapLead', { name: file })}
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
              options={mapOptions(words)}
              hint={
                example === ''
                  ? text('imports.emptyRow')
                  : text('imports.firstRow', { example: withReadableHosts(shownWhole(example)) })
              }
            />
          ))}
          <CheckFile client={client} />
        </Form>
      </div>
    </>
  );
}
