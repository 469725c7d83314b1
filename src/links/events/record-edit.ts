import type { Statement } from '../../database/database.ts';
import type { ManagedRow } from '../managed-link.ts';
import { insertLinkEvents } from './link-event.ts';

interface Edited {
  readonly before: ManagedRow;
  readonly action: string;
  /** `{field: [before, after]}`, as the history has it. */
  readonly changes: Readonly<Record<string, readonly [unknown, unknown]>>;
  readonly now: number;
}

/**
 * Builds the texts of the statements that record the event about an edit, and returns the function that gives the statement
 * for one.
 *
 * @param from the FROM clause with its condition, for the edited link `l`; it takes `params`: ?1 and ?2
 */
export function linkEvents(from: string): (edit: Edited, params: Statement['params']) => Statement {
  const deleted = insertLinkEvents('link.deleted', from, '?3');
  const updated = insertLinkEvents('link.updated', from, '?3', { changes: '?4' });
  return ({ before, changes, action, now }, params) => {
    if (action === 'deleted') return { sql: deleted, params: [...params, now], returnsEvents: true };
    const former = {
      ...changes,
      // The history has the released aliases only, and of a password whether there was one.
      ...((changes['slug'] || changes['aliases']) && { aliases: [before.aliases] }),
      ...(changes['password'] && { password_at: [before.password_at] }),
    };
    return { sql: updated, params: [...params, now, JSON.stringify(former)], returnsEvents: true };
  };
}
