import type { Site } from '../../../network/hosts.ts';
import type { Domain } from '../../../domains/domain.ts';
import type { WaitedFor } from '../../../domains/file-domains.ts';
import type { LinkFile } from '../../../links/import/import-file.ts';
import { SHARED } from '../../../links/import/formats/hosts.ts';
import { hostsOfRows } from '../../../links/import/import-row.ts';
import type { ImportResult } from '../../../links/import/import.ts';
import type { OwnClient } from '../../env.ts';
import { newForm } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/boxes.tsx';
import { Form, Hidden } from '../../kit/form.tsx';
import { EmptyState, Notice } from '../../kit/notice.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { PageHeader } from '../../kit/section.tsx';
import { clientPath } from '../../nav.ts';
import { MAP, type Carried } from './import-form.ts';
import { CarriedFile, CharsetSelect, DatesSelect, FormatSelect, nameOf, Totals } from './import-parts.tsx';
import { reasonOf } from './column-words.ts';
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
  const path = clientPath(client, 'links');
  const count = (status: ImportResult['status']) => rows.filter(({ result }) => result.status === status).length;
  const [created, unchanged, errors] = [count('created'), count('unchanged'), count('error')];
  const noted = rows.filter(({ result, notes }) => result.status !== 'error' && notes.length > 0).length;
  const { fileRows } = carried;
  return (
    <>
      <PageHeader title="Check the import" lead={leadOf(carried, rows.length + file.skipped.length)} />
      {rows.length === 0 && file.skipped.length === 0 ? (
        <EmptyState
          title="The file has no rows"
          action={<ButtonLink href={`${path}/files`}>Choose another</ButtonLink>}
        >
          The file contains no rows below the column names.
        </EmptyState>
      ) : (
        <div class="panel">
          <Totals
            totals={[
              ['To be created', created],
              ['Already exist', unchanged],
              ['Errors', errors],
              ['With notes', noted],
            ]}
          />
          {errors > 0 && (
            <Notice kind="danger">
              Rows with errors are not imported. Fix them and check the file again, or import the other rows.
            </Notice>
          )}
          <PendingDomains {...{ client, pending }} />
          <Form form={newForm()} action={`${path}/import/run`} isKept={false} multipart>
            <CarriedFile {...carried} />
            <Actions>
              {fileRows !== null && <Button>{`Import ${formatCount(fileRows)} rows`}</Button>}
              {fileRows === null && created > 0 && (
                <Button>{created === 1 ? 'Import 1 link' : `Import ${formatCount(created)} links`}</Button>
              )}
              <ButtonLink href={`${path}/files`}>
                {fileRows !== null || created > 0 ? 'Cancel' : 'Choose another file'}
              </ButtonLink>
            </Actions>
            <Understood {...props} />
            <Actions>
              <Button kind="quiet" action={`${path}/import`}>
                Check again
              </Button>
            </Actions>
          </Form>
          <PreviewRows rows={rows} site={site} />
        </div>
      )}
    </>
  );
}

function leadOf(carried: Carried, rows: number): string {
  const { fileRows } = carried;
  if (fileRows === null) return `Preview of the rows of ${nameOf(carried)}.`;
  return `Preview of the first ${formatCount(rows)} of the ${formatCount(fileRows)} rows of ${nameOf(carried)}.`;
}

const BY = {
  recognised: 'recognised by its columns',
  chosen: 'as you chose',
  mapped: 'as you mapped them',
} as const;

/** The format as which the file was read, and what the user can choose instead. */
function Understood({ file, rows, fields, placed, domains, carried, site }: Parameters<typeof ImportPage>[0]) {
  const { format, columns, notes, skipped } = file;
  const from = format.by === 'mapped' ? MAP : format.by === 'chosen' ? format.id : '';
  const isOwn = format.id === 'terse';
  const hosts = hostsOfRows(rows);
  const { charset = '', dates = '' } = fields;
  const reasons = new Set(columns.map((column) => reasonOf(column, isOwn)));
  return (
    <>
      <HostSelects
        {...{ hosts, placed, domains, site }}
        hasLinksWithout={!isOwn && rows.some(({ host }) => host === null)}
        needsHost={file.needsHost}
        values={{ ...Object.fromEntries(placed.map(({ host }) => [host, SHARED])), ...placesIn(fields) }}
      />
      {carried.fileRows !== null && (
        <p class="quiet">The other rows are read in the same way. Links keep a domain that only these rows name.</p>
      )}
      <p>
        Format: <strong>{format.name}</strong>, {BY[format.by]}.
      </p>
      <ColumnsTable {...{ columns, isOwn }} />
      {[...notes.filter((note) => !reasons.has(note)), ...skippedIn(skipped)].map((note) => (
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
        label="Publish links whose protection is not in the file"
        hint="Links that had a password, were banned, or have a limit that cannot be read are otherwise created disabled."
        checked={fields['unprotected'] === 'publish'}
      />
    </>
  );
}

const MAX_NAMED = 10;

function skippedIn(skipped: LinkFile['skipped']): string[] {
  return [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, rows]) => {
    const numbers = rows.slice(0, MAX_NAMED).map(({ number }) => formatCount(number));
    const all = `${numbers.join(', ')}${rows.length > MAX_NAMED ? ' …' : ''}`;
    return `Skipped: ${rows.length === 1 ? 'row' : 'rows'} ${all}. ${reason}`;
  });
}

// The places by hosts; '' for links without one.
function placesIn(fields: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(fields).flatMap(([name, host]) =>
    name.startsWith('host_') ? [[host, fields[`place_${name.slice('host_'.length)}`] ?? '']] : [],
  );
  return { ...Object.fromEntries(named.filter(([, place]) => place !== '')), '': fields['place'] ?? '' };
}
