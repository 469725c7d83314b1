import type { Statement } from '../../database/database.ts';
import { recordEvents } from '../../events/record.ts';
import type { ManagedRow } from '../managed.ts';
import { insertLinkEvents } from './link-event.ts';

interface Edited {
  readonly before: ManagedRow;
  readonly action: string;
  /** `{field: [before, after]}`, as the history has it. */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly now: number;
}

/**
 * Records the event about an edit of the link ?1, which `isWritten` confirms; `params` are those of `isWritten`: ?1 and ?2.
 */
export function recordEdit(
  { before, changes, action, now }: Edited,
  isWritten: string,
  params: Statement['params'],
): Statement {
  const from = `FROM links l WHERE l.id = ?1 AND ${isWritten}`;
  if (action === 'deleted') return recordEvents(insertLinkEvents('link.deleted', from, '?3'), [...params, now]);
  const former = {
    ...changes,
    // The history has the released aliases only, and of a password whether there was one.
    ...((changes['slug'] || changes['aliases']) && { aliases: [before.aliases] }),
    ...(changes['password'] && { password_at: [before.password_at] }),
  };
  return recordEvents(insertLinkEvents('link.updated', from, '?3', { changes: '?4' }), [
    ...params,
    now,
    JSON.stringify(former),
  ]);
}
