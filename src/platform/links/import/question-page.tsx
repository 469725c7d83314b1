import type { OwnClient } from '../../env.ts';
import { newForm } from '../../forms/form.ts';
import { Form, Hidden } from '../../kit/form.tsx';
import { Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { clientPath } from '../../nav.ts';
import type { Carried } from './import-form.ts';
import { CarriedFile, CheckFile, CharsetSelect, DatesSelect, nameOf, SaidBefore } from './import-parts.tsx';
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
  const path = clientPath(client, 'links');
  const { asked } = question;
  return (
    <>
      <PageHeader title={TITLES[asked]} lead={`${nameOf(carried)} ${LEADS[asked]}`} />
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

const LEADS = {
  charset: 'does not say in which encoding it is.',
  dates: 'does not say in which order its dates are.',
} as const;

const TITLES = { charset: 'Check the letters', dates: 'Check the dates' } as const;

function AskCharset({ guess, rows }: CharsetQuestion) {
  return (
    <>
      {rows === null ? (
        <Notice kind="danger">The file cannot be read in this encoding. Choose another one.</Notice>
      ) : (
        <>
          <p>The file is not in UTF-8. Its rows would read like this. If letters are wrong, choose another encoding.</p>
          <Table
            caption="Rows of the file"
            columns={[{ label: 'As it would be read', isWide: true, cell: (row) => row }]}
            rows={rows}
          />
        </>
      )}
      <Hidden name="charset_shown" value={guess} />
      <CharsetSelect form={newForm()} value={guess} />
    </>
  );
}

const UNANSWERED = { ...newForm(), faults: { dates: 'Choose the order.' } };

const NAMES = { dmy: 'day, month, year', mdy: 'month, day, year', ymd: 'year, month, day' } as const;

function AskDates({ sentence, example, days, isAnswered }: DatesQuestion & { isAnswered: boolean }) {
  const [explained = sentence] = sentence.split(/ Say which one/);
  return (
    <>
      <p>{explained}</p>
      <ul>
        {days.map(([order, day]) => (
          <li>
            {example} as {NAMES[order]} is {day}.
          </li>
        ))}
      </ul>
      <DatesSelect form={isAnswered ? UNANSWERED : newForm()} value="" isAsked />
    </>
  );
}
