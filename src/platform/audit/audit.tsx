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

/** The audit log of a client, for its owners. */
export function auditPages(): Hono<PlatformEnv> {
  return new Hono<PlatformEnv>().get('/platform/c/:client/audit', signedIn, inClient, ownersOnly, async (c) => {
    const { db, actor, session } = c.var;
    const { entries, cursor } = await listAudit(db, actor, pageOf(c, 'audit'));
    const content = (
      <>
        <PageHeader
          title="Audit log"
          lead="Changes to the workspace, its members, invites, keys, domains, webhooks, tags, campaigns and public pages, by its users and by the operator, newest first. Entries are kept for a year."
        />
        {entries.length === 0 ? (
          <EmptyState title="No changes yet">
            Created keys, invited members, added domains and other changes appear here.
          </EmptyState>
        ) : (
          <div class="panel">
            <Table caption="Audit log" columns={columnsIn(session.timeZone)} rows={entries} />
          </div>
        )}
        <Pager {...pagesOf(c, cursor)} />
      </>
    );
    return page(c, { title: 'Audit log' }, content);
  });
}

function columnsIn(timeZone: string): readonly Column<AuditEntry>[] {
  return [
    { label: 'Change', cell: (entry) => <span class="change-text">{sentenceOf(entry, timeZone)}</span> },
    { label: 'Credential', align: 'whole', cell: meansOf },
    { label: 'Date', cell: ({ at }) => <Time at={at} timeZone={timeZone} /> },
  ];
}
