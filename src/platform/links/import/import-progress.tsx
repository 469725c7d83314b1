import type { OwnClient } from '../../env.ts';
import { Actions } from '../../kit/button.tsx';
import { Badge, Notice } from '../../kit/notice.tsx';
import { PageHeader } from '../../kit/section.tsx';
import { Table } from '../../kit/table.tsx';
import { clientPath } from '../../nav.ts';
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
  const path = clientPath(client, 'links');
  return (
    <template data-sending>
      <PageHeader title="Import" lead={<span data-name></span>} />
      <div class="panel">
        <div class="sending">
          <progress max="1" value="0" aria-label="Rows done"></progress>
          <p data-figures></p>
          <p data-rate class="quiet"></p>
        </div>
        <p class="unseen" role="status" data-said></p>
        <div class="notice danger" role="alert" data-failure hidden></div>
        <Totals totals={TOTALS.map((term) => [term, 0])} />
        <div data-pending hidden>
          <Notice kind="warning" stack>
            <h2>Links that wait for a domain</h2>
            <p>
              Links on these domains do not redirect until the domain is verified.{' '}
              <a href={clientPath(client, 'domains')}>See the domains</a>.
            </p>
            <ul></ul>
          </Notice>
        </div>
        <Actions>
          <button type="button" class="button primary" data-continue hidden>
            Continue
          </button>
          <button type="button" class="button quiet" data-stop>
            Stop
          </button>
          <a class="button quiet" href={path} data-after hidden>
            See the links
          </a>
          <a class="button quiet" href={`${path}/files`} data-after hidden>
            Import another file
          </a>
          <button type="button" class="button quiet" data-download="errors" hidden>
            Download all errors as CSV
          </button>
          <button type="button" class="button quiet" data-download="notes" hidden>
            Download all notes as CSV
          </button>
        </Actions>
        <div data-rows hidden>
          <Table<Model>
            caption="Rows with errors or notes"
            columns={[
              { label: 'Row', cell: () => '' },
              {
                label: 'Result',
                cell: ({ kind }) => (kind === 'error' ? <Badge kind="danger">Error</Badge> : <Badge>Note</Badge>),
              },
              { label: 'Error or note', isWide: true, cell: () => '' },
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
const TOTALS = ['Created', 'Already exist', 'Errors', 'With notes', 'Skipped'] as const;
