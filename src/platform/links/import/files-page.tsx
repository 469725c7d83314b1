import { namesWith } from '../../../links/fields/shapes.ts';
import { MAX_ROWS, MAX_ROWS_IN_PIECES } from '../../../links/import/bounds.ts';
import { FORMATS } from '../../../links/import/formats/table.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Disclosure } from '../../kit/disclosure.tsx';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { FileField } from '../../kit/file-field.tsx';
import { Form } from '../../kit/form.tsx';
import { PageHeader, Section } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { useWords } from '../../words.tsx';
import { fieldName } from './column-words.ts';
import { FormatSelect } from './import-parts.tsx';
import { ImportProgress } from './import-progress.tsx';

/** The page for importing and exporting files. */
export function FilesPage({ client, form }: { client: OwnClient; form: FormState }) {
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'links');
  return (
    <>
      <PageHeader title={text('kit.importOrExport')} lead={text('imports.filesLead')} />
      <Section id="import" title={text('imports.title')} hint={text('imports.importHint')}>
        <Form form={form} action={`${path}/import`} isKept={false} multipart>
          <FileField
            form={form}
            name="file"
            label={text('imports.file')}
            accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,text/plain,application/json,application/x-ndjson"
            hint={text('imports.fileHint', { most: MAX_ROWS_IN_PIECES, mostWithoutScripts: MAX_ROWS })}
          />
          <FormatSelect form={form} />
          <p class="quiet">{text('imports.recognised', { services: words.list(FORMATS.map(({ name }) => name)) })}</p>
          <Disclosure label={text('imports.columnNames')} note={text('imports.columnNamesNote')} open={false}>
            <ul class="plain-list">
              {namesWith('row').map((name) => (
                <li>{words.content('imports.columnName', { label: fieldName(words, name), name })}</li>
              ))}
            </ul>
          </Disclosure>
          <Actions>
            <Button>{text('imports.check')}</Button>
          </Actions>
        </Form>
      </Section>
      <ImportProgress client={client} />
      <Section id="export" title={text('imports.export')} hint={text('imports.exportHint')}>
        <Actions>
          <ButtonLink href={`${path}/export.csv`}>{text('imports.downloadCsv')}</ButtonLink>
          <ButtonLink href={`${path}/export.ndjson`}>{text('imports.downloadNdjson')}</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}
