import type { OwnClient } from '../../env.ts';
import { Actions } from '../../kit/button.tsx';
import { Badge, Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { clientPath } from '../../nav.ts';
import { useWords } from '../../words.tsx';
import { Totals } from './import-parts.tsx';

/** A row of the table of a result; a script fills it. */
interface Model {
  readonly kind: 'error' | 'note';
}

/**
 * The progress that the page shows while its script sends a file in pieces, and the result. The script takes it out of
 * its template, and fills what is named by `data-…`.
 */
export function ImportProgress({ client }: { client: OwnClient }) {
  const { text, content } = useWords();
  const path = clientPath(client, 'links');
  return (
    <template data-sending>
      <PageHeader title={text('imports.title')} lead={<span data-name></span>} />
      <div class="panel">
        <div class="sending">
          <progress max="1" value="0" aria-label={text('imports.rowsDone')}></progress>
          <p data-figures></p>
          <p data-rate class="quiet"></p>
        </div>
        <p class="unseen" role="status" data-said></p>
        <div class="notice danger" role="alert" data-failure hidden></div>
        <Totals totals={TOTALS.map((term) => [text(term), 0])} />
        <div data-pending hidden>
          <Notice kind="warning" stack>
            <h2>{text('imports.waitingTitle')}</h2>
            <p>
              {content('imports.waitingSee', {
                a: (inside) => <a href={clientPath(client, 'domains')}>{inside}</a>,
              })}
            </p>
            <ul></ul>
          </Notice>
        </div>
        <Actions>
          <button type="button" class="button primary" data-continue hidden>
            {text('imports.continue')}
          </button>
          <button type="button" class="button quiet" data-stop>
            {text('imports.stop')}
          </button>
          <a class="button quiet" href={path} data-after hidden>
            {text('imports.seeLinks')}
          </a>
          <a class="button quiet" href={`${path}/files`} data-after hidden>
            {text('imports.importAnother')}
          </a>
          <button type="button" class="button quiet" data-download="errors" hidden>
            {text('imports.downloadErrors')}
          </button>
          <button type="button" class="button quiet" data-download="notes" hidden>
            {text('imports.downloadNotes')}
          </button>
        </Actions>
        <div data-rows hidden>
          <Table<Model>
            caption={text('imports.rowsWithNotes')}
            columns={[
              { label: text('imports.row'), cell: () => '' },
              {
                label: text('imports.result'),
                cell: ({ kind }) =>
                  kind === 'error' ? (
                    <Badge kind="danger">{text('imports.error')}</Badge>
                  ) : (
                    <Badge>{text('imports.note')}</Badge>
                  ),
              },
              { label: text('imports.errorOrNote'), isWide: true, cell: () => '' },
            ]}
            rows={[{ kind: 'error' }, { kind: 'note' }]}
          />
          <p class="quiet" data-more hidden></p>
        </div>
      </div>
    </template>
  );
}

/** In the order in which the script fills them. */
const TOTALS = [
  'imports.created',
  'imports.alreadyExist',
  'imports.errors',
  'imports.withNotes',
  'imports.skipped',
] as const;
