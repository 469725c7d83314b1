import type { Rule } from '../../links/routes/stored-routes.ts';
import type { PageWords } from '../words.tsx';
import { destinationText } from './destination.tsx';
import { PREVIEW_PARTS, type PartName, type StoredParts } from './form/parts.ts';
import { sharesOf } from './routes/actions.ts';
import { allOf, wordsOfCondition } from './routes/condition-words.ts';
import { toVariantDrafts } from './routes/convert.ts';

/** Rules, variants and previews in words. */

/** When a rule holds, as a sentence without its full stop. */
export const conditionsOf = (words: PageWords, rule: Rule): string =>
  allOf(
    words,
    rule.if.map((condition) => wordsOfCondition(words, condition)),
  );

/** A share in percent, such as "33.3%". */
export function formatShare({ text }: PageWords, percent: number | null): string {
  return percent === null ? '' : text('routes.share', { percent: Number(percent.toFixed(1)) });
}

/** The parts of a link in words, one for each rule, variant or part of the preview. */
export function wordsOf(words: PageWords, name: PartName, { rules, variants, preview }: StoredParts): string[] {
  const { text } = words;
  if (name === 'rules') {
    return rules.map((rule, index) =>
      text('routes.ruleLine', {
        number: index + 1,
        name: rule.name,
        conditions: conditionsOf(words, rule),
        url: destinationText(rule.url),
      }),
    );
  }
  if (name === 'variants') {
    const shares = sharesOf(toVariantDrafts(variants));
    return variants.map(({ name: own, url }, index) =>
      text('routes.variantLine', {
        name: own,
        share: formatShare(words, shares[index] ?? null),
        url: destinationText(url),
      }),
    );
  }
  return PREVIEW_PARTS.flatMap((part) => {
    const content = preview[part];
    if (content === undefined) return [];
    if (part === 'image') return [text('routes.imageLine', { url: destinationText(content) })];
    return [text(part === 'title' ? 'routes.titleLine' : 'routes.descriptionLine', { text: content })];
  });
}
