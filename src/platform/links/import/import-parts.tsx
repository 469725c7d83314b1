import { MAPPABLE } from '../../../links/import/mapping.ts';
import { FORMAT_NAMES } from '../../../links/import/formats/table.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Hidden, Select, type Option } from '../../kit/form.tsx';
import { formatCount } from '../../kit/numbers.ts';
import { clientPath } from '../../nav.ts';
import { MAP, type Carried } from './import-form.ts';
import { labelOf } from './import-words.ts';

/** Parts of the pages of an import. */

/** The file, in fields that are not shown. */
export function CarriedFile({ kind, name, bytes, checked, fileRows, seen }: Carried) {
  return (
    <>
      <Hidden name="format" value={kind} />
      <Hidden name="name" value={name.slice(0, 200)} />
      <Hidden name="content" value={Buffer.from(bytes).toString('base64')} />
      <Hidden name="checked" value={checked} />
      {fileRows !== null && <Hidden name="file_rows" value={String(fileRows)} />}
      {seen !== '' && <Hidden name="dates_seen" value={seen} />}
    </>
  );
}

/** The buttons of a page that asks about a file before its rows are checked. */
export function CheckFile({ client }: { client: OwnClient }) {
  return (
    <Actions>
      <Button>Check the file</Button>
      <ButtonLink href={`${clientPath(client, 'links')}/files`}>Choose another file</ButtonLink>
    </Actions>
  );
}

/** The fields of `CarriedFile`, and the guess that a person has confirmed. */
const OF_FILE: ReadonlySet<string> = new Set([
  'format',
  'name',
  'content',
  'checked',
  'file_rows',
  'dates_seen',
  'charset_guess',
]);

/** The choices for the file in earlier forms, in fields that are not shown. */
export function SaidBefore({
  fields,
  except,
}: {
  fields: Readonly<Record<string, string>>;
  /** True if the form has a field of this name. */
  except: (name: string) => boolean;
}) {
  const said = Object.entries(fields).filter(([name]) => !OF_FILE.has(name) && !except(name));
  return (
    <>
      {said.map(([name, value]) => (
        <Hidden name={name} value={value} />
      ))}
    </>
  );
}

/** The number of rows of each kind. */
export function Totals({ totals }: { totals: readonly (readonly [term: string, count: number])[] }) {
  return (
    <dl class="totals">
      {totals.map(([term, count]) => (
        <div>
          <dt>{term}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The name of the file, for sentences. */
export const nameOf = ({ name }: Carried): string => (name === '' ? 'the file' : name);

const FORMATS: readonly Option[] = [
  { value: '', label: 'Recognise by the columns' },
  ...Object.entries(FORMAT_NAMES).map(([value, label]) => ({ value, label })),
  { value: MAP, label: 'Another: map the columns' },
];

/** The service that has written the file. */
export function FormatSelect({ form, value = '' }: { form: FormState; value?: string }) {
  return (
    <Select
      form={form}
      name="from"
      label="From"
      value={value}
      options={FORMATS}
      hint="The service that the links come from."
    />
  );
}

const ORDERS: readonly Option[] = [
  { value: 'dmy', label: 'Day, month, year' },
  { value: 'mdy', label: 'Month, day, year' },
  { value: 'ymd', label: 'Year, month, day' },
];

/** The order of the parts of dates. */
export function DatesSelect({ form, value, isAsked = false }: { form: FormState; value: string; isAsked?: boolean }) {
  const none = { value: '', label: isAsked ? 'Not chosen' : 'As the dates show it' };
  return <Select form={form} name="dates" label="Dates are written as" value={value} options={[none, ...ORDERS]} />;
}

const CHARSETS: readonly Option[] = [
  { value: 'windows-1252', label: 'Windows-1252, Western' },
  { value: 'windows-1250', label: 'Windows-1250, Central' },
  { value: 'windows-1251', label: 'Windows-1251, Cyrillic' },
  { value: 'windows-1253', label: 'Windows-1253, Greek' },
  { value: 'windows-1254', label: 'Windows-1254, Turkish' },
  { value: 'windows-1255', label: 'Windows-1255, Hebrew' },
  { value: 'windows-1256', label: 'Windows-1256, Arabic' },
  { value: 'macintosh', label: 'Macintosh, Western' },
  { value: 'shift_jis', label: 'Shift JIS, Japanese' },
  { value: 'gb18030', label: 'GB 18030, Chinese' },
  { value: 'euc-kr', label: 'EUC-KR, Korean' },
  { value: 'utf-16le', label: 'UTF-16' },
  { value: 'utf-16be', label: 'UTF-16, big endian' },
];

/** The encoding of a file that is not in UTF-8. */
export function CharsetSelect({ form, value }: { form: FormState; value: string }) {
  return <Select form={form} name="charset" label="Encoding" value={value} options={CHARSETS} />;
}

export const MAP_OPTIONS: readonly Option[] = [
  { value: '', label: 'Leave out' },
  ...Object.keys(MAPPABLE).map((value) => ({ value, label: labelOf(value) })),
];
