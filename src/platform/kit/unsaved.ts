import type { FormState } from '../forms/form.ts';
import { isRefused } from './summary.tsx';

/** The attributes of a form for the script that asks before a page is left. A refused one is not saved as it is. */
export function unsavedOf(form: FormState, asks?: boolean) {
  const isAsked = asks ?? (isRefused(form) || form.isUnsaved === true || undefined);
  if (isAsked === undefined) return {};
  return isAsked ? { 'data-unsaved': '' } : { 'data-unasked': '' };
}
