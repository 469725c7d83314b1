import type { OwnClient } from '../../env.ts';
import { newForm } from '../../forms/form.ts';
import { Form, Hidden } from '../../kit/form.tsx';
import { Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { clientPath } from '../../nav.ts';
import { useWords, type PageWords } from '../../words.tsx';
import type { Carried } from './import-form.ts';
import { CarriedFile, CheckFile, CharsetSelect, DatesSelect, SaidBefore } from './import-parts.tsx';
import type { CharsetQuestion, DatesQuestion, Question } from './import-questions.ts';

/** The page that asks what a file does not say itself, before its rows are checked. */
export function QuestionPage({
  client,
  carried,
  fields,
  question,
}: {
  client: OwnClient;
  carried: Carried;
  /** The choices of the user for the file until now. */
  fields: Readonly<Record<string, string>>;
  question: Question;
}) {
  const words = useWords();
  const { text } = words;
  const path = clientPath(client, 'links');
  const { asked } = question;
  return (
    <>
      <PageHeader title={text(`imports.${asked}Title`)} lead={leadOf(words, asked, carried.name)} />
      <div class="panel">
        <Form form={newForm()} action={`${path}/import`} isKept={false} multipart>
          <CarriedFile {...carried} />
          <SaidBefore
            fields={fields}
            except={(name) => name === asked || (asked === 'charset' && name === 'charset_shown')}
          />
          {question.asked === 'charset' ? (
            <AskCharset {...question} />
          ) : (
            <AskDates {...question} isAnswered={fields['dates'] !== undefined} />
          )}
          <CheckFile client={client} />
        </Form>
      </div>
    </>
  );
}

const leadOf = ({ text }: PageWords, asked: Question['asked'], name: string): string =>
  name === '' ? text(`imports.${asked}LeadUnnamed`) : text(`imports.${asked}Lead`, { name });

function AskCharset({ guess, rows }: CharsetQuestion) {
  const { text } = useWords();
  return (
    <>
      {rows === null ? (
        <Notice kind="danger">{text('imports.charsetUnread')}</Notice>
      ) : (
        <>
          <p>{text('imports.charsetHint')}</p>
          <Table
            caption={text('imports.fileRows')}
            columns={[{ label: text('imports.asRead'), isWide: true, cell: (row) => row }]}
            rows={rows}
          />
        </>
      )}
      <Hidden name="charset_shown" value={guess} />
      <CharsetSelect form={newForm()} value={guess} />
    </>
  );
}

const AS = { dmy: 'imports.asDmy', mdy: 'imports.asMdy', ymd: 'imports.asYmd' } as const;

function AskDates({ sentence, example, days, isAnswered }: DatesQuestion & { isAnswered: boolean }) {
  const { text } = useWords();
  const unanswered = { ...newForm(), faults: { dates: text('imports.chooseOrder') } };
  const [explained = sentence] = sentence.split(/ Say which one/);
  return (
    <>
      <p>{explained}</p>
      <ul>
        {days.map(([order, day]) => (
          <li>{text(AS[order], { example, day })}</li>
        ))}
      </ul>
      <DatesSelect form={isAnswered ? unanswered : newForm()} value="" isAsked />
    </>
  );
}
