import type { Context } from 'hono';
import { lookupToolsOf } from '../../../http/lookup-tools.ts';
import { limitRate } from '../../../http/rate-limits.ts';
import type { FoundPage } from '../../../links/lookup/found.ts';
import { parseLookup } from '../../../links/lookup/input.ts';
import { lookUp } from '../../../links/lookup/look-up.ts';
import type { PlatformEnv } from '../../env.ts';
import { newForm, submit, type FormState } from '../../forms/form.ts';
import type { PageWords } from '../../words.tsx';
import { typedUrl } from '../display-url.ts';
import { labelOf } from '../field-words.ts';
import type { ShownForm } from './link-form.ts';
import { inputOf, PREVIEW_LABELS, PREVIEW_PARTS } from './parts.ts';

type Texts = Readonly<Record<string, string>>;

/** The form of a link after a look-up of its destination, and the status of its page. Throws what `submit` throws. */
export async function formAfterLookup(c: Context<PlatformEnv>, typed: Texts): Promise<ShownForm> {
  const { site, actor, words } = c.var;
  const find = async () => {
    const url = parseLookup({ url: typed['url'] ?? '' }, site);
    await limitRate(c, 'lookup', actor.credential);
    return lookUp(lookupToolsOf(c), actor.credential, url);
  };
  const sent = await submit(c, typed, find);
  return sent.ok ? { form: filledIn(words, typed, sent.value), status: 200 } : { form: sent.form, status: sent.status };
}

function filledIn(words: PageWords, typed: Texts, found: FoundPage): FormState {
  const offered = offersOf(words, found);
  const added = offered.filter(({ name }) => (typed[name] ?? '') === '');
  const values = Object.fromEntries(added.map(({ name, text }) => [name, text]));
  return { ...newForm({ ...typed, ...values }), note: noteOn(words, found, offered, added) };
}

/** A text for a field of the form. */
interface Offer {
  readonly name: string;
  readonly label: string;
  readonly text: string;
}

function offersOf(words: PageWords, found: FoundPage): Offer[] {
  const title = { name: 'title', label: labelOf(words, 'title'), text: found.title };
  const preview = PREVIEW_PARTS.map((part) => ({
    name: inputOf(part),
    label: words.text(PREVIEW_LABELS[part]),
    text: part === 'image' && found.image !== null ? typedUrl(found.image) : found[part],
  }));
  return [title, ...preview].flatMap(({ text, ...field }) => (text === null ? [] : [{ ...field, text }]));
}

function noteOn(
  { text }: PageWords,
  { status }: FoundPage,
  offered: readonly Offer[],
  added: readonly Offer[],
): string {
  if (added.length > 0) {
    const labels = added.map(({ label }) => label);
    const fields = labels.reduce((some, other) => text('linkForm.listed', { some, other }));
    return text('linkForm.filledIn', { fields });
  }
  if (offered.length > 0) return text('linkForm.notFilledIn');
  if (status >= 200 && status < 300) return text('linkForm.foundNothing');
  return text('linkForm.foundStatus', { status: String(status) });
}
