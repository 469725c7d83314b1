import type { Context } from 'hono';
import type { PlatformEnv } from '../../env.ts';
import { newForm, readLargeFields, type FormState } from '../../forms/form.ts';
import { withScheme } from '../../../links/destinations/with-scheme.ts';
import { withTemplate } from '../../utm-templates/apply.tsx';
import { isUrl } from '../destination.tsx';
import { applyAction } from '../routes/actions.ts';
import { draftFields, takeDraft } from '../routes/draft.ts';
import type { PageHead } from '../../page.tsx';
import type { PageWords } from '../../words.tsx';
import { LOOKUP } from './lookup-button.tsx';

/** The forms of a new link and of an edit, as far as they are the same. */

// A link has at most 16 KiB of rules, variants and preview, in which percent-encoding and the names of some thousand
// inputs take several times as much. With the longest other fields that is less than this.
const MAX_LINK_FORM_BYTES = 256 * 1024;

/** Reads the form, with `https://` before destinations that lack a scheme. Throws what `readLargeFields` throws. */
export async function readLinkForm(c: Context<PlatformEnv>): Promise<Record<string, string>> {
  const fields = await readLargeFields(c, MAX_LINK_FORM_BYTES);
  const texts = Object.entries(fields).map(([name, text]) => [
    name,
    isDestination(name) ? withScheme(text, c.var.site.schemes) : text,
  ]);
  return withTemplate(c, Object.fromEntries(texts));
}

const isDestination = (name: string) => isUrl(name) || /^(?:rules|variants)\.\d{1,2}\.url$/.test(name);

/** The name of the buttons that change the form and save nothing. */
export const ACTION = 'do';

/** A form that is shown again, and the status of its page. */
export interface ShownForm {
  readonly form: FormState;
  readonly status: PageHead['status'];
}

/**
 * The form after one of these buttons, with all that was typed; null if the form is to be saved. Throws
 * `malformed_body`.
 */
export async function formAfterAction(
  c: Context<PlatformEnv>,
  fields: Readonly<Record<string, string>>,
): Promise<ShownForm | null> {
  const { [ACTION]: action, ...typed } = fields;
  if (action === undefined) return null;
  if (action !== LOOKUP) return { form: formAfterChange(c.var.words, fields, action), status: 200 };
  const { formAfterLookup } = await import('./lookup.ts');
  const { form, status } = await formAfterLookup(c, typed);
  return { form: withoutPassword(c.var.words, { ...form, isUnsaved: true }), status };
}

function formAfterChange(words: PageWords, fields: Readonly<Record<string, string>>, action: string): FormState {
  const { draft, rest } = takeDraft(fields);
  const values = draft === null ? rest : { ...rest, ...draftFields(applyAction(draft, action)) };
  return withoutPassword(words, { ...newForm(values), isUnsaved: true });
}

/** Says beside a password that was typed that it is to be typed again, since no page has it. */
export function withoutPassword({ text }: PageWords, form: FormState): FormState {
  const isTyped = (form.values['password'] ?? '') !== '';
  return isTyped
    ? { ...form, faults: { ...form.faults, password: form.faults['password'] ?? text('linkForm.passwordAgain') } }
    : form;
}
