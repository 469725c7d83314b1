import { MAPPABLE } from '../../../links/import/mapping.ts';
import { FORMAT_NAMES, LIST, MAPPED } from '../../../links/import/formats/table.ts';
import type { OwnClient } from '../../env.ts';
import type { FormState } from '../../forms/form.ts';
import { Actions, Button, ButtonLink } from '../../kit/button.tsx';
import { Hidden, Select, type Option } from '../../kit/form.tsx';
import { clientPath } from '../../nav.ts';
import { useWords, type PageWords, type PlainKey } from '../../words.tsx';
import { fieldName } from './column-words.ts';
import { MAP, type Carried } from './import-form.ts';

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
  const { text } = useWords();
  return (
    <Actions>
      <Button>{text('imports.check')}</Button>
      <ButtonLink href={`${clientPath(client, 'links')}/files`}>{text('imports.another')}</ButtonLink>
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
  const words = useWords();
  return (
    <dl class="totals">
      {totals.map(([term, count]) => (
        <div>
          <dt>{term}</dt>
          <dd>{words.count(count)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The name of a format of files. */
export function formatName({ text }: PageWords, { id, name }: { readonly id: string; readonly name: string }): string {
  if (id === LIST) return text('imports.listOfUrls');
  return id === MAPPED ? text('imports.mappedColumns') : name;
}

/** The service that has written the file. */
export function FormatSelect({ form, value = '' }: { form: FormState; value?: string }) {
  const words = useWords();
  const { text } = words;
  const formats = Object.entries(FORMAT_NAMES).map(([id, name]) => ({
    value: id,
    label: formatName(words, { id, name }),
  }));
  return (
    <Select
      form={form}
      name="from"
      label={text('imports.from')}
      value={value}
      options={[
        { value: '', label: text('imports.recognise') },
        ...formats,
        { value: MAP, label: text('imports.mapColumns') },
      ]}
      hint={text('imports.fromHint')}
    />
  );
}

const ORDERS = ['dmy', 'mdy', 'ymd'] as const;

/** The order of the parts of dates. */
export function DatesSelect({ form, value, isAsked = false }: { form: FormState; value: string; isAsked?: boolean }) {
  const { text } = useWords();
  const none = { value: '', label: text(isAsked ? 'imports.notChosen' : 'imports.datesAsShown') };
  const orders = ORDERS.map((order) => ({ value: order, label: text(`imports.${order}`) }));
  return <Select form={form} name="dates" label={text('imports.dates')} value={value} options={[none, ...orders]} />;
}

const CHARSETS: readonly { readonly value: string; readonly label: PlainKey }[] = [
  { value: 'windows-1252', label: 'imports.windows1252' },
  { value: 'windows-1250', label: 'imports.windows1250' },
  { value: 'windows-1251', label: 'imports.windows1251' },
  { value: 'windows-1253', label: 'imports.windows1253' },
  { value: 'windows-1254', label: 'imports.windows1254' },
  { value: 'windows-1255', label: 'imports.windows1255' },
  { value: 'windows-1256', label: 'imports.windows1256' },
  { value: 'macintosh', label: 'imports.macintosh' },
  { value: 'shift_jis', label: 'imports.shiftJis' },
  { value: 'gb18030', label: 'imports.gb18030' },
  { value: 'euc-kr', label: 'imports.eucKr' },
  { value: 'utf-16le', label: 'imports.utf16le' },
  { value: 'utf-16be', label: 'imports.utf16be' },
];

/** The encoding of a file that is not in UTF-8. */
export function CharsetSelect({ form, value }: { form: FormState; value: string }) {
  const { text } = useWords();
  const options = CHARSETS.map((charset) => ({ value: charset.value, label: text(charset.label) }));
  return <Select form={form} name="charset" label={text('imports.encoding')} {...{ value, options }} />;
}

/** The fields that a column can become. */
export const mapOptions = (words: PageWords): readonly Option[] => [
  { value: '', label: words.text('imports.leaveOut') },
  ...Object.keys(MAPPABLE).map((value) => ({ value, label: fieldName(words, value) })),
];
