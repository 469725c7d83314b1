import { Hono } from 'hono';
import { listAudit, type AuditEntry } from '../../accounts/audit/list-audit.ts';
import { sentenceOf, meansOf } from './audit-sentences.ts';
import type { PlatformEnv } from '../env.ts';
import { inClient, ownersOnly, signedIn } from '../guard.ts';
import { EmptyState } from '../kit/notice.tsx';
import { PageHeader } from '../kit/section.tsx';
import { Pager, Table, type Column } from '../kit/table.tsx';
import { Time } from '../kit/time.tsx';
import { pageOf, pagesOf } from '../list.ts';
import { page } from '../page.tsx';
import type { PageWords } from '../words.tsx';

/** The audit log of a client, for its owners. */
export function auditPages(): Hono<PlatformEnv> {
  return new Hono<PlatformEnv>().get('/platform/c/:client/audit', signedIn, inClient, ownersOnly, async (c) => {
    const { db, actor, session, words } = c.var;
    const { text } = words;
    const { entries, cursor } = await listAudit(db, actor, pageOf(c, 'audit'));
    const content = (
      <>
        <PageHeader title={text('audit.title')} lead={text('audit.lead')} />
        {entries.length === 0 ? (
          <EmptyState title={text('audit.none')}>{text('audit.noneHint')}</EmptyState>
        ) : (
          <div class="panel">
            <Table caption={text('audit.title')} columns={columnsIn(words, session.timeZone)} rows={entries} />
          </div>
        )}
        <Pager {...pagesOf(c, cursor)} />
      </>
    );
    return page(c, { title: text('audit.title') }, content);
  });
}

function columnsIn(words: PageWords, timeZone: string): readonly Column<AuditEntry>[] {
  const { text } = words;
  return [
    {
      label: text('audit.change'),
      cell: (entry) => <span class="change-text">{sentenceOf(words, entry, timeZone)}</span>,
    },
    { label: text('audit.credential'), align: 'whole', cell: (entry) => meansOf(words, entry) },
    { label: text('audit.date'), cell: ({ at }) => <Time at={at} timeZone={timeZone} /> },
  ];
}
