import { namesWith } from '../../../links/fields/shapes.ts';
import { SERVICES } from '../../../links/import/formats/table.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { labelOf } from './import-words.ts';
import { Disclosure } from '../../kit/disclosure.tsx';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { FileField } from '../../kit/file-field.tsx';
import { Form } from '../../kit/form.tsx';
import { PageHeader, Section } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { FormatSelect } from './import-parts.tsx';
import { ImportProgress } from './import-progress.tsx';

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
            accept=".csv,.tsv,.txt,.json,.ndjson,.jsonl,text/csv,text/plain,application/json,application/x-ndjson"
            hint="CSV, JSON, NDJSON or a list of URLs, up to 10 MiB and 100,000 rows; without scripts up to 2 MiB and 5,000 rows. Split a larger file, or ask the operator to import it with their tool."
          />
          <FormatSelect form={form} />
          <p class="quiet">
            Exports of {SERVICES} are recognised, and so are exports of this page and a text with a URL in each line. In
            a CSV file of your own, the first line names the columns, and you choose what each becomes.
          </p>
          <Disclosure label="Names of columns" note="that need no choice" open={false}>
            <ul class="plain-list">
              {namesWith('row').map((name) => (
                <li>
                  {labelOf(name)}: <code>{name}</code>
                </li>
              ))}
            </ul>
          </Disclosure>
          <Actions>
            <Button>Check the file</Button>
          </Actions>
        </Form>
      </Section>
      <ImportProgress client={client} />
      <Section id="export" title="Export" hint="All links except deleted ones, newest first.">
        <Actions>
          <ButtonLink href={`${path}/export.csv`}>Download CSV</ButtonLink>
          <ButtonLink href={`${path}/export.ndjson`}>Download NDJSON</ButtonLink>
        </Actions>
      </Section>
    </>
  );
}
