import type { Site } from '../../../network/hosts.ts';
import type { Domain } from '../../../domains/domain.ts';
import type { WaitedFor } from '../../../domains/file-domains.ts';
import type { LinkFile } from '../../../links/import/import-file.ts';
import { ONLY_TOTALS } from '../../../links/import/formats/format.ts';
import { SHARED } from '../../../links/import/formats/hosts.ts';
import { hostsOfRows } from '../../../links/import/import-row.ts';
import type { ImportResult } from '../../../links/import/import.ts';
import type { OwnClient } from '../../env.ts';
import { newForm } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/boxes.tsx';
import { Form, Hidden } from '../../kit/form.tsx';
import { EmptyState, Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { useWords, type PageWords } from '../../words.tsx';
import { MAP, type Carried } from './import-form.ts';
import { CarriedFile, CharsetSelect, DatesSelect, formatName, FormatSelect, Totals } from './import-parts.tsx';
import { ColumnsTable } from './import-columns.tsx';
import { HostSelects } from './import-hosts.tsx';
import type { Placed } from './import-places.ts';
import { PreviewRows, type ImportedRow } from './import-rows.tsx';
import { withReadableHosts } from '../display-url.ts';
import { PendingDomains } from './pending-domains.tsx';

/** The outcomes of the rows of a file, and the button that runs the import. */
export function ImportPage(props: {
  client: OwnClient;
  file: LinkFile;
  rows: readonly ImportedRow[];
  carried: Carried;
  pending: readonly WaitedFor[];
  /** The hosts of the file on which links cannot stay. */
  placed: readonly Placed[];
  /** The domains of the client. */
  domains: readonly Domain[];
  /** The choices of the user for the file. */
  fields: Readonly<Record<string, string>>;
  site: Site;
}) {
  const { client, file, rows, pending, carried, site } = props;
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'links');
  const count = (status: ImportResult['status']) => rows.filter(({ result }) => result.status === status).length;
  const [created, unchanged, errors] = [count('created'), count('unchanged'), count('error')];
  const noted = rows.filter(({ result, notes }) => result.status !== 'error' && notes.length > 0).length;
  const { fileRows } = carried;
  return (
    <>
      <PageHeader title={text('imports.checkTitle')} lead={leadOf(words, carried, rows.length + file.skipped.length)} />
      {rows.length === 0 && file.skipped.length === 0 ? (
        <EmptyState
          title={text('imports.noRows')}
          action={<ButtonLink href={`${path}/files`}>{text('imports.chooseAnother')}</ButtonLink>}
        >
          {text('imports.noRowsHint')}
        </EmptyState>
      ) : (
        <div class="panel">
          <Totals
            totals={[
              [text('imports.toBeCreated'), created],
              [text('imports.alreadyExist'), unchanged],
              [text('imports.errors'), errors],
              [text('imports.withNotes'), noted],
            ]}
          />
          {errors > 0 && <Notice kind="danger">{text('imports.errorsHint')}</Notice>}
          <PendingDomains {...{ client, pending }} />
          <Form form={newForm()} action={`${path}/import/run`} isKept={false} multipart>
            <CarriedFile {...carried} />
            <Actions>
              {fileRows !== null && <Button>{text('imports.importRows', { rows: fileRows })}</Button>}
              {fileRows === null && created > 0 && <Button>{text('imports.importLinks', { links: created })}</Button>}
              <ButtonLink href={`${path}/files`}>
                {text(fileRows !== null || created > 0 ? 'kit.cancel' : 'imports.another')}
              </ButtonLink>
            </Actions>
            <Understood {...props} />
            <Actions>
              <Button kind="quiet" action={`${path}/import`}>
                {text('imports.checkAgain')}
              </Button>
            </Actions>
          </Form>
          <PreviewRows rows={rows} site={site} />
        </div>
      )}
    </>
  );
}

function leadOf({ text }: PageWords, { name, fileRows }: Carried, shown: number): string {
  if (fileRows === null) return name === '' ? text('imports.previewUnnamed') : text('imports.preview', { name });
  const counts = { shown, rows: fileRows };
  return name === '' ? text('imports.previewFirstUnnamed', counts) : text('imports.previewFirst', { ...counts, name });
}

const BY = {
  recognised: 'imports.formatRecognised',
  chosen: 'imports.formatChosen',
  mapped: 'imports.formatMapped',
} as const;

/** The format as which the file was read, and what the user can choose instead. */
function Understood({ file, rows, fields, placed, domains, carried, site }: Parameters<typeof ImportPage>[0]) {
  const words = useWords();
  const { text } = words;
  const { format, columns, notes, skipped } = file;
  const from = format.by === 'mapped' ? MAP : format.by === 'chosen' ? format.id : '';
  const isOwn = format.id === 'terse';
  const hosts = hostsOfRows(rows);
  const { charset = '', dates = '' } = fields;
  // A column says it already.
  const isSaid = (note: string) =>
    note === ONLY_TOTALS && !isOwn && columns.some(({ role }) => role === 'imported_clicks');
  return (
    <>
      <HostSelects
        {...{ hosts, placed, domains, site }}
        hasLinksWithout={!isOwn && rows.some(({ host }) => host === null)}
        needsHost={file.needsHost}
        values={{ ...Object.fromEntries(placed.map(({ host }) => [host, SHARED])), ...placesIn(fields) }}
      />
      {carried.fileRows !== null && <p class="quiet">{text('imports.otherRows')}</p>}
      <p>{words.content(BY[format.by], { format: formatName(words, format) })}</p>
      <ColumnsTable {...{ columns, isOwn }} />
      {[...notes.filter((note) => !isSaid(note)), ...skippedIn(words, skipped)].map((note) => (
        <p class="quiet">{withReadableHosts(note)}</p>
      ))}
      <FormatSelect form={newForm()} value={from} />
      {charset !== '' && (
        <>
          <Hidden name="charset_shown" value={charset} />
          <CharsetSelect form={newForm()} value={charset} />
        </>
      )}
      {(file.hasOrders || dates !== '') && <DatesSelect form={newForm()} value={dates} />}
      {from === MAP &&
        Object.entries(fields).map(
          ([name, value]) => name.startsWith('column_') && <Hidden name={name} value={value} />,
        )}
      <Checkbox
        name="unprotected"
        value="publish"
        label={text('imports.publish')}
        hint={text('imports.publishHint')}
        checked={fields['unprotected'] === 'publish'}
      />
    </>
  );
}

const MAX_NAMED = 10;

function skippedIn({ text, count }: PageWords, skipped: LinkFile['skipped']): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, rows]) => {
    const named = rows.slice(0, MAX_NAMED).map(({ number }) => count(number));
    const said = { rows: named.join(', '), reason };
    return rows.length > MAX_NAMED
      ? text('imports.moreSkipped', said)
      : text('imports.rowsSkipped', { ...said, count: rows.length });
  });
}

// The places by hosts; '' for links without one.
function placesIn(fields: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(fields).flatMap(([name, host]) =>
    name.startsWith('host_') ? [[host, fields[`place_${name.slice('host_'.length)}`] ?? '']] : [],
  );
  return { ...Object.fromEntries(named.filter(([, place]) => place !== '')), '': fields['place'] ?? '' };
}
