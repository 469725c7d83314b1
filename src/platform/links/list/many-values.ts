import * as z from 'zod';
import type { Param } from '../../../database/database.ts';
import { lazy } from '../../../isolate/lazy.ts';
import type { BulkAction, ManyAction } from '../../../links/edit/many-rules.ts';
import type { UndoneEdit } from '../../../links/edit/undo-many.ts';
import { UNDOINGS, type Undoing } from '../../../links/edit/undo-rules.ts';
import { linkFields } from '../../../links/fields/table.ts';
import { tagName } from '../../../links/fields/tags.ts';
import { foldTag } from '../../../links/tags/names.ts';
import { parseFields } from '../../../input/validation.ts';
import { editIdOf, type UndoneField } from '../../undo.ts';
import { readWallTime } from '../../forms/form.ts';

const campaignFields = lazy(() => z.object({ campaign_name: linkFields.campaign_name.schemas().create.optional() }));
const tagFields = lazy(() => z.object({ tag: tagName() }));
const expiryFields = lazy(() => z.object({ expires_at: linkFields.expires_at.schemas().create.optional() }));

/**
 * Reads the value of a change of many links from its form; null clears a field. Throws `invalid_campaign_name`,
 * `invalid_expires_at`, `invalid_tag`, `not_found`.
 */
export function manyValueOf(action: BulkAction, fields: Readonly<Record<string, string>>, timeZone: string): Param {
  switch (action) {
    case 'campaign':
      return parseFields(campaignFields(), { campaign_name: fields['campaign_name'] }).campaign_name ?? null;
    case 'expiry':
      return (
        parseFields(expiryFields(), { expires_at: readWallTime(fields, 'expires_at', timeZone) }).expires_at ?? null
      );
    case 'tag':
    case 'untag':
      return foldTag(parseFields(tagFields(), { tag: fields['tag'] }).tag);
    default:
      return null;
  }
}

/** The action that undoes an edit with which another action began. */
const UNDOING_BY: Partial<Record<ManyAction, Undoing>> = {
  enable: 'undo_disable',
  restore: 'undo_delete',
  untag: 'undo_tag',
  tag: 'undo_untag',
};

/** The edit that a form undoes; null if its action is one of its own, without the id of an edit. */
export function undoingOf(action: ManyAction, fields: Readonly<Record<string, string>>): Undoing | null {
  const own = UNDOINGS.find((undoing) => undoing === action);
  return own ?? (fields['edit'] === undefined ? null : (UNDOING_BY[action] ?? null));
}

/** Reads the edit that a form undoes. Throws `not_found`, `invalid_tag`. */
export function undoneEditOf(action: Undoing, fields: Readonly<Record<string, string>>): UndoneEdit {
  const edit = editIdOf(fields['edit']);
  if (action !== 'undo_tag' && action !== 'undo_untag') return { edit };
  return { edit, tag: foldTag(parseFields(tagFields(), { tag: fields['tag'] }).tag) };
}

/** The field whose change is undone, in sentences. */
export const UNDONE_FIELD: Readonly<Record<Undoing, UndoneField>> = {
  undo_disable: 'status',
  undo_delete: 'status',
  undo_campaign: 'campaign',
  undo_expiry: 'expiry',
  undo_tag: 'tag',
  undo_untag: 'tag',
};
