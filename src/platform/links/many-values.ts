import * as z from 'zod';
import type { Param } from '../../database/database.ts';
import { lazy } from '../../lazy.ts';
import type { ManyAction } from '../../links/edit/many-rules.ts';
import { linkFields } from '../../links/fields/table.ts';
import { tagName } from '../../links/fields/tags.ts';
import { foldTag } from '../../links/tags/names.ts';
import { parseFields } from '../../validation.ts';
import { editIdOf } from '../flash.ts';
import { readWallTime } from '../form.ts';

const campaignFields = lazy(() => z.object({ campaign_name: linkFields.campaign_name.schemas().create.optional() }));
const tagFields = lazy(() => z.object({ tag: tagName() }));
const expiryFields = lazy(() => z.object({ expires_at: linkFields.expires_at.schemas().create.optional() }));

/**
 * Reads the value of a change of many links from its form; null clears a field. Throws `invalid_campaign_name`,
 * `invalid_expires_at`, `invalid_tag`, `not_found`.
 */
export function manyValueOf(action: ManyAction, fields: Readonly<Record<string, string>>, timeZone: string): Param {
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
    case 'undo_campaign':
    case 'undo_expiry':
      return editIdOf(fields['edit']);
    default:
      return null;
  }
}
