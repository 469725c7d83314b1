import type { LinkContent } from '../../../links/fields/content.ts';
import type { Preview } from '../../../links/fields/preview.ts';
import { unlessEmpty } from '../../../links/routes/list.ts';
import { withNames } from '../../../links/routes/names.ts';
import type { Rule } from '../../../links/routes/stored-routes.ts';
import type { Variant } from '../../../links/routes/stored-routes.ts';
import { fromRuleDrafts, fromVariantDrafts, toRuleDrafts, toVariantDrafts } from '../routes/convert.ts';
import { draftFields, nameOfRule, nameOfVariant, takeDraft, type RoutesDraft } from '../routes/draft.ts';
import type { PageWords, PlainKey } from '../../words.tsx';
import { typedUrl } from '../display-url.ts';

/** The fields of a link that have several inputs in the forms: one for each part of their values. */
export const PART_NAMES = ['rules', 'variants', 'preview'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** The parts of a link preview, in the order of the form. */
export const PREVIEW_PARTS = ['title', 'description', 'image'] as const satisfies readonly (keyof Preview)[];

/** The labels of these parts. */
export const PREVIEW_LABELS = {
  title: 'linkForm.previewTitle',
  description: 'linkForm.previewDescription',
  image: 'linkForm.previewImage',
} as const satisfies Readonly<Record<(typeof PREVIEW_PARTS)[number], PlainKey>>;

type Texts = Readonly<Record<string, string>>;

/** The typed parts; null is what the form does not have. */
interface TypedParts {
  readonly draft: RoutesDraft | null;
  readonly preview: Preview | null;
}

/** Takes the parts out of the fields of a form. Throws `malformed_body`. */
export function takeParts(fields: Texts): { readonly parts: TypedParts; readonly rest: Texts } {
  const { draft, rest } = takeDraft(fields);
  const isOfPreview = (name: string) => PREVIEW_PARTS.some((part) => name === inputOf(part));
  const others = Object.entries(rest).filter(([name]) => !isOfPreview(name));
  const typed = PREVIEW_PARTS.map((part) => [part, rest[inputOf(part)]] as const);
  const preview = typed.every(([, text]) => text === undefined)
    ? null
    : Object.fromEntries(typed.filter(([, text]) => text !== undefined && text !== ''));
  return { parts: { draft, preview }, rest: Object.fromEntries(others) };
}

/** The name of the input for a part of the preview. */
export const inputOf = (part: keyof Preview): string => `preview.${part}`;

/** The values of a link. */
export interface StoredParts {
  readonly rules: readonly Rule[];
  readonly variants: readonly Variant[];
  readonly preview: Preview;
}

export function storedParts({ rules, variants, preview }: Pick<LinkContent, PartName>): StoredParts {
  return {
    rules: JSON.parse(rules ?? '[]'),
    variants: JSON.parse(variants ?? '[]'),
    preview: JSON.parse(preview ?? '{}'),
  };
}

/** The fields of a form with the values of a link. */
export function typedParts(
  words: PageWords,
  { rules, variants, preview }: StoredParts,
  timeZone: string,
): Record<string, string> {
  const draft = { rules: toRuleDrafts(words, rules, timeZone), variants: toVariantDrafts(variants) };
  const texts = PREVIEW_PARTS.map((part) => [
    inputOf(part),
    part === 'image' ? typedUrl(preview.image ?? '') : (preview[part] ?? ''),
  ]);
  return { ...draftFields(draft), ...Object.fromEntries(texts) };
}

/**
 * The parts as the API takes them: null if they are empty, undefined if the form does not have them. Rules and variants
 * without a name get that which the form shows in its place.
 */
export function readParts(
  words: PageWords,
  { draft, preview }: TypedParts,
  timeZone: string,
  stored?: StoredParts,
): Readonly<Record<PartName, unknown>> {
  return {
    rules:
      draft === null
        ? undefined
        : unlessEmpty(withNames(fromRuleDrafts(words, draft.rules, timeZone, stored?.rules), nameOfRule(words))),
    variants:
      draft === null ? undefined : unlessEmpty(withNames(fromVariantDrafts(draft.variants), nameOfVariant(words))),
    preview: preview === null ? undefined : Object.keys(preview).length === 0 ? null : preview,
  };
}
